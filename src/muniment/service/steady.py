"""What is still found when the text index is damaged?  The newest rows that hold a word of the question."""

from collections.abc import Mapping, Sequence
from itertools import islice

from muniment import limits
from muniment.errors import DamagedIndex
from muniment.ports import Snapshot, View
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import Candidate, Statistics
from muniment.recall.turns import TurnFound, TurnsAsked

UNINDEXED = (
    f"degraded: the text index is damaged, so only the newest {limits.unindexed_rows_max} rows of a sort"
    " were looked through; run `muniment reindex`"
)
"""What an answer says that was found without the index; no row is affected."""


LOST = "The text index has lost rows; the rows themselves are not affected."

_PROBED_TERMS = 3
"""How many words of a row are looked up when the index is doubted."""


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


class SureView(SteadyView):
    """Propose turns as a view does; where there are none, make sure that the index has not lost them."""

    def __init__(self, snapshot: Snapshot, eligibility: Eligibility) -> None:
        super().__init__(snapshot.view(eligibility, model=""))
        self._snapshot, self._eligibility = snapshot, eligibility

    def turns(self, asked: TurnsAsked) -> list[TurnFound]:
        """Return turns as the view does; raises DamagedIndex, also when the index was emptied."""
        found = self._view.turns(asked)
        if not found and asked.terms:
            spaces = self._eligibility.spaces
            statistics = {Sort.EVIDENCE: self._snapshot.statistics(spaces, Sort.EVIDENCE, asked.terms)}
            if is_emptied(self._snapshot, self._eligibility, statistics):
                raise DamagedIndex(LOST)
        return found


def counted(
    snapshot: Snapshot, spaces: Sequence[int], terms: Sequence[str]
) -> tuple[dict[Sort, Statistics], bool]:
    """Return the statistics of both sorts, and whether the index could not say in how many rows a term is."""
    sorts = (Sort.MEMORY, Sort.EVIDENCE)
    try:
        return {sort: snapshot.statistics(spaces, sort, terms) for sort in sorts}, False
    except DamagedIndex:
        return {sort: snapshot.statistics(spaces, sort, ()) for sort in sorts}, True


def is_emptied(snapshot: Snapshot, eligibility: Eligibility, statistics: Mapping[Sort, Statistics]) -> bool:
    """Return whether the index holds no word of a question, nor those of the newest rows.

    An index that lost its content answers like one of rows without the word.  The rows say otherwise:
    what stands in the newest ones has to be known.  `statistics` are those of the question's words;
    nothing more is asked unless none of them is known.
    """
    if any(any(one.rows_with.values()) for one in statistics.values()):
        return False
    view = snapshot.view(eligibility, model="")
    # Of another moment the newest rows may lie on the shelf of the past, which has no statistics.
    sorts = [sort for sort, one in statistics.items() if one.items]
    sorts = [sort for sort in sorts if sort is Sort.EVIDENCE or not eligibility.then]
    return any(not _knows(snapshot, view, eligibility.spaces, sort=sort) for sort in sorts)


def _knows(snapshot: Snapshot, view: View, spaces: Sequence[int], *, sort: Sort) -> bool:
    """Return whether the index knows some words of each of the newest rows."""
    rows = view.recent(sort, rows_max=limits.index_probe_rows_max)
    words = {word for row in rows for word in islice(filter(str.isalnum, row.terms.split()), _PROBED_TERMS)}
    try:
        found = snapshot.statistics(spaces, sort, tuple(words)).rows_with
    except DamagedIndex:
        return False
    return all(found.get(word) for word in words)
