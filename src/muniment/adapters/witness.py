"""What has the vault's log been, as seen from outside the database?  Signed checkpoints.

A database that was put back to an older state proves itself perfectly well; only what
lies outside it can tell.  The file `witness` in the key directory holds signed notes, each
followed by an empty line.  Its last note is the newest: notes are added under a lock, and
one that would step back is signed but not kept.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from muniment.adapters import files
from muniment.adapters.signing import SigningKeys, is_signed
from muniment.domain import checkpoint
from muniment.domain.checkpoint import Checkpoint, Head
from muniment.errors import Tampered

NOTES_KEPT: Final = 1_000
"""How many of the newest notes stay when the file is thinned; the first and those of new
epochs stay beside them."""

FILE_BYTES_MAX: Final = 16 * 1024 * 1024
"""Longest witness file that is read whole."""

_WHAT = "The witness file"
_TAIL_BYTES = 2 * checkpoint.NOTE_CHARACTERS_MAX
_SIGNATURE = "\u2014 "

_Seen = tuple[tuple[int, int, int], Checkpoint | None]


class _Signing:
    """Sign checkpoints of one vault and verify them."""

    def __init__(self, keyring: SigningKeys, origin: str) -> None:
        self._keyring = keyring
        self._own = Head(origin, 0, b"")

    def _signed(self, made: Checkpoint) -> str:
        body = checkpoint.body(made)
        signature = self._keyring.sign(body.encode())
        line = checkpoint.signature_line(made.origin, self._keyring.public_key, signature)
        return checkpoint.note(body, (line,))

    def _verified(self, note: str) -> Checkpoint:
        keys = (self._keyring.public_key, *self._keyring.old_public_keys)
        found = checkpoint.verified(note, keys, check=is_signed)
        if found.vault != self._own.vault:
            raise Tampered("The witness file holds a checkpoint of another vault.")
        return found

    def _origin(self, newest: Checkpoint | None) -> str:
        """Return the origin of the newest epoch that is known of."""
        if newest is not None and newest.epoch > self._own.epoch:
            return newest.origin
        return self._own.origin

    def _ordinary(
        self, newest: Checkpoint | None, size: int, root: bytes, *, at: datetime
    ) -> tuple[str, bool]:
        """Return the note of a head and whether it is to be kept: only if it goes forward."""
        made = Checkpoint(self._origin(newest), size, root, at)
        if newest is None or newest.epoch < made.epoch or newest.size < size:
            return self._signed(made), True
        if newest.size == size and newest.root != root:
            raise Tampered("The log has another root than the witness saw at this size.")
        return self._signed(made), False

    def _epoch(self, old_note: str, size: int, root: bytes, *, why: str, at: datetime) -> str:
        left = self._verified(old_note)
        origin = checkpoint.origin_of(left.vault, left.epoch + 1)
        follows = Head(left.origin, left.size, left.root)
        return self._signed(Checkpoint(origin, size, root, at, follows, why))


class MemoryWitness(_Signing):
    """Keep checkpoints in memory: for the reference vault and for tests."""

    def __init__(self, keyring: SigningKeys, origin: str) -> None:
        super().__init__(keyring, origin)
        self._notes: list[str] = []

    def newest_checkpoint(self) -> Checkpoint | None:
        """Return the newest checkpoint, or None when there is none."""
        return self._verified(self._notes[-1]) if self._notes else None

    def newest(self) -> tuple[int, bytes] | None:
        """Return size and root of the newest checkpoint, or None when there is none."""
        found = self.newest_checkpoint()
        return None if found is None else (found.size, found.root)

    def add(self, size: int, root: bytes, at: datetime) -> str:
        """Sign a checkpoint, keep it if it goes forward, and return its note."""
        note, is_newer = self._ordinary(self.newest_checkpoint(), size, root, at=at)
        if is_newer:
            self._notes.append(note)
        return note

    def new_epoch(self, old_note: str, size: int, root: bytes, *, why: str, at: datetime) -> str:
        """Begin an epoch that cites the head of `old_note`; return its first note."""
        self._notes.append(self._epoch(old_note, size, root, why=why, at=at))
        return self._notes[-1]

    def notes(self) -> Iterator[str]:
        """Return every kept note, oldest first."""
        return iter(tuple(self._notes))


class FileWitness(_Signing):
    """Keep checkpoints in the file `witness` of a key directory.

    `origin` is the log's name in the epoch that the caller knows of; a newer one in the
    file wins.  Safe among threads and processes.
    """

    def __init__(
        self, directory: Path, keyring: SigningKeys, origin: str, *, notes_kept: int = NOTES_KEPT
    ) -> None:
        super().__init__(keyring, origin)
        self._path = directory / "witness"
        # Every write looks at it, and to spell a path out takes as long as the look.
        self._spelled = str(self._path)
        self._lock = directory / "witness.lock"
        self._notes_kept = notes_kept
        self._seen: _Seen | None = None

    def newest(self) -> tuple[int, bytes] | None:
        """Return size and root of the newest checkpoint, or None when there is none.

        Costs one look at the file's state while nothing was added.  Raises Tampered when
        the newest note is not signed by a key of this vault, or is of another vault.
        """
        found = self.newest_checkpoint()
        return None if found is None else (found.size, found.root)

    def newest_checkpoint(self) -> Checkpoint | None:
        """Return the newest checkpoint with its epoch; like `newest`."""
        seen = self._seen
        # What keeps the look from its answer is named by the reading below.
        with suppress(OSError):
            if seen is not None and seen[0] == _state(os.stat(self._spelled)):
                return seen[1]
        return self._read_newest()

    def _read_newest(self) -> Checkpoint | None:
        """Read and check the newest note."""
        with files.translated(_WHAT):
            try:
                with open(self._path, "rb") as file:
                    state = _state(os.fstat(file.fileno()))
                    file.seek(max(0, state[1] - _TAIL_BYTES))
                    tail = file.read(_TAIL_BYTES)
            except FileNotFoundError:
                return None
        note = _last(tail.decode("utf-8", "replace"))
        found = None if note is None else self._verified(note)
        self._seen = (state, found)
        return found

    def add(self, size: int, root: bytes, at: datetime) -> str:
        """Sign a checkpoint, keep it if it goes forward, and return its note.

        The note is on the disk when the call returns.  Raises Tampered when the witness
        saw another root at this size.
        """
        with files.translated(_WHAT), files.locked(self._lock):
            note, is_newer = self._ordinary(self.newest_checkpoint(), size, root, at=at)
            if is_newer:
                self._keep(note)
        return note

    def new_epoch(self, old_note: str, size: int, root: bytes, *, why: str, at: datetime) -> str:
        """Begin an epoch that cites the head of `old_note`; return its first note.

        `why` is one lower-case word, such as `rolled-back`.  Raises Tampered when
        `old_note` is not this vault's.
        """
        with files.translated(_WHAT), files.locked(self._lock):
            note = self._epoch(old_note, size, root, why=why, at=at)
            self._keep(note)
        return note

    def notes(self) -> Iterator[str]:
        """Return every kept note, oldest first, as it stands: `verify` checks signatures."""
        with files.translated(_WHAT):
            return iter(_whole_notes(self._read()))

    def _read(self) -> str:
        try:
            with open(self._path, "rb") as file:
                content = file.read(FILE_BYTES_MAX + 1)
        except FileNotFoundError:
            return ""
        if len(content) > FILE_BYTES_MAX:
            raise Tampered("The witness file is longer than it can be.")
        return content.decode("utf-8", "replace")

    def _keep(self, note: str) -> None:
        """Add a note after the last whole one; thin the file when it has grown too long."""
        kept = _whole_notes(self._read())
        if len(kept) >= 2 * self._notes_kept:
            files.replace(self._path, _spelled([*_thinned(kept, self._notes_kept), note]))
            return
        files.append(self._path, _spelled([note]), after=len(_spelled(kept)))


def _state(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_mtime_ns, found.st_size, found.st_ino


def _spelled(notes: list[str]) -> bytes:
    return "".join(f"{note}\n" for note in notes).encode()


def _whole_notes(text: str) -> list[str]:
    """Return the notes of a file; what a crash cut off at its end was never answered for."""
    parts = text.split("\n\n")
    # The last part is what follows the last empty line: nothing, or a torn note.
    count = (len(parts) - 1) // 2
    return [f"{parts[2 * at]}\n\n{parts[2 * at + 1]}\n" for at in range(count)]


def _last(tail: str) -> str | None:
    """Return the last whole note of the end of a file, None before the first is whole.

    Behind it may stand a torn note, with or without its empty line.  Raises Tampered for
    anything else.
    """
    parts = tail.split("\n\n")[:-1]
    if len(parts) < 2:
        return None
    for at in (len(parts) - 1, len(parts) - 2):
        if at > 0 and parts[at].startswith(_SIGNATURE):
            return f"{parts[at - 1]}\n\n{parts[at]}\n"
    raise Tampered("The witness file does not end in a checkpoint.")


def _thinned(notes: list[str], kept: int) -> list[str]:
    """Return the first note, those that begin an epoch, and the newest `kept`."""
    older, newest = notes[:-kept], notes[-kept:]
    stay = [note for at, note in enumerate(older) if at == 0 or checkpoint.parsed(note).follows is not None]
    return stay + newest
