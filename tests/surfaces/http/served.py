"""How does a test talk to a daemon?  Over its own sockets, as any program does; in a thread or a process.

A socket's path is short by the system's rule, so the directories are not below pytest's.
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from muniment.domain.rights import Peer
from muniment.errors import MunimentError
from muniment.service.vault import Vault
from muniment.surfaces.http.app import PREFIX, ROUTES
from muniment.surfaces.http.daemon import Daemon, Place
from muniment.surfaces.http.sockets import path_of
from tests.conftest import ROOT

SECONDS_MAX = 60
PYTHONPATH = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])


class Reply(NamedTuple):
    """Hold one answer: its status, and its JSON."""

    status: int
    data: Any

    @property
    def code(self) -> str:
        """Return the code of an error."""
        return str(self.data["error"]["code"])


class Connection(http.client.HTTPConnection):
    """Connect to a socket of this machine by its path."""

    def __init__(self, path: Path) -> None:
        super().__init__("muniment", timeout=SECONDS_MAX)
        self._path = path

    def connect(self) -> None:
        self.sock = connected(self._path)


def connected(path: Path) -> socket.socket:
    """Return a bare connection to a socket."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.settimeout(SECONDS_MAX)
    made.connect(os.fspath(path))
    return made


def sent(
    path: Path, method: str, target: str, *, body: bytes | None = None, headers: Mapping[str, str] = {}
) -> Reply:
    """Return the answer to one request as it is given here."""
    connection = Connection(path)
    try:
        connection.request(method, target, body=body, headers=dict(headers))
        response = connection.getresponse()
        text = response.read()
    finally:
        connection.close()
    return Reply(response.status, json.loads(text))


@dataclass(frozen=True)
class At:
    """Hold the directory of a daemon's sockets, to call what is served there."""

    directory: Path

    def path(self, peer: Peer) -> Path:
        """Return where a peer's socket lies."""
        return path_of(self.directory, peer)

    def call(self, peer: Peer, name: str, **fields: object) -> Reply:
        """Return the answer to a call, made by the method that its peer, or the first who has it, uses."""
        route = next((ROUTES[one][name] for one in (peer, *Peer) if name in ROUTES[one]), None)
        if route is not None and not route.changes:
            return sent(self.path(peer), "GET", f"{PREFIX}{name}?{_query(fields)}")
        return sent(self.path(peer), "POST", PREFIX + name, body=json.dumps(fields).encode())

    def loop(self, name: str, **fields: object) -> Any:
        """Return what the loop is answered, which has to be well."""
        return _well(self.call(Peer.LOOP, name, **fields))

    def broker(self, name: str, **fields: object) -> Any:
        """Return what the broker is answered, which has to be well."""
        return _well(self.call(Peer.BROKER, name, **fields))

    def owner(self, name: str, **fields: object) -> Any:
        """Return what the owner is answered, which has to be well."""
        return _well(self.call(Peer.OWNER, name, **fields))


def _query(fields: Mapping[str, object]) -> str:
    return urlencode({name: str(value) for name, value in fields.items()})


def _well(reply: Reply) -> Any:
    assert reply.status == 200, reply
    return reply.data


@contextmanager
def short_directory() -> Iterator[Path]:
    """Yield a directory whose path leaves room for a socket's name."""
    place = Path(tempfile.mkdtemp(prefix="mun-"))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextmanager
def served(vault: Vault, *, actor: str = "coder", space: str = "home") -> Iterator[At]:
    """Serve a vault in a thread of this process until the block ends."""
    with short_directory() as place:
        ready = threading.Event()
        daemon = Daemon(vault, Place(place / "run", actor, space), announce=lambda paths: ready.set())
        failed: list[MunimentError] = []

        def run() -> None:
            try:
                daemon.run()
            except MunimentError as error:
                failed.append(error)
                ready.set()

        thread = threading.Thread(target=run)
        thread.start()
        try:
            assert ready.wait(SECONDS_MAX)
            if failed:
                raise failed[0]
            yield At(place / "run")
        finally:
            daemon.stop()
            thread.join(SECONDS_MAX)
        assert not thread.is_alive()


@dataclass
class Process:
    """Hold a daemon of a process of its own, started as a person or a service manager does."""

    at: At
    running: subprocess.Popen[str]
    announced: Mapping[str, str]

    def ended(self) -> tuple[int, str]:
        """Return the exit code and what was said on standard error, once it ended."""
        _, said = self.running.communicate(timeout=SECONDS_MAX)
        return self.running.returncode, said


def command(*arguments: str) -> list[str]:
    """Return a call of the command line."""
    return [sys.executable, "-m", "muniment", *arguments]


def environment(place: Path, **more: str) -> dict[str, str]:
    """Return an environment with a home below a place."""
    return os.environ | {
        "PYTHONPATH": PYTHONPATH, "MUNIMENT_HOME": str(place / "h"), "MUNIMENT_EMBEDDER": "off", **more,
    }  # fmt: skip


def ran(place: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Return what a command said."""
    return subprocess.run(
        command(*arguments),
        env=environment(place, **more),
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        stdin=subprocess.DEVNULL,
        check=False,
    )


@contextmanager
def process(place: Path, *options: str, **more: str) -> Iterator[Process]:
    """Run a daemon on the vault of a place; it is killed when the block ends, if it still runs."""
    running = subprocess.Popen(
        command("--json", *options, "serve", "--local"),
        env=environment(place, **more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Process(At(place / "h" / "run"), running, _announced(running))
    finally:
        running.kill()
        running.communicate(timeout=SECONDS_MAX)


def _announced(running: subprocess.Popen[str]) -> Mapping[str, str]:
    """Return the paths that a daemon announces when it serves; nothing when it ended instead."""
    lines: list[str] = []
    assert running.stdout is not None
    for line in running.stdout:
        lines.append(line)
        if line.rstrip() == "}":
            break
    found = json.loads("".join(lines) or "{}")
    return found.get("sockets", {}) if isinstance(found, dict) else {}


def until(is_so: object, *, seconds: float = SECONDS_MAX) -> None:
    """Wait until a thing is so."""
    deadline = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]  # a function
        assert time.monotonic() < deadline
        time.sleep(0.02)
