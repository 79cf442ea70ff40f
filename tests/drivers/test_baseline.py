"""What does the driver that always ships propose?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import limits
from muniment.drivers.baseline import BaselineDriver
from muniment.ports import Store
from muniment.recall.eligibility import Sort
from muniment.recall.ranking import Candidate
from tests.contract.builders import FIRST_HEAD, MODEL, Scribe, asked, vector
from tests.contract.conftest import STORES


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = STORES[request.param](tmp_path, FIRST_HEAD, "local")
    yield made
    made.close()


@pytest.fixture
def scribe(store: Store) -> Scribe:
    return Scribe(store)


def proposed(store: Store, *terms: str, near: bytes = b"", model: str = MODEL) -> list[Candidate]:
    with store.snapshot() as snapshot:
        return BaselineDriver().candidates(snapshot.view(asked(1), model=model), terms, near)


def numbers(found: list[Candidate]) -> set[int]:
    return {one.n for one in found}


def test_a_memory_and_a_turn_are_found_by_their_words(store: Store, scribe: Scribe) -> None:
    memory, turn = scribe.remember("the ferry leaves"), scribe.turn("the ferry is late")
    scribe.remember("nothing of the kind")
    assert numbers(proposed(store, "ferry")) == {memory.n, turn.n}


def test_a_row_is_found_by_meaning_without_a_common_word(store: Store, scribe: Scribe) -> None:
    near = scribe.remember("the boat departs", vector=vector(120, 3))
    assert numbers(proposed(store, "ferry")) == set()
    assert numbers(proposed(store, "ferry", near=vector(120, 3))) == {near.n}


def test_a_row_found_both_ways_is_proposed_once_and_keeps_its_cosine(store: Store, scribe: Scribe) -> None:
    both = scribe.remember("the ferry leaves", vector=vector(120, 3))
    (found,) = proposed(store, "ferry", near=vector(120, 3))
    assert (found.n, found.sort) == (both.n, Sort.MEMORY)
    assert found.cosine == pytest.approx(1.0, abs=1e-3)


def test_a_row_found_by_words_alone_has_no_cosine(store: Store, scribe: Scribe) -> None:
    scribe.remember("the ferry leaves")
    (found,) = proposed(store, "ferry", near=vector(120, 3))
    assert found.cosine is None


def test_without_words_and_meaning_nothing_is_proposed(store: Store, scribe: Scribe) -> None:
    scribe.remember("the ferry leaves", vector=vector(120, 3))
    assert proposed(store) == []
    assert numbers(proposed(store, "ferry")) != set()


def test_vectors_of_another_model_are_not_compared(store: Store, scribe: Scribe) -> None:
    scribe.remember("the boat departs", vector=vector(120, 3))
    assert proposed(store, near=vector(120, 3), model="another/1") == []
    assert proposed(store, near=vector(120, 3)) != []


def test_no_lane_proposes_more_than_its_bound(store: Store, scribe: Scribe) -> None:
    with scribe.writing() as rows:
        for number in range(limits.candidates_per_lane_max + 20):
            rows.remember(f"ferry {number}")
            rows.turn(f"ferry said {number} times")
    found = proposed(store, "ferry")
    for sort in Sort:
        assert sum(1 for one in found if one.sort is sort) == limits.candidates_per_lane_max
