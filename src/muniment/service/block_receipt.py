"""What does a caller get back for an edit of a block?  The verdict, how full it is, what changed."""

from dataclasses import dataclass, replace

from muniment import limits
from muniment.domain.block import Block
from muniment.errors import Refusal
from muniment.gate.verdict import Outcome, Reason

UNCOUNTED = frozenset({Reason.SEVERAL_ENTRIES.code})
"""Refusals that count as no failure: the answer only asks which entry is meant."""

_STOP = (
    "Stop: {count} edits of this turn were refused, so do not call memory again in this turn. "
    "Answer the person now, and say what could not be remembered."
)


@dataclass(frozen=True, slots=True)
class BlockReceipt:
    """Hold the gate's answer to one edit.

    `usage` reads like `62% (1,364 of 2,200)` and `count` is the number of entries, both of
    what the block holds now.  `edit` is what `undo` takes, empty when no block changed.
    `added` to `dropped` are whole texts, `notes` the ids of the notes that were made.  A
    refusal shows the present `entries` where they help; `stop` says not to try again.
    `proposal` names the edit that waits for a person, and `waiting` how many changes do.
    """

    verdict: str
    reason: str
    sentence: str
    next: str
    detail: str = ""
    rests_on: str = ""
    record: int = -1
    block: str = ""
    usage: str = ""
    count: int = 0
    edit: str = ""
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    stop: bool = False
    proposal: str = ""
    waiting: int = 0

    @property
    def refused(self) -> bool:
        """Return whether nothing was stored."""
        return self.verdict == Outcome.REFUSED.value

    @property
    def held(self) -> str:
        """Return how many entries the block holds now, in words."""
        return "1 entry" if self.count == 1 else f"{self.count} entries"

    @property
    def unseen(self) -> str:
        """Return how many changes wait for a person where the caller may read, in words."""
        return "1 change waits" if self.waiting == 1 else f"{self.waiting} changes wait"

    def checked(self, *, strict: bool) -> "BlockReceipt":
        """Return the receipt, or raise Refusal for a refused one when `strict`."""
        if strict and self.refused:
            raise Refusal(f"{self.sentence} {self.detail}".strip(), advice=self.next)
        return self

    def after_failures(self, count: int) -> "BlockReceipt":
        """Return the refusal as the last word of a turn, once too many edits of it were refused."""
        if count < limits.block_failures_max:
            return self
        return replace(self, next=_STOP.format(count=count), stop=True)


BLOCKS = tuple(block.value for block in Block)
"""The names of the blocks."""
