"""What is a block, and what do its entries say?  Bounds, the joined text, and finding an entry.

A block is a short list of entries that stands in every prompt of its space.  Its bound
counts code points of the joined text, so that what is counted is what the prompt holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from muniment import limits
from muniment.domain.canonical import plain


class Block(StrEnum):
    """Name a block: who the agent is, what it knows, what it knows of the person."""

    SOUL = "soul"
    MEMORY = "memory"
    USER = "user"


BOUNDS = MappingProxyType(
    {
        Block.SOUL: limits.soul_block_characters_max,
        Block.MEMORY: limits.memory_block_characters_max,
        Block.USER: limits.user_block_characters_max,
    }
)
"""Longest joined text of each block, in code points; exactly as long still fits."""

DELIMITER = "\n\u00a7\n"
"""What stands between two entries; a section sign anywhere else is an entry's own."""

_BYTE_ORDER_MARK = "\ufeff"


def rendered(entries: Sequence[str]) -> str:
    """Return the joined text of a block: what its bound counts and a prompt holds."""
    return DELIMITER.join(entries)


def parsed(text: str) -> tuple[str, ...]:
    """Return the entries of a joined text; a byte-order mark and CRLF are normalised first.

    Only the whole delimiter splits.  An empty text has no entry.
    """
    plain_text = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")
    return tuple(plain_text.split(DELIMITER)) if plain_text else ()


def splits(text: str) -> bool:
    """Return whether a text would not come back as one entry: it holds or completes the delimiter."""
    return DELIMITER in text or text.endswith(DELIMITER[:-1])


def characters(entries: Sequence[str]) -> int:
    """Return the size of a block in code points of its joined text."""
    return len(rendered(entries))


def usage(block: Block, entries: Sequence[str]) -> str:
    """Return how full a block is, such as `62% (1,364 of 2,200)`; never rounded up to full."""
    size, bound = characters(entries), BOUNDS[block]
    return f"{100 * size // bound}% ({size:,} of {bound:,})"


def preview(entry: str) -> str:
    """Return the beginning of an entry on one line, with an ellipsis where it was cut."""
    line = " ".join(entry.split())
    most = limits.entry_preview_characters_max
    return line if len(line) <= most else line[: most - 1] + "\u2026"


def sameness(entry: str) -> str:
    """Return the key under which two entries are exact duplicates: case, spacing, composition folded."""
    return plain(entry) or entry


@dataclass(frozen=True, slots=True)
class Found:
    """Hold the places of the entries that a text names: one is a match, none or several are not."""

    places: tuple[int, ...]

    @property
    def place(self) -> int:
        """Return the place of the one match; call it only when there is one."""
        (place,) = self.places
        return place


def found(entries: Sequence[str], named: str, *, whole: bool = False) -> Found:
    """Return which entries a text names: an exact whole entry first, else every one that holds it.

    An empty text names nothing; with `whole` nothing less than the whole entry is named.
    """
    if not named:
        return Found(())
    exact = tuple(place for place, entry in enumerate(entries) if entry == named)
    if exact or whole:
        return Found(exact)
    return Found(tuple(place for place, entry in enumerate(entries) if named in entry))
