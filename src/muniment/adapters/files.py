"""How are files beside the database written, so that no crash leaves half of one?

A file is private to its owner, is created exclusively or replaced whole, and is on the
disk before the call returns.  What the operating system says is translated here, once.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from muniment import limits
from muniment.errors import Busy, FullDisk, LooseKeys, MunimentError, ReadOnly, Unreadable

PRIVATE_FILE = 0o600
"""Mode of a file that only its owner may read and write."""

PRIVATE_DIRECTORY = 0o700
"""Mode of a directory that only its owner may enter."""

_OTHERS = 0o077
_LOCK_PAUSE_SECONDS = 0.005
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_NOT_WRITABLE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn the operating system's errors into ours; `what` begins the sentence."""
    try:
        yield
    except OSError as error:
        raise _named(error, what) from error


def _named(error: OSError, what: str) -> MunimentError:
    if error.errno in _FULL:
        return FullDisk(f"{what} could not be written: the disk is full.")
    if error.errno in _NOT_WRITABLE:
        return ReadOnly(f"{what} may not be written or opened by this user.")
    return Unreadable(f"{what} cannot be read or written: {os.strerror(error.errno or 0)}.")


def make_private_directory(path: Path) -> None:
    """Make a directory of mode 0700, whatever the umask; raises OSError when it is there."""
    os.mkdir(path, PRIVATE_DIRECTORY)
    os.chmod(path, PRIVATE_DIRECTORY)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_new(path: Path, content: bytes) -> None:
    """Create a private file with `content`, durably.

    Raises FileExistsError when the name is taken, by a link too: nothing is overwritten.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE_FILE)
    with open(descriptor, "wb") as file:
        os.fchmod(descriptor, PRIVATE_FILE)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    sync_directory(path.parent)


@contextmanager
def whole(
    path: Path, *, mode: int = PRIVATE_FILE, if_still: Callable[[], bool] | None = None
) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `path` when the block ends well, and else vanishes.

    A reader sees the old content or the new, never a part.  `if_still` is asked at the last moment
    whether it may.  Raises OSError.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE_FILE)
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        if if_still is None or if_still():
            os.replace(draft, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)
    sync_directory(path.parent)


def is_replaceable(path: Path) -> bool:
    """Return whether nothing is lost with what `path` names: nothing, a plain file or a link."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return True
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def replace(path: Path, content: bytes, *, mode: int = PRIVATE_FILE) -> None:
    """Put `content` in the place of `path`, whole and durable.  Raises OSError."""
    with whole(path, mode=mode) as file:
        file.write(content)


def append(path: Path, content: bytes, *, after: int) -> None:
    """Write `content` at byte `after`, cutting off what a crash left behind it; durable.

    The file is created private.  The caller holds the lock.  Raises OSError.
    """
    is_new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, PRIVATE_FILE)
    with open(descriptor, "r+b") as file:
        file.truncate(after)
        file.seek(after)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    if is_new:
        sync_directory(path.parent)


def check_private_directory(path: Path) -> None:
    """Raise LooseKeys unless `path` is the user's own directory and closed to others.

    Raises FileNotFoundError when it is absent.
    """
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        raise LooseKeys("The key directory is a link or no directory.")
    _check_owner(found, "The key directory")


def read_private(path: Path, *, bytes_max: int) -> bytes:
    """Return the content of a file that only its owner can reach.

    Raises LooseKeys for a link, another owner, wider modes or a longer file, and
    FileNotFoundError when it is absent.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise LooseKeys(f"The file {path.name} is a link.") from error
        raise
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise LooseKeys(f"{path.name} is no ordinary file.")
        _check_owner(found, f"The file {path.name}")
        content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise LooseKeys(f"The file {path.name} is longer than it can be.")
    return content


def _check_owner(found: os.stat_result, what: str) -> None:
    if found.st_uid != os.geteuid():
        raise LooseKeys(f"{what} belongs to another user.")
    if stat.S_IMODE(found.st_mode) & _OTHERS:
        raise LooseKeys(f"{what} is open to others.")


@contextmanager
def locked(path: Path, *, wait_ms: int = limits.busy_wait_ms_max) -> Iterator[None]:
    """Hold the lock file `path`, among threads and processes alike.

    The lock is a file of its own, so that the guarded one may be replaced.  Raises Busy
    when another holds it for longer than `wait_ms`, and OSError.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        until = time.monotonic() + wait_ms / 1000
        while not _taken(descriptor):
            if time.monotonic() >= until:
                raise Busy(f"Another process holds {path.name}.")
            time.sleep(_LOCK_PAUSE_SECONDS)
        yield
    finally:
        os.close(descriptor)


class Held:
    """Hold a lock file until the block that it is used for ends, or it is forgotten."""

    def __init__(self, descriptor: int) -> None:
        self._file = os.fdopen(descriptor, "rb")

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        self._file.close()


def held(path: Path) -> Held:
    """Take the lock file `path` at once, beyond this call; raises Busy when another holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE_FILE)
    if not _taken(descriptor):
        os.close(descriptor)
        raise Busy(f"Another process holds {path.name}.")
    return Held(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
