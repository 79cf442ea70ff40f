"""Does the database itself keep tenants apart, and sealed rows as they are?"""

from collections.abc import Iterator

import psycopg
import pytest

from muniment.domain.ledger import Seal, TenantHead
from muniment.errors import BadStore
from muniment.ports import Store
from muniment.recall.eligibility import Sort
from muniment.store.postgres import opened
from muniment.store.postgres.connection import match_for
from tests import postgres
from tests.contract.builders import FIRST_HEAD, Scribe, lexical, vector

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'muniment' ORDER BY 1"


@pytest.fixture(scope="module")
def database() -> postgres.Database:
    return postgres.migrated_database()


@pytest.fixture(scope="module")
def tenants(database: postgres.Database) -> Iterator[tuple[Store, Store]]:
    """Return two tenants whose rows, numbers and spaces are alike."""
    stores = tuple(opened.create(database.application, FIRST_HEAD, tenant=name) for name in ("one", "two"))
    for name, store in zip(("one", "two"), stores, strict=True):
        scribe = Scribe(store)
        old = scribe.remember(f"common {name}", vector=vector(1, 2))
        scribe.follow(old, f"common again {name}", vector=vector(1, 2))
        scribe.turn(f"common turn of {name}")
        with scribe.writing() as rows:
            space, actor, session = rows.space(f"acme/{name}"), rows.actor(name), rows.session(name)
            assert space and actor and session
            rows.credential(f"key-{name}")
            rows.stub(rows.link(old.memory, old.memory), Seal(b"", 0, 0))
            rows.certificate()
            rows.tombstone(old.memory, f"common {name}")
            rows.recall(f"common {name}?")
            rows.matter()
            rows.job("embed", due=0)
    yield stores
    for store in stores:
        store.close()


def bound(address: str, tenant: object) -> psycopg.Connection[tuple[object, ...]]:
    connection = psycopg.connect(address, autocommit=True)
    connection.execute("SET search_path = muniment, public")
    if tenant is not None:
        connection.execute("SELECT set_config('muniment.tenant', %s, false)", [str(tenant)])
    return connection


def seen(address: str, tenant: object) -> dict[str, set[object]]:
    """Return whose rows a session that asks for everything sees, by table."""
    with bound(address, tenant) as connection:
        tables = [name for (name,) in connection.execute(TABLES).fetchall()]
        return {
            name: {row[0] for row in connection.execute(f"SELECT tenant FROM {name}").fetchall()}
            for name in tables
            if name != "schema_version"
        }


def test_a_session_sees_its_own_tenant_whatever_it_asks_for(
    database: postgres.Database, tenants: tuple[Store, Store]
) -> None:
    assert set().union(*seen(database.superuser, None).values()) == {1, 2}
    for tenant in (1, 2):
        whose = seen(database.application, tenant)
        assert len(whose) > 15
        assert {name: found for name, found in whose.items() if found != {tenant}} == {}


def test_an_unbound_session_sees_nothing(database: postgres.Database, tenants: tuple[Store, Store]) -> None:
    assert set().union(*seen(database.application, None).values()) == set()


def test_a_session_bound_to_no_tenant_sees_the_heads_alone(
    database: postgres.Database, tenants: tuple[Store, Store]
) -> None:
    whose = seen(database.application, 0)
    assert whose.pop("tenant_head") == {1, 2}
    assert set().union(*whose.values()) == set()


def test_the_owner_is_kept_out_of_rows_too(database: postgres.Database, tenants: tuple[Store, Store]) -> None:
    whose = seen(database.owner, None)
    assert {name for name, found in whose.items() if found} == {"live", "past", "statistic"}


def test_a_row_for_another_tenant_cannot_be_written(
    database: postgres.Database, tenants: tuple[Store, Store]
) -> None:
    insert = "INSERT INTO job VALUES (%s, 999, 'embed', 0, 0, 0, 0, 0, '')"
    with bound(database.application, 1) as connection:
        connection.execute(insert, [1])
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            connection.execute(insert, [2])


def test_the_shelves_answer_only_for_the_bound_tenant(
    database: postgres.Database, tenants: tuple[Store, Store]
) -> None:
    """The functions run as the owner; the wall has to stand inside them."""
    of_two = match_for(2)((1,), Sort.MEMORY, ("common",))
    asked = [
        "SELECT count(*) FROM found_on_live(CAST(%s AS bigint[]))",
        "SELECT count(*) FROM found_on_past(CAST(%s AS bigint[]))",
        "SELECT sum(found) FROM rows_on_live(CAST(%s AS bigint[]))",
    ]
    for statement in asked:
        for tenant, count in ((2, 1), (1, 0), (0, 0)):
            with bound(database.application, tenant) as connection:
                assert connection.execute(statement, [of_two]).fetchall() == [(count,)], (statement, tenant)


def test_tenants_with_the_same_numbers_never_meet(tenants: tuple[Store, Store]) -> None:
    one, two = tenants
    assert lexical(one, "one") and not lexical(one, "two")
    assert lexical(two, "two") and not lexical(two, "one")
    assert len(lexical(one, "common")) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE version SET text = 'other'",
        "UPDATE evidence SET text = 'other'",
        "UPDATE record SET head = ''",
        "UPDATE session SET name = 'other'",
        "UPDATE tombstone SET lifted = 1",
        "DELETE FROM stub",
        "DELETE FROM tombstone_digest",
        "DELETE FROM record",
        "DELETE FROM certificate",
        "DELETE FROM tenant_head",
        "TRUNCATE job",
        "DROP TABLE job",
        "ALTER TABLE job DISABLE ROW LEVEL SECURITY",
        "UPDATE schema_version SET number = 0",
    ],
)
def test_the_application_may_not_change_what_is_sealed(
    database: postgres.Database, tenants: tuple[Store, Store], statement: str
) -> None:
    with (
        bound(database.application, 1) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)


@pytest.mark.parametrize("role", ["postgres", "muniment_owner", "bypasser", "owners_friend"])
def test_a_role_that_the_wall_does_not_bind_is_refused(
    database: postgres.Database, tenants: tuple[Store, Store], role: str
) -> None:
    postgres.run(
        database.superuser,
        "DROP ROLE IF EXISTS bypasser, owners_friend",
        "CREATE ROLE bypasser LOGIN BYPASSRLS IN ROLE muniment_application",
        "CREATE ROLE owners_friend LOGIN IN ROLE muniment_application, muniment_owner",
    )
    address = database.application.replace("muniment_tester", role)
    with pytest.raises(BadStore, match="The database role") as caught:
        opened.open_existing(address, tenant="one")
    assert "muniment_application" in caught.value.advice
    opened.open_existing(database.application, tenant="one").close()


def test_a_development_server_may_be_opened_by_any_role(
    database: postgres.Database, tenants: tuple[Store, Store]
) -> None:
    store = opened.open_existing(database.superuser, tenant="one", any_role=True)
    with store.snapshot() as snapshot:
        head: TenantHead = snapshot.head()
    assert head.size > 0
    store.close()
