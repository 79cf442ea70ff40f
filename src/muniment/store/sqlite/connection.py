"""How is one SQLite file spoken to?  Opening, settings, statements, and what errors mean."""

import errno
import importlib.util
import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import apsw

from muniment import limits
from muniment.domain.ledger import ROW_NUMBER_BITS
from muniment.errors import (
    BrokenData,
    Busy,
    DamagedFile,
    DamagedIndex,
    FullDisk,
    MunimentError,
    NotAVault,
    ReadOnly,
    Unreadable,
)
from muniment.store.codec import Columns, Value
from muniment.store.queries import named_queries

APPLICATION_ID = 0x4D554E49
"""Marks a file as a vault (`MUNI`)."""

PAGE_BYTES = 4096
"""Size of a page of a vault's file, SQLite's default."""

_NUMBER_MAX = (1 << ROW_NUMBER_BITS) - 1

QUERIES = named_queries(Path(__file__).parent / "queries.sql")

_UNKEPT = re.compile(r"[\x00-\x20!\"'()*,;<=>?\[\\\]^`{|}\x7f]")
"""ASCII characters beyond the tokenizer's own (schema.sql); the analyser makes none.

They are named one by one: a class of what is left compiles a hundred times slower.
"""

_STEPS_BETWEEN_LOOKS = 10_000
"""How many of SQLite's steps pass between two looks at the clock."""

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says when a file may not grow: no space, a quota, a limit on its size."""

_WITHOUT_INDEX = ("invalid fts5 file format", "vtable constructor failed")
"""What SQLite says when the index's own settings are gone: then it cannot even be emptied."""

_TRANSLATED: tuple[tuple[type[apsw.Error], type[MunimentError], str], ...] = (
    (apsw.BusyError, Busy, "Another writer holds the vault."),
    (apsw.LockedError, Busy, "Another writer holds the vault."),
    (apsw.FullError, FullDisk, "The disk is full."),
    (apsw.ReadOnlyError, ReadOnly, "The vault's file cannot be written."),
    (apsw.CantOpenError, Unreadable, "The vault's file cannot be opened."),
    (apsw.PermissionsError, Unreadable, "The vault's file may not be opened."),
    (apsw.AuthError, Unreadable, "The vault's file may not be opened."),
    (apsw.NotADBError, NotAVault, "The file is not a vault, or its header is damaged."),
    (apsw.CorruptError, DamagedFile, "The vault's file is damaged."),
    (apsw.IOError, BrokenData, "The vault's file could not be read or written."),
)


def translated(error: apsw.Error, *, system_error: int = 0) -> MunimentError:
    """Return what a foreign error means here; `system_error` is the number the system gave with it."""
    if isinstance(error, apsw.SQLError) and any(words in str(error) for words in _WITHOUT_INDEX):
        return DamagedFile("The text index of the vault's file cannot be opened.")
    if _is_of_the_index(error):
        return DamagedIndex("The text index is damaged; the rows are not affected.")
    if isinstance(error, apsw.IOError) and system_error in _NO_ROOM:
        return FullDisk("The disk is full, or the file may not grow any further.")
    for foreign, own, sentence in _TRANSLATED:
        if isinstance(error, foreign):
            return own(sentence)
    return BrokenData("The database refused a statement.")


def _is_of_the_index(error: apsw.Error) -> bool:
    is_virtual = getattr(error, "extendedresult", 0) == apsw.SQLITE_CORRUPT_VTAB
    return isinstance(error, apsw.CorruptError) and (is_virtual or "fts5:" in str(error))


@contextmanager
def translating() -> Iterator[None]:
    """Turn foreign errors into ours where they enter."""
    try:
        yield
    except apsw.Error as error:
        raise translated(error) from error


def _vector_extension() -> str:
    """Return the path of sqlite-vec's library, without importing its package (numpy)."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise BrokenData("The sqlite-vec package is not installed.", advice="Install muniment again.")
    return str(Path(next(iter(spec.submodule_search_locations))) / "vec0")


def _untouched(path: str) -> str:
    """Return the address at which SQLite reads a file and makes none beside it.

    A write-ahead log that is there has to be read, so then the file is no longer taken
    for one that nobody changes.
    """
    settled = "" if Path(f"{path}-wal").exists() else "&immutable=1"
    return f"file:{quote(os.path.abspath(path))}?mode=ro{settled}"


Place = tuple[int, int]
"""What tells a file from another that is called like it: device and number on it."""


def place_of(path: str) -> Place | None:
    """Return the place of a file, None when there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _refuse_moved(path: str, at: Place) -> None:
    """Raise Unreadable when what lies at a path is not the file that was there."""
    if place_of(path) != at:
        raise Unreadable(
            "The vault's file was moved, replaced or deleted.", advice="Put it back, and open it again."
        )


class SqliteSession:
    """Run named statements on one connection of one file.

    The vector functions are loaded at the first question that needs them, since most
    writing processes never do.  A further one of a store says `at` which place its file lies: where
    nothing or another file has its name, SQLite would make an empty one, and delete the write-ahead
    log beside it, which those that are open still write to.
    """

    def __init__(self, path: str, *, read_only: bool = False, at: Place | None = None) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if at is None else 0)
        if at is not None:
            _refuse_moved(path, at)
        if read_only:
            path, flags = _untouched(path), apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        with translating():
            self._connection = apsw.Connection(path, flags=flags)
            # One cursor for all: every statement is read to its end before the next, and to make
            # one for each takes as long as a short statement.
            self._execute = self._connection.cursor().execute
            self._connection.set_busy_timeout(limits.busy_wait_ms_max)
            # Else SQLite looks at the values of a LIMIT when it plans, and plans again for every other value.
            self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self._has_vectors = False
            self._tidy_at = limits.wal_checkpoint_bytes // PAGE_BYTES
            if not read_only:
                self._settle()
        self._path, self._place = path, place_of(path)

    def _settle(self) -> None:
        """Set what is not stored in the file; `secure_delete` is what keeps erasure honest."""
        for statement in (
            "PRAGMA secure_delete = ON",
            "PRAGMA synchronous = FULL",
            "PRAGMA temp_store = MEMORY",
        ):
            self._execute(statement).fetchall()
        if self._execute("PRAGMA secure_delete").fetchall() != [(1,)]:
            raise BrokenData(
                "SQLite does not overwrite deleted content.", advice="Use the apsw wheel's SQLite."
            )
        self._execute("PRAGMA cache_size = -16000").fetchall()

        self._execute(f"PRAGMA journal_size_limit = {limits.wal_bytes_max}").fetchall()
        self._connection.set_wal_hook(self._tidied)

    def _tidied(self, connection: apsw.Connection, name: str, pages: int) -> int:
        """Move what was committed from the write-ahead log into the file, now and then.

        Usually readers are let be.  Past a bound the log has to be cut short, and for that a
        checkpoint waits a moment for readers of older states; one that reads on for long
        costs no write more than that, and the next try comes after as many pages again.
        """
        if pages < self._tidy_at:
            return apsw.SQLITE_OK
        is_long = pages >= limits.wal_bytes_max // PAGE_BYTES
        step = limits.wal_checkpoint_bytes // PAGE_BYTES
        self._tidy_at = pages + step if is_long else step
        try:
            if is_long:
                connection.set_busy_timeout(limits.checkpoint_wait_ms_max)
            mode = apsw.SQLITE_CHECKPOINT_TRUNCATE if is_long else apsw.SQLITE_CHECKPOINT_PASSIVE
            if connection.wal_checkpoint(name, mode)[0] == 0:
                self._tidy_at = step
        except apsw.Error:
            # A reader holds an older state, or the disk is full: the write itself is safe in the log.
            pass
        finally:
            connection.set_busy_timeout(limits.busy_wait_ms_max)
        return apsw.SQLITE_OK

    def use_wal(self) -> None:
        """Switch the file to write-ahead logging, which lets readers and a writer work at once."""
        with translating():
            self._execute("PRAGMA journal_mode = WAL").fetchall()

    def cut_log(self) -> None:
        """Empty the write-ahead log if nobody reads an older state; waits for nobody."""
        with suppress(apsw.Error):
            self._connection.wal_checkpoint("main", apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def emptied_log(self, *, wait_ms: int) -> bool:
        """Empty the write-ahead log, waiting so long for readers of older states; say whether it is empty."""
        try:
            self._connection.set_busy_timeout(wait_ms)
            left, _ = self._connection.wal_checkpoint("main", apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            return False
        except apsw.Error as error:
            raise self._named(error) from error
        finally:
            self._connection.set_busy_timeout(limits.busy_wait_ms_max)
        return left <= 0

    def leave_log(self) -> None:
        """Leave the write-ahead log as it is when this connection, the last one, is closed."""
        with translating():
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    def pages_of_log(self) -> int:
        """Return how many pages of the write-ahead log SQLite takes for whole."""
        with translating():
            # SQLite looks at the log when it first reads; before that it knows of none.
            self._execute("PRAGMA schema_version").fetchall()
            return self._connection.wal_checkpoint("main", apsw.SQLITE_CHECKPOINT_NOOP)[0]

    def run(self, name: str, /, **values: Value) -> list[Columns]:
        """Run the statement `name` and return its rows."""
        try:
            return self._execute(QUERIES[name], values).fetchall()
        except apsw.Error as error:
            raise self._named(error) from error

    def _named(self, error: apsw.Error) -> MunimentError:
        return translated(error, system_error=self._connection.system_errno)

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise self._named(error) from error

    def put(self, name: str, values: Sequence[Value]) -> None:
        """Run a statement that answers nothing, its values in the order of its parameters."""
        try:
            self._execute(QUERIES[name], values)
        except apsw.Error as error:
            raise self._named(error) from error

    def put_many(self, name: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement that answers nothing once for each row of values, in that order."""
        with self._naming():
            self._connection.executemany(QUERIES[name], rows)

    def pragma(self, name: str) -> Value:
        """Return the one value of a pragma."""
        with translating():
            value: Value = self._connection.pragma(name)
            return value

    def script(self, text: str) -> None:
        """Run a migration's statements."""
        with self._naming():
            # Read to its end: a statement that answers would stop the script there.
            self._execute(text).fetchall()

    def answer(self, statement: str, /, **values: Value) -> list[Columns]:
        """Run one statement of the store's own and return its rows."""
        with self._naming():
            return self._execute(statement, values).fetchall()

    def answer_in_order(self, statement: str, values: Sequence[Value]) -> list[Columns]:
        """Run one statement of the store's own, its values bound by their order."""
        with self._naming():
            return self._execute(statement, tuple(values)).fetchall()

    def answer_within(self, statement: str, seconds: float) -> list[Columns] | None:
        """Run one statement for so long at most; None when it was not done by then."""
        until = time.monotonic() + seconds
        self._connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS_BETWEEN_LOOKS)
        try:
            return self.answer(statement)
        except BrokenData as error:
            if isinstance(error.__cause__, apsw.InterruptError):
                return None
            raise
        finally:
            self._connection.set_progress_handler(None)

    def begin(self, *, writing: bool) -> None:
        """Begin a transaction; a writing one takes the lock at once.

        Raises Unreadable when the file is no longer where it was opened: what is written
        into a deleted file is durable for nobody.
        """
        if writing and self._place is not None:
            _refuse_moved(self._path, self._place)
        try:
            self._execute("BEGIN IMMEDIATE" if writing else "BEGIN")
        except apsw.Error as error:
            raise self._named(error) from error

    def commit(self) -> None:
        """Commit; durable when this returns."""
        try:
            self._execute("COMMIT")
        except apsw.Error as error:
            raise self._named(error) from error

    def stamp(self) -> int:
        """Return a number that moves with every commit into the file, whoever makes it."""
        return self._connection.data_version()

    def roll_back(self) -> None:
        """Undo the open transaction, if there is one."""
        if self._connection.in_transaction:
            with translating():
                self._execute("ROLLBACK")

    def load_vectors(self) -> None:
        """Make the distance functions known to this connection."""
        if self._has_vectors:
            return
        with translating():
            self._connection.enable_load_extension(True)
            self._connection.load_extension(_vector_extension())
            self._connection.enable_load_extension(False)
        self._has_vectors = True

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def glued(space: int, sort: str, terms: str) -> str:
    """Return index text: each term of a term list with space and sort glued in front."""
    mark = _mark(space, sort)
    return mark + terms.replace(" ", " " + mark)


def matching(spaces: Sequence[int], sort: str, terms: Sequence[str]) -> str:
    """Return the full-text question for any of `terms` in any of `spaces`.

    Every term is a quoted string, so nothing in it is syntax.  A term with a character
    that the tokenizer does not keep can stand in no index, so it is left out.
    """
    kept = [term for term in terms if not _UNKEPT.search(term)]
    return " OR ".join(f'"{_mark(space, sort)}{term}"' for space in spaces for term in kept)


def _mark(space: int, sort: str) -> str:
    """Return what stands before each term of a space: short, since every term carries it.

    A space's number begins with its tenant's, which few digits say as well.
    """
    return f"{space >> ROW_NUMBER_BITS}.{space & _NUMBER_MAX}{sort}~"


def listed(values: Sequence[int] | Sequence[str]) -> str:
    """Return a list as the JSON text that statements take lists in."""
    return json.dumps(list(values), separators=(",", ":"))
