"""How does the local daemon run?  Three private sockets, one vault, and an end with nothing half done."""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import uvicorn

from muniment import limits
from muniment.domain.principal import EVERYWHERE, ActorRole
from muniment.domain.rights import Peer
from muniment.service.granting import record_rights
from muniment.service.vault import Vault
from muniment.surfaces.http.app import Running, app_of
from muniment.surfaces.http.chores import Chores
from muniment.surfaces.http.desk import Desk
from muniment.surfaces.http.peers import question_of
from muniment.surfaces.http.protocol import Guarded
from muniment.surfaces.http.sockets import WAITING_MAX, claimed, listening, path_of

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals that end the daemon; a second one changes nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """Hold where the sockets lie, and as whom and where an agent acts that has no key."""

    directory: Path
    actor: str
    space: str


class SaidOnce:
    """Say in one line what the loop of events could not do, each kind once.

    Without open files left it fails again and again, with a page of words each time; whoever started
    the daemon and reads none of that would stop it by a full pipe.
    """

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take what asyncio tells of an error; what the error says is not repeated."""
        said = f"{context.get('message', 'an error')} ({type(context.get('exception')).__name__})"
        if said not in self._said:
            self._said.add(said)
            with suppress(OSError, ValueError):
                sys.stderr.write(f"muniment: {said}; said once, and tried again.\n")


class _Server(uvicorn.Server):
    """Serve one socket; the daemon listens to the signals for all of them."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class Daemon:
    """Serve a vault over its sockets until it is stopped."""

    def __init__(
        self, vault: Vault, place: Place, *, announce: Callable[[Mapping[Peer, Path]], None]
    ) -> None:
        self._vault = vault
        self._place = place
        self._announce = announce
        self._chores = Chores(vault)
        self._servers: dict[Peer, _Server] = {}
        self._running: list[Running] = []

    def run(self) -> None:
        """Serve until `stop` or a signal; open requests are answered first, within a bound.

        Raises DaemonRunning, UnfitSocket and Unavailable before anything is served.
        """
        question_of()
        with ExitStack() as held:
            held.enter_context(claimed(self._place.directory))
            record_rights(self._vault.ground)
            desks = self._desks()
            sockets = {peer: held.enter_context(listening(self._place.directory, peer)) for peer in desks}
            self._chores.start()
            held.callback(self._chores.stop)
            anyio.run(self._serve, desks, sockets)

    def stop(self) -> None:
        """End the daemon; may be called from any thread, and more than once."""
        for running in self._running:
            running.is_stopping = True
        for server in self._servers.values():
            server.should_exit = True

    def _desks(self) -> dict[Peer, Desk]:
        """Return what each socket stands on: the owner's only where the owner started the daemon."""
        agent = self._agent()
        hands = {Peer.LOOP: agent, Peer.BROKER: agent}
        if self._vault.principal.role is ActorRole.OWNER:
            hands[Peer.OWNER] = self._vault
        return {peer: Desk(peer, hand, chores=self._chores) for peer, hand in hands.items()}

    def _agent(self) -> Vault:
        """Return the vault in the hands of the agent: never a person, whoever started the daemon (I15)."""
        if self._vault.principal.role in EVERYWHERE:
            return self._vault.acting_as(actor=self._place.actor, role="agent", space=self._place.space)
        return self._vault.as_agent(actor=self._place.actor, home=self._place.space)

    async def _serve(self, desks: Mapping[Peer, Desk], sockets: Mapping[Peer, socket.socket]) -> None:
        for peer, desk in desks.items():
            running = Running()
            self._running.append(running)
            self._servers[peer] = _Server(_config(app_of(desk, running)))
        asyncio.get_running_loop().set_exception_handler(SaidOnce())
        with self._signals():
            async with anyio.create_task_group() as group:
                for peer, server in self._servers.items():
                    group.start_soon(server.serve, [sockets[peer]])
                while not all(server.started for server in self._servers.values()):
                    await anyio.sleep(0.01)
                self._announce({peer: path_of(self._place.directory, peer) for peer in desks})
                tell_ready()

    @contextmanager
    def _signals(self) -> Generator[None, None, None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for one in STOPPING:
            loop.add_signal_handler(one, self.stop)
        try:
            yield
        finally:
            for one in STOPPING:
                loop.remove_signal_handler(one)


def _config(app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # the application is one, whether or not its types are installed
        http=Guarded,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=WAITING_MAX,
        h11_max_incomplete_event_size=limits.request_head_bytes_max,
        timeout_graceful_shutdown=limits.drain_seconds_max,
    )


def tell_ready() -> None:
    """Tell the service manager that the sockets are there, when one waits for it."""
    name = os.environ.get("NOTIFY_SOCKET", "")
    if not name:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told, suppress(OSError):
        # A name that begins with @ is one without a file.
        told.sendto(b"READY=1", "\0" + name[1:] if name.startswith("@") else name)
