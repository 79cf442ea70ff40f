"""Where does an erasure stay known when an older database is put back?  In a file beside its keys.

The file `erasures` in the key directory has one line an erasure.  A line is on the disk
before the erasure is; one that a crash cut off was never answered for and is written over.
"""

import os
from pathlib import Path
from typing import Final

from muniment.adapters import files

JOURNAL: Final = "erasures"
"""What the journal is called in a key directory."""

_WHAT = "The journal of erasures"


class MemoryJournal:
    """Keep the journal in memory: for the reference vault and for tests."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def lines(self) -> tuple[str, ...]:
        """Return every line, oldest first."""
        return tuple(self._lines)

    def add(self, line: str) -> None:
        """Add the line of one erasure."""
        self._lines.append(line)


class FileJournal:
    """Keep the journal in the file `erasures` of a key directory; safe among threads and processes."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / JOURNAL
        self._lock = directory / f"{JOURNAL}.lock"

    def lines(self) -> tuple[str, ...]:
        """Return every whole line, oldest first.

        Raises Unreadable and ReadOnly when the file cannot be read: nothing is erased is
        another answer.
        """
        with files.translated(_WHAT):
            return tuple(line.decode("ascii", "replace") for line in self._whole())

    def add(self, line: str) -> None:
        """Add the line of one erasure; it is on the disk when the call returns.

        Raises FullDisk, ReadOnly, Busy and Unreadable; then nothing was added.
        """
        with files.translated(_WHAT), files.locked(self._lock):
            after = sum(len(one) + 1 for one in self._whole())
            files.append(self._path, f"{line}\n".encode("ascii"), after=after)

    def _whole(self) -> list[bytes]:
        """Return the lines that end; what stands behind the last newline is torn."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return []
        with open(descriptor, "rb") as file:
            return file.read().split(b"\n")[:-1]
