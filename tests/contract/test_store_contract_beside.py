"""What does every store promise to whoever says beforehand what he is going to touch?"""

import threading

import pytest

from muniment import limits
from muniment.domain.changes import Changes, Claims, Page
from muniment.errors import Busy
from muniment.ports import Store
from muniment.store.postgres.connection import BOUNDS
from tests.contract.builders import MODEL, Scribe, lanes, lexical, vector
from tests.contract.builders import asked as asking

CLAIMS = Claims(1, b"a value", b"a slot", MODEL)
SECONDS_MAX = 60


def landed(store: Store, changes: Changes) -> None:
    """Apply changes as a writer does that may have others beside it."""
    with store.transaction(CLAIMS) as transaction:
        left = transaction.last_head(changes.versions, model=changes.model)
        assert left is None or left == transaction.head()
        transaction.apply(changes)


def test_what_is_written_under_claims_is_found_by_every_lane(store: Store, scribe: Scribe) -> None:
    # The first write meets the model; from then on others may write beside it.
    for number in range(3):
        draft = scribe.draft()
        draft.remember(f"common {number}", vector=vector(number + 1))
        landed(store, draft.changes())
    found = lanes(store, asking(), near=vector(2))
    assert len(found["lexical"]) == len(found["recent"]) == len(found["nearest"]) == 3
    with store.snapshot() as snapshot:
        assert snapshot.head().size == 3
        assert [one.position for one in snapshot.records(Page(after=-1))] == [0, 1, 2]
        assert snapshot.odd_heads(10) == []


def test_a_later_version_written_under_claims_takes_the_place_of_the_one_before(
    store: Store, scribe: Scribe
) -> None:
    old = scribe.remember("common old", vector=vector(1))
    draft = scribe.draft()
    new = draft.follow(old, "common new", vector=vector(2))
    link = draft.link(old.memory, old.memory)
    landed(store, draft.changes())
    assert lexical(store, "new") == {new.n}
    assert lexical(store, "old") == set()
    with store.snapshot() as snapshot:
        assert [one.version.n for one in snapshot.currents((old.memory,))] == [new.n]
        assert [one.row.id for one in snapshot.links_of((old.memory,))] == [link.id]
        assert len(snapshot.history(old.memory)) == 2


def test_a_claimed_transaction_that_fails_leaves_nothing(store: Store, scribe: Scribe) -> None:
    scribe.remember("common", vector=vector(1))
    draft = scribe.draft()
    draft.remember("uncommon", vector=vector(2))
    changes = draft.changes()
    with pytest.raises(ZeroDivisionError), store.transaction(CLAIMS) as transaction:
        transaction.last_head(changes.versions, model=changes.model)
        transaction.apply(changes)
        raise ZeroDivisionError
    assert lexical(store, "uncommon") == set()
    with store.snapshot() as snapshot:
        assert snapshot.head().size == 1
    landed(store, changes)
    assert len(lexical(store, "uncommon")) == 1


def test_the_next_row_number_of_a_lone_writer_is_the_next(store: Store, scribe: Scribe) -> None:
    scribe.remember("common")
    with store.transaction(CLAIMS) as transaction:
        least = transaction.head().next_n
        assert [transaction.free_number(least + step) for step in range(3)] == [least, least + 1, least + 2]
    with store.transaction() as transaction:
        assert transaction.free_number(least) == least


def test_two_that_claim_the_same_are_never_at_work_together(
    store: Store, scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe.remember("common", vector=vector(1))
    begun, over = threading.Event(), threading.Event()

    def hold() -> None:
        with store.transaction(CLAIMS):
            begun.set()
            over.wait(SECONDS_MAX)

    holder = threading.Thread(target=hold)
    holder.start()
    assert begun.wait(SECONDS_MAX)
    # PostgreSQL waits as long as its sessions were told to.
    with monkeypatch.context() as shorter:
        shorter.setattr(limits, "busy_wait_ms_max", 100)
        shorter.setitem(BOUNDS, "wait", "100")
        with pytest.raises(Busy), store.transaction(CLAIMS):
            raise AssertionError("two at once")
    over.set()
    holder.join(SECONDS_MAX)
    with store.transaction(CLAIMS) as transaction:
        assert transaction.head().size == 1


def test_what_is_there_is_durable_once_it_was_asked_to_be(store: Store, scribe: Scribe) -> None:
    version = scribe.remember("common")
    store.harden()
    assert lexical(store, "common") == {version.n}
