"""How is an id spelled, and how is it stored?  A typed prefix and 128 bits that sort by time."""

import re
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

REMEMBERED_IDS_MAX = 4_096
"""So many ids are kept at hand with their packed bytes: more than a batch makes."""

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


def new_id(prefix: str, number: int) -> str:
    """Return the id of a 128-bit number; its packed bytes are wanted soon, and kept at hand."""
    id = f"{prefix}_{spelled(number)}"
    _packed.keep(id, prefix.encode("ascii") + number.to_bytes(NUMBER_BYTES, "big"))
    return id


def packed(id: str) -> bytes:
    """Return the 17 bytes of an id: its prefix letter and its number.

    Raises BadInput for a text that is not an id; the text is not repeated in the error.
    The last ones are remembered: a write packs the same few ids for row, seal and record.
    """
    return _packed[id]


class _Packed(dict[str, bytes]):
    """The packed bytes of the ids that were met last; a full memory is emptied."""

    def keep(self, id: str, found: bytes) -> bytes:
        """Remember an id's bytes, and return them."""
        if len(self) >= REMEMBERED_IDS_MAX:
            self.clear()
        self[id] = found
        return found

    def __missing__(self, id: str) -> bytes:
        found = _SPELLED.fullmatch(id)
        if found is None or found[1] not in PREFIXES:
            raise BadInput("This is not an id: a letter, an underscore and 26 characters.")
        number = int(found[2], 32) >> 2
        return self.keep(id, found[1].encode("ascii") + number.to_bytes(NUMBER_BYTES, "big"))


_packed = _Packed()


def unpacked(stored: bytes) -> str:
    """Return the id of 17 packed bytes; raises BadInput for another length or prefix."""
    if len(stored) != PACKED_BYTES or chr(stored[0]) not in PREFIXES:
        raise BadInput("These bytes are not a packed id.")
    return f"{chr(stored[0])}_{spelled(int.from_bytes(stored[1:], 'big'))}"
