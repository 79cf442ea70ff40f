"""Are named statements read from their file, each once, and are the shipped ones whole?"""

import re
from pathlib import Path

import apsw
import pytest

from muniment.store.queries import named_queries
from muniment.store.sqlite.connection import QUERIES

FILE = """\
-- Words before the first name belong to no statement.

-- name: first
-- What it finds, in a sentence.
SELECT a
  FROM t
 WHERE a = :a;

-- name: second
-- Removes it.
DELETE FROM t;
"""


def written(place: Path, text: str) -> Path:
    path = place / "queries.sql"
    path.write_text(text, encoding="utf-8")
    return path


def test_statements_are_found_by_name_without_comment_and_semicolon(tmp_path: Path) -> None:
    found = named_queries(written(tmp_path, FILE))
    assert dict(found) == {"first": "SELECT a\n  FROM t\n WHERE a = :a", "second": "DELETE FROM t"}


def test_a_comment_within_a_statement_is_left_out(tmp_path: Path) -> None:
    text = "-- name: one\n-- Finds it.\nSELECT a\n-- by its key\n FROM t;\n"
    assert named_queries(written(tmp_path, text))["one"] == "SELECT a\n FROM t"


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"first stands twice in queries\.sql"):
        named_queries(written(tmp_path, FILE + FILE))


def test_a_file_without_names_has_no_statements(tmp_path: Path) -> None:
    assert dict(named_queries(written(tmp_path, "SELECT 1;\n"))) == {}


def test_nobody_can_change_a_statement(tmp_path: Path) -> None:
    found = named_queries(written(tmp_path, FILE))
    with pytest.raises(TypeError):
        found["first"] = "DELETE FROM t"  # type: ignore[index]  # the point of the test


def test_a_file_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    first = named_queries(path)
    path.unlink()
    assert named_queries(path) is first


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_shipped_statement_is_one_statement_with_named_values(name: str) -> None:
    text = re.sub(r"'[^']*'", "''", QUERIES[name])
    assert ";" not in text
    assert "?" not in text, "values are bound by name"
    assert apsw.complete(QUERIES[name] + ";")


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_shipped_statement_that_reads_or_changes_rows_names_the_tenant(name: str) -> None:
    """One tenant's statement never reaches another's rows; what has no tenant is listed."""
    without = {
        "index_live": "the space's token begins every term",
        "index_past": "the space's token begins every term",
        "unindex_live": "by the row's number, which no two tenants share",
        "unindex_past": "by the row's number, which no two tenants share",
        "rows_with": "the space's token begins every term",
        "empty_live": "a rebuild empties the shelf only of a file with one tenant",
        "empty_past": "a rebuild empties the shelf only of a file with one tenant",
        "tenants": "opening a file asks which tenants it holds",
        "tenant_number": "opening a file asks for a tenant by its name",
    }
    assert (":tenant" in QUERIES[name]) is (name not in without), QUERIES[name]
