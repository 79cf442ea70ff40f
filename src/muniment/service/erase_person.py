"""What did a person write that is no memory and no item: entries of blocks, and changes that wait?"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from muniment.domain.block_journal import edit_of
from muniment.domain.changes import Row, Sealed
from muniment.domain.erasure import Term, TermSort
from muniment.domain.ledger import RowCode
from muniment.domain.matter import EDITS, Matter, MatterKind
from muniment.ports import Snapshot
from muniment.service.erase_survey import walked
from muniment.service.erase_terms import Holding


class Written(NamedTuple):
    """Hold the entries of blocks that a person's edits brought in, and the ids of their proposals."""

    entries: tuple[str, ...]
    proposals: frozenset[str]

    @property
    def terms(self) -> list[Term]:
        """Return the entries as terms."""
        return [Term(TermSort.TEXT, entry) for entry in self.entries]


def written_by(snapshot: Snapshot, actors: Collection[int]) -> Written:
    """Return what actors of these numbers wrote into blocks, and what they asked for."""
    entries: dict[str, None] = {}
    proposals: set[str] = set()
    for row in _matters(snapshot):
        if row.actor not in actors:
            continue
        if row.kind in EDITS:
            edit = edit_of(row)
            # Who takes an edit back writes nothing of it.
            brought = () if edit.undoes else edit.after
            entries |= dict.fromkeys(entry for entry in brought if entry not in edit.before)
        elif row.kind is MatterKind.PROPOSAL and row.body:
            proposals.add(row.id)
    return Written(tuple(entries), frozenset(proposals))


def matters_with(snapshot: Snapshot, written: Written) -> Iterator[tuple[Sealed[Row], bool]]:
    """Yield the rows that hold what a person wrote, and whether each is a proposal of theirs.

    A frozen prompt holds an entry however short it is; elsewhere a short one is looked for whole.
    """
    within, anywhere = Holding(written.terms), Holding(written.terms, explicit=True)
    for sealed in walked(snapshot, RowCode.MATTER):
        row = sealed.row
        if not isinstance(row, Matter):
            continue
        if row.id in written.proposals:
            yield sealed, True
        elif row.kind in EDITS:
            edit = edit_of(row)
            if within.holds(*edit.before, *edit.after):
                yield sealed, False
        elif written.entries and (anywhere if row.kind is MatterKind.BASELINE else within).holds(row.body):
            yield sealed, False


def _matters(snapshot: Snapshot) -> Iterator[Matter]:
    for sealed in walked(snapshot, RowCode.MATTER):
        if isinstance(sealed.row, Matter):
            yield sealed.row
