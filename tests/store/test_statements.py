from pathlib import Path

import pytest

from muniment.store.postgres.statements import spelled

STATEMENTS = """
-- name: asks
SELECT n FROM version WHERE tenant = :tenant;

-- name: asks_of_a_part
WITH found AS (SELECT n FROM version)
SELECT n FROM found;

-- name: changes
UPDATE tenant_head SET size = :size
 WHERE tenant = :tenant;

-- name: changes_after_a_change
WITH moved AS (
    UPDATE tenant_head SET size = :size WHERE tenant = :tenant RETURNING size)
INSERT INTO statistic (tenant, items)
SELECT tenant, size FROM moved;

-- name: adds_and_tells
INSERT INTO model (tenant, name) VALUES (:tenant, :name) RETURNING n;
"""


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("asks", True),
        ("asks_of_a_part", True),
        ("changes", False),
        ("changes_after_a_change", False),
        ("adds_and_tells", True),
    ],
)
def test_a_statement_answers_when_its_own_part_selects_or_returns(
    tmp_path: Path, name: str, answers: bool
) -> None:
    (tmp_path / "queries.sql").write_text(STATEMENTS)
    statement, found = spelled(tmp_path / "queries.sql")[name]
    assert found is answers
    assert b":tenant" not in statement
