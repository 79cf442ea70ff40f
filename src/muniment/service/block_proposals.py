"""What would a waiting edit of a block change, then and now, and what becomes of it once it is settled?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from muniment.domain.block_edit import Applied, Fault
from muniment.domain.block_journal import edit_of
from muniment.domain.intent import EditBlock, Review
from muniment.domain.matter import Matter
from muniment.ports import Snapshot
from muniment.service import block_declined, blocks
from muniment.service.block_found import Found, led
from muniment.service.block_reading import newest_lines
from muniment.service.burying import Grave
from muniment.service.cases import Eyes
from muniment.service.draft import Draft
from muniment.service.receipt import Receipt

KEPT, GONE, COME = "  ", "- ", "+ "
"""What stands before an entry of a difference: it is kept, it goes, it comes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold what an edit makes of a block: each entry after its mark, and why it leads nowhere."""

    entries: tuple[str, ...] = ()
    hindered: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the entries with their marks, or one line that says why there are none."""
        return (f"! {self.hindered}",) if self.hindered else self.entries


def differences(eyes: Eyes, row: Matter, asked: EditBlock) -> tuple[Difference, Difference]:
    """Return what the edit made of the block when it was asked for, and what it makes of it now.

    Empty for who may not read the block's present text (I7).
    """
    lines = newest_lines(eyes.ground, eyes.snapshot, row.space)
    line = None if asked.block is None else lines.get(asked.block)
    rows = eyes.snapshot.matters((line.id,)) if line is not None else []
    if not all(eyes.may_see(one) for one in rows):
        return Difference(), Difference()
    now = Found(None, lines, () if line is None else line.after)
    return _difference(asked, _then(eyes.snapshot, row, asked)), _difference(asked, now)


def _then(snapshot: Snapshot, row: Matter, asked: EditBlock) -> Found:
    """Return what stood when the edit was asked for: the line that was the newest then."""
    rows = snapshot.matters((row.old,)) if row.old else []
    if not rows or asked.block is None:
        return Found(None, {})
    line = edit_of(rows[-1])
    return Found(None, {asked.block: line}, line.after)


def _difference(asked: EditBlock, there: Found) -> Difference:
    edit = led(asked, there)
    if isinstance(edit, Applied):
        return Difference(compared(edit.before, edit.after))
    return Difference(hindered=edit.detail if isinstance(edit, Fault) else "It names no block.")


def compared(before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """Return every entry of two states in order, each with the mark that says what becomes of it."""
    found: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            found += [KEPT + entry for entry in before[a:b]]
        else:
            found += [GONE + entry for entry in before[a:b]] + [COME + entry for entry in after[c:d]]
    return tuple(found)


def approved(draft: Draft, asked: EditBlock) -> Receipt:
    """Land what a person approved, judged against what the block holds now."""
    done = blocks.edited(draft, asked)
    return Receipt(
        verdict=done.verdict,
        reason=done.reason,
        sentence=done.sentence,
        next=done.next,
        id=done.edit,
        record=done.record,
        detail=done.detail,
        rests_on=done.rests_on,
    )


def buried(draft: Draft, row: Matter, asked: EditBlock, *, grave: Grave) -> int:
    """Keep a declined edit from coming back; return how many tombstones that takes."""
    edit = led(asked, _then(draft.transaction, row, asked))
    if not isinstance(edit, Applied) or asked.block is None:
        return 0
    return block_declined.bury_declined(draft, grave, block=asked.block, edit=edit)


def reworded(asked: EditBlock, intent: Review) -> EditBlock | None:
    """Return the edit with a person's text, as that person's; None where it brings in not exactly one."""
    text = intent.claim.text
    if not text or intent.claim.value or len(asked.operations) != 1 or not asked.operations[0].text:
        return None
    operations = (replace(asked.operations[0], text=text),)
    return replace(asked, principal=intent.principal, operations=operations)
