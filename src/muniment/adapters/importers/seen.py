"""Has this item stood in the file before, and what is it called if nobody named it?"""

import hashlib
from array import array
from enum import StrEnum

_DIGEST_BYTES = 16
_KEY_BYTES = 8
_FIRST_PLACES = 1 << 10


class Repeat(StrEnum):
    """Name how an item relates to the earlier ones of the same name."""

    NEW = "new"
    SAME = "same"
    OTHER = "other"


class Seen:
    """Remember what a file has held so far, in 24 to 48 bytes an item.

    Two different items share their eight bytes once in a million files of five million
    lines; then the later one is taken for a repeat: numbered on, or set aside and reported.
    """

    def __init__(self) -> None:
        self._named = _Numbers()
        self._unnamed = _Numbers()

    def repeat(self, identity: str, *content: str) -> Repeat:
        """Return whether `identity` is new, or held the same or other content before."""
        said = _number(_digest(*content))
        before = self._named.first(_number(_digest(identity)), said)
        if before is None:
            return Repeat.NEW
        return Repeat.SAME if before == said else Repeat.OTHER

    def origin(self, *content: str) -> str:
        """Return a name made from the content and how often it has occurred so far.

        Reading a file twice gives the same names, so nothing is added; the same line
        twice in one file gives two names, because somebody said it twice.
        """
        digest = _digest(*content)
        return f"auto:{digest.hex()}:{self._unnamed.counted(_number(digest))}"


class _Numbers:
    """Map numbers of eight bytes to others, sixteen bytes a place: a tenth of what a dict takes.

    A key goes to the first free place from the one it names.  Key 0 marks a free place.
    """

    __slots__ = ("_held", "_keys", "_values")

    def __init__(self, places: int = _FIRST_PLACES) -> None:
        """Make `places` free places, a power of two."""
        self._keys = array("Q", bytes(8 * places))
        self._values = array("Q", bytes(8 * places))
        self._held = 0

    def first(self, key: int, value: int) -> int | None:
        """Return the value that a key was given first; None, and now it is `value`."""
        at = self._place(key)
        if self._keys[at]:
            return self._values[at]
        self._put(at, key, value)
        return None

    def counted(self, key: int) -> int:
        """Return how often a key was counted before, and count it."""
        at = self._place(key)
        before = self._values[at]
        if before:
            self._values[at] = before + 1
        else:
            self._put(at, key, 1)
        return before

    def _place(self, key: int) -> int:
        keys, last = self._keys, len(self._keys) - 1
        at = key & last
        while keys[at] and keys[at] != key:
            at = (at + 1) & last
        return at

    def _put(self, at: int, key: int, value: int) -> None:
        self._keys[at], self._values[at] = key, value
        self._held += 1
        # Two places in three at most are taken, so that a free one is never far.
        if 3 * self._held > 2 * len(self._keys):
            self._grow()

    def _grow(self) -> None:
        wider = _Numbers(2 * len(self._keys))
        for key, value in zip(self._keys, self._values, strict=True):
            if key:
                at = wider._place(key)
                wider._keys[at], wider._values[at] = key, value
        self._keys, self._values = wider._keys, wider._values


def _number(digest: bytes) -> int:
    """Return a digest's first bytes as a number, never 0."""
    return int.from_bytes(digest[:_KEY_BYTES], "little") or 1


def _digest(*parts: str) -> bytes:
    """Return a digest of the parts that no shifting of text between them can repeat."""
    state = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        state.update(len(raw).to_bytes(8, "big"))
        state.update(raw)
    return state.digest()[:_DIGEST_BYTES]
