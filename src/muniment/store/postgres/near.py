"""When are the nearest rows found by an index of neighbours, and what does that take?

A small space is compared exactly.  In a large one the index proposes, and only that: every
predicate stands inside the statement, and how near a row is comes from its stored vector.
"""

from collections.abc import Mapping
from pathlib import Path

from muniment import limits
from muniment.recall.eligibility import FOREVER
from muniment.store.codec import Value
from muniment.store.postgres.statements import spelled

LANES = 256
"""Lanes of the vectors in the index: those of the embedder in the package; others are compared exactly."""

BREADTH = 400
"""How many neighbours a walk keeps at hand: twice the largest k (measured: docs/decisions/0014)."""

_ALL = -1
"""What `looked_at` is when the caller needs every row looked at, which no walk promises."""

STATEMENTS: Mapping[str, bytes] = {
    name: text for name, (text, _) in spelled(Path(__file__).parent / "near.sql").items()
}
SETTINGS = {"breadth": str(BREADTH), "entries_max": str(limits.neighbour_rows_looked_at_max)}


def is_large(values: Mapping[str, Value]) -> bool:
    """Return whether a question for the nearest rows is about so many that a walk is cheaper.

    `among` says how many rows the asked spaces hold; where nobody counted, all are compared.
    """
    among, vector = values.get("among"), values.get("vector")
    return (
        isinstance(among, int)
        and limits.exact_vector_rows_max < among < FOREVER
        and values["looked_at"] != _ALL
        and isinstance(vector, bytes)
        and len(vector) == LANES
    )
