"""Does a PostgreSQL database get the present schema, and does a wrong one stay untouched?"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from muniment.errors import BadInput, BadStore, Disconnected, NewerSchema, NotFound
from muniment.store.migrations import newest
from muniment.store.postgres import opened
from tests import postgres
from tests.contract.builders import FIRST_HEAD, Scribe

SCHEMA = Path(opened.__file__).parent / "schema.sql"
CATALOGUES = {
    "columns": """SELECT table_name, ordinal_position, column_name, udt_name, is_nullable, is_identity
                    FROM information_schema.columns WHERE table_schema = 'muniment'""",
    "storage": """SELECT attrelid::regclass::text, attname, attstorage::text FROM pg_attribute
                   JOIN pg_class ON pg_class.oid = attrelid
                  WHERE relnamespace = 'muniment'::regnamespace AND relkind = 'r' AND attnum > 0""",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'muniment'",
    "options": """SELECT relname, coalesce(reloptions::text, ''), relrowsecurity, relforcerowsecurity
                    FROM pg_class WHERE relnamespace = 'muniment'::regnamespace AND relkind = 'r'""",
    "policies": "SELECT tablename, policyname, cmd, qual, coalesce(with_check, '') FROM pg_policies",
    "functions": """SELECT proname, pg_get_functiondef(pg_proc.oid), coalesce(proacl::text, '') FROM pg_proc
                     WHERE pronamespace = 'muniment'::regnamespace""",
    "rights": """SELECT table_name, column_name, privilege_type FROM information_schema.column_privileges
                  WHERE grantee = 'muniment_application'""",
    "table rights": """SELECT table_name, privilege_type FROM information_schema.table_privileges
                        WHERE grantee = 'muniment_application'""",
}


def catalogue(database: postgres.Database) -> dict[str, list[tuple[object, ...]]]:
    return {name: sorted(postgres.run(database.superuser, asked)) for name, asked in CATALOGUES.items()}


def test_the_schema_file_and_the_migrations_make_the_same_database() -> None:
    migrated, written = postgres.migrated_database(), postgres.empty_database()
    postgres.run(written.owner, "SET search_path = muniment, public;" + SCHEMA.read_text(encoding="utf-8"))
    found, expected = catalogue(migrated), catalogue(written)
    for name, rows in expected.items():
        assert rows, f"nothing is compared of the {name}"
        assert found[name] == rows, name


def test_migrating_again_changes_nothing() -> None:
    database = postgres.migrated_database()
    before = catalogue(database)
    assert opened.migrate_database(database.owner) == newest(opened.MIGRATIONS)
    assert catalogue(database) == before


def test_two_that_migrate_at_once_take_turns() -> None:
    database = postgres.empty_database()
    with ThreadPoolExecutor(2) as pool:
        numbers = list(pool.map(opened.migrate_database, [database.owner] * 2))
    assert numbers == [newest(opened.MIGRATIONS)] * 2


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "0001_first.sql").write_text("CREATE SCHEMA muniment; CREATE TABLE broken (;")
    monkeypatch.setattr(opened, "MIGRATIONS", tmp_path)
    database = postgres.empty_database()
    with pytest.raises(Exception, match="refused a statement"):
        opened.migrate_database(database.owner)
    assert postgres.run(database.superuser, "SELECT to_regnamespace('muniment')") == [(None,)]


def test_a_database_without_the_schema_names_the_command_that_makes_it() -> None:
    database = postgres.empty_database()
    with pytest.raises(BadStore, match="schema 0") as caught:
        opened.open_existing(database.application)
    assert "muniment migrate" in caught.value.advice


def test_a_later_releases_schema_is_refused_by_opening_and_by_migrating() -> None:
    database = postgres.migrated_database()
    opened.create(database.application, FIRST_HEAD).close()
    opened.open_existing(database.application).close()
    postgres.run(database.superuser, "UPDATE muniment.schema_version SET number = number + 1")
    for attempt in (opened.open_existing, opened.migrate_database):
        with pytest.raises(NewerSchema):
            attempt(database.application)


def test_an_owner_who_may_not_add_the_extension_is_told_who_may() -> None:
    database = postgres.empty_database()
    postgres.run(database.superuser, "DROP EXTENSION vector")
    with pytest.raises(BadStore, match="pgvector") as caught:
        opened.migrate_database(database.owner)
    assert "administrator" in caught.value.advice


def test_a_role_without_rights_on_the_schema_is_refused() -> None:
    database = postgres.empty_database()
    opened.migrate_database(database.owner)
    postgres.run(database.superuser, "REVOKE muniment_application FROM muniment_tester")
    try:
        with pytest.raises(BadStore, match="lacks a right"):
            opened.open_existing(database.application)
    finally:
        postgres.run(database.superuser, "GRANT muniment_application TO muniment_tester")


def test_a_tenant_is_made_once_and_found_by_its_name() -> None:
    database = postgres.migrated_database()
    store = opened.create(database.application, FIRST_HEAD, tenant="acme")
    Scribe(store).remember("The key rotates on Mondays")
    store.close()
    with pytest.raises(BadInput, match="there already"):
        opened.create(database.application, FIRST_HEAD, tenant="acme")
    with pytest.raises(NotFound, match="acme-corp"):
        opened.open_existing(database.application, tenant="acme-corp")
    again = opened.open_existing(database.application, tenant="acme")
    with again.snapshot() as snapshot:
        assert snapshot.counts()["memory"] == 1
    again.close()


def test_tenants_made_at_once_get_numbers_of_their_own() -> None:
    database = postgres.migrated_database()

    def made(name: str) -> None:
        store = opened.create(database.application, FIRST_HEAD, tenant=name)
        Scribe(store).remember(name)
        store.close()

    names = [f"tenant {number}" for number in range(6)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(made, names))
    rows = postgres.run(database.superuser, "SELECT tenant, name FROM muniment.tenant_head")
    assert {name for _, name in rows} == set(names)
    assert len({tenant for tenant, _ in rows}) == len(names)


@pytest.mark.parametrize(
    "address", ["postgresql://nobody@127.0.0.1:9/none", "postgresql://x@/y?host=/nowhere"]
)
def test_a_server_that_does_not_answer_is_called_lost(address: str) -> None:
    with pytest.raises(Disconnected):
        opened.open_existing(address)


@pytest.mark.parametrize("address", ["somewhere", "postgresql://x?no_such_option=1"])
def test_an_address_that_is_none_is_the_callers_mistake(address: str) -> None:
    with pytest.raises(BadStore, match="cannot be understood"):
        opened.open_existing(address)
