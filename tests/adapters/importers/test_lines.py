"""Are lines, names and moments read the same way for every importer?"""

import stat
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.adapters.importers.lines import Line, checked, lines, moment, name, too_long
from muniment.adapters.importers.seen import Repeat, Seen
from muniment.domain.evidence import BadLine
from muniment.errors import Unreadable


def test_lines_are_counted_as_they_stand_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'\n{"a": 1}\r\n \nbad\n{"b": 2}')
    assert list(lines(path)) == [Line(2, {"a": 1}), BadLine(4, "the line is not JSON"), Line(5, {"b": 2})]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_a_bound_counts_the_line_without_its_ending(tmp_path: Path, ending: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'{"a":"xx"}' + ending)
    assert list(lines(path, bytes_max=10)) == [Line(1, {"a": "xx"})]
    assert list(lines(path, bytes_max=9)) == [BadLine(1, "the line is longer than 9 bytes")]


@given(st.lists(st.sampled_from([b'{"a":1}', b"x" * 30, b"", b"{}", b"9" * 200_000]), max_size=6))
def test_a_long_line_never_swallows_its_neighbours(
    tmp_path_factory: pytest.TempPathFactory, rows: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "a"
    path.write_bytes(b"\n".join(rows))
    kept = [(item.number, item.value) for item in lines(path, bytes_max=20) if isinstance(item, Line)]
    assert kept == [(n, {"a": 1} if len(row) > 2 else {}) for n, row in enumerate(rows, 1) if row[:1] == b"{"]


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="absent"):
        checked(tmp_path / "absent")
    with pytest.raises(Unreadable, match="regular"):
        checked(tmp_path)
    path = tmp_path / "there"
    path.touch(mode=stat.S_IRUSR)
    checked(path)


@pytest.mark.parametrize(
    ("given", "kept"),
    [(" Zoë ", "Zoë"), ("a\0b", "a\ufffdb~59b271ae1bbcb1d3"), ("", ""), (None, ""), (7, ""), (["a"], "")],
)
def test_a_name_is_trimmed_and_storable_and_anything_else_is_none(given: object, kept: str) -> None:
    assert name(given) == kept
    assert name("a\ud800").encode()


def test_a_name_is_too_long_from_one_over_the_bound() -> None:
    assert not too_long("x" * 200)
    assert too_long("x" * 201)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00.250+02:00", datetime(2026, 3, 1, 7, 30, 0, 250_000, tzinfo=UTC)),
        (" 2026-03-01 ", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T09:30:00", None),
        ("20260301T9", None),
        ("2026-02-30", None),
        ("9999-12-31T23:59:59-10:00", None),
        ("soon", None),
        (1_767_225_600, None),
        (None, None),
    ],
)
def test_a_moment_is_exact_or_none(said: object, meant: datetime | None) -> None:
    assert moment(said) == meant


def test_a_repeat_is_the_same_or_another() -> None:
    seen = Seen()
    assert [seen.repeat("id", *content) for content in (("a",), ("a",), ("b",), ("a",))] == [
        Repeat.NEW,
        Repeat.SAME,
        Repeat.OTHER,
        Repeat.SAME,
    ]
    assert seen.repeat("other", "b") is Repeat.NEW


def test_a_made_name_counts_occurrences_and_depends_on_nothing_else() -> None:
    first, second = Seen(), Seen()
    names = [first.origin("s", "yes"), first.origin("s", "no"), first.origin("s", "yes")]
    assert len(set(names)) == 3
    assert [second.origin("s", "no"), second.origin("s", "yes"), second.origin("s", "yes")] == [
        names[1],
        names[0],
        names[2],
    ]


def test_a_made_name_takes_any_text() -> None:
    assert Seen().origin("\ud800") != Seen().origin("\ufffd")


def test_a_made_name_knows_where_one_part_ends() -> None:
    assert Seen().origin("ab", "c") != Seen().origin("a", "bc")
    assert Seen().origin("ab", "c") == Seen().origin("ab", "c")


def test_a_repeat_is_known_however_many_stood_between() -> None:
    seen, count = Seen(), 5_000
    assert {seen.repeat(str(at), "said") for at in range(count)} == {Repeat.NEW}
    assert {seen.repeat(str(at), "said") for at in range(count)} == {Repeat.SAME}
    assert {seen.repeat(str(at), "else") for at in range(count)} == {Repeat.OTHER}
    assert {seen.origin(str(at)).rpartition(":")[2] for at in range(count)} == {"0"}
    assert {seen.origin(str(at)).rpartition(":")[2] for at in range(count)} == {"1"}
    assert seen.repeat("new", "said") is Repeat.NEW
    assert seen.origin("new").endswith(":0")


def test_what_a_file_has_held_takes_few_bytes_an_item() -> None:
    count = 20_000
    tracemalloc.start()
    try:
        seen = Seen()
        for at in range(count):
            assert seen.repeat(str(at), "said") is Repeat.NEW
        held = tracemalloc.get_traced_memory()[0]
        listed = [str(at) for at in range(count)]
        assert tracemalloc.get_traced_memory()[0] - held > 48 * len(listed), "memory is not being counted"
    finally:
        tracemalloc.stop()
    assert held <= 48 * count
