"""What stands beside a store?  The order of its writers, its room to grow, and who looks it over."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from muniment.domain.changes import Changes
from muniment.domain.check import Check
from muniment.domain.compaction import Compaction, Sought
from muniment.domain.trust import LIVE
from muniment.errors import FullDisk
from muniment.store.sql_transaction import SqlTransaction
from muniment.store.turns import Alone, Between


class Room(Protocol):
    """Keep some room back, so that a full disk still lets things be taken out of use."""

    def is_kept(self) -> bool:
        """Say whether room is kept back."""

    def make(self) -> bool:
        """Keep room back again; False when there is none."""

    def give_up(self) -> None:
        """Let the room go."""


class Endless:
    """Leave room to somebody else: a database server's owner watches its disk."""

    def is_kept(self) -> bool:
        """Say that there is room."""
        return True

    def make(self) -> bool:
        """Say that there is room."""
        return True

    def give_up(self) -> None:
        """Let nothing go."""


Compact = Callable[[Sought, int], Compaction]
"""Take what was deleted out of the files; the second is how long to wait for readers."""


def _nothing_kept(_sought: Sought, _wait_ms: int) -> Compaction:
    return Compaction(True, ("held in memory only",))


def _no_checks() -> tuple[Check, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Beside:
    """Hold what stands beside a store: the order of processes, room on the disk, health checks."""

    between: Between = field(default_factory=Alone)
    room: Room = field(default_factory=Endless)
    examine: Callable[[], tuple[Check, ...]] = _no_checks
    compact: Compact = _nothing_kept


class ThriftyTransaction(SqlTransaction):
    """Change a tenant while no room is kept back: only what takes something out of use goes through.

    Anything else would use up the room that retiring, rejecting and revoking need.
    """

    room: Room

    def apply(self, changes: Changes) -> None:
        """Apply changes that take away; others when room can be kept back again, else FullDisk."""
        if not takes_away(changes) and not self.room.make():
            raise FullDisk("The disk is full; only what takes something out of use is stored now.")
        super().apply(changes)


def takes_away(changes: Changes) -> bool:
    """Say whether changes take something out of use and add nothing new to it."""
    # A certificate is the last part of an erasure, in a step of its own.
    if changes.tombstones or changes.gone or changes.certificates:
        return True
    if changes.evidence or changes.recalls or any(new.replaces is None for new in changes.versions):
        return False
    return bool(changes.credentials) or any(new.version.trust not in LIVE for new in changes.versions)
