"""How is a member of a JSON object read?  As the one type it must have, or not at all.

Each raises KeyError when the member is missing and TypeError or ValueError when it is wrong.
"""

from collections.abc import Mapping
from datetime import datetime

from muniment.domain.timeline import from_micros

Fields = Mapping[str, object]
"""The members of one object."""


def text(fields: Fields, name: str) -> str:
    """Return a text member."""
    found = fields[name]
    if not isinstance(found, str):
        raise TypeError(name)
    return found


def number(fields: Fields, name: str) -> int:
    """Return an integer member, 64 bits at most and not a truth value."""
    found = fields[name]
    if isinstance(found, bool) or not isinstance(found, int) or abs(found) >= 1 << 63:
        raise TypeError(name)
    return found


def raw(fields: Fields, name: str) -> bytes:
    """Return the bytes of a hexadecimal member."""
    return bytes.fromhex(text(fields, name))


def moment(fields: Fields, name: str) -> datetime:
    """Return the moment of a member in microseconds."""
    return from_micros(number(fields, name))


def texts(fields: Fields, name: str) -> tuple[str, ...]:
    """Return a member that lists texts."""
    found = fields[name]
    if not isinstance(found, list):
        raise TypeError(name)
    return tuple(text({name: one}, name) for one in found)


def flag(fields: Fields, name: str) -> bool:
    """Return a truth value."""
    found = fields[name]
    if not isinstance(found, bool):
        raise TypeError(name)
    return found


def perhaps(fields: Fields, name: str) -> datetime | None:
    """Return the moment of a member, or None for none."""
    return None if fields[name] is None else moment(fields, name)
