"""What does a vault of an older release look like, and what is the step that it lacks?

There is one migration so far, so the tests write the second themselves, into a directory
of their own beside a copy of the first.
"""

import re
import shutil
from pathlib import Path

import apsw

from muniment.store.sqlite.connection import SqliteSession
from muniment.store.sqlite.opened import MIGRATIONS

STAMP = "PRAGMA user_version = {number}"

SECOND = """
-- A session has a mood, and moods have a table.
ALTER TABLE session ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
CREATE TABLE mood (tenant INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (tenant, name));
CREATE INDEX session_mood ON session (tenant, mood);
INSERT INTO mood (tenant, name) SELECT DISTINCT tenant, mood FROM session;
"""


def directory_with(place: Path, *steps: str) -> Path:
    """Return a directory of migrations: the first as it is shipped, then these."""
    place.mkdir(exist_ok=True)
    for path in MIGRATIONS.glob("0001_*.sql"):
        shutil.copy(path, place / path.name)
    for number, step in enumerate(steps, start=2):
        (place / f"{number:04}_step.sql").write_text(step, encoding="utf-8")
    return place


def number_in(session: SqliteSession) -> int:
    """Return the number of the schema that a file has."""
    return int(session.pragma("user_version") or 0)


def schema_of(path: Path) -> dict[tuple[str, str], str]:
    """Return every table, index, view and trigger of a file by type and name, in one spelling."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return described(connection)
    finally:
        connection.close()


def described(connection: apsw.Connection) -> dict[tuple[str, str], str]:
    """Return what a connection's schema holds; comments and spaces do not count."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return {(type, name): f"{table}: {one_spelling(sql or '')}" for type, name, table, sql in rows}


def one_spelling(sql: str) -> str:
    """Return a statement without comments and with single spaces."""
    bare = re.sub(r"--[^\n]*", "", sql)
    return re.sub(r"\s*([(),])\s*", r"\1", " ".join(bare.split()))


def bytes_beside(path: Path) -> dict[str, bytes]:
    """Return the bytes of a file and of everything that lies beside it under its name."""
    return {each.name: each.read_bytes() for each in path.parent.glob(f"{path.name}*") if each.is_file()}
