"""How can one statement contradict another, and where?"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Name how two statements contradict each other."""

    REPLACEMENT = "replacement"
    POLARITY = "polarity"
    BOUNDED = "bounded"
    VALUE = "value"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Hold how the newer statement contradicts the older, and which part of the older.

    `start` and `end` are the contradicted clause in the older text, `object_start` and
    `object_end` the words in it that are no longer so, and `instead` those of the newer
    statement that take their place, empty for none.
    """

    kind: Kind
    start: int
    end: int
    object_start: int
    object_end: int
    instead: str = ""
