"""How is a table walked that somebody may have edited?  In pages, and on behind what cannot be read."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from muniment import limits
from muniment.domain.changes import Page
from muniment.errors import Tampered

T = TypeVar("T")

SKIPS_MAX = 10_000
"""Most keys that are tried one by one behind a row that cannot be read."""


def walked_pages(
    fetch: Callable[[Page], list[tuple[int, T]]], *, first: int, unreadable: Callable[[], None]
) -> Iterator[list[T]]:
    """Yield the rows behind key `first` in pages; `unreadable` is called for each stretch left out.

    `fetch` returns rows with their keys and raises Tampered for a page with a row that
    holds what was never written.
    """
    after, limit, skips = first, limits.walk_rows_max, 0
    while skips <= SKIPS_MAX:
        try:
            page = fetch(Page(after, limit))
        except Tampered:
            if limit > 1:
                limit = 1
                continue
            if not skips:
                unreadable()
            after, skips = after + 1, skips + 1
            continue
        if not page:
            return
        if skips:
            limit, skips = limits.walk_rows_max, 0
        after = page[-1][0]
        yield [row for _, row in page]
