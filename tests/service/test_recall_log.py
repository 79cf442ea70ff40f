"""Is every answer on record, when, and what happens when it cannot be written?"""

import threading
import time
from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.ledger import record_head
from muniment.errors import Busy
from muniment.ports import Store
from muniment.recall.question import Answer
from muniment.service.ground import Ground
from muniment.service.recall_log import RecallLog, Served
from muniment.service.vault import Vault
from tests.builders import World, stored


class Refusing:
    """Refuse to write while `refuses` is set, and hand everything else on."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.refuses = True

    def transaction(self) -> object:
        if self.refuses:
            raise Busy("Another writer holds the vault.")
        return self._store.transaction()

    def snapshot(self) -> object:
        return self._store.snapshot()

    def close(self) -> None:
        self._store.close()


@pytest.fixture(autouse=True)
def ferry(vault: Vault) -> str:
    return stored(vault.remember("The ferry leaves at dawn")).id


@pytest.fixture
def log(vault: Vault) -> RecallLog:
    return RecallLog(vault.ground)


@pytest.fixture
def served(vault: Vault) -> Served:
    return Served(vault.principal, vault.recall_durably("ferry"))


def logged(vault: Vault) -> list[str]:
    """Return the questions on record, oldest first, without asking the vault to write any."""
    with vault.ground.store.snapshot() as snapshot:
        return [row.query for row in snapshot.recalls(Page(limit=1000))]


def records(vault: Vault) -> int:
    with vault.ground.store.snapshot() as snapshot:
        return snapshot.head().size


def test_a_sessions_recall_is_on_record_before_the_answer_leaves(vault: Vault) -> None:
    answer = vault.session("s-1").recall("ferry")
    assert answer.logged
    assert logged(vault) == ["ferry"]


def test_a_plain_recall_is_on_record_within_a_second(vault: Vault) -> None:
    assert vault.recall("ferry").logged
    until = time.monotonic() + 5
    while not logged(vault) and time.monotonic() < until:
        time.sleep(0.05)
    assert logged(vault) == ["ferry"]
    assert limits.recall_log_delay_seconds_max <= 1


def test_a_batch_is_one_record_however_many_answers(vault: Vault, log: RecallLog, served: Served) -> None:
    before = records(vault)
    for _ in range(7):
        log.later(served)
    log.flush()
    assert records(vault) == before + 1
    assert len(logged(vault)) == 1 + 7


def test_a_full_batch_does_not_wait(vault: Vault, log: RecallLog, served: Served) -> None:
    for _ in range(limits.recall_log_batch_max - 1):
        log.later(served)
    log.later(served)
    assert len(logged(vault)) == 1 + limits.recall_log_batch_max


def test_flushing_twice_writes_once(vault: Vault, log: RecallLog, served: Served) -> None:
    log.later(served)
    log.flush()
    before = records(vault)
    log.flush()
    assert records(vault) == before


def test_closing_the_vault_writes_what_waits(world: World) -> None:
    log_before = world.vault.ground.outside.witness
    world.vault.recall("ferry")
    world.vault.close()
    newest = log_before.newest()
    assert newest is not None and newest[0] == 2
    if world.store != "reference":
        assert logged(world.restarted()) == ["ferry"]


def test_a_row_says_who_asked_what_and_what_was_served(vault: Vault, ferry: str) -> None:
    agent = vault.acting_as(actor="coder", space="home")
    agent.session("s-1").recall("ferry")
    (row,) = vault.recalls()
    assert row.query == "ferry"
    assert row.outcome == "found"
    assert row.hits == (f"{ferry}@1",)
    with vault.ground.store.snapshot() as snapshot:
        assert vault.ground.name_of(snapshot, row.actor) == "coder"
        assert [each.name for each in snapshot.sessions_at((row.session,))] == ["s-1"]


def test_a_miss_is_on_record_too(vault: Vault) -> None:
    vault.session("s-1").recall("zeppelin")
    (row,) = vault.recalls()
    assert (row.query, row.outcome, row.hits) == ("zeppelin", "nothing", ())


def test_the_ledger_holds_a_count_and_never_a_question(vault: Vault) -> None:
    vault.session("s-1").recall("ferry secrets of the harbour")
    row = vault.log(limit=1)[0]
    assert row.act == "recall"
    assert row.fields["answers"] == 1
    with vault.ground.store.snapshot() as snapshot:
        for record in snapshot.records(Page(-1, 100)):
            assert b"harbour" not in record.head
    assert b"ferry" not in record_head(act="recall", answers=1)


def test_a_vault_that_cannot_write_answers_and_says_unlogged(world: World) -> None:
    vault = world.vault
    ground = replace(
        vault.ground, outside=replace(vault.ground.outside, writable=False, why_read_only="a test")
    )
    log = RecallLog(ground)
    served = Served(vault.principal, vault.recall_durably("ferry"))
    assert not log.now(served)
    assert not log.later(served)
    log.flush()
    assert log.failures == 0, "nothing was tried"
    assert logged(vault) == ["ferry"]


def refused(vault: Vault) -> tuple[RecallLog, Refusing]:
    store = Refusing(vault.ground.store)
    return RecallLog(Ground(store, vault.ground.outside, vault.ground.tenant)), store


def test_an_answer_that_could_not_be_written_is_counted_and_said(vault: Vault, served: Served) -> None:
    log, store = refused(vault)
    assert not log.now(served)
    assert log.failures == 1
    store.refuses = False
    assert log.now(served)
    assert log.failures == 1


def test_a_batch_that_could_not_be_written_is_counted_and_does_not_stop_the_next(
    vault: Vault, served: Served
) -> None:
    log, store = refused(vault)
    log.later(served)
    log.flush()
    assert log.failures == 1
    store.refuses = False
    log.later(served)
    log.flush()
    assert log.failures == 1
    assert len(logged(vault)) == 2


def test_many_threads_lose_no_answer(vault: Vault, log: RecallLog, served: Served) -> None:
    def ask() -> None:
        for _ in range(20):
            log.later(served)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(timeout=30)
    log.flush()
    assert len(logged(vault)) == 1 + 80


def test_a_session_carries_the_label_of_what_it_was_served(vault: Vault) -> None:
    stored(vault.remember("The ferry's code is 4711", data_class="secret"))
    session = vault.session("s-1")
    assert session.label.data_class.name == "PUBLIC"
    session.recall("ferry code")
    assert session.label.data_class.name == "SECRET"


def test_an_answer_that_was_read_in_another_way_is_on_record(vault: Vault) -> None:
    answer: Answer = replace(vault.recall_durably("ferry"), question="awake")
    assert vault.on_record(answer).logged
    assert logged(vault) == ["ferry", "awake"]


def test_the_recall_log_is_for_those_who_look_after_the_vault(vault: Vault) -> None:
    vault.session("s-1").recall("ferry")
    assert vault.acting_as(actor="eve", role="auditor").recalls()
    with pytest.raises(Exception, match="auditor"):
        vault.acting_as(actor="coder").recalls()


def test_recalls_are_proven_like_every_other_row(vault: Vault) -> None:
    vault.session("s-1").recall("ferry")
    report = vault.verify()
    assert report.findings == ()


class Slow(Refusing):
    """Hold a writer up until it is let go."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.begun, self.go_on = threading.Event(), threading.Event()

    def transaction(self) -> object:
        self.begun.set()
        assert self.go_on.wait(timeout=30)
        return self._store.transaction()


def test_a_flush_waits_for_a_batch_that_is_just_being_written(vault: Vault, served: Served) -> None:
    """Else closing the vault would take the store away from under it, and the answers would be lost."""
    store = Slow(vault.ground.store)
    log = RecallLog(Ground(store, vault.ground.outside, vault.ground.tenant))
    log.later(served)
    first = threading.Thread(target=log.flush)
    first.start()
    assert store.begun.wait(timeout=30)
    second = threading.Thread(target=log.flush)
    second.start()
    second.join(timeout=0.2)
    assert second.is_alive(), "the batch is not on record yet"
    store.go_on.set()
    for each in (first, second):
        each.join(timeout=30)
    assert len(logged(vault)) == 2
