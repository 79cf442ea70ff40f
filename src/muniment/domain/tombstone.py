"""What may not come back?  Keyed digests of a rejected or erased value, no clear text (I4)."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple, Protocol

DIGEST_BYTES = 12
"""Length of a digest that a whole value is found by."""

ANCHOR_BYTES = 36
"""Length of a packed anchor, which tells it from a digest among what a tombstone is found by."""

PAIR_BITS = 24
"""Length of a pair's digest and of a sum: a whole digest would let a key holder guess words."""

NUMBERED = 1 << PAIR_BITS
"""Stands in a pair that was made of its tokens' numbers; one of earlier tombstones was hashed as a whole."""

_NUMBER_BYTES = PAIR_BITS // 8
_SCHEME_BIT = 1 << (PAIR_BITS - 1)


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


@dataclass(frozen=True, slots=True, order=True)
class Anchor:
    """Hold by what a value of several tokens is found within a longer text.

    `pair` is a keyed 24-bit digest of the value's longest adjacent pair of look-alike tokens, and
    `NUMBERED` with it where it was made of their numbers; `offset` is the place of that pair among
    its `length` tokens, and `total` a keyed 24-bit sum over them.  Where all three fit, `disguised`
    (of the look-alike tokens) decides whether it is the value, and `plain` whether it is so letter
    by letter.
    """

    pair: int
    offset: int
    length: int
    total: int
    disguised: bytes
    plain: bytes

    def packed(self) -> bytes:
        """Return the anchor in 36 bytes, the pair first; the offset's highest bit says how that was made."""
        scheme = _SCHEME_BIT if self.pair & NUMBERED else 0
        numbers = (self.pair % NUMBERED, self.offset | scheme, self.length, self.total)
        return b"".join(one.to_bytes(_NUMBER_BYTES, "big") for one in numbers) + self.disguised + self.plain

    @classmethod
    def unpacked(cls, spelled: bytes) -> "Anchor":
        """Return the anchor of 36 bytes; raises ValueError for another length."""
        if len(spelled) != ANCHOR_BYTES:
            raise ValueError("an anchor has 36 bytes")
        pair, offset, length, total = (
            int.from_bytes(spelled[at : at + _NUMBER_BYTES], "big") for at in range(0, 12, _NUMBER_BYTES)
        )
        scheme = NUMBERED if offset & _SCHEME_BIT else 0
        return cls(pair | scheme, offset % _SCHEME_BIT, length, total, spelled[12:24], spelled[24:])


def is_anchor(found_by: bytes) -> bool:
    """Return whether something that a tombstone is found by is a packed anchor, not a digest."""
    return len(found_by) == ANCHOR_BYTES


def sum_of(found_by: Iterable[bytes]) -> bytes:
    """Return the digest that a tombstone's row commits to: of all it is found by, in any order.

    Digests and anchors lie beside the row, where no record names them one by one; without
    them the tombstone would stand and refuse nothing.
    """
    listed = sorted(set(found_by))
    return hashlib.sha256(b"".join(len(one).to_bytes(1, "big") + one for one in listed)).digest()[:16]


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Hold one rejected or erased value, or its lifting.

    `memory` is what stated the value, a memory's id or, for an erased one, a stub's.  `slot` is
    the keyed digest of the slot, empty for free text.  `generation` counts the acts on
    tombstones of the tenant; `lifted` ends the tombstone without deleting it.  `found_by`
    commits to the digests and anchors it is found by.
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
    found_by: bytes = b""


@dataclass(frozen=True, slots=True)
class TombstoneHit:
    """Hold which tombstone a text met, in which part, and whether only a look-alike form did.

    `within` says that a longer text holds the value, and `disguised` that what met it holds
    letters beyond ASCII.
    """

    tombstone: str
    kind: TombstoneKind
    look_alike_only: bool
    part: str = "text"
    within: bool = False
    disguised: bool = False

    @property
    def keeps_out(self) -> bool:
        """Return whether nobody may say it: only what looks alike in plain ASCII may be another word."""
        return not self.look_alike_only or self.disguised


MARK_BYTES = 4
"""So many first bytes of a digest are its mark: of a hundred thousand, one other in 40,000 has the same."""

mark_of = itemgetter(slice(MARK_BYTES))
"""Return the mark of a digest."""


class Marks(NamedTuple):
    """Hold by what all tombstones of one generation are found: first bytes of digests, and pairs of anchors.

    What has no mark is not buried; what has one may be.  Lifted tombstones keep theirs.
    `hashed_pairs` are those that earlier tombstones have.
    """

    generation: int
    digests: frozenset[bytes]
    pairs: frozenset[int]
    hashed_pairs: frozenset[int] = frozenset()

    @classmethod
    def of(cls, generation: int, digests: Iterable[bytes], pairs: Iterable[int]) -> "Marks":
        """Return the marks that these are, the pairs of both kinds told apart."""
        every = frozenset(pairs)
        hashed = frozenset(pair for pair in every if pair < NUMBERED)
        return cls(generation, frozenset(digests), every - hashed, hashed)

    def may_hold(self, digests: Iterable[bytes]) -> bool:
        """Return whether one of these digests may be buried."""
        return not self.digests.isdisjoint(map(mark_of, digests))


class FindsTombstones(Protocol):
    """Find a tenant's tombstones by what they hold."""

    def tombstones_for(self, space: int, digests: Sequence[bytes]) -> list[Tombstone]:
        """Return the standing tombstones of `space` that hold one of these digests."""

    def any_buried(self, space: int, digests: Sequence[bytes]) -> bool:
        """Return whether a tombstone, standing or lifted, that counts in `space` holds one of these."""

    def anchors_for(self, space: int, pairs: Sequence[int]) -> list[tuple[str, Anchor]]:
        """Return anchors of these pairs that count in `space`, with their tombstones, lifted ones too."""

    def erased_anywhere(self) -> bool:
        """Return whether any value was ever erased in this tenant."""

    def newest_tombstone_key(self) -> int:
        """Return the number of the key that the newest tombstone was made with, 0 without tombstones."""

    def tombstone(self, id: str) -> Tombstone | None:
        """Return a standing tombstone by its id."""

    def tombstones_of(self, memory: str) -> list[Tombstone]:
        """Return the standing tombstones that a memory's rejection made."""

    def tombstone_digests(self, ids: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return what each of these tombstones is found by, digests and packed anchors, in order of bytes."""

    def marks(self, rows_max: int) -> Marks | None:
        """Return the marks of all tombstones, or None where there are more than `rows_max` of a kind."""
