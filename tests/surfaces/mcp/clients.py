"""How does a test talk to the server?  With the SDK's own client, in memory, as a host does."""

import itertools
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

import anyio
from mcp import Client, types

from muniment.service.vault import Vault
from muniment.settings import settings_from
from muniment.surfaces.mcp.server import server_of

T = TypeVar("T")

Talk = Callable[[Client], Awaitable[T]]


def conversing(
    vault: Vault, talk: Talk[T], *, client: str = "coder", environ: Mapping[str, str] | None = None
) -> T:
    """Return what `talk` returns after one connection; `environ` holds MUNIMENT_* variables."""
    settings = settings_from({"MUNIMENT_HOME": "unused", **(environ or {})})

    async def connected() -> T:
        named = types.Implementation(name=client, version="1")
        async with Client(server_of(vault, settings=settings), client_info=named) as held:
            return await talk(held)

    return anyio.run(connected)


def called(
    vault: Vault, *steps: tuple[str, Mapping[str, object]], client: str = "coder"
) -> list[types.CallToolResult]:
    """Return the results of some calls, one after the other in one session."""

    async def talk(held: Client) -> list[types.CallToolResult]:
        return [await held.call_tool(name, dict(arguments)) for name, arguments in steps]

    return conversing(vault, talk, client=client)


def call(vault: Vault, name: str, **arguments: object) -> types.CallToolResult:
    """Return the result of one call in a session of its own."""
    return called(vault, (name, arguments))[0]


def text_of(result: types.CallToolResult) -> str:
    """Return the one text that a result consists of."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


def data_of(result: types.CallToolResult) -> dict[str, object]:
    """Return the structured part of a result."""
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def id_of(result: types.CallToolResult) -> str:
    """Return the id of a receipt that is no refusal."""
    assert not result.is_error, text_of(result)
    return str(data_of(result)["id"])


def ids_in(result: types.CallToolResult) -> list[str]:
    """Return the ids of the hits of an answer, in order."""
    hits = data_of(result)["hits"]
    assert isinstance(hits, list)
    return [str(hit["id"]) for hit in hits]


def outside_envelope(result: types.CallToolResult) -> str:
    """Return what a model reads beside the items: everything but the JSON strings in their boundary."""
    lines = text_of(result).split("\n")
    inside = [at + 1 for at, line in enumerate(lines) if line.startswith("<<mem ")]
    return "\n".join(line for at, line in enumerate(lines) if at not in inside)


def leaves_of(value: object) -> list[object]:
    """Return every scalar of a structured answer."""
    if isinstance(value, Mapping):
        return list(itertools.chain.from_iterable(leaves_of(one) for one in value.values()))
    if isinstance(value, list | tuple):
        return list(itertools.chain.from_iterable(leaves_of(one) for one in value))
    return [value]
