"""Which dress carries a rejected value back in?  Nine dresses, three places, every path there is."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from muniment.conformance.adapter import HOME, Memory, Slot
from muniment.conformance.asking import TWO, tried, units
from muniment.conformance.tombstones import ABOUT, ATTRIBUTE, DISGUISES, MUST_STAY_OUT, rejected, traces
from muniment.conformance.verdict import Outcome

NEVER_REJECTED = "The signing key rotates on Thursdays"
"""What goes the same way into the same place, and must become a memory there."""


class Place(StrEnum):
    """Name where the value is said again."""

    SAME_SLOT = "same slot"
    OTHER_SLOT = "other slot"
    OTHER_SPACE = "other space"


class Became(StrEnum):
    """Name what became of it: `out` counts for nothing in recall, `in` is a memory again."""

    OUT = "out"
    IN = "in"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Cell:
    """Hold one cell of the matrix, the memory's reason, and whether its twin came in by the same path."""

    path: str
    place: Place
    disguise: str
    became: Became
    reason: str
    twin: bool

    @property
    def outcome(self) -> Outcome:
        """Return whether the cell is as it must be: what is the same value in the same slot stays out.

        Beyond that line memories differ by what they document, so other cells only need their twin.
        """
        if self.became is Became.CANNOT:
            return Outcome.CANNOT
        must_be_out = self.place is Place.SAME_SLOT and self.disguise in MUST_STAY_OUT
        return (
            Outcome.HOLDS if self.twin and not (must_be_out and self.became is Became.IN) else Outcome.FAILS
        )


def cell(memory: Memory, path: str, place: Place, *, disguise: str) -> Cell:
    """Return what became of one dress by one path, in a new memory."""
    text, value = DISGUISES[disguise]
    attribute = "renewal" if place is Place.OTHER_SLOT else ATTRIBUTE
    space = TWO if place is Place.OTHER_SPACE else HOME
    found: list[Cell] = []

    def walked() -> None:
        rejected(memory)
        way = memory.paths()[path]
        written = way(text, Slot(ABOUT, attribute, value), space)
        way(NEVER_REJECTED, Slot("signing key", ATTRIBUTE, "Thursdays"), space)
        memory.settle()
        became = Became.IN if traces(memory, space=space) else Became.OUT
        twin = bool(units(memory, "Thursdays", space=space, query="when does the signing key rotate"))
        found.append(Cell(path, place, disguise, became, written.reason, twin))

    how = tried(walked)
    if how.well:
        return found[0]
    became = Became.CANNOT if how.lacking else Became.IN
    return Cell(path, place, disguise, became, how.lacking or how.broken, twin=bool(how.lacking))


def matrix(make: Callable[[], Memory], *, pairwise: bool = False) -> Iterator[Cell]:
    """Yield every cell: each path that the memory has, each place, each dress.

    `pairwise` yields a third of them, in which every two of path, place and dress meet.
    """
    with closing(make()) as memory:
        names = tuple(memory.paths())
    for path, place, disguise in pairs(names) if pairwise else product(names, Place, DISGUISES):
        with closing(make()) as memory:
            yield cell(memory, path, place, disguise=disguise)


def pairs(paths: Sequence[str]) -> Iterator[tuple[str, Place, str]]:
    """Yield cells in which every path meets every place and dress, and every place every dress.

    Needs three paths to meet the last; fewer leave out some places of a dress.
    """
    places = tuple(Place)
    for (at, path), (of, disguise) in product(enumerate(paths), enumerate(DISGUISES)):
        yield path, places[(at + of) % len(places)], disguise
