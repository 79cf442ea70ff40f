"""What may a driver see?  Candidates within one eligibility, asked in SQL (I7)."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property

from muniment.domain.ids import packed
from muniment.recall.eligibility import FOREVER, Eligibility, Shelf, Sort
from muniment.recall.ranking import Candidate
from muniment.recall.turns import Order, TurnFound, TurnsAsked
from muniment.store.candidates import candidates_of
from muniment.store.codec import (
    ROLE_NUMBER,
    ROLES,
    Columns,
    Value,
    evidence_kind_numbers,
    kind_numbers,
    trust_numbers,
)
from muniment.store.sql_session import Match, SqlSession

_LOOKED_AT_TIMES = 2
"""How many times the asked rows are looked at before all are."""

EVERY = 2**62 - 1
"""A mask that lets every number pass."""


_COUNTING = frozenset({"turns_best"})
"""Statements whose rows say last how many were looked at."""

# An encoder made for every list costs more than the list.
_listed = json.JSONEncoder(ensure_ascii=False).encode


def mask(numbers: Sequence[int]) -> int:
    """Return the bits of some enumeration numbers; -1, which names nothing, sets none."""
    bits = 0
    for number in numbers:
        bits |= 1 << number if number >= 0 else 0
    return bits


def rarest_that_fill(terms: Sequence[str], counts: Mapping[str, int], rows: int) -> Sequence[str]:
    """Return the terms to look for: all, or the rarest whose rows alone are twice as many as are wanted.

    A word that stands in most rows proposes nearly all of them and ranks hardly any; the
    scorer still counts it in whatever the rarer words propose.  Where all matches fit the
    bound nothing is left out, so that every store proposes the same rows.
    """
    if len(terms) < _LOOKED_AT_TIMES or not counts:
        return terms
    kept, filled = set[str](), 0
    for term in sorted(terms, key=lambda one: counts.get(one, 0)):
        if filled >= rows * _LOOKED_AT_TIMES and len(kept) >= _LOOKED_AT_TIMES:
            break
        kept.add(term)
        filled += counts.get(term, 0)
    return [term for term in terms if term in kept]


class SqlView:
    """Propose candidates; every predicate of the eligibility stands inside the statement."""

    def __init__(
        self, session: SqlSession, *, tenant: int, eligibility: Eligibility, matching: Match, model: int
    ) -> None:
        self._session = session
        self._eligibility = eligibility
        self._matching = matching
        self._model = model
        self._tenant = tenant

    def _common(self) -> dict[str, Value]:
        asked = self._eligibility
        return {
            "tenant": self._tenant,
            "spaces": str(list(asked.spaces)),
            "class_max": int(asked.class_max),
            "known_at": asked.known_at,
            "as_of": asked.as_of,
            "tags": _listed(asked.tags),
        }

    # Made at their first use: most questions are about one sort alone.
    @cached_property
    def _memory(self) -> dict[str, Value]:
        asked = self._eligibility
        values = self._common() | {
            "trusts": str(trust_numbers(asked.trusts)),
            "any_interval": int(asked.any_interval),
            "show_expired": int(asked.show_expired),
            "trust_mask": mask(trust_numbers(asked.trusts)),
            "kinds": str(kind_numbers(asked.kinds)),
            "kind_mask": mask(kind_numbers(asked.kinds)) if asked.kinds else EVERY,
        }
        return values | ({"show_rejected": int(asked.show_rejected)} if asked.then else {})

    @cached_property
    def _evidence(self) -> dict[str, Value]:
        asked = self._eligibility
        return self._common() | {
            "evidence_after": int(asked.evidence_after),
            "evidence_kinds": str(evidence_kind_numbers(asked.kinds)),
            "evidence_kind_mask": mask(evidence_kind_numbers(asked.kinds)) if asked.kinds else EVERY,
        }

    def _has(self, sort: Sort) -> bool:
        return sort in self._eligibility.sorts

    def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows holding any of `terms`, best first by the engine's own rank."""
        if not terms or not self._eligibility.spaces or rows_max <= 0 or not self._has(sort):
            return []
        counts = self._eligibility.live_matches.get(sort, {})
        few = rows_max * _LOOKED_AT_TIMES
        looked_for = terms if self._eligibility.then else rarest_that_fill(terms, counts, few)
        rows = self._matched(looked_for, sort, rows_max, counts=counts)
        if len(rows) < rows_max and len(looked_for) < len(terms):
            # The rarest words stand in rows that may not be seen: the others must not be lost by it (I7).
            rows = self._matched(terms, sort, rows_max, counts=counts)
        return candidates_of(rows, sort)

    def _matched(
        self, terms: Sequence[str], sort: Sort, rows_max: int, *, counts: Mapping[str, int]
    ) -> list[Columns]:
        """Return the best eligible rows that hold any of `terms`; `counts` bounds how many hold them."""
        match = self._matching(self._eligibility.spaces, sort, terms)
        if not match:
            return []
        matches = sum(counts.get(term, 0) for term in terms) if counts else FOREVER
        if sort is Sort.EVIDENCE:
            return self._widened("lexical_evidence", rows_max, at_most=matches, match=match, **self._evidence)
        if not self._eligibility.then:
            return self._widened("lexical_memories", rows_max, at_most=matches, match=match, **self._memory)
        rows = []
        for shelf in self._eligibility.shelves:
            name = "lexical_memories_then_live" if shelf is Shelf.LIVE else "lexical_memories_then_past"
            rows += self._widened(name, rows_max, at_most=FOREVER, match=match, **self._memory)
        return rows

    def _widened(self, name: str, rows_max: int, /, *, at_most: int, **values: Value) -> list[Columns]:
        """Return the best eligible rows, looking at a few first and at all when those fall short.

        Sorting all matches costs more than ranking them, and mostly the best few are
        eligible.  Nothing is lost: fewer than asked for means that all are looked at (I7),
        unless there are known to be `at_most` so few, or the rows of a statement that counts
        say last that fewer were there than were to be looked at.
        """
        few = rows_max * _LOOKED_AT_TIMES
        rows = self._session.run(name, rows_max=rows_max, looked_at=few, **values)
        if name in _COUNTING and rows:
            at_most = min(at_most, few) if rows[0][-1] < few else at_most
        if len(rows) >= rows_max or at_most <= few:
            return rows
        return self._session.run(name, rows_max=rows_max, looked_at=-1, **values)

    def nearest(self, vector: bytes, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows nearest to `vector` by cosine; in a large space an index may propose."""
        if not vector or not self._model or rows_max <= 0 or not self._has(sort):
            return []
        self._session.load_vectors()
        held = dict(self._eligibility.live_rows).get(sort, FOREVER)
        asked: dict[str, Value] = {"vector": vector, "model": self._model, "among": held}
        if sort is Sort.EVIDENCE:
            rows = self._widened("nearest_evidence", rows_max, at_most=held, **asked, **self._evidence)
        elif self._eligibility.then:
            rows = self._widened("nearest_memories_then", rows_max, at_most=held, **asked, **self._memory)
        else:
            rows = self._widened("nearest_memories", rows_max, at_most=held, **asked, **self._memory)
        found = candidates_of(rows, sort)
        return sorted(found, key=lambda one: (-(one.cosine or 0.0), -one.n))

    def turns(self, asked: TurnsAsked) -> list[TurnFound]:
        """Return the first so many turns in the asked order; rewound ones are never found."""
        spaces = self._eligibility.spaces
        if not spaces or asked.rows_max <= 0:
            return []
        # A group is what one row has to hold all of: a space's terms, or one of them.
        parts = [asked.terms] if asked.every else [(term,) for term in asked.terms]
        groups = [self._matching((space,), Sort.EVIDENCE, part) for space in spaces for part in parts]
        values: dict[str, Value] = {
            "groups": _listed([group for group in groups if group]),
            "role_mask": mask([ROLE_NUMBER[role] for role in asked.roles]),
            "sessions": json.dumps(asked.sessions),
            "without": json.dumps(asked.without),
            "live_of": asked.live_of,
        }
        return [
            TurnFound(n, session, sequence, ROLES[role])
            for n, session, sequence, role in self._turn_rows(asked, values)
        ]

    def _turn_rows(self, asked: TurnsAsked, values: Mapping[str, Value]) -> list[Columns]:
        values = {**self._evidence, **values}
        if not asked.terms:
            return self._session.run("turns_recent", rows_max=asked.rows_max, **values)
        if values["groups"] == "[]":
            return []
        if asked.order is Order.BEST:
            return self._best_turns(asked, values)
        name = "turns_newest" if asked.order is Order.NEWEST else "turns_oldest"
        return self._session.run(name, rows_max=asked.rows_max, **values)

    def _best_turns(self, asked: TurnsAsked, values: Mapping[str, Value]) -> list[Columns]:
        rows = self._widened("turns_best", asked.rows_max, at_most=FOREVER, **values)
        return [row[:-1] for row in rows]

    def recent(self, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return the newest eligible rows."""
        if sort is Sort.EVIDENCE:
            rows = self._session.run("recent_evidence", rows_max=max(0, rows_max), **self._evidence)
        else:
            name = "recent_memories_then" if self._eligibility.then else "recent_memories"
            rows = self._session.run(name, rows_max=max(0, rows_max), **self._memory)
        return candidates_of(rows, sort)

    def linked(self, ids: Sequence[str], *, rows_max: int) -> list[Candidate]:
        """Return eligible memories one link away from the given memories."""
        if not ids:
            return []
        name = "linked_memories_then" if self._eligibility.then else "linked_memories"
        listed = json.dumps([packed(id).hex() for id in ids])
        rows = self._session.run(name, ids=listed, rows_max=max(0, rows_max), **self._memory)
        return candidates_of(rows, Sort.MEMORY)
