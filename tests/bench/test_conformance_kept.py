"""Is the committed run of the portable suites one of the present suites, and would drift be noticed?"""

import json
from typing import Any

import pytest

from bench import conformance, kept
from muniment.conformance import run
from muniment.conformance.catalogue import CATALOGUE
from muniment.conformance.contradictions import ROWS
from muniment.conformance.floors import Nothing, Words
from muniment.conformance.laundering import Place
from muniment.conformance.tombstones import DISGUISES

Kept = list[dict[str, Any]]
MEMORIES = ["muniment", "muniment-pg", "muniment-mcp", "words", "nothing", "wiping"]


@pytest.fixture(scope="module")
def committed() -> Kept:
    found = json.loads((kept.RESULTS / "conformance.json").read_text("utf-8"))
    assert isinstance(found, list)
    return found


def test_every_test_step_row_and_path_is_committed(
    committed: Kept,
) -> None:
    tests, steps, matrix, laundering = (table["rows"] for table in committed)
    assert [row["row"] for row in tests] == list(CATALOGUE)
    assert list(tests[0]["cells"]) == MEMORIES
    assert len(steps) == 13
    assert [row["row"] for row in matrix] == [f"{shape}, {way.value}, {gap}" for shape, way, gap in ROWS]
    of_ours = [row for row in laundering if str(row["row"]).startswith("muniment, ")]
    assert len(of_ours) % len(Place) == 0 and len(of_ours) >= 7 * len(Place)
    in_pairs = [row for row in laundering if str(row["row"]).startswith(("muniment-pg, ", "muniment-mcp, "))]
    assert all(list(row["cells"]) == list(DISGUISES) for row in laundering if row not in in_pairs)
    assert 3 * sum(len(row["cells"]) for row in in_pairs) == len(in_pairs) * len(DISGUISES)
    assert {str(row["row"]).split(", ")[0] for row in in_pairs} == {"muniment-pg", "muniment-mcp"}


def test_no_committed_cell_of_ours_fails_a_test_a_step_or_an_obligation(
    committed: Kept,
) -> None:
    said = kept.said(committed)
    ours = {cell: word for cell, word in said.items() if cell[2] in MEMORIES[:3]}
    findings = {word for (title, _, _), word in ours.items() if not title.endswith("matrix")}
    assert findings <= {"holds", "cannot"}
    laundered = {
        word for (title, row, _), word in said.items() if row.startswith("muniment") and "laund" in title
    }
    assert laundered <= {"out", "IN"}


def test_the_floors_fall_where_they_are_committed_to_fall(
    committed: Kept,
) -> None:
    """The floors are quick, so their committed cells are derived again here, every one of them."""
    found = [run.measured(floor.name, floor) for floor in (Words, Nothing)]
    now = kept.said(conformance.tables(found))
    before = kept.said(committed)
    assert len(now) > 150
    assert {cell: before.get(cell) for cell in now} == now


def test_a_memory_without_a_suite_has_no_cell_in_its_table() -> None:
    found = [
        run.measured("words", Words, suites=[run.Suite.TESTS, run.Suite.DELETION]),
        run.measured("nothing", Nothing, suites=[run.Suite.TESTS]),
    ]
    tests, steps, matrix, laundering = conformance.tables(found)
    assert {len(row["cells"]) for row in tests["rows"]} == {2}
    assert {len(row["cells"]) for row in steps["rows"]} == {1}
    assert matrix["rows"] == laundering["rows"] == []
