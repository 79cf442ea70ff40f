"""What must every store do?  The reference store says it in plain objects, as briefly as it can.

It keeps nothing on disk and is fast at nothing.  Other stores are compared with it, so a
doubt about what a read returns is settled here.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from muniment import limits
from muniment.domain.changes import Changes, Claims, Current, HeadSeal, Job, Page, Row, Sealed
from muniment.domain.evidence import Evidence
from muniment.domain.label import Label
from muniment.domain.ledger import ENTRY_BYTES, Record, RowCode, Seal, TenantHead
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter
from muniment.domain.memory import Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Anchor, Marks, Tombstone, TombstoneKind, is_anchor, mark_of
from muniment.domain.trust import LIVE
from muniment.errors import BrokenData, Busy
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import Statistics
from muniment.store import memory_view
from muniment.store.alone import AloneInWriting
from muniment.store.memory_newest import MemoryReading, once, paged
from muniment.store.memory_state import Held, State, Vector, applied, rebuilt, with_vector
from muniment.store.memory_view import MemoryView


class MemoryStore:
    """Keep one tenant's rows in this process, for tests and for comparison."""

    def __init__(self, head: TenantHead) -> None:
        self._state = State(head)
        self._writing = threading.Lock()

    @contextmanager
    def transaction(self, claims: Claims | None = None) -> Iterator["MemoryTransaction"]:
        """Open the tenant for writing; the next state is seen by all when left without an error.

        Nobody writes beside it, whatever it claims.  Raises Busy when another writer does not leave
        within the bounded wait.
        """
        if not self._writing.acquire(timeout=limits.busy_wait_ms_max / 1000):
            raise Busy("Another writer holds the store.")
        try:
            transaction = MemoryTransaction(self._state)
            yield transaction
            self._state = transaction.state
        finally:
            self._writing.release()

    @contextmanager
    def snapshot(self) -> Iterator["MemorySnapshot"]:
        """Open the state of this moment for reading; it never changes."""
        yield MemorySnapshot(self._state)

    def harden(self) -> None:
        """Do nothing: nothing here is durable."""

    def close(self) -> None:
        """Let go of everything, which here is nothing."""


class MemorySnapshot(MemoryReading):
    """Read one state."""

    def head(self) -> TenantHead:
        """Return the tenant's sealed head."""
        return self.state.head

    def moment(self) -> object:
        """Return the state: each change puts another in its place."""
        return self.state

    def spaces(self) -> tuple[SpaceRow, ...]:
        """Return every space of the tenant."""
        return tuple(sealed.row for sealed in self.state.spaces)

    def actors(self) -> tuple[ActorRow, ...]:
        """Return every actor of the tenant."""
        return tuple(sealed.row for sealed in self.state.actors)

    def currents(self, memories: Sequence[str]) -> list[Current]:
        """Return the newest version of each memory that is there."""
        return [self._current(memory) for memory in once(memories) if memory in self.state.histories]

    def head_seals(self, memories: Sequence[str]) -> list[HeadSeal]:
        """Return the sealed heads of the memories that are there, without their versions."""
        return [
            HeadSeal(one.version.memory, one.version.number, one.version.n, one.version.trust, one.head_mac)
            for one in self.currents(memories)
        ]

    def withheld_in(self, spaces: Sequence[int]) -> bool:
        """Return whether these spaces hold a memory that is not live."""
        newest = (self.state.newest(memory) for memory in self.state.histories)
        return any(one.space in spaces and one.trust not in LIVE for one in newest)

    def sources_of(self, memories: Sequence[str]) -> list[tuple[str, str]]:
        """Return what each memory is derived from: pairs of memory and source, oldest first."""
        return [
            (sealed.row.source, sealed.row.target)
            for sealed in self.links_of(memories)
            if sealed.row.type is LinkType.DERIVED_FROM and sealed.row.source in memories
        ]

    def newest_space(self) -> int:
        """Return the number of the newest space, 0 when there is none."""
        return max((row.n for row in self.spaces()), default=0)

    def history(self, memory: str) -> list[Sealed[Version]]:
        """Return every version of a memory, oldest first."""
        return [self.state.versions[n] for n in self.state.histories.get(memory, ())]

    def evidence(self, ids: Sequence[str]) -> list[Sealed[Evidence]]:
        """Return the evidence items with these ids."""
        by_id = {sealed.row.id: sealed for sealed in self.state.evidence.values()}
        return [by_id[id] for id in once(ids) if id in by_id]

    def evidence_at(self, ns: Sequence[int]) -> list[Sealed[Evidence]]:
        """Return the evidence items with these row numbers."""
        return [self.state.evidence[n] for n in once(ns) if n in self.state.evidence]

    def known_origins(self, origins: Sequence[bytes]) -> dict[bytes, str]:
        """Return which of these origins were taken before, and as which id; an erased one has none."""
        taken = {sealed.row.origin: "" for sealed in self.state.stubs}
        taken |= {sealed.row.origin: sealed.row.id for sealed in self.state.evidence.values()}
        return {origin: taken[origin] for origin in origins if origin and origin in taken}

    def turns(self, session: int, page: Page) -> list[Sealed[Evidence]]:
        """Return a session's items by sequence and number, after sequence `page.after`; session 0 is none."""
        items = [one for one in self.state.evidence.values() if session and one.row.session == session]
        items.sort(key=lambda one: one.row.n, reverse=page.newest_first)
        return [one for _, one in paged(((one.row.sequence, one) for one in items), page)]

    def links_of(self, ids: Sequence[str]) -> list[Sealed[Link]]:
        """Return every link that begins or ends at one of these ids."""
        return [one for one in self.state.links if one.row.source in ids or one.row.target in ids]

    def tombstones_for(self, space: int, digests: Sequence[bytes]) -> list[Tombstone]:
        """Return the standing tombstones that hold one of these digests and count in `space`.

        A rejected value counts in its own space, an erased one everywhere.
        """
        return [
            added.tombstone
            for added in self.state.standing_tombstones()
            if (added.tombstone.space == space or added.tombstone.kind is TombstoneKind.ERASED)
            and set(added.digests) & set(digests)
        ]

    def any_buried(self, space: int, digests: Sequence[bytes]) -> bool:
        """Return whether a tombstone, standing or lifted, that counts in `space` holds one of these."""
        return any(not set(digests).isdisjoint(one.digests) for one in self.state.buried_in(space))

    def anchors_for(self, space: int, pairs: Sequence[int]) -> list[tuple[str, Anchor]]:
        """Return anchors of these pairs that count in `space`, with their tombstones, lifted ones too."""
        return [
            (one.tombstone.id, anchor)
            for one in self.state.buried_in(space)
            for anchor in map(Anchor.unpacked, filter(is_anchor, set(one.digests)))
            if anchor.pair in pairs
        ]

    def marks(self, rows_max: int) -> Marks | None:
        """Return the marks of all tombstones, or None where there are more than `rows_max` of a kind."""
        held = {digest for one in self.state.tombstones for digest in one.digests}
        pairs = {Anchor.unpacked(one).pair for one in held if is_anchor(one)}
        digests = {mark_of(one) for one in held if not is_anchor(one)}
        few = max(len(pairs), len(digests)) <= rows_max
        return Marks.of(self.head().generation, digests, pairs) if few else None

    def erased_anywhere(self) -> bool:
        """Return whether any value was ever erased in this tenant."""
        return any(added.tombstone.kind is TombstoneKind.ERASED for added in self.state.tombstones)

    def newest_tombstone_key(self) -> int:
        """Return the number of the key that the newest tombstone was made with, 0 without tombstones."""
        return self.state.newest_tombstone_key()

    def tombstone(self, id: str) -> Tombstone | None:
        """Return a standing tombstone by its id."""
        for added in self.state.standing_tombstones():
            if added.tombstone.id == id:
                return added.tombstone
        return None

    def tombstones_of(self, memory: str) -> list[Tombstone]:
        """Return the standing tombstones that a memory's rejection made."""
        return [
            added.tombstone for added in self.state.standing_tombstones() if added.tombstone.memory == memory
        ]

    def tombstone_digests(self, ids: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return what each of these tombstones is found by, digests and packed anchors, in order of bytes."""
        return {
            added.tombstone.id: tuple(sorted(set(added.digests)))
            for added in self.state.tombstones
            if added.tombstone.id in ids and added.digests
        }

    def session(self, space: int, name: str) -> Conversation | None:
        """Return a session by its name within a space, as far as it has come."""
        for sealed in self.state.sessions.values():
            if (sealed.row.space, sealed.row.name) == (space, name):
                return sealed.row
        return None

    def sessions(self, spaces: Sequence[int], page: Page) -> list[Conversation]:
        """Return sessions of these spaces, by number."""
        rows = (sealed.row for sealed in self.state.sessions.values() if sealed.row.space in spaces)
        return [row for _, row in paged(((row.n, row) for row in rows), page)]

    def sessions_at(self, ns: Sequence[int]) -> list[Conversation]:
        """Return the sessions with these numbers."""
        return [self.state.sessions[n].row for n in once(ns) if n in self.state.sessions]

    def labels_read(self, session: int) -> list[Label]:
        """Return the labels of a session's turns and of the answers it was served, each once."""
        return self.state.labels_read(session)

    def credential(self, public_id: str) -> list[Sealed[CredentialRow]]:
        """Return the rows of one credential with their seals, oldest first."""
        return [sealed for sealed in self.state.credentials if sealed.row.public_id == public_id]

    def credentials(self) -> list[CredentialRow]:
        """Return all credential rows, oldest first."""
        return [sealed.row for sealed in self.state.credentials]

    def matters(self, ids: Sequence[str]) -> list[Matter]:
        """Return every row of these matters, oldest first."""
        return [sealed.row for sealed in self.state.matters if sealed.row.id in ids]

    def matters_about(self, ids: Sequence[str]) -> list[Matter]:
        """Return the newest rows of open matters with one of these ids as a side."""
        return [row for row in self.state.open_matters() if any(side in ids for side in row.sides)]

    def matters_in(
        self, spaces: Sequence[int], kinds: Sequence[str], states: Sequence[str], *, page: Page
    ) -> list[Matter]:
        """Return the newest rows of matters of these spaces, kinds and states, by row number."""
        found = [row for row in self.state.standing_matters() if row.space in spaces and row.kind in kinds]
        return [row for _, row in paged(((row.n, row) for row in found if row.state in states), page)]

    def recalls(self, page: Page) -> list[RecallRow]:
        """Return recall log rows, by number."""
        return [row.row for _, row in paged(((row.row.n, row) for row in self.state.recalls), page)]

    def records(self, page: Page) -> list[Record]:
        """Return ledger records, by position; -1 as `page.after` begins at the first."""
        return [row for _, row in paged(((row.position, row) for row in self.state.records), page)]

    def entries_of(self, seals: Sequence[Seal]) -> list[bytes]:
        """Return the packed row entry of each seal, empty where there is none."""
        rows = {record.position: record.rows for record in self.state.records}
        return [
            rows.get(seal.record, b"")[seal.index * ENTRY_BYTES : (seal.index + 1) * ENTRY_BYTES]
            for seal in seals
        ]

    def sealed_rows(self, code: RowCode, page: Page) -> list[tuple[int, Sealed[Row]]]:
        """Return committed rows of one kind with their paging keys, in storage order."""
        rows = enumerate(self.state.sealed(code), start=1)
        keyed = ((at if isinstance(one.row, Link | Tombstone) else one.row.n, one) for at, one in rows)
        return paged(keyed, page)

    def heads(self, page: Page) -> list[tuple[int, Current]]:
        """Return memory heads with their paging keys, for `verify`."""
        return paged(enumerate(map(self._current, self.state.histories), start=1), page)

    def odd_heads(self, rows_max: int) -> list[str]:
        """Return memories whose head differs from the newest version; here the history is the head."""
        return []

    def statistics(self, spaces: Sequence[int], sort: Sort, terms: Sequence[str]) -> Statistics:
        """Return item and term counts of the live shelf of these spaces for one sort."""
        return memory_view.statistics(self.state, spaces, sort, terms=terms)

    def view(self, eligibility: Eligibility, *, model: str) -> MemoryView:
        """Return a read-only scoped view."""
        return MemoryView(self.state, eligibility, model)

    def cosines(self, ns: Sequence[int], vector: bytes, *, model: str) -> Mapping[int, float]:
        """Return the cosine of `vector` with each row that has a vector of `model`."""
        return memory_view.cosines(self.state, ns, vector, model=model)

    def jobs(self) -> list[Job]:
        """Return all jobs that are not done, by due time."""
        return sorted((held.job for held in self.state.jobs.values()), key=lambda job: (job.due, job.n))

    def counts(self) -> Mapping[str, int]:
        """Return how many rows each table holds."""
        return self.state.counts()

    def _current(self, memory: str) -> Current:
        sealed = self.state.versions[self.state.histories[memory][-1]]
        return Current(sealed.row, sealed.seal, self.state.head_macs[memory])


class MemoryTransaction(AloneInWriting, MemorySnapshot):
    """Read and change one state; every change puts the next state in its place."""

    def apply(self, changes: Changes) -> None:
        """Append all rows, index them, and move the heads, together (I5).

        Raises BrokenData for a record that does not follow the last one, as a database's key does.
        """
        if changes.record.position != self.state.head.size:
            raise BrokenData("The record does not follow the last one.")
        self.state = applied(self.state, changes)

    def take_job(self, now: int, lease_until: int) -> Job | None:
        """Take the next due job that nobody holds, under a new lease number."""
        for job in self.jobs():
            if job.due <= now and self.state.jobs[job.n].until <= now:
                taken = replace(job, lease=job.lease + 1)
                self._put_job(Held(taken, lease_until))
                return taken
        return None

    def finish_job(self, job: Job, *, error: str = "", due: int = 0) -> bool:
        """End a job, or put it back with its error; False when another worker overtook."""
        held = self.state.jobs.get(job.n)
        if held is None or held.job.lease != job.lease:
            return False
        if error:
            self._put_job(Held(replace(held.job, attempts=held.job.attempts + 1, due=due, error=error)))
        else:
            left = {n: held for n, held in self.state.jobs.items() if n != job.n}
            self.state = replace(self.state, jobs=left)
        return True

    def set_vector(self, n: int, vector: bytes, *, model: str) -> None:
        """Store the vector of a live row; one of another model for it is removed."""
        self.state = with_vector(self.state, n, Vector(model, vector))

    def unembedded(self, model: str, page: Page) -> list[tuple[int, str]]:
        """Return live rows without a vector of `model`: number and text."""
        rows = ((row.n, row.text) for row in self.state.live_rows() if not self._embedded(row.n, model))
        return paged(rows, page)

    def set_analyser(self, head: TenantHead) -> None:
        """Store a head that names another analyser, after a rebuild."""
        self.state = replace(self.state, head=head)

    def rebuild(self, terms: Callable[[str], tuple[str, ...]]) -> int:
        """Rebuild both indexes from the rows; return how many rows were indexed."""
        self.state, count = rebuilt(self.state, terms)
        return count

    def _put_job(self, held: Held) -> None:
        self.state = replace(self.state, jobs={**self.state.jobs, held.job.n: held})

    def _embedded(self, n: int, model: str) -> bool:
        kept = self.state.vectors.get(n)
        return kept is not None and kept.model == model
