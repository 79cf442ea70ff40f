"""Is our own JSONL read exactly, and is every broken line set aside with its number?"""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment import limits
from muniment.adapters.importers import arrivals
from muniment.domain.evidence import Arrival, BadLine, Role
from muniment.errors import BadInput, Unreadable


def turn(text: str = "hello", **more: object) -> dict[str, object]:
    return {"session": "s", "role": "user", "text": text} | more


def read(tmp_path: Path, *values: object, raw: bytes = b"") -> list[Arrival | BadLine]:
    path = tmp_path / "talk.jsonl"
    path.write_bytes(raw or "".join(json.dumps(value) + "\n" for value in values).encode())
    return list(arrivals(path, format="jsonl"))


def only(items: list[Arrival | BadLine]) -> Arrival:
    (item,) = items
    assert isinstance(item, Arrival)
    return item


def bad(items: list[Arrival | BadLine]) -> list[tuple[int, str]]:
    return [(item.line, item.why) for item in items if isinstance(item, BadLine)]


def test_every_key_of_a_line_arrives(tmp_path: Path) -> None:
    value = turn(
        "  Grüße\n",
        id="t1",
        speaker="Zoë",
        at="2026-03-01T10:00:00+01:00",
        parent="t0",
        untrusted=True,
        title="Hi",
        mood="odd",
    ) | {"class": "secret"}
    assert only(read(tmp_path, value)) == Arrival(
        session="s",
        origin="t1",
        role=Role.USER,
        speaker="Zoë",
        text="  Grüße\n",
        occurred_at=datetime(2026, 3, 1, 9, tzinfo=UTC),
        parent="t0",
        untrusted=True,
        data_class="secret",
        title="Hi",
    )


def test_what_a_line_leaves_out_has_a_plain_default(tmp_path: Path) -> None:
    item = only(read(tmp_path, turn(role="tool")))
    assert (item.role, item.speaker, item.occurred_at) == (Role.TOOL_RESULT, "tool_result", None)
    assert (item.parent, item.untrusted, item.data_class, item.title) == ("", None, "", "")


def test_a_file_cannot_loosen_a_label(tmp_path: Path) -> None:
    """`untrusted: false` on a tool's result would make foreign words trusted."""
    assert only(read(tmp_path, turn(role="tool_result", untrusted=False))).untrusted is None
    assert only(read(tmp_path, turn(role="user", untrusted=True))).untrusted is True


def test_the_same_file_twice_gives_the_same_origins(tmp_path: Path) -> None:
    values = [turn("a"), turn("b"), turn("a"), turn("a", session="other")]
    first, second = read(tmp_path, *values), read(tmp_path, *values)
    assert first == second


def test_the_same_words_twice_in_one_file_are_two_turns(tmp_path: Path) -> None:
    items = read(tmp_path, turn("yes"), turn("yes"), turn("yes", at="2026-01-01"))
    assert len({item.origin for item in items if isinstance(item, Arrival)}) == 3


def test_a_line_added_before_does_not_rename_the_ones_after(tmp_path: Path) -> None:
    short = read(tmp_path, turn("a"), turn("b"))
    longer = read(tmp_path, turn("new"), turn("a"), turn("b"))
    assert longer[1:] == short


def test_an_id_used_for_two_texts_is_a_bad_line(tmp_path: Path) -> None:
    items = read(tmp_path, turn("a", id="1"), turn("b", id="1"), turn("a", id="1"))
    assert bad(items) == [(2, "another line has the same id and says something else")]
    assert [item.origin for item in items if isinstance(item, Arrival)] == ["1", "1"]


def test_a_byte_order_mark_carriage_returns_and_blank_lines_are_no_content(tmp_path: Path) -> None:
    line = json.dumps(turn("x")).encode()
    items = read(tmp_path, raw=b"\xef\xbb\xbf" + line + b"\r\n\r\n  \n" + line)
    assert [type(item) for item in items] == [Arrival, Arrival]


def test_a_byte_order_mark_further_down_is_a_bad_line(tmp_path: Path) -> None:
    line = json.dumps(turn("x")).encode()
    assert bad(read(tmp_path, raw=line + b"\n\xef\xbb\xbf" + line)) == [(2, "the line is not JSON")]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"\xff\xfe{}", "the line is not UTF-8"),
        (b'{"session": "s", "role": "user", "text": "caf\xe9"}', "the line is not UTF-8"),
        (b'{"session": "s",', "the line is not JSON"),
        (b'{"session": "s", "role": "user", "text": "a\0b"}', "the line is not JSON"),
        (b'"text"', "the line is JSON but not an object"),
        (b"[1]", "the line is JSON but not an object"),
        (b"null", "the line is JSON but not an object"),
        (b"[" * 200_000, "the line is nested too deeply"),
        (b"9" * 10_000, "the line is not JSON"),
    ],
)
def test_a_line_that_is_no_object_is_set_aside_and_the_next_is_read(
    tmp_path: Path, raw: bytes, why: str
) -> None:
    items = read(tmp_path, raw=raw + b"\n" + json.dumps(turn("after")).encode())
    assert bad(items) == [(1, why)]
    assert only(items[1:]).text == "after"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"session": " "}, "session is missing or empty"),
        ({"session": 7}, "session is missing or empty"),
        ({"role": "narrator"}, "role is missing or not one of ours"),
        ({"role": ["user"]}, "role is missing or not one of ours"),
        ({"role": "none"}, "role is missing or not one of ours"),
        ({"text": " \n"}, "text is missing or empty"),
        ({"text": {"a": 1}}, "text is missing or empty"),
        ({"id": 7}, "id is not a string"),
        ({"speaker": "x" * 201}, "speaker is longer than a name may be"),
        ({"at": "yesterday"}, "at is not an RFC 3339 time with a zone, nor a date"),
        ({"at": "2026-03-01T10:00:00"}, "at is not an RFC 3339 time with a zone, nor a date"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at is not an RFC 3339 time with a zone, nor a date"),
        ({"at": 1767225600}, "at is not an RFC 3339 time with a zone, nor a date"),
        ({"untrusted": "no"}, "untrusted is neither true nor false"),
        ({"class": "open"}, "class is not one of public, private and secret"),
    ],
)
def test_a_line_with_an_impossible_value_is_set_aside(
    tmp_path: Path, change: dict[str, object], why: str
) -> None:
    assert bad(read(tmp_path, turn(**change))) == [(1, why)]
    assert bad(read(tmp_path, turn())) == []


def test_a_name_of_exactly_the_bound_is_taken(tmp_path: Path) -> None:
    assert only(read(tmp_path, turn(speaker="x" * limits.name_characters_max))).speaker[-1] == "x"


def test_why_a_line_is_bad_never_quotes_it(tmp_path: Path) -> None:
    items = read(tmp_path, turn(role="hunter2"), turn(at="hunter2"), turn(**{"class": "hunter2"}))
    assert len(bad(items)) == 3
    assert "hunter2" not in str(items)


def test_text_is_kept_as_it_is_and_names_are_made_storable(tmp_path: Path) -> None:
    """The gate counts what it replaces in a text, so the importer must not do it first."""
    raw = b'{"session": "s\\ud800", "role": "user", "text": "a\\u0000b\\udfff", "id": "\\u0000"}'
    item = only(read(tmp_path, raw=raw))
    assert item.text == "a\0b\udfff"
    assert item.session.encode() and "\0" not in item.origin


def test_a_line_at_the_bound_is_read_and_a_longer_one_set_aside(tmp_path: Path) -> None:
    frame = len(json.dumps(turn("")))
    fits = turn("x" * (limits.line_bytes_max - frame))
    over = turn("x" * (limits.line_bytes_max - frame + 1))
    items = read(tmp_path, fits, over, turn("after"))
    assert bad(items) == [(2, f"the line is longer than {limits.line_bytes_max} bytes")]
    assert [item.text[-5:] for item in items if isinstance(item, Arrival)] == ["xxxxx", "after"]


def test_a_file_is_read_as_a_stream(tmp_path: Path) -> None:
    """The first turn is there before the last line has been looked at."""
    path = tmp_path / "long.jsonl"
    path.write_text("".join(json.dumps(turn(str(n))) + "\n" for n in range(50_000)))
    items = arrivals(path)
    assert only([next(items)]).text == "0"
    path.write_text("")
    assert sum(1 for _ in items) < 49_999


@pytest.mark.parametrize("name", ["absent.jsonl", "a\0b"])
def test_a_path_that_cannot_be_read_says_so_at_once(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unreadable):
        arrivals(tmp_path / name, format="jsonl")


def test_an_unknown_format_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="claude-code"):
        arrivals(tmp_path, format="morse")
