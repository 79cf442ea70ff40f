"""Are tokens the same however a text is disguised, and do their places lie in the original?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.tokens import holds, is_found_within, plain_run, say_the_same, spans_of, tokens_of


def runs(text: str) -> str:
    return plain_run(text, spans_of(text))


@pytest.mark.parametrize(
    "disguise",
    [
        "The gate code, is maple leaf!",
        "THE GATE\ncode is (maple) leaf",
        "the g\u0430te code is ma\u200bple le\u0430f",
        "ｔｈｅ gate code is 𝗺𝗮𝗽𝗹𝗲 leaf",
        "the gate code is ᴍᴀᴘʟᴇ ⓛⓔⓐⓕ",
        "the ga\u0335te code is map\u0640le leaf",
    ],
)
def test_disguises_have_the_same_tokens(disguise: str) -> None:
    assert tokens_of(disguise).first == tokens_of("the gate code is maple leaf").first


def test_a_capital_i_has_two_forms_and_other_words_one() -> None:
    both = tokens_of("I like It")
    assert (both.first, both.second) == (["i", "like", "it"], ["l", "like", "lt"])
    one = tokens_of("we like it")
    assert one.first is one.second


def test_characters_without_spaces_between_words_stand_alone() -> None:
    assert len(tokens_of("设备清单在机房").first) == 7
    assert len(tokens_of("カタカナ").first) == 4
    assert len(tokens_of("한국어").first) == 3
    assert len(tokens_of("данные в порядке").first) == 3


def test_what_a_number_means_is_in_the_plain_run_and_not_in_the_tokens() -> None:
    assert tokens_of("1.5 left").first == tokens_of("1 5 left").first
    assert runs("1.5 left") != runs("1 5 left")
    assert runs("it is -5 now") != runs("it is 5 now")
    assert runs("Maple, LEAF!") == runs("maple leaf")


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("four words are enough", True),
        ("three words only", False),
        ("extraordinarily longish words", True),
        ("anticonstitutionnellement", False),
        ("设备清单", True),
        ("设备清", False),
    ],
)
def test_from_four_tokens_or_twenty_characters_a_value_is_looked_for_inside(text: str, within: bool) -> None:
    assert is_found_within(text, len(tokens_of(text).first)) is within


@given(st.one_of(st.text(max_size=60), st.text(st.characters(max_codepoint=127), max_size=60)))
def test_every_token_has_a_place_and_both_forms(text: str) -> None:
    tokens, places = tokens_of(text), spans_of(text)
    assert len(tokens.first) == len(tokens.second) == len(places)
    assert all(tokens.first) and all(tokens.second)
    ends = [0, *(end for _, end in places)]
    assert all(0 <= before <= start < end for before, (start, end) in zip(ends, places, strict=False))


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_the_short_way_for_ascii_equals_the_long_way(text: str) -> None:
    # A symbol outside ASCII at the end sends the same text the long way.
    assert tokens_of(text + " →") == tokens_of(text)
    assert spans_of(text + " →") == spans_of(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gate code is maple", "the GATE code: is maple!"),
        ("Maple leaf", "“Maple,” leaf."),
        ("It is 1.5 m", "it is 1.5 M"),
        ("The gate code is maple", "Th\u0435 g\u0430te code is maple"),
        ("*Use* the flag", "use the _flag_"),
        ("Il caff\u00e8 apre", "il caffe\u0300 apre."),
        ("\u95e8\u7801\u662f\u67ab\u53f6", "\u95e8\u7801\uff0c\u662f\u67ab\u53f6\u3002"),
    ],
)
def test_texts_of_the_same_words_say_the_same(one: str, other: str) -> None:
    assert say_the_same(one, other) and say_the_same(other, one)


NEIGHBOURS = (
    ("My favourite language is C", "My favourite language is C++"),
    ("My favourite language is C++", "My favourite language is C#"),
    ("The check is retries < 5 in there", "The check is retries > 5 in there"),
    ("Set it when a == b in the build", "Set it when a != b in the build"),
    ("The discount for members is 5%", "The discount for members is 5"),
    ("The fee for members is $5", "The fee for members is 5"),
    ("The rule is !debug in production", "The rule is debug in production"),
    ("The gate opens at -5 degrees", "The gate opens at 5 degrees"),
    ("Our version is 1.5 of the app", "Our version is 15 of the app"),
    ("Use the modern one in the flat", "Use the modem one in the flat"),
    ("The gate code is maple", "The gate code is maple leaf"),
)


@pytest.mark.parametrize(("one", "other"), [*NEIGHBOURS, ("", ""), ("!", "!"), ("a", "")])
def test_a_sign_that_makes_another_word_makes_another_text(one: str, other: str) -> None:
    assert not say_the_same(one, other) and not say_the_same(other, one)


def test_without_signs_only_numbers_keep_theirs() -> None:
    def bare(text: str) -> str:
        return plain_run(text, spans_of(text), bare=True)

    assert bare("C++ costs $5, or 5% if a < b") == bare("c costs 5 or 5 if a b")
    assert bare("at -5 or 1.5") == "at -5 or 1.5" != bare("at 5 or 15")


@pytest.mark.parametrize(
    "text",
    [
        "So: the gate code, is maple!",
        "the gate code is maple",
        "We say th\u0435 g\u0430te code is maple leaf",
    ],
)
def test_a_text_holds_what_it_says_somewhere(text: str) -> None:
    assert holds(text, "The gate code is maple")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The gate code is oak", "The gate code is maple"),
        ("The gate code is maples", "The gate code is maple"),
        ("The gate", "The gate code is maple"),
        ("So it opens at -5 degrees today", "it opens at 5 degrees"),
        ("So he writes C++ all day", "he writes C"),
        ("anything", "!"),
        ("", "anything"),
    ],
)
def test_a_text_does_not_hold_what_it_says_otherwise(text: str, value: str) -> None:
    assert not holds(text, value)
