"""Is a vault whole again when its process dies while keys or epochs change, wherever that is?"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.adapters import files
from muniment.service.vault import Vault
from muniment.store.sqlite.connection import SqliteSession
from tests.builders import stored

CODE, WRONG = "QZ7-HERON-4417", "The quay opens at six"
DIED = 9


def _dead(*_given: object, **_more: object) -> None:
    os._exit(DIED)


def _before_the_commit() -> None:
    SqliteSession.commit = _dead


def _before_the_key() -> None:
    files.replace = _dead


def _behind_the_first_file() -> None:
    write = files.write_new

    def dying(*given: object, **more: object) -> None:
        write(*given, **more)
        _dead()

    files.write_new = dying


def _behind_the_witness() -> None:
    append = files.append

    def dying(*given: object, **more: object) -> None:
        append(*given, **more)
        _dead()

    files.append = dying


def _killed(path: Path, deed: Callable[[Vault], object], hurt: Callable[[], None]) -> None:
    """Do a deed in a child that dies on the way."""
    child = os.fork()
    if child == 0:
        try:
            vault = muniment.open(path)
            hurt()
            deed(vault)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DIED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a vault that rejected a value, kept a copy of itself, and erased another value since."""
    made = tmp_path / "vault.db"
    with muniment.open(made) as vault:
        stored(vault.reject(stored(vault.remember(WRONG)).id, reason="it does not"))
        vault.checkpoint()
        stored(vault.remember(f"The code is {CODE}"))
    shutil.copyfile(made, tmp_path / "older.db")
    with muniment.open(made) as vault:
        vault.erase(vault.plan_erasure(text=CODE))
        stored(vault.remember("Something else"))
    return made


def _whole(path: Path) -> None:
    """Look at a vault as the next process does: it proves itself, and keeps out what it kept out."""
    with muniment.open(path) as vault:
        assert vault.verify().ok and vault.status().writable
        assert vault.remember(WRONG).reason == "rejected-value"
        assert vault.remember(f"It is {CODE}").reason == "rejected-value"
        stored(vault.remember("It goes on"))
        assert all(CODE not in hit.text for hit in vault.recall("code", k=9).hits)
        assert vault.verify().ok


@pytest.mark.parametrize("hurt", [_behind_the_first_file, _before_the_key, _before_the_commit])
def test_a_rotation_that_a_kill_cut_off_is_done_again(path: Path, hurt: Callable[[], None]) -> None:
    """Old keys are kept before new ones are in force, so whatever is there signs and verifies."""
    _killed(path, lambda vault: vault.rotate_keys(), hurt)
    _whole(path)
    with muniment.open(path) as vault:
        assert "rotate-keys" not in [row.act for row in vault.log(limit=50)]
        assert vault.rotate_keys().tombstone_key > 2
        assert vault.log(limit=1)[0].act == "rotate-keys"
    _whole(path)


@pytest.mark.parametrize("hurt", [_behind_the_witness, _before_the_commit])
def test_an_epoch_that_a_kill_cut_off_serves_nothing_that_was_erased_since(
    path: Path, hurt: Callable[[], None]
) -> None:
    """The witness takes the older log first; the journal is followed before anything is read."""
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    shutil.copyfile(path.with_name("older.db"), path)
    _killed(path, lambda vault: vault.checkpoint(new_epoch="rolled-back"), hurt)
    _whole(path)
    with muniment.open(path) as vault:
        assert vault.checkpoint(new_epoch="rolled-back")
        assert vault.log(limit=1)[0].act in ("new-epoch", "certify")
    _whole(path)
