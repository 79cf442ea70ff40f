"""How do the files of the blocks lie on the disk?  In a private directory beside the vault's own.

Every file is opened without following a link and looked at once it is open, and is never read
beyond its bound.  A new text takes the place of the old one whole, and the old bytes are
overwritten: what an erasure took out of a block is then not left on the disk either.
"""

import errno
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from muniment import limits
from muniment.adapters import files
from muniment.adapters.keys import BLOCKS, KEYS, blocks_beside
from muniment.errors import FullDisk, MunimentError, UnusableBlock

_WHAT = "The directory of the block files"
_LOCK = ".lock"
_COPY = ".bak."
_DRAFT = ".part"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class FileBlocks:
    """Keep the block files in `directory`; safe among threads and processes that hold `locked`."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @classmethod
    def beside(cls, keys: Path) -> "FileBlocks":
        """Return the block files of the vault whose keys lie in the directory `keys`."""
        return cls(blocks_beside(keys))

    @property
    def place(self) -> str:
        """Return the path of the directory, for a person."""
        return str(self._directory)

    def are_there(self) -> bool:
        """Return whether the directory was made; whatever else bears its name counts, and is refused."""
        return os.path.lexists(self._directory)

    def make(self) -> None:
        """Make the directory, mode 0700, unless it is there.  Raises ReadOnly and FullDisk."""
        with files.translated(_WHAT), suppress(FileExistsError):
            files.make_private_directory(self._directory)
            files.sync_directory(self._directory.parent)

    @contextmanager
    def locked(self, *, wait_ms: int = limits.busy_wait_ms_max) -> Iterator[None]:
        """Hold the directory among threads and processes.

        Raises UnusableBlock for a directory that is a link, another user's or open to others,
        Busy when another holds it for longer than `wait_ms`, and ReadOnly where no lock can be taken.
        """
        self.check()
        with ExitStack() as held:
            with files.translated(_WHAT):
                held.enter_context(files.locked(self._directory / _LOCK, wait_ms=wait_ms))
            yield

    def check(self) -> None:
        """Raise UnusableBlock for a directory that is a link, another user's or open to others."""
        with files.translated(_WHAT):
            found = os.lstat(self._directory)
        if not stat.S_ISDIR(found.st_mode):
            raise UnusableBlock(f"{_WHAT} is a link or no directory.")
        if found.st_uid != os.geteuid():
            raise UnusableBlock(f"{_WHAT} belongs to another user.")
        if stat.S_IMODE(found.st_mode) & ~files.PRIVATE_DIRECTORY:
            raise UnusableBlock(f"{_WHAT} is open to others.")

    def read(self, name: str) -> bytes | None:
        """Return what a file holds, None when there is none.

        Raises UnusableBlock for a link, for what is no ordinary file, is another user's, may be
        written by others or is longer than `block_file_bytes_max`, and for what cannot be read.
        """
        with _explained(name):
            try:
                descriptor = os.open(self._directory / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except FileNotFoundError:
                return None
            try:
                _check(os.fstat(descriptor), name)
                with open(descriptor, "rb", closefd=False) as file:
                    content = file.read(limits.block_file_bytes_max + 1)
            finally:
                os.close(descriptor)
        if len(content) > limits.block_file_bytes_max:
            raise UnusableBlock(
                f"The file {name} is longer than {limits.block_file_bytes_max:,} bytes, and was not read."
            )
        return content

    def write(self, name: str, content: bytes) -> None:
        """Put `content` in the place of a file, whole, durable and private; the old bytes are overwritten.

        A file that has another name besides is not overwritten: whoever gave it keeps what it holds.
        Raises ReadOnly, FullDisk and Unreadable; then the file is as it was.
        """
        path = self._directory / name
        with files.translated(f"The file {name}"), _opened(path) as old:
            files.replace(path, content)
            if old is not None:
                _overwrite(old)

    def follow(self, name: str, content: bytes, *, seen: bytes | None) -> bool:
        """Do as `write`, unless a person saved since the file held `seen`; return whether it was done.

        What is looked at and what is replaced lie some microseconds apart.
        """
        path, did = self._directory / name, False

        def may() -> bool:
            nonlocal did
            did = self._holds(name, seen)
            return did

        with files.translated(f"The file {name}"), _opened(path) as old:
            with files.whole(path, if_still=may) as file:
                file.write(content)
            if old is not None and did:
                _overwrite(old)
        return did

    def _holds(self, name: str, seen: bytes | None) -> bool:
        try:
            return self.read(name) == seen
        except UnusableBlock:
            return False

    def keep(self, name: str, content: bytes, at: datetime) -> str:
        """Keep a copy of what was found in a file; return its name.

        Raises FullDisk once there are `block_copies_max` copies, and ReadOnly.
        """
        with files.translated(f"A copy of {name}"):
            place = self._free(name, at)
            files.write_new(place, content)
        return place.name

    def aside(self, name: str, at: datetime) -> str:
        """Move whatever bears a name out of the way, unread; return its new name, empty for nothing."""
        with files.translated(f"The file {name}"):
            if not os.path.lexists(self._directory / name):
                return ""
            place = self._free(name, at)
            os.rename(self._directory / name, place)
            files.sync_directory(self._directory)
        return place.name

    def _free(self, name: str, at: datetime) -> Path:
        if len(self.copies()) >= limits.block_copies_max:
            raise FullDisk(
                f"There are {limits.block_copies_max} copies of block files already.",
                advice="Remove the copies that you need no more from the directory of the block files.",
            )
        stamp, number = f"{name}{_COPY}{at:%Y%m%dT%H%M%SZ}", 1
        place = self._directory / stamp
        while os.path.lexists(place):
            number += 1
            place = self._directory / f"{stamp}-{number}"
        return place

    def copies(self) -> tuple[str, ...]:
        """Return the names of the copies that were kept, and of drafts that a crash left."""
        with files.translated(_WHAT), os.scandir(self._directory) as entries:
            found = [one.name for one in entries if not one.is_dir(follow_symlinks=False)]
        return tuple(sorted(name for name in found if _COPY in name or name.endswith(_DRAFT)))

    def drop(self, name: str) -> None:
        """Overwrite and remove a file; of a link only the link goes.  Raises ReadOnly and Unreadable."""
        path = self._directory / name
        with files.translated(f"The file {name}"):
            with _opened(path) as old:
                if old is not None:
                    _overwrite(old)
            with suppress(FileNotFoundError):
                os.unlink(path)
            files.sync_directory(self._directory)

    def strays(self) -> "tuple[FileBlocks, ...]":
        """Return directories of block files beside this one whose vaults are not there.

        At most `stray_items_max`, among the first `directory_items_max` names; none that is a link,
        another user's or open to others, and none at all where nothing can be listed.
        """
        with suppress(OSError), os.scandir(self._directory.parent) as entries:
            names = [one.name for one in islice(entries, limits.directory_items_max)]
            strays = [
                name for name in sorted(names) if _is_stray(name, names) and name != self._directory.name
            ]
            found = (FileBlocks(self._directory.with_name(name)) for name in strays)
            return tuple(one for one in found if one.is_private())[: limits.stray_items_max]
        return ()

    def is_private(self) -> bool:
        """Return whether the directory is one of ours alone."""
        try:
            self.check()
        except MunimentError:
            return False
        return True


def _is_stray(name: str, names: Collection[str]) -> bool:
    stem = name.removesuffix(BLOCKS)
    return stem != name and stem not in names and f"{stem}{KEYS}" not in names


@contextmanager
def _explained(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        said = (
            "is a link" if error.errno == errno.ELOOP else f"cannot be read: {os.strerror(error.errno or 0)}"
        )
        raise UnusableBlock(f"The file {name} {said}.") from error


def _check(found: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UnusableBlock(f"The file {name} is no ordinary file.")
    if found.st_uid != os.geteuid():
        raise UnusableBlock(f"The file {name} belongs to another user.")
    if found.st_mode & _OTHERS_WRITE:
        raise UnusableBlock(f"The file {name} may be written by others.")


@contextmanager
def _opened(path: Path) -> Iterator[int | None]:
    """Yield a descriptor to overwrite what a path names now, None where that is not ours alone to do."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        # Nothing is there, or a link, or what cannot be opened: the new file takes its place all the same.
        yield None
        return
    try:
        found = os.fstat(descriptor)
        yield descriptor if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 else None
    finally:
        os.close(descriptor)


def _overwrite(descriptor: int) -> None:
    size = os.fstat(descriptor).st_size
    os.pwrite(descriptor, bytes(size), 0)
    os.fsync(descriptor)
