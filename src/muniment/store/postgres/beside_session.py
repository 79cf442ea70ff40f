"""What does a writer say to the server that lets others write beside it?  Locks, the log's end, the disk."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from muniment import limits
from muniment.domain.changes import Claims
from muniment.errors import BrokenData, Disconnected
from muniment.store.codec import Columns, Value
from muniment.store.postgres.connection import (
    BEGIN,
    BOUNDS,
    LOCK_SPACE,
    PostgresSession,
    translating,
)
from muniment.store.postgres.statements import spelled
from muniment.store.postgres.unanswered import HARDEN, Sealing, has_landed

_STATEMENTS = {name: text for name, (text, _) in spelled(Path(__file__).parent / "beside.sql").items()}
_ENTER = """
SELECT e.number, e.same, e.slotted, (e.head).vault, (e.head).size, (e.head).frontier, (e.head).recorded,
       (e.head).next_n, (e.head).generation, (e.head).epoch, (e.head).analyser, (e.head).mac
  FROM muniment.enter(%(bounds)s::text[], %(own)s, %(door)s::integer, %(numbers)s,
                      %(claims)s::bigint[], %(space)s, %(value)s, %(slot)s, %(rows_max)s) AS e
"""
_FREE_NUMBER = "SELECT free_number(%(tenant)s, %(least)s, %(numbers)s)"
_LAST_HEAD = """
SELECT vault, size, frontier, recorded, next_n, generation, epoch, analyser, mac
  FROM last_head(%(tenant)s, %(door)s)
"""


def array_of(values: Iterable[int | str]) -> str:
    """Return numbers as the text of an array."""
    return "{" + ",".join(map(str, values)) + "}"


class Entry(NamedTuple):
    """Hold what a writer beside others read when its locks were held.

    `number` is its first row; `same` and `slotted` number the rows that state its value and fill its slot.
    """

    number: int
    same: Sequence[int]
    slotted: Sequence[int] | None
    head: Columns


class BesideSession(PostgresSession):
    """Run a writer's transactions beside others of its tenant.

    When the answer to a commit was lost, it is looked up what became of it.
    """

    _sealing: Sealing | None = None

    def begin(self, *, writing: bool) -> None:
        """Begin a transaction bound to the tenant; a writing one takes the tenant's lock at once."""
        self._sealing = None
        super().begin(writing=writing)

    def put(self, name: str, values: Sequence[Value]) -> None:
        """Run a statement that answers nothing, its values in the order of its parameters."""
        if name == "add_record":
            _, position, _, fields, entries = values
            self._sealing = Sealing(position, fields, entries)
        super().put(name, values)

    def commit(self) -> None:
        """Commit; durable when this returns."""
        with self._confirming():
            super().commit()

    @contextmanager
    def _confirming(self) -> Iterator[None]:
        """Let a commit whose answer was lost count as what it was; raises Unconfirmed when nobody can say."""
        try:
            yield
        except Disconnected:
            self.roll_back()
            if not has_landed(self._address, tenant=self._tenant, sealing=self._sealing):
                raise

    def enter(self, claims: Claims, *, keys: Sequence[int], numbers: int) -> Entry:
        """Begin a transaction beside others of the tenant, once it holds its claims and a row number.

        Its commit alone is not durable: `commit_hardened` is.
        """
        asked = {
            "bounds": array_of(BOUNDS[name] for name in ("wait", "statement", "idle")),
            "own": self._tenant,
            "door": LOCK_SPACE,
            "numbers": numbers,
            "claims": array_of(keys),
            "space": claims.space,
            "value": claims.value,
            "slot": claims.slot or None,
            "rows_max": limits.page_rows_max,
        }
        self._sealing = None
        with self._beginning():
            self._connection.execute(BEGIN[True])
            (row,) = self._connection.execute(_ENTER, asked, binary=True).fetchall()
        return Entry(row[0], row[1], row[2], row[3:])

    def free_number(self, least: int, numbers: int) -> int:
        """Return the first row number from `least` on that nobody takes who writes beside this."""
        asked = {"tenant": self._tenant, "least": least, "numbers": numbers}
        with translating():
            ((number,),) = self._connection.execute(_FREE_NUMBER, asked, binary=True).fetchall()
        return int(number)

    def last_head(self, door: int) -> Columns:
        """Hold the log's end until the transaction ends; return the head as others left it."""
        with translating():
            (row,) = self._connection.execute(
                _LAST_HEAD, {"tenant": self._tenant, "door": door}, binary=True
            ).fetchall()
        return row

    def lay_memory(self, values: Mapping[str, Value]) -> Columns:
        """Store what the log's end does not change of a new memory, and do as `last_head` does."""
        with translating():
            (row,) = self._connection.execute(_STATEMENTS["lay_memory"], values, binary=True).fetchall()
        return row

    def seal_memory(self, values: Mapping[str, Value]) -> None:
        """Store the rest of a new memory, its record and the moved head."""
        self._sealing = Sealing(values["record"], values["fields"], values["entries"])
        with translating():
            self._connection.execute(_STATEMENTS["seal_memory"], values, binary=True)

    def commit_hardened(self) -> None:
        """Commit, let the next writer in, and return when this is durable.

        Whoever waits for the log's end does not wait for the disk, and one write to the disk
        serves all who committed by then.
        """
        with self._confirming():
            with translating():
                done = self._connection.execute("COMMIT")
                self._connection.execute(HARDEN)
                self._open.close()
            if done.statusmessage != "COMMIT":
                raise BrokenData("The database did not commit.")
            self._begun = False

    def harden(self) -> None:
        """Return when everything that was committed by now is durable."""
        with self._beginning():
            self._connection.execute(HARDEN)
            self._open.close()
        self._begun = False
