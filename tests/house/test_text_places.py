"""Is every column and file that can hold a text known to erasure?  The registry against the schemas."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.domain.text_places import FILES, HOLDS_NONE, HOLDS_TEXT
from tests.builders import stored
from tests.house import source

DIALECTS = sorted(path.parent.name for path in (source.PACKAGE / "store").glob("*/schema.sql"))
_TABLE = re.compile(r"^CREATE TABLE (\w+) \(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(
    r"^\s+(\w+)\s+(TEXT|BLOB|BYTEA|BIGINT\[\]|\w*vec(?:tor)?\b\S*|\S*vector\S*)", re.MULTILINE
)
_INDEXED = re.compile(r"^CREATE VIRTUAL TABLE (\w+) USING fts5 \(\n\s+(\w+),", re.MULTILINE)
SHARED = frozenset({"salt"})


def columns(text: str) -> Iterator[str]:
    """Yield every column of a schema that can hold texts or bytes."""
    for table, body in _TABLE.findall(text):
        for column, _ in _COLUMN.findall(body):
            if column not in SHARED and column != "PRIMARY":
                yield f"{table}.{column}"
    for table, column in _INDEXED.findall(text):
        yield f"{table}.{column}"


def schema(dialect: str) -> str:
    return (source.PACKAGE / "store" / dialect / "schema.sql").read_text("utf-8")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_column_that_can_hold_a_text_is_registered(dialect: str) -> None:
    found = set(columns(schema(dialect)))
    assert len(found) > 60, "the columns were not found"
    missing = found - set(HOLDS_TEXT) - HOLDS_NONE
    assert not missing, f"what does an erasure do with these? {sorted(missing)}"


def test_the_registry_names_no_column_that_is_gone() -> None:
    found = {column for dialect in DIALECTS for column in columns(schema(dialect))}
    assert (set(HOLDS_TEXT) | HOLDS_NONE) - found == set()
    assert not set(HOLDS_TEXT) & HOLDS_NONE


@pytest.mark.parametrize(
    "line",
    [
        "    note TEXT NOT NULL,",
        "    note BLOB,",
        "    note BYTEA NOT NULL,",
        "    note BIGINT[] NOT NULL,",
    ],
)
def test_a_new_column_would_be_noticed(line: str) -> None:
    text = f"CREATE TABLE diary (\n    tenant INTEGER NOT NULL,\n{line}\n    n INTEGER\n);"
    assert set(columns(text)) == {"diary.note"}


def test_a_new_index_of_texts_would_be_noticed() -> None:
    text = "CREATE VIRTUAL TABLE diary USING fts5 (\n    words, content = ''\n);"
    assert set(columns(text)) == {"diary.words"}


def test_every_file_beside_a_vault_is_registered(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    seen: set[str] = set()
    with muniment.open(path) as vault:
        id = stored(vault.remember("The otter sleeps in the reeds")).id
        vault.block_files()
        vault.recall("otter")
        vault.settle()
        seen |= {one.name for one in tmp_path.iterdir()}
        vault.erase(vault.plan_erasure(id=id))
        seen |= {one.name for one in tmp_path.iterdir()}
    seen |= {one.name for one in tmp_path.iterdir()}
    assert {"vault.db", "vault.db-wal", "vault.db.keys", "vault.db.blocks"} <= seen
    endings = {name.removeprefix("vault.db") for name in seen}
    assert endings <= set(FILES), sorted(endings - set(FILES))
    assert all(FILES[ending] for ending in endings)


def test_every_registered_place_says_what_becomes_of_it() -> None:
    assert all(len(said) > 8 for said in HOLDS_TEXT.values())
    assert {"version.text", "evidence.text", "recall_log.query", "live.terms"} <= set(HOLDS_TEXT)
