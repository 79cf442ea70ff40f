"""Which verbs read and edit the blocks?  One verb for every edit, one to take it back, two to look."""

from typing import TYPE_CHECKING, Unpack

from muniment.domain.space import HOME, checked_path
from muniment.later import Later
from muniment.service.arguments import page_of, text_of
from muniment.service.hand import Hand

if TYPE_CHECKING:
    from muniment.domain import block as domain
    from muniment.service import block_arguments as arguments
    from muniment.service import block_files, blocks
    from muniment.service import block_reading as reading
    from muniment.service import block_receipt as receipts
else:
    arguments = Later("muniment.service.block_arguments")
    block_files = Later("muniment.service.block_files")
    blocks = Later("muniment.service.blocks")
    domain = Later("muniment.domain.block")
    reading = Later("muniment.service.block_reading")
    receipts = Later("muniment.service.block_receipt")


class Blocks(Hand):
    """Read and edit the bounded blocks that stand in every prompt."""

    _refused_edits = 0

    def memory(self, **fields: "Unpack[arguments.MemoryFields]") -> "receipts.BlockReceipt":
        """Edit a block or keep a note.

        `action` is add, replace, remove, note or consolidate; `operations` alone are a batch,
        all or nothing.  `old` names an entry whole or by a part that only it holds.  Raises
        BadInput for wrong types, and Refusal for a refused edit with `strict=True`.
        """
        intent = arguments.edit_intent(self._asker(), fields)
        with block_files.in_step(self._ground) as hindered:
            done = blocks.edit(self._ground, intent, hindered)
        return self._edited(done, strict=bool(fields.get("strict", False)))

    def undo(
        self, edit: str, *, space: str | None = None, call: str = "", strict: bool = False
    ) -> "receipts.BlockReceipt":
        """Take back the latest edit of a block; notes that it left stay where they are."""
        intent = arguments.undo_intent(self._asker(), text_of("edit", edit), space=space, call=call)
        with block_files.in_step(self._ground) as hindered:
            done = blocks.edit(self._ground, intent, hindered)
        return self._edited(done, strict=strict)

    def block(self, name: str, *, space: str | None = None) -> "reading.BlockText":
        """Return a block as it stands now: memory, user or soul."""
        block = arguments.block_of(text_of("block", name))
        soul = block is domain.Block.SOUL
        where = HOME if soul else checked_path(space) if space else self._principal.home
        with block_files.in_step(self._ground):
            return reading.block_text(self._ground, self._principal, block=block, space=where)

    def edits(
        self, *, block: str = "", space: str | None = None, after: int = 0, limit: int = 50
    ) -> tuple["reading.EditLine", ...]:
        """Return the journal of edits, the newest first; `after` is the `n` of the last one seen."""
        page = page_of(after, limit)
        with block_files.in_step(self._ground):
            pass
        wanted = [arguments.block_of(block)] if block else list(domain.Block)
        principal = self._principal
        named = checked_path(space) if space else ""
        with self._ground.store.snapshot() as snapshot:
            rows = [
                row.n
                for row in snapshot.spaces()
                if principal.may_read(row.path) and (not named or row.path == named)
            ]
        return reading.edits(self._ground, principal, blocks=wanted, spaces=rows, page=page)

    def _edited(self, receipt: "receipts.BlockReceipt", *, strict: bool) -> "receipts.BlockReceipt":
        """Count what was refused within a turn; any edit that landed begins anew."""
        self._witnessing.after(receipt.record)
        if not receipt.refused:
            self._refused_edits = 0
        elif receipt.reason not in receipts.UNCOUNTED:
            self._refused_edits += 1
            receipt = receipt.after_failures(self._refused_edits)
        return receipt.checked(strict=strict)
