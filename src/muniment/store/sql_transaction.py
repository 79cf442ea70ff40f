"""How is one tenant changed in SQL?  Rows appended, shelves moved, heads last, all together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from muniment import limits
from muniment.domain.changes import (
    SHARED_JOBS,
    Changes,
    Job,
    NewEvidence,
    NewTombstone,
    NewVersion,
    Page,
    Sealed,
)
from muniment.domain.evidence import TurnState
from muniment.domain.ids import packed
from muniment.domain.ledger import TenantHead
from muniment.domain.memory import Version
from muniment.domain.tombstone import Anchor, TombstoneKind, is_anchor
from muniment.domain.trust import LIVE
from muniment.recall.eligibility import Sort
from muniment.store import codec, columns
from muniment.store.alone import AloneInWriting
from muniment.store.codec import Value
from muniment.store.row_values import (
    Values,
    counting_head_values,
    evidence_values,
    head_values,
    job_values,
    memory_values,
    moved_memory_values,
    record_values,
    version_values,
)
from muniment.store.sql_erasing import Leaving
from muniment.store.sql_rebuild import rebuilt
from muniment.store.sql_snapshot import SqlSnapshot


class Left(NamedTuple):
    """Hold what a change left behind: it is still so while the session's stamp is the same.

    `waiting` are the shared jobs that are known to wait, by kind and target.
    """

    stamp: int
    head: TenantHead
    waiting: frozenset[tuple[str, int]]


class SqlTransaction(AloneInWriting, SqlSnapshot):
    """Read and change one tenant under its lock."""

    _is_still: ClassVar = False
    _waiting: frozenset[tuple[str, int]] = frozenset()
    _firsts: Mapping[str, int] = MappingProxyType({})

    def go_on_from(self, left: Left) -> None:
        """Take what the last change left for what is there: nobody has committed since."""
        self._head, self._waiting = left.head, left.waiting

    def left(self, stamp: int) -> Left | None:
        """Return what this change leaves at `stamp`; None where that cannot be said."""
        return Left(stamp, self._head, self._waiting) if stamp and self._head is not None else None

    def apply(self, changes: Changes) -> None:
        """Append all rows, index them, and move the heads, together (I5)."""
        counted: dict[tuple[int, Sort], list[int]] = {}
        model = self._model(changes.model) if changes.model else 0
        if changes.gone:
            leaving = Leaving(self._session, tenant=self._tenant, glued=self._glued, counted=counted)
            leaving.take(changes.gone)
            self._firsts = leaving.firsts
        self._apply_rare(changes)
        if changes.stubs or changes.certificates:
            self._apply_erased(changes)
        for new in _heads_first(changes.versions):
            self._append_version(new, model, counted)
        if changes.evidence:
            self._append_evidence(changes.evidence, model, counted)
        if changes.turns_moved:
            Leaving(self._session, tenant=self._tenant, glued=self._glued, counted=counted).move(
                changes.turns_moved
            )
        self._add_jobs(changes)
        self._record(changes, counted)
        self._head = changes.head

    def _add_jobs(self, changes: Changes) -> None:
        if changes.gone:
            self._waiting = frozenset()
        for job in changes.jobs:
            place = (job.kind, job.target)
            if place in self._waiting:
                continue
            self._session.put("add_job", job_values(self._tenant, job))
            if job.kind in SHARED_JOBS:
                self._waiting |= {place}

    def _record(self, changes: Changes, counted: dict[tuple[int, Sort], list[int]]) -> None:
        """Write the record and the counts, and move the tenant's head as the last."""
        put, tenant, head = self._session.put, self._tenant, changes.head
        put("add_record", record_values(tenant, changes.record))
        places = [(space, sort.value, items, words) for (space, sort), (items, words) in counted.items()]
        for place in places[1:]:
            put("add_statistic", (*place, tenant))
        if places:
            put("move_head_counting", counting_head_values(tenant, head, places[0]))
        else:
            put("move_head", head_values(tenant, head))
        if not changes.head.size % limits.records_between_folds_max:
            self._run("fold_statistics")
            self._run("begin_counts")

    def _apply_rare(self, changes: Changes) -> None:
        """Append the rows that most changes have none of."""
        for space in changes.spaces:
            self._add("add_space", space, **columns.space_columns(space.row))
        for actor in changes.actors:
            self._add("add_actor", actor, **columns.actor_columns(actor.row))
        for key in changes.credentials:
            self._add("add_credential", key, **columns.credential_columns(key.row))
        for matter in changes.matters:
            self._add("add_matter", matter, **columns.matter_columns(matter.row))
        self._append_sessions(changes)
        for link in changes.links:
            self._add("add_link", link, **columns.link_columns(link.row))
        for tombstone in changes.tombstones:
            self._append_tombstone(tombstone)
        for recall in changes.recalls:
            self._add("add_recall", recall, **columns.recall_columns(recall.row))

    def _apply_erased(self, changes: Changes) -> None:
        """Append what an erasure leaves behind."""
        for stub in changes.stubs:
            self._add("add_stub", stub, **columns.stub_columns(stub.row))
        for note in changes.certificates:
            self._add("add_certificate", note, **columns.certificate_columns(note.row))

    def _add(self, name: str, sealed: Sealed[object], /, **values: Value) -> None:
        self._run(name, **values, **codec.seal_columns(sealed.seal))

    def _append_sessions(self, changes: Changes) -> None:
        for session in changes.sessions:
            self._add("add_session", session, **columns.session_columns(session.row))
        for state in changes.session_states:
            label = {"class": int(state.label.data_class), "untrusted": int(state.label.untrusted)}
            self._run("move_session", n=state.n, turns=state.turns, **label)

    def _append_tombstone(self, new: NewTombstone) -> None:
        row = new.tombstone
        self._run("add_tombstone", **columns.tombstone_columns(row), **codec.seal_columns(new.seal))
        space = 0 if row.kind is TombstoneKind.ERASED else row.space
        id = packed(row.id)
        for found_by in new.digests:
            if is_anchor(found_by):
                pair = Anchor.unpacked(found_by).pair
                self._run("add_tombstone_anchor", space=space, pair=pair, anchor=found_by, tombstone=id)
            else:
                self._run("add_tombstone_digest", space=space, digest=found_by, tombstone=id)

    def _append_version(
        self, new: NewVersion, model: int, counted: dict[tuple[int, Sort], list[int]]
    ) -> None:
        version = new.version
        if new.replaces is not None:
            self._shelve(new.replaces, counted)
        terms = new.index.terms
        values = version_values(self._tenant, version, new.seal, terms=codec.pressed(terms))
        self._session.put("add_version", values)
        self._index_version(new, terms, model=model, counted=counted)

    def _index_version(
        self, new: NewVersion, terms: str, *, model: int, counted: dict[tuple[int, Sort], list[int]]
    ) -> None:
        """Move a memory's head to its new version and put that on its shelf."""
        version, put, tenant = new.version, self._session.put, self._tenant
        if new.replaces is not None:
            put("move_memory", moved_memory_values(tenant, version, new.head_mac))
        elif not new.past:
            put("add_memory", memory_values(tenant, version, new.head_mac))
            if version.number > 1 and (first := self._firsts.get(version.memory)):
                put("place_first", (first, tenant, packed(version.memory)))
        elif version.number == 1:
            put("place_first", (version.n, tenant, packed(version.memory)))
        text = self._glued(version.space, Sort.MEMORY, terms)
        if new.past or version.trust not in LIVE:
            put("index_past", (version.n, text))
            return
        put("index_live", (version.n, text))
        _count(counted, version.space, Sort.MEMORY, items=1, words=new.index.words)
        if new.index.vector and model:
            put("add_vector", (tenant, version.space, Sort.MEMORY.value, version.n, model, new.index.vector))

    def _shelve(self, old: Version, counted: dict[tuple[int, Sort], list[int]]) -> None:
        """Move a version that is no longer the newest from the live shelf to the past one."""
        if old.trust not in LIVE:
            return
        ((stored, _),) = self._run("version_terms", n=old.n)
        terms = codec.term_text(stored)
        text = self._glued(old.space, Sort.MEMORY, terms)
        self._session.run("unindex_live", n=old.n, terms=text)
        self._session.run("index_past", n=old.n, terms=text)
        self._run("drop_vector", space=old.space, sort=Sort.MEMORY.value, n=old.n)
        _count(counted, old.space, Sort.MEMORY, items=-1, words=-len(terms.split(" ")) if terms else 0)

    def _append_evidence(
        self, items: tuple[NewEvidence, ...], model: int, counted: dict[tuple[int, Sort], list[int]]
    ) -> None:
        rows: list[Values] = []
        entries: list[Values] = []
        vectors: list[Values] = []
        tenant, sort = self._tenant, Sort.EVIDENCE
        for new in items:
            item = new.evidence
            terms = new.index.terms
            rows.append(evidence_values(tenant, item, new.seal, terms=codec.pressed(terms)))
            if not terms or item.state is TurnState.REWOUND:
                continue
            entries.append((item.n, self._glued(item.space, sort, terms)))
            _count(counted, item.space, sort, items=1, words=new.index.words)
            if new.index.vector and model:
                vectors.append((tenant, item.space, sort.value, item.n, model, new.index.vector))
        self._session.put_many("add_evidence", rows)
        if entries:
            self._session.put_many("index_live", entries)
        if vectors:
            self._session.put_many("add_vector", vectors)

    def _model(self, name: str) -> int:
        """Return the number of a model, giving it one when it is new."""
        number = self._model_number(name)
        if not number:
            self._run("add_model", name=name)
            number = self._model_number(name)
        return number

    def take_job(self, now: int, lease_until: int) -> Job | None:
        """Take the next due job under a new lease number."""
        rows = self._run("due_job", now=now)
        if not rows:
            return None
        self._waiting = frozenset()
        job = Job(*rows[0])
        self._run("lease_job", n=job.n, until=lease_until)
        return replace(job, lease=job.lease + 1)

    def finish_job(self, job: Job, *, error: str = "", due: int = 0) -> bool:
        """End a job, or put it back with its error; False when another worker overtook."""
        self._waiting = frozenset()
        if not error:
            return bool(self._run("end_job", n=job.n, lease=job.lease))
        return bool(self._run("put_job_back", n=job.n, lease=job.lease, due=due, error=error))

    def set_vector(self, n: int, vector: bytes, *, model: str) -> None:
        """Store the vector of a live row; one of another model for it is removed."""
        rows = self._run("place_of", n=n)
        if rows and vector:
            space, sort = rows[0]
            self._run("add_vector", space=space, sort=sort, n=n, model=self._model(model), lanes=vector)

    def unembedded(self, model: str, page: Page) -> list[tuple[int, str]]:
        """Return live rows without a vector of `model`: number and text."""
        rows = self._run(
            "unembedded", model=self._model_number(model), after=page.after, rows_max=max(0, page.limit)
        )
        return [(int(n or 0), str(text)) for n, text in rows]

    def set_analyser(self, head: TenantHead) -> None:
        """Store a head that names another analyser, after a rebuild."""
        self._session.put("move_head", head_values(self._tenant, head))
        self._head = head

    def rebuild(self, terms: Callable[[str], tuple[str, ...]]) -> int:
        """Rebuild both indexes from the rows; return how many rows were indexed."""
        return rebuilt(self._session, tenant=self._tenant, glued=self._glued, terms=terms)


def _heads_first(versions: Sequence[NewVersion]) -> Sequence[NewVersion]:
    """Return versions so that a memory's head is there before an older state that it has to name."""
    return versions if len(versions) == 1 else sorted(versions, key=lambda new: new.past)


def _count(
    counted: dict[tuple[int, Sort], list[int]], space: int, sort: Sort, *, items: int, words: int
) -> None:
    entry = counted.setdefault((space, sort), [0, 0])
    entry[0] += items
    entry[1] += words
