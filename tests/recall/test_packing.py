"""Are k, the floor, the share of untrusted hits and the budget kept exactly, by whole items?"""

import pytest

from muniment.recall.packing import CHARACTERS_A_TOKEN, packed, tokens_of, within_budget
from muniment.recall.ranking import COMPANY_FLOOR, STRENGTH_FLOOR
from tests.recall.builders import scored


@pytest.mark.parametrize("k", [0, 1, 3, 7, 8, 9])
def test_k_is_an_upper_bound_and_is_filled(k: int) -> None:
    choice = packed([scored(0.9, n=n) for n in range(8)], k=k)
    assert len(choice.taken) == min(k, 8)
    assert choice.over_k == 8 - len(choice.taken)
    assert [one.candidate.n for one in choice.taken] == list(range(min(k, 8)))


def test_nothing_is_an_answer_when_all_is_weaker_than_the_floor() -> None:
    choice = packed([scored(STRENGTH_FLOOR - 0.0001, n=1), scored(0.05, n=2)], k=5)
    assert (choice.taken, choice.too_weak) == ((), 2)
    assert len(packed([scored(STRENGTH_FLOOR, n=1)], k=5).taken) == 1


def test_one_hit_above_the_floor_brings_weaker_company_but_no_noise() -> None:
    rows = [scored(COMPANY_FLOOR, n=1), scored(STRENGTH_FLOOR, n=2), scored(COMPANY_FLOOR - 0.0001, n=3)]
    choice = packed(rows, k=5)
    assert [one.candidate.n for one in choice.taken] == [1, 2]
    assert (choice.too_weak, choice.over_k) == (1, 0)


@pytest.mark.parametrize(("k", "share"), [(1, 1), (2, 1), (3, 2), (5, 2), (10, 4)])
def test_at_most_two_in_five_hits_are_untrusted_beside_clean_ones(k: int, share: int) -> None:
    rows = [scored(0.9, n=n, untrusted=True) for n in range(10)]
    rows += [scored(0.5, n=10 + n) for n in range(10)]
    choice = packed(rows, k=k)
    assert sum(one.candidate.untrusted for one in choice.taken) == share
    assert len(choice.taken) == k
    assert choice.untrusted_left_out == (10 - share if k > share else 0)


def test_untrusted_hits_alone_may_fill_the_answer() -> None:
    rows = [scored(0.9, n=n, untrusted=True) for n in range(10)]
    assert len(packed(rows, k=5).taken) == 5


def test_everything_is_either_taken_or_counted() -> None:
    rows = [scored(0.1 * n, n=n, untrusted=n % 3 == 0) for n in range(10, 0, -1)]
    choice = packed(rows, k=4)
    counted = choice.too_weak + choice.over_k + choice.untrusted_left_out
    assert len(choice.taken) + counted == len(rows)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("漢" * 8, 2)])
def test_tokens_are_estimated_and_rounded_up(text: str, tokens: int) -> None:
    assert tokens_of(text) == tokens
    assert CHARACTERS_A_TOKEN == 4


def test_a_budget_keeps_whole_items_in_order_and_goes_on_after_one_that_does_not_fit() -> None:
    texts = ["x" * 8, "x" * 400, "x" * 4, ""]
    assert within_budget(texts, None) == [0, 1, 2, 3]
    assert within_budget(texts, 3) == [0, 2, 3]
    assert within_budget(texts, 2) == [0, 3]
    assert within_budget(texts, 0) == [3]
