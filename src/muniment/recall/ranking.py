"""How well does a candidate answer?  One pure function, the same on every store.

A candidate's features are computed from its stored terms and from statistics kept per
space, then combined by one table of weights.  To add a feature, write it, name it in
`Features` and give it a weight.
"""

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from muniment.domain.trust import Trust
from muniment.recall.eligibility import Sort

SATURATION = 1.2
"""BM25's k1: how fast repeats of a term stop counting."""

LENGTH_PULL = 0.75
"""BM25's b: how much a long text is held against it (measured: keep .75)."""

STRENGTH_FLOOR = 0.10
"""Weakest strength that the best hit may have; below it nothing covers the question."""

LONE_OF_TERMS = 3
"""How many terms a question has when one of them alone covers little."""

LONE_SHARE = 0.3
"""What such a lone term counts for."""

COMPANY_FLOOR = 0.02
"""Weakest strength of a hit that stands beside one above the floor."""


COSINE_DIGITS = 4
"""Decimals of a cosine: beyond them databases compute it differently."""


class Candidate(NamedTuple):
    """Hold one eligible row as a lane proposes it.

    `terms` is the stored term list with each term between spaces (` port  8091 `), so that
    counting is one call; `length` counts them.  `cosine` is None when the row has no
    vector or was not compared.  Times are microseconds.
    """

    n: int
    sort: Sort
    space: int
    terms: str
    length: int
    recorded: int
    moment: int
    rank: int = 0
    trust: Trust | None = None
    untrusted: bool = False
    role: str = ""
    speaker: str = ""
    session: int = 0
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Hold how many rows and terms a sort has in the asked spaces, and rows per term."""

    items: int
    words: int
    rows_with: Mapping[str, int]

    @property
    def mean_length(self) -> float:
        """Return the mean number of terms of a row, at least one."""
        return max(1.0, self.words / self.items) if self.items else 1.0

    def weight(self, term: str) -> float:
        """Return the term's inverse document frequency, above zero."""
        rows = self.rows_with.get(term, 0)
        return math.log(1.0 + (max(self.items, rows) - rows + 0.5) / (rows + 0.5))


class Features(NamedTuple):
    """Hold a candidate's features, each in 0..1 unless its name says otherwise."""

    bm25: float
    coverage: float
    cosine: float
    speaker_named: float
    rank: float
    believed: float
    memory: float
    tool: float
    question: float
    untrusted: float
    pairs: float
    lone: float


WEIGHTS: Mapping[str, float] = {
    "bm25": 1.00,
    "coverage": 0.55,
    "cosine": 0.75,
    "speaker_named": 0.30,
    "rank": 0.05,
    "believed": 0.06,
    "memory": 0.08,
    "tool": -0.25,
    "question": -0.06,
    "untrusted": -0.15,
    "pairs": 0.20,
    "lone": 0.0,
}
"""What each feature adds to the score."""


class Scored(NamedTuple):
    """Hold a candidate with its score, for order, and its strength, for floors."""

    candidate: Candidate
    score: float
    strength: float


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold a question's terms and what they weigh in one sort's statistics."""

    terms: tuple[str, ...]
    weights: tuple[float, ...]
    mass: float
    mean_length: float
    pairs: tuple[str, ...]
    parts: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, terms: Sequence[str], statistics: Statistics) -> "Asked":
        """Return the question as it weighs in `statistics`."""
        known = [statistics.weight(term) for term in terms if statistics.rows_with.get(term)]
        # A word that stands nowhere says little of what the others cover, least of all in a
        # small space, so it weighs no more than the rarest one that does stand somewhere.
        most = max(known, default=math.inf)
        weights = tuple(min(statistics.weight(term), most) for term in terms)
        pairs = tuple(f" {left}  {right} " for left, right in zip(terms, terms[1:], strict=False))
        return cls(
            tuple(terms),
            weights,
            sum(weights) or 1.0,
            statistics.mean_length,
            pairs,
            tuple((f" {term} ", weight) for term, weight in zip(terms, weights, strict=True)),
        )


def names(speaker: str, terms: Sequence[str]) -> bool:
    """Return whether a term of more than two characters stands in the speaker's name."""
    return any(len(term) > 2 and term in speaker for term in terms)


def features(candidate: Candidate, asked: Asked) -> Features:
    """Return the features of a candidate for a question; each term is counted once."""
    return Features(*_values(candidate, asked, named=_named(candidate.speaker, asked.terms)))


def _named(speaker: str, terms: Sequence[str]) -> float:
    return 1.0 if speaker and names(speaker.casefold(), terms) else 0.0


def _values(candidate: Candidate, asked: Asked, *, named: float) -> tuple[float, ...]:
    """Return the features by place, in the order of `Features`: this is the inner loop of every recall."""
    bm25 = covered = 0.0
    matched = 0
    held = candidate.terms
    stretched = SATURATION * (1.0 - LENGTH_PULL + LENGTH_PULL * candidate.length / asked.mean_length)
    for spaced, weight in asked.parts:
        count = held.count(spaced)
        if count:
            matched += 1
            covered += weight
            bm25 += weight * count * (SATURATION + 1.0) / (count + stretched)
    pairs, cosine = asked.pairs, candidate.cosine
    return (
        bm25 / (asked.mass * (SATURATION + 1.0)),
        covered / asked.mass,
        cosine if cosine is not None and cosine > 0.0 else 0.0,
        named,
        candidate.rank / 50.0,
        1.0 if candidate.trust is Trust.BELIEVED else 0.0,
        1.0 if candidate.sort is Sort.MEMORY else 0.0,
        1.0 if candidate.role in _TOOL_ROLES else 0.0,
        1.0 if " ? " in held else 0.0,
        1.0 if candidate.untrusted else 0.0,
        # A pair needs both of its terms.
        sum(map(held.__contains__, pairs)) / len(pairs) if matched > 1 and pairs else 0.0,
        1.0 if matched == 1 and len(asked.terms) >= LONE_OF_TERMS else 0.0,
    )


_TOOL_ROLES = frozenset({"tool_call", "tool_result"})
_WEIGHTS = tuple(WEIGHTS[name] for name in Features._fields)


def score(found: Sequence[float]) -> float:
    """Return the weighted sum of the features."""
    total: float = sum(map(operator.mul, found, _WEIGHTS))
    return total


def strength(found: Features) -> float:
    """Return how surely the candidate covers the question, in 0..1.

    The share of the question's weight that is covered, or the meaning's nearness beyond
    what unrelated texts show (cosines up to .30 mean nothing), whichever adds up.  One word
    of three or more, often the name of whom it is about, covers little.
    """
    return _strength(found.coverage, found.cosine, is_lone=found.lone > 0.0)


def _strength(coverage: float, cosine: float, *, is_lone: bool) -> float:
    near = min(1.0, (cosine - 0.30) / 0.50) if cosine > 0.30 else 0.0
    covered = math.pow(coverage, 1.5) * (LONE_SHARE if is_lone else 1.0)
    return round(1.0 - (1.0 - covered) * (1.0 - near), 4)


def ranked(candidates: Sequence[Candidate], asked: Mapping[Sort, Asked]) -> list[Scored]:
    """Return the candidates, best first; ties fall to the newer row, then the number."""
    scored = []
    speakers: dict[tuple[str, Sort], float] = {}
    for candidate in candidates:
        question, spoken = asked[candidate.sort], (candidate.speaker, candidate.sort)
        named = speakers.get(spoken)
        if named is None:
            named = speakers[spoken] = _named(candidate.speaker, question.terms)
        found = _values(candidate, question, named=named)
        sure = _strength(found[_COVERAGE], found[_COSINE], is_lone=found[_LONE] > 0.0)
        scored.append(Scored(candidate, round(score(found), 6), sure))
    scored.sort(key=lambda one: (-one.score, -one.candidate.recorded, -one.candidate.n))
    return scored


_COVERAGE, _COSINE, _LONE = map(Features._fields.index, ("coverage", "cosine", "lone"))
