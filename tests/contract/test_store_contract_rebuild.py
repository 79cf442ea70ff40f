"""Does recall go on while the index is made anew, and does a rebuild that is cut short leave the old one?"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from muniment.domain.trust import Trust
from muniment.ports import Store
from muniment.recall.eligibility import Sort
from muniment.store.memory import MemoryStore
from tests.contract.builders import FIRST_HEAD, Scribe, asked, lanes, lexical, vector, words

ROWS = 130


def written(scribe: Scribe) -> None:
    """Write memories, one of them with a past, and more turns than one by one is worth it."""
    first = scribe.remember("common memory", vector=vector(1))
    scribe.follow(first, "common memory revised", vector=vector(1))
    scribe.follow(scribe.remember("common memory refuted"), trust=Trust.REFUTED)
    with scribe.writing() as rows:
        for number in range(ROWS):
            rows.turn(f"common turn {number}")


def seen(store: Store) -> tuple[object, ...]:
    """Return all that the lanes and the counts of both shelves say."""
    now = [lanes(store, asked(1), sort=sort, near=vector(1)) for sort in Sort]
    past = lanes(store, asked(1, then=True, any_interval=True, trusts=tuple(Trust)))
    with store.snapshot() as snapshot:
        counts = [snapshot.statistics((1,), sort, ("common", "turn", "memory")) for sort in Sort]
    return now, past, counts


def test_what_is_asked_while_the_index_is_made_anew_is_answered_from_the_old_one(scribe: Scribe) -> None:
    store = scribe.store
    written(scribe)
    before = seen(store)
    meanwhile: list[tuple[object, ...]] = []

    def reversed_words(text: str) -> tuple[str, ...]:
        # A reader of its own, at the beginning, in the midst and near the end of the rebuild.
        if text in {"common memory", "common turn 3", f"common turn {ROWS - 1}"}:
            meanwhile.append(seen(store))
        return tuple(word[::-1] for word in words(text))

    with store.transaction() as transaction:
        assert transaction.rebuild(reversed_words) == ROWS + 4
        meanwhile.append(seen(store))
    assert meanwhile == [before] * 4
    assert lexical(store, "common", sort=Sort.EVIDENCE) == set()
    assert len(lexical(store, "nommoc", sort=Sort.EVIDENCE)) == ROWS


def test_a_reading_that_began_before_the_swap_goes_on_as_it_began(scribe: Scribe) -> None:
    store = scribe.store
    written(scribe)
    with store.snapshot() as snapshot:
        head, view = snapshot.head(), snapshot.view(asked(1), model="")
        with store.transaction() as transaction:
            transaction.rebuild(lambda text: tuple(word[::-1] for word in words(text)))
        assert snapshot.head() == head
        assert len(view.lexical(("common",), Sort.EVIDENCE, rows_max=1000)) == ROWS
        assert view.lexical(("nommoc",), Sort.EVIDENCE, rows_max=1000) == []
    assert lexical(store, "common", sort=Sort.EVIDENCE) == set()


@pytest.mark.parametrize("moment", ["common memory", "common turn 1", f"common turn {ROWS - 1}"])
def test_a_rebuild_that_is_cut_short_leaves_the_old_index_and_the_next_starts_over(
    scribe: Scribe, moment: str
) -> None:
    store = scribe.store
    written(scribe)
    before = seen(store)

    def failing(text: str) -> tuple[str, ...]:
        if text == moment:
            raise RuntimeError("the power is gone")
        return ("other",)

    with pytest.raises(RuntimeError), store.transaction() as transaction:
        transaction.rebuild(failing)
    assert seen(store) == before
    scribe.turn("common turn after")
    assert len(lexical(store, "common", sort=Sort.EVIDENCE)) == ROWS + 1
    with store.transaction() as transaction:
        assert transaction.rebuild(lambda text: (*words(text), "added")) == ROWS + 5
    assert len(lexical(store, "added", sort=Sort.EVIDENCE)) == ROWS + 1


def test_tenants_beside_it_keep_their_index_when_one_is_made_anew(make: Callable[..., Store]) -> None:
    mine, other = make(tenant="mine"), make(replace(FIRST_HEAD, next_n=(2 << 40) + 1), "other")
    if isinstance(mine, MemoryStore):
        return
    for store in (mine, other):
        written(Scribe(store))
    before = [lexical(other, "common", sort=sort) for sort in Sort]
    assert [len(found) for found in before] == [1, ROWS]
    with mine.transaction() as transaction:
        transaction.rebuild(lambda text: ("changed",))
    assert [lexical(other, "common", sort=sort) for sort in Sort] == before
    assert lexical(mine, "common", sort=Sort.EVIDENCE) == set()
    assert len(lexical(mine, "changed", sort=Sort.EVIDENCE)) == ROWS
