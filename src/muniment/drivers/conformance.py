"""Does a driver keep to what every driver promises?  Checks for any driver, over any store.

Plant rows in a store, describe them as `Planted`, and ask `faults`: it returns nothing for
a driver that conforms.  The kit only reads; whoever plants goes through the gate or builds
the store for the purpose.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from muniment import limits
from muniment.errors import BadInput
from muniment.ports import Driver, Store, View
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import Candidate
from muniment.recall.turns import TurnFound, TurnsAsked

VIEW_CALLS_MAX = 64
"""Most times that one question may turn to the view."""


class Fault(NamedTuple):
    """Name the check that a driver fails and say what was seen."""

    check: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Planted:
    """Describe what lies in the store: one question, its answer, and what must stay hidden.

    `wanted` is the row number of the fact that answers, eligible under `narrow`.  `hidden`
    gives, by why, row numbers that hold the same words and are eligible only under `wide`.
    An empty `vector` asks by words alone.
    """

    terms: tuple[str, ...]
    narrow: Eligibility
    wide: Eligibility
    wanted: int
    hidden: Mapping[str, int]
    vector: bytes = b""
    model: str = ""


@dataclass(slots=True)
class WatchedView:
    """Hand on what a view proposes, and keep what was asked and shown."""

    view: View
    shown: dict[int, Candidate] = field(default_factory=dict)
    rows_asked: list[int] = field(default_factory=list)

    def _seen(self, found: list[Candidate], rows_max: int) -> list[Candidate]:
        self.rows_asked.append(rows_max)
        self.shown |= {one.n: one for one in found}
        return found

    def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows holding any of `terms`, best first by the engine's own rank."""
        return self._seen(self.view.lexical(terms, sort, rows_max=rows_max), rows_max)

    def nearest(self, vector: bytes, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows nearest to `vector` by cosine."""
        return self._seen(self.view.nearest(vector, sort, rows_max=rows_max), rows_max)

    def recent(self, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return the newest eligible rows."""
        return self._seen(self.view.recent(sort, rows_max=rows_max), rows_max)

    def turns(self, asked: TurnsAsked) -> list[TurnFound]:
        """Return turns in the asked order; a driver that looks for them hands on no candidates."""
        return self.view.turns(asked)

    def linked(self, ids: Sequence[str], *, rows_max: int) -> list[Candidate]:
        """Return eligible memories one link away from the given memories."""
        return self._seen(self.view.linked(ids, rows_max=rows_max), rows_max)


class Asked(NamedTuple):
    """Hold what a driver proposed and the view that it was given."""

    candidates: list[Candidate]
    view: WatchedView


def faults(driver: Driver, store: Store, planted: Planted) -> tuple[Fault, ...]:
    """Return every promise that a driver does not keep; all checks are made.

    Raises BadInput when the planted rows do not stand as described, since then the checks
    could not fail.
    """
    refuse_misplanted(store, planted)
    found = []
    for name, check in CHECKS.items():
        found += [Fault(name, sentence) for sentence in check(driver, store, planted)]
    return tuple(found)


def refuse_misplanted(store: Store, planted: Planted) -> None:
    """Raise BadInput unless the fact and what is hidden lie where `planted` says."""
    narrow, wide = _visible(store, planted, planted.narrow), _visible(store, planted, planted.wide)
    if planted.wanted not in narrow:
        raise BadInput("The planted fact is not eligible: the view itself does not propose it.")
    if not planted.hidden:
        raise BadInput("Nothing is hidden, so keeping to the view cannot be checked.")
    for why, n in planted.hidden.items():
        if n in narrow or n not in wide:
            raise BadInput(f"The row hidden for {why!r} must be eligible under `wide` alone.")


def _visible(store: Store, planted: Planted, eligibility: Eligibility) -> set[int]:
    with store.snapshot() as snapshot:
        view = snapshot.view(eligibility, model=planted.model)
        rows_max = limits.candidates_per_lane_max
        return {one.n for sort in Sort for one in view.lexical(planted.terms, sort, rows_max=rows_max)}


def asked(driver: Driver, store: Store, planted: Planted, *, within: Eligibility | None = None) -> Asked:
    """Put the planted question to a driver, within an eligibility, or the narrow one."""
    with store.snapshot() as snapshot:
        view = WatchedView(snapshot.view(within or planted.narrow, model=planted.model))
        return Asked(driver.candidates(view, planted.terms, planted.vector), view)


def finds_the_fact(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault when the planted fact is not among the candidates."""
    if planted.wanted not in {one.n for one in asked(driver, store, planted).candidates}:
        yield "The planted fact was not proposed."


def keeps_to_the_view(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault for each row that this view did not show (I7).

    The wide question comes first: a driver that keeps rows from one question for the next
    carries them past the scope of whoever asks then.
    """
    asked(driver, store, planted, within=planted.wide)
    proposed, view = asked(driver, store, planted)
    hidden = {n: why for why, n in planted.hidden.items()}
    for one in proposed:
        if one.n not in view.shown:
            why = hidden.get(one.n, "another reason")
            yield f"Row {one.n} is not from this view; it is hidden for {why}."


def leaves_rows_as_shown(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault for each row whose trust, rank, terms or place the driver changed (I3)."""
    proposed, view = asked(driver, store, planted)
    for one in proposed:
        shown = view.shown.get(one.n)
        if shown is not None and without_cosine(one) != without_cosine(shown):
            yield f"Row {one.n} was changed on its way: only its cosine is the driver's."


def without_cosine(candidate: Candidate) -> Candidate:
    """Return a candidate without its cosine, which one lane gives and another does not."""
    return candidate._replace(cosine=None)


def stays_within_bounds(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault for too many rows asked for at once, proposed, or too many questions (I12)."""
    proposed, view = asked(driver, store, planted)
    most = max(view.rows_asked, default=0)
    if most > limits.candidates_per_lane_max:
        yield f"The view was asked for {most} rows at once, not {limits.candidates_per_lane_max} at most."
    if len(view.rows_asked) > VIEW_CALLS_MAX:
        yield f"The view was asked {len(view.rows_asked)} times, not {VIEW_CALLS_MAX} at most."
    if len(proposed) > limits.candidates_max:
        yield f"{len(proposed)} candidates were proposed, not {limits.candidates_max} at most."


def proposes_each_row_once(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault when a row is proposed twice: it would count twice."""
    numbers = [one.n for one in asked(driver, store, planted).candidates]
    for n in sorted({n for n in numbers if numbers.count(n) > 1}):
        yield f"Row {n} was proposed {numbers.count(n)} times."


def changes_nothing(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault when the store is another one after the question (I1)."""
    before = _state(store)
    asked(driver, store, planted)
    if _state(store) != before:
        yield "The store was changed by a question."


def _state(store: Store) -> tuple[object, ...]:
    with store.snapshot() as snapshot:
        return snapshot.head(), dict(snapshot.counts()), tuple(snapshot.jobs())


def answers_alike(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault when the same question over the same rows is answered in two ways."""
    first, second = (sorted(asked(driver, store, planted).candidates) for _ in range(2))
    if first != second:
        yield "The same question was answered in two ways."


def proposes_nothing_for_nothing(driver: Driver, store: Store, planted: Planted) -> Iterable[str]:
    """Yield a fault for candidates without a question, or where no space may be read."""
    if asked(driver, store, replace(planted, terms=(), vector=b"")).candidates:
        yield "Rows were proposed though nothing was asked."
    if asked(driver, store, planted, within=replace(planted.narrow, spaces=())).candidates:
        yield "Rows were proposed to a caller who may read no space."


Check = Callable[[Driver, Store, Planted], Iterable[str]]

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.__name__: check
        for check in (
            finds_the_fact,
            keeps_to_the_view,
            leaves_rows_as_shown,
            stays_within_bounds,
            proposes_each_row_once,
            changes_nothing,
            answers_alike,
            proposes_nothing_for_nothing,
        )
    }
)
"""Every promise of a driver, by name."""
