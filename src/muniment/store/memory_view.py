"""Which rows of a state are candidates?  Every predicate stands here once, in plain Python (I7)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from muniment.domain.evidence import Evidence, TurnState
from muniment.domain.memory import Version
from muniment.domain.timeline import to_micros
from muniment.domain.trust import Trust
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import COSINE_DIGITS, LENGTH_PULL, SATURATION, Candidate, Statistics
from muniment.recall.turns import Order, TurnFound, TurnsAsked
from muniment.store.memory_state import State


@dataclass(frozen=True, slots=True)
class MemoryView:
    """Propose candidates from one state within one eligibility."""

    state: State
    eligibility: Eligibility
    model: str

    def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows holding any of `terms`, best first by plain BM25."""
        asked = tuple(dict.fromkeys(terms))
        counted = statistics(self.state, self.eligibility.spaces, sort, terms=asked)
        found = []
        for row in self._eligible(sort):
            score = bm25(self.state.terms[row.n], asked, counted)
            if score > 0.0:
                found.append((score, row))
        found.sort(key=lambda one: (-one[0], -one[1].n))
        return [self._candidate(row) for _, row in found[: max(0, rows_max)]]

    def nearest(self, vector: bytes, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows with a vector of this view's model, nearest first by cosine."""
        found = []
        for row in self._eligible(sort):
            kept = self.state.vectors.get(row.n)
            if kept is not None and kept.model == self.model:
                found.append(
                    self._candidate(row)._replace(cosine=round(cosine(vector, kept.lanes), COSINE_DIGITS))
                )
        found.sort(key=lambda one: (-(one.cosine or 0.0), -one.n))
        return found[: max(0, rows_max)]

    def turns(self, asked: TurnsAsked) -> list[TurnFound]:
        """Return the first so many turns in the asked order; rewound ones are never found."""
        terms = set(asked.terms)
        rows = [row for row in self._conversed(asked) if _holds_terms(self.state.terms[row.n], terms, asked)]
        if terms and asked.order is Order.BEST:
            counted = statistics(self.state, self.eligibility.spaces, Sort.EVIDENCE, terms=asked.terms)
            rows.sort(key=lambda row: (-bm25(self.state.terms[row.n], asked.terms, counted), -row.n))
        else:
            rows.sort(key=lambda row: row.n, reverse=not terms or asked.order is Order.NEWEST)
        return [TurnFound(row.n, row.session, row.sequence, row.role) for row in rows[: asked.rows_max]]

    def _conversed(self, asked: TurnsAsked) -> Iterator[Evidence]:
        for sealed in self.state.evidence.values():
            row = sealed.row
            is_live = row.session == asked.live_of and row.state is TurnState.LIVE
            if (
                row.session
                and row.state is not TurnState.REWOUND
                and not is_live
                and row.role in asked.roles
                and (not asked.sessions or row.session in asked.sessions)
                and row.session not in asked.without
                and self._admits_evidence(row)
            ):
                yield row

    def recent(self, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return the newest eligible rows by recorded time."""
        return self._newest(self._eligible(sort), rows_max=rows_max)

    def linked(self, ids: Sequence[str], *, rows_max: int) -> list[Candidate]:
        """Return the newest eligible memories one link away from `ids`, which are left out."""
        asked = set(ids)
        ends = {(sealed.row.source, sealed.row.target) for sealed in self.state.links}
        beside = {target for source, target in ends if source in asked}
        beside |= {source for source, target in ends if target in asked}
        rows = (row for row in self._memories() if row.memory in beside - asked)
        return self._newest(rows, rows_max=rows_max)

    def _newest(self, rows: Iterator[Version] | Iterator[Evidence], *, rows_max: int) -> list[Candidate]:
        found = sorted(map(self._candidate, rows), key=lambda one: (-one.recorded, -one.n))
        return found[: max(0, rows_max)]

    def _eligible(self, sort: Sort) -> Iterator[Version] | Iterator[Evidence]:
        return self._memories() if sort is Sort.MEMORY else self._evidence()

    def _memories(self) -> Iterator[Version]:
        judged = self._as_known() if self.eligibility.then else self.state.live_versions()
        return (version for version in judged if self._admits_memory(version))

    def _as_known(self) -> Iterator[Version]:
        """Yield each memory's latest version by `known_at`, unless it is rejected or closed now.

        The trust that admits is that version's own; a rejection reaches back (I4), and so
        do today's space and class: past membership never admits.
        """
        for memory, history in self.state.histories.items():
            known = [
                version
                for version in (self.state.versions[n].row for n in history)
                if to_micros(version.recorded) <= self.eligibility.known_at
            ]
            today = self.state.newest(memory)
            open_now = (
                today.space in self.eligibility.spaces
                and today.label.data_class <= self.eligibility.class_max
            )
            rejected = today.trust is Trust.REJECTED
            if known and open_now and (self.eligibility.show_rejected or not rejected):
                yield known[-1]

    def _admits_memory(self, version: Version) -> bool:
        asked = self.eligibility
        expiry = version.expires_at
        return all(
            (
                version.space in asked.spaces,
                version.label.data_class <= asked.class_max,
                to_micros(version.recorded) <= asked.known_at,
                version.trust in asked.trusts,
                asked.any_interval or self._holds(version),
                asked.show_expired or expiry is None or asked.as_of < to_micros(expiry),
                not asked.kinds or version.kind.value in asked.kinds,
                not asked.tags or bool(set(version.tags) & set(asked.tags)),
            )
        )

    def _holds(self, version: Version) -> bool:
        """Return whether the moment lies in the interval: from, inclusive, until, exclusive."""
        begun = to_micros(version.valid.start) <= self.eligibility.as_of
        end = version.valid.end
        return begun and (end is None or self.eligibility.as_of < to_micros(end))

    def _evidence(self) -> Iterator[Evidence]:
        return (row for row in self.state.findable_evidence() if self._admits_evidence(row))

    def _admits_evidence(self, row: Evidence) -> bool:
        asked = self.eligibility
        return all(
            (
                row.space in asked.spaces,
                row.label.data_class <= asked.class_max,
                to_micros(row.recorded) <= asked.known_at,
                asked.evidence_after or to_micros(row.occurred_at or row.recorded) <= asked.as_of,
                not asked.kinds or row.kind.value in asked.kinds,
                not asked.tags,
            )
        )

    def _candidate(self, row: Version | Evidence) -> Candidate:
        terms = self.state.terms[row.n]
        candidate = Candidate(
            n=row.n,
            sort=Sort.MEMORY if isinstance(row, Version) else Sort.EVIDENCE,
            space=row.space,
            terms="".join(f" {term} " for term in terms),
            length=len(terms),
            recorded=to_micros(row.recorded),
            moment=to_micros(row.recorded),
            untrusted=row.label.untrusted,
            session=row.session,
        )
        if isinstance(row, Version):
            moment = to_micros(row.valid.start)
            return candidate._replace(moment=moment, rank=row.rank.weight, trust=row.trust)
        moment = to_micros(row.occurred_at or row.recorded)
        return candidate._replace(moment=moment, role=row.role.value, speaker=row.speaker)


def statistics(state: State, spaces: Sequence[int], sort: Sort, *, terms: Sequence[str]) -> Statistics:
    """Return how many rows and terms the live shelf has for one sort in `spaces`, and rows per term."""
    shelf = state.live_versions() if sort is Sort.MEMORY else state.findable_evidence()
    held = [state.terms[row.n] for row in shelf if row.space in spaces]
    return Statistics(
        items=len(held),
        words=sum(map(len, held)),
        rows_with={term: sum(1 for one in held if term in one) for term in terms},
    )


def _holds_terms(held: Sequence[str], terms: set[str], asked: TurnsAsked) -> bool:
    """Return whether a row holds what is asked for: all terms, or any; without terms every row does."""
    if not terms:
        return True
    return terms.issubset(held) if asked.every else not terms.isdisjoint(held)


def bm25(held: Sequence[str], asked: Sequence[str], counted: Statistics) -> float:
    """Return the BM25 score of a row's terms; above zero exactly when it holds an asked one."""
    stretch = 1.0 - LENGTH_PULL + LENGTH_PULL * len(held) / counted.mean_length
    score = 0.0
    for term in asked:
        count = held.count(term)
        score += counted.weight(term) * count * (SATURATION + 1.0) / (count + SATURATION * stretch)
    return score


def cosines(state: State, ns: Sequence[int], vector: bytes, *, model: str) -> Mapping[int, float]:
    """Return the cosine of `vector` with each of some rows that has a vector of `model`."""
    return {
        n: round(cosine(vector, kept.lanes), COSINE_DIGITS)
        for n, kept in state.vectors.items()
        if n in ns and kept.model == model
    }


def cosine(left: bytes, right: bytes) -> float:
    """Return the cosine of two int8 vectors of one length, 0 when either is all zeros."""
    a, b = memoryview(left).cast("b"), memoryview(right).cast("b")
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    return dot / lengths if lengths else 0.0
