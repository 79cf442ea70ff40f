"""Do all stores answer like the reference store after the same random history?"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from muniment.domain.trust import Trust
from muniment.ports import Store
from muniment.store.memory import MemorySnapshot, MemoryStore
from muniment.store.memory_state import State
from tests.contract import histories
from tests.contract.builders import FIRST_HEAD
from tests.contract.histories import History

SEEDS = [random.Random(f"{os.environ['MUNIMENT_TEST_SEED']} {place}").randrange(2**32) for place in range(20)]


@pytest.mark.parametrize("place", range(len(SEEDS)))
def test_a_random_history_reads_the_same_as_on_the_reference_store(
    make: Callable[..., Store], place: int
) -> None:
    histories.compare(MemoryStore(FIRST_HEAD), make(FIRST_HEAD), seed=SEEDS[place], steps=60)


FAULTS: dict[str, Callable[[State], State]] = {
    "a lost link": lambda state: replace(state, links=state.links[1:]),
    "a lost tombstone": lambda state: replace(state, tombstones=state.tombstones[1:]),
    "lost jobs": lambda state: replace(state, jobs={}),
    "a lost vector": lambda state: replace(state, vectors=dict(list(state.vectors.items())[1:])),
    "a lost term": lambda state: replace(state, terms={n: terms[:-1] for n, terms in state.terms.items()}),
    "a head that stayed behind": lambda state: replace(state, head=FIRST_HEAD),
    "a head's MAC lost": lambda state: replace(state, head_macs=dict.fromkeys(state.head_macs, b"")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_comparison_finds_a_store_that_is_wrong(fault: str) -> None:
    class Wrong(MemoryStore):
        @contextmanager
        def snapshot(self) -> Iterator[MemorySnapshot]:
            yield MemorySnapshot(FAULTS[fault](self._state))

    with pytest.raises(AssertionError, match="seed 1, step"):
        histories.compare(MemoryStore(FIRST_HEAD), Wrong(FIRST_HEAD), seed=1, steps=60)


def test_histories_reach_every_table_and_every_state() -> None:
    reached: set[Trust] = set()
    for seed in range(3):
        history, store = History(seed), MemoryStore(FIRST_HEAD)
        for _ in range(240):
            act, undone = history.step()
            histories.done(store, act, undone=undone)
        with store.snapshot() as snapshot:
            assert all(snapshot.counts().values()), (seed, snapshot.counts())
        reached |= {version.trust for version in history.known.newest.values()}
    assert reached == set(Trust)
