"""Are migrations run in order, once, and each whole or not at all?  On a session that only notes."""

from pathlib import Path

import pytest

from muniment.errors import BrokenData, NewerSchema
from muniment.store.migrations import migrate, newest, numbered, refuse_newer

STAMP = "stamp {number}"


class Noting:
    """Note what a migration does; `fails_at` is the script that goes wrong."""

    def __init__(self, number: int = 0, *, fails_at: str = "") -> None:
        self.number, self._fails_at = number, fails_at
        self.done: list[str] = []
        self._open: list[str] | None = None

    def script(self, text: str) -> None:
        assert self._open is not None, "a statement ran outside a transaction"
        if text == self._fails_at:
            raise BrokenData("The database refused a statement.")
        self._open.append(text)

    def begin(self, *, writing: bool) -> None:
        assert writing, "a migration takes the lock at once"
        self._open = []

    def commit(self) -> None:
        self.done += self._open or []
        for text in self._open or []:
            if text.startswith("stamp "):
                self.number = int(text.removeprefix("stamp "))
        self._open = None

    def roll_back(self) -> None:
        self._open = None


def directory(place: Path, *numbers: int) -> Path:
    for number in numbers:
        (place / f"{number:04}_step.sql").write_text(f"step {number}", encoding="utf-8")
    return place


def run(session: Noting, place: Path) -> int:
    return migrate(session, lambda: session.number, place, stamp=STAMP)


def test_every_step_runs_with_its_stamp_in_order(tmp_path: Path) -> None:
    session = Noting()
    assert run(session, directory(tmp_path, 1, 2, 3)) == 3
    assert session.done == ["step 1", "stamp 1", "step 2", "stamp 2", "step 3", "stamp 3"]


def test_steps_that_were_taken_are_not_taken_again(tmp_path: Path) -> None:
    session = Noting(number=2)
    assert run(session, directory(tmp_path, 1, 2, 3)) == 3
    assert session.done == ["step 3", "stamp 3"]


def test_a_present_store_is_left_alone(tmp_path: Path) -> None:
    session = Noting(number=2)
    assert run(session, directory(tmp_path, 1, 2)) == 2
    assert session.done == []


def test_a_step_that_fails_keeps_the_steps_before_it(tmp_path: Path) -> None:
    session = Noting(fails_at="step 2")
    with pytest.raises(BrokenData):
        run(session, directory(tmp_path, 1, 2, 3))
    assert session.done == ["step 1", "stamp 1"]
    assert session.number == 1


def test_a_stamp_that_fails_takes_its_step_back(tmp_path: Path) -> None:
    session = Noting(fails_at="stamp 2")
    with pytest.raises(BrokenData):
        run(session, directory(tmp_path, 1, 2))
    assert session.done == ["step 1", "stamp 1"]


def test_a_step_that_another_process_took_meanwhile_is_left_out(tmp_path: Path) -> None:
    """The number is asked once more under the lock."""
    session, answers = Noting(), iter([0, 1, 1])
    assert migrate(session, lambda: next(answers), directory(tmp_path, 1), stamp=STAMP) == 1
    assert session.done == []


def test_other_files_in_the_directory_are_no_migrations(tmp_path: Path) -> None:
    directory(tmp_path, 1)
    for name in ("README.md", "2_step.sql", "0002_Step.sql", "0002_step.sql.orig", "x0002_step.sql"):
        (tmp_path / name).write_text("no step", encoding="utf-8")
    assert numbered(tmp_path) == [(1, "step 1")]


@pytest.mark.parametrize("numbers", [(2,), (1, 3), (1, 2, 4), (0, 1)])
def test_a_gap_is_refused(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="gap"):
        numbered(directory(tmp_path, *numbers))


def test_two_files_of_one_number_are_refused(tmp_path: Path) -> None:
    directory(tmp_path, 1)
    (tmp_path / "0001_other.sql").write_text("step 1 again", encoding="utf-8")
    with pytest.raises(ValueError, match="gap"):
        numbered(tmp_path)


def test_the_newest_is_the_last_number(tmp_path: Path) -> None:
    assert newest(directory(tmp_path, 1, 2, 3)) == 3


def test_more_than_nine_steps_stay_in_order(tmp_path: Path) -> None:
    directory(tmp_path, *range(1, 13))
    assert [number for number, _ in numbered(tmp_path)] == list(range(1, 13))


@pytest.mark.parametrize(("version", "is_refused"), [(0, False), (2, False), (3, True), (99, True)])
def test_only_a_later_schema_is_refused(tmp_path: Path, version: int, is_refused: bool) -> None:
    place = directory(tmp_path, 1, 2)
    if not is_refused:
        refuse_newer(version, place)
        return
    with pytest.raises(NewerSchema, match=f"schema {version}; this release knows 2"):
        refuse_newer(version, place)
