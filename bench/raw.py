"""What does storing and finding cost at the least?  The reference side, on the same SQLite.

It is handed terms and vectors that were made beforehand: what is timed is storage alone,
the floor that nothing durable goes below.  Muniment's side pays for everything: checks, keys,
terms, vector, ledger.
"""

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from muniment.ports import Analyser, Embedder
from muniment.store.queries import named_queries

STATEMENTS = named_queries(Path(__file__).parent / "raw.sql")
RECIPROCAL_RANK_SHIFT = 60


@dataclass(frozen=True, slots=True)
class RawItem:
    """Hold one text with its glued terms and, where vectors are kept, its vector."""

    n: int
    space: int
    text: str
    terms: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class RawQuestion:
    """Hold a question as the engine takes it."""

    space: int
    match: str
    vector: bytes


def glued(space: int, terms: Sequence[str]) -> str:
    """Return the index text of some terms: each with its space in front."""
    return " ".join(f"{space}~{term}" for term in terms)


class Maker:
    """Make raw items and questions, with the product's own terms and vectors, before any timing."""

    def __init__(self, analyser: Analyser, embedder: Embedder) -> None:
        self._analyser = analyser
        self._embedder = embedder
        self._n = 0

    def item(self, space: int, text: str) -> RawItem:
        """Return the next item."""
        self._n += 1
        terms = glued(space, self._analyser.terms(text))
        return RawItem(self._n, space, text, terms, self._embedder.embed(text))

    def question(self, space: int, text: str) -> RawQuestion:
        """Return a question for any of its terms in one space."""
        terms = self._analyser.question(text)
        match = " OR ".join(f'"{space}~{term}"' for term in terms)
        return RawQuestion(space, match, self._embedder.embed(text))


class Raw:
    """Keep and find texts by hand in one SQLite file (WAL, synchronous FULL)."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._execute = self._connection.execute
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "temp_store = MEMORY",
            "cache_size = -16000",
        ):
            self._execute(f"PRAGMA {pragma}")
        for name in ("make_item", "make_words", "make_vector"):
            self._execute(STATEMENTS[name])
        self._connection.enable_load_extension(True)
        spec = importlib.util.find_spec("sqlite_vec")
        assert spec is not None and spec.submodule_search_locations
        self._connection.load_extension(str(Path(next(iter(spec.submodule_search_locations))) / "vec0"))

    def write(self, item: RawItem) -> None:
        """Keep one text in one durable transaction."""
        self._execute(STATEMENTS["begin"])
        digest = hashlib.sha256(item.text.encode()).digest()
        self._execute(
            STATEMENTS["add_item"], {"n": item.n, "space": item.space, "text": item.text, "hash": digest}
        )
        self._execute(STATEMENTS["add_words"], {"n": item.n, "terms": item.terms})
        if item.vector:
            self._execute(STATEMENTS["add_vector"], {"space": item.space, "n": item.n, "lanes": item.vector})
        self._execute(STATEMENTS["commit"])

    def write_batch(self, items: Sequence[RawItem]) -> None:
        """Keep many texts in one durable transaction."""
        many = self._connection.executemany
        self._execute(STATEMENTS["begin"])
        many(
            STATEMENTS["add_item"],
            [
                {
                    "n": one.n,
                    "space": one.space,
                    "text": one.text,
                    "hash": hashlib.sha256(one.text.encode()).digest(),
                }
                for one in items
            ],
        )
        many(STATEMENTS["add_words"], [{"n": one.n, "terms": one.terms} for one in items])
        vectors = [{"space": one.space, "n": one.n, "lanes": one.vector} for one in items if one.vector]
        if vectors:
            many(STATEMENTS["add_vector"], vectors)
        self._execute(STATEMENTS["commit"])

    def read(self, question: RawQuestion, *, k: int) -> list[str]:
        """Return the best `k` texts: both lanes joined by reciprocal rank, then the rows fetched."""
        scores: dict[int, float] = {}
        lanes = [self._execute(STATEMENTS["by_words"], {"match": question.match}).fetchall()]
        if question.vector:
            asked = {"space": question.space, "vector": question.vector}
            lanes.append(self._execute(STATEMENTS["by_meaning"], asked).fetchall())
        for lane in lanes:
            for place, row in enumerate(lane):
                scores[row[0]] = scores.get(row[0], 0.0) + 1.0 / (RECIPROCAL_RANK_SHIFT + place)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:k]
        rows = {n: text for n, text, _ in self._execute(STATEMENTS["items"], {"ns": json.dumps(best)})}
        return [rows[n] for n in best]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
