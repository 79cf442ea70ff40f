"""What does the same durable write cost PostgreSQL itself?  The same rows and indexes, one hash, by hand.

The rows are ones that the product wrote, read before the timing.  What is timed is one
transaction of prepared statements, as a competent person would write it, and beside it the
same one sent in a single round trip, which is the least that any program can do.
"""

import hashlib
from collections.abc import Iterator

import psycopg

from bench.postgres import Server

_TABLES = ("version", "memory", "live", "statistic", "record", "tenant_head", "vector")
_COPY = "CREATE TABLE raw.{0} (LIKE muniment.{0} INCLUDING STORAGE INCLUDING INDEXES)"
# The lists and vectors are written as text, as the product sends them.
_CASTS = {"live": {"terms": "bigint[]"}, "vector": {"lanes": "halfvec"}}
_ORDERED = {"version": "n", "memory": "n", "live": "n", "record": "position", "vector": "n"}
_COUNT = """
INSERT INTO statistic (tenant, space, sort, items, words) VALUES (%s, %s, 'm', 1, 30)
    ON CONFLICT (tenant, space, sort) DO UPDATE SET items = statistic.items + 1, words = statistic.words + 30
"""
_MOVE = "UPDATE tenant_head SET size = size + 1, recorded = %s, frontier = %s WHERE tenant = %s"

Rows = dict[str, tuple[object, ...]]


class RawServer:
    """Write rows like the product's into tables and indexes like its own, and do nothing else."""

    def __init__(self, server: Server, database: str, tenant: int) -> None:
        self._tenant = tenant
        server.run(database, "CREATE SCHEMA IF NOT EXISTS raw", *(_COPY.format(table) for table in _TABLES))
        self._connection = psycopg.connect(server.address(database), autocommit=True, prepare_threshold=1)
        self._run = self._connection.execute
        self._run("INSERT INTO raw.tenant_head SELECT * FROM muniment.tenant_head")
        self._inserts = {table: self._insert(table) for table in _ORDERED}
        self._run("SET search_path = raw, public")
        self._run("SET plan_cache_mode = force_generic_plan")

    def _columns(self, table: str) -> list[str]:
        asked = """SELECT column_name FROM information_schema.columns
                    WHERE table_schema = 'muniment' AND table_name = %s ORDER BY ordinal_position"""
        return [str(name) for (name,) in self._run(asked, (table,)).fetchall()]

    def _insert(self, table: str) -> bytes:
        casts = _CASTS.get(table, {})
        values = (f"CAST(%s AS {casts[name]})" if name in casts else "%s" for name in self._columns(table))
        return f"INSERT INTO {table} VALUES ({', '.join(values)})".encode()

    def rows(self, *, vectors: bool) -> Iterator[Rows]:
        """Yield what the product wrote for each memory, in order."""
        tables = {}
        for table, order in _ORDERED.items():
            if table == "vector" and not vectors:
                continue
            casts = _CASTS.get(table, {})
            columns = (f"CAST({name} AS text)" if name in casts else name for name in self._columns(table))
            asked = f"SELECT {', '.join(columns)} FROM muniment.{table} WHERE tenant = %s ORDER BY {order}"
            tables[table] = self._run(asked.encode(), (self._tenant,)).fetchall()
        for rows in zip(*tables.values(), strict=True):
            yield dict(zip(tables, rows, strict=True))

    def write(self, rows: Rows) -> None:
        """Write the rows of one memory in one durable transaction."""
        version = rows["version"]
        digest = hashlib.sha256(str(version[-2]).encode()).digest()
        self._run("BEGIN")
        for table, row in rows.items():
            self._run(self._inserts[table], row, binary=True)
        self._run(_COUNT, (self._tenant, version[4]))
        self._run(_MOVE, (version[7], digest, self._tenant))
        self._run("COMMIT")

    def write_at_once(self, rows: Rows) -> None:
        """Do the same in one round trip."""
        with self._connection.pipeline():
            self.write(rows)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
