"""Does a block come back from its file as it was, and is an outside edit told apart and merged?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.block import Block, rendered, splits
from muniment.domain.block_edit import Applied, Fault, FaultKind, Line, consolidated
from muniment.domain.block_file import (
    EMPTIED,
    LEFT_NAMES,
    NAMES,
    REFUSED,
    Left,
    entries_in,
    left_of,
    lines_for,
    merged,
    noted,
    spelled,
)
from muniment.gate.characters import checked

ENTRIES = st.lists(st.sampled_from(list("abcdefgh")), unique=True, max_size=6).map(tuple)


def is_entry(text: str) -> bool:
    """Return whether a block can hold a text: the gate lets it in and it stays as it is."""
    found = checked(text)
    return bool(text) and found.refused is None and found.text.strip() == text and not splits(text)


def test_each_block_has_a_file_and_a_note_of_its_own() -> None:
    assert list(NAMES.values()) == ["soul.md", "memory.md", "user.md"]
    assert len(set(LEFT_NAMES.values())) == len(Block)
    assert all(name.startswith(".") for name in LEFT_NAMES.values())


def test_a_file_holds_the_joined_text_and_nothing_else() -> None:
    assert spelled(()) == b""
    assert spelled(("tea", "milk \u00a7 4")) == "tea\n\u00a7\nmilk \u00a7 4".encode()


@given(st.lists(st.text(min_size=1).map(str.strip).filter(is_entry), max_size=5).map(tuple))
def test_entries_of_any_script_come_back_from_their_file(entries: tuple[str, ...]) -> None:
    assert entries_in(spelled(entries)) == entries
    assert entries_in(spelled(entries) + b"\n") == entries or not entries


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        (b"", ()),
        (b"\n", ()),
        (b"tea\n", ("tea",)),
        (b"\xef\xbb\xbftea\r\n\xc2\xa7\r\nmilk\r\n", ("tea", "milk")),
        ("one\ntwo \u00a7 three".encode(), ("one\ntwo \u00a7 three",)),
        (b"# A title: with 'signs' #1\n\n- of YAML", ("# A title: with 'signs' #1\n\n- of YAML",)),
    ],
)
def test_marks_and_line_ends_of_editors_are_normalised(content: bytes, entries: tuple[str, ...]) -> None:
    assert entries_in(content) == entries


@pytest.mark.parametrize(
    "text",
    [
        "tea\n\n", " tea", "tea ", "\ntea", "tea\n\u00a7\n", "tea\n\u00a7", " ",
        "tea\n\u00a7\n\n\u00a7\nmilk", "tea\n\u00a7\n milk", "tea\n\n\u00a7\nmilk",
    ],
)  # fmt: skip
def test_what_would_not_come_back_as_it_stands_has_no_entries(text: str) -> None:
    assert entries_in(text.encode()) is None


def test_a_delimiter_that_begins_a_file_is_a_text_of_its_own() -> None:
    """Only the whole delimiter parts; half of it at the end is refused, at the beginning it is a text."""
    assert entries_in("\u00a7\ntea".encode()) == ("\u00a7\ntea",)
    assert entries_in(spelled(("milk", "\u00a7\ntea"))) == ("milk", "\u00a7\ntea")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"tea\x80", b"\xed\xa0\x80"])
def test_what_is_no_utf_8_is_no_text(content: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        entries_in(content)


@pytest.mark.parametrize(
    ("base", "now", "edited", "became"),
    [
        ("ab", "abc", "ab", "abc"),
        ("ab", "ab", "abd", "abd"),
        ("ab", "abc", "abd", "abcd"),
        ("ab", "abc", "a", "ac"),
        ("ab", "b", "abd", "bd"),
        ("ab", "xb", "yb", "xby"),
        ("ab", "ab", "ba", "ab"),
        ("", "c", "d", "cd"),
        ("a", "", "a", ""),
        ("a", "ab", "acc", "abcc"),
    ],
)
def test_two_changes_meet_by_whole_entries(base: str, now: str, edited: str, became: str) -> None:
    assert "".join(merged(base, now, edited)) == became


@given(ENTRIES, ENTRIES, ENTRIES)
def test_a_meeting_loses_nothing_that_either_side_wrote(
    base: tuple[str, ...], now: tuple[str, ...], edited: tuple[str, ...]
) -> None:
    found = merged(base, now, edited)
    assert len(set(found)) == len(found)
    assert set(now) - set(base) <= set(found) and set(edited) - set(base) <= set(found)
    assert not (set(base) - set(edited)) & set(found) - (set(now) - set(base))
    assert merged(base, found, edited) == found, "a second meeting changes nothing"


@given(ENTRIES, ENTRIES)
def test_the_lines_of_an_edit_lead_to_what_the_file_holds(
    entries: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    found = consolidated(Block.MEMORY, entries, lines_for(entries, wanted))
    if entries == wanted:
        assert isinstance(found, Fault) and found.kind is FaultKind.UNCHANGED
    elif not wanted:
        assert isinstance(found, Fault) and found.kind is FaultKind.EMPTIES
    else:
        assert isinstance(found, Applied)
        assert (found.after, found.replaced) == (wanted, ())
        assert set(found.dropped) == set(entries) - set(wanted)


def test_an_entry_that_stands_twice_is_new_the_second_time() -> None:
    lines = lines_for(("tea",), ("tea", "tea"))
    assert lines == (Line(old="tea", keep=True, pinned=True), Line(text="tea"))
    found = consolidated(Block.MEMORY, ("tea",), lines)
    assert isinstance(found, Fault) and found.kind is FaultKind.DUPLICATE


def test_a_note_comes_back_and_holds_no_text() -> None:
    left = Left("b_1", "ab" * 32, "cd" * 32, EMPTIED, "memory.md.bak.20260105T093000Z")
    assert left_of(noted(left)) == left
    assert left_of(noted(Left("", ""))) == Left("", "")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"line": "b_1"}', b"\xff", b"[" * 100_000, noted(Left("b", "d"))[:-5]],
)
def test_a_note_that_was_cut_or_altered_says_nothing(content: bytes) -> None:
    assert left_of(content) is None
    assert left_of(noted(Left("b", "d")).replace(b'"b"', b"7")) is None


def test_each_reason_of_a_file_reads_as_the_end_of_a_sentence() -> None:
    assert all(said[0].islower() and not said.endswith(".") for said in REFUSED.values())
    assert rendered(()) == ""
