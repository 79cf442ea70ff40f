"""Is a vault whole when its restore is cut off between the rows and the keys, wherever that is?

The keys of the vault that comes back lie ready before the rows are committed, and are put
in force afterwards; whoever opens the vault next does what is left of it.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.adapters import carrier
from muniment.adapters.keys import keys_beside, vault_id_of
from muniment.errors import Disconnected
from muniment.store.postgres.connection import PostgresSession
from muniment.store.sqlite.connection import SqliteSession
from tests import postgres
from tests.builders import stored, texts

DIED = 9
WRONG = "The quay opens at six"


def _dead(*_given: object, **_more: object) -> None:
    os._exit(DIED)


def _before_the_commit() -> None:
    SqliteSession.commit = PostgresSession.commit = _dead


def _behind_the_commit() -> None:
    carrier._put_in_force = _dead


def _between_the_two_moves() -> None:
    rename = os.rename

    def dying(source: Path, target: Path) -> None:
        if str(source).endswith(".next"):
            _dead()
        rename(source, target)

    os.rename = dying


def _behind_the_moves() -> None:
    move = carrier._put_in_force

    def dying(directory: Path) -> None:
        move(directory)
        _dead()

    carrier._put_in_force = dying


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return where an empty vault is made, in a file or in a database."""
    if request.param == "sqlite":
        return str(tmp_path / "back.db")
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "back.keys"))
    return postgres.migrated_database().application


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    with muniment.open(tmp_path / "first.db") as first:
        stored(first.remember("The lamp is blue"))
        stored(first.reject(stored(first.remember(WRONG)).id, reason="it does not"))
        first.rotate_keys()
        first.export(tmp_path / "a.jsonl")
    return tmp_path / "a.jsonl"


def _killed(address: str, exported: Path, hurt: Callable[[], None]) -> None:
    """Restore in a child that dies on the way."""
    child = os.fork()
    if child == 0:
        try:
            hurt()
            muniment.open(address).restore(exported)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DIED


def _whole(address: str) -> None:
    """Look at the restored vault as the next processes do."""
    for time in range(2):
        with muniment.open(address) as back:
            assert back.status().writable
            assert texts(back, "lamp") == ["The lamp is blue"]
            assert back.remember(WRONG).reason == "rejected-value"
            stored(back.remember(f"It goes on {time}"))
            assert back.verify().ok


def _hidden(place: Path) -> list[str]:
    return [path.name for path in place.iterdir() if path.suffix in (".next", ".old", ".part")]


@pytest.mark.parametrize("hurt", [_behind_the_commit, _between_the_two_moves, _behind_the_moves])
def test_a_restore_cut_off_behind_its_commit_is_ended_by_the_next_who_opens(
    address: str, exported: Path, tmp_path: Path, hurt: Callable[[], None]
) -> None:
    muniment.open(address).close()
    _killed(address, exported, hurt)
    _whole(address)
    assert _hidden(tmp_path) == []


def test_a_restore_cut_off_before_its_commit_leaves_an_empty_vault_that_can_be_restored_into(
    address: str, exported: Path, tmp_path: Path
) -> None:
    muniment.open(address).close()
    _killed(address, exported, _before_the_commit)
    assert any(name.endswith(".next") for name in _hidden(tmp_path))
    with muniment.open(address) as empty:
        assert _hidden(tmp_path) == []
        assert empty.status().writable
        assert empty.memories() == ()
        assert empty.restore(exported).records > 2
    _whole(address)
    assert _hidden(tmp_path) == []


def test_an_empty_vault_whose_restore_was_cut_off_may_become_a_vault_of_its_own(
    address: str, exported: Path
) -> None:
    muniment.open(address).close()
    _killed(address, exported, _before_the_commit)
    for time in range(2):
        with muniment.open(address) as own:
            stored(own.remember(f"A life of its own {time}"))
            assert own.verify().ok
            assert texts(own, "lamp") == []


def test_a_restore_that_an_error_undid_leaves_keys_and_vault_as_they_were(
    tmp_path: Path, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "back.db"
    muniment.open(path).close()
    before = vault_id_of(keys_beside(path))

    def lost(_: SqliteSession) -> None:
        raise Disconnected("The server does not answer.")

    with muniment.open(path) as back:
        with monkeypatch.context() as hurt:
            hurt.setattr(SqliteSession, "commit", lost)
            with pytest.raises(Disconnected):
                back.restore(exported)
        assert vault_id_of(keys_beside(path)) == before
        stored(back.remember("It goes on"))
    with muniment.open(path) as back:
        assert back.status().writable and back.verify().ok


def test_the_keys_of_a_restore_that_was_undone_do_not_stay(
    tmp_path: Path, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "back.db"
    muniment.open(path).close()

    def lost(_: SqliteSession) -> None:
        raise Disconnected("The server does not answer.")

    with muniment.open(path) as back, monkeypatch.context() as hurt:
        hurt.setattr(SqliteSession, "commit", lost)
        with pytest.raises(Disconnected):
            back.restore(exported)
    assert _hidden(tmp_path) == [".back.db.keys.next"]
    with muniment.open(path) as back:
        assert _hidden(tmp_path) == []
        assert back.restore(exported).records > 2
    _whole(str(path))


def test_keys_of_a_restore_that_somebody_is_at_are_left_to_it(
    tmp_path: Path, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever opens the vault meanwhile sees it empty, and takes nothing away."""
    path = tmp_path / "back.db"
    muniment.open(path).close()
    commit, seen = SqliteSession.commit, []

    def looked_at(session: SqliteSession) -> None:
        if not seen and _hidden(tmp_path):
            seen.append(len(_hidden(tmp_path)))
            with muniment.open(path) as other:
                assert other.status().records == 0
            seen.append(len(_hidden(tmp_path)))
        commit(session)

    with muniment.open(path) as back, monkeypatch.context() as watched:
        watched.setattr(SqliteSession, "commit", looked_at)
        assert back.restore(exported).records > 2
    assert seen == [1, 1] and _hidden(tmp_path) == []
    _whole(str(path))


def test_keys_that_lie_ready_stay_beside_a_vault_with_a_log(tmp_path: Path, exported: Path) -> None:
    """It may be an older copy of the file, and the newer one needs them."""
    path = tmp_path / "back.db"
    muniment.open(path).close()
    _killed(str(path), exported, _before_the_commit)
    ready = tmp_path / ".back.db.keys.next"
    aside = ready.rename(tmp_path / "aside")
    with muniment.open(path) as own:
        stored(own.remember("A life of its own"))
    aside.rename(ready)
    with muniment.open(path) as own:
        assert own.verify().ok and ready.is_dir()


def test_a_vault_of_the_same_id_is_not_given_the_keys_of_a_restore_that_was_undone(
    tmp_path: Path, exported: Path
) -> None:
    """The file was lost, its keys were not; the restore dies, and the vault begins anew instead."""
    path = tmp_path / "first.db"
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    for name in ("witness", "witness.lock"):
        (keys_beside(path) / name).unlink(missing_ok=True)
    muniment.open(path).close()
    _killed(str(path), exported, _before_the_commit)
    with muniment.open(path) as own:
        stored(own.remember("A life of its own"))
        number = own.rotate_keys().tombstone_key
        own.checkpoint()
        own.checkpoint(new_epoch="moved")
    with muniment.open(path) as own:
        assert own.ground.outside.keyring.key_id == number
        assert own.verify().ok


def test_the_harm_would_be_seen(tmp_path: Path, exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without whoever opens it next, the rows of one vault lie beside the keys of another."""
    path = tmp_path / "back.db"
    muniment.open(path).close()
    _killed(str(path), exported, _behind_the_commit)
    monkeypatch.setattr("muniment.wiring.finish_adoption", lambda directory, head_now, clears: head_now())
    with muniment.open(path) as back:
        assert not back.status().writable
