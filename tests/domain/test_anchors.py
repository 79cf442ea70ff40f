"""Does an anchor find its value in a longer text, and nothing but it?"""

import random

import pytest

from muniment.domain.anchors import Stretches, anchor_of, has_pair_among, joined, pairs_of
from muniment.domain.tokens import tokens_of
from muniment.domain.tombstone import Anchor, is_anchor, sum_of

KEY, OTHER = b"k" * 32, b"o" * 32
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda"]


def anchor(tokens: list[str], key: bytes = KEY) -> Anchor:
    return anchor_of(key, tokens, disguised=b"d" * 12, plain=b"p" * 12)


def found(text: list[str], one: Anchor, key: bytes = KEY) -> list[tuple[int, int]]:
    return list(Stretches(key, text).fitting(one, pairs_of(key, text).get(one.pair, [])))


def test_a_value_is_found_where_it_stands_and_only_there() -> None:
    chance = random.Random(5)
    for _ in range(200):
        value = chance.sample(WORDS, chance.randint(2, 6))
        before, after = chance.choices(WORDS, k=3), chance.choices(WORDS, k=3)
        text = [*before, "|", *value, "|", *after]
        assert (4, 4 + len(value)) in found(text, anchor(value))
        swapped = [*before, "|", *reversed(value), "|", *after]
        assert (4, 4 + len(value)) not in found(swapped, anchor(value)) or value == value[::-1]


def test_the_pair_is_the_longest_and_the_first_of_equals() -> None:
    assert anchor(["a", "longer", "words", "b"]).offset == 1
    assert anchor(["aa", "bb", "cc"]).offset == 0
    assert pairs_of(KEY, ["longer", "words"]).keys() == {anchor(["a", "longer", "words", "b"]).pair}


def test_another_key_finds_nothing() -> None:
    value = WORDS[:4]
    assert found(value, anchor(value)) == [(0, 4)]
    assert found(value, anchor(value), OTHER) == []
    assert anchor(value).total != anchor(value, OTHER).total


def test_a_rotation_of_the_value_is_not_the_value() -> None:
    value = ["alpha", "beta", "gamma", "delta"]
    text = ["gamma", "delta", "alpha", "beta"]
    assert found(text * 2, anchor(value)) == [(2, 6)]


def test_a_value_that_would_reach_over_an_end_is_not_there() -> None:
    assert found(["beta", "gamma", "delta"], anchor(["alpha", "beta", "gamma", "delta"])) == []


def test_an_anchor_comes_back_from_its_bytes() -> None:
    one = Anchor(1, 2, 70_000, 2**24 - 1, b"d" * 12, b"p" * 12)
    assert Anchor.unpacked(one.packed()) == one
    assert is_anchor(one.packed()) and not is_anchor(b"d" * 12)
    with pytest.raises(ValueError, match="36 bytes"):
        Anchor.unpacked(b"short")


def test_the_sum_of_what_finds_a_tombstone_takes_any_order_and_misses_none() -> None:
    digests = [b"a" * 12, b"b" * 12, anchor(WORDS[:3]).packed()]
    assert sum_of(digests) == sum_of(digests[::-1]) == sum_of([*digests, digests[0]])
    assert len({sum_of(digests[:count]) for count in range(4)}) == 4


def test_tokens_are_joined_so_that_none_run_together() -> None:
    assert joined(["ab", "c"]) != joined(["a", "bc"])
    assert pairs_of(KEY, ["ab", "c"]).keys() != pairs_of(KEY, ["a", "bc"]).keys()


@pytest.mark.parametrize(
    "text", ["", "one", "a b", "alpha beta gamma", "設計 was \x1f on", "I\x1fIll \ud800"]
)
def test_a_pair_is_among_marks_when_one_of_all_pairs_is(text: str) -> None:
    tokens = tokens_of(text).first
    pairs = [pair.to_bytes(3, "big") for pair in pairs_of(KEY, tokens)]
    assert not has_pair_among(KEY, tokens, frozenset())
    assert not has_pair_among(OTHER, tokens, frozenset(pairs))
    for pair in pairs:
        assert has_pair_among(KEY, tokens, frozenset({pair}))
        assert pairs_of(KEY, tokens, among=frozenset({pair}))
