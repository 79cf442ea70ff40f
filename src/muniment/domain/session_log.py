"""What happened to a session beside its turns?  Epochs, compactions, rewinds, and whom it comes from.

A happening is a row among the matters, under an id made of the session's, so that one look-up
finds all of them, oldest first.  It holds numbers, codes and ids and no text of anybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from muniment.domain.label import Label
from muniment.domain.matter import Matter, MatterKind, MatterState


class Happening(StrEnum):
    """Name what happened."""

    EPOCH = "epoch"
    COMPACTED = "compacted"
    REWOUND = "rewound"
    FOLLOWS = "follows"
    CHILD = "child"


class Began(StrEnum):
    """Name why an epoch began: only for one of these does the prompt of a session change (I9)."""

    FIRST = "first"
    COMPACTED = "compacted"
    ERASED = "erased"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Event:
    """Hold one happening.

    `other` is the id of what it names: the baseline of an epoch, the summary of a compaction,
    the session that this one follows or is a child of.  `first` and `last` bound the turns it
    moved, by sequence; of an epoch `first` is its number, from 1, and `began` says why.
    """

    happening: Happening
    space: int
    actor: int
    recorded: datetime
    label: Label
    other: str = ""
    first: int = 0
    last: int = 0
    began: str = ""


def log_id(session: str) -> str:
    """Return the id under which the happenings of a session lie."""
    return f"g_{session[2:]}"


def row_of(event: Event, *, session: str, n: int) -> Matter:
    """Return the row of a happening of the session with this id."""
    return Matter(
        n=n,
        id=log_id(session),
        kind=MatterKind.SESSION,
        space=event.space,
        state=MatterState.DECIDED,
        why=event.happening.value,
        label=event.label,
        actor=event.actor,
        recorded=event.recorded,
        new=event.other,
        new_version=event.first,
        old_version=event.last,
        decision=event.began,
    )


def event_of(row: Matter) -> Event:
    """Return the happening that a row holds; raises ValueError for another row."""
    return Event(
        happening=Happening(row.why),
        space=row.space,
        actor=row.actor,
        recorded=row.recorded,
        label=row.label,
        other=row.new,
        first=row.new_version,
        last=row.old_version,
        began=row.decision,
    )


def newest_epoch(events: Sequence[Event]) -> Event | None:
    """Return the epoch that a session is in, None before the first or after a compaction ended it."""
    for event in reversed(events):
        if event.happening is Happening.EPOCH:
            return event
        if event.happening is Happening.COMPACTED:
            return None
    return None


def epochs(events: Sequence[Event]) -> int:
    """Return how many epochs a session has had."""
    return sum(event.happening is Happening.EPOCH for event in events)


def newest_summary(events: Sequence[Event]) -> str:
    """Return the id of the summary that stands for what was compacted, empty for none."""
    found = [event.other for event in events if event.happening is Happening.COMPACTED]
    return found[-1] if found else ""


def comes_from(events: Sequence[Event], happening: Happening) -> str:
    """Return the id of the session that this one follows, or is a child of; empty for none."""
    found = [event.other for event in events if event.happening is happening]
    return found[0] if found else ""
