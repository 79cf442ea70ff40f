"""What would a hand-written program do on PostgreSQL?  The statements of raw_postgres.sql alone."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import psycopg

from bench.raw import RECIPROCAL_RANK_SHIFT, RawItem, RawQuestion, glued
from muniment.ports import Analyser, Embedder
from muniment.store.queries import named_queries

_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")
STATEMENTS = {
    name: _PARAMETER.sub(r"%(\1)s", text)
    for name, text in named_queries(Path(__file__).parent / "raw_postgres.sql").items()
}
SAME_ROWS = ("evidence", "live", "vector")
"""The tables of a bulk intake: its rows, their terms, their vectors."""


def quoted(term: str) -> str:
    """Return a glued term as the text form of a tsvector or tsquery takes it."""
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def vector_text(lanes: bytes) -> str:
    """Return signed bytes as the text form of a vector."""
    return f"[{','.join(map(str, memoryview(lanes).cast('b')))}]"


class PostgresMaker:
    """Make raw items and questions, with the product's own terms and vectors, before any timing."""

    def __init__(self, analyser: Analyser, embedder: Embedder) -> None:
        self._analyser = analyser
        self._embedder = embedder
        self._n = 0

    def item(self, space: int, text: str) -> RawItem:
        """Return the next item; its terms with their places."""
        self._n += 1
        terms = glued(space, self._analyser.terms(text)).split()
        placed = " ".join(f"{quoted(term)}:{place}" for place, term in enumerate(terms, 1))
        return RawItem(self._n, space, text, placed, self._embedder.embed(text))

    def question(self, space: int, text: str) -> RawQuestion:
        """Return a question for any of its terms in one space."""
        match = " | ".join(quoted(f"{space}~{term}") for term in self._analyser.question(text))
        return RawQuestion(space, match, self._embedder.embed(text))


class RawPostgres:
    """Keep and find texts by hand in one PostgreSQL database, through one connection."""

    def __init__(self, address: str) -> None:
        self._connection = psycopg.connect(address, autocommit=True, prepare_threshold=1)
        for name in ("make_item", "make_words", "index_words", "make_vector"):
            self._connection.execute(STATEMENTS[name].encode())

    def write(self, items: Sequence[RawItem]) -> None:
        """Keep texts in one durable transaction."""
        rows = [(one.n, one.space, one.text, hashlib.sha256(one.text.encode()).digest()) for one in items]
        with self._connection.transaction():
            self._copy("copy_items", rows)
            self._copy("copy_words", [(one.n, one.terms) for one in items])
            self._copy("copy_vectors", [(one.space, one.n, vector_text(one.vector)) for one in items])

    def _copy(self, name: str, rows: Sequence[tuple[object, ...]]) -> None:
        with self._connection.cursor() as cursor, cursor.copy(STATEMENTS[name].encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def settle(self) -> None:
        """Let the planner know what is there."""
        self._connection.execute(STATEMENTS["settle"].encode())

    def read(self, question: RawQuestion, *, k: int) -> list[str]:
        """Return the best `k` texts: both lanes joined by reciprocal rank, then the rows fetched."""
        run = self._connection.execute
        scores: dict[int, float] = {}
        asked = {"space": question.space, "vector": vector_text(question.vector)}
        lanes = (
            run(STATEMENTS["by_words"].encode(), {"match": question.match}).fetchall(),
            run(STATEMENTS["by_meaning"].encode(), asked).fetchall(),
        )
        for lane in lanes:
            for place, (n,) in enumerate(lane):
                scores[n] = scores.get(n, 0.0) + 1.0 / (RECIPROCAL_RANK_SHIFT + place)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:k]
        rows = {n: text for n, text, _ in run(STATEMENTS["items"].encode(), {"ns": best})}
        return [rows[n] for n in best]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class SameRows:
    """Copy the rows that a vault took in into another database with the same tables and indexes."""

    def __init__(self, source: str, target: str) -> None:
        self._source = psycopg.connect(source, autocommit=True)
        self._target = psycopg.connect(target, autocommit=True)
        self._after = 0

    def fetched(self) -> dict[str, bytes]:
        """Return what came since the last call, in PostgreSQL's own format; not timed."""
        found = {}
        for table in SAME_ROWS:
            out = STATEMENTS[f"out_{table}"].encode()
            with self._source.cursor() as cursor, cursor.copy(out, {"after": self._after}) as copy:
                found[table] = b"".join(bytes(part) for part in copy)
        newest = self._source.execute(b"SELECT coalesce(max(n), 0) FROM muniment.evidence").fetchone()
        assert newest is not None
        self._after = newest[0]
        return found

    def copy(self, rows: dict[str, bytes]) -> None:
        """Copy them in one durable transaction."""
        with self._target.transaction():
            for table in SAME_ROWS:
                into = STATEMENTS[f"in_{table}"].encode()
                with self._target.cursor() as cursor, cursor.copy(into) as copy:
                    copy.write(rows[table])

    def count(self) -> int:
        """Return how many rows of evidence the other database holds."""
        found = self._target.execute(b"SELECT count(*) FROM muniment.evidence").fetchone()
        assert found is not None
        return int(found[0])

    def close(self) -> None:
        """Close both connections."""
        self._source.close()
        self._target.close()
