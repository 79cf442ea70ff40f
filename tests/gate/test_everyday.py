"""Are contradictions in the words of every day noticed, and is nothing made up?  In pairs and across."""

from collections.abc import Sequence

import pytest

from muniment.gate.contradiction import Kind, contradicts
from tests.gate import everyday

PRECISION_MIN = 0.98

Pairs = Sequence[tuple[str, str]]
STREAMS: tuple[tuple[Pairs, Pairs, float], ...] = (
    (everyday.CONTRADICTING, everyday.AGREEING, 0.50),
    (everyday.CONTRADICTING_LATER, everyday.AGREEING_LATER, 0.48),
    (everyday.CONTRADICTING_LAST, everyday.AGREEING_LAST, 0.48),
)


def _found(pairs: Pairs) -> Pairs:
    """Return the pairs that are taken for a contradiction; where a person is asked, nothing moves."""
    seen = [(pair, contradicts(*pair)) for pair in pairs]
    return [pair for pair, found in seen if found is not None and found.kind is not Kind.UNSURE]


@pytest.mark.parametrize(("contradicting", "agreeing", "recall_min"), STREAMS)
def test_half_of_what_people_correct_is_noticed_and_nothing_is_made_up(
    contradicting: Pairs, agreeing: Pairs, recall_min: float
) -> None:
    right, wrong = _found(contradicting), _found(agreeing)
    assert len(right) / (len(right) + len(wrong)) >= PRECISION_MIN, wrong
    assert len(right) / len(contradicting) >= recall_min, set(contradicting) - set(right)


def test_the_pairs_are_many_and_none_comes_twice() -> None:
    pairs = [pair for contradicting, agreeing, _ in STREAMS for pair in (*contradicting, *agreeing)]
    assert len(pairs) == len(set(pairs)) == 680
    assert all(contradicts(text, text) is None for pair in pairs for text in pair)


def test_statements_of_different_pairs_hardly_ever_contradict_each_other() -> None:
    """Of 40,000 the rules see a few, which are some; the bound is what was looked through by eye."""
    texts = [text for pair in everyday.AGREEING for text in pair][:200]
    own = {frozenset(pair) for pair in everyday.AGREEING}
    seen = [
        (new, old)
        for new in texts
        for old in texts
        if new != old and frozenset((new, old)) not in own and _found([(new, old)])
    ]
    assert len(seen) <= 16, seen
