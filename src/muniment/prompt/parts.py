"""What is a prompt made of?  Parts in three tiers, each with where it came from, joined in one order.

The tiers go from what changes least to what changes most, so that whoever caches a prompt by
its beginning keeps the most of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Tier(StrEnum):
    """Name how often a part changes: hardly ever, with the project, with every session."""

    STABLE = "stable"
    CONTEXT = "context"
    VOLATILE = "volatile"


@dataclass(frozen=True, slots=True)
class Part:
    """Hold one part: its tier, what it is, where it came from, and its text.

    `name` is one word such as `soul` or `project`; `source` a path, an edit's id or nothing.
    """

    tier: Tier
    name: str
    source: str
    text: str


ORDER = tuple(Tier)
"""The order of the tiers in a prompt."""

BETWEEN = "\n\n"
"""What stands between two parts."""

TOKEN_CHARACTERS = 4
"""Characters that count as one token where no vocabulary is at hand."""

# What the gate and `clean` let into no text, so that texts lie in the row as they are: an escape
# would hide a word from whoever looks for it to erase it.
_PART, _FIELD = "\x1d", "\x1f"
_APART = str.maketrans({_PART: "\ufffd", _FIELD: "\ufffd"})


def assembled(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the parts in the order of their tiers, else as given; those without a text are left out."""
    kept = [part for part in parts if part.text.strip()]
    return tuple(sorted(kept, key=lambda part: ORDER.index(part.tier)))


def text_of(parts: Sequence[Part]) -> str:
    """Return the text that a model is given: the same for the same parts, to the byte."""
    return BETWEEN.join(part.text for part in parts)


def rough_tokens(text: str) -> int:
    """Return about how many tokens a text has, rounded up: characters divided by four."""
    return -(-len(text) // TOKEN_CHARACTERS)


def packed(parts: Sequence[Part]) -> str:
    """Return the parts as one text that `unpacked` takes apart again."""
    return _PART.join(
        _FIELD.join(
            (part.tier.value, *(field.translate(_APART) for field in (part.name, part.source, part.text)))
        )
        for part in parts
    )


def unpacked(body: str) -> tuple[Part, ...]:
    """Return the parts that were packed; raises ValueError for what was not."""
    if not body:
        return ()
    fields = [one.split(_FIELD) for one in body.split(_PART)]
    return tuple(Part(Tier(tier), name, source, text) for tier, name, source, text in fields)
