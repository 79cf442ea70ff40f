"""How is one consistent state of a tenant read?  Named statements in, values out."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from muniment import limits
from muniment.domain.changes import Current, HeadSeal, Job, Page, Row, Sealed
from muniment.domain.evidence import Evidence
from muniment.domain.ids import packed
from muniment.domain.label import Label
from muniment.domain.ledger import Record, RowCode, Seal, TenantHead
from muniment.domain.link import Link
from muniment.domain.matter import Matter
from muniment.domain.memory import Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Anchor, Marks, Tombstone
from muniment.errors import NotFound
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import COSINE_DIGITS, Statistics
from muniment.store import codec
from muniment.store.codec import Columns
from muniment.store.sql_memories import SqlMemories, bytes_list, hex_list, numbers
from muniment.store.sql_session import Glue, Match, SqlSession
from muniment.store.sql_view import SqlView

_SEALED: dict[RowCode, tuple[str, Callable[[Columns], Row]]] = {
    RowCode.VERSION: ("sealed_versions", codec.version_of),
    RowCode.EVIDENCE: ("sealed_evidence", codec.evidence_of),
    RowCode.LINK: ("sealed_links", codec.link_of),
    RowCode.TOMBSTONE: ("sealed_tombstones", codec.tombstone_of),
    RowCode.SESSION: ("sealed_sessions", codec.session_of),
    RowCode.RECALL: ("sealed_recalls", codec.recall_of),
    RowCode.CREDENTIAL: ("sealed_credentials", codec.credential_of),
    RowCode.SPACE: ("sealed_spaces", codec.space_of),
    RowCode.ACTOR: ("sealed_actors", codec.actor_of),
    RowCode.MATTER: ("sealed_matters", codec.matter_of),
    RowCode.STUB: ("sealed_stubs", codec.stub_of),
    RowCode.CERTIFICATE: ("sealed_certificates", codec.certificate_of),
}
"""Which statement pages through which kind of committed row."""


def _evidence(row: Columns) -> Sealed[Evidence]:
    return Sealed(codec.evidence_of(row), codec.seal_of(row))


class SqlSnapshot(SqlMemories):
    """Read one tenant through one session.

    What is asked more than once for one question, the head and the counts, is read once: a
    snapshot shows one moment.  A transaction, which moves them, reads them each time, but for a head
    that it moved itself or that nobody moved since.
    """

    _is_still: ClassVar = True

    def __init__(
        self,
        session: SqlSession,
        *,
        tenant: int,
        glued: Glue,
        matching: Match,
        models: dict[str, int] | None = None,
    ) -> None:
        super().__init__(session, tenant=tenant)
        self._models = {} if models is None else models
        self._glued = glued
        self._matching = matching
        self._head: TenantHead | None = None
        self._counted: dict[tuple[int, ...], Mapping[str, tuple[int, int]]] = {}

    def head(self) -> TenantHead:
        """Return the tenant's sealed head."""
        if self._head is not None:
            return self._head
        rows = self._run("head")
        if not rows:
            raise NotFound("The vault holds no such tenant.")
        found = codec.head_of(rows[0])
        self._head = found if self._is_still else None
        return found

    def moment(self) -> object:
        """Return the session and its stamp, which says nothing to another; None where it has none."""
        # A database begins a reading with the first statement: before that the stamp is of the last one.
        self.head()
        stamp = self._session.stamp()
        return (self._session, stamp) if stamp else None

    def spaces(self) -> tuple[SpaceRow, ...]:
        """Return every space of the tenant."""
        return tuple(codec.space_of(row) for row in self._run("spaces"))

    def actors(self) -> tuple[ActorRow, ...]:
        """Return every actor of the tenant."""
        return tuple(codec.actor_of(row) for row in self._run("actors"))

    def currents(self, memories: Sequence[str]) -> list[Current]:
        """Return the newest version of each memory that is there."""
        rows = self._run("currents", memories=hex_list(memories)) if memories else []
        return [
            Current(codec.version_of(row), codec.seal_of(row[:-1]), codec.bytes_in(row[-1])) for row in rows
        ]

    def head_seals(self, memories: Sequence[str]) -> list[HeadSeal]:
        """Return the sealed heads of the memories that are there, without their versions."""
        rows = self._run("head_seals", memories=hex_list(memories)) if memories else []
        return [codec.head_seal_of(row) for row in rows]

    def withheld_in(self, spaces: Sequence[int]) -> bool:
        """Return whether these spaces hold a memory that is not live."""
        return bool(self._run("withheld_in", spaces=numbers(spaces)))

    def sources_of(self, memories: Sequence[str]) -> list[tuple[str, str]]:
        """Return what each memory is derived from: pairs of memory and source, oldest first."""
        rows = self._run("sources_of", ids=hex_list(memories)) if memories else []
        return [(codec.id_of(memory), codec.id_of(source)) for memory, source in rows]

    def newest_space(self) -> int:
        """Return the number of the newest space, 0 when there is none."""
        return next((codec.key_of(n) for (n,) in self._run("newest_space")), 0)

    def history(self, memory: str) -> list[Sealed[Version]]:
        """Return every version of a memory, oldest first."""
        return [
            Sealed(codec.version_of(row), codec.seal_of(row))
            for row in self._run("history", memory=packed(memory))
        ]

    def evidence(self, ids: Sequence[str]) -> list[Sealed[Evidence]]:
        """Return the evidence items with these ids."""
        return [_evidence(row) for row in self._run("evidence_by_id", ids=hex_list(ids))] if ids else []

    def evidence_at(self, ns: Sequence[int]) -> list[Sealed[Evidence]]:
        """Return the evidence items with these row numbers."""
        return [_evidence(row) for row in self._run("evidence_at", ns=numbers(ns))] if ns else []

    def known_origins(self, origins: Sequence[bytes]) -> dict[bytes, str]:
        """Return which of these origins were taken before, and as which id; an erased one has none."""
        rows = self._run("known_origins", origins=bytes_list(origins)) if origins else []
        return {row[0]: codec.id_of(row[1]) if row[1] else "" for row in rows}

    def turns(self, session: int, page: Page) -> list[Sealed[Evidence]]:
        """Return a session's items in order, after sequence `page.after`."""
        return [_evidence(row) for row in self._paged("turns", page, session=session)]

    def links_of(self, ids: Sequence[str]) -> list[Sealed[Link]]:
        """Return every link that begins or ends at one of these ids."""
        rows = self._run("links_of", ids=hex_list(ids)) if ids else []
        return [Sealed(codec.link_of(row), codec.seal_of(row)) for row in rows]

    def tombstones_for(self, space: int, digests: Sequence[bytes]) -> list[Tombstone]:
        """Return the standing tombstones of `space` that hold one of these digests."""
        rows = self._run("tombstones_for", space=space, digests=bytes_list(digests))
        return [codec.tombstone_of(row) for row in rows]

    def any_buried(self, space: int, digests: Sequence[bytes]) -> bool:
        """Return whether a tombstone, standing or lifted, that counts in `space` holds one of these."""
        return bool(self._run("any_buried", space=space, digests=bytes_list(digests)))

    def anchors_for(self, space: int, pairs: Sequence[int]) -> list[tuple[str, Anchor]]:
        """Return anchors of these pairs that count in `space`, with their tombstones, lifted ones too."""
        rows = self._run("anchors_for", space=space, pairs=numbers(pairs)) if pairs else []
        return [codec.anchor_of(row) for row in rows]

    def marks(self, rows_max: int) -> Marks | None:
        """Return the marks of all tombstones, or None where there are more than `rows_max` of a kind."""
        found = [self._run(name, rows_max=rows_max + 1) for name in ("digest_marks", "pair_marks")]
        if any(len(rows) > rows_max for rows in found):
            return None
        digests, pairs = ((value for (value,) in rows) for rows in found)
        return Marks.of(self.head().generation, digests, pairs)

    def erased_anywhere(self) -> bool:
        """Return whether any value was ever erased in this tenant."""
        return bool(self._run("erased_anywhere"))

    def newest_tombstone_key(self) -> int:
        """Return the number of the key that the newest tombstone was made with, 0 without tombstones."""
        rows = self._run("newest_tombstone_key")
        return codec.key_of(rows[0][0]) if rows else 0

    def tombstone(self, id: str) -> Tombstone | None:
        """Return a standing tombstone by its id."""
        rows = self._run("tombstone_by_id", id=packed(id))
        return codec.tombstone_of(rows[0]) if rows else None

    def tombstones_of(self, memory: str) -> list[Tombstone]:
        """Return the standing tombstones that a memory's rejection made."""
        return [codec.tombstone_of(row) for row in self._run("tombstones_of", memory=packed(memory))]

    def tombstone_digests(self, ids: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return what each of these tombstones is found by, digests and packed anchors, in order of bytes."""
        found: dict[str, tuple[bytes, ...]] = {}
        for id, digest in self._run("tombstone_digests", ids=hex_list(ids)) if ids else ():
            name = codec.id_of(id)
            found[name] = (*found.get(name, ()), codec.bytes_in(digest))
        return found

    def session(self, space: int, name: str) -> Conversation | None:
        """Return a session by its name within a space, as far as it has come."""
        rows = self._run("session_named", space=space, name=name)
        return codec.session_of(rows[0]) if rows else None

    def sessions(self, spaces: Sequence[int], page: Page) -> list[Conversation]:
        """Return sessions of these spaces, by number."""
        return [codec.session_of(row) for row in self._paged("sessions", page, spaces=numbers(spaces))]

    def sessions_at(self, ns: Sequence[int]) -> list[Conversation]:
        """Return the sessions with these numbers."""
        return [codec.session_of(row) for row in self._run("sessions_at", ns=numbers(ns))] if ns else []

    def labels_read(self, session: int) -> list[Label]:
        """Return the labels of a session's turns and of the answers it was served, each once."""
        return [codec.label_of(row) for row in self._run("labels_read", session=session)]

    def credential(self, public_id: str) -> list[Sealed[CredentialRow]]:
        """Return the rows of one credential with their seals, oldest first."""
        rows = self._run("credential_rows", public_id=public_id)
        return [Sealed(codec.credential_of(row), codec.seal_of(row)) for row in rows]

    def credentials(self) -> list[CredentialRow]:
        """Return all credential rows, oldest first."""
        rows = self._run("sealed_credentials", after=0, rows_max=limits.page_rows_max)
        return [codec.credential_of(row[1:]) for row in rows]

    def matters(self, ids: Sequence[str]) -> list[Matter]:
        """Return every row of these matters, oldest first."""
        return [codec.matter_of(row) for row in self._run("matters_by_id", ids=hex_list(ids))] if ids else []

    def matters_about(self, ids: Sequence[str]) -> list[Matter]:
        """Return the newest rows of open matters with one of these ids as a side."""
        rows = self._run("matters_about", ids=hex_list(ids)) if ids else []
        return [codec.matter_of(row) for row in rows]

    def matters_in(
        self, spaces: Sequence[int], kinds: Sequence[str], states: Sequence[str], *, page: Page
    ) -> list[Matter]:
        """Return the newest rows of matters of these spaces, kinds and states, by row number."""
        if page.newest_first and len(spaces) == len(kinds) == len(states) == 1:
            kind, state = str(kinds[0]), str(states[0])
            rows = self._paged("matters_of_one", page, space=spaces[0], kind=kind, state=state)
            return [codec.matter_of(row) for row in rows]
        lists = {"spaces": numbers(spaces), "kinds": json.dumps(list(kinds))}
        rows = self._paged("matters_in", page, states=json.dumps(list(states)), **lists)
        return [codec.matter_of(row) for row in rows]

    def recalls(self, page: Page) -> list[RecallRow]:
        """Return recall log rows."""
        return [codec.recall_of(row) for row in self._paged("recalls", page)]

    def records(self, page: Page) -> list[Record]:
        """Return ledger records, by position; `page.after` is the last position seen."""
        return [codec.record_of(row) for row in self._paged("records", page)]

    def entries_of(self, seals: Sequence[Seal]) -> list[bytes]:
        """Return the packed row entry of each seal, empty where there is none."""
        if not seals:
            return []
        asked = str([[seal.record, seal.index] for seal in seals])
        found = {int(row[0] or 0): row[1] or b"" for row in self._run("entries_of", seals=asked)}
        return [found.get(position, b"") for position in range(len(seals))]

    def sealed_rows(self, code: RowCode, page: Page) -> list[tuple[int, Sealed[Row]]]:
        """Return committed rows of one kind with their paging keys, in storage order."""
        name, decode = _SEALED[code]
        rows = self._run(name, after=page.after, rows_max=max(0, page.limit))
        return [(codec.key_of(row[0]), Sealed(decode(row[1:]), codec.seal_of(row))) for row in rows]

    def heads(self, page: Page) -> list[tuple[int, Current]]:
        """Return memory heads with their paging keys, for `verify`."""
        rows = self._run("heads_after", after=page.after, rows_max=max(0, page.limit))
        return [
            (
                codec.key_of(row[0]),
                Current(codec.version_of(row[1:]), codec.seal_of(row[:-1]), codec.bytes_in(row[-1])),
            )
            for row in rows
        ]

    def odd_heads(self, rows_max: int) -> list[str]:
        """Return memories whose head is missing, not the newest version's, or differs from it."""
        return [codec.id_of(memory) for (memory,) in self._run("odd_heads", rows_max=rows_max)]

    def statistics(self, spaces: Sequence[int], sort: Sort, terms: Sequence[str]) -> Statistics:
        """Return item and term counts of these spaces for one sort."""
        items, words = self._counts_in(tuple(spaces)).get(sort.value, (0, 0))
        if not items:
            return Statistics(0, 0, {})
        marks = {self._glued(space, sort, term): term for space in spaces for term in terms}
        rows_with: dict[str, int] = {}
        listed = json.dumps(list(marks), ensure_ascii=False)
        for mark, rows in self._session.run("rows_with", terms=listed) if marks else ():
            term = marks[str(mark)]
            rows_with[term] = rows_with.get(term, 0) + int(rows or 0)
        return Statistics(items, words, rows_with)

    def _counts_in(self, spaces: tuple[int, ...]) -> Mapping[str, tuple[int, int]]:
        """Return how many rows and terms each sort has in these spaces."""
        found = self._counted.get(spaces)
        if found is None:
            rows = self._run("statistics", spaces=numbers(spaces))
            found = {str(sort): (int(items or 0), int(words or 0)) for sort, items, words in rows}
            if self._is_still:
                self._counted[spaces] = found
        return found

    def _model_number(self, model: str) -> int:
        """Return the number that stands for a model in vector rows, 0 when it has none.

        Numbers never change, so those met once are kept at hand by the store.
        """
        if model and model not in self._models:
            self._models.update({str(name): codec.key_of(number) for number, name in self._run("models")})
        return self._models.get(model, 0)

    def view(self, eligibility: Eligibility, *, model: str) -> SqlView:
        """Return a read-only scoped view."""
        return SqlView(
            self._session,
            tenant=self._tenant,
            eligibility=eligibility,
            matching=self._matching,
            model=self._model_number(model),
        )

    def cosines(self, ns: Sequence[int], vector: bytes, *, model: str) -> Mapping[int, float]:
        """Return the cosine of `vector` with each row that has a vector of `model`."""
        number = self._model_number(model)
        if not ns or not vector or not number:
            return {}
        self._session.load_vectors()
        rows = self._run("cosines", ns=numbers(ns), vector=vector, model=number)
        return {int(n): round(float(near or 0.0), COSINE_DIGITS) for n, near in rows}

    def jobs(self) -> list[Job]:
        """Return all jobs that are not done, by due time."""
        return [Job(*row) for row in self._run("jobs")]

    def counts(self) -> Mapping[str, int]:
        """Return how many rows each table holds."""
        return {str(name): int(count or 0) for name, count in self._run("counts")}
