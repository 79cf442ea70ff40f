"""What is believed, in which state, since when?  Versions are appended, never changed (I2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from muniment.domain.label import Label
from muniment.domain.quick import quick
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust

if TYPE_CHECKING:
    from muniment.domain.carrying import Words
    from muniment.domain.changes import Page, Sealed


class Kind(StrEnum):
    """Name what sort of belief or work a memory is."""

    FACT = "fact"
    PREFERENCE = "preference"
    EPISODE = "episode"
    HYPOTHESIS = "hypothesis"
    EXPERIMENT = "experiment"
    TASK = "task"
    DECISION = "decision"
    SUMMARY = "summary"
    REFERENCE = "reference"
    CONCEPT = "concept"
    ENTITY = "entity"
    DRAFT = "draft"
    SKILL = "skill"
    POLICY = "policy"
    TRAIL = "trail"
    BOARD = "board"


@quick
@dataclass(frozen=True, slots=True)
class Claim:
    """Hold what a memory says: its text and, for a keyed claim, its slot and value.

    `about` and `attribute` name the slot and come together; `many` says that the slot
    holds several values at once.
    """

    text: str
    about: str = ""
    attribute: str = ""
    value: str = ""
    many: bool = False

    @property
    def keyed(self) -> bool:
        """Return whether the claim fills a slot."""
        return bool(self.about and self.attribute)

    @property
    def said(self) -> str:
        """Return the value that a keyed claim gives its slot, else the whole text."""
        return (self.value or self.text) if self.keyed else self.text


def findable_text(claim: Claim, tags: Sequence[str]) -> str:
    """Return everything that a memory can be found by, joined by spaces: one rule for all stores.

    The text, what it is about, the attribute, its value and the tags; a part that the text
    says already is not counted twice.
    """
    parts = [claim.text]
    for part in (claim.about, claim.attribute, claim.value, *tags):
        if part and part not in claim.text:
            parts.append(part)
    return " ".join(parts)


@quick
@dataclass(frozen=True, slots=True)
class Digests:
    """Hold the keyed digests by which sameness and slots are looked up; no clear text."""

    value: bytes
    slot: bytes = b""


@quick
@dataclass(frozen=True, slots=True)
class Version:
    """Hold one state of a memory, exactly as it is stored.

    `n` numbers the row in the store and `number` counts the memory's versions from 1.
    `act` is what made this state and `before` the trust it had just before.
    """

    memory: str
    number: int
    n: int
    space: int
    kind: Kind
    claim: Claim
    valid: Interval
    recorded: datetime
    trust: Trust
    before: Trust
    rank: Rank
    label: Label
    author: int
    actor: int
    act: str
    digests: Digests
    reason: str = ""
    session: int = 0
    occurred_at: datetime | None = None
    asserted_at: datetime | None = None
    expires_at: datetime | None = None
    tags: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        """Return what the memory says."""
        return self.claim.text

    @property
    def parts(self) -> tuple[str, ...]:
        """Return each part that says something: the text, slot and value, then the tags; some are empty."""
        claim = self.claim
        return (claim.text, claim.about, claim.attribute, claim.value, *self.tags)

    def expired(self, moment: datetime) -> bool:
        """Return whether it is past its expiry at `moment`; withheld then, not deleted."""
        return self.expires_at is not None and self.expires_at <= moment


class FindsMemories(Protocol):
    """Find a tenant's memories by what they say, which slot they fill and in which state they are."""

    def versions_at(self, ns: Sequence[int]) -> list["Sealed[Version]"]:
        """Return the versions with these row numbers."""

    def same_value(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose value digest is `digest`."""

    def slot(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose slot digest is `digest`."""

    def memories(self, spaces: Sequence[int], trusts: Sequence[str], page: "Page") -> list[Version]:
        """Return newest versions of these spaces and states, by row number."""

    def carriers(
        self, space: int, trusts: Sequence[str], words: "tuple[Words, Words]", *, page: "Page"
    ) -> list[Version]:
        """Return newest versions of a space and states that may carry one of two texts, by row number.

        Which may is told by `may_carry`: the text, what it is about, the attribute, the value or the tags,
        taken as one, have a character that is not plain, or the words of one of the texts.  Pages go onward
        from the oldest, whatever the page says.
        """
