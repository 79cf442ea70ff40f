"""Is the schema that is read the one that the migrations make?"""

import apsw
import pytest

from muniment.store.migrations import newest, numbered
from muniment.store.sqlite.opened import MIGRATIONS
from tests.migrations.steps import described, one_spelling

SCHEMA = MIGRATIONS.parent / "schema.sql"


def migrated() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for _, statements in numbered(MIGRATIONS):
        connection.execute(statements).fetchall()
    return connection


def written() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA.read_text(encoding="utf-8")).fetchall()
    return connection


def test_the_schema_file_and_the_migrations_make_the_same_database() -> None:
    made, read = described(migrated()), described(written())
    assert len(read) > 20
    assert set(made) == set(read), set(made) ^ set(read)
    for name, statement in read.items():
        assert made[name] == statement, name


def test_a_column_that_only_one_of_them_has_is_seen() -> None:
    changed = written()
    changed.execute("ALTER TABLE space ADD COLUMN colour TEXT")
    assert described(changed) != described(migrated())


def test_a_comment_or_a_line_break_is_no_difference() -> None:
    assert one_spelling("CREATE TABLE t ( -- of things\n  a INTEGER,\n  b TEXT )") == one_spelling(
        "CREATE TABLE t (a INTEGER, b TEXT)"
    )
    assert one_spelling("CREATE TABLE t (a INTEGER)") != one_spelling("CREATE TABLE t (a TEXT)")


@pytest.mark.parametrize("table", ["live", "past"])
def test_both_full_text_tables_are_configured_alike(table: str) -> None:
    asked = f"SELECT k, v FROM {table}_config ORDER BY k"
    made, read = migrated().execute(asked).fetchall(), written().execute(asked).fetchall()
    assert made == read
    assert ("secure-delete", 1) in made, "a deleted term would stay readable in the file"


def test_the_two_full_text_tables_differ_in_nothing_but_their_name() -> None:
    schema = described(migrated())
    live, past = schema["table", "live"], schema["table", "past"]
    assert live.replace("live", "past") == past


def test_the_shipped_migrations_are_numbered_without_a_gap() -> None:
    assert [number for number, _ in numbered(MIGRATIONS)] == list(range(1, newest(MIGRATIONS) + 1))
    assert len(list(MIGRATIONS.iterdir())) == newest(MIGRATIONS), "a file there is no numbered migration"


def test_no_table_counts_by_itself() -> None:
    """Row numbers come from the tenant's head, so that tenants can be moved and merged."""
    assert "AUTOINCREMENT" not in SCHEMA.read_text(encoding="utf-8").upper()
    assert ("table", "sqlite_sequence") not in described(migrated())


def test_no_view_and_no_trigger_does_anything_behind_the_statements() -> None:
    types = {type for type, _ in described(migrated())}
    assert types == {"table", "index"}
