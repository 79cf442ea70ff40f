"""Who is at the other end of a local socket?  The kernel says so; nothing that is sent does."""

import socket
import struct
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from muniment.errors import Unavailable


class _Question(NamedTuple):
    """Hold how a kernel is asked for the user at the other end: level, option, size, and where it stands."""

    level: int
    option: int
    size: int
    offset: int


_QUESTIONS: Mapping[str, _Question] = MappingProxyType(
    {
        # struct ucred: pid, uid, gid.
        "linux": _Question(socket.SOL_SOCKET, 17, 12, 4),
        # struct xucred: version, uid, groups; SOL_LOCAL and LOCAL_PEERCRED have no names in Python.
        "darwin": _Question(0, 1, 76, 4),
    }
)
"""How each system is asked; on any other the daemon does not serve."""

_UID = struct.Struct("=I")


class Asked(Protocol):
    """Be a connected socket, as far as it is asked here."""

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        """Return what the kernel says of an option."""


def question_of(platform: str = sys.platform) -> _Question:
    """Return how this system is asked; raises Unavailable where it cannot be."""
    found = _QUESTIONS.get(platform)
    if found is None:
        raise Unavailable(
            "This system does not say who is at the other end of a socket.",
            advice="Serve an agent with `muniment serve --mcp` instead.",
        )
    return found


def user_of(connected: Asked, *, platform: str = sys.platform) -> int | None:
    """Return the number of the user at the other end, None when the kernel does not say it."""
    asked = question_of(platform)
    try:
        answer = connected.getsockopt(asked.level, asked.option, asked.size)
    except OSError:
        return None
    if len(answer) < asked.offset + _UID.size:
        return None
    user: int = _UID.unpack_from(answer, asked.offset)[0]
    return user
