"""Does the joined text of a block come apart into the same entries, and is an entry found or asked for?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import limits
from muniment.domain.block import (
    BOUNDS,
    DELIMITER,
    Block,
    characters,
    found,
    parsed,
    preview,
    rendered,
    sameness,
    splits,
    usage,
)

# Texts of the pieces that could part an entry in the wrong place.
TEXTS = st.lists(st.sampled_from(["\u00a7", "\n", "a", "b c", " "]), min_size=1, max_size=8).map("".join)
ENTRIES = st.lists(TEXTS.map(str.strip).filter(lambda text: bool(text) and not splits(text)), max_size=6)


@given(ENTRIES)
def test_a_joined_text_comes_apart_into_the_same_entries(entries: list[str]) -> None:
    assert parsed(rendered(entries)) == tuple(entries)


@pytest.mark.parametrize("text", ["a\n\u00a7\nb", "a\n\u00a7", DELIMITER])
def test_a_text_that_would_come_back_as_two_is_seen(text: str) -> None:
    assert splits(text)
    assert parsed(rendered([text, "x"])) != (text, "x")


@pytest.mark.parametrize("text", ["\u00a7", "see \u00a7 4", "\u00a7\nb", "a \u00a7\nb"])
def test_a_bare_section_sign_is_an_entrys_own(text: str) -> None:
    assert not splits(text)
    assert parsed(rendered(["first", text, "last"])) == ("first", text, "last")


def test_a_byte_order_mark_and_windows_line_ends_are_normalised_on_reading() -> None:
    assert parsed("\ufefffirst\r\n\u00a7\r\nsecond\r\nline") == ("first", "second\nline")
    assert parsed("") == ()
    assert parsed("\ufeff") == ()


def test_the_bound_counts_code_points_of_the_joined_text() -> None:
    assert characters(["\U0001f600", "b"]) == 1 + len(DELIMITER) + 1
    assert characters([]) == 0
    assert {block.value: bound for block, bound in BOUNDS.items()} == {
        "soul": 4_000,
        "memory": 2_200,
        "user": 1_375,
    }


def test_the_usage_says_the_share_and_both_numbers_and_never_rounds_up() -> None:
    assert usage(Block.MEMORY, ["x" * 1_364]) == "62% (1,364 of 2,200)"
    assert usage(Block.MEMORY, ["x" * 2_199]) == "99% (2,199 of 2,200)"
    assert usage(Block.MEMORY, ["x" * 2_200]) == "100% (2,200 of 2,200)"
    assert usage(Block.USER, []) == "0% (0 of 1,375)"


def test_a_preview_is_one_line_and_says_when_it_was_cut() -> None:
    most = limits.entry_preview_characters_max
    assert preview("one\n two") == "one two"
    assert preview("x" * most) == "x" * most
    assert preview("x" * (most + 1)) == "x" * (most - 1) + "\u2026"


def test_a_whole_entry_is_meant_before_a_part_of_another() -> None:
    entries = ("tea", "tea at four", "coffee")
    assert found(entries, "tea").place == 0
    assert found(entries, "coff").place == 2
    assert found(entries, "tea at").place == 1


def test_several_and_none_are_no_match() -> None:
    assert found(("tea at four", "tea at five"), "tea").places == (0, 1)
    assert found(("tea",), "coffee").places == ()
    assert found(("tea",), "").places == ()
    assert found(("tea", "tea"), "tea").places == (0, 1)


def test_entries_are_the_same_but_for_case_spacing_and_composition() -> None:
    assert sameness("Caf\u00e9  noir") == sameness("cafe\u0301 NOIR")
    assert sameness("caf\u00e9") != sameness("cafe")
    assert sameness("\u200b") == "\u200b", "what folds to nothing is only the same as itself"
