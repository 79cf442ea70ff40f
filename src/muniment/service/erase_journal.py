"""What is written down of an erasure outside the database, so that an older copy can repeat it?"""

from collections.abc import Iterator, Sequence

from muniment.domain.block_journal import Edit, edit_of
from muniment.domain.changes import Row
from muniment.domain.erasure import Going, Plan
from muniment.domain.journal import Buried, Entry, Named
from muniment.domain.matter import EDITS, Matter
from muniment.domain.memory import Version
from muniment.domain.rows import CredentialRow, SpaceRow, names_of
from muniment.service.burying import Blocked
from muniment.service.erase_terms import Holds

_FIELDS = ("speaker", "source", "parent", "reason", "name", "title", "agent")
"""Which fields beside a text an erasure may mark, in whichever rows have them."""


_NAME = "name/"
"""What stands before the number of a name that a space or a key carries."""


class Told:
    """Say of a field what the journal says of it: it was marked, whatever it held."""

    def __init__(self, texts: frozenset[str]) -> None:
        self._texts = texts

    def holds(self, *texts: str) -> bool:
        """Return whether one of these was marked."""
        return any(text in self._texts for text in texts)

    def holds_name(self, *texts: str) -> bool:
        """Return whether one of these names was marked."""
        return self.holds(*texts)


def texts_beside(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the fields beside a row's text by name; `tag/2` is the third tag.

    Of a line of a block's journal these are its entries, before and after, and its call.
    """
    for name in _FIELDS:
        text: object = getattr(row, name, "")
        if isinstance(text, str) and text:
            yield name, text
    for at, tag in enumerate(row.tags if isinstance(row, Version) else ()):
        yield f"tag/{at}", tag
    if isinstance(row, Matter) and row.kind in EDITS:
        yield from _of_edit(edit_of(row))
    for at, name in enumerate(names_of(row) if isinstance(row, SpaceRow | CredentialRow) else ()):
        yield f"{_NAME}{at}", name


def _of_edit(edit: Edit) -> Iterator[tuple[str, str]]:
    for side, entries in (("before", edit.before), ("after", edit.after)):
        for at, entry in enumerate(entries):
            yield f"{side}/{at}", entry
    if edit.call:
        yield "call", edit.call


def _marked(row: Row, holding: Holds) -> Iterator[str]:
    for name, text in texts_beside(row):
        if holding.holds_name(text) if name.startswith(_NAME) else holding.holds(text):
            yield name


def entry_for(plan: Plan, id: str, requester: str, *, holding: Holds, blocked: Sequence[Blocked]) -> Entry:
    """Return the journal's entry of an erasure: ids, places and keyed digests, nothing it took."""
    return Entry(
        id=id,
        requester=requester,
        requested=plan.made,
        plan=plan.digest,
        rows=tuple(_named(one, holding) for one in plan.going),
        disputes=plan.disputes,
        tombstones=tuple(Buried(one.tombstone, one.found_by) for one in blocked),
    )


def _named(one: Going, holding: Holds) -> Named:
    row = one.sealed.row
    marked = tuple(_marked(row, holding)) if one.put_back else ()
    number = row.number if isinstance(row, Version) else 0
    return Named(one.code, one.name, number, one.sealed.seal.record, one.put_back, one.spans, marked)
