"""Does `doctor` say of a tenant on a server whether it has outgrown what is compared one by one?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.domain.check import Check
from muniment.ports import Store
from muniment.store.postgres import near, opened
from muniment.store.postgres.connection import PostgresSession
from muniment.store.postgres.examine import examined
from tests import postgres
from tests.builders import stored
from tests.contract.builders import FIRST_HEAD, Scribe, vector

LARGE = 12


@pytest.fixture(scope="module")
def database() -> postgres.Database:
    return postgres.migrated_database()


@pytest.fixture
def store(database: postgres.Database) -> Iterator[Store]:
    made = opened.create(database.application, FIRST_HEAD, tenant=postgres.new_tenant())
    yield made
    made.close()


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "exact_vector_rows_max", LARGE)


def grown(store: Store, rows: int) -> Check:
    """Write so many turns and return what the one check says."""
    with Scribe(store).writing() as draft:
        for number in range(rows):
            draft.turn(f"common {number}", vector=vector(number % 100))
    (check,) = store.examine()
    return check


def test_a_small_tenant_is_well_and_its_rows_are_counted(store: Store, large: None) -> None:
    check = grown(store, LARGE)
    assert (check.name, check.well) == ("neighbours", True)
    assert f" {LARGE} of a sort" in check.sentence


def test_a_tenant_of_one_row_more_is_told_how_to_get_an_index(store: Store, large: None) -> None:
    check = grown(store, LARGE + 1)
    assert not check.well
    assert f"{LARGE + 1} vectors" in check.sentence
    assert "`muniment migrate`" in check.sentence


def test_memories_and_turns_are_not_added_up(store: Store, large: None) -> None:
    """A question looks through the one and the other sort by itself."""
    with Scribe(store).writing() as draft:
        for number in range(LARGE):
            draft.turn(f"common {number}")
            draft.remember(f"common {number}")
    assert [check.well for check in store.examine()] == [True]


def test_another_tenants_rows_are_not_counted(database: postgres.Database, store: Store, large: None) -> None:
    other = opened.create(database.application, FIRST_HEAD, tenant=postgres.new_tenant())
    assert not grown(other, LARGE + 1).well
    assert grown(store, 1).well
    other.close()


def test_with_the_index_even_a_large_tenant_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    database = postgres.migrated_database()
    store = opened.create(database.application, FIRST_HEAD)
    assert grown(store, LARGE + 1).well
    monkeypatch.setattr(limits, "exact_vector_rows_max", LARGE)
    assert [check.well for check in store.examine()] == [False]
    opened.migrate_database(database.owner)
    (check,) = store.examine()
    assert check.well
    assert "index of neighbours" in check.sentence
    store.close()


def test_a_server_that_is_gone_is_a_finding_and_not_an_error(tmp_path: Path) -> None:
    (check,) = examined(f"postgresql:///none?host={tmp_path}", tenant=1)
    assert (check.name, check.well) == ("server", False)
    assert "server-lost" in check.sentence
    assert str(tmp_path) not in check.sentence


def test_looking_leaves_no_connection_behind(
    database: postgres.Database, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[PostgresSession] = []
    begin = PostgresSession.begin

    def noted(self: PostgresSession, *, writing: bool) -> None:
        held.append(self)
        assert not writing
        begin(self, writing=writing)

    monkeypatch.setattr(PostgresSession, "begin", noted)
    assert store.examine()
    assert [session._connection.closed for session in held] == [True]


def test_the_doctor_of_a_vault_on_a_server_looks_at_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.migrated_database()
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    with muniment.open(database.application) as vault:
        for number in range(2):
            stored(vault.remember(f"note {number} of the heron"))
        assert {check.name for check in vault.doctor() if check.well} >= {"log", "index", "neighbours"}
        monkeypatch.setattr(limits, "exact_vector_rows_max", 1)
        assert [check.name for check in vault.doctor() if not check.well] == ["neighbours"]


def test_no_statement_of_the_index_changes_a_row() -> None:
    """They run as the migration role, which row-level security would let change more than the application."""
    words = {word for text in near.STATEMENTS.values() for word in text.decode().split()}
    assert not words & {"INSERT", "UPDATE", "DELETE", "TRUNCATE"}
    assert "CREATE" in words
