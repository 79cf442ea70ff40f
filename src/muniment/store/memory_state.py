"""What does the reference store hold?  One immutable state; a change makes the next one.

A snapshot is a reference to a state and a rollback is forgetting one, so isolation and
atomicity need no further code.  Only the containers that a change touches are copied.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from muniment.domain.changes import (
    Changes,
    Gone,
    IndexEntry,
    Job,
    NewTombstone,
    NewVersion,
    Row,
    Sealed,
    SessionState,
)
from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.evidence import Evidence, TurnState
from muniment.domain.label import Label
from muniment.domain.ledger import Record, RowCode, TenantHead
from muniment.domain.link import Link
from muniment.domain.matter import Matter, MatterState
from muniment.domain.memory import Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Tombstone, TombstoneKind
from muniment.domain.trust import LIVE
from muniment.errors import BrokenData
from muniment.store.indexed_text import indexed_text

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Vector:
    """Hold a vector and the stamp of the model that made it."""

    model: str
    lanes: bytes


@dataclass(frozen=True, slots=True)
class Held:
    """Hold a job and until when its lease runs, in microseconds; 0 when nobody has it."""

    job: Job
    until: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """Hold all rows of a tenant, each table in the order in which its rows came.

    `versions`, `evidence`, `terms` and `vectors` are keyed by row number, `histories` lists
    a memory's row numbers oldest first, and `head_macs` is keyed by memory.
    """

    head: TenantHead
    records: tuple[Record, ...] = ()
    versions: Mapping[int, Sealed[Version]] = field(default_factory=dict)
    histories: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    head_macs: Mapping[str, bytes] = field(default_factory=dict)
    evidence: Mapping[int, Sealed[Evidence]] = field(default_factory=dict)
    terms: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    vectors: Mapping[int, Vector] = field(default_factory=dict)
    links: tuple[Sealed[Link], ...] = ()
    tombstones: tuple[NewTombstone, ...] = ()
    sessions: Mapping[int, Sealed[Conversation]] = field(default_factory=dict)
    spaces: tuple[Sealed[SpaceRow], ...] = ()
    actors: tuple[Sealed[ActorRow], ...] = ()
    credentials: tuple[Sealed[CredentialRow], ...] = ()
    recalls: tuple[Sealed[RecallRow], ...] = ()
    matters: tuple[Sealed[Matter], ...] = ()
    stubs: tuple[Sealed[StubRow], ...] = ()
    certificates: tuple[Sealed[CertificateRow], ...] = ()
    jobs: Mapping[int, Held] = field(default_factory=dict)

    def newest(self, memory: str) -> Version:
        """Return a memory's newest version."""
        return self.versions[self.histories[memory][-1]].row

    def live_versions(self) -> Iterator[Version]:
        """Yield the memories of the live shelf: newest versions that are believed or candidates."""
        for memory in self.histories:
            version = self.newest(memory)
            if version.trust in LIVE:
                yield version

    def findable_evidence(self) -> Iterator[Evidence]:
        """Yield the evidence of the live shelf: not rewound, and with terms to find it by."""
        for sealed in self.evidence.values():
            if sealed.row.state is not TurnState.REWOUND and self.terms[sealed.row.n]:
                yield sealed.row

    def live_rows(self) -> Iterator[Version | Evidence]:
        """Yield every row of the live shelf."""
        yield from self.live_versions()
        yield from self.findable_evidence()

    def newest_tombstone_key(self) -> int:
        """Return the key's number of the newest tombstone, 0 without any; a lifting has an old one."""
        rows = (added.tombstone for added in self.tombstones if not added.tombstone.lifted)
        return max(((row.id, row.key_id) for row in rows), default=("", 0))[1]

    def standing_tombstones(self) -> Iterator[NewTombstone]:
        """Yield the tombstones that nothing has lifted."""
        lifted = {added.tombstone.lifts for added in self.tombstones if added.tombstone.lifted}
        for added in self.tombstones:
            if not added.tombstone.lifted and added.tombstone.id not in lifted:
                yield added

    def labels_read(self, session: int) -> list[Label]:
        """Return the labels of a session's turns and of the answers it was served, each once."""
        turns = {one.row.label for one in self.evidence.values() if one.row.session == session}
        served = {one.row.label for one in self.recalls if one.row.session == session}
        return list(turns | served) if session else []

    def standing_matters(self) -> list[Matter]:
        """Return the newest row of every matter, by row number: one that moved on stands last."""
        newest = {sealed.row.id: sealed.row for sealed in self.matters}
        return sorted(newest.values(), key=lambda row: row.n)

    def open_matters(self) -> list[Matter]:
        """Return the newest rows of the matters that wait."""
        return [row for row in self.standing_matters() if row.state is MatterState.OPEN]

    def buried_in(self, space: int) -> Iterator[NewTombstone]:
        """Yield every tombstone that counts in a space, lifted or not."""
        for added in self.tombstones:
            if added.tombstone.space == space or added.tombstone.kind is TombstoneKind.ERASED:
                yield added

    def counts(self) -> Mapping[str, int]:
        """Return how many rows each table holds."""
        return {
            "space": len(self.spaces),
            "actor": len(self.actors),
            "credential": len(self.credentials),
            "session": len(self.sessions),
            "version": len(self.versions),
            "memory": len(self.histories),
            "evidence": len(self.evidence),
            "link": len(self.links),
            "tombstone": len(self.tombstones),
            "matter": len(self.matters),
            "recall_log": len(self.recalls),
            "stub": len(self.stubs),
            "certificate": len(self.certificates),
            "record": len(self.records),
            "vector": len(self.vectors),
            "job": len(self.jobs),
        }

    def sealed(self, code: RowCode) -> tuple[Sealed[Row], ...]:
        """Return every committed row of one kind, in storage order."""
        tables: Mapping[RowCode, tuple[Sealed[Row], ...]] = {
            RowCode.VERSION: tuple(self.versions.values()),
            RowCode.EVIDENCE: tuple(self.evidence.values()),
            RowCode.LINK: self.links,
            RowCode.TOMBSTONE: tuple(_sealed_tombstone(added) for added in self.tombstones),
            RowCode.SESSION: tuple(self.sessions.values()),
            RowCode.RECALL: self.recalls,
            RowCode.CREDENTIAL: self.credentials,
            RowCode.SPACE: self.spaces,
            RowCode.ACTOR: self.actors,
            RowCode.MATTER: self.matters,
            RowCode.STUB: self.stubs,
            RowCode.CERTIFICATE: self.certificates,
        }
        return tables[code]


def applied(state: State, changes: Changes) -> State:
    """Return the state after all rows of `changes`, indexed, under its head (I5).

    Raises BrokenData when a row would take the place of another (I2).
    """
    found_as = {one.tombstone.id: one.digests for one in state.tombstones} if changes.gone else {}
    state = _without(state, changes.gone) if changes.gone else state
    state = _with_versions(state, changes)
    state = _with_evidence(state, changes)
    state = _with_sessions(state, changes)
    state = _with_moved_turns(state, changes) if changes.turns_moved else state
    return replace(
        state,
        head=changes.head,
        records=(*state.records, changes.record),
        links=(*state.links, *changes.links),
        # One that comes back without its reason is found as before.
        tombstones=(
            *state.tombstones,
            *(
                replace(one, digests=found_as.get(one.tombstone.id, one.digests))
                for one in changes.tombstones
            ),
        ),
        spaces=(*state.spaces, *changes.spaces),
        actors=(*state.actors, *changes.actors),
        credentials=(*state.credentials, *changes.credentials),
        recalls=(*state.recalls, *changes.recalls),
        matters=(*state.matters, *changes.matters),
        stubs=(*state.stubs, *changes.stubs),
        certificates=(*state.certificates, *changes.certificates),
        jobs=_grown(state.jobs, {job.n: Held(job) for job in changes.jobs if not _shared(state, job)}),
    )


def rebuilt(state: State, terms: Callable[[str], tuple[str, ...]]) -> tuple[State, int]:
    """Return the state with every index entry made anew from its text, and how many there are.

    Evidence that had no terms was kept out of the index on purpose and stays out.
    """
    made = {n: terms(indexed_text(sealed.row)) for n, sealed in state.versions.items()}
    made |= {evidence.n: terms(evidence.text) for evidence in state.findable_evidence()}
    return replace(state, terms={**state.terms, **made}), len(made)


def with_vector(state: State, n: int, vector: Vector) -> State:
    """Return the state with one vector; a row that has left the live shelf takes none."""
    if n not in {row.n for row in state.live_rows()}:
        return state
    return replace(state, vectors={**state.vectors, n: vector})


def _without(state: State, gone: tuple[Gone, ...]) -> State:
    """Return the state without the rows that an erasure takes away, and all that hangs on them."""
    ns = {one.n for one in gone if one.n}
    ids = {one.id for one in gone if one.id}
    versions = {n: sealed for n, sealed in state.versions.items() if n not in ns}
    kept = {memory: tuple(n for n in history if n not in ns) for memory, history in state.histories.items()}
    headless = {memory for memory, history in state.histories.items() if history[-1] in ns}
    return replace(
        state,
        versions=versions,
        histories={memory: history for memory, history in kept.items() if history},
        head_macs={memory: mac for memory, mac in state.head_macs.items() if memory not in headless},
        evidence={n: sealed for n, sealed in state.evidence.items() if n not in ns},
        terms={n: terms for n, terms in state.terms.items() if n not in ns},
        vectors={n: vector for n, vector in state.vectors.items() if n not in ns},
        links=tuple(one for one in state.links if one.row.id not in ids),
        tombstones=tuple(one for one in state.tombstones if one.tombstone.id not in ids),
        sessions={n: sealed for n, sealed in state.sessions.items() if n not in ns},
        actors=tuple(one for one in state.actors if one.row.n not in ns),
        spaces=tuple(one for one in state.spaces if one.row.n not in ns),
        credentials=tuple(one for one in state.credentials if one.row.n not in ns),
        recalls=tuple(one for one in state.recalls if one.row.n not in ns),
        matters=tuple(one for one in state.matters if one.row.n not in ns),
        jobs={n: held for n, held in state.jobs.items() if held.job.target not in ns},
    )


def _with_versions(state: State, changes: Changes) -> State:
    histories, head_macs = dict(state.histories), dict(state.head_macs)
    rows = {new.version.n: Sealed(new.version, new.seal) for new in changes.versions}

    def number(n: int) -> int:
        return (rows.get(n) or state.versions[n]).row.number

    for new in changes.versions:
        memory = new.version.memory
        history = histories.get(memory, ())
        histories[memory] = tuple(sorted((*history, new.version.n), key=number))
        if not new.past:
            _check_follows(history if memory in head_macs else (), new)
            head_macs[memory] = new.head_mac
    entries = {new.version.n: new.index for new in changes.versions}
    state = _indexed(state, entries, model=changes.model)
    state = replace(state, versions=_grown(state.versions, rows), histories=histories, head_macs=head_macs)
    live = {row.n for row in state.live_versions()}
    kept = {n: vector for n, vector in state.vectors.items() if n in live or n not in state.versions}
    return replace(state, vectors=kept)


def _check_follows(history: tuple[int, ...], new: NewVersion) -> None:
    """Refuse a version that does not follow its memory's newest one.

    A memory without a head takes any number: an erasure may have taken what came before.
    """
    expected = new.replaces.n if new.replaces else None
    newest = history[-1] if history else None
    if newest != expected or (new.replaces and new.version.number <= new.replaces.number):
        raise BrokenData("A version does not follow its memory's newest one.")


def _with_evidence(state: State, changes: Changes) -> State:
    rows = {new.evidence.n: Sealed(new.evidence, new.seal) for new in changes.evidence}
    entries = {new.evidence.n: new.index for new in changes.evidence}
    state = replace(state, evidence=_grown(state.evidence, rows))
    state = _indexed(state, entries, model=changes.model)
    findable = {row.n for row in state.findable_evidence()}
    kept = {n: vector for n, vector in state.vectors.items() if n in findable or n not in rows}
    return replace(state, vectors=kept)


def _with_moved_turns(state: State, changes: Changes) -> State:
    """Return the state with turns archived or rewound; one that was rewound stays so, and has no vector."""
    evidence, gone = dict(state.evidence), set[int]()
    for moved in changes.turns_moved:
        for n, sealed in state.evidence.items():
            row = sealed.row
            inside = row.session == moved.session and moved.first <= row.sequence <= moved.last
            if inside and row.session and row.state is not TurnState.REWOUND:
                evidence[n] = Sealed(replace(row, state=moved.state), sealed.seal)
                gone |= {n} if moved.state is TurnState.REWOUND else set()
    kept = {n: vector for n, vector in state.vectors.items() if n not in gone}
    return replace(state, evidence=evidence, vectors=kept)


def _indexed(state: State, entries: Mapping[int, IndexEntry], *, model: str) -> State:
    terms = {n: tuple(entry.terms.split()) for n, entry in entries.items()}
    vectors = {n: Vector(model, entry.vector) for n, entry in entries.items() if entry.vector}
    return replace(state, terms=_grown(state.terms, terms), vectors=_grown(state.vectors, vectors))


def _with_sessions(state: State, changes: Changes) -> State:
    sessions = dict(_grown(state.sessions, {sealed.row.n: sealed for sealed in changes.sessions}))
    for reached in changes.session_states:
        sealed = sessions[reached.n]
        sessions[reached.n] = Sealed(_come_further(sealed.row, reached), sealed.seal)
    return replace(state, sessions=sessions)


def _come_further(session: Conversation, reached: SessionState) -> Conversation:
    """Return a session as far as it has come: never fewer turns, never a looser label (I10)."""
    return replace(
        session,
        turns=max(session.turns, reached.turns),
        label=session.label.joined(reached.label),
    )


def _shared(state: State, job: Job) -> bool:
    """Return whether a job waits already that does what this one asks for."""
    waiting = (held.job for held in state.jobs.values())
    return job.kind == "contradict" and any(
        (one.kind, one.target, one.lease) == (job.kind, job.target, 0) for one in waiting
    )


def _grown(rows: Mapping[K, V], added: Mapping[K, V]) -> Mapping[K, V]:
    """Return both, and refuse a key that is taken: nothing is overwritten (I2)."""
    if rows.keys() & added.keys():
        raise BrokenData("A row would take the place of another.")
    return {**rows, **added}


def _sealed_tombstone(added: NewTombstone) -> Sealed[Tombstone]:
    return Sealed(added.tombstone, added.seal)
