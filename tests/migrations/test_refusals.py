"""Is a file that is not ours to change left exactly as it was?"""

import sqlite3
from pathlib import Path

import apsw
import pytest

import muniment
from muniment.errors import BrokenData, MunimentError, NewerSchema, NotAVault
from muniment.store.migrations import newest, refuse_newer
from muniment.store.sqlite.connection import APPLICATION_ID
from muniment.store.sqlite.opened import MIGRATIONS
from tests.migrations.steps import bytes_beside

TEXT = "The deploy key rotates on Mondays"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "vault.db"
    with muniment.open(place) as vault:
        vault.remember(TEXT)
    return place


def stamped(path: Path, number: int) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA user_version = {number}")
    connection.close()


def refusal_of(path: Path) -> MunimentError:
    with pytest.raises(MunimentError) as caught:
        muniment.open(path)
    return caught.value


@pytest.mark.parametrize("number", [newest(MIGRATIONS) + 1, 999])
def test_a_newer_vault_is_refused_and_no_byte_of_it_changes(path: Path, number: int) -> None:
    stamped(path, number)
    before = bytes_beside(path)
    error = refusal_of(path)
    assert isinstance(error, NewerSchema)
    assert error.code == "newer-schema"
    assert str(number) in error.sentence and str(newest(MIGRATIONS)) in error.sentence
    assert bytes_beside(path) == before, "a file was changed, or one was left beside it"


def test_a_newer_vault_that_another_process_holds_open_is_refused_too(path: Path) -> None:
    """Its number may still lie in the write-ahead log."""
    held = apsw.Connection(str(path))
    held.execute("PRAGMA user_version = 999")
    assert isinstance(refusal_of(path), NewerSchema)
    held.close()


def test_the_present_number_opens(path: Path) -> None:
    stamped(path, newest(MIGRATIONS))
    with muniment.open(path) as vault:
        assert vault.recall("deploy key").hits


def test_only_a_later_number_is_refused() -> None:
    refuse_newer(newest(MIGRATIONS), MIGRATIONS)
    refuse_newer(0, MIGRATIONS)
    with pytest.raises(NewerSchema):
        refuse_newer(newest(MIGRATIONS) + 1, MIGRATIONS)


def foreign(path: Path, *, application: int = 0, number: int = 0) -> None:
    """Make a database of another program."""
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA application_id = {application}")
    connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("CREATE TABLE theirs (a TEXT)")
    connection.execute("INSERT INTO theirs VALUES ('precious')")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(("application", "number"), [(0, 0), (0, 1), (1234, 0), (1234, 1), (1234, 999)])
def test_the_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, application: int, number: int
) -> None:
    place = tmp_path / "theirs.db"
    foreign(place, application=application, number=number)
    before = bytes_beside(place)
    assert isinstance(refusal_of(place), BrokenData)
    assert bytes_beside(place) == before
    assert not (tmp_path / "theirs.db.keys").exists()


def test_the_write_ahead_log_of_another_program_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "theirs.db"
    connection = sqlite3.connect(place)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE theirs (a TEXT)")
    connection.commit()
    assert isinstance(refusal_of(place), NotAVault)
    assert connection.execute("SELECT count(*) FROM theirs").fetchall() == [(0,)]
    connection.close()


@pytest.mark.parametrize(
    "content",
    [
        b"A letter to the reader, longer than a header of a hundred bytes would be. " * 20,
        b"\x00" * 4096,
        b"SQLite format 3\x00",
        b"SQLite format 3\x00" + b"\xff" * 4080,
        b"x",
    ],
    ids=["text", "zeros", "only the first word", "a false header", "one byte"],
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "letter.txt"
    place.write_bytes(content)
    assert isinstance(refusal_of(place), BrokenData)
    assert bytes_beside(place) == {"letter.txt": content}
    assert not (tmp_path / "letter.txt.keys").exists()


def test_an_empty_file_becomes_a_vault(tmp_path: Path) -> None:
    """An empty file holds nothing to lose; `mktemp` makes one."""
    place = tmp_path / "vault.db"
    place.touch()
    with muniment.open(place) as vault:
        assert not vault.remember(TEXT).refused


def test_a_vault_says_in_its_header_whose_it_is(path: Path) -> None:
    header = path.read_bytes()[:100]
    assert header[:16] == b"SQLite format 3\x00"
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID
    assert int.from_bytes(header[60:64], "big") == newest(MIGRATIONS)


def test_a_truncated_vault_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])
    before = bytes_beside(path)
    assert isinstance(refusal_of(path), BrokenData)
    assert bytes_beside(path) == before
