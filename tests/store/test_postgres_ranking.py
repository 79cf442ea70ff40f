"""Does PostgreSQL put the same rows first as plain BM25 does?"""

import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from muniment.ports import Store
from muniment.recall.eligibility import Sort
from muniment.store.memory import MemoryStore
from muniment.store.memory_view import bm25, statistics
from muniment.store.postgres import opened
from tests import postgres
from tests.contract.builders import FIRST_HEAD, MODEL, Scribe, asked

VOCABULARY = [f"word{number}" for number in range(60)]


@pytest.fixture
def store() -> Iterator[Store]:
    address = postgres.shared_database().application
    made = opened.create(address, FIRST_HEAD, tenant=postgres.new_tenant())
    yield made
    made.close()


def ranked(store: Store, *terms: str, rows_max: int = 100, **fields: object) -> list[int]:
    with store.snapshot() as snapshot:
        view = snapshot.view(asked(1, **fields), model=MODEL)
        return [one.n for one in view.lexical(terms, Sort.MEMORY, rows_max=rows_max)]


def test_a_rare_term_outweighs_a_common_one(store: Store) -> None:
    scribe = Scribe(store)
    common = [scribe.remember("server port").n for _ in range(5)]
    rare = scribe.remember("server handoff").n
    assert ranked(store, "port", "handoff")[0] == rare
    assert set(ranked(store, "port", "handoff")[1:]) == set(common)


def test_a_term_said_twice_outweighs_it_said_once(store: Store) -> None:
    scribe = Scribe(store)
    once = scribe.remember("port of one server").n
    twice = scribe.remember("port of one port").n
    assert ranked(store, "port") == [twice, once]


def test_a_short_text_outweighs_a_long_one(store: Store) -> None:
    scribe = Scribe(store)
    long = scribe.remember("port " + "filler " * 50).n
    short = scribe.remember("port here").n
    assert ranked(store, "port") == [short, long]


def test_another_tenants_rows_do_not_change_the_weights(store: Store) -> None:
    scribe = Scribe(store)
    rows = [scribe.remember(text).n for text in ("port", "handoff handoff x y", "port handoff z")]
    before = ranked(store, "port", "handoff")
    assert set(before) == set(rows)
    address = postgres.shared_database().application
    other = opened.create(address, FIRST_HEAD, tenant=postgres.new_tenant())
    noisy = Scribe(other)
    for _ in range(20):
        noisy.remember("port port port")
    other.close()
    assert ranked(store, "port", "handoff") == before


def test_past_versions_are_ranked_too(store: Store) -> None:
    scribe = Scribe(store)
    first, second = scribe.remember("port " + "filler " * 30), scribe.remember("port")
    moment = scribe.moment
    for old in (first, second):
        scribe.follow(old, "else")
    micros = int(moment.timestamp() * 1_000_000)
    assert ranked(store, "port", then=True, known_at=micros) == [second.n, first.n]


@pytest.mark.parametrize("rows_max", [5, 100])
def test_the_order_is_that_of_the_reference_store(store: Store, rng: random.Random, rows_max: int) -> None:
    reference = MemoryStore(FIRST_HEAD)
    texts = [" ".join(rng.choices(VOCABULARY, k=rng.randint(1, 40))) for _ in range(80)]
    for place in (store, reference):
        scribe = Scribe(place)
        with scribe.writing() as rows:
            for text in texts:
                rows.remember(text)
    for _ in range(20):
        terms = tuple(rng.sample(VOCABULARY, rng.randint(1, 8)))
        here = ranked(store, *terms, rows_max=rows_max)
        there = ranked(reference, *terms, rows_max=rows_max)
        # Sums of the same parts in another order may differ in the last bit, and then so may the order.
        assert weighed(reference, terms, here) == weighed(reference, terms, there)
        assert len(set(here)) == len(there)


def weighed(reference: MemoryStore, terms: Sequence[str], rows: list[int]) -> list[float]:
    """Return the plain BM25 score of each row, without its last digits."""
    with reference.snapshot() as snapshot:
        state = snapshot.state
    counted = statistics(state, (1,), Sort.MEMORY, terms=terms)
    return [round(bm25(state.terms[n], terms, counted), 9) for n in rows]


@pytest.fixture
def explained() -> Callable[[str], str]:
    def plan(asked_for: str) -> str:
        database = postgres.shared_database()
        steps = ("SET search_path = muniment, public", "SET enable_seqscan = off", f"EXPLAIN {asked_for}")
        return "\n".join(str(row[0]) for row in postgres.run(database.owner, *steps))

    return plan


def test_terms_are_looked_up_in_their_index(explained: Callable[[str], str]) -> None:
    condition = "terms @> ARRAY[CAST(1 AS bigint)] AND tenant + 0 = (SELECT bound_tenant())"
    assert "live_terms" in explained(f"SELECT n FROM live WHERE {condition}")
    assert "past_terms" in explained(f"SELECT n FROM past WHERE {condition}")
