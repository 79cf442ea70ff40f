"""Does the write-ahead log stay short, whoever reads meanwhile?"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.service.vault import Vault
from tests.builders import stored

KIB = 1024
BOUND = 512 * KIB
STEP = 128 * KIB


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    """Return a vault whose log is cut short early."""
    monkeypatch.setattr(limits, "wal_bytes_max", BOUND)
    monkeypatch.setattr(limits, "wal_checkpoint_bytes", STEP)
    with muniment.open(tmp_path / "vault.db") as held:
        yield held


def _log(place: Path) -> int:
    return (place / "vault.db-wal").stat().st_size


def _write_until(vault: Vault, place: Path, length: int) -> None:
    for n in range(2_000):
        if _log(place) > length:
            return
        stored(vault.remember(f"note {n} of {length}: " + "otter " * 200))
    raise AssertionError("the log never grew so long")


def test_writing_alone_keeps_the_log_near_one_step(vault: Vault, tmp_path: Path) -> None:
    for n in range(120):
        stored(vault.remember(f"note {n}: " + "otter " * 200))
        assert _log(tmp_path) < BOUND


def test_a_log_that_an_open_reader_kept_is_cut_short_after_the_reader_ends(
    vault: Vault, tmp_path: Path
) -> None:
    stored(vault.remember("before"))
    with vault.ground.store.snapshot() as old:
        size = old.head().size
        _write_until(vault, tmp_path, BOUND + 2 * STEP)
        # The reader is not thrown out, and still sees its own state.
        assert old.head().size == size
    for n in range(60):
        stored(vault.remember(f"afterwards {n}: " + "otter " * 200))
    assert _log(tmp_path) <= BOUND
    assert len(vault.memories(limit=1000)) > 60


def test_an_open_reader_costs_a_writer_no_more_than_a_bounded_wait_a_step(
    vault: Vault, tmp_path: Path
) -> None:
    with vault.ground.store.snapshot() as old:
        old.head()
        _write_until(vault, tmp_path, BOUND + STEP)
        slow = 0
        for n in range(40):
            begun = time.monotonic()
            stored(vault.remember(f"while it reads {n}: " + "otter " * 100))
            waited = time.monotonic() - begun
            assert waited < 5
            slow += waited >= limits.checkpoint_wait_ms_max / 1000
        assert slow < 30, "every write waited for the reader"


def test_readers_that_come_and_go_without_a_gap_do_not_keep_the_log(vault: Vault, tmp_path: Path) -> None:
    """At no moment is there no reader, so only a checkpoint that waits for the older ones helps."""
    done = threading.Event()

    def read(offset: float) -> None:
        time.sleep(offset)
        while not done.is_set():
            with vault.ground.store.snapshot() as snapshot:
                snapshot.head()
                time.sleep(0.02)

    readers = [threading.Thread(target=read, args=(0.007 * n,)) for n in range(3)]
    for reader in readers:
        reader.start()
    longest = 0
    for n in range(150):
        stored(vault.remember(f"note {n}: " + "otter " * 200))
        longest = max(longest, _log(tmp_path))
    done.set()
    for reader in readers:
        reader.join()
    assert BOUND / 2 < longest <= BOUND + 4 * STEP
