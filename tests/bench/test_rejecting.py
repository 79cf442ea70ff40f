"""Is the lock of a rejection measured, and not something else?"""

import time
from pathlib import Path

from bench.measure import Plan
from bench.rejecting import HELD_BOUND, WHOLE_BOUND, Watched, filled, rejected
from bench.texts import Texts
from muniment.domain.changes import Page


def test_both_figures_come_out_of_a_quick_run(tmp_path: Path) -> None:
    held, whole = rejected(Plan(tmp_path, quick=True))
    assert (held.bound, whole.bound) == (HELD_BOUND, WHOLE_BOUND)
    assert held.value is not None and whole.value is not None
    for side in ("ours_us", "raw_us"):
        assert 0 < held.parts[side] < whole.parts[side]


def test_what_is_watched_is_how_long_the_lock_is_held(tmp_path: Path) -> None:
    vault, watched = filled(tmp_path / "vault.db", 30, texts=Texts())
    assert isinstance(vault.ground.store, Watched) and watched.held == []
    assert len(vault.memories(limit=100)) == 30
    before = time.perf_counter()
    with vault.ground.store.transaction() as transaction:
        assert len(transaction.memories((1,), ["believed"], Page(0, 5))) <= 5
        time.sleep(0.05)
    (one,) = watched.held
    assert 0.05 <= one.seconds <= time.perf_counter() - before
    assert one.worked < one.seconds
    vault.reject(vault.remember("The heron stands by the weir").id)
    assert len(watched.held) == 3
    vault.close()
