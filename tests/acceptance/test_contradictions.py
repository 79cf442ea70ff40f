"""The contradiction matrix: five shapes, minutes and months apart, on every store.

A the present is answered; B no stale value stands unqualified in the prompt; C both hold after
all jobs; C' both hold after the day-one material has come back by another path; D the history
answers for the time before; E what was derived agrees.
"""

from dataclasses import dataclass

import pytest

from muniment.service.vault import Vault
from tests.builders import FakeClock, World, stored, texts

FIELD = "The heron nests by the weir"


@dataclass(frozen=True)
class Shape:
    """Describe one way of contradicting: what is said first, what then, and what must hold."""

    name: str
    first: str
    then: str
    gone: str
    now: str
    stays: str = ""


SHAPES = (
    Shape(
        "replacement",
        "I live in Berlin",
        "I moved to Lisbon",
        "I live in Berlin",
        "I moved to Lisbon",
    ),
    Shape(
        "polarity flip",
        "I love olives",
        "I can't stand olives",
        "I love olives",
        "I can't stand olives",
    ),
    Shape(
        "retraction",
        "I have a sister",
        "I misspoke, I do not have a sister",
        "I have a sister",
        "I misspoke, I do not have a sister",
    ),
    Shape(
        "partial",
        "I am an engineer at Acme and I play the cello",
        "I was promoted to manager",
        "engineer",
        "I was promoted to manager",
        stays="at Acme and I play the cello",
    ),
    Shape(
        "bounded",
        "I am vegetarian",
        "I stopped being vegetarian in 2024",
        "I am vegetarian",
        "I stopped being vegetarian in 2024",
    ),
)
APART = {"minutes": {"minutes": 7}, "months": {"days": 200}}


@pytest.fixture(params=SHAPES, ids=lambda shape: shape.name)
def shape(request: pytest.FixtureRequest) -> Shape:
    found: Shape = request.param
    return found


@pytest.fixture(params=APART)
def told(request: pytest.FixtureRequest, world: World, shape: Shape, clock: FakeClock) -> World:
    """Return a vault that was told both, some time apart, with all jobs done."""
    vault = world.vault
    stored(vault.remember(FIELD))
    clock.advance(hours=1)
    stored(vault.remember(shape.first))
    clock.advance(**APART[request.param])
    stored(vault.remember(shape.then))
    vault.settle()
    clock.advance(days=1)
    return world


def is_corrected(vault: Vault, shape: Shape) -> None:
    """Columns A and B: the present is answered, and no stale value stands unqualified."""
    answers = [vault.recall(question) for question in (shape.first, shape.then)]
    found = [hit.text for answer in answers for hit in answer.hits]
    assert shape.now in found
    assert not any(shape.gone in text for text in found if text != shape.now)
    assert not shape.stays or any(shape.stays in text for text in found)
    for line in (line for answer in answers for line in answer.render().splitlines()):
        assert f'"{shape.first}"' not in line
    assert texts(vault, "heron weir") == [FIELD], "what was never contradicted is still there"


def test_a_and_b_the_present_is_answered_and_nothing_stale_is_in_the_prompt(
    told: World, shape: Shape
) -> None:
    is_corrected(told.vault, shape)


def test_c_so_it_is_after_every_job_a_rebuild_and_a_restart(told: World, shape: Shape) -> None:
    vault = told.vault
    vault.settle()
    vault.reindex()
    is_corrected(vault, shape)
    is_corrected(told.restarted(), shape)


def test_c_after_the_day_one_material_came_back_by_another_path(
    told: World, shape: Shape, clock: FakeClock
) -> None:
    vault = told.vault
    first = next(row for row in vault.memories(states=["superseded"]) if row.text == shape.first)
    again = vault.remember(shape.first, valid_from=first.valid.start, valid_until=first.valid.end)
    assert again.verdict in ("merged", "stored")
    vault.ingest(f"{shape.first}.", source="diary")
    vault.settle()
    for question in (shape.first, shape.then):
        memories = [hit.text for hit in vault.recall(question).hits if hit.source == "memory"]
        assert shape.first not in memories
    assert shape.now in memories


def test_d_the_history_answers_for_the_time_before(told: World, shape: Shape) -> None:
    vault = told.vault
    first = next(row for row in vault.memories(states=["superseded"]) if row.text == shape.first)
    assert first.valid.end is not None
    before = [hit.text for hit in vault.recall(shape.first, as_of=first.valid.start).hits]
    assert shape.first in before and shape.now not in before
    assert {shape.first, shape.now} <= {reading.text for reading in vault.history(first.memory)}


def test_e_what_was_derived_agrees(told: World, shape: Shape) -> None:
    vault = told.vault
    first = next(row for row in vault.memories(states=["superseded"]) if row.text == shape.first)
    links = {reading.id for reading in vault.history(first.memory)}
    assert len(links) >= 2, "the successor hangs on what it took the place of"
    if shape.stays:
        rest = next(row for row in vault.memories() if shape.stays in row.text)
        assert rest.memory in links and shape.gone not in rest.text
    assert vault.verify().ok
