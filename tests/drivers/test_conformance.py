"""Does the kit pass the driver that ships, and catch each way in which a driver can be wrong?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from muniment import limits
from muniment.domain.trust import Trust
from muniment.drivers.baseline import BaselineDriver
from muniment.drivers.conformance import CHECKS, VIEW_CALLS_MAX, Planted, asked, faults, refuse_misplanted
from muniment.errors import BadInput
from muniment.ports import Driver, Store, View
from muniment.recall.eligibility import Sort
from muniment.recall.ranking import Candidate
from tests.contract.builders import FIRST_HEAD, Scribe
from tests.contract.conftest import STORES
from tests.drivers.planting import planted_in


@pytest.fixture(params=sorted(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = STORES[request.param](tmp_path, FIRST_HEAD, "local")
    yield made
    made.close()


@pytest.fixture
def planted(store: Store) -> Planted:
    return planted_in(store)


class Altered:
    """Change what the baseline proposes by one function."""

    def __init__(self, alter: Callable[[list[Candidate]], list[Candidate]]) -> None:
        self._baseline, self._alter = BaselineDriver(), alter

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        return self._alter(self._baseline.candidates(view, terms, vector))


class Remembering:
    """Keep what one question found and propose it for the next one too."""

    def __init__(self) -> None:
        self._kept: dict[int, Candidate] = {}

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        for one in BaselineDriver().candidates(view, terms, vector):
            self._kept[one.n] = one
        return list(self._kept.values())


class Greedy:
    """Ask the view for more rows than a lane has."""

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        return view.lexical(terms, Sort.MEMORY, rows_max=limits.candidates_per_lane_max + 1)


class Insistent:
    """Ask the view again and again."""

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        for _ in range(VIEW_CALLS_MAX):
            view.lexical(terms, Sort.MEMORY, rows_max=1)
        return BaselineDriver().candidates(view, terms, vector)


class Crowding:
    """Propose more candidates than are scored, all of them eligible."""

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        found = BaselineDriver().candidates(view, terms, vector)
        return (found * (1 + limits.candidates_max // max(1, len(found))))[: limits.candidates_max + 1]


class Writing:
    """Hold the store, and write into it while asked."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        scribe = Scribe(self._store)
        with scribe.writing() as rows:
            rows.actor(f"driver at {rows.head.size}")
        return BaselineDriver().candidates(view, terms, vector)


class Moody:
    """Leave out one row more each time."""

    def __init__(self) -> None:
        self._times = 0

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        self._times += 1
        return BaselineDriver().candidates(view, terms, vector)[: -self._times]


class Talkative:
    """Propose what is recent when nothing is asked."""

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        if not terms and not vector:
            return view.recent(Sort.MEMORY, rows_max=5)
        return BaselineDriver().candidates(view, terms, vector)


def promoted(found: list[Candidate]) -> list[Candidate]:
    return [one._replace(rank=50, trust=Trust.BELIEVED, untrusted=False) for one in found]


BROKEN: dict[str, tuple[Callable[[], Driver], str]] = {
    "finds nothing": (lambda: Altered(lambda found: []), "finds_the_fact"),
    "keeps rows from the question before": (Remembering, "keeps_to_the_view"),
    "gives itself the highest rank": (lambda: Altered(promoted), "leaves_rows_as_shown"),
    "asks for too many rows": (Greedy, "stays_within_bounds"),
    "asks too often": (Insistent, "stays_within_bounds"),
    "proposes too many rows": (Crowding, "stays_within_bounds"),
    "proposes a row twice": (lambda: Altered(lambda found: [*found, *found[:1]]), "proposes_each_row_once"),
    "answers differently each time": (Moody, "answers_alike"),
    "talks without being asked": (Talkative, "proposes_nothing_for_nothing"),
}


def failed(driver: Driver, store: Store, planted: Planted) -> set[str]:
    return {fault.check for fault in faults(driver, store, planted)}


def test_the_driver_that_ships_conforms(store: Store, planted: Planted) -> None:
    assert faults(BaselineDriver(), store, planted) == ()


def test_the_driver_that_ships_conforms_by_words_alone(store: Store, planted: Planted) -> None:
    assert faults(BaselineDriver(), store, replace(planted, vector=b"", model="")) == ()


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_driver_that_breaks_a_promise_is_caught(store: Store, planted: Planted, name: str) -> None:
    make, check = BROKEN[name]
    assert check in failed(make(), store, planted)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_driver_that_writes_is_caught(kind: str, tmp_path: Path) -> None:
    """Only where a reader and a writer can be at work at once; elsewhere it would wait for itself."""
    store = STORES[kind](tmp_path, FIRST_HEAD, "local")
    planted = planted_in(store)
    assert "changes_nothing" in failed(Writing(store), store, planted)
    store.close()


def test_every_check_is_failed_by_some_broken_driver() -> None:
    assert {check for _, check in BROKEN.values()} | {"changes_nothing"} == set(CHECKS)


def test_a_fault_says_what_was_seen(store: Store, planted: Planted) -> None:
    found = faults(Remembering(), store, planted)
    assert any("another space" in fault.sentence for fault in found)
    assert all(fault.sentence.endswith(".") for fault in found)


def test_a_changed_cosine_is_no_fault(store: Store, planted: Planted) -> None:
    driver = Altered(lambda found: [one._replace(cosine=0.5) for one in found])
    assert "leaves_rows_as_shown" not in failed(driver, store, planted)


def test_the_order_of_candidates_is_no_fault(store: Store, planted: Planted) -> None:
    assert faults(Altered(lambda found: found[::-1]), store, planted) == ()


def test_a_fact_that_was_not_planted_is_refused(store: Store, planted: Planted) -> None:
    with pytest.raises(BadInput, match="not eligible"):
        faults(BaselineDriver(), store, replace(planted, wanted=10**6))


def test_hidden_rows_that_anyone_may_see_are_refused(store: Store, planted: Planted) -> None:
    with pytest.raises(BadInput, match="under `wide` alone"):
        refuse_misplanted(store, replace(planted, hidden={"no reason": planted.wanted}))
    with pytest.raises(BadInput, match="under `wide` alone"):
        refuse_misplanted(store, replace(planted, hidden={"it is not there": 10**6}))
    with pytest.raises(BadInput, match="cannot be checked"):
        refuse_misplanted(store, replace(planted, hidden={}))


def test_a_watched_view_keeps_what_was_asked_and_shown(store: Store, planted: Planted) -> None:
    candidates, view = asked(BaselineDriver(), store, planted)
    assert view.rows_asked == [limits.candidates_per_lane_max] * 4
    assert {one.n for one in candidates} <= set(view.shown)


class Looking:
    """Use every door of the view."""

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        found = view.recent(Sort.MEMORY, rows_max=3) + view.recent(Sort.EVIDENCE, rows_max=2)
        return found + view.linked(("m_" + "0" * 26,), rows_max=4)


def test_every_door_of_the_view_is_watched(store: Store, planted: Planted) -> None:
    candidates, view = asked(Looking(), store, planted)
    assert view.rows_asked == [3, 2, 4]
    assert {one.n for one in candidates} == set(view.shown)
