"""Is a memory taken through all four suites, and is what was found laid out so that a person can read it?"""

import json
from pathlib import Path

import pytest

from muniment.conformance import run, shown
from muniment.conformance.catalogue import CATALOGUE
from muniment.conformance.contradictions import ROWS, Column
from muniment.conformance.floors import FLOORS, Nothing, Wiping, Words
from muniment.conformance.laundering import Place
from muniment.conformance.tombstones import DISGUISES
from muniment.conformance.verdict import Finding, Outcome
from tests.conformance.test_adapter import Least


@pytest.fixture(scope="module")
def floors() -> list[run.Measured]:
    return [run.measured(floor.name, floor) for floor in FLOORS]


def test_every_suite_is_run_to_its_end(floors: list[run.Measured]) -> None:
    for one in floors:
        assert [finding.id for finding in one.tests] == list(CATALOGUE)
        assert len(one.deletion) == 13
        assert len(one.contradictions) == len(ROWS)
        assert len(one.laundering) == len(Place) * len(DISGUISES)
        assert sum(one.counts.values()) == len(CATALOGUE)


def test_only_what_is_asked_for_is_run_and_each_step_is_told() -> None:
    told: list[int] = []
    one = run.measured("words", Words, suites=[run.Suite.DELETION], progress=told.append)
    assert (one.tests, one.contradictions, one.laundering) == ((), (), ())
    assert told == list(range(1, 14))


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    places: list[Path] = []

    class Noting(Words):
        """Notes where it was made."""

        def __init__(self, place: Path) -> None:
            places.append(place)
            super().__init__(place)

    run.measured("noting", Noting, suites=[run.Suite.TESTS])
    assert len(places) == len(set(places)) == len(CATALOGUE)
    assert all(place.is_relative_to(tmp_path) for place in places)
    assert list(tmp_path.iterdir()) == []


def test_a_memory_fails_by_its_tests_steps_and_obligations_and_not_by_its_matrix(
    floors: list[run.Measured],
) -> None:
    assert all(one.fails for one in floors)
    good = Finding("scope.x", Outcome.HOLDS, Outcome.HOLDS, "")
    lacking = Finding("scope.y", Outcome.CANNOT, Outcome.CANNOT, "It has no restart.")
    rows = floors[0].contradictions
    assert not run.Measured("one", tests=(good, lacking), deletion=(good,), contradictions=rows).fails
    bad = Finding("scope.z", Outcome.FAILS, Outcome.HOLDS, "It leaks.")
    assert run.Measured("one", tests=(good, bad)).fails
    assert run.Measured("one", deletion=(bad,)).fails
    assert run.Measured("one", laundering=floors[0].laundering).fails
    assert run.Measured("one", tests=(good, bad, lacking)).counts == {"holds": 1, "fails": 1, "cannot": 1}


def test_the_tables_are_plain_and_at_most_80_cells_broad(floors: list[run.Measured]) -> None:
    lines = list(shown.lines(floors))
    tables = lines[: lines.index(f"why, for {floors[0].name}")]
    assert len(tables) > 80
    for line in tables:
        assert len(line) <= 80, line
        assert line.isascii() and "\x1b" not in line and line == line.rstrip()


def test_a_table_says_of_each_memory_how_each_test_ended(floors: list[run.Measured]) -> None:
    lines = list(shown.lines(floors))
    head = next(line for line in lines if line.split() == ["words", "nothing", "wiping"])
    row = next(line for line in lines if line.startswith("tombstone.laundering_sequence"))
    assert row.split(None, 1)[1] == "fails    no twin  no twin"
    assert head.index("words") == row.index("fails")
    assert any(line.startswith("  scope.cross_tenant_absent: It was there in another") for line in lines)
    matrix = next(line for line in lines if line.startswith("retraction   told   months"))
    assert matrix.split()[3:] == ["+++-", "--", "++++", "-+!", "+++-", "--!"]
    laundered = next(line for line in lines if line.startswith("write     same slot"))
    assert laundered.split()[3:] == ["IN!"] * 6 + ["IN"] * 3
    empty = [line for line in lines if line.startswith("write     same slot")][1]
    assert empty.split()[3:] == ["out?"] * 9


def test_a_suite_that_was_not_run_has_no_table() -> None:
    one = run.measured("nothing", Nothing, suites=[run.Suite.LAUNDERING])
    titles = [line for line in shown.lines([one]) if line.startswith("the ")]
    assert titles == ["the laundering matrix of nothing: out, IN again, IN! where it must stay out,"]
    good = Finding("scope.x", Outcome.HOLDS, Outcome.HOLDS, "")
    assert not any(line.startswith("why") for line in shown.lines([run.Measured("one", tests=(good,))]))


def test_the_document_holds_everything_and_is_json(floors: list[run.Measured]) -> None:
    made = json.loads(json.dumps(shown.as_document(floors[2])))
    assert made["memory"] == Wiping.name
    assert [one["id"] for one in made["tests"]] == list(CATALOGUE)
    assert {one["outcome"] for one in made["deletion"]} <= {outcome.value for outcome in Outcome}
    assert set(made["contradictions"][0]["cells"]) == {column.value for column in Column}
    assert made["laundering"][0]["became"] == "in"
    assert made["counts"] == floors[2].counts


def test_an_adapter_is_found_by_its_name() -> None:
    assert run.kind_named("muniment.conformance.floors:Words") is Words
    assert run.kind_named("tests.conformance.test_adapter:Least").__name__ == Least.__name__


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("words", ValueError),
        (":Words", ValueError),
        ("muniment.conformance.floors:", ValueError),
        ("muniment.conformance.nowhere:Words", ModuleNotFoundError),
        ("muniment.conformance.floors:Absent", AttributeError),
        ("muniment.conformance.floors:FLOORS", TypeError),
        ("muniment.conformance.adapter:Slot", TypeError),
    ],
)
def test_what_is_no_adapter_is_named(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        run.kind_named(name)
