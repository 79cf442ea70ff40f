"""For how long does a rejection keep others from writing, and does that grow with the space?"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import Figure, Pair, Plan, Taken, opened, say, taken
from bench.reading import remember_many
from bench.texts import Texts
from bench.writing import BATCH_ITEMS
from muniment.domain.changes import Claims
from muniment.ports import Store, Transaction
from muniment.service.vault import Vault

LARGE, SMALL, ROUNDS = 10_000, 1_000, 15
HELD_BOUND = 2.0
"""Most that the lock of a rejection may be held in the large space, to that in the small one."""

WHOLE_BOUND = 10.0
"""Most that a rejection may take in the large space to that in the small one: it is ten times as large."""


@dataclass(slots=True)
class Watched:
    """Stand before a store, and note how long each writer had it to itself."""

    store: Store
    held: list[Taken] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    @contextmanager
    def transaction(self, claims: Claims | None = None) -> Iterator[Transaction]:
        """Open the tenant for writing, and note how long it was open."""
        with self.store.transaction(claims) as transaction:
            start, worked = time.perf_counter(), time.thread_time()
            try:
                yield transaction
            finally:
                self.held.append(Taken(time.perf_counter() - start, time.thread_time() - worked))


def filled(path: Path, items: int, *, texts: Texts) -> tuple[Vault, Watched]:
    """Return a vault with so many memories in one space, and what watches its lock."""
    vault = opened(path, embedder=False)
    for first in range(0, items, BATCH_ITEMS):
        remember_many(vault, list(texts.texts(min(BATCH_ITEMS, items - first))), space="home")
    watched = Watched(vault.ground.store)
    vault.ground.store = watched  # type: ignore[assignment]  # it answers as the store behind it
    return vault, watched


def rejected(plan: Plan) -> list[Figure]:
    """Measure rejections in a space of 10,000 memories against those in one of 1,000."""
    large, small = plan.sized(LARGE, quick=400), plan.sized(SMALL, quick=100)
    say(f"rejections in a space of {large:,} memories and in one of {small:,}")
    texts, whole, held = Texts(), Pair(), Pair()
    sides = [filled(plan.where / f"{items}.db", items, texts=texts) for items in (large, small)]
    for text in texts.texts(plan.sized(ROUNDS, quick=3)):
        spent = [_spent(vault, watched, text) for vault, watched in sides]
        for pair, (mine, theirs) in zip((whole, held), zip(*spent, strict=True), strict=True):
            pair.keep([mine], [theirs])
    for vault, _ in sides:
        vault.close()
    return [
        held.figure("lock of a rejection, 10,000 memories to 1,000", HELD_BOUND),
        whole.figure("a rejection, 10,000 memories to 1,000", WHOLE_BOUND),
    ]


def _spent(vault: Vault, watched: Watched, text: str) -> tuple[Taken, Taken]:
    """Return how long the rejection of a new text took, and for how long it held the lock."""
    id = vault.remember(text).id
    watched.held.clear()
    whole = taken(lambda: vault.reject(id, reason="it is not so"))
    return whole, max(watched.held, key=lambda one: one.seconds)
