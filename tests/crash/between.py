"""What stands between a writer and a database server?  A carrier of bytes that can lose an answer."""

import socket
import threading
from contextlib import suppress
from enum import Enum

COMMITTED = b"COMMIT\x00"
"""The end of the server's message that a commit was done."""

BYTES_MAX = 65_536


class Loses(Enum):
    """Name what the carrier loses; it loses it once, with the connection."""

    NOTHING = "nothing"
    ANSWER = "the answer to a commit"
    REST = "what comes after the answer to a commit"


class Between:
    """Carry bytes between a port of this machine and a server's socket, until told to lose some."""

    def __init__(self, directory: str) -> None:
        self._server = f"{directory}/.s.PGSQL.5432"
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self.loses, self.lost, self.is_cut = Loses.NOTHING, 0, False
        self._open: list[socket.socket] = []
        threading.Thread(target=self._admit, daemon=True).start()

    def lose(self, what: Loses, *, cut: bool = False) -> None:
        """Lose this the next time that it comes; with `cut` nobody is let through afterwards."""
        self.loses, self._cuts = what, cut

    def mend(self) -> None:
        """Let everybody through again."""
        self.is_cut = False

    def close(self) -> None:
        """End all connections and take no more."""
        for one in (self._door, *self._open):
            _end(one)

    def _admit(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                if self.is_cut:
                    near.close()
                    continue
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._server)
                self._open += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, target, far), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while given := source.recv(BYTES_MAX):
                kept = self._kept(given) if source is far else given
                if kept:
                    target.sendall(kept)
                if kept != given:
                    break
        _end(source)
        _end(target)

    def _kept(self, given: bytes) -> bytes:
        """Return what of the server's bytes is carried on."""
        at = given.find(COMMITTED)
        if self.loses is Loses.NOTHING or at < 0:
            return given
        kept = given[: at + len(COMMITTED)] if self.loses is Loses.REST else b""
        self.loses, self.lost, self.is_cut = Loses.NOTHING, self.lost + 1, self._cuts
        if self.is_cut:
            for one in self._open:
                _end(one)
        return kept


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
