"""Whose turn is it to write?  Threads are served in the order in which they came."""

import threading
from collections import deque
from types import TracebackType
from typing import Protocol

from muniment.errors import Busy


class Between(Protocol):
    """Put the processes that write to one vault in order."""

    def take(self, seconds: float) -> None:
        """Wait at most so long for this process's turn; raises Busy, and then nothing is held."""

    def give(self) -> None:
        """Let the next process in."""

    def close(self) -> None:
        """Let go of whatever keeps the order."""


class Alone:
    """Wait for nobody: the database itself puts processes in order."""

    def take(self, seconds: float) -> None:
        """Take the turn at once."""

    def give(self) -> None:
        """Give back nothing."""

    def close(self) -> None:
        """Let go of nothing."""


class Turns:
    """Let one thread write at a time, first come first served.

    A plain lock may pass over a waiter again and again; here the lock is handed to the
    one that has waited longest.
    """

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._held = False

    def take(self, seconds: float) -> None:
        """Wait for a turn; raises Busy after `seconds`, and then nothing is held."""
        with self._mutex:
            if not self._held:
                self._held = True
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        came = False
        try:
            came = mine.acquire(timeout=seconds)
        finally:
            # An interrupt may end the wait as well, and a place nobody holds would stop the queue.
            if not came:
                self._leave(mine)
        if not came:
            raise Busy("Another thread holds the vault.")

    def _leave(self, mine: threading.Lock) -> None:
        with self._mutex:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return
        # The turn came at the last moment; it goes to the next.
        self.give()

    def give(self) -> None:
        """Hand the turn to whoever has waited longest."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False

    def __enter__(self) -> None:
        self.take(-1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give()
