"""How do messages pass over stdin and stdout?  Nothing else is ever on the wire, and every call is answered.

The SDK drops calls that are still at work when the client closes stdin.  Here the end of
the input is handed on only when they are answered, so that requests piped in are too.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from muniment import limits
from muniment.surfaces.mcp.connection import Connection
from muniment.surfaces.mcp.unread import answer_to, meant_by

Incoming = SessionMessage | Exception


@contextmanager
def claimed_stdout() -> Iterator[TextIOWrapper]:
    """Take stdout for the protocol: until the end, whatever else is printed goes to stderr.

    It is done on the file descriptor, so that a library's or a child's output misses the
    wire too.
    """
    sys.stdout.flush()
    wire = os.dup(1)
    os.dup2(2, 1)
    try:
        # A client that is gone leaves bytes behind that closing tries to write once more.
        with (
            suppress(BrokenPipeError),
            open(wire, "w", encoding="utf-8", newline="\n", closefd=False) as protocol,
        ):
            yield protocol
    finally:
        sys.stdout.flush()
        os.dup2(wire, 1)
        os.close(wire)


async def talk(server: Server[Connection], protocol: TextIOWrapper) -> None:
    """Serve one client until it closes stdin and everything it asked is answered.

    A client that is gone before its answer ends the conversation too.
    """
    try:
        async with stdio_server(stdout=anyio.wrap_file(protocol)) as (incoming, outgoing):
            to_server, asked = anyio.create_memory_object_stream[Incoming](0)
            answered, from_server = anyio.create_memory_object_stream[SessionMessage](0)
            calls = _OpenCalls()
            async with anyio.create_task_group() as group:
                group.start_soon(
                    partial(_hand_in, incoming, to_server, outgoing=outgoing.clone(), calls=calls)
                )
                group.start_soon(_hand_out, from_server, outgoing, calls)
                await server.run(asked, answered, server.create_initialization_options())
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        # Nobody reads any more; what was written is durable all the same.
        pass


class _OpenCalls:
    """Hold the ids of requests that have no answer yet."""

    def __init__(self) -> None:
        self._open: set[types.RequestId] = set()
        self._moved = anyio.Event()

    def asked(self, id: types.RequestId) -> None:
        self._open.add(id)

    def answered(self, id: types.RequestId | None) -> None:
        if id is not None:
            self._open.discard(id)
        self._moved.set()

    async def all_answered(self) -> None:
        """Wait until nothing is open; a cancelled call never is answered, so the wait is bounded."""
        with anyio.move_on_after(limits.busy_wait_ms_max / 1000):
            while self._open:
                self._moved = anyio.Event()
                await self._moved.wait()


async def _hand_in(
    incoming: MemoryObjectReceiveStream[Incoming],
    to_server: MemoryObjectSendStream[Incoming],
    *,
    outgoing: MemoryObjectSendStream[SessionMessage],
    calls: _OpenCalls,
) -> None:
    async with to_server, outgoing:
        async for item in incoming:
            if isinstance(item, Exception):
                meant = meant_by(item)
                if meant is None:
                    await outgoing.send(SessionMessage(answer_to(item)))
                    continue
                item = SessionMessage(meant)
            if isinstance(item.message, types.JSONRPCRequest):
                calls.asked(item.message.id)
            await to_server.send(item)
        await calls.all_answered()


async def _hand_out(
    from_server: MemoryObjectReceiveStream[SessionMessage],
    outgoing: MemoryObjectSendStream[SessionMessage],
    calls: _OpenCalls,
) -> None:
    async with outgoing:
        async for item in from_server:
            await outgoing.send(item)
            if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                calls.answered(item.message.id)
