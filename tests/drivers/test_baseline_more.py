"""Does the driver ask each lane once, within bounds, and keep what it was shown as it was?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment import limits
from muniment.drivers.baseline import LANES, BaselineDriver
from muniment.recall.eligibility import Sort
from muniment.recall.ranking import Candidate
from tests.recall.builders import candidate

TERMS, VECTOR = ("quay", "wet"), b"\x01" * 16


@dataclass
class Shown:
    """A view that shows what it was given, and remembers what it was asked."""

    words: dict[Sort, list[Candidate]] = field(default_factory=dict)
    near: dict[Sort, list[Candidate]] = field(default_factory=dict)
    asked: list[tuple[str, object, Sort, int]] = field(default_factory=list)

    def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
        self.asked.append(("lexical", tuple(terms), sort, rows_max))
        return self.words.get(sort, [])[:rows_max]

    def nearest(self, vector: bytes, sort: Sort, *, rows_max: int) -> list[Candidate]:
        self.asked.append(("nearest", vector, sort, rows_max))
        return self.near.get(sort, [])[:rows_max]

    def recent(self, sort: Sort, *, rows_max: int) -> list[Candidate]:
        raise AssertionError("the driver asked for what is recent")

    def linked(self, ids: Sequence[str], *, rows_max: int) -> list[Candidate]:
        raise AssertionError("the driver asked for what is linked")


def rows(sort: Sort, *numbers: int, cosine: float | None = None) -> list[Candidate]:
    return [candidate(n=number, sort=sort, cosine=cosine) for number in numbers]


def proposed(view: Shown, terms: Sequence[str] = TERMS, vector: bytes = VECTOR) -> list[Candidate]:
    return BaselineDriver().candidates(view, terms, vector)


def test_every_sort_is_asked() -> None:
    assert set(LANES) == set(Sort)


@pytest.mark.parametrize(
    ("terms", "vector", "lanes"),
    [
        (TERMS, VECTOR, {"lexical", "nearest"}),
        (TERMS, b"", {"lexical"}),
        ((), VECTOR, {"nearest"}),
        ((), b"", set()),
    ],
)
def test_a_lane_is_asked_once_a_sort_and_only_when_it_can_answer(
    terms: tuple[str, ...], vector: bytes, lanes: set[str]
) -> None:
    view = Shown()
    assert proposed(view, terms, vector) == []
    assert sorted((lane, sort.value) for lane, _, sort, _ in view.asked) == sorted(
        (lane, sort.value) for lane, sort in product(lanes, Sort)
    )


def test_what_is_asked_for_is_what_was_looked_up_within_the_bound() -> None:
    view = Shown()
    proposed(view)
    for lane, what, _, most in view.asked:
        assert what == (TERMS if lane == "lexical" else VECTOR)
        assert most == limits.candidates_per_lane_max


def test_a_row_of_both_lanes_is_proposed_once_with_its_cosine() -> None:
    view = Shown(
        words={Sort.MEMORY: rows(Sort.MEMORY, 1, 2)}, near={Sort.MEMORY: rows(Sort.MEMORY, 2, 3, cosine=0.9)}
    )
    found = {one.n: one.cosine for one in proposed(view)}
    assert found == {1: None, 2: 0.9, 3: 0.9}


def test_a_cosine_of_nothing_is_still_a_cosine() -> None:
    view = Shown(
        words={Sort.MEMORY: rows(Sort.MEMORY, 1)}, near={Sort.MEMORY: rows(Sort.MEMORY, 1, cosine=0.0)}
    )
    assert [one.cosine for one in proposed(view)] == [0.0]


def test_memories_and_evidence_stand_side_by_side() -> None:
    view = Shown(words={Sort.MEMORY: rows(Sort.MEMORY, 1), Sort.EVIDENCE: rows(Sort.EVIDENCE, 2)})
    assert {(one.n, one.sort) for one in proposed(view)} == {(1, Sort.MEMORY), (2, Sort.EVIDENCE)}


def full(lane: int) -> list[int]:
    """Return as many numbers as one lane may hand over, no two lanes alike."""
    return [lane * 1_000 + number for number in range(limits.candidates_per_lane_max)]


def test_four_full_lanes_fit_and_nothing_of_them_is_lost() -> None:
    view = Shown(
        words={sort: rows(sort, *full(at)) for at, sort in enumerate(Sort)},
        near={sort: rows(sort, *full(9 + at), cosine=0.5) for at, sort in enumerate(Sort)},
    )
    found = proposed(view)
    assert len(found) == 4 * limits.candidates_per_lane_max == limits.candidates_max
    assert len({one.n for one in found}) == len(found)


def test_a_lane_that_hands_over_more_than_it_was_asked_for_is_cut_at_the_bound() -> None:
    class Generous(Shown):
        def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
            return rows(sort, *range(rows_max * 10))

    assert len(proposed(Generous())) == limits.candidates_max


NUMBERS = st.lists(st.integers(1, 9), max_size=6, unique=True)


@settings(max_examples=60)
@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_each_row_is_proposed_once_and_as_it_was_shown(
    words: list[int], near: list[int], said: list[int], meant: list[int]
) -> None:
    view = Shown(
        words={
            Sort.MEMORY: rows(Sort.MEMORY, *words),
            Sort.EVIDENCE: rows(Sort.EVIDENCE, *(n + 100 for n in said)),
        },
        near={
            Sort.MEMORY: rows(Sort.MEMORY, *near, cosine=0.5),
            Sort.EVIDENCE: rows(Sort.EVIDENCE, *(n + 100 for n in meant), cosine=0.5),
        },
    )
    found = proposed(view)
    assert sorted(one.n for one in found) == sorted(
        {*words, *near, *(n + 100 for n in said), *(n + 100 for n in meant)}
    )
    for one in found:
        by_meaning = one.n in near or one.n - 100 in meant
        assert one.cosine == (0.5 if by_meaning else None)
        assert one in [row for lane in (view.words, view.near) for row in lane[one.sort]]


def test_asking_again_gives_the_same_rows() -> None:
    view = Shown(words={sort: rows(sort, *full(at)) for at, sort in enumerate(Sort)})
    driver = BaselineDriver()
    first = driver.candidates(view, TERMS, b"")
    assert driver.candidates(view, TERMS, b"") == first
    assert driver.candidates(Shown(), TERMS, b"") == []
