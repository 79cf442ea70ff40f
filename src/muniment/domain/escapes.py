"""What does a text say in which letters are spelled by escapes, as JSON spells them?  And where?"""

import re
from dataclasses import dataclass

from muniment.domain.evidence import Span

_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[nrtbf\"/\\]"
)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "/": "/", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Unescaped:
    """Hold a text without its escapes, and where each of its letters begins in the text as it stands."""

    text: str
    places: tuple[int, ...]

    def span(self, found: Span) -> Span:
        """Return where a part of it stands in the text as it is."""
        return Span(self.places[found.start], self.places[found.end])


def unescaped(text: str) -> Unescaped | None:
    """Return what a text says once its escapes are read; None for a text without any."""
    if "\\" not in text:
        return None
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for found in _ESCAPE.finditer(text):
        parts.append(text[at : found.start()])
        places += range(at, found.start())
        parts.append(_letter(found[0]))
        places.append(found.start())
        at = found.end()
    if not at:
        return None
    parts.append(text[at:])
    places += range(at, len(text) + 1)
    return Unescaped("".join(parts), tuple(places))


def _letter(escape: str) -> str:
    """Return the one letter that an escape stands for."""
    if escape[1] != "u":
        return _SHORT[escape[1]]
    codes = [int(part, 16) for part in escape.split("\\u")[1:]]
    if len(codes) == 1:
        return chr(codes[0])
    high, low = codes
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
