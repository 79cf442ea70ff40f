"""Who waits for whom on a database server, and for how long?"""

import threading
from pathlib import Path

import pytest

from muniment import limits
from muniment.domain.changes import Claims
from muniment.errors import Busy
from muniment.ports import Store
from muniment.service.vault import Vault
from tests.builders import stored
from tests.concurrency.sharing import claims_of, newest, other_of

WRITERS = 40
SECONDS_MAX, A_WHILE = 60, 0.5


def begins(store: Store, claims: Claims | None, until: threading.Event) -> threading.Event:
    """Begin a transaction in a thread and hold it; the event that is returned says that it has begun."""
    begun = threading.Event()

    def hold() -> None:
        with store.transaction(claims):
            begun.set()
            until.wait(SECONDS_MAX)

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    return begun


def test_a_writer_that_claims_something_else_does_not_wait(vault: Vault) -> None:
    over = threading.Event()
    assert begins(vault.ground.store, claims_of(vault, "the tide"), over).wait(SECONDS_MAX)
    receipt = stored(vault.remember("the quay is wet"))
    assert vault.read(receipt.id).text == "the quay is wet"
    over.set()


@pytest.mark.parametrize("held", ["the same value", "everything"])
def test_a_writer_waits_for_whoever_holds_what_it_claims(vault: Vault, held: str) -> None:
    store, over = vault.ground.store, threading.Event()
    claims = claims_of(vault, "the tide")
    assert begins(store, claims if held == "the same value" else None, over).wait(SECONDS_MAX)
    second = begins(store, claims, threading.Event())
    assert not second.wait(A_WHILE)
    over.set()
    assert second.wait(SECONDS_MAX)


def test_a_writer_of_a_slot_waits_for_another_value_of_it(vault: Vault) -> None:
    store, over = vault.ground.store, threading.Event()
    space = claims_of(vault, "").space
    assert begins(store, Claims(space, b"one", b"slot"), over).wait(SECONDS_MAX)
    second = begins(store, Claims(space, b"two", b"slot"), over)
    third = begins(store, Claims(space, b"three", b"another"), over)
    assert third.wait(SECONDS_MAX)
    assert not second.wait(A_WHILE)
    over.set()
    assert second.wait(SECONDS_MAX)


def test_who_comes_alone_waits_for_all_and_lets_nobody_past(vault: Vault) -> None:
    store, over, end = vault.ground.store, threading.Event(), threading.Event()
    assert begins(store, claims_of(vault, "the tide"), over).wait(SECONDS_MAX)
    alone = begins(store, None, end)
    assert not alone.wait(A_WHILE)
    late = begins(store, claims_of(vault, "the moon"), end)
    assert not late.wait(A_WHILE)
    over.set()
    assert alone.wait(SECONDS_MAX)
    assert not late.wait(A_WHILE)
    end.set()
    assert late.wait(SECONDS_MAX)


def test_no_more_connections_than_bounded_write_at_once(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, over = vault.ground.store, threading.Event()
    beside = [
        begins(store, claims_of(vault, f"tide {n}"), over) for n in range(limits.writers_of_process_max)
    ]
    assert all(one.wait(SECONDS_MAX) for one in beside)
    monkeypatch.setattr(limits, "busy_wait_ms_max", 200)
    with pytest.raises(Busy):
        vault.remember("one too many")
    over.set()
    monkeypatch.undo()
    stored(vault.remember("one too many"))


def test_no_two_writers_beside_each_other_have_a_row_number_in_common(vault: Vault, tmp_path: Path) -> None:
    store, other = vault.ground.store, other_of(tmp_path).ground.store
    with store.transaction(claims_of(vault, "one")) as one, other.transaction(claims_of(vault, "two")) as two:
        least = one.head().next_n
        taken = [one.free_number(least), two.free_number(least), one.free_number(least + 1)]
        assert taken == [least, least + 1, least + 2]
        assert two.free_number(least + 2) == least + 3
    other.close()


def test_a_number_that_nobody_used_is_given_again_and_one_that_was_used_is_not(
    vault: Vault, tmp_path: Path
) -> None:
    store, other = vault.ground.store, other_of(tmp_path)
    with store.transaction(claims_of(vault, "one")) as one:
        least = one.head().next_n
        assert one.free_number(least) == least
    with store.transaction(claims_of(vault, "one")) as one:
        # Whoever read the head before the other committed asks with a number that was used since.
        assert one.free_number(least) == least
        used = [newest(vault, stored(vault.remember(f"note {n}")).id).n for n in range(3)]
        assert used == [least + 1, least + 2, least + 3]
        assert one.free_number(least + 1) == least + 4
    other.close()
