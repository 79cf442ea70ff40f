"""Does a real host process reach the vault over pipes, with nothing on the wire but the protocol?"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio
import pytest
from mcp import Client, types
from mcp.client.stdio import StdioServerParameters, stdio_client

import muniment
from muniment.recall.envelope import parsed
from tests.surfaces.mcp.clients import id_of, ids_in, text_of

SERVER = """
import sys
import muniment
from muniment.surfaces.mcp.server import serve

with muniment.open(sys.argv[1]) as vault:
    serve(vault)
"""
ENDING = (
    SERVER
    + """
print("the end")
"""
)

CHATTY = """
import contextlib
import os
import sys
import threading

import muniment.surfaces.mcp.server as server

claimed, ended = server.claimed_stdout, threading.Event()

def talk():
    while not ended.wait(0.01):
        print("stray print")
        sys.stdout.flush()
        os.write(1, b"stray write\\n")
        os.system("echo stray child")

@contextlib.contextmanager
def noisy():
    with claimed() as protocol:
        talker = threading.Thread(target=talk)
        talker.start()
        yield protocol
        ended.set()
        talker.join()

server.claimed_stdout = noisy
"""

HELLO: Sequence[Mapping[str, object]] = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a host", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)


def request(id: int, tool: str, **arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def environment() -> dict[str, str]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**os.environ, "PYTHONPATH": paths, "PYTHONIOENCODING": "ascii"}


def piped(vault: Path, lines: Sequence[str], *, script: str = ENDING) -> subprocess.CompletedProcess[bytes]:
    """Return what a server process said to lines that were piped in and ended."""
    return subprocess.run(
        [sys.executable, "-c", script, str(vault)],
        input="\n".join([*map(json.dumps, HELLO), *lines, ""]).encode(),
        capture_output=True,
        env=environment(),
        timeout=120,
        check=False,
    )


def answers(done: subprocess.CompletedProcess[bytes]) -> dict[int, dict[str, object]]:
    """Return the answers by id; every line but what the script prints at its end is a message."""
    lines = done.stdout.decode().splitlines()
    assert lines[-1] == "the end", done.stderr.decode()[-2000:]
    messages = [json.loads(line) for line in lines[:-1]]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    return {message["id"]: message for message in messages if "id" in message}


def test_a_host_process_remembers_and_recalls(tmp_path: Path) -> None:
    text = '鍵は月曜日 🦦 {"a": null}'

    async def talk() -> tuple[types.CallToolResult, ...]:
        server = StdioServerParameters(
            command=sys.executable, args=["-c", SERVER, str(tmp_path / "vault.db")], env=environment()
        )
        async with Client(stdio_client(server)) as client:
            kept = await client.call_tool("remember", {"text": text})
            failed = await client.call_tool("remember", {})
            shown = await client.call_tool("recall", {"query": "月曜日"})
            return kept, failed, shown

    kept, failed, shown = anyio.run(talk)
    assert failed.is_error
    assert ids_in(shown) == [id_of(kept)]
    assert parsed(text_of(shown)) == [text]
    with muniment.open(tmp_path / "vault.db") as vault:
        assert vault.read(id_of(kept)).text == text
        assert vault.read(id_of(kept)).rank == "conversation"
        assert vault.read(id_of(kept)).author not in ("", "owner")


def test_everything_that_was_piped_in_is_answered_before_the_end(tmp_path: Path) -> None:
    calls = [json.dumps(request(id, "remember", text=f"Statement {id}")) for id in range(2, 12)]
    found = answers(piped(tmp_path / "vault.db", calls))
    assert set(found) == set(range(1, 12))
    assert not any(found[id]["result"]["isError"] for id in range(2, 12))  # type: ignore[index]  # JSON
    with muniment.open(tmp_path / "vault.db") as vault:
        assert len(vault.memories()) == 10


def test_only_the_protocol_is_on_stdout_whatever_else_is_printed(tmp_path: Path) -> None:
    calls = [json.dumps(request(id, "recall", query="x")) for id in range(2, 6)]
    done = piped(tmp_path / "vault.db", calls, script=CHATTY + ENDING)
    wire = done.stdout.decode().splitlines()
    messages = wire[: wire.index("the end")]
    assert {json.loads(line)["id"] for line in messages} == {1, 2, 3, 4, 5}
    assert b"stray print" in done.stderr
    assert b"stray write" in done.stderr
    assert b"stray child" in done.stderr


@pytest.mark.parametrize("line", ["{not json", "[]", "null", '{"jsonrpc": "2.0"}', "\x00", "x" * 100_000])
def test_a_line_that_is_no_message_does_not_end_the_server(tmp_path: Path, line: str) -> None:
    after = json.dumps(request(9, "remember", text="Still here"))
    found = answers(piped(tmp_path / "vault.db", [line, after]))
    assert 9 in found
    assert found[9]["result"]["isError"] is False  # type: ignore[index]  # JSON


HALVES = {
    "remember": ("text", "kind", "about", "valid_from", "evidence", "tags", "space", "\ud83d"),
    "recall": ("query", "as_of", "include", "kinds", "tags", "sources", "space", "k", "\ud83d"),
    "read": ("id", "mode", "when", "\ud83d"),
    "revise": ("id", "action", "text", "value", "reason", "evidence"),
    "memory": ("action", "block", "text", "old", "operations", "entries"),
    "awake": ("limit", "\udfff"),
    "no \ud83d tool": ("text",),
}
"""Fields of each tool, and names that are none."""

_SOUND = {"remember": {"text": "x"}, "recall": {"query": "x"}, "memory": {"action": "add", "block": "memory"}}


def test_half_a_surrogate_pair_in_any_field_is_answered_and_never_hangs_a_client(tmp_path: Path) -> None:
    asked = [(tool, name) for tool, names in HALVES.items() for name in names]
    calls = [
        {
            "jsonrpc": "2.0",
            "id": id,
            "method": "tools/call",
            "params": {"name": tool, "arguments": {**_SOUND.get(tool, {}), name: "half \ud83d pair"}},
        }
        for id, (tool, name) in enumerate(asked, start=2)
    ]
    last = request(len(calls) + 2, "remember", text="A whole pair \N{OTTER} is kept")
    found = answers(piped(tmp_path / "vault.db", [json.dumps(one) for one in (*calls, last)]))
    assert set(found) == set(range(1, len(calls) + 3))
    shown = {pair: json.dumps(found[id]) for id, pair in enumerate(asked, start=2)}
    assert "characters: " in shown["remember", "text"]
    assert "U+D83D at 5" in shown["remember", "text"]
    assert '"isError": false' in shown["recall", "query"]
    assert '"isError": true' in shown["recall", "\ud83d"]
    assert not any("unexpected" in answer for answer in shown.values())
    with muniment.open(tmp_path / "vault.db") as vault:
        assert [memory.text for memory in vault.memories()] == ["A whole pair \N{OTTER} is kept"]


@pytest.mark.parametrize(
    ("line", "code", "id"),
    [
        ("{not json", -32700, None),
        ("[" * 100_000, -32700, None),
        ("[]", -32600, None),
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": [1]}', -32600, 7),
        ('{"jsonrpc": "2.0", "id": "a\\ud83d", "method": "tools/call", "params": [1]}', -32600, "a\\ud83d"),
    ],
)
def test_what_is_no_message_is_answered_as_the_protocol_says(
    tmp_path: Path, line: str, code: int, id: object
) -> None:
    done = piped(tmp_path / "vault.db", [line, json.dumps(request(9, "awake"))])
    messages = [json.loads(answer) for answer in done.stdout.decode().splitlines()[:-1]]
    assert [one["id"] for one in messages if "error" in one] == [id]
    assert [one["error"]["code"] for one in messages if "error" in one] == [code]
    assert 9 in [one["id"] for one in messages if "result" in one]


def test_arguments_that_are_no_object_are_an_error_of_the_protocol(tmp_path: Path) -> None:
    odd = {**request(2, "recall"), "params": {"name": "recall", "arguments": "query"}}
    none = {**request(3, "awake"), "params": {"name": "awake"}}
    found = answers(piped(tmp_path / "vault.db", [json.dumps(odd), json.dumps(none)]))
    assert "error" in found[2]
    assert found[3]["result"]["isError"] is False  # type: ignore[index]  # JSON


def test_a_client_that_leaves_at_once_ends_the_server_quietly(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path / "vault.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin and process.stdout and process.stderr
    calls = [*HELLO, *[request(id, "remember", text=f"Kept {id}") for id in range(2, 6)]]
    process.stdin.write("".join(json.dumps(one) + "\n" for one in calls).encode())
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.stdin.close()
    process.wait(timeout=120)
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    with muniment.open(tmp_path / "vault.db") as vault:
        assert {memory.text for memory in vault.memories()} <= {f"Kept {id}" for id in range(2, 6)}


def test_two_hosts_share_a_vault_and_lose_nothing(tmp_path: Path) -> None:
    vault = tmp_path / "vault.db"
    muniment.open(vault).close()
    command = [sys.executable, "-c", SERVER, str(vault)]
    hosts = []
    for host in range(2):
        calls = [request(id, "remember", text=f"Host {host} says {id}") for id in range(2, 22)]
        text = "".join(json.dumps(one) + "\n" for one in [*HELLO, *calls])
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        assert process.stdin
        process.stdin.write(text.encode())
        process.stdin.close()
        process.stdin = None
        hosts.append(process)
    for process in hosts:
        out, error = process.communicate(timeout=180)
        assert out.decode().count('"isError":false') == 20, error.decode()[-2000:]
    with muniment.open(vault) as held:
        assert len(held.memories()) == 40
