"""Does nothing on its way to a screen act on it, overflow it, or get lost?"""

import io
import json
import os
import subprocess
import sys
import unicodedata
from contextlib import redirect_stderr

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.surfaces.cli import screen
from muniment.surfaces.cli.screen import (
    ALWAYS_WRAP,
    COLUMNS_MAX,
    aside,
    carries,
    cells,
    command,
    document,
    pairs,
    person_looks,
    safe,
    sentence,
    shortened,
    table,
    tell,
    wrapped,
)
from tests.conftest import ROOT

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
WIDE = "\u6771\u4eac\u306f\u96e8"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words", "plain words"),
        ("Zoë 東京 🍵", "Zoë 東京 🍵"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\x00\x07\x7f", "a\\x00\\x07\\x7f"),
        ("a\x9bb", "a\\x9bb"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
        ("\ufeffa", "\\ufeffa"),
        ("a\ud800b", "a\\ud800b"),
        ("a\U000e0041b", "a\\U000e0041b"),
        ("\u200c\u200d", "\u200c\u200d"),
        ("a\u00adb", "a\\xadb"),
        ("", ""),
    ],
)
def test_what_could_act_on_a_screen_is_spelled_out(text: str, shown: str) -> None:
    assert safe(text) == shown


@settings(max_examples=60)
@given(ANY_TEXT)
def test_any_text_is_shown_on_one_line_without_a_control(text: str) -> None:
    shown = safe(text)
    assert len(shown.splitlines()) <= 1
    kept = {character for character in shown if unicodedata.category(character) in ("Cc", "Cf", "Cs")}
    assert kept <= {"\u200c", "\u200d"}
    assert safe(shown) == shown


def test_a_line_break_stays_one_only_when_lines_are_asked_for() -> None:
    assert safe("a\nb", lines=True) == "a\nb"
    assert safe("a\nb") == "a\\nb"
    assert safe("a\r\nb\x0bc", lines=True) == "a\\r\nb\\x0bc"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        (WIDE, 8),
        ("e\u0301", 1),
        ("\uff21", 2),
        ("a\u200db", 2),
        ("\u0e01\u0e34", 1),
        ("\u00e9", 1),
    ],
)
def test_a_text_takes_the_columns_that_a_terminal_gives_it(text: str, columns: int) -> None:
    assert cells(text) == columns


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 20, [""]),
        ("one two", 20, ["one two"]),
        ("one two three", 8, ["one two", "three"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 6, ["one", "two", "three"]),
        ("onetwothree", 4, ["onet", "woth", "ree"]),
        ("a onetwothree b", 5, ["a", "onetw", "othre", "e b"]),
        ("one\ntwo", 20, ["one", "two"]),
        ("one\n\ntwo", 20, ["one", "", "two"]),
        ("one  two", 20, ["one  two"]),
        ("  indented", 20, ["  indented"]),
        ("  one two", 6, ["  one", "two"]),
        (WIDE, 4, ["\u6771\u4eac", "\u306f\u96e8"]),
        (WIDE, 5, ["\u6771\u4eac", "\u306f\u96e8"]),
        ("a\x1bb", 20, ["a\\x1bb"]),
        ("see `one two`.", 11, ["see", "`one two`."]),
        ("see `one two`.", 10, ["see", "`one two`."]),
        ("see `one two`.", 9, ["see `one", "two`."]),
        ("see `one two", 9, ["see `one", "two"]),
        ("`a b` or `c d`", 9, ["`a b` or", "`c d`"]),
        ("`a b` or `c d` e", 5, ["`a b`", "or", "`c d`", "e"]),
    ],
)
def test_a_text_is_wrapped_at_words_and_long_words_are_broken(
    text: str, width: int, lines: list[str]
) -> None:
    assert wrapped(text, width=width) == lines


def test_the_first_line_has_its_own_beginning() -> None:
    assert wrapped("one two three", indent="    ", first="  * ", width=11) == ["  * one two", "    three"]
    assert wrapped("one two three", indent="  ", width=9) == ["  one two", "  three"]
    assert wrapped("", indent="  ", first="* ") == ["* "]


@settings(max_examples=60)
@given(ANY_TEXT, st.integers(8, 30), st.sampled_from(["", "  ", "    "]))
def test_no_line_is_wider_than_it_may_be_and_no_character_is_lost(text: str, width: int, indent: str) -> None:
    lines = wrapped(text, indent=indent, width=width)
    assert all(cells(line) <= width for line in lines)
    assert all(line.startswith(indent) for line in lines)
    bare = "".join(line[len(indent) :] for line in lines)
    assert "".join(bare.split(" ")) == "".join(safe(text, lines=True).replace("\n", "").split(" "))


def test_a_beginning_that_is_half_blank_keeps_room_for_words() -> None:
    lines = wrapped(" " * 50 + "word", width=20)
    assert "word" in "".join(lines)
    assert all(cells(line) <= 20 for line in lines)


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("short", 5, "short"),
        ("shorts", 5, "sh..."),
        ("a b c d e f", 8, "a b c..."),
        ("a\n b\t\tc", 20, "a b c"),
        ("", 3, ""),
        ("   ", 3, ""),
        ("abcd", 3, "..."),
    ],
)
def test_a_cut_is_said_and_fits(text: str, most: int, shown: str) -> None:
    assert shortened(text, characters_max=most) == shown
    assert len(shown) <= most


@settings(max_examples=40)
@given(ANY_TEXT, st.integers(3, 30))
def test_a_shortened_text_is_whole_or_ends_in_three_points(text: str, most: int) -> None:
    shown, whole = shortened(text, characters_max=most), " ".join(text.split())
    assert len(shown) <= most
    assert shown == whole or (shown.endswith("...") and whole.startswith(shown[:-3]))


@pytest.mark.parametrize(
    ("text", "whole"),
    [("no end", "no end."), ("ends.", "ends."), ("really?", "really?"), ("stop!", "stop!"), (" x ", "x.")],
)
def test_a_sentence_ends_as_one_does(text: str, whole: str) -> None:
    assert sentence(text) == whole


class Spoken(io.StringIO):
    """A stream that says which encoding it has."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._said = encoding

    @property
    def encoding(self) -> str:
        return self._said


@pytest.mark.parametrize(
    ("encoding", "arrow"),
    [("utf-8", "\u2192"), ("cp1252", "->"), ("ascii", "->"), ("no-such", "->"), ("", "->")],
)
def test_an_arrow_is_one_that_the_stream_can_carry(encoding: str, arrow: str) -> None:
    with redirect_stderr(Spoken(encoding)):
        assert screen.arrow() == arrow
        assert carries("-") is (encoding != "no-such")


def test_a_document_is_ascii_that_any_screen_shows(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"a": "é東🍵\x1b\x7f\u2028\ud800", "b": [1, None]}
    document(value)
    written = capsys.readouterr().out
    assert written.isascii()
    assert json.loads(written) == value
    assert not [character for character in written if not (character.isprintable() or character == "\n")]


def test_names_and_values_are_aligned_and_empty_ones_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    pairs([("a", "1"), ("long", "two"), ("gone", ""), ("b", "0")], indent=" ")
    assert capsys.readouterr().out == " a     1\n long  two\n b     0\n"
    pairs([])
    pairs([("a", "")])
    assert capsys.readouterr().out == ""


def test_a_value_of_several_lines_stays_under_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    pairs([("name", "one\ntwo")])
    assert capsys.readouterr().out == "name  one\n      two\n"


def test_a_table_is_aligned_by_what_a_terminal_shows(capsys: pytest.CaptureFixture[str]) -> None:
    table(["id", "text"], [["1", WIDE], ["22", "b\x1b"], ["", ""]])
    lines = capsys.readouterr().out.split("\n")
    assert lines == ["id  text", f"1   {WIDE}", "22  b\\x1b", "", ""]


def test_a_table_without_rows_is_its_headings(capsys: pytest.CaptureFixture[str]) -> None:
    table(["id", "text"], [])
    assert capsys.readouterr().out == "id  text\n"


def test_a_pipe_gets_a_text_as_it_is_and_a_person_gets_it_wrapped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    long = "word " * 40
    tell(long, first="* ", indent="  ")
    assert capsys.readouterr().out == f"* {long}".rstrip() + "\n"
    with click.Context(click.Command("x")) as context:
        context.meta[ALWAYS_WRAP] = True
        tell(long, first="* ", indent="  ")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= COLUMNS_MAX
    assert lines[0].startswith("* word") and lines[1].startswith("  word")


def test_a_text_of_several_lines_is_indented_in_a_pipe_too(capsys: pytest.CaptureFixture[str]) -> None:
    tell("one\ntwo\x1b", first="* ", indent="  ")
    assert capsys.readouterr().out == "* one\n  two\\x1b\n"


def test_a_command_to_copy_is_never_broken_at_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "muniment --key @" + "d/" * COLUMNS_MAX + "owner.key status"
    monkeypatch.setattr(screen, "person_looks", lambda: True)
    command(long)
    assert capsys.readouterr().out == f"  {long}\n"
    command("a\x1bb\nc")
    assert capsys.readouterr().out == "  a\\x1bb\\nc\n"


def test_an_aside_goes_to_the_person_and_not_into_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    aside("careful\x1b")
    written = capsys.readouterr()
    assert (written.out, written.err) == ("", "careful\\x1b\n")


def test_only_an_open_terminal_is_looked_at_by_a_person() -> None:
    assert not person_looks(io.StringIO())
    closed = io.StringIO()
    closed.close()
    assert not person_looks(closed)
    main, other = os.openpty()
    with os.fdopen(other, "w") as terminal:
        assert person_looks(terminal)
    os.close(main)


@pytest.mark.parametrize(("width", "columns"), [("200", COLUMNS_MAX), ("60", 60), ("5", 20), ("x", 80)])
def test_a_line_is_as_wide_as_the_terminal_within_bounds(
    monkeypatch: pytest.MonkeyPatch, width: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert screen.columns() == columns


def test_what_a_narrow_encoding_cannot_carry_is_spelled_out() -> None:
    script = "from muniment.surfaces.cli.screen import settle_streams, tell; settle_streams(); tell('é東')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "latin-1"},
    )
    assert done.stdout == b"\xe9\\u6771\n"


def test_a_reader_that_went_away_makes_no_noise() -> None:
    script = (
        "import sys; from muniment.surfaces.cli.screen import hush, tell\n"
        "sys.stdout.write('x' * 10); hush(); tell('more')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_fault_an_aside_is_wider_than_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "  whole: " + "word " * 40
    aside(said)
    assert capsys.readouterr().err == f"{said}\n", "a pipe gets it as it is"
    monkeypatch.setattr(screen, "person_looks", lambda stream=None: True)
    aside(said)
    first, *further = capsys.readouterr().err.splitlines()
    assert first.startswith("  whole: word") and further
    assert all(line.startswith("    word") for line in further)
    assert max(map(len, [first, *further])) <= COLUMNS_MAX
