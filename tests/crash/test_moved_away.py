"""Is nothing lost when a vault's file is moved away while the vault is open, and put back?

A write-ahead log holds what was acknowledged and is not in the file yet.  SQLite deletes the log
beside a file that is empty or new, so no connection may be opened to anything but the vault's file.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import muniment
from muniment.errors import Unreadable
from muniment.service.vault import Vault
from muniment.store.sqlite.connection import SqliteSession, place_of
from tests.conftest import ROOT

TEXT = "The heron nests by the weir"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vault.db"


@pytest.fixture
def vault(path: Path) -> Iterator[Vault]:
    with muniment.open(path) as made:
        assert made.remember(TEXT).landed
        yield made


def nothing(path: Path) -> None:
    """Leave the name free."""


def an_empty_file(path: Path) -> None:
    path.touch()


def another_database(path: Path) -> None:
    with muniment.open(path.with_name("other.db")) as other:
        other.remember("Of another vault")
    os.rename(path.with_name("other.db"), path)


USES: dict[str, Callable[[Vault], object]] = {
    "write": lambda vault: vault.remember("The quay is wet"),
    "first read": lambda vault: vault.recall("heron"),
    "count": lambda vault: vault.status(),
    "prove": lambda vault: vault.verify(),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("instead", [nothing, an_empty_file, another_database])
def test_what_is_called_like_the_file_is_not_opened_and_the_log_stays(
    vault: Vault, path: Path, instead: Callable[[Path], None], use: str
) -> None:
    log, away = path.with_name("vault.db-wal"), path.with_name("away.db")
    held = log.read_bytes()
    assert TEXT.split()[1].encode() in held, "what was acknowledged is in the log"
    # Every connection that is open reads on, so that each use needs a further one.
    with vault.ground.store.snapshot(), vault.ground.store.snapshot():
        os.rename(path, away)
        instead(path)
        with pytest.raises(Unreadable) as caught:
            USES[use](vault)
    assert "moved" in caught.value.sentence and "Put it back" in caught.value.advice
    assert path.exists() == (instead is not nothing) and log.read_bytes() == held
    os.rename(away, path)
    assert vault.recall("heron").hits[0].text == TEXT
    assert vault.remember("The quay is wet").landed
    assert vault.verify().ok


def test_what_was_acknowledged_outlives_a_move_and_a_kill(path: Path) -> None:
    """A process writes, its file is moved away under it, it reads, is killed, and the file comes back."""
    program = f"""
import os, signal, muniment
vault = muniment.open({str(path)!r})
assert vault.remember({TEXT!r}).landed
with vault.ground.store.snapshot(), vault.ground.store.snapshot():
    os.rename({str(path)!r}, {str(path) + ".away"!r})
    try:
        vault.recall("heron")
    except muniment.MunimentError as error:
        print(error.code, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "MUNIMENT_EMBEDDER": "off"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == [Unreadable.code] and done.returncode < 0, done.stderr[-500:]
    os.rename(f"{path}.away", path)
    with muniment.open(path) as vault:
        assert vault.recall("heron").hits[0].text == TEXT
        assert vault.verify().ok


def test_a_health_check_of_a_file_that_was_moved_makes_none(vault: Vault, path: Path) -> None:
    held = path.with_name("vault.db-wal").read_bytes()
    os.rename(path, path.with_name("away.db"))
    (file,) = (check for check in vault.ground.store.examine() if check.name == "file")  # type: ignore[attr-defined]  # it is one in a file
    assert not file.well and "moved" in file.sentence
    assert not path.exists() and path.with_name("vault.db-wal").read_bytes() == held
    os.rename(path.with_name("away.db"), path)


def test_a_further_connection_is_of_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    SqliteSession(str(path)).close()
    at = place_of(str(path))
    assert at is not None and place_of(str(tmp_path / "none.db")) is None
    SqliteSession(str(path), at=at).close()
    path.unlink()
    with pytest.raises(Unreadable):
        SqliteSession(str(path), at=at)
    assert not path.exists()
