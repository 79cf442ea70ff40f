"""Is nothing passed over that says a text, or holds it, in whatever disguise?"""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from muniment.domain.carrying import (
    BEYOND,
    EVERY,
    WORD_CHARACTERS_MAX,
    WORDS_MAX,
    Words,
    may_carry,
    telling_words,
)
from muniment.domain.tokens import holds, say_the_same

VALUE = "The gate code is maple leaf"

WORDS = (
    [
        "modern",
        "modem",
        "gate",
        "maple",
        "leaf",
        "1.5",
        "15",
        "-5",
        "C++",
        "a|b",
        "Ill",
        "lll",
        "I0l1",
        "rn",
        "m",
        "O",
    ]
    + [
        "heute",
        "Stra\u00dfe",
        "strasse",
        "\u00fcber",
        "u\u0308ber",
        "caff\u00e8",
        "\ufb01sh",
        "fish",
        "\u95e8",
        "\u7801",
    ]
    + [
        "m\u043ede\u0433n",
        "\uff57\uff45\uff49\uff52",
        "weir",
        "\u0663",
        "\u00bd",
        "5\u338f",
        "5kg",
        "\U0001f130",
        "a",
    ]
    + [
        "\u00f8re",
        "ore",
        "\u00e6on",
        "aeon",
        "wo\u00adrd",
        "word",
        "_x_",
        "\u0131",
        "\u0130",
        "i",
        "st",
        "ands",
        "sta",
        "nds",
    ]
)
DISGUISES = {
    **{"a": "\u0430\uff41A", "e": "\u0435E\uff45", "o": "0\u043eO", "0": "oO", "l": "1I|L", "1": "lI"},
    **{"i": "\u0456I", "I": "l1|", "s": "\u0455S\uff33", "c": "\u0441C", "t": "T\uff34", "p": "\u0440P"},
    **{"d": "\u0501D", "r": "R", "m": "M\uff4d"},
}
PARTING = st.sampled_from([" ", " ", ", ", "\n", "-", " \u2014 ", "\u00a0", "", ".", "\u201c", "/"])
TEXTS = st.lists(st.tuples(st.sampled_from(WORDS), PARTING), min_size=1, max_size=6).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)


@st.composite
def in_disguise(draw: st.DrawFn, value: str) -> str:
    """Return what may say a value: letters drawn alike put in, two for one, other gaps, more around it."""
    said = value
    for pair in draw(
        st.lists(st.sampled_from([("rn", "m"), ("m", "rn"), ("\u00df", "ss"), (" ", ", ")]), max_size=2)
    ):
        said = said.replace(*pair)
    letters = [
        draw(st.sampled_from(DISGUISES[letter]))
        if letter in DISGUISES and draw(st.integers(0, 3)) == 0
        else letter
        for letter in said
    ]
    around = [
        draw(st.sampled_from(["", "So: ", "\u00fcber ", "It is "])),
        draw(st.sampled_from(["", " there", "!"])),
    ]
    return "".join(letters).join(around)


@st.composite
def values_and_carriers(draw: st.DrawFn) -> tuple[str, str]:
    """Return a value and what may carry it."""
    value = draw(st.one_of(TEXTS, st.just(VALUE), st.text(max_size=12)))
    return value, draw(st.one_of(in_disguise(value), TEXTS))


@settings(max_examples=600)
@given(values_and_carriers())
@example(("Use the m\u043edem now", "use the modern now"))
@example(("Use the modern now", "use the m\u043edem now"))
@example(("Die Stra\u00dfe ist heute modern", "die strasse ist heute rnodern"))
@example(("|", "|"))
@example(("5\u338f", "5KG"))
def test_nothing_is_passed_over_that_says_a_text_or_holds_it(both: tuple[str, str]) -> None:
    """The full reading is the reference: whatever it finds goes through the sieve."""
    value, text = both
    words = telling_words(value)
    if say_the_same(value, text) or holds(text, value):
        assert words is not None and may_carry((text,), (words,)), (value, text, words)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (VALUE, ("gate", "code", "maple", "leaf")),
        ("Remember: don\u2019t PANIC", ("remember", "don", "t", "panic")),
        ("Use the mod\u0435rn one", ("use", "the", "de", "e")),
        ("\u0456ll \u043en", EVERY),
        ("Die Stra\u00dfe ist heute glatt", ("st", "asse", "heute", "att")),
        ("Es ist heute sch\u00f6n", BEYOND),
        ("\u95e8\u7801\u662f\u67ab\u53f6", BEYOND),
        ("|", EVERY),
        ("?!", None),
        ("", None),
    ],
)
def test_the_longest_words_tell_and_in_disguise_the_letters_of_one_form(
    value: str, words: Words | None
) -> None:
    assert telling_words(value) == words
    assert words is None or len(words) <= WORDS_MAX


def test_other_texts_in_plain_letters_are_passed_over() -> None:
    maple = ("maple", "leaf")
    assert may_carry(("So, a MAPLE, a Leaf!",), (maple,)) and may_carry(("mapleleaf",), (maple,))
    assert not may_carry(("The leaf of a maple", "", "maple"), (maple,))
    assert not may_carry(("mapleaf",), (maple,)) and not may_carry(("leaf",), (maple,))
    assert may_carry(("The heron", "stands \u00fcber the weir"), (maple,))
    assert may_carry(("The heron",), (("otter",), ("heron",))) and not may_carry(
        ("The heron",), (("otter",),)
    )
    assert may_carry(("",), (EVERY,)) and not may_carry(("The heron",), (BEYOND,))
    assert not may_carry((), (EVERY,)) and not may_carry(("The heron",), ())


def test_of_a_long_word_the_beginning_is_asked_for_and_the_next_word_still_behind_it() -> None:
    long = "x" * 5_000
    words = telling_words(f"{long} heron")
    assert words == ("x" * WORD_CHARACTERS_MAX, "heron") and may_carry((f"So: {long}, HERON",), (words,))
    assert not may_carry((f"Heron and {'x' * (WORD_CHARACTERS_MAX - 1)}",), (words,))
    assert telling_words("x" * WORD_CHARACTERS_MAX) == ("x" * WORD_CHARACTERS_MAX,)
