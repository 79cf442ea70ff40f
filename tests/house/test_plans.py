"""No statement walks a whole tenant: the planner is held to the keys that were made for it.

Without statistics SQLite may take a short key where a longer one fits, and the write path
then grows with the vault.  The plan of every statement is asked for and read.
"""

import re

import apsw
import pytest

from muniment.store.sqlite.connection import QUERIES, _vector_extension
from muniment.store.sqlite.opened import MIGRATIONS

WALKS = {
    "spaces": "spaces are few and read whole",
    "actors": "actors are few and read whole",
    "models": "models are few and read whole",
    "add_model": "models are few and read whole",
    "jobs": "jobs are few and read whole",
    "erase_jobs_of": "jobs are few and read whole",
    "counts": "counting is what it is for",
    "empty_statistics": "a rebuild empties them",
    "tenants": "tenants are few and read whole",
    "newest_space": "newest first by number, ended by the limit",
    "tenant_number": "tenants are few and read whole",
    "nearest_memories": "all vectors of a space are compared, by (tenant, space, sort)",
    "nearest_memories_then": "all vectors of a space are compared, by (tenant, space, sort)",
    "nearest_evidence": "all vectors of a space are compared, by (tenant, space, sort)",
    "recent_memories": "newest first by row number, ended by the limit",
    "recent_memories_then": "newest first by row number, ended by the limit",
    "recent_evidence": "newest first by row number, ended by the limit",
    "turns_recent": "newest first by row number, ended by the limit",
    "sessions_before": "newest first by row number, ended by the limit",
    "statistics": "one row a space",
    "odd_heads": "verification walks everything",
    "newest_tombstone_key": "newest first by id, ended by the limit",
    "tombstone_digests": "an export carries every digest, in one pass",
    "digest_marks": "all marks of a generation are kept at hand, in one pass",
    "pair_marks": "all marks of a generation are kept at hand, in one pass",
    "sealed_sessions": "verification walks everything",
}
"""Statements that may walk, each with its reason."""

_BARE = re.compile(r"(SCAN (?!\w+ VIRTUAL TABLE|CONSTANT|\(|found|asked|tag)\w+|\(tenant=\?\)(?!.*AND))")


def _database() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.enable_load_extension(True)
    connection.load_extension(_vector_extension())
    for path in sorted(MIGRATIONS.glob("*.sql")):
        connection.execute(path.read_text(encoding="utf-8"))
    return connection


def _plan(connection: apsw.Connection, name: str) -> list[str]:
    values = {}
    for parameter in re.findall(r":(\w+)", QUERIES[name]):
        lists = (
            "spaces",
            "trusts",
            "kinds",
            "states",
            "tags",
            "ns",
            "ids",
            "memories",
            "origins",
            "digests",
            "pairs",
            "seals",
            "terms",
        )
        values[parameter] = "[]" if parameter in lists or parameter == "evidence_kinds" else 1
    values |= {"match": '"1m~x"'} if "match" in values else {}
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {QUERIES[name]}", values)]


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_no_statement_walks_a_whole_tenant(name: str) -> None:
    walking = [step for step in _plan(_database(), name) if _BARE.search(step)]
    assert not walking or name in WALKS, f"{name}: {walking}"


def test_a_statement_that_walks_is_seen() -> None:
    connection = _database()
    plan = [
        row[3] for row in connection.execute("EXPLAIN QUERY PLAN SELECT text FROM version WHERE tenant = 1")
    ]
    assert any(_BARE.search(step) for step in plan)
