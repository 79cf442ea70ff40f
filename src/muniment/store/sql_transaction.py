"""How is one tenant changed in SQL?  Rows appended, shelves moved, heads last, all together."""

import json
from collections.abc import Callable
from dataclasses import replace

from muniment.domain.changes import Changes, Job, NewEvidence, NewTombstone, NewVersion, Page, Sealed
from muniment.domain.ids import packed
from muniment.domain.ledger import TenantHead
from muniment.domain.memory import Version
from muniment.domain.timeline import to_micros
from muniment.domain.trust import LIVE
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.codec import Value
from muniment.store.sql_rebuild import rebuilt
from muniment.store.sql_snapshot import SqlSnapshot


class SqlTransaction(SqlSnapshot):
    """Read and change one tenant under its lock."""

    def apply(self, changes: Changes) -> None:
        """Append all rows, index them, and move the heads, together (I5)."""
        counted: dict[tuple[int, Sort], list[int]] = {}
        model = self._model(changes.model) if changes.model else 0
        self._apply_rare(changes)
        for new in changes.versions:
            self._append_version(new, model, counted)
        if changes.evidence:
            self._append_evidence(changes.evidence, model, counted)
        for (space, sort), (items, words) in counted.items():
            self._run("add_statistic", space=space, sort=sort.value, items=items, words=words)
        for job in changes.jobs:
            self._run(
                "add_job",
                n=job.n,
                kind=job.kind,
                target=job.target,
                due=job.due,
                attempts=job.attempts,
                lease=job.lease,
                error=job.error,
            )
        record = changes.record
        self._run(
            "add_record",
            position=record.position,
            recorded=to_micros(record.recorded),
            head=record.head,
            entries=record.rows,
        )
        self._run("move_head", **codec.head_columns(changes.head))

    def _apply_rare(self, changes: Changes) -> None:
        """Append the rows that most changes have none of."""
        for space in changes.spaces:
            self._add(
                "add_space",
                space,
                n=space.row.n,
                path=space.row.path,
                dial=space.row.dial,
                class_max=space.row.class_max,
                made=to_micros(space.row.made),
            )
        for actor in changes.actors:
            self._add(
                "add_actor",
                actor,
                n=actor.row.n,
                name=actor.row.name,
                role=actor.row.role,
                made=to_micros(actor.row.made),
            )
        for key in changes.credentials:
            row = key.row
            self._add(
                "add_credential",
                key,
                n=row.n,
                public_id=row.public_id,
                digest=row.digest,
                actor=row.actor,
                role=row.role,
                home=row.home,
                rights=row.rights,
                made=to_micros(row.made),
                revoked=int(row.revoked),
            )
        self._append_sessions(changes)
        for link in changes.links:
            one = link.row
            self._add(
                "add_link",
                link,
                id=packed(one.id),
                source=packed(one.source),
                target=packed(one.target),
                type=one.type.value,
                weight=one.weight,
                recorded=to_micros(one.recorded),
                space=one.space,
                actor=one.actor,
                span_start=None if one.span is None else one.span.start,
                span_end=None if one.span is None else one.span.end,
            )
        for tombstone in changes.tombstones:
            self._append_tombstone(tombstone)
        for recall in changes.recalls:
            asked = recall.row
            self._add(
                "add_recall",
                recall,
                n=asked.n,
                asked=to_micros(asked.asked),
                session=asked.session,
                actor=asked.actor,
                query=asked.query,
                outcome=asked.outcome,
                untrusted=int(asked.label.untrusted),
                hits=json.dumps(asked.hits),
                **{"class": int(asked.label.data_class)},
            )

    def _add(self, name: str, sealed: Sealed[object], /, **values: Value) -> None:
        self._run(name, **values, **codec.seal_columns(sealed.seal))

    def _append_sessions(self, changes: Changes) -> None:
        for session in changes.sessions:
            row = session.row
            self._add(
                "add_session",
                session,
                n=row.n,
                id=packed(row.id),
                name=row.name,
                space=row.space,
                agent=row.agent,
                started=to_micros(row.started),
                title=row.title,
                source=row.source,
                untrusted=int(row.label.untrusted),
                turns=row.turns,
                **{"class": int(row.label.data_class)},
            )
        for state in changes.session_states:
            self._run(
                "move_session",
                n=state.n,
                turns=state.turns,
                untrusted=int(state.label.untrusted),
                **{"class": int(state.label.data_class)},
            )

    def _append_tombstone(self, new: NewTombstone) -> None:
        row = new.tombstone
        id = packed(row.id)
        self._run(
            "add_tombstone",
            id=id,
            memory=packed(row.memory),
            space=row.space,
            kind=row.kind.value,
            plain=row.keys.plain,
            folded=row.keys.folded,
            skeleton=row.keys.skeleton,
            slot=row.slot,
            key_id=row.key_id,
            normaliser=row.normaliser,
            generation=row.generation,
            actor=row.actor,
            recorded=to_micros(row.recorded),
            reason=row.reason,
            lifted=int(row.lifted),
            lifts=packed(row.lifts) if row.lifts else b"",
            **codec.seal_columns(new.seal),
        )
        for digest in new.digests:
            space = 0 if row.kind.value == "erased" else row.space
            self._run("add_tombstone_digest", space=space, digest=digest, tombstone=id)

    def _append_version(
        self, new: NewVersion, model: int, counted: dict[tuple[int, Sort], list[int]]
    ) -> None:
        version = new.version
        if new.replaces is not None:
            self._shelve(new.replaces, counted)
        stored = codec.pressed_terms(new.index.terms)
        columns = codec.version_columns(version, stored)
        columns |= {"tenant": self._tenant} | codec.seal_columns(new.seal)
        self._session.run("add_version", **columns)
        head: dict[str, Value] = {
            "memory": packed(version.memory),
            "n": version.n,
            "number": version.number,
            "trust": codec.trust_numbers((version.trust,))[0],
            "space": version.space,
            "value_digest": version.digests.value,
            "slot_digest": version.digests.slot or None,
            "mac": new.head_mac,
        }
        self._run("add_memory" if new.replaces is None else "move_memory", **head)
        text = self._glued(version.space, Sort.MEMORY, " ".join(new.index.terms))
        if version.trust not in LIVE:
            self._session.run("index_past", n=version.n, terms=text)
            return
        self._session.run("index_live", n=version.n, terms=text)
        _count(counted, version.space, Sort.MEMORY, items=1, words=len(new.index.terms))
        if new.index.vector and model:
            self._run(
                "add_vector",
                space=version.space,
                sort=Sort.MEMORY.value,
                n=version.n,
                model=model,
                lanes=new.index.vector,
            )

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
        _count(counted, old.space, Sort.MEMORY, items=-1, words=-(terms.count(" ") + 1))

    def _append_evidence(
        self, items: tuple[NewEvidence, ...], model: int, counted: dict[tuple[int, Sort], list[int]]
    ) -> None:
        rows: list[dict[str, Value]] = []
        entries: list[dict[str, Value]] = []
        vectors: list[dict[str, Value]] = []
        for new in items:
            item = new.evidence
            stored = codec.pressed_terms(new.index.terms)
            columns = codec.evidence_columns(item, stored) | codec.seal_columns(new.seal)
            rows.append({"tenant": self._tenant, **columns})
            if not new.index.terms or item.state.value == "rewound":
                continue
            entries.append(
                {"n": item.n, "terms": self._glued(item.space, Sort.EVIDENCE, " ".join(new.index.terms))}
            )
            _count(counted, item.space, Sort.EVIDENCE, items=1, words=len(new.index.terms))
            if new.index.vector and model:
                vectors.append(
                    {
                        "tenant": self._tenant,
                        "space": item.space,
                        "sort": Sort.EVIDENCE.value,
                        "n": item.n,
                        "model": model,
                        "lanes": new.index.vector,
                    }
                )
        self._session.run_many("add_evidence", rows)
        if entries:
            self._session.run_many("index_live", entries)
        if vectors:
            self._session.run_many("add_vector", vectors)

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
        job = Job(*rows[0])
        self._run("lease_job", n=job.n, until=lease_until)
        return replace(job, lease=job.lease + 1)

    def finish_job(self, job: Job, *, error: str = "", due: int = 0) -> bool:
        """End a job, or put it back with its error; False when another worker overtook."""
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
        self._run("move_head", **codec.head_columns(head))

    def rebuild(self, terms: Callable[[str], tuple[str, ...]]) -> int:
        """Rebuild both indexes from the rows; return how many rows were indexed."""
        return rebuilt(self._session, tenant=self._tenant, glued=self._glued, terms=terms)


def _count(
    counted: dict[tuple[int, Sort], list[int]], space: int, sort: Sort, *, items: int, words: int
) -> None:
    entry = counted.setdefault((space, sort), [0, 0])
    entry[0] += items
    entry[1] += words
