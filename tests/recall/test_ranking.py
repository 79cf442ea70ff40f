"""Is ranking a function of its values: pure, total in its order, and monotone where it claims so?"""

import random

import pytest

from muniment.domain.trust import Trust
from muniment.recall.eligibility import Sort
from muniment.recall.ranking import WEIGHTS, Asked, Features, Statistics, features, ranked, score, strength
from tests.recall.builders import asked, candidate, counted


def _features(**given: float) -> Features:
    return Features(**(dict.fromkeys(Features._fields, 0.0) | given))


def test_the_order_does_not_depend_on_the_order_of_the_candidates(rng: random.Random) -> None:
    rows = [candidate(f"port {'8091 ' * (n % 4)} word{n}", n=n) for n in range(40)]
    first = ranked(rows, asked("port", "8091"))
    for _ in range(5):
        shuffled = rng.sample(rows, len(rows))
        assert ranked(shuffled, asked("port", "8091")) == first


def test_ties_fall_to_the_newer_row_and_then_to_the_number() -> None:
    old, new = candidate(n=1, recorded=10), candidate(n=2, recorded=20)
    twin = candidate(n=3, recorded=20)
    order = [one.candidate.n for one in ranked([old, new, twin], asked("port"))]
    assert order == [3, 2, 1]


def test_every_feature_has_a_weight_and_every_weight_a_feature() -> None:
    assert set(WEIGHTS) == set(Features._fields)
    for name in Features._fields:
        assert score(_features(**{name: 1.0})) == pytest.approx(WEIGHTS[name])


def test_features_stay_between_nought_and_one(rng: random.Random) -> None:
    words = ["port", "8091", "?", "key", "rota"]
    for n in range(200):
        text = " ".join(rng.choices(words, k=rng.randrange(1, 30)))
        row = candidate(text, n=n, cosine=rng.uniform(-1, 1), speaker="port master")
        found = features(row, asked("port", "8091", "key")[Sort.MEMORY])
        assert all(0.0 <= getattr(found, name) <= 1.0 for name in Features._fields)
        assert 0.0 <= strength(found) <= 1.0


def test_more_of_the_question_covered_is_never_weaker() -> None:
    terms = asked("port", "8091", "proxy")
    strengths = [
        ranked([candidate(text)], terms)[0].strength
        for text in ("nothing here", "port here", "port 8091 here", "port 8091 proxy")
    ]
    assert strengths == sorted(strengths)
    assert strengths[0] == 0.0 and strengths[-1] == 1.0


def test_strength_rises_with_nearness_and_ignores_what_unrelated_texts_show() -> None:
    values = [strength(_features(coverage=0.3, cosine=cosine)) for cosine in (0.0, 0.3, 0.5, 0.7, 0.8, 1.0)]
    assert values[0] == values[1]
    assert values == sorted(values)
    assert values[-1] == values[-2] == 1.0


def test_strength_does_not_depend_on_trust_rank_or_age() -> None:
    rows = [
        candidate(n=1, trust=Trust.BELIEVED, rank=50, recorded=1),
        candidate(n=2, trust=Trust.CANDIDATE, rank=0, recorded=999, untrusted=True),
    ]
    assert len({one.strength for one in ranked(rows, asked("port"))}) == 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"trust": Trust.BELIEVED}, {"trust": Trust.CANDIDATE}),
        ({"rank": 50}, {"rank": 10}),
        ({}, {"untrusted": True}),
        ({}, {"sort": Sort.EVIDENCE, "role": "tool_call", "trust": None}),
        ({"cosine": 0.9}, {"cosine": 0.1}),
        ({"speaker": "portia"}, {"speaker": "someone"}),
    ],
)
def test_of_equal_words_the_better_founded_comes_first(
    better: dict[str, object], worse: dict[str, object]
) -> None:
    rows = [candidate(n=1, **better), candidate(n=2, **worse)]
    order = [one.candidate.n for one in ranked(rows, asked("port"))]
    assert order == [1, 2]
    assert [one.candidate.n for one in ranked(rows[::-1], asked("port"))] == [1, 2]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    statistics = counted(items=100, port=60, proxy=1)
    assert statistics.weight("proxy") > statistics.weight("port") > 0.0
    assert statistics.weight("unseen") > statistics.weight("proxy")
    rows = [candidate("port and", n=1), candidate("proxy and", n=2)]
    assert ranked(rows, asked("port", "proxy", statistics=statistics))[0].candidate.n == 2


def test_more_repeats_count_less_and_less() -> None:
    terms = asked("port")
    texts = (f"{'port ' * times}{'word ' * (9 - times)}".strip() for times in range(1, 6))
    scores = [ranked([candidate(text)], terms)[0].score for text in texts]
    gains = [more - less for less, more in zip(scores, scores[1:], strict=False)]
    assert all(gain > 0 for gain in gains)
    assert gains == sorted(gains, reverse=True) and gains[-1] < gains[0] / 2


def test_a_word_counts_whole_and_never_as_part_of_another() -> None:
    (one,) = ranked([candidate("sport 80912")], asked("port", "8091"))
    assert one.strength == 0.0


def test_empty_statistics_and_questions_divide_by_nothing() -> None:
    empty = Statistics(0, 0, {})
    assert empty.mean_length == 1.0
    assert empty.weight("port") > 0.0
    nothing = Asked.of((), empty)
    assert strength(features(candidate(), nothing)) == 0.0
    assert ranked([], asked("port")) == []


def test_words_in_a_row_are_worth_more_than_the_same_words_apart() -> None:
    together, apart = candidate("key rota here", n=1), candidate("rota here key", n=2)
    assert [one.candidate.n for one in ranked([apart, together], asked("key", "rota"))] == [1, 2]


def test_one_word_of_many_covers_little_and_two_cover_more() -> None:
    terms = asked("zoe", "passport", "number")
    (lone,) = ranked([candidate("zoe lives here")], terms)
    (pair,) = ranked([candidate("zoe passport here")], terms)
    (short,) = ranked([candidate("zoe lives here")], asked("zoe", "passport"))
    assert lone.strength < pair.strength
    assert lone.strength < short.strength
