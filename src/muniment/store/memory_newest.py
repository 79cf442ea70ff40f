"""How does the reference store find memories, and put a listing into pages?"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from muniment.domain.carrying import Words, may_carry
from muniment.domain.changes import Page, Sealed
from muniment.domain.memory import Version
from muniment.store.memory_state import State

T = TypeVar("T")


class MemoryReading:
    """Find the memories of one state."""

    def __init__(self, state: State) -> None:
        self.state = state

    def versions_at(self, ns: Sequence[int]) -> list[Sealed[Version]]:
        """Return the versions with these row numbers."""
        return [self.state.versions[n] for n in once(ns) if n in self.state.versions]

    def same_value(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose value digest is `digest`."""
        return [row for row in self._newest() if row.space == space and row.digests.value == digest]

    def slot(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose slot digest is `digest`; an empty one is no slot."""
        return [row for row in self._newest() if digest and row.space == space and row.digests.slot == digest]

    def memories(self, spaces: Sequence[int], trusts: Sequence[str], page: Page) -> list[Version]:
        """Return newest versions of these spaces and states, by row number."""
        rows = (row for row in self._newest() if row.space in spaces and row.trust in trusts)
        return [row for _, row in paged(((row.n, row) for row in rows), page)]

    def carriers(
        self, space: int, trusts: Sequence[str], words: tuple[Words, Words], *, page: Page
    ) -> list[Version]:
        """Return newest versions of a space and states that may carry one of two texts, by row number."""
        onward = Page(page.after, len(self.state.histories))
        rows = self.memories((space,), trusts, onward)
        return [row for row in rows if may_carry(_parts(row), words)][: max(0, page.limit)]

    def _newest(self) -> Iterator[Version]:
        return iter(sorted(map(self.state.newest, self.state.histories), key=lambda version: version.n))


def _parts(row: Version) -> tuple[str, ...]:
    """Return what a version says, its tags as one part, as other stores keep them."""
    claim = row.claim
    return (claim.text, claim.about, claim.attribute, claim.value, " ".join(row.tags))


def paged(rows: Iterable[tuple[int, T]], page: Page) -> list[tuple[int, T]]:
    """Return one page of keyed rows, by key; newest first, `after` up to 0 means from the newest."""
    if page.newest_first:
        left = sorted((row for row in rows if page.after <= 0 or row[0] < page.after), key=_key, reverse=True)
    else:
        left = sorted((row for row in rows if row[0] > page.after), key=_key)
    return left[: max(0, page.limit)]


def _key(row: tuple[int, T]) -> int:
    return row[0]


def once(asked: Sequence[T]) -> list[T]:
    """Return what was asked for, each once, in order."""
    return list(dict.fromkeys(asked))
