"""Do rows of cases, proposals, dials and blocks match the log?  Asked before anything rests on one (I6)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from muniment.domain.changes import Page
from muniment.domain.ledger import RowCode
from muniment.domain.matter import Matter
from muniment.errors import Tampered
from muniment.ports import Snapshot
from muniment.service.seals import holds

if TYPE_CHECKING:
    from muniment.service.ground import Ground


def refuse_altered(ground: "Ground", snapshot: Snapshot, rows: Sequence[Matter]) -> None:
    """Raise Tampered when one of a few rows is not what its record committed to.

    One look at each row and one at their records; without the vault's key nothing can be compared.
    """
    if not rows or not ground.outside.verifiable:
        return
    found = [sealed for row in rows for _, sealed in snapshot.sealed_rows(RowCode.MATTER, Page(row.n - 1, 1))]
    entries = snapshot.entries_of([sealed.seal for sealed in found])
    if [sealed.row for sealed in found] != list(rows) or not all(
        holds(ground.vault_key, sealed.row, sealed.seal, entry=entry)
        for sealed, entry in zip(found, entries, strict=True)
    ):
        raise Tampered("A row of a case, a proposal, a dial or a block does not match the log.")
