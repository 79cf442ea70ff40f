"""How do many rows go in at once?  Through COPY, within the same transaction and behind the same wall."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import psycopg

from muniment.store.codec import Columns, Value
from muniment.store.postgres.statements import spelled

ROWS_MIN = 64
"""From how many rows a table made for them costs less than the statements that it saves."""

_COLUMNS = re.compile(r"COPY \w+ \(([^)]*)\)")
_STATEMENTS = {name: text for name, (text, _) in spelled(Path(__file__).parent / "bulk.sql").items()}

MAY_STAGE = _STATEMENTS["may_stage"]


def _columns(statement: bytes) -> tuple[str, ...]:
    found = _COLUMNS.match(statement.decode())
    if found is None:
        raise ValueError("a statement of bulk.sql names no columns")
    return tuple(name.strip() for name in found[1].split(","))


COLUMNS = {
    name.removesuffix("_copy"): _columns(text) for name, text in _STATEMENTS.items() if name.endswith("_copy")
}
"""Which statements of queries.sql have a way in bulk, and the columns of their tables in order."""


def copied(connection: psycopg.Connection[Columns], name: str, rows: Sequence[Mapping[str, Value]]) -> None:
    """Do what the statement `name` does once for each row of values, all at once.

    The connection is within a transaction and not in pipeline mode, where COPY is not
    possible.  Raises psycopg.Error.
    """
    columns = COLUMNS[name]
    connection.execute(_STATEMENTS[f"{name}_stage"])
    with connection.cursor() as cursor, cursor.copy(_STATEMENTS[f"{name}_copy"]) as arriving:
        for row in rows:
            arriving.write_row([row[column] for column in columns])
    connection.execute(_STATEMENTS[f"{name}_keep"])
    connection.execute(_STATEMENTS[f"{name}_clear"])
