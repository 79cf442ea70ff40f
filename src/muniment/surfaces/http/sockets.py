"""Where do the daemon's sockets lie, and whose are they?  A private directory, one daemon at a time.

Each peer has a directory of its own, so that a sandbox can be handed one of them and a new
daemon's socket appears in it.  Nothing is trusted for its name: links are refused, and what
is wider than its owner is refused, not narrowed.
"""

import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from muniment.adapters.files import PRIVATE_DIRECTORY, PRIVATE_FILE, translated
from muniment.domain.rights import Peer
from muniment.errors import DaemonRunning, UnfitSocket

SOCKET = "muniment.sock"
"""Name of the socket in its peer's directory."""

LOCK = "daemon.lock"
"""Name of the file that the one daemon of a directory holds locked."""

WAITING_MAX = 64
"""How many connections wait to be taken in at a socket; others are refused by the system."""

_OTHERS = 0o077


def path_of(directory: Path, peer: Peer) -> Path:
    """Return where a peer's socket lies."""
    return directory / peer.value / SOCKET


@contextmanager
def claimed(directory: Path) -> Iterator[None]:
    """Hold the directory for one daemon; it is made when it is not there.

    Raises DaemonRunning when another daemon has it, and UnfitSocket for a directory or a lock
    that is a link, another user's, or open to others.
    """
    with translated("The directory of the sockets"):
        directory.parent.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
        _private_directory(directory)
        descriptor = _lock_file(directory / LOCK)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DaemonRunning("Another daemon serves in this directory.") from error
        yield
    finally:
        # The name stays: a lock on a file that was taken away would guard nothing.
        os.close(descriptor)


def _private_directory(path: Path) -> None:
    with suppress(FileExistsError):
        os.mkdir(path, PRIVATE_DIRECTORY)
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        raise UnfitSocket(f"`{path.name}` is a link or no directory.")
    if found.st_uid != os.geteuid() or found.st_mode & _OTHERS:
        raise UnfitSocket(f"The directory `{path.name}` is open to others, or another user's.")


def _lock_file(path: Path) -> int:
    if path.is_symlink():
        raise UnfitSocket(f"`{path.name}` is a link.")
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE_FILE)


@contextmanager
def listening(directory: Path, peer: Peer) -> Iterator[socket.socket]:
    """Yield a peer's socket, of mode 0600 before it listens, and take its name away at the end.

    The caller holds the directory, so a socket that lies there is one that a killed daemon
    left: it is removed, unless somebody answers at it all the same.  Raises DaemonRunning for that,
    and UnfitSocket for anything else of that name, and for a path that is too long for the system.
    """
    path = path_of(directory, peer)
    with translated("The directory of a socket"):
        _private_directory(path.parent)
    _remove_stale(path)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _bind(made, path)
        made.listen(WAITING_MAX)
        yield made
    finally:
        made.close()
        with suppress(FileNotFoundError):
            os.unlink(path)


def _remove_stale(path: Path) -> None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise UnfitSocket(f"What lies at `{path.parent.name}/{path.name}` is no socket.")
    if _is_answered(path):
        # Its lock was taken away under it, or there would be no getting here.
        raise DaemonRunning("Another daemon serves in this directory, and its lock is not there any more.")
    os.unlink(path)


def _is_answered(path: Path) -> bool:
    """Return whether a process listens at a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.setblocking(False)
        try:
            asking.connect(os.fspath(path))
        except BlockingIOError:
            # So many wait there already that this one is not taken in.
            return True
        except OSError:
            return False
    return True


def _bind(made: socket.socket, path: Path) -> None:
    try:
        made.bind(os.fspath(path))
        # Nobody else can reach into the directory, and nobody is listened to before this.
        os.chmod(path, PRIVATE_FILE)
    except OSError as error:
        raise UnfitSocket(
            "The socket cannot be made; its path may be too long for this system.",
            advice="Name a short directory with `--sockets`.",
        ) from error
