"""Does a vault of an older release come through an upgrade whole, whatever interrupts it?"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

import muniment
from muniment.errors import BrokenData, MunimentError
from muniment.store.migrations import migrate
from muniment.store.sqlite.connection import SqliteSession
from tests.migrations import dying
from tests.migrations.steps import SECOND, STAMP, bytes_beside, directory_with, number_in, schema_of

TEXT = "The deploy key rotates on Mondays"
STATEMENTS = sum(1 for each in SECOND.split(";") if each.strip())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a vault of the first schema with a memory, a session and a rejected value in it."""
    place = tmp_path / "vault.db"
    with muniment.open(place) as vault:
        vault.remember(TEXT)
        vault.session("s-1").append("user", "When does it rotate?")
        wrong = vault.remember("The deploy key never rotates")
        vault.reject(wrong.id, reason="it does")
    return place


@pytest.fixture
def session(path: Path) -> Iterator[SqliteSession]:
    opened = SqliteSession(str(path))
    yield opened
    opened.close()


def upgraded(session: SqliteSession, directory: Path) -> int:
    return migrate(session, lambda: number_in(session), directory, stamp=STAMP)


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


def test_an_upgrade_keeps_every_row_and_adds_what_is_new(
    path: Path, session: SqliteSession, tmp_path: Path
) -> None:
    before = rows(path, "SELECT n, text, trust, record FROM version ORDER BY n")
    assert upgraded(session, directory_with(tmp_path / "steps", SECOND)) == 2
    assert rows(path, "SELECT n, text, trust, record FROM version ORDER BY n") == before
    assert rows(path, "SELECT name, mood FROM session") == [("s-1", "calm")]
    assert rows(path, "SELECT name FROM mood") == [("calm",)]
    assert number_in(session) == 2


def test_what_was_remembered_is_found_and_proven_after_an_upgrade(
    path: Path, session: SqliteSession, tmp_path: Path
) -> None:
    upgraded(session, directory_with(tmp_path / "steps", SECOND))
    session.script("PRAGMA user_version = 1")
    session.close()
    with muniment.open(path) as vault:
        assert [hit.text for hit in vault.recall("deploy key Mondays").hits][0] == TEXT
        assert vault.verify().findings == ()
        assert vault.remember("The deploy key never rotates").refused


def test_an_upgrade_that_was_done_is_not_done_again(
    path: Path, session: SqliteSession, tmp_path: Path
) -> None:
    steps = directory_with(tmp_path / "steps", SECOND)
    upgraded(session, steps)
    before = schema_of(path)
    assert upgraded(session, steps) == 2
    assert schema_of(path) == before
    assert rows(path, "SELECT count(*) FROM mood") == [(1,)]


def test_several_steps_are_taken_in_order(path: Path, session: SqliteSession, tmp_path: Path) -> None:
    third = "ALTER TABLE mood ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';"
    assert upgraded(session, directory_with(tmp_path / "steps", SECOND, third)) == 3
    assert rows(path, "SELECT name, colour FROM mood") == [("calm", "grey")]


def test_an_error_in_the_middle_leaves_schema_number_and_rows_as_they_were(
    path: Path, session: SqliteSession, tmp_path: Path
) -> None:
    before = schema_of(path)
    steps = directory_with(tmp_path / "steps", SECOND + "INSERT INTO absent VALUES (1);")
    with pytest.raises(BrokenData):
        upgraded(session, steps)
    assert (schema_of(path), number_in(session)) == (before, 1)
    assert rows(path, "SELECT text FROM version WHERE number = 1 ORDER BY n")[0] == (TEXT,)


def test_an_upgrade_that_failed_is_completed_when_its_reason_is_gone(
    path: Path, session: SqliteSession, tmp_path: Path
) -> None:
    steps = directory_with(tmp_path / "steps", SECOND + "INSERT INTO absent VALUES (1);")
    with pytest.raises(BrokenData):
        upgraded(session, steps)
    assert upgraded(session, directory_with(tmp_path / "steps", SECOND)) == 2
    assert rows(path, "SELECT name FROM mood") == [("calm",)]


def test_a_failing_third_step_keeps_the_second(path: Path, session: SqliteSession, tmp_path: Path) -> None:
    steps = directory_with(tmp_path / "steps", SECOND, "CREATE TABLE mood (again INTEGER);")
    with pytest.raises(BrokenData):
        upgraded(session, steps)
    assert number_in(session) == 2
    assert rows(path, "SELECT name FROM mood") == [("calm",)]


def test_a_step_whose_statement_answers_with_rows_runs_to_its_end(
    path: Path, session: SqliteSession, tmp_path: Path
) -> None:
    """A statement with an answer stops a script until the answer is read."""
    step = "SELECT n FROM version; CREATE TABLE after_rows (tenant INTEGER PRIMARY KEY);"
    assert upgraded(session, directory_with(tmp_path / "steps", step)) == 2
    assert ("table", "after_rows") in schema_of(path)


def killed_after(path: Path, directory: Path, moment: int) -> int:
    """Return how a process ended that upgraded `path` until it died."""
    done = subprocess.run(
        [sys.executable, str(Path(dying.__file__)), str(path), str(directory), str(moment)],
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode


@pytest.mark.parametrize("moment", range(STATEMENTS + 2))
def test_a_killed_upgrade_leaves_the_old_schema_and_is_completed_by_the_next(
    path: Path, tmp_path: Path, moment: int
) -> None:
    """Killed before any statement, the stamp or the commit; and between each two of them."""
    before = schema_of(path)
    steps = directory_with(tmp_path / "steps", SECOND)
    assert killed_after(path, steps, moment) == -signal.SIGKILL
    session = SqliteSession(str(path))
    assert (number_in(session), schema_of(path)) == (1, before)
    assert upgraded(session, steps) == 2
    session.close()
    assert rows(path, "SELECT name, mood FROM session") == [("s-1", "calm")]


def test_an_upgrade_killed_after_its_commit_is_done(path: Path, tmp_path: Path) -> None:
    steps = directory_with(tmp_path / "steps", SECOND)
    assert killed_after(path, steps, STATEMENTS + 2) == -signal.SIGKILL
    assert rows(path, "PRAGMA user_version") == [(2,)]
    assert rows(path, "SELECT name FROM mood") == [("calm",)]


def test_an_upgrade_that_nobody_kills_ends_well(path: Path, tmp_path: Path) -> None:
    steps = directory_with(tmp_path / "steps", SECOND)
    assert killed_after(path, steps, STATEMENTS + 3) == 0
    assert rows(path, "PRAGMA user_version") == [(2,)]


def test_two_that_upgrade_at_once_take_turns(path: Path, tmp_path: Path) -> None:
    """The number is read under the lock: who waited finds the step taken."""
    steps = directory_with(tmp_path / "steps", SECOND)
    sessions = [SqliteSession(str(path)) for _ in range(4)]
    with ThreadPoolExecutor(len(sessions)) as pool:
        assert list(pool.map(lambda each: upgraded(each, steps), sessions)) == [2] * len(sessions)
    for each in sessions:
        each.close()
    assert rows(path, "SELECT name FROM mood") == [("calm",)]


def test_opening_a_vault_of_the_present_schema_changes_no_byte(path: Path) -> None:
    before = bytes_beside(path)
    muniment.open(path).close()
    assert bytes_beside(path) == before


@pytest.mark.parametrize("moment", range(4))
def test_a_creation_that_was_killed_is_completed_by_the_next_open(tmp_path: Path, moment: int) -> None:
    """Until the first schema is in, the file holds nothing that anyone could miss."""
    place = tmp_path / "new.db"
    session = SqliteSession(str(place))
    session.script("PRAGMA application_id = 1297436233")
    session.use_wal()
    session.close()
    assert killed_after(place, directory_with(tmp_path / "steps"), moment) == -signal.SIGKILL
    with muniment.open(place) as vault:
        assert not vault.remember(TEXT).refused


def test_a_creation_that_was_killed_before_its_first_head_is_completed_by_the_next_open(
    tmp_path: Path,
) -> None:
    place = tmp_path / "new.db"
    session = SqliteSession(str(place))
    session.script("PRAGMA application_id = 1297436233")
    session.use_wal()
    upgraded(session, directory_with(tmp_path / "steps"))
    session.close()
    with muniment.open(place) as vault:
        assert not vault.remember(TEXT).refused


def test_a_vault_that_holds_rows_is_never_made_again(path: Path) -> None:
    with muniment.open(path) as vault:
        records = vault.status().records
    with muniment.open(path) as vault:
        assert vault.status().records >= records
        assert vault.recall("deploy key Mondays").hits


def test_a_vault_whose_keys_are_gone_is_not_given_new_ones(path: Path) -> None:
    for key in sorted(path.parent.glob("vault.db.keys/*"), reverse=True):
        key.unlink()
    (path.parent / "vault.db.keys").rmdir()
    with muniment.open(path) as vault, pytest.raises(MunimentError) as caught:
        vault.remember("anything")
    assert caught.value.code in {"read-only", "missing-key"}
    assert not (path.parent / "vault.db.keys").exists()
