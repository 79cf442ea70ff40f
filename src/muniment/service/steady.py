"""What is still found when the text index is damaged?  The newest rows that hold a word of the question."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.evidence import Evidence, EvidenceKind, TurnState
from muniment.domain.ledger import ROW_NUMBER_BITS, RowCode
from muniment.domain.trust import LIVE
from muniment.errors import DamagedIndex
from muniment.ports import Snapshot, View
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import Candidate, Statistics
from muniment.recall.turns import SPOKEN, TurnFound, TurnsAsked
from muniment.service.ground import Ground

UNINDEXED = (
    f"degraded: the text index is damaged, so only the newest {limits.unindexed_rows_max} rows of a sort"
    " were looked through; run `muniment reindex`"
)
"""What an answer says that was found without the index; no row is affected."""


LOST = "The text index has lost rows; the rows themselves are not affected."

_PROBED_TERMS = 1
"""How many words of a newest row are looked up when the index is doubted, the longest."""

_OLDER_TERMS = 2
"""How many words of an older row are looked up, the longest."""

_PLACES = 4
"""At how many places older rows are looked at; the first is the beginning."""

_TELLING_CHARACTERS = 4_000
"""Longest row whose words are looked up; of a longer one the index need not hold all."""


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

    def __init__(self, ground: Ground, snapshot: Snapshot, eligibility: Eligibility) -> None:
        super().__init__(snapshot.view(eligibility, model=""))
        self._ground, self._snapshot, self._eligibility = ground, snapshot, eligibility

    def turns(self, asked: TurnsAsked) -> list[TurnFound]:
        """Return turns as the view does; raises DamagedIndex, also when the index was emptied."""
        found = self._view.turns(asked)
        if not found and asked.terms:
            spaces = self._eligibility.spaces
            statistics = {Sort.EVIDENCE: self._snapshot.statistics(spaces, Sort.EVIDENCE, asked.terms)}
            if is_emptied(
                self._ground, self._snapshot, self._eligibility, statistics=statistics, terms=asked.terms
            ):
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


def is_emptied(
    ground: Ground,
    snapshot: Snapshot,
    eligibility: Eligibility,
    *,
    statistics: Mapping[Sort, Statistics],
    terms: Sequence[str],
) -> bool:
    """Return whether the index holds no word of a question, nor those of rows that it has to know.

    An index that lost its content answers like one of rows without the word.  The rows say otherwise:
    what stands in the newest ones has to be known, and in some older ones.  `statistics` are those of
    `terms`, the question's words.  Where some of them are known and some are not, older rows alone are looked
    at, once in a process; where all are known nothing more is asked.  Where none is, the same rows are not
    looked at again while nobody commits.
    """
    known = [any(one.rows_with.get(term) for one in statistics.values()) for term in terms]
    if all(known) or (any(known) and (ground.index_is_sound or eligibility.then)):
        return False
    moment = snapshot.moment()
    doubted = (moment, replace(eligibility, as_of=0, live_rows=(), live_matches={}))
    if moment is not None and doubted == ground.index_known_at:
        return False
    if not any(known) and _newest_lost(snapshot, eligibility, statistics):
        return True
    if not eligibility.then:
        ground.index_is_sound = not has_lost_older(ground, snapshot)
        if not ground.index_is_sound:
            return True
    ground.index_known_at = ground.index_known_at if any(known) else doubted
    return False


def _newest_lost(snapshot: Snapshot, eligibility: Eligibility, statistics: Mapping[Sort, Statistics]) -> bool:
    view = snapshot.view(eligibility, model="")
    # Of another moment the newest rows may lie on the shelf of the past, which has no statistics.
    sorts = [sort for sort, one in statistics.items() if one.items]
    sorts = [sort for sort in sorts if sort is Sort.EVIDENCE or not eligibility.then]
    return any(not _knows(snapshot, view, eligibility.spaces, sort=sort) for sort in sorts)


def has_lost_older(ground: Ground, snapshot: Snapshot) -> bool:
    """Return whether the index knows a telling word of rows here and there no more.

    At most `index_older_rows_max` rows of each sort are looked at, at places spread over all that was
    taken in.  An index of another analyser is not judged.
    """
    head, analyser = snapshot.head(), ground.outside.analyser
    if head.analyser != analyser.version:
        return False
    first = head.next_n >> ROW_NUMBER_BITS << ROW_NUMBER_BITS
    rows_max, step = limits.index_older_rows_max // _PLACES, (head.next_n - first) // _PLACES
    places = [Page(first + step * place, rows_max) for place in range(_PLACES)]
    texts = {Sort.MEMORY: _memories(snapshot, places), Sort.EVIDENCE: _said(snapshot, places)}
    spaces = [space.n for space in snapshot.spaces()]
    return any(
        not _knows_these(snapshot, spaces, sort=sort, words=_telling(ground, texts[sort])) for sort in texts
    )


def _memories(snapshot: Snapshot, places: Sequence[Page]) -> Iterator[str]:
    for page in places:
        for _, current in snapshot.heads(page):
            if current.version.trust in LIVE:
                yield current.version.claim.text


def _said(snapshot: Snapshot, places: Sequence[Page]) -> Iterator[str]:
    """Yield turns, notes and chunks; what tools did and what stands for other turns is not indexed."""
    for page in places:
        for _, sealed in snapshot.sealed_rows(RowCode.EVIDENCE, page):
            row = sealed.row
            if not isinstance(row, Evidence) or row.kind is EvidenceKind.DOCUMENT:
                continue
            if row.state is TurnState.LIVE and row.role in SPOKEN:
                yield row.text


def _telling(ground: Ground, texts: Iterable[str]) -> frozenset[str]:
    """Return the longest words of each text: few other rows know them."""
    found: set[str] = set()
    for text in texts:
        if len(text) > _TELLING_CHARACTERS:
            continue
        found |= {*_longest(ground.outside.analyser.terms(text), _OLDER_TERMS)}
    return frozenset(found)


def _longest(terms: Iterable[str], count: int) -> list[str]:
    """Return the longest words: few other rows have them, so they tell of this one and are quick to count."""
    return sorted(filter(str.isalnum, terms), key=len)[-count:]


def _knows_these(snapshot: Snapshot, spaces: Sequence[int], *, sort: Sort, words: Collection[str]) -> bool:
    try:
        found = snapshot.statistics(spaces, sort, tuple(words)).rows_with
    except DamagedIndex:
        return False
    return all(found.get(word) for word in words)


def _knows(snapshot: Snapshot, view: View, spaces: Sequence[int], *, sort: Sort) -> bool:
    """Return whether the index knows some words of each of the newest rows."""
    rows = view.recent(sort, rows_max=limits.index_probe_rows_max)
    words = {word for row in rows for word in _longest(row.terms.split(), _PROBED_TERMS)}
    return _knows_these(snapshot, spaces, sort=sort, words=words)
