"""What does ranking look at?  Candidates and statistics as plain values."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from muniment.domain.label import Label
from muniment.domain.trust import Rank, Trust
from muniment.recall.eligibility import Sort
from muniment.recall.question import Hit
from muniment.recall.ranking import Asked, Candidate, Scored, Statistics

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def candidate(text: str = "port 8091", *, n: int = 1, **fields: object) -> Candidate:
    """Return a believed memory whose terms are the words of `text`."""
    words = text.split()
    row = Candidate(
        n=n,
        sort=Sort.MEMORY,
        space=1,
        terms="".join(f" {word} " for word in words),
        length=len(words),
        recorded=n,
        moment=n,
        rank=50,
        trust=Trust.BELIEVED,
    )
    return row._replace(**fields)


def counted(items: int = 10, *, words: int = 40, **rows_with: int) -> Statistics:
    return Statistics(items, words, rows_with)


def asked(*terms: str, statistics: Statistics | None = None) -> Mapping[Sort, Asked]:
    whole = statistics or counted(**dict.fromkeys(terms, 2))
    return {sort: Asked.of(terms, whole) for sort in Sort}


def scored(strength: float, *, n: int = 1, **fields: object) -> Scored:
    return Scored(candidate(n=n, **fields), strength, strength)


def hit(text: str, *, untrusted: bool = False, **fields: object) -> Hit:
    row = Hit(
        id="m_" + "0" * 26,
        version=1,
        text=text,
        source="memory",
        tag="memory-tainted" if untrusted else "memory",
        label=Label(untrusted=untrusted),
        recorded=NOW,
        strength=0.5,
        space="home",
        trust=Trust.BELIEVED,
        rank=Rank.MANUAL,
    )
    return replace(row, **fields)
