"""How do the bytes of deleted rows leave a SQLite file?  Index, log, and a look at every byte.

Deleted content is overwritten where it lay (`secure_delete`).  What may still hold it is the
text index, which keeps terms until its parts are merged, and the write-ahead log, which
keeps old pages until it is emptied; a reader of an older state keeps it from being so.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from muniment.domain.compaction import Compaction
from muniment.errors import Tampered
from muniment.store.codec import term_text
from muniment.store.queries import named_queries
from muniment.store.sqlite.connection import SqliteSession

CARE = named_queries(Path(__file__).parent / "care.sql")

WINDOW_BYTES = 8
"""Shortest part of an erased text that may not be left."""

# Every window of eight bytes holds one of the blocks of five that begin at each fourth byte.
_BLOCK_BYTES, _BLOCK_STEP = 5, 4
_READ_BYTES = 1 << 22
_TERMS = "terms"
_SHELVES = ("live", "past")


def compacted(path: Path, texts: Sequence[bytes], *, wait_ms: int) -> Compaction:
    """Merge the text index, empty the write-ahead log, and look for `texts` in both files.

    Not done while a reader of an older state stays for longer than `wait_ms`, or when bytes
    of a text are still there after the file was written anew.
    """
    session = SqliteSession(str(path))
    try:
        steps = ["secure delete", "index merged"]
        _merge(session)
        if not session.emptied_log(wait_ms=wait_ms):
            return Compaction(False, tuple(steps))
        steps.append("write-ahead log emptied")
        if not texts:
            return Compaction(True, tuple(steps))
        if not _is_clean(session, path, texts):
            session.script("VACUUM")
            steps.append("file written anew")
            if not session.emptied_log(wait_ms=wait_ms) or not _is_clean(session, path, texts):
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


def _is_clean(session: SqliteSession, path: Path, texts: Sequence[bytes]) -> bool:
    """Return whether each part of a text that stands in a file stands in a row that stays, too."""
    left = windows_in((path, path.with_name(f"{path.name}-wal")), texts)
    if not left:
        return True
    session.begin(writing=False)
    try:
        for row in _rows(session):
            left = {window for window in left if window not in row}
            if not left:
                return True
    finally:
        session.roll_back()
    return False


def windows_in(paths: Sequence[Path], texts: Sequence[bytes]) -> set[bytes]:
    """Return the parts of eight bytes of `texts` that stand anywhere in the files."""
    found: set[bytes] = set()
    wanted = [text for text in texts if len(text) >= WINDOW_BYTES]
    blocks = {
        (text[at : at + _BLOCK_BYTES], text, at)
        for text in wanted
        for at in range(0, len(text) - _BLOCK_BYTES + 1, _BLOCK_STEP)
    }
    for path in paths:
        for part in _parts(path):
            for block, text, at in blocks:
                _note(found, part, block, place=(text, at))
    return found


def _note(found: set[bytes], part: bytes, block: bytes, *, place: tuple[bytes, int]) -> None:
    text, at = place
    here = part.find(block)
    while here >= 0:
        for start in range(max(0, at + _BLOCK_BYTES - WINDOW_BYTES), min(at, len(text) - WINDOW_BYTES) + 1):
            window = text[start : start + WINDOW_BYTES]
            where = here - (at - start)
            if where >= 0 and part[where : where + WINDOW_BYTES] == window:
                found.add(window)
        here = part.find(block, here + 1)


def _parts(path: Path) -> Iterator[bytes]:
    """Yield a file in parts that overlap, so that nothing lies between two."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        before = b""
        while read := file.read(_READ_BYTES):
            yield before + read
            before = (before + read)[-WINDOW_BYTES:]


def _rows(session: SqliteSession) -> Iterator[bytes]:
    """Yield what every table says, its terms spelled out; the index itself is left out."""
    for (statement,) in session.answer(CARE["schema_text"]):
        yield str(statement).encode()
    for table, _, _ in session.answer(CARE["tables"]):
        if str(table).startswith(("sqlite_", *_SHELVES)):
            continue
        names = [str(name) for name, _ in session.answer(CARE["columns"], table=table)]
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
