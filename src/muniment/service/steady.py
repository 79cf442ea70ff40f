"""What is still found when the text index is damaged?  The newest rows that hold a word of the question."""

from collections.abc import Sequence

from muniment import limits
from muniment.errors import DamagedIndex
from muniment.ports import Snapshot, View
from muniment.recall.eligibility import Sort
from muniment.recall.ranking import Candidate, Statistics
from muniment.recall.turns import TurnFound, TurnsAsked

UNINDEXED = (
    f"degraded: the text index is damaged, so only the newest {limits.unindexed_rows_max} rows of a sort"
    " were looked through; run `muniment reindex`"
)
"""What an answer says that was found without the index; no row is affected."""


class SteadyView:
    """Propose candidates as a view does; where its index fails, those that a walk over rows finds.

    Every row keeps its terms, so that what is found this way is scored as ever.  `is_damaged` says
    whether the index failed.
    """

    def __init__(self, view: View, *, is_damaged: bool = False) -> None:
        self._view = view
        self.is_damaged = is_damaged

    def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows holding any of `terms`: the best, or without the index the newest."""
        if not self.is_damaged:
            try:
                return self._view.lexical(terms, sort, rows_max=rows_max)
            except DamagedIndex:
                self.is_damaged = True
        asked = [f" {term} " for term in terms]
        rows = self._view.recent(sort, rows_max=limits.unindexed_rows_max)
        return [row for row in rows if any(term in row.terms for term in asked)][: max(0, rows_max)]

    def nearest(self, vector: bytes, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows nearest to `vector`, which asks no text index."""
        return self._view.nearest(vector, sort, rows_max=rows_max)

    def recent(self, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return the newest eligible rows."""
        return self._view.recent(sort, rows_max=rows_max)

    def linked(self, ids: Sequence[str], *, rows_max: int) -> list[Candidate]:
        """Return eligible memories one link away from the given memories."""
        return self._view.linked(ids, rows_max=rows_max)

    def turns(self, asked: TurnsAsked) -> list[TurnFound]:
        """Return turns as the view does; raises DamagedIndex, since a search promises all of them."""
        return self._view.turns(asked)


def counted(
    snapshot: Snapshot, spaces: Sequence[int], terms: Sequence[str]
) -> tuple[dict[Sort, Statistics], bool]:
    """Return the statistics of both sorts, and whether the index could not say in how many rows a term is."""
    sorts = (Sort.MEMORY, Sort.EVIDENCE)
    try:
        return {sort: snapshot.statistics(spaces, sort, terms) for sort in sorts}, False
    except DamagedIndex:
        return {sort: snapshot.statistics(spaces, sort, ()) for sort in sorts}, True
