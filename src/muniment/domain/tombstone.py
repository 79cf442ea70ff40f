"""What may not come back?  Keyed digests of a rejected or erased value, no clear text (I4)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class TombstoneKind(StrEnum):
    """Name what was done to the value."""

    REJECTED = "rejected"
    ERASED = "erased"


class Form(StrEnum):
    """Name the canonical form that a digest was made from."""

    PLAIN = "plain"
    FOLDED = "folded"
    SKELETON = "skeleton"


@dataclass(frozen=True, slots=True)
class Keys:
    """Hold the keyed digests of one text: its plain form and both look-alike forms."""

    plain: bytes
    folded: bytes
    skeleton: bytes

    @property
    def all(self) -> tuple[bytes, ...]:
        """Return every digest, the plain one first."""
        return (self.plain, self.folded, self.skeleton)


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Hold one rejected value of one memory, or its lifting.

    `slot` is the keyed digest of the slot, empty for free text.  `generation` counts the
    acts on tombstones of the tenant; `lifted` ends the tombstone without deleting it.
    """

    id: str
    memory: str
    space: int
    kind: TombstoneKind
    keys: Keys
    slot: bytes
    key_id: int
    normaliser: str
    generation: int
    actor: int
    recorded: datetime
    reason: str = ""
    lifted: bool = False
    lifts: str = ""


@dataclass(frozen=True, slots=True)
class TombstoneHit:
    """Hold which tombstone a text met, and whether only a look-alike form did."""

    tombstone: str
    kind: TombstoneKind
    look_alike_only: bool
