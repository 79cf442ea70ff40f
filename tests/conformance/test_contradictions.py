"""Does what was contradicted stay corrected?  Each shape, told each way, minutes and months apart."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from muniment.conformance.adapter import Memory
from muniment.conformance.contradictions import COLUMNS, ROWS, SHAPES, Column, Row, Way, matrix, row
from muniment.conformance.floors import Nothing, Wiping, Words
from muniment.conformance.verdict import Outcome
from tests.conformance.memories import OURS, OVER_MCP, Kind, maker, one

HOLDS, FAILS, CANNOT = Outcome.HOLDS, Outcome.FAILS, Outcome.CANNOT
ALL = dict.fromkeys(Column, HOLDS)

# What must hold when two sentences are only said, without a key and without an act of correction.
# A memory without a model cannot know that they concern each other; more may hold than stands here.
SAID: Mapping[str, str] = {
    "replacement": "A",
    "polarity": "AE",
    "retraction": "ADE",
    "partial": "AE",
    "bounded": "E",
}


def found(kind: Kind, place: Path, shape: str, *, way: Way, gap: str = "minutes") -> Row:
    with closing(one(kind, place)) as memory:
        return row(memory, shape, way, gap=gap)


# All of it on one store; on the other, which shares its rules, what was told, months apart.
STORED_ROWS = [
    *(("sqlite", *each) for each in ROWS),
    *(("postgres", shape, way, gap) for shape, way, gap in ROWS if way is not Way.SAID and gap == "months"),
]


@pytest.mark.parametrize(("store", "shape", "way", "gap"), STORED_ROWS)
def test_a_correction_holds_in_every_column(
    tmp_path: Path, store: str, shape: str, way: Way, gap: str
) -> None:
    measured = found(OURS[store], tmp_path, shape, way=way, gap=gap)
    assert measured.twin is HOLDS
    if way is Way.SAID:
        assert {column for column in Column if column.value in SAID[shape]} <= held(measured)
    else:
        assert measured.cells == ALL


def held(measured: Row) -> set[Column]:
    return {column for column, outcome in measured.cells.items() if outcome is HOLDS}


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["replacement", "retraction"])
def test_a_correction_holds_over_mcp(tmp_path: Path, shape: str) -> None:
    measured = found(OVER_MCP, tmp_path, shape, way=Way.TOLD)
    assert (measured.cells, measured.twin) == (ALL, HOLDS)


def test_a_memory_whose_clock_stands_still_has_no_months(tmp_path: Path) -> None:
    measured = found(OVER_MCP, tmp_path, "replacement", way=Way.KEYED, gap="months")
    assert set(measured.cells.values()) == {CANNOT}
    assert measured.twin is CANNOT


# What the floors keep of a correction that they are told.
FLOORS = [
    (Words, "replacement", "A", HOLDS),
    (Words, "retraction", "ABC", HOLDS),
    (Words, "partial", "A", HOLDS),
    (Nothing, "replacement", "BE", FAILS),
    (Nothing, "retraction", "ABCE", FAILS),
    (Wiping, "replacement", "ABC", FAILS),
    (Wiping, "partial", "B", FAILS),
]


@pytest.mark.parametrize(("floor", "shape", "columns", "twin"), FLOORS)
def test_no_floor_holds_a_correction_and_keeps_the_rest(
    tmp_path: Path, floor: type[Memory], shape: str, columns: str, twin: Outcome
) -> None:
    measured = found(floor, tmp_path, shape, way=Way.TOLD)
    simple = {column.value for column in held(measured)} - {"C'"}
    assert simple == set(columns), measured
    assert measured.twin is twin


def test_every_column_is_failed_by_a_floor_whose_twin_holds(tmp_path: Path) -> None:
    rows = [one for one in matrix(maker(Words, tmp_path)) if one.twin is HOLDS]
    failed = {column for one in rows for column in Column if one.cells[column] is FAILS}
    assert failed == set(Column) - {Column.CURRENT}
    # A floor that returns everything always returns the current value too; one that returns nothing never.
    (tmp_path / "empty").mkdir()
    empty = found(Nothing, tmp_path / "empty", "replacement", way=Way.TOLD)
    assert empty.cells[Column.CURRENT] is FAILS


def test_the_matrix_has_every_shape_way_and_gap_once(tmp_path: Path) -> None:
    rows = [(one.shape, one.way, one.gap) for one in matrix(maker(Nothing, tmp_path))]
    assert rows == list(ROWS)
    assert len(set(rows)) == len(rows) == 28
    assert {shape for shape, _, _ in rows} == set(SHAPES)
    assert ("retraction", Way.KEYED, "months") not in rows
    assert set(COLUMNS) == set(Column)


class Breaking(Words):
    """A memory that breaks at a correction."""

    def correct(self, *given: object, **named: object) -> None:
        raise OSError("the disk is away")


def test_a_memory_that_breaks_at_a_correction_fails_in_every_column(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    measured = found(Breaking, tmp_path, "replacement", way=Way.TOLD)
    assert set(measured.cells.values()) == {FAILS}
    assert found(Breaking, tmp_path / "again", "retraction", way=Way.SAID).twin is HOLDS
