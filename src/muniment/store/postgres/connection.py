"""How is one PostgreSQL database spoken to?  Connecting, binding, statements, and what errors mean."""

import hashlib
import select
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from pathlib import Path

import psycopg
from psycopg import errors as foreign
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8BinaryDumper

from muniment import limits
from muniment.errors import (
    BadInput,
    BadStore,
    BrokenData,
    Busy,
    Disconnected,
    FullDisk,
    MunimentError,
    ReadOnly,
)
from muniment.store.codec import Columns, Value
from muniment.store.postgres import bulk, near
from muniment.store.postgres.statements import spelled
from muniment.store.queries import named_queries, parameters

LOCK_SPACE = 0x4D554E49
"""First half of every advisory lock's key (`MUNI`); the second half is the tenant."""

_LANES = frozenset({"lanes", "vector"})
"""Parameters that hold a vector."""

_LANE_TEXTS = tuple(str(lane if lane < 128 else lane - 256) for lane in range(256))
"""The decimal text of each byte of a vector, which is signed."""

BEGIN = {
    # Read committed: every statement after the lock sees what the writer before left.
    True: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    False: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}

# All of it ends with the transaction, so that a pooler may hand connections on between two.
_BIND = """
SELECT set_config('muniment.tenant', %(tenant)s, true), set_config('search_path', 'muniment, public', true),
       set_config('lock_timeout', %(wait)s, true), set_config('statement_timeout', %(statement)s, true),
       set_config('idle_in_transaction_session_timeout', %(idle)s, true),
       set_config('synchronous_commit', 'on', true), set_config('jit', 'off', true),
       set_config('plan_cache_mode', 'force_generic_plan', true)
"""
BOUNDS = {
    "wait": str(limits.busy_wait_ms_max),
    "statement": str(limits.database_statement_ms_max),
    "idle": str(limits.database_idle_ms_max),
}
_UNDO = "ROLLBACK"
_LOCK = "SELECT pg_advisory_xact_lock(%(space)s::integer, %(tenant)s::integer)"

_LACKS_A_RIGHT = "The database role lacks a right."
_NO_PRESENT_SCHEMA = "The database holds no present schema."
_ADVICE = {
    _LACKS_A_RIGHT: "Connect as a member of muniment_application; to migrate, as the owner of the database.",
    _NO_PRESENT_SCHEMA: "Run `muniment migrate` as the migration role.",
}
"""What to do where the general advice of an error does not fit a server."""

_TRANSLATED: tuple[tuple[tuple[type[psycopg.Error], ...], type[MunimentError], str], ...] = (
    (
        (foreign.LockNotAvailable, foreign.DeadlockDetected, foreign.SerializationFailure),
        Busy,
        "Another writer holds the vault.",
    ),
    ((foreign.QueryCanceled,), Busy, "The database took too long over a statement."),
    ((foreign.ReadOnlySqlTransaction,), ReadOnly, "The database server takes no writes."),
    ((foreign.DiskFull,), FullDisk, "The database server's disk is full."),
    ((foreign.InsufficientPrivilege,), BadStore, _LACKS_A_RIGHT),
    ((foreign.UndefinedTable, foreign.UndefinedFunction), BadStore, _NO_PRESENT_SCHEMA),
    # A text that holds NUL, or is no UTF-8: the one thing that this store cannot keep.
    ((psycopg.DataError,), BadInput, "The database cannot keep a character of this text."),
    ((psycopg.IntegrityError,), BrokenData, "The database refused a row."),
    (
        (psycopg.OperationalError, psycopg.InterfaceError, foreign.IdleInTransactionSessionTimeout),
        Disconnected,
        "The database server cannot be reached, or ended the connection.",
    ),
)


def translated(error: psycopg.Error) -> MunimentError:
    """Return what a foreign error means here; its own words may hold a value and are left out."""
    for kinds, own, sentence in _TRANSLATED:
        if isinstance(error, kinds):
            return own(sentence, advice=_ADVICE.get(sentence, ""))
    return BrokenData("The database refused a statement.")


@contextmanager
def translating() -> Iterator[None]:
    """Turn foreign errors into ours where they enter."""
    try:
        yield
    except psycopg.Error as error:
        raise translated(error) from error
    except UnicodeEncodeError as error:
        raise BadInput("A text holds half a character, which no database keeps.") from error


_FILE = Path(__file__).parent / "queries.sql"
QUERIES = spelled(_FILE)
ORDERS = {name: parameters(text) for name, text in named_queries(_FILE).items()}
"""The names of each statement's values, in order."""


def placed(name: str, values: Sequence[Value]) -> dict[str, Value]:
    """Return values by name; the tenant stands first where it is named, and need not be given."""
    order = ORDERS[name]
    return dict(zip(order[len(order) - len(values) :], values, strict=True))


def connected(address: str) -> psycopg.Connection[Columns]:
    """Return a connection to `address`.

    Raises Disconnected when the server cannot be reached or refuses, and BadStore when
    the address is not one.
    """
    try:
        connection: psycopg.Connection[Columns] = psycopg.connect(
            address,
            autocommit=True,
            prepare_threshold=1,
            connect_timeout=limits.database_connect_seconds_max,
            # A network that swallows everything is noticed, rather than waited for.
            keepalives_idle=limits.database_connect_seconds_max,
            tcp_user_timeout=limits.database_idle_ms_max,
            client_encoding="UTF8",
            fallback_application_name="muniment",
        )
    except psycopg.ProgrammingError as error:
        advice = "Give postgresql://ROLE@HOST/DATABASE, with any special sign in it written as %XX."
        raise BadStore("The database's address cannot be understood.", advice=advice) from error
    except psycopg.OperationalError as error:
        advice = (
            "Check that the server runs, that the address names it and the database, and the role's login."
        )
        raise Disconnected(
            "The database server cannot be reached, or refuses the role.", advice=advice
        ) from error
    connection.prepared_max = 2 * len(QUERIES)
    # One width for all whole numbers: a statement is prepared once, not once a width.
    connection.adapters.register_dumper(int, Int8BinaryDumper)
    return connection


class PostgresSession:
    """Run named statements on one connection, bound to one tenant.

    Statements that answer nothing wait in the pipeline until the next one that does, so a
    write costs few round trips; their errors surface there or at the commit.  A connection
    that was lost is made again when the next transaction begins.
    """

    def __init__(self, address: str, *, tenant: int = 0) -> None:
        self._address = address
        self._tenant = tenant
        self._open = ExitStack()
        self._begun = False
        self._stages: bool | None = None
        self._neighbours = False
        self._connection = connected(address)

    def run(self, name: str, /, **values: Value) -> list[Columns]:
        """Run the statement `name` and return its rows."""
        if "among" in values and near.is_large(values) and self._has_neighbours():
            return self._walked(name, values)
        statement, answers = QUERIES[name]
        with translating():
            cursor = self._connection.execute(statement, self._bound(values), binary=True)
            return cursor.fetchall() if answers else []

    def _walked(self, name: str, values: Mapping[str, Value]) -> list[Columns]:
        """Run the statement of near.sql that is called like an exact one."""
        with translating():
            self._connection.execute(near.STATEMENTS["walking"], near.SETTINGS)
            cursor = self._connection.execute(near.STATEMENTS[name], self._bound(values), binary=True)
            self._connection.execute(near.STATEMENTS["walked"])
            return cursor.fetchall()

    def _has_neighbours(self) -> bool:
        """Return whether the index of neighbours is built; asked until it is."""
        if not self._neighbours:
            with translating():
                ((self._neighbours,),) = self._connection.execute(near.STATEMENTS["is_built"]).fetchall()
        return bool(self._neighbours)

    def put(self, name: str, values: Sequence[Value]) -> None:
        """Run a statement that answers nothing, its values in the order of its parameters."""
        self.run(name, **placed(name, values))

    def put_many(self, name: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run such a statement once for each row of values; many rows go through COPY."""
        bound = [self._bound(placed(name, row)) for row in rows]
        if len(bound) >= bulk.ROWS_MIN and name in bulk.COLUMNS and self._may_stage():
            self._copy(name, bound)
            return
        statement, _ = QUERIES[name]
        with translating(), self._connection.cursor() as cursor:
            cursor.executemany(statement, bound)

    def _copy(self, name: str, rows: Sequence[Mapping[str, Value]]) -> None:
        with translating():
            # The pipeline takes no COPY; what waits in it is done first, so the order stays.
            self._open.close()
            bulk.copied(self._connection, name, rows)
            self._open.enter_context(self._connection.pipeline())

    def _may_stage(self) -> bool:
        """Return whether this connection's role may make temporary tables; asked once."""
        if self._stages is None:
            with translating():
                ((self._stages,),) = self._connection.execute(bulk.MAY_STAGE).fetchall()
        return bool(self._stages)

    def _bound(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return the values with the tenant, and vectors in the extension's spelling."""
        bound = {"tenant": self._tenant, **values}
        for name in _LANES & values.keys():
            lanes = bound[name]
            if isinstance(lanes, bytes):
                bound[name] = f"[{','.join([_LANE_TEXTS[lane] for lane in lanes])}]"
        return bound

    def answer(self, statement: str) -> list[Columns]:
        """Run a statement that is no store's business, such as a question to the catalogue."""
        with translating():
            return self._connection.execute(statement.encode()).fetchall()

    def script(self, text: str) -> None:
        """Run a migration's statements; many at once do not go through the pipeline."""
        with translating():
            self._open.close()
            self._connection.execute(text.encode())

    def begin(self, *, writing: bool) -> None:
        """Begin a transaction bound to the tenant; a writing one takes the tenant's lock at once."""
        with self._beginning():
            self._connection.execute(BEGIN[writing])
            self._connection.execute(_BIND, {"tenant": str(self._tenant), **BOUNDS})
            if writing:
                self._connection.execute(_LOCK, {"space": LOCK_SPACE, "tenant": self._tenant}).fetchall()

    @contextmanager
    def _beginning(self) -> Iterator[None]:
        """Let a transaction begin in a pipeline of its own; what fails leaves none open."""
        self._reconnect()
        begun, self._begun = False, True
        try:
            with translating():
                self._open.enter_context(self._connection.pipeline())
                yield
            begun = True
        finally:
            if not begun:
                self.roll_back()

    def _reconnect(self) -> None:
        """Make the connection again when it was lost; nobody talks on an idle one but to end it."""
        if not self._connection.closed:
            spoken_on = select.poll()
            spoken_on.register(self._connection.fileno(), select.POLLIN)
            if not spoken_on.poll(0):
                return
            self._connection.close()
        self._connection = connected(self._address)

    def commit(self) -> None:
        """Commit; durable when this returns."""
        with translating():
            done = self._connection.execute("COMMIT")
            self._open.close()
        # A transaction that failed before answers COMMIT with a rollback and no error.
        if done.statusmessage != "COMMIT":
            raise BrokenData("The database did not commit.")
        self._begun = False

    def stamp(self) -> int:
        """Return 0: other connections commit unseen."""
        return 0

    def roll_back(self) -> None:
        """Undo the open transaction, if there is one; a lost connection has undone it."""
        if not self._begun:
            return
        self._begun = False
        with suppress(psycopg.Error):
            self._connection.execute(_UNDO)
        # Ended by itself: a pipeline that an error leaves tells the log what is known already.
        with suppress(psycopg.Error):
            self._open.close()
        # A pipeline that met an error takes no statement before it is closed.
        if self._connection.info.transaction_status is not TransactionStatus.IDLE:
            with suppress(psycopg.Error):
                self._connection.execute(_UNDO)
        # Whatever this is in the midst of, the next transaction begins on a fresh one.
        if self._connection.info.transaction_status is not TransactionStatus.IDLE:
            self._connection.close()

    def load_vectors(self) -> None:
        """Do nothing: the distance functions are the server's."""

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@lru_cache(maxsize=limits.vocabulary_cache_words_max)
def _hash(glued: str) -> int:
    """Return the 64 bits, signed, that stand for a glued term in an index."""
    digest = hashlib.blake2b(glued.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def glue_for(tenant: int) -> Callable[[int, str, str], str]:
    """Return the function that turns a term list into what a shelf stores: hashes, with repeats."""

    def glued(space: int, sort: str, terms: str) -> str:
        mark = f"{tenant}/{space}{sort}~"
        return "{" + ",".join(str(_hash(mark + term)) for term in terms.split(" ") if term) + "}"

    return glued


def match_for(tenant: int) -> Callable[[Sequence[int], str, Sequence[str]], str]:
    """Return the function that turns spaces and terms into what a shelf is asked for.

    A term is hashed, so nothing in it is syntax.  One with a space in it stands in no
    index; empty means that nothing can match.
    """

    def matching(spaces: Sequence[int], sort: str, terms: Sequence[str]) -> str:
        marks = [f"{tenant}/{space}{sort}~" for space in spaces]
        hashes = [str(_hash(mark + term)) for mark in marks for term in terms]
        return "{" + ",".join(hashes) + "}" if hashes else ""

    return matching
