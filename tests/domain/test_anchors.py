"""Does an anchor find its value in a longer text, and nothing but it?"""

import random

import pytest

from muniment.domain import anchors
from muniment.domain.anchors import Stretches, anchor_of, has_pair_among, hashed_pairs_of, joined, pairs_of
from muniment.domain.tokens import tokens_of
from muniment.domain.tombstone import NUMBERED, Anchor, Marks, is_anchor, sum_of

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
    for pair in (1, 2**24 - 1, NUMBERED, NUMBERED | 1, NUMBERED | 2**24 - 1):
        for offset in (0, 2, 70_000, 2**23 - 1):
            one = Anchor(pair, offset, 70_000, 2**24 - 1, b"d" * 12, b"p" * 12)
            assert Anchor.unpacked(one.packed()) == one
            assert one.packed()[:3] == (pair % NUMBERED).to_bytes(3, "big")
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
    pairs = list(pairs_of(KEY, tokens))
    assert not has_pair_among(KEY, tokens, frozenset())
    assert not has_pair_among(OTHER, tokens, frozenset(pairs))
    for pair in pairs:
        assert has_pair_among(KEY, tokens, frozenset({pair}))
        assert pairs_of(KEY, tokens, among=frozenset({pair})) == {pair: pairs_of(KEY, tokens)[pair]}


def test_a_pair_says_how_it_was_made_and_neither_way_finds_the_others() -> None:
    numbered, hashed = pairs_of(KEY, WORDS), hashed_pairs_of(KEY, WORDS)
    assert len(numbered) == len(hashed) == len(WORDS) - 1
    assert all(NUMBERED <= pair < 2 * NUMBERED for pair in numbered)
    assert all(0 <= pair < NUMBERED for pair in hashed)
    assert not {pair % NUMBERED for pair in numbered} & hashed.keys()
    marks = Marks.of(1, (), [*numbered, *hashed])
    assert marks.pairs == numbered.keys() and marks.hashed_pairs == hashed.keys()


def test_the_order_of_two_tokens_counts_and_equal_pairs_stand_in_several_places() -> None:
    assert not pairs_of(KEY, ["alpha", "beta"]).keys() & pairs_of(KEY, ["beta", "alpha"]).keys()
    assert list(pairs_of(KEY, ["a", "b", "a", "b"]).values()) == [[0, 2], [1]]
    assert list(hashed_pairs_of(KEY, ["a", "b", "a", "b"]).values()) == [[0, 2], [1]]
    (pair,) = hashed_pairs_of(KEY, ["a", "b"])
    assert hashed_pairs_of(KEY, ["a", "b", "c"], among=frozenset({pair})) == {pair: [0]}
    assert hashed_pairs_of(KEY, ["a", "b", "c"], among=frozenset()) == {}


def test_pairs_of_a_hundred_thousand_texts_are_spread_like_digests() -> None:
    """Two of 2**24 equally likely ones are one as often as chance says, under any key, and no bit is idle."""
    chance = random.Random(11)
    tokens = ["".join(chance.choices("abcdefghij", k=7)) for _ in range(20_001)]
    for key in (KEY, OTHER):
        found = pairs_of(key, tokens)
        # 20,000 balls in 2**24 bins: about twelve fall where one lies already.
        assert 20_000 - 40 < len(found) <= 20_000
        for bit in range(24):
            assert 0.47 < sum(pair >> bit & 1 for pair in found) / len(found) < 0.53


def test_no_sum_of_pairs_tells_which_tokens_they_share() -> None:
    """Were pairs sums of their tokens' numbers, four of two times two tokens would cancel out."""
    chance = random.Random(12)
    equal = 0
    for _ in range(2_000):
        first, second, third, fourth = ("".join(chance.choices("abcdefghij", k=7)) for _ in range(4))
        one, two, three, four = (
            next(iter(pairs_of(KEY, [left, right])))
            for left, right in ((first, third), (first, fourth), (second, third), (second, fourth))
        )
        equal += abs((one + four - two - three) % NUMBERED) <= 2 or one ^ two ^ three ^ four == 0
    assert equal <= 2


def test_the_numbers_of_tokens_stay_within_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.limits.vocabulary_cache_words_max", 10)
    key = b"bounded" * 4
    before = pairs_of(key, WORDS)
    many = [f"word{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(200)]
    pairs_of(key, [*many, "x" * 40, "kq-000123"])
    assert len(anchors._numbers(key)) <= 10
    assert not {"x" * 40, "kq-000123"} & anchors._numbers(key).keys()
    assert pairs_of(key, WORDS) == before
