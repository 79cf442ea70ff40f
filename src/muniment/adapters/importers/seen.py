"""Has this item stood in the file before, and what is it called if nobody named it?"""

import hashlib
from enum import StrEnum

_DIGEST_BYTES = 16


class Repeat(StrEnum):
    """Name how an item relates to the earlier ones of the same name."""

    NEW = "new"
    SAME = "same"
    OTHER = "other"


class Seen:
    """Remember what a file has held so far, in sixteen bytes an item."""

    def __init__(self) -> None:
        self._named: dict[bytes, bytes] = {}
        self._unnamed: dict[bytes, int] = {}

    def repeat(self, identity: str, *content: str) -> Repeat:
        """Return whether `identity` is new, or held the same or other content before."""
        key, digest = _digest(identity), _digest(*content)
        before = self._named.get(key)
        if before is None:
            self._named[key] = digest
            return Repeat.NEW
        return Repeat.SAME if before == digest else Repeat.OTHER

    def origin(self, *content: str) -> str:
        """Return a name made from the content and how often it has occurred so far.

        Reading a file twice gives the same names, so nothing is added; the same line
        twice in one file gives two names, because somebody said it twice.
        """
        digest = _digest(*content)
        count = self._unnamed.get(digest, 0)
        self._unnamed[digest] = count + 1
        return f"auto:{digest.hex()}:{count}"


def _digest(*parts: str) -> bytes:
    """Return a digest of the parts that no shifting of text between them can repeat."""
    state = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        state.update(len(raw).to_bytes(8, "big"))
        state.update(raw)
    return state.digest()[:_DIGEST_BYTES]
