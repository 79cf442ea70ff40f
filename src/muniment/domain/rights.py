"""What may whoever is at the other end of a socket of the daemon do?  One table, built in.

The table is code: no file, variable, option or argument adds to it, takes from it or puts a
question in front of a row.  Its digest goes into the ledger when a daemon starts, so that the
audit says which rights held when.
"""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Peer(StrEnum):
    """Name who is at the other end: the socket is the credential."""

    LOOP = "loop"
    BROKER = "broker"
    OWNER = "owner"


MEMORY_TOOLS = ("recall", "search", "memory", "remember")
"""What an agent's loop may always call for its model, whoever would rather be asked first."""

_EVERYONE = ("about", "session_updated")

RIGHTS: Mapping[Peer, tuple[str, ...]] = MappingProxyType(
    {
        # Runs the conversation: keeps its turns and its prompt, and offers the memory tools.
        # It never says that a tool's result is clean, and nothing of it is a person's act (I15).
        Peer.LOOP: (
            *_EVERYONE,
            *("open", "append", "session", "turns", "compact", "rewind", "retry"),
            *MEMORY_TOOLS,
        ),
        # Runs the tools: hands in what they gave, says which of them are clean, and looks at a
        # session's label before it lets anything out.  It reads no memory and no turn.
        Peer.BROKER: (*_EVERYONE, "append", "session", "updates"),
        # The person: reviews, decides, corrects, erases and looks after the vault.
        Peer.OWNER: (
            *_EVERYONE,
            *("updates", "status", "doctor", "verify", "checkpoint", "log", "sessions"),
            *("spaces", "set-dial"),
            *("recall", "read", "history", "why"),
            *("remember", "revise", "succeed", "retract", "reject", "lift", "retire", "revive"),
            *("block", "memory", "edits", "undo"),
            *("pending", "proposal", "approve", "decline", "cases", "case", "decide"),
            *("erasures", "plan-erasure", "erase", "decline-erasure", "certificates", "certificate"),
        ),
    }
)
"""Which calls each peer may make; a call without a row is made by nobody there."""


def granted(peer: Peer, call: str) -> bool:
    """Return whether `peer` may make `call`."""
    return call in RIGHTS[peer]


def digest_of(rights: Mapping[Peer, tuple[str, ...]]) -> str:
    """Return the SHA-256 of a table of rights in hexadecimal; the order of its rows does not count."""
    rows = sorted(f"{peer.value} {call}" for peer, calls in rights.items() for call in calls)
    return hashlib.sha256("\n".join(["muniment rights 1", *rows]).encode("ascii")).hexdigest()
