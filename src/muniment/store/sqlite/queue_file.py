"""In which order do processes write to one vault?  In the order in which they came.

SQLite lets whoever happens to ask at the right moment in, so that a busy process can keep
another out for seconds.  `<vault>.lock` is the queue: a waiter takes a number, locks the
byte of that number as a sign of life, and waits until no byte before it is locked.  The
system drops the locks of a process that dies, so a killed waiter stops nobody.  The queue
only makes the order: SQLite's own lock keeps writers apart, whatever becomes of this file.
"""

import fcntl
import os
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from muniment.errors import Busy

FIRST_PAUSE_SECONDS = 50e-6
PAUSE_SECONDS_MAX = 5e-3
PAUSE_OF_WAIT = 1 / 32
"""How long a waiter sleeps between two looks: a share of what it has waited, within bounds."""

# Byte 0 is held by a writer that came to an empty queue, the last one while a number is
# taken; the byte of a waiter is its number, which begins at 1.
_HOLDER, _FIRST, _GATE = 0, 1, 1 << 49
_NUMBERS_MAX = 1 << 48
_NUMBER = struct.Struct("<q")
_FLOCK = struct.Struct("@hhqqi4x")
_SET = getattr(fcntl, "F_OFD_SETLK", None)
"""Locks that belong to an open file, not to a process; a system without them has no numbers."""


@lru_cache(maxsize=16)
def _asked(kind: int, start: int, length: int) -> bytes:
    """Return what the system is asked with; a writer that waits for nobody asks the same each time."""
    return _FLOCK.pack(kind, os.SEEK_SET, start, length, 0)


_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class QueueFile:
    """Stand in the queue of one vault.  One thread at a time uses it."""

    def __init__(self, path: Path, *, numbered: bool = _SET is not None) -> None:
        self._path = path
        self._numbered = numbered
        self._descriptor = -1

    def take(self, seconds: float) -> None:
        """Wait at most `seconds` for the vault's turn among processes; raises Busy."""
        # Without a queue, on a full disk say, SQLite alone keeps writers apart.
        if self._open():
            self._wait(seconds)

    def give(self) -> None:
        """Let the next one in."""
        if self._descriptor >= 0:
            self._leave()

    def _open(self) -> bool:
        """Say whether there is a queue to stand in."""
        if self._descriptor < 0:
            with suppress(OSError):
                self._descriptor = os.open(self._path, _OPEN, 0o600)
        return self._descriptor >= 0

    def _wait(self, seconds: float) -> None:
        if not self._numbered:
            self._poll(self._flocked, seconds)
            return
        if self._came_first():
            return
        until = time.monotonic() + seconds
        try:
            number = self._number(until)
            self._poll(lambda: self._locked(fcntl.F_RDLCK, _HOLDER, number - _HOLDER), seconds)
        except Busy:
            self._leave()
            raise

    def _came_first(self) -> bool:
        """Take the turn at once when nobody is in the queue, leaving room for those who come."""
        if not self._locked(fcntl.F_WRLCK, _HOLDER, 0):
            return False
        self._locked(fcntl.F_UNLCK, _FIRST, 0)
        return True

    def _number(self, until: float) -> int:
        """Take the next number and lock its byte."""
        self._poll(lambda: self._locked(fcntl.F_WRLCK, _GATE, 1), until - time.monotonic())
        try:
            held = os.pread(self._descriptor, _NUMBER.size, 0)
            last = _NUMBER.unpack(held)[0] if len(held) == _NUMBER.size else 0
            number = max(_FIRST, (last + 1) % _NUMBERS_MAX)
            # A file that lost its count gives a number that is out; the next free one will do.
            while not self._locked(fcntl.F_WRLCK, number, 1):
                number += 1
            # A full disk may refuse the first count; then the order is by luck, as without a queue.
            with suppress(OSError):
                os.pwrite(self._descriptor, _NUMBER.pack(number), 0)
            return number
        finally:
            self._locked(fcntl.F_UNLCK, _GATE, 1)

    def _locked(self, kind: int, start: int, length: int) -> bool:
        """Set or drop a lock on bytes; a length of 0 reaches to the end of numbers."""
        try:
            fcntl.fcntl(self._descriptor, _SET or 0, _asked(kind, start, length))
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _flocked(self) -> bool:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _poll(self, came: Callable[[], bool], seconds: float) -> None:
        """Look until it is our turn, at first often and then less so; raises Busy."""
        begun = time.monotonic()
        while not came():
            waited = time.monotonic() - begun
            if waited >= seconds:
                raise Busy("Another process holds the vault.")
            time.sleep(min(PAUSE_SECONDS_MAX, max(FIRST_PAUSE_SECONDS, waited * PAUSE_OF_WAIT)))

    def _leave(self) -> None:
        if self._numbered:
            self._locked(fcntl.F_UNLCK, _HOLDER, 0)
        else:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the file; it stays, since others may stand in it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
