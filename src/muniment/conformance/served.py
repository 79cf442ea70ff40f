"""How is Muniment measured as an agent meets it?  Over MCP, with a real server process at the other end."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from muniment.conformance.adapter import HOME, Cannot, Slot, Written
from muniment.conformance.library import Library

_PROTOCOL = "2025-06-18"
_HELLO = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": {"name": "coder", "version": "1"}}


class Broken(Exception):
    """Say that a server answered with something that is no answer."""


class Host:
    """Speak MCP with one server process over its pipes, one call at a time."""

    def __init__(self, arguments: list[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "muniment", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            text=True,
            encoding="utf-8",
        )
        self._last = 0
        self._asked("initialize", _HELLO)
        self._sent({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _sent(self, message: Mapping[str, object]) -> None:
        if self._process.stdin is None:
            raise Broken("the server has no input")
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _asked(self, method: str, parameters: Mapping[str, object]) -> Mapping[str, object]:
        self._last += 1
        self._sent({"jsonrpc": "2.0", "id": self._last, "method": method, "params": parameters})
        if self._process.stdout is None:
            raise Broken("the server has no output")
        for line in self._process.stdout:
            if not line.startswith("{"):
                continue
            message = json.loads(line)
            if message.get("id") == self._last and isinstance(message.get("result"), dict):
                result: dict[str, object] = message["result"]
                return result
        raise Broken("the server ended")

    def call(self, tool: str, **arguments: object) -> tuple[str, Mapping[str, object], bool]:
        """Return what a tool answered: the text a model reads, its fields, and whether it refused."""
        result = self._asked("tools/call", {"name": tool, "arguments": arguments})
        content, fields = result.get("content"), result.get("structuredContent")
        texts = [str(block.get("text", "")) for block in content] if isinstance(content, list) else []
        return "\n".join(texts), fields if isinstance(fields, dict) else {}, bool(result.get("isError"))

    def close(self) -> None:
        """End the server by ending its input."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(timeout=30)
        if self._process.stdout is not None:
            self._process.stdout.close()


class Served(Library):
    """Muniment over MCP: what an agent does goes over the wire, what a person does stays with the owner."""

    name = "muniment-mcp"

    def __init__(self, place: Path) -> None:
        self._hosts: dict[str, Host] = {}
        super().__init__(place)

    def host(self, space: str = HOME) -> Host:
        """Return the connection of an agent whose server was started for a space."""
        if space not in self._hosts:
            self._hosts[space] = Host(["--vault", str(self._path), "--space", space, "serve", "--mcp"])
        return self._hosts[space]

    def close(self) -> None:
        """End the servers, then close the vault."""
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()
        super().close()

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        """Call `remember`."""
        when = {"valid_from": since} if since else {}
        return _became(self.host(space).call("remember", text=text, **_key(slot), **when))

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        """Call `recall`, and return the text that a model reads."""
        return self.host(space).call("recall", query=query, k=k)[0]

    def prompt_as_of(self, query: str, moment: str, *, k: int = 10) -> str:
        """Call `recall` about a date."""
        return self.host().call("recall", query=query, k=k, as_of=moment)[0]

    def prompt_within(self, query: str, tokens: int, *, k: int = 10) -> tuple[str, int]:
        """Call `recall` with a budget, and count the texts of its items."""
        prompt = self.host().call("recall", query=query, k=k, budget_tokens=tokens)[0]
        return prompt, self.counted(prompt)

    def correct(self, old: str, new: str, *, slot: Slot | None = None, since: str = "") -> None:
        """Call `revise` with its action for a world that changed."""
        given = {"value": slot.value} if slot else {}
        when = {"valid_from": since} if since else {}
        for row in self._holding(old):
            self.host().call("revise", id=row.memory, action="succeed", text=new, **given, **when)

    def reach(self, held: str, asked: str, query: str) -> str:
        """Call `recall` for another space."""
        return self.host(held).call("recall", query=query, k=50, space=asked)[0]

    def reach_write(self, held: str, asked: str, text: str) -> None:
        """Call `remember` for another space."""
        self.host(held).call("remember", text=text, space=asked)

    def advance(self, days: float) -> None:
        """Refuse: a server process has the system's clock."""
        raise Cannot("clock that can be moved")

    def paths(self) -> Mapping[str, Callable[[str, Slot | None, str], Written]]:
        """Return the two ways in that the tools have."""
        return {
            "remember": lambda text, slot, space: self.write(text, slot=slot, space=space),
            "revise": self._revised,
        }

    def _revised(self, text: str, slot: Slot | None, space: str) -> Written:
        self._doors += 1
        harmless = Slot(slot.about, slot.attribute, f"oak {self._doors}") if slot else None
        key = _key(harmless)
        host = self.host(space)
        _, made, _ = host.call("remember", text=f"Something harmless, number {self._doors}", **key)
        given = {"value": slot.value} if slot else {}
        return _became(host.call("revise", id=made.get("id"), action="correct", text=text, **given))


def _key(slot: Slot | None) -> dict[str, str]:
    return {"about": slot.about, "attribute": slot.attribute, "value": slot.value} if slot else {}


def _became(answer: tuple[str, Mapping[str, object], bool]) -> Written:
    _, fields, failed = answer
    verdict, reason = str(fields.get("verdict", "refused")), str(fields.get("reason", ""))
    return Written(taken=not failed and verdict != "refused", reason=reason)
