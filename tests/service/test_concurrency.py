"""Is every acknowledged write there, whoever writes at the same moment?"""

import multiprocessing
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import muniment
from muniment.service.vault import Vault
from tests.builders import stored

WRITES = 40


def _texts(vault: Vault) -> set[str]:
    return {row.text for row in vault.memories(limit=1000)}


def _holds(vault: Vault) -> None:
    recorded = [row.recorded for row in vault.log(limit=1000, newest_first=False)]
    assert recorded == sorted(set(recorded))
    assert all(check.well for check in vault.doctor())


def test_forty_threads_lose_nothing(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        with ThreadPoolExecutor(WRITES) as pool:
            receipts = list(pool.map(lambda n: vault.remember(f"note number {n}"), range(WRITES)))
        assert len({stored(receipt).record for receipt in receipts}) == WRITES
        assert _texts(vault) == {f"note number {n}" for n in range(WRITES)}
        _holds(vault)


def test_forty_threads_that_say_the_same_make_one_memory(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        with ThreadPoolExecutor(WRITES) as pool:
            receipts = list(pool.map(lambda _: vault.remember("the one note"), range(WRITES)))
        verdicts = sorted(receipt.verdict for receipt in receipts)
        assert verdicts == ["merged"] * (WRITES - 1) + ["stored"]
        assert len({receipt.id for receipt in receipts}) == 1


def test_of_many_changes_from_one_view_exactly_one_lands(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        id = stored(vault.remember("the plan")).id
        with ThreadPoolExecutor(10) as pool:
            receipts = list(
                pool.map(lambda n: vault.revise(id, f"the plan, {n}", expected_version=1), range(10))
            )
        assert sorted(receipt.reason for receipt in receipts) == ["clean"] + ["stale-view"] * 9
        assert len(vault.history(id)) == 2


def test_one_slot_has_one_value_after_many_writers(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        with ThreadPoolExecutor(20) as pool:
            list(
                pool.map(
                    lambda n: vault.remember(f"The port is {n}", about="api", attribute="port", value=str(n)),
                    range(20),
                )
            )
        assert len(vault.memories()) == 1
        assert len(vault.memories(states=["superseded"])) == 19


def _write(path: str, mark: str, barrier: object) -> None:
    with muniment.open(path) as vault:
        barrier.wait(timeout=60)
        for number in range(WRITES):
            stored(vault.remember(f"{mark} writes note {number}"))


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    muniment.open(path).close()
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    writers = [context.Process(target=_write, args=(str(path), mark, barrier)) for mark in ("ada", "bo")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(timeout=120)
    assert [writer.exitcode for writer in writers] == [0, 0]
    with muniment.open(path) as vault:
        assert len(_texts(vault)) == 2 * WRITES
        _holds(vault)


def _hold(path: str, barrier: object) -> None:
    """Hold the write lock for half a second; another process, since locks of one are shared."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    barrier.wait(timeout=60)
    time.sleep(0.5)
    other.execute("ROLLBACK")
    other.close()


def test_a_writer_waits_for_another_and_then_succeeds(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    with muniment.open(path) as vault:
        stored(vault.remember("before"))
        other = context.Process(target=_hold, args=(str(path), barrier))
        other.start()
        barrier.wait(timeout=60)
        started = time.monotonic()
        stored(vault.remember("while the other held the lock"))
        assert time.monotonic() - started > 0.3
        other.join(timeout=60)
        assert (other.exitcode, len(_texts(vault))) == (0, 2)


@pytest.mark.parametrize("reader", ["recall", "history", "status"])
def test_readers_see_whole_transactions_while_others_write(tmp_path: Path, reader: str) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        id = stored(vault.remember("the plan, 0")).id
        done = threading.Event()
        wrong: list[str] = []

        def look() -> None:
            while not done.is_set():
                if reader == "recall" and len(vault.recall("the plan").hits) != 1:
                    wrong.append("recall")
                if reader == "history":
                    numbers = [one.version for one in vault.history(id)]
                    if numbers != list(range(1, len(numbers) + 1)):
                        wrong.append(f"{numbers}")
                if reader == "status":
                    vault.status()

        looking = threading.Thread(target=look)
        looking.start()
        for number in range(1, 30):
            stored(vault.revise(id, f"the plan, {number}"))
        done.set()
        looking.join()
        assert wrong == []
        assert vault.read(id).text == "the plan, 29"
