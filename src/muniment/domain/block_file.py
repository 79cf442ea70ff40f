"""How does a block read as a file, and what did a person change in it?

A file holds exactly the joined text of a block, in UTF-8.  Beside it stands what was left there:
the line of the journal that it was written from, and a digest of the bytes, so that what a person
changed since is told apart from what the block became.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from muniment.domain.block import Block, parsed, rendered, splits
from muniment.domain.block_edit import Line

NAMES: Mapping[Block, str] = MappingProxyType({block: f"{block.value}.md" for block in Block})
"""What the file of each block is called."""

LEFT_NAMES: Mapping[Block, str] = MappingProxyType({block: f".{block.value}.left" for block in Block})
"""What the note of what was left in each file is called."""

NOT_ENTRIES, EMPTIED, UNKNOWN_BASE, OVER_LIMIT = "not-entries", "emptied", "unknown-base", "over-limit"

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        NOT_ENTRIES: "an entry in it is empty, or has blanks or line breaks around it",
        EMPTIED: "it is empty, and the block is not",
        UNKNOWN_BASE: "it is not known from which state of the block it was edited",
        OVER_LIMIT: "it is longer than the block may be",
    }
)
"""Why a file's text is no edit of its block, by what a note calls it."""


@dataclass(frozen=True, slots=True)
class Left:
    """Hold what was left in a file: the id of the line that was written, and a keyed digest of the bytes.

    `line` is empty for a block that was never edited.  `refused` is the digest of bytes that were
    found there later and not taken in, `why` says why, and `copy` names the copy that was kept.
    No text of an entry is in it.
    """

    line: str
    digest: str
    refused: str = ""
    why: str = ""
    copy: str = ""


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Hold why a block's file stands in the way of its edits.

    `sentence` names the file and the copy that was kept of it, `copy` the latter alone.  One that
    `is_unreadable` lets no new session begin: what the owner wrote there is not known.
    """

    sentence: str
    copy: str = ""
    is_unreadable: bool = False


NOTHING: Mapping[Block, Hindrance] = MappingProxyType({})
"""No file that stands in the way."""


def spelled(entries: Sequence[str]) -> bytes:
    """Return the bytes of a block's file: the joined text and nothing else."""
    return rendered(entries).encode("utf-8")


def entries_in(content: bytes) -> tuple[str, ...] | None:
    """Return the entries of a file, None when they would not come back as they stand there.

    A byte-order mark, CRLF and one line break at the end are normalised.  Raises
    UnicodeDecodeError for what is no UTF-8.
    """
    text = content.decode("utf-8").replace("\r\n", "\n").removesuffix("\n")
    entries = parsed(text)
    whole = all(entry and entry == entry.strip() and not splits(entry) for entry in entries)
    return entries if whole else None


def merged(base: Sequence[str], now: Sequence[str], edited: Sequence[str]) -> tuple[str, ...]:
    """Return a block that changed on both sides: what it holds now, with what the file changed of `base`.

    By whole entries: what the file took out goes, what it brought in comes last, and an entry that
    both rewrote stands there in both wordings, so that nothing is lost.
    """
    kept = [entry for entry in now if entry in edited or entry not in base]
    came = [entry for entry in edited if entry not in base and entry not in kept]
    return (*kept, *came)


def lines_for(entries: Sequence[str], wanted: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of a consolidation that makes `wanted` of a block's entries.

    An entry that stands in both is kept, one that vanished is dropped, and the rest is new.
    """
    left = list(entries)
    lines: list[Line] = []
    for entry in wanted:
        if entry in left:
            left.remove(entry)
            lines.append(Line(old=entry, keep=True, pinned=True))
        else:
            lines.append(Line(text=entry))
    return (*lines, *(Line(old=entry, drop=True, pinned=True) for entry in left))


def noted(left: Left) -> bytes:
    """Return the bytes of the note of what was left in a file."""
    fields = {name: getattr(left, name) for name in Left.__dataclass_fields__}
    return json.dumps(fields, sort_keys=True).encode("ascii")


def left_of(content: bytes) -> Left | None:
    """Return what a note says, None when it says nothing that can be read."""
    try:
        fields = json.loads(content.decode("ascii"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or set(fields) != set(Left.__dataclass_fields__):
        return None
    return Left(**fields) if all(isinstance(value, str) for value in fields.values()) else None
