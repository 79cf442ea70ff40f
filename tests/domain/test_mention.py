"""Is a text found wherever it stands, in any spelling, and nowhere else?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.evidence import Span
from muniment.domain.mention import (
    Search,
    identifiers,
    merged,
    moved,
    sentences,
    wanted,
    without,
    words_of,
)

MARK = "[erased]"


def found(text: str, asked: str, *, identifier: bool = False) -> list[str]:
    """Return the parts of a text in which another stands."""
    places = Search([wanted(asked, identifier=identifier)]).places(text)
    return [text[span.start : span.end] for span in places.get(0, ())]


@pytest.mark.parametrize(
    ("text", "asked", "parts"),
    [
        ("The quay opens at six.", "the quay opens", ["The quay opens"]),
        ("The  quay\nOPENS at six", "the quay opens", ["The  quay\nOPENS"]),
        ("the quay, opens: at six", "quay opens at", ["quay, opens: at"]),
        ("\uff34\uff28\uff25 quay opens", "the quay", ["\uff34\uff28\uff25 quay"]),
        ("a quay and a quay", "quay", ["quay", "quay"]),
        ("the qu\u200bay opens", "the quay", ["the qu\u200bay"]),
        ("the que\u0301 opens", "the qu\u00e9", ["the que\u0301"]),
        ("\u8bbe\u5907\u6e05\u5355\u5728\u673a\u623f", "\u6e05\u5355", ["\u6e05\u5355"]),
        ("quayside opens", "quay", []),
        ("the quay never opens", "the quay opens", []),
        ("opens the quay", "quay opens", []),
        ("", "quay", []),
    ],
)
def test_a_text_is_found_word_by_word(text: str, asked: str, parts: list[str]) -> None:
    assert found(text, asked) == parts


@pytest.mark.parametrize(
    ("text", "asked", "parts"),
    [
        ("write to alice@acme.io now", "alice@acme.io", ["alice@acme.io"]),
        ("write to ALICE@acme.io.", "alice@acme.io", ["ALICE@acme.io"]),
        ("(alice@acme.io)", "alice@acme.io", ["alice@acme.io"]),
        ("write to alice.smith@acme.io", "alice@acme.io", []),
        ("write to alice@acme.io.uk", "alice@acme.io", []),
        ("write to x.alice@acme.io", "alice@acme.io", []),
        ("write to malice@acme.io", "alice@acme.io", []),
        ("call 555 010 9999 today", "555-010-9999", ["555 010 9999"]),
        ("call 5550109999 today", "555-010-9999", ["5550109999"]),
        ("call 55501099990 today", "555-010-9999", []),
        ("code QZ7HERON4417", "QZ7-HERON-4417", ["QZ7HERON4417"]),
        ("code QZ7-HERON-44170", "QZ7-HERON-4417", []),
        ("code AQZ7-HERON-4417", "QZ7-HERON-4417", []),
        ("code X-QZ7-HERON-4417", "QZ7-HERON-4417", []),
    ],
)
def test_an_identifier_is_one_piece_and_never_a_part_of_a_longer_one(
    text: str, asked: str, parts: list[str]
) -> None:
    assert found(text, asked, identifier=True) == parts


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("write to alice@acme.io, please", ("alice@acme.io",)),
        ("my code is QZ7-HERON-4417.", ("QZ7-HERON-4417",)),
        ("call +1 555 010 9999 or not", ("+1 555 010 9999",)),
        ("it is 48213 now", ("48213",)),
        ("on 2026-03-01 and 01.03.2026", ()),
        ("the three otters swim", ()),
        ("version 1.5 of it", ()),
        ("a1 b2", ()),
        ("alice@acme.io and again alice@acme.io", ("alice@acme.io",)),
    ],
)
def test_addresses_numbers_and_codes_are_identifiers(text: str, known: tuple[str, ...]) -> None:
    assert identifiers(text) == known


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("One point 1.5 stays. Two.", ["One point 1.5 stays.", "Two."]),
        ("a@b.io stays whole. Two", ["a@b.io stays whole.", "Two"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("  ", []),
        ("\u6e2f\u53e3\u5f00\u3002\u95e8\u5173\u3002", ["\u6e2f\u53e3\u5f00\u3002", "\u95e8\u5173\u3002"]),
    ],
)
def test_a_text_falls_into_sentences(text: str, parts: list[str]) -> None:
    assert [text[one.start : one.end] for one in sentences(text)] == parts


def test_several_texts_are_looked_for_at_once() -> None:
    search = Search([wanted("quay"), wanted("otter"), wanted("never")])
    assert sorted(search.places("an otter at the quay")) == [0, 1]
    assert search.places("nothing of it") == {}
    assert search.any_in("", "an otter")
    assert not search.any_in("", "a beaver")


def test_what_has_no_word_finds_nothing() -> None:
    assert Search([wanted("..."), wanted("")]).places("... !") == {}


@settings(max_examples=200)
@given(st.text(max_size=40), st.text(max_size=40))
def test_a_text_of_words_is_found_between_others(before: str, behind: str) -> None:
    text = f"{before} the otter sleeps {behind}"
    assert "the otter sleeps" in found(text, "the otter sleeps")


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_words_stand_where_they_say(text: str) -> None:
    words = words_of(text)
    assert all(0 <= one.start < one.end <= len(text) for one in words)
    assert [one.start for one in words] == sorted({one.start for one in words})


def test_spans_that_meet_become_one() -> None:
    assert merged([Span(5, 8), Span(0, 2), Span(2, 3), Span(6, 7)]) == (Span(0, 3), Span(5, 8))
    assert merged([]) == ()


def test_a_text_comes_back_without_its_parts() -> None:
    assert without("abcdefgh", [Span(2, 4), Span(6, 7)], mark="-") == "ab-ef-h"
    assert without("abc", [], mark="-") == "abc"
    assert without("abc", [Span(0, 3)], mark="-") == "-"


@pytest.mark.parametrize(
    ("span", "left"),
    [
        (Span(0, 4), "The "),
        (Span(13, 18), "opens"),
        (Span(4, 8), None),
        (Span(5, 7), None),
        (Span(0, 12), "The [erased] at"),
        (Span(6, 12), "[erased] at"),
        (Span(2, 6), "e [erased]"),
    ],
)
def test_a_span_moves_with_the_text_around_it(span: Span, left: str | None) -> None:
    text, gone = "The quay at  opens late", [Span(4, 8)]
    cleared = without(text, gone, mark=MARK)
    place = moved(span, gone, mark=MARK)
    assert (None if place is None else cleared[place.start : place.end].rstrip(" ")) == (
        None if left is None else left.rstrip(" ")
    )


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=4),
    st.integers(0, 40),
    st.integers(1, 9),
)
def test_a_span_beside_what_goes_keeps_its_words(
    cuts: list[tuple[int, int]], start: int, length: int
) -> None:
    text = "".join(chr(ord("a") + n % 26) for n in range(60))
    gone = merged([Span(at, at + size) for at, size in cuts])
    span = Span(start, start + length)
    touched = any(one.start < span.end and span.start < one.end for one in gone)
    place = moved(span, gone, mark=MARK)
    if not touched:
        assert place is not None
        assert without(text, gone, mark=MARK)[place.start : place.end] == text[span.start : span.end]
    elif place is not None:
        assert MARK in without(text, gone, mark=MARK)[place.start : place.end]
