"""Do many rows that go in through COPY end up as they would one by one, behind the same wall?"""

from collections.abc import Iterator

import pytest

from muniment.errors import BadInput, BadStore, BrokenData
from muniment.ports import Store
from muniment.recall.eligibility import Sort
from muniment.store.postgres import bulk, opened
from muniment.store.postgres.connection import PostgresSession
from tests import postgres
from tests.contract.builders import FIRST_HEAD, Scribe, asked, lanes, lexical, vector

MANY = 2 * bulk.ROWS_MIN
ARRIVING = "SELECT count(*) FROM pg_class WHERE relname LIKE 'arriving%'"


@pytest.fixture
def tenant() -> str:
    return postgres.new_tenant()


@pytest.fixture
def store(tenant: str) -> Iterator[Store]:
    made = opened.create(postgres.shared_database().application, FIRST_HEAD, tenant=tenant)
    yield made
    made.close()


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of what went through COPY, in order."""
    seen: list[str] = []
    copied = bulk.copied
    monkeypatch.setattr(
        bulk, "copied", lambda connection, name, rows: (seen.append(name), copied(connection, name, rows))
    )
    return seen


def taken(place: Store | Scribe, count: int) -> None:
    """Take in turns of every shape: with and without a session, a vector, terms, an origin."""
    with (place if isinstance(place, Scribe) else Scribe(place)).writing() as rows:
        for number in range(count):
            lanes_ = vector(number % 7 + 1, -(number % 5) - 1, -128, 127) if number % 3 else b""
            text = f"common {number} \\N \t tab, 'quote' and \u4e2d\u6587 {number % 11}"
            fields = {"sequence": number, "session": 7} if number % 2 else {"origin": bytes([number % 256])}
            rows.turn(text, terms=None if number % 4 else (), vector=lanes_, **fields)


def rows_of(tenant: str) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that a tenant's rows say, the tenant itself and link order apart."""
    number = f"(SELECT tenant FROM muniment.tenant_head WHERE name = '{tenant}')"
    address = postgres.shared_database().superuser
    found = {}
    for table in ("evidence", "vector", "live"):
        asked_for = (
            f"SELECT to_jsonb(t) - 'tenant' FROM muniment.{table} AS t WHERE tenant = {number} ORDER BY n"
        )
        found[table] = postgres.run(address, asked_for)
    # What is hashed names the tenant, so only how many terms there are can be compared.
    found["live"] = [(row[0]["n"], len(row[0]["terms"])) for row in found["live"]]
    return found


def test_many_rows_go_through_copy_and_few_do_not(store: Store, copies: list[str]) -> None:
    scribe = Scribe(store)
    with scribe.writing() as rows:
        for number in range(bulk.ROWS_MIN - 1):
            rows.turn(f"common {number}", vector=vector(1))
    assert copies == []
    taken(scribe, MANY)
    assert copies == ["add_evidence", "index_live", "add_vector"]


def test_a_batch_leaves_the_same_rows_as_one_by_one(
    store: Store, tenant: str, copies: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken(store, MANY)
    assert copies
    monkeypatch.setattr(bulk, "ROWS_MIN", MANY + 1)
    copies.clear()
    other_tenant = postgres.new_tenant()
    other = opened.create(postgres.shared_database().application, FIRST_HEAD, tenant=other_tenant)
    taken(other, MANY)
    other.close()
    assert copies == []
    mine = rows_of(tenant)
    assert len(mine["evidence"]) == MANY
    assert mine == rows_of(other_tenant)


def test_what_came_in_bulk_is_found_at_once_by_words_and_by_meaning(store: Store) -> None:
    taken(store, MANY)
    assert len(lexical(store, "common", sort=Sort.EVIDENCE)) == MANY - MANY // 4
    near = lanes(store, asked(), sort=Sort.EVIDENCE, near=vector(3, -3, -128, 127))["nearest"]
    assert sorted(near) == [1 + number for number in range(MANY) if number % 3 and number % 4]


def test_two_batches_of_one_transaction_both_go_in(store: Store, copies: list[str]) -> None:
    scribe = Scribe(store)
    first = scribe.draft()
    for number in range(MANY):
        first.turn(f"first {number}")
    with store.transaction() as transaction:
        transaction.apply(first.changes())
        second = Scribe(store).draft()
        second.head = transaction.head()
        second._next_n = second.head.next_n
        second._ids = iter(range(10_000, 20_000))
        for number in range(MANY):
            second.turn(f"second {number}")
        transaction.apply(second.changes())
    assert copies.count("add_evidence") == 2
    with store.snapshot() as snapshot:
        assert snapshot.counts()["evidence"] == 2 * MANY


def test_a_batch_that_cannot_be_kept_leaves_nothing_and_the_next_one_goes_in(store: Store) -> None:
    scribe = Scribe(store)
    with pytest.raises(BadInput), scribe.writing() as rows:
        for number in range(MANY):
            rows.turn(f"common {number}" if number != MANY - 1 else "a NUL \x00 in it")
    with store.snapshot() as snapshot:
        assert (snapshot.head().size, snapshot.counts()["evidence"]) == (0, 0)
    taken(store, MANY)
    with store.snapshot() as snapshot:
        assert snapshot.counts()["evidence"] == MANY


def test_a_row_that_is_there_already_is_refused_in_bulk_too(store: Store) -> None:
    scribe = Scribe(store)
    known = scribe.turn("common first")
    with pytest.raises(BrokenData), scribe.writing() as rows:
        for number in range(MANY):
            rows.turn(f"common {number}", **({"id": known.id} if number == 5 else {}))
    with store.snapshot() as snapshot:
        assert snapshot.counts()["evidence"] == 1


def test_rows_of_another_tenant_are_refused_in_bulk_as_one_by_one(tenant: str, store: Store) -> None:
    """COPY itself knows no policies; the statement that moves its rows does."""
    address = postgres.shared_database().application
    session = PostgresSession(address, tenant=1)
    for count in (1, MANY):
        session.begin(writing=True)
        rows = [(2**40, number, "{1}") for number in range(count)]
        with pytest.raises(BadStore):
            session.put_many("index_live", rows)
            session.commit()
        session.roll_back()
    session.close()


def test_a_role_that_may_make_no_temporary_tables_takes_batches_in_one_by_one(copies: list[str]) -> None:
    database = postgres.migrated_database()
    postgres.run(database.superuser, f"REVOKE TEMPORARY ON DATABASE {database.name} FROM PUBLIC")
    made = opened.create(database.application, FIRST_HEAD, tenant="local")
    taken(made, MANY)
    assert copies == []
    with made.snapshot() as snapshot:
        assert snapshot.counts()["evidence"] == MANY
    made.close()


def test_nothing_of_a_batch_stays_in_a_table_of_its_own(store: Store) -> None:
    taken(store, MANY)
    assert postgres.run(postgres.shared_database().superuser, ARRIVING) == [(0,)]


@pytest.mark.parametrize("name", sorted(bulk.COLUMNS))
def test_a_way_in_bulk_names_every_column_of_its_table(name: str) -> None:
    """What is not named would arrive empty, and a column may be added to the table alone."""
    table = {"add_evidence": "evidence", "index_live": "live", "add_vector": "vector"}[name]
    asked_for = f"""SELECT column_name FROM information_schema.columns
                    WHERE table_schema = 'muniment' AND table_name = '{table}'"""
    rows = postgres.run(postgres.shared_database().superuser, asked_for)
    assert set(bulk.COLUMNS[name]) == {column for (column,) in rows}
