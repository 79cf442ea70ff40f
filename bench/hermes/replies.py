"""What does a reply mean?  The replies of both sides in the same few words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from bench.hermes.operations import NEW_SESSION, OPERATIONS, PROMPT, Operation
from bench.hermes.side import Side
from muniment.errors import MunimentError
from muniment.service.block_receipt import BlockReceipt
from muniment.service.session import Session
from muniment.service.vault import Vault


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold what a reply means.

    `did` is done, kept (a success that wrote nothing) or refused, and `why` says it in a word or two.
    `added` and `gone` are how the entries of both blocks changed, `shows` what the reply helps with:
    entries, previews, usage, and stop for the last word of a turn.  A look has what it says in `added`.
    """

    did: str
    why: str = ""
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()

    @property
    def plain(self) -> dict[str, object]:
        """Return it as it is kept in a file."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }


OUR_REASONS: Mapping[str, str] = {
    "bad-edit": "parts",
    "bad-input": "parts",
    "characters": "characters",
    "duplicate-entry": "is there",
    "empties-block": "leaves nothing",
    "empty": "parts",
    "known-phrase": "speaks to a model",
    "no-entry": "no entry",
    "over-limit": "limit",
    "secret": "secret",
    "several-entries": "several entries",
    "unchanged": "is there",
}
"""What the codes of a vault mean here."""

THEIR_REASONS: Sequence[tuple[str, str]] = (
    ("failed \\d+ times this turn", "stop"),
    ("already exists", "is there"),
    ("[Nn]o entry matched", "no entry"),
    ("matched multiple|Multiple entries", "several entries"),
    ("would exceed the limit|would put memory at|over the limit", "limit"),
    ("is required|needs old_text|cannot be empty|[Uu]nknown action|Invalid target", "parts"),
    ("invisible unicode", "characters"),
    ("threat pattern", "speaks to a model"),
)
"""What the sentences of hermes-agent mean here; the first that fits counts."""


def their_reason(sentence: str) -> str:
    """Return what a sentence means; raises ValueError for one that is not known."""
    for pattern, meaning in THEIR_REASONS:
        if re.search(pattern, sentence):
            return meaning
    raise ValueError(f"an unknown reply: {sentence}")


class Ours:
    """Do operations in a session of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault, self._begun = vault, 0
        self._session = self._next()

    def _next(self) -> Session:
        self._begun += 1
        return self._vault.session(f"s-{self._begun}", agent="ada")

    def did(self, operation: Operation) -> Reply:
        """Do one operation and return what the reply means."""
        if operation.look:
            if operation.look == NEW_SESSION:
                self._session = self._next()
            return Reply("done", added=_in_prompt(self._session.baseline))
        if not operation.goes_on:
            self._session.append("user", "Go on, please.")
        before = self._entries()
        try:
            receipt = self._session.memory(**_named(operation.parts, OUR_NAMES))
        except MunimentError as error:
            return Reply("refused", OUR_REASONS[error.code])
        return _meant(receipt, _change(before, self._entries()))

    def _entries(self) -> list[str]:
        return [entry for block in ("memory", "user") for entry in self._vault.block(block).entries]


def _meant(receipt: BlockReceipt, change: tuple[tuple[str, ...], tuple[str, ...]]) -> Reply:
    why = "" if receipt.verdict == "stored" else OUR_REASONS[receipt.reason]
    did = {"stored": "done"}.get(receipt.verdict, receipt.verdict)
    previews = why == "several entries" and bool(receipt.detail)
    shown = {
        "entries": bool(receipt.entries) and not previews,
        "previews": previews,
        "stop": receipt.stop,
        "usage": bool(receipt.usage),
    }
    return Reply(did, why, *change, tuple(name for name, is_there in shown.items() if is_there))


class Theirs:
    """Do operations in a process of hermes-agent."""

    def __init__(self, side: Side) -> None:
        self._side = side

    def did(self, operation: Operation) -> Reply:
        """Do one operation and return what the reply means."""
        if operation.look:
            look = {NEW_SESSION: "reloaded", PROMPT: "shown"}[operation.look]
            return Reply("done", added=_in_prompt(str(self._side.ask(look))))
        if not operation.goes_on:
            self._side.ask("turn")
        before = self._entries()
        said = self._side.ask("memory", **_named(operation.parts, THEIR_NAMES))
        assert isinstance(said, dict)
        return _read(said, _change(before, self._entries()))

    def _entries(self) -> list[str]:
        found: list[str] = []
        for target in ("memory", "user"):
            entries = self._side.ask("entries", target=target)
            assert isinstance(entries, list)
            found += map(str, entries)
        return found


def _read(said: Mapping[str, object], change: tuple[tuple[str, ...], tuple[str, ...]]) -> Reply:
    shown = {
        "entries": "current_entries" in said,
        "previews": "matches" in said,
        "stop": said.get("success") is False and bool(said.get("done")),
        "usage": "usage" in said,
    }
    shows = tuple(name for name, is_there in shown.items() if is_there)
    if said["success"]:
        why = "is there" if "already exists" in str(said["message"]) else ""
        return Reply("kept" if why else "done", why, *change, shows)
    return Reply("refused", their_reason(str(said["error"])), *change, shows)


OUR_NAMES = {"action": "action", "block": "block", "text": "text", "old": "old"}
THEIR_NAMES = {"action": "action", "block": "target", "text": "content", "old": "old_text"}
"""What the parts of an edit are called on either side."""


def _named(parts: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    made = {names[part]: value for part, value in parts.items() if part in names}
    operations = parts.get("operations")
    if isinstance(operations, list):
        made["operations"] = [_named(one, names) for one in operations]
    return made


def _change(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what came and what went; long entries by their beginning."""
    added, gone = (
        tuple(_short(entry) for entry in one if entry not in other)
        for one, other in ((after, before), (before, after))
    )
    return added, gone


def _short(entry: str) -> str:
    return entry if len(entry) <= 80 else f"{entry[:10]}… ({len(entry):,})"


_MET = tuple(
    text
    for operation in OPERATIONS
    for text in (operation.parts.get("text"),)
    if isinstance(text, str) and len(text.strip()) > 3
)


def _in_prompt(prompt: str) -> tuple[str, ...]:
    """Return which of the texts of all operations stand in a prompt."""
    return tuple(dict.fromkeys(text.strip() for text in _MET if text.strip() in prompt))


def replied(side: Ours | Theirs) -> list[Reply]:
    """Have one side do all operations, one after the other."""
    return [side.did(operation) for operation in OPERATIONS]
