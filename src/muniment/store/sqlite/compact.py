"""How do the bytes of deleted rows leave a SQLite file?  Index, log, and a look at every byte.

Deleted content is overwritten where it lay (`secure_delete`).  What may still hold it is the
text index, which keeps terms until its parts are merged, and the write-ahead log, which
keeps old pages until it is emptied; a reader of an older state keeps it from being so.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from muniment.domain.compaction import Compaction, Sought
from muniment.domain.text_places import HOLDS_TEXT
from muniment.errors import Tampered
from muniment.store.codec import term_text
from muniment.store.queries import named_queries
from muniment.store.sqlite.connection import Place, SqliteSession
from muniment.store.sqlite.search import windows_in

CARE = named_queries(Path(__file__).parent / "care.sql")

_ROWS_AT_ONCE = 2_000
_TERMS = "terms"
_NO_TEXT = (_TERMS, "lanes")
"""Columns of what was made of texts and packed: no text can be read in them as it lies there."""

_SHELVES = ("live", "past")


def compacted(path: Path, sought: Sought, *, wait_ms: int, at: Place | None = None) -> Compaction:
    """Merge the text index, empty the write-ahead log, and look for what is sought in both files.

    Not done while a reader of an older state stays for longer than `wait_ms`, or when bytes
    of a text are still there after the file was written anew.
    """
    session = SqliteSession(str(path), at=at)
    try:
        steps = ["secure delete", "index merged"]
        _merge(session)
        if not session.emptied_log(wait_ms=wait_ms):
            return Compaction(False, tuple(steps))
        steps.append("write-ahead log emptied")
        if sought.empty:
            return Compaction(True, tuple(steps))
        if not _is_clean(session, path, sought):
            session.script("VACUUM")
            steps.append("file written anew")
            if not session.emptied_log(wait_ms=wait_ms) or not _is_clean(session, path, sought):
                return Compaction(False, tuple(steps))
        return Compaction(True, (*steps, "files searched"))
    finally:
        session.close()


def _merge(session: SqliteSession) -> None:
    session.begin(writing=True)
    try:
        for shelf in _SHELVES:
            session.answer(CARE[f"merge_{shelf}"])
        session.commit()
    finally:
        session.roll_back()


def _is_clean(session: SqliteSession, path: Path, sought: Sought) -> bool:
    """Return whether each part of a text that stands in a file stands in a row that stays, too."""
    paths = (path, path.with_name(f"{path.name}-wal"))
    left = windows_in(paths, sought.texts, rows=sought.rows)
    if not left:
        return True
    session.begin(writing=False)
    try:
        return not _unsaid(session, left)
    finally:
        session.roll_back()


def _unsaid(session: SqliteSession, windows: set[bytes]) -> set[bytes]:
    """Return those windows that no row says.

    The newest texts are asked first, since what is like an erased row was often written with
    it; then all texts, and for what is left every column.
    """
    left = windows
    for rows in (_texts(session, CARE["newest"]), _texts(session, CARE["every_row"]), _rows(session)):
        for said in rows:
            left = {window for window in left if window not in said}
            if not left:
                return left
    return left


def _tables(session: SqliteSession) -> Iterator[tuple[str, list[str]]]:
    """Yield every table but the index's own, with its columns."""
    for table, _, _ in session.answer(CARE["tables"]):
        if not str(table).startswith(("sqlite_", *_SHELVES)):
            yield str(table), [str(name) for name, _ in session.answer(CARE["columns"], table=table)]


def _texts(session: SqliteSession, statement: str) -> Iterator[bytes]:
    """Yield what the columns of texts say, many rows at once, as it is and in small letters."""
    for table, names in _tables(session):
        columns = [one for one in names if f"{table}.{one}" in HOLDS_TEXT and one not in _NO_TEXT]
        if not columns:
            continue
        said = " || char(0) || ".join(f"coalesce(\"{one}\", '')" for one in columns)
        order = "n" if "n" in names else columns[0]
        asked = (
            statement.replace("{columns}", said).replace("{table}", f'"{table}"').replace("{order}", order)
        )
        rows = iter(session.answer(asked))
        while many := list(islice(rows, _ROWS_AT_ONCE)):
            text = "\x00".join(str(row[0]) for row in many).encode("utf-8", "surrogatepass")
            # The index keeps words in small letters.
            yield text + b"\x00" + text.lower()


def _rows(session: SqliteSession) -> Iterator[bytes]:
    """Yield what every table says, its terms spelled out; the index itself is left out."""
    for (statement,) in session.answer(CARE["schema_text"]):
        yield str(statement).encode()
    for table, names in _tables(session):
        columns = ", ".join(f'"{name}"' for name in names)
        rows = session.answer(
            CARE["every_row"].replace("{columns}", columns).replace("{table}", f'"{table}"')
        )
        for row in rows:
            yield b"\x00".join(_spelled(name, value) for name, value in zip(names, row, strict=True))


def _spelled(name: str, value: object) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if not isinstance(value, bytes):
        return b""
    if name != _TERMS:
        return value
    try:
        return term_text(value).encode("utf-8", "surrogatepass")
    except Tampered:
        return value
