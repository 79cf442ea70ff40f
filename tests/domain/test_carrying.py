"""Is nothing passed over that says a text, or holds it, in whatever disguise?"""

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from muniment.domain.canonical import look_alike, plain
from muniment.domain.carrying import (
    EVERY,
    PLAIN,
    WORD_CHARACTERS_MAX,
    WORDS_MAX,
    Glance,
    Words,
    is_plain,
    may_carry,
    telling_words,
)
from muniment.domain.tokens import holds, say_the_same, tokens_of

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
        assert Glance(value).may_carry(text), (value, text)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (VALUE, ("gate", "code", "maple", "leaf")),
        ("Remember: don\u2019t PANIC", ("remember", "don", "t", "panic")),
        ("Use the mod\u0435rn one", ("use", "the", "de", "e")),
        ("\u0456ll \u043en", EVERY),
        ("5\u338f of it", ("5kg", "f", "t")),
        ("Die Stra\u00dfe ist heute glatt", ("st", "asse", "heute", "att")),
        ("Es ist heute sch\u00f6n", ("es", "st", "heute")),
        ("Caff\u00e8 \u00e8", EVERY),
        ("\u95e8\u7801\u662f\u67ab\u53f6", ("\u95e8", "\u7801", "\u662f", "\u67ab")),
        ("\u4e00\u6237 \u53e3", ("\u6237",)),
        ("\ubb38\uc740 \ube68\uac15", ("\ubb38", "\uc740", "\ube68", "\uac15")),
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


def test_other_texts_in_plain_characters_are_passed_over() -> None:
    maple = ("maple", "leaf")
    assert may_carry(("So, a MAPLE, a Leaf!",), (maple,)) and may_carry(("mapleleaf",), (maple,))
    assert not may_carry(("The leaf of a maple", "", "maple"), (maple,))
    assert not may_carry(("mapleaf",), (maple,)) and not may_carry(("leaf",), (maple,))
    assert not may_carry(("It\u2019s \u00fcber the weir \u2014 \u6771\u4eac", "\ubb38"), (maple,))
    assert may_carry(("The heron", "stands \u043ever the weir"), (maple,))
    assert may_carry(("The heron",), (("otter",), ("heron",))) and not may_carry(
        ("The heron",), (("otter",),)
    )
    assert may_carry(("",), (EVERY,)) and not may_carry((), (EVERY,)) and not may_carry(("The heron",), ())


def plain_characters() -> list[str]:
    """Return the characters of the class, written out."""
    found: list[str] = []
    for part in re.findall("(?s).-.|.", PLAIN):
        first, last = part[0], part[-1]
        found += map(chr, range(ord(first), ord(last) + 1))
    return found


def test_a_plain_character_stands_for_no_letter_or_digit_of_ascii_but_itself() -> None:
    for char in plain_characters()[127:]:
        tokens, form = tokens_of(f"a{char}b"), plain(char)
        assert not any(one.isascii() and one.isalnum() for one in form), char
        if tokens.first == tokens.second == ["a", "b"]:
            assert not char.isalpha(), f"{char} only parts words"
            continue
        assert not any(one.isascii() for key in look_alike(char) for one in key if key.isascii()), char
        for form_of_all in (tokens.first, tokens.second):
            (own,) = (one for one in form_of_all if one not in ("a", "b"))
            assert not own.isascii(), char
        assert unicodedata.category(char)[0] in "LS", f"{char} is no mark that joins a letter"


def test_a_character_that_tells_is_the_only_plain_one_of_its_forms() -> None:
    letters = [char for char in plain_characters() if ord(char) > 127 and char.isalpha()]
    forms = Counter(form for char in letters for form in {*look_alike(char), plain(char)})
    telling = [char for char in letters if telling_words(char) == (char,)]
    assert len(telling) > 30_000
    for char in telling:
        assert all(forms[form] == 1 for form in {*look_alike(char), plain(char)}), char
        assert char.lower() == char.upper() == plain(char) == char


def test_what_is_no_plain_character_is_told() -> None:
    assert is_plain("") and is_plain(VALUE) and is_plain("It\u2019s \u00fcber \u6771\u4eac \u2014 \u20ac 5")
    for odd in "\u0430\u00df\u00f8\u00e6\u0131\u0308\u200b\uff41\u0663\u00bd\u338f\u3099\u2460\ud83c":
        assert not is_plain(f"a{odd}b"), odd


def test_at_a_glance_a_word_that_is_not_there_takes_a_disguise() -> None:
    glance = Glance(VALUE)
    assert (
        glance.may_carry("So, the GATE code is a maple leaf")
        and glance.may_carry("th3 gate c0de is maple") is False
    )
    for count, text in enumerate(
        ["The gate code is maple le\u0430f", "The gate code is m\u0430ple le\u0430f"]
    ):
        assert glance.may_carry(text)
        assert not glance.may_carry(text.replace("gate", "weir").replace("\u0430", "a", count + 1))
    assert not glance.may_carry("Die Stra\u00dfe ist glatt") and not glance.may_carry(
        "\u6771\u4eac \u2014 \u00fcber"
    )
    assert Glance("?!").may_carry("anything") and Glance("|").may_carry("")


def test_of_a_long_word_the_beginning_is_asked_for_and_the_next_word_still_behind_it() -> None:
    long = "x" * 5_000
    words = telling_words(f"{long} heron")
    assert words == ("x" * WORD_CHARACTERS_MAX, "heron") and may_carry((f"So: {long}, HERON",), (words,))
    assert not may_carry((f"Heron and {'x' * (WORD_CHARACTERS_MAX - 1)}",), (words,))
    assert telling_words("x" * WORD_CHARACTERS_MAX) == ("x" * WORD_CHARACTERS_MAX,)
