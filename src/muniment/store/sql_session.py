"""What does the store class need of a database session?  The seam between dialects."""

from collections.abc import Callable, Sequence
from typing import Protocol

from muniment.store.codec import Columns, Value

Glue = Callable[[int, str, str], str]
"""Turn space, sort and a term list into the text that an index stores."""

Match = Callable[[Sequence[int], str, Sequence[str]], str]
"""Turn spaces, a sort and terms into the value that a full-text statement asks with."""


class SqlSession(Protocol):
    """Run named statements on one connection."""

    def run(self, name: str, /, **values: Value) -> list[Columns]:
        """Run the statement `name` and return its rows."""

    def put(self, name: str, values: Sequence[Value]) -> None:
        """Run a statement that answers nothing, its values in the order of its parameters."""

    def put_many(self, name: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement that answers nothing once for each row of values, in that order."""

    def begin(self, *, writing: bool) -> None:
        """Begin a transaction; a writing one takes the lock at once."""

    def commit(self) -> None:
        """Commit; durable when this returns."""

    def stamp(self) -> int:
        """Return a number that stays the same while nobody commits, this session included; 0 when unknown."""

    def roll_back(self) -> None:
        """Undo the open transaction, if there is one."""

    def load_vectors(self) -> None:
        """Make the distance functions known."""

    def close(self) -> None:
        """Close the connection."""
