"""What is left when the disk is full?  A reserve file beside the vault, given up in need.

In write-ahead logging even taking something out of use needs a few pages more, so a disk
that is full to the last byte would lock a vault as it stands.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from muniment import limits

_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Reserve:
    """Keep `<vault>.reserve`; whether it is there is what every process goes by.

    `cut_log` empties the write-ahead log, which gives back more than the reserve itself.
    """

    def __init__(self, path: Path, *, cut_log: Callable[[], None]) -> None:
        self._path = path
        # Every write looks at it, and to spell a path out takes as long as the look.
        self._spelled = str(path)
        self._cut_log = cut_log

    def is_kept(self) -> bool:
        """Say whether the file is there in its full size."""
        try:
            return os.stat(self._spelled).st_size >= limits.reserve_bytes
        except OSError:
            return False

    def make(self) -> bool:
        """Allocate the file; False, and no file, when the disk has not twice its size to spare.

        Twice, since a reserve made of the last free bytes would be given up by the next write.
        """
        try:
            descriptor = os.open(self._path, _OPEN, 0o600)
        except OSError:
            return False
        try:
            _allocate(descriptor, 2 * limits.reserve_bytes)
            os.ftruncate(descriptor, limits.reserve_bytes)
        except OSError:
            self._remove()
            return False
        finally:
            os.close(descriptor)
        return True

    def give_up(self) -> None:
        """Remove the file and empty the write-ahead log, as far as readers let it."""
        self._remove()
        self._cut_log()

    def _remove(self) -> None:
        with suppress(OSError):
            os.unlink(self._path)


def _allocate(descriptor: int, size: int) -> None:
    """Take real blocks: a file of holes would keep nothing back."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
        return
    zeros = bytes(64 * 1024)
    for _ in range(0, size, len(zeros)):
        os.write(descriptor, zeros)
    os.fsync(descriptor)
