"""What may be a candidate at all?  Predicates inside every candidate query, never after (I7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from muniment.domain.label import DataClass
from muniment.domain.trust import LIVE, Trust

FOREVER = 2**62
"""Microseconds that stand for 'no bound' where a query compares recorded times."""


class Sort(StrEnum):
    """Name the two sorts of recallable rows; each has its own terms in the index."""

    MEMORY = "m"
    EVIDENCE = "e"


class Shelf(StrEnum):
    """Name the two full-text indexes."""

    LIVE = "live"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Hold what a row must meet: scope, class, trust, both times and filters.

    Times are microseconds.  `then` asks for each memory's state as known at `known_at`
    instead of its newest, `any_interval` shows closed intervals too and `withheld_only`
    says that no live state is asked for.  `sorts` names the sorts that can hold an eligible
    row at all, so that the others are not looked through; `live_rows` and `live_matches`
    say how many rows a sort has on the live shelf, and how many of them hold each asked
    term.  Empty filters mean no filter; a filter that names nothing known matches nothing.
    """

    spaces: tuple[int, ...]
    as_of: int
    known_at: int = FOREVER
    class_max: DataClass = DataClass.SECRET
    trusts: tuple[Trust, ...] = tuple(sorted(LIVE))
    then: bool = False
    any_interval: bool = False
    show_rejected: bool = False
    show_expired: bool = False
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    evidence_after: bool = True
    withheld_only: bool = False
    sorts: tuple[Sort, ...] = (Sort.MEMORY, Sort.EVIDENCE)
    live_rows: tuple[tuple[Sort, int], ...] = ()
    live_matches: Mapping[Sort, Mapping[str, int]] = field(default_factory=dict)

    @property
    def shelves(self) -> tuple[Shelf, ...]:
        """Return the indexes that can hold eligible memories."""
        if self.withheld_only:
            return (Shelf.PAST,)
        return (Shelf.LIVE, Shelf.PAST) if self.then else (Shelf.LIVE,)
