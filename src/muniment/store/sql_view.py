"""What may a driver see?  Candidates within one eligibility, asked in SQL (I7)."""

import json
from collections.abc import Sequence

from muniment.domain.ids import packed
from muniment.recall.eligibility import Eligibility, Shelf, Sort
from muniment.recall.ranking import Candidate
from muniment.store.codec import Value, candidate_of, evidence_kind_numbers, kind_numbers, trust_numbers
from muniment.store.sql_session import Match, SqlSession


class SqlView:
    """Propose candidates; every predicate of the eligibility stands inside the statement."""

    def __init__(
        self, session: SqlSession, *, tenant: int, eligibility: Eligibility, matching: Match, model: int
    ) -> None:
        self._session = session
        self._eligibility = eligibility
        self._matching = matching
        self._model = model
        self._memory = self._memory_values(tenant)
        self._evidence = self._evidence_values(tenant)

    def _common(self, tenant: int) -> dict[str, Value]:
        asked = self._eligibility
        return {
            "tenant": tenant,
            "spaces": json.dumps(asked.spaces),
            "class_max": int(asked.class_max),
            "known_at": asked.known_at,
            "as_of": asked.as_of,
            "tags": json.dumps(asked.tags, ensure_ascii=False),
        }

    def _memory_values(self, tenant: int) -> dict[str, Value]:
        asked = self._eligibility
        values = self._common(tenant) | {
            "trusts": json.dumps(trust_numbers(asked.trusts)),
            "any_interval": int(asked.any_interval),
            "show_expired": int(asked.show_expired),
            "kinds": json.dumps(kind_numbers(asked.kinds)),
        }
        return values | ({"show_rejected": int(asked.show_rejected)} if asked.then else {})

    def _evidence_values(self, tenant: int) -> dict[str, Value]:
        asked = self._eligibility
        return self._common(tenant) | {
            "evidence_after": int(asked.evidence_after),
            "evidence_kinds": json.dumps(evidence_kind_numbers(asked.kinds)),
        }

    def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows holding any of `terms`, best first by the engine's own rank."""
        if not terms or not self._eligibility.spaces or rows_max <= 0:
            return []
        match = self._matching(self._eligibility.spaces, sort, terms)
        if not match:
            return []
        if sort is Sort.EVIDENCE:
            rows = self._session.run("lexical_evidence", match=match, rows_max=rows_max, **self._evidence)
        elif not self._eligibility.then:
            rows = self._session.run("lexical_memories", match=match, rows_max=rows_max, **self._memory)
        else:
            rows = []
            for shelf in self._eligibility.shelves:
                name = "lexical_memories_then_live" if shelf is Shelf.LIVE else "lexical_memories_then_past"
                rows += self._session.run(name, match=match, rows_max=rows_max, **self._memory)
        return [candidate_of(row, sort) for row in rows]

    def nearest(self, vector: bytes, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows nearest to `vector` by cosine, compared exactly."""
        if not vector or not self._model or rows_max <= 0:
            return []
        self._session.load_vectors()
        asked: dict[str, Value] = {"vector": vector, "model": self._model, "rows_max": rows_max}
        if sort is Sort.EVIDENCE:
            rows = self._session.run("nearest_evidence", **asked, **self._evidence)
        elif self._eligibility.then:
            rows = self._session.run("nearest_memories_then", **asked, **self._memory)
        else:
            rows = self._session.run("nearest_memories", **asked, **self._memory)
        return [candidate_of(row, sort, float(row[-1] or 0.0)) for row in rows]

    def recent(self, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return the newest eligible rows."""
        if sort is Sort.EVIDENCE:
            rows = self._session.run("recent_evidence", rows_max=max(0, rows_max), **self._evidence)
        else:
            name = "recent_memories_then" if self._eligibility.then else "recent_memories"
            rows = self._session.run(name, rows_max=max(0, rows_max), **self._memory)
        return [candidate_of(row, sort) for row in rows]

    def linked(self, ids: Sequence[str], *, rows_max: int) -> list[Candidate]:
        """Return eligible memories one link away from the given memories."""
        if not ids:
            return []
        name = "linked_memories_then" if self._eligibility.then else "linked_memories"
        listed = json.dumps([packed(id).hex() for id in ids])
        rows = self._session.run(name, ids=listed, rows_max=max(0, rows_max), **self._memory)
        return [candidate_of(row, Sort.MEMORY) for row in rows]
