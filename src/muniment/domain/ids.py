"""How is an id spelled, and how is it stored?  A typed prefix and 128 bits that sort by time."""

import re
from functools import lru_cache
from types import MappingProxyType

from muniment.errors import BadInput

PREFIXES = MappingProxyType(
    {
        "m": "memory",
        "e": "evidence",
        "s": "session",
        "l": "link",
        "t": "tombstone",
        "r": "record",
        "c": "case",
        "p": "proposal",
        "d": "dial",
        "x": "erasure",
        "b": "edit of a block",
        "f": "frozen baseline",
        "g": "happenings of a session",
        "q": "request for an erasure",
        "u": "use of a model",
    }
)
"""What an id names, by its first letter; a letter is never reused."""

NUMBER_BYTES = 16
"""Length of an id's number."""

PACKED_BYTES = 1 + NUMBER_BYTES
"""Length of a packed id: its prefix letter and its number."""

# Base 32 with the digits 0-9a-v ("extended hex") keeps the order of the numbers; 26 digits
# hold 130 bits, so the last two bits are padding and must be zero in the one right spelling.
_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_PAIRS = tuple(high + low for high in _DIGITS for low in _DIGITS)
_SPELLED = re.compile(r"([a-z])_([0-9a-v]{25}[048cgkos])")
_LOW_BITS = (1 << 70) - 1


def spelled(number: int) -> str:
    """Return the 26 characters of a 128-bit number; texts sort as the numbers do.

    Written out, since an id is made for every row: a loop over the standard library's
    base 32 takes three times as long.
    """
    high, low = number >> 68, (number << 2) & _LOW_BITS
    p = _PAIRS
    return (
        f"{p[high >> 50]}{p[high >> 40 & 1023]}{p[high >> 30 & 1023]}{p[high >> 20 & 1023]}"
        f"{p[high >> 10 & 1023]}{p[high & 1023]}{p[low >> 60]}{p[low >> 50 & 1023]}{p[low >> 40 & 1023]}"
        f"{p[low >> 30 & 1023]}{p[low >> 20 & 1023]}{p[low >> 10 & 1023]}{p[low & 1023]}"
    )


def is_id(text: str) -> bool:
    """Return whether `text` is an id in its one spelling; says nothing about what exists."""
    found = _SPELLED.fullmatch(text)
    return found is not None and found[1] in PREFIXES


@lru_cache(maxsize=1_024)
def packed(id: str) -> bytes:
    """Return the 17 bytes of an id: its prefix letter and its number.

    Raises BadInput for a text that is not an id; the text is not repeated in the error.
    The last ones are remembered: a write packs the same few ids for row, seal and record.
    """
    found = _SPELLED.fullmatch(id)
    if found is None or found[1] not in PREFIXES:
        raise BadInput("This is not an id: a letter, an underscore and 26 characters.")
    return found[1].encode("ascii") + (int(found[2], 32) >> 2).to_bytes(NUMBER_BYTES, "big")


def unpacked(stored: bytes) -> str:
    """Return the id of 17 packed bytes; raises BadInput for another length or prefix."""
    if len(stored) != PACKED_BYTES or chr(stored[0]) not in PREFIXES:
        raise BadInput("These bytes are not a packed id.")
    return f"{chr(stored[0])}_{spelled(int.from_bytes(stored[1:], 'big'))}"
