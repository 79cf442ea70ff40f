"""Can a memory be measured from the command line, ours and anybody's?"""

import json
from pathlib import Path

import pytest

from muniment.conformance.catalogue import CATALOGUE
from tests.surfaces.cli.conftest import Run

ADAPTER = '''
from muniment.conformance.floors import Words


class Mine(Words):
    """A memory that somebody else wrote."""

    name = "mine"
'''


def test_the_library_holds_and_the_floors_beside_it_do_not(quick: Run) -> None:
    done = quick("bench", "conformance", "--only", "tests")
    assert done.code == 0, done.errors
    lines = done.out.splitlines()
    assert next(line for line in lines if "words" in line).split() == [
        "muniment", "words", "nothing", "wiping",
    ]  # fmt: skip
    row = next(line for line in lines if line.startswith("scope.cross_tenant_absent"))
    assert row.split(None, 1)[1] == "holds    fails    no twin  fails"
    assert all(len(line) <= 80 for line in lines if not line.startswith("  prompt."))


def test_a_floor_that_is_measured_fails_with_a_code_and_says_why(quick: Run) -> None:
    done = quick("bench", "conformance", "--memory", "words", "--only", "deletion", "--no-floors")
    assert done.code == 5
    assert "  06 it is not retrievable: It was there after the source came again." in done.out
    assert "wiping" not in done.out


def test_a_script_gets_one_document_with_every_memory(quick: Run) -> None:
    done = quick("--json", "bench", "conformance", "--memory", "wiping", "--only", "tests")
    assert (done.code, done.errors) == (5, "")
    measured = json.loads(done.raw)["measured"]
    assert [one["memory"] for one in measured] == ["wiping", "words", "nothing"]
    assert [one["id"] for one in measured[0]["tests"]] == list(CATALOGUE)


def test_an_adapter_in_the_present_directory_is_found(
    quick: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_adapter.py").write_text(ADAPTER, "utf-8")
    monkeypatch.chdir(tmp_path)
    done = quick("bench", "conformance", "--adapter", "my_adapter:Mine", "--only", "deletion", "--no-floors")
    assert done.code == 5
    assert "mine" in done.out and "muniment" not in done.out


@pytest.mark.parametrize("name", ["absent:Class", "nothing", "json:dumps", "muniment.conformance.floors:No"])
def test_what_is_no_adapter_is_a_bad_call(quick: Run, name: str) -> None:
    done = quick("bench", "conformance", "--adapter", name)
    assert (done.code, done.code_shown) == (2, "bad-input")
    assert "module:Class" in done.errors


@pytest.mark.parametrize("arguments", [["--memory", "absent"], ["--only", "absent"], ["--floors"]])
def test_what_there_is_none_of_is_refused(quick: Run, arguments: list[str]) -> None:
    assert quick("bench", "conformance", *arguments).code == 2


def test_no_vault_is_made_or_read(quick: Run, tmp_path: Path) -> None:
    place = tmp_path / "absent.db"
    done = quick("--vault", str(place), "bench", "conformance", "--only", "deletion", "--no-floors")
    assert done.code == 0
    assert not place.exists()


def test_the_help_names_the_one_command(quick: Run) -> None:
    assert "conformance" in quick("bench", "--help").out
    assert quick("bench").code == 2
