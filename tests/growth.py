"""Does some work grow with the length of a text and no faster?  Counted in this thread's time at work."""

import time
from collections.abc import Callable

SHORT, LONG = 2_000, 40_000
LEEWAY = 5
"""A square would cost twenty times too much; caches and a busy machine cost a few times."""


def at_work(work: Callable[[str], object], text: str) -> float:
    """Return the least time at work of three runs, in seconds."""
    spent: list[float] = []
    for _ in range(3):
        begun = time.thread_time()
        work(text)
        spent.append(time.thread_time() - begun)
    return min(spent)


def assert_linear(work: Callable[[str], object], piece: str) -> None:
    """Fail when twenty times the text costs far more than twenty times the work."""
    short, long = piece * (SHORT // len(piece)), piece * (LONG // len(piece))
    work(short)
    one, other = at_work(work, short), at_work(work, long)
    assert other < LEEWAY * (LONG / SHORT) * max(one, 1e-4), (piece, one, other)
