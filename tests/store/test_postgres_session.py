"""What does a writer or reader meet when the server is busy, gone, or asked for the impossible?"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg import errors as foreign

from muniment.domain.memory import Claim
from muniment.errors import (
    BadInput,
    BadStore,
    BrokenData,
    Busy,
    Disconnected,
    FullDisk,
    MunimentError,
    ReadOnly,
)
from muniment.ports import Page, Store
from muniment.recall.eligibility import Sort
from muniment.store.postgres import connection, opened
from muniment.store.postgres.connection import PostgresSession, glue_for, match_for, translated
from tests import postgres
from tests.contract.builders import FIRST_HEAD, Scribe, lexical

END_OTHERS = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@pytest.fixture
def tenant() -> str:
    return postgres.new_tenant()


@pytest.fixture
def store(tenant: str) -> Iterator[Store]:
    made = opened.create(postgres.shared_database().application, FIRST_HEAD, tenant=tenant)
    yield made
    made.close()


@pytest.fixture
def other(store: Store, tenant: str) -> Iterator[Store]:
    """Return the same tenant as another process would hold it: with locks of its own."""
    made = opened.open_existing(postgres.shared_database().application, tenant=tenant)
    yield made
    made.close()


def end_connections() -> None:
    postgres.run(postgres.shared_database().superuser, END_OTHERS)


def test_two_processes_writing_one_tenant_take_turns_and_lose_nothing(store: Store, other: Store) -> None:
    def written(place: Store) -> None:
        for number in range(20):
            with place.transaction() as transaction:
                rows = Scribe(place).draft()
                rows.head = transaction.head()
                rows._next_n = rows.head.next_n
                rows._ids = iter([rows.head.next_n])
                rows.turn(f"common {number}")
                transaction.apply(rows.changes())

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(written, (store, other)))
    with store.snapshot() as snapshot:
        assert snapshot.head().size == 40
        assert [record.position for record in snapshot.records(Page(after=-1))] == list(range(40))
    assert len(lexical(store, "common", sort=Sort.EVIDENCE)) == 40


def test_a_writer_waits_for_another_no_longer_than_bounded(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.BOUNDS, "wait", "50")
    with store.transaction(), pytest.raises(Busy), other.transaction():
        pass
    with other.transaction():
        pass


def test_another_tenants_writer_is_not_waited_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.BOUNDS, "wait", "50")
    address = postgres.shared_database().application
    another = opened.create(address, FIRST_HEAD, tenant=postgres.new_tenant())
    with store.transaction() as first, another.transaction() as second:
        assert first.head().size == second.head().size == 0
    another.close()


def test_a_reader_keeps_its_moment_while_a_writer_commits(store: Store) -> None:
    scribe = Scribe(store)
    scribe.remember("common before")
    with store.snapshot() as snapshot:
        before = snapshot.head()
        scribe.remember("common after")
        assert snapshot.head() == before
        assert snapshot.counts()["memory"] == 1
    with store.snapshot() as snapshot:
        assert snapshot.counts()["memory"] == 2


def test_a_reader_is_not_held_up_by_a_writer(store: Store, other: Store) -> None:
    with store.transaction(), other.snapshot() as snapshot:
        assert snapshot.head() == FIRST_HEAD


def test_a_refusal_that_comes_late_through_the_pipeline_undoes_everything(store: Store) -> None:
    scribe = Scribe(store)
    taken = scribe.turn("common first")
    with pytest.raises(BrokenData), scribe.writing() as rows:
        rows.remember("common beside")
        rows.turn("common again", id=taken.id)
    with store.snapshot() as snapshot:
        assert snapshot.head().size == 1
        assert snapshot.counts()["memory"] == 0
    scribe.turn("common third")


def test_a_connection_lost_while_nobody_used_it_is_made_again_unseen(store: Store) -> None:
    scribe = Scribe(store)
    scribe.remember("common before")
    end_connections()
    scribe.remember("common after")
    end_connections()
    assert len(lexical(store, "common")) == 2


def test_a_connection_lost_in_the_midst_leaves_nothing_behind(store: Store) -> None:
    scribe = Scribe(store)
    draft = scribe.draft()
    draft.remember("common lost")
    with pytest.raises(Disconnected), store.transaction() as transaction:
        transaction.apply(draft.changes())
        end_connections()
    assert lexical(store, "common") == set()
    scribe.remember("common kept")
    assert len(lexical(store, "common")) == 1


def test_a_character_that_the_database_cannot_keep_is_the_callers_mistake(store: Store) -> None:
    scribe = Scribe(store)
    for text in ("common \x00", "common \ud800"):
        with pytest.raises(BadInput), scribe.writing() as rows:
            rows.turn(text, terms=("common",))
    with store.snapshot() as snapshot:
        assert snapshot.counts()["evidence"] == 0


def test_a_very_long_text_without_spaces_between_words_is_found(store: Store) -> None:
    """A tsvector ends at a megabyte, which 100,000 pairs of characters pass."""
    terms = tuple(chr(0x4E00 + number % 20_000) + chr(0x4E00 + number // 20_000) for number in range(100_000))
    version = Scribe(store).remember("long", terms=terms)
    assert lexical(store, terms[-1]) == {version.n}
    assert lexical(store, "longer") == set()


def test_what_a_pooler_hands_on_is_not_bound_to_the_last_tenant(store: Store, tenant: str) -> None:
    """Everything that binds ends with the transaction, as a pooler between needs it."""
    address = postgres.shared_database().application
    session = PostgresSession(address, tenant=1)
    session.begin(writing=False)
    assert session.run("head") is not None
    session.commit()
    asked = "SELECT current_setting('muniment.tenant', true), current_setting('search_path')"
    ((bound, path),) = session.answer(asked)
    assert not bound
    assert "muniment" not in path
    session.close()


def test_a_write_is_durable_when_it_is_answered_whatever_the_servers_default() -> None:
    session = PostgresSession(postgres.shared_database().application, tenant=1)
    session.begin(writing=True)
    assert session.answer("SHOW synchronous_commit") == [("on",)]
    session.roll_back()
    session.close()


def test_rolling_back_what_never_began_or_ended_long_ago_is_quiet() -> None:
    session = PostgresSession(postgres.shared_database().application, tenant=1)
    session.roll_back()
    session.begin(writing=False)
    session.roll_back()
    session.roll_back()
    session.close()
    session.roll_back()


def test_a_writer_that_was_interrupted_leaves_no_lock(store: Store, other: Store) -> None:
    with pytest.raises(KeyboardInterrupt), store.transaction() as transaction:
        transaction.head()
        raise KeyboardInterrupt
    with other.transaction():
        pass
    with store.transaction() as transaction:
        assert transaction.head() == FIRST_HEAD


def test_a_begin_that_was_interrupted_leaves_a_session_that_can_begin(
    tenant: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = PostgresSession(postgres.shared_database().application, tenant=1)
    with monkeypatch.context() as patched:
        patched.setattr(connection, "_LOCK", "SELECT 1 / 0")
        with pytest.raises(BadInput):
            session.begin(writing=True)
    session.begin(writing=True)
    assert session.answer("SELECT 1") == [(1,)]
    session.commit()
    session.close()


def test_a_statement_is_stopped_at_its_bound(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.BOUNDS, "statement", "30")
    session = PostgresSession(postgres.shared_database().application, tenant=1)
    session.begin(writing=False)
    with pytest.raises(Busy, match="too long"):
        session.answer("SELECT pg_sleep(5)")
    session.roll_back()
    session.close()


def test_one_store_serves_many_threads(store: Store) -> None:
    scribe = Scribe(store)
    scribe.remember("common one")
    gate = threading.Barrier(6)

    def read() -> int:
        gate.wait()
        return len(lexical(store, "common"))

    with ThreadPoolExecutor(6) as pool:
        counts = [each.result() for each in [pool.submit(read) for _ in range(6)]]
    assert counts == [1] * 6


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (foreign.LockNotAvailable(), Busy),
        (foreign.DeadlockDetected(), Busy),
        (foreign.QueryCanceled(), Busy),
        (foreign.ReadOnlySqlTransaction(), ReadOnly),
        (foreign.DiskFull(), FullDisk),
        (foreign.InsufficientPrivilege(), BadStore),
        (foreign.UndefinedTable(), BadStore),
        (foreign.UniqueViolation(), BrokenData),
        (foreign.UntranslatableCharacter(), BadInput),
        (foreign.AdminShutdown(), Disconnected),
        (foreign.IdleInTransactionSessionTimeout(), Disconnected),
        (foreign.TooManyConnections(), Disconnected),
        (psycopg.OperationalError(), Disconnected),
        (foreign.SyntaxError(), BrokenData),
    ],
)
def test_a_servers_error_has_one_meaning_here(error: psycopg.Error, meaning: type[MunimentError]) -> None:
    assert type(translated(error)) is meaning


def test_a_servers_own_words_are_not_passed_on() -> None:
    """They may hold the value of a row."""
    assert "secret" not in str(translated(foreign.UniqueViolation("Key (text)=(secret) exists.")))


def test_each_tenant_space_sort_and_term_has_a_mark_of_its_own() -> None:
    marks = {
        glue_for(tenant)(space, sort, term)
        for tenant in (1, 11)
        for space in (1, 11)
        for sort in Sort
        for term in ("port", "1m~port")
    }
    assert len(marks) == 16
    assert glue_for(1)(1, "m", "port key port").count(",") == 2
    assert glue_for(1)(1, "m", "") == "{}"
    assert "," not in glue_for(1)(1, "m", "no\u00a0break")


def test_a_question_with_nothing_to_ask_asks_nothing() -> None:
    assert match_for(1)((1,), "m", ()) == ""
    assert match_for(1)((), "m", ("port",)) == ""
    assert match_for(1)((1,), "m", ("port",)) == glue_for(1)(1, "m", "port")


def test_a_claims_value_with_a_placeholder_in_it_is_only_text(store: Store) -> None:
    claim = Claim("100 %s of %(tenant)s", "share", ":tenant", "'; DROP TABLE version; --")
    version = Scribe(store).remember("", claim=claim)
    with store.snapshot() as snapshot:
        assert snapshot.history(version.memory)[0].row.claim == claim
