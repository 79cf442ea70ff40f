"""Which connections are talked to?  Those of this user, so many at once, and none that only waits."""

import asyncio
import os
from contextlib import suppress
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from muniment import limits
from muniment.errors import BadInput
from muniment.surfaces.http.peers import user_of
from muniment.surfaces.http.shown import problem


class Guarded(H11Protocol):
    """Speak HTTP with a process of the same user; any other is cut off before a byte is read.

    A request whose head does not come whole within `limits.request_seconds_max` ends the
    connection, and so does an answer that is not taken away for as long; of a request's body the
    surface itself keeps the time.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its base
        super().connection_made(transport)
        is_ours = user_of(transport.get_extra_info("socket")) == os.geteuid()
        if not is_ours or len(self.connections) > limits.connections_max:
            transport.abort()
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._wait_no_more()

    def pause_writing(self) -> None:
        """Wait for whoever is to read what was answered, and no longer than for a request."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """Go on: what was answered is being read."""
        self._wait_no_more()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Be ready for the next request; the end of an answer too is to be taken away in time."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request in HTTP as any other error; where an answer began already, end it."""
        status, body = problem(BadInput("What came is no request in HTTP."))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode("ascii")),
            (b"connection", b"close"),
        ]
        with suppress(h11.LocalProtocolError):
            for event in (
                h11.Response(status_code=status, headers=headers, reason=b"Bad Request"),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(limits.request_seconds_max, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
