"""Does a writer that goes on from what it left see what another has done in between?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.domain.changes import SHARED_JOBS
from muniment.service import asking_jobs
from muniment.service.vault import Vault
from muniment.store.sql_store import SqlStore
from muniment.store.sqlite.connection import SqliteSession
from tests.builders import stored


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Vault, Vault]]:
    """Yield two holders of one file, as two processes are."""
    with muniment.open(tmp_path / "vault.db") as one, muniment.open(tmp_path / "vault.db") as other:
        yield one, other


def _kinds(vault: Vault) -> list[str]:
    with vault.ground.store.snapshot() as snapshot:
        return [job.kind for job in snapshot.jobs()]


def _runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that every statement's name is put on from now on."""
    names: list[str] = []
    run, put = SqliteSession.run, SqliteSession.put
    monkeypatch.setattr(
        SqliteSession, "run", lambda self, name, /, **v: (names.append(name), run(self, name, **v))[1]
    )
    monkeypatch.setattr(
        SqliteSession, "put", lambda self, name, v: (names.append(name), put(self, name, v))[1]
    )
    return names


def test_the_log_goes_on_behind_what_another_wrote(pair: tuple[Vault, Vault]) -> None:
    records = [stored(pair[number % 2].remember(f"Note {number} is kept")).record for number in range(12)]
    records += [stored(pair[0].remember(f"Line {number} is kept")).record for number in range(3)]
    assert records == sorted(set(records))
    assert pair[1].verify().ok


def test_who_is_alone_reads_the_head_and_asks_for_the_shared_job_once(
    pair: tuple[Vault, Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    for number in range(3):
        stored(one.remember(f"Note {number} is kept"))
    names = _runs(monkeypatch)
    stored(one.remember("Tea is at four"))
    assert not {"head", "add_job"} & set(names)
    stored(other.remember("Milk is in the cellar"))
    names.clear()
    stored(one.remember("Bread is at the baker's"))
    assert {"head", "add_job"} <= set(names), "another has written in between"


def test_a_job_that_another_did_is_asked_for_again(pair: tuple[Vault, Vault]) -> None:
    one, other = pair
    stored(one.remember("Tea is at four"))
    stored(one.remember("Milk is in the cellar"))
    assert "contradict" in _kinds(one)
    other.settle()
    assert "contradict" not in _kinds(one)
    assert stored(one.remember("Bread is at the baker's")).conflict == "pending"
    assert "contradict" in _kinds(one)


def test_a_job_that_this_writer_did_is_asked_for_again(pair: tuple[Vault, Vault]) -> None:
    vault, _ = pair
    for text in ("Tea is at four", "Milk is in the cellar"):
        stored(vault.remember(text))
    vault.settle()
    assert "contradict" not in _kinds(vault)
    stored(vault.remember("Bread is at the baker's"))
    assert "contradict" in _kinds(vault)


def test_a_change_that_failed_leaves_nothing_to_go_on_from(pair: tuple[Vault, Vault]) -> None:
    vault, _ = pair
    stored(vault.remember("Tea is at four"))
    store = vault.ground.store
    assert isinstance(store, SqlStore)
    with pytest.raises(RuntimeError), store.transaction() as transaction:
        transaction.set_analyser(transaction.head())
        raise RuntimeError("stopped")
    stored(vault.remember("Milk is in the cellar"))
    assert vault.verify().ok


def test_what_is_shared_is_what_the_index_shares() -> None:
    schema = (Path(muniment.__file__).parent / "store" / "sqlite" / "schema.sql").read_text(encoding="utf-8")
    assert {asking_jobs.KIND} == SHARED_JOBS
    assert f"WHERE kind = '{asking_jobs.KIND}' AND lease = 0" in schema
