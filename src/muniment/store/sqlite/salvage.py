"""What can be brought over from a damaged file?  Every row that can be read, into a new one.

The damaged file and its log are copied first and only read.  In the copy a header or a
first page that is beyond reading is taken from a new vault, and a log is mended frame by
frame.  Tables are read from both ends and then between the pages that cannot be read; the
text index is not read at all, but made anew.  Rows go over as they are, with their seals:
`verify` on the new vault then says what is missing or was altered.
"""

import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import apsw

from muniment.domain.changes import HeadSeal
from muniment.domain.ledger import RowCode
from muniment.errors import BadStore, DamagedFile, MunimentError, Unreadable
from muniment.store.codec import Columns
from muniment.store.migrations import newest, numbered
from muniment.store.sql_rebuild import Terms, rebuilt
from muniment.store.sql_snapshot import SqlSnapshot
from muniment.store.sqlite.connection import APPLICATION_ID, PAGE_BYTES, SqliteSession, glued, matching
from muniment.store.sqlite.examine import CARE
from muniment.store.sqlite.log_file import mended_log

_MADE_ANEW = ("live", "past", "statistic")
"""What is made from the rows: the tables of the text index and the counts of its words."""

_HEADER_BYTES = 100
_PAGE_COUNT_AT = slice(28, 32)
_ROW_NUMBERS_END = 1 << 62
_PROBES_MAX = 200_000
_ENTRY_BYTES = 33
_TABLE_OF = {
    RowCode.VERSION: "version",
    RowCode.EVIDENCE: "evidence",
    RowCode.LINK: "link",
    RowCode.TOMBSTONE: "tombstone",
    RowCode.SESSION: "session",
    RowCode.SPACE: "space",
    RowCode.ACTOR: "actor",
    RowCode.CREDENTIAL: "credential",
    RowCode.RECALL: "recall_log",
    RowCode.MATTER: "matter",
    RowCode.STUB: "stub",
    RowCode.CERTIFICATE: "certificate",
}
_CODES = frozenset(RowCode)


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Hold how many rows of each table were kept, and how many the kept records name beyond them.

    `records_lost` counts ledger records that the head knows of and that could not be read;
    `heads_made` memories whose head was lost and made from a complete history; `indexed` is
    False when the rows could not be indexed, which `reindex` then says why.
    """

    kept: Mapping[str, int]
    lost: Mapping[str, int]
    records_lost: int
    heads_made: int = 0
    indexed: bool = True

    @property
    def whole(self) -> bool:
        """Return whether nothing is known to be lost."""
        return not self.records_lost and not any(self.lost.values())


class _Table(NamedTuple):
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    is_keyed: bool

    def said(self, template: str) -> str:
        """Return a statement of care.sql for this table; its names come from our own schema."""
        parts = {
            "{table}": self.name,
            "{columns}": ", ".join(self.columns),
            "{places}": ", ".join("?" for _ in self.columns),
            "{up}": ", ".join(self.key),
            "{down}": ", ".join(f"{one} DESC" for one in self.key),
        }
        statement = CARE[template]
        for mark, text in parts.items():
            statement = statement.replace(mark, text)
        return statement


Seal = Callable[[HeadSeal], bytes]
"""Returns the MAC of a memory's head; whoever holds the vault's key can make one."""


def salvage(path: Path, out: Path, *, terms: Terms, seal: Seal | None = None) -> Salvaged:
    """Copy what can be read of the vault at `path` into a new file `out`; touches nothing else.

    With a `seal` a lost head is made from the memory's versions, if all that the log knows
    of are there: else a version that was taken back could pass for the newest (I4).

    Raises BadStore when something is at `out`, Unreadable when `path` cannot be read, and
    DamagedFile when nothing of it can be brought over.
    """
    if out.exists():
        raise BadStore("There is something at the path of the copy already.", advice="Name a new path.")
    try:
        place = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise Unreadable(f"The copy cannot be made: {error.strerror}.") from error
    try:
        damaged, fresh = _copied(path, place / "damaged.db"), place / "fresh.db"
        version = _readied(damaged, place)
        _make(fresh, version)
        found = _brought_over(damaged, fresh, terms=terms, seal=seal)
        fresh.chmod(0o600)
        fresh.rename(out)
        return found
    finally:
        shutil.rmtree(place)


def _copied(path: Path, damaged: Path) -> Path:
    """Copy the file and what can be saved of its log."""
    log = path.with_name(f"{path.name}-wal")
    try:
        damaged.write_bytes(path.read_bytes())
        if log.exists():
            damaged.with_name(f"{damaged.name}-wal").write_bytes(mended_log(log.read_bytes()))
    except OSError as error:
        raise Unreadable(f"The vault's file cannot be read: {error.strerror}.") from error
    return damaged


def _make(path: Path, version: int) -> None:
    """Make an empty vault of a schema's number."""
    session = SqliteSession(str(path))
    session.script(f"PRAGMA application_id = {APPLICATION_ID}")
    for number, statements in numbered(_migrations())[:version]:
        session.script(statements)
        session.script(f"PRAGMA user_version = {number}")
    session.use_wal()
    session.cut_log()
    session.close()


def _migrations() -> Path:
    return Path(__file__).parent / "migrations"


def _readied(damaged: Path, place: Path) -> int:
    """Make a copy readable if it is not, and return the number of its schema.

    A vault's first page is the same in every vault of one schema, but for the count of
    pages; so a header, and if need be the whole page, can be taken from a new one.
    """
    if number := _schema_of(damaged):
        return number
    model = place / "model.db"
    _make(model, newest(_migrations()))
    content, first = bytearray(damaged.read_bytes()), model.read_bytes()[:PAGE_BYTES]
    pages = -(-len(content) // PAGE_BYTES)
    for taken in (_HEADER_BYTES, PAGE_BYTES):
        content[:taken] = first[:taken]
        content[_PAGE_COUNT_AT] = pages.to_bytes(4, "big")
        damaged.write_bytes(content)
        if number := _schema_of(damaged):
            return number
    raise DamagedFile("Nothing of the file can be read.", advice="Restore the vault from an export.")


def _schema_of(damaged: Path) -> int:
    """Return the number of the schema of a file that lists the tables of a vault, else 0."""
    try:
        connection = _reader(damaged)
        try:
            names = {str(name) for name, *_ in connection.execute(CARE["tables"])}
            number = int(connection.pragma("user_version"))
            connection.execute(CARE["sizes"]).fetchall()
        finally:
            connection.close()
    except apsw.Error:
        return 0
    is_known = 0 < number <= newest(_migrations())
    return number if is_known and {"version", "record"} <= names else 0


def _reader(damaged: Path) -> apsw.Connection:
    connection = apsw.Connection(str(damaged))
    # One bad cell must not keep the good ones of its page from us.
    connection.pragma("cell_size_check", False)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    return connection


def _brought_over(damaged: Path, fresh: Path, *, terms: Terms, seal: Seal | None) -> Salvaged:
    source, target = _reader(damaged), SqliteSession(str(fresh))
    try:
        target.begin(writing=True)
        for table in _tables(target):
            for row in _rows(source, table):
                target.answer_in_order(table.said("put"), row)
        found = _counted(target)
        if seal is not None and not found.records_lost:
            found = replace(found, heads_made=_heads_made(target, seal))
        target.commit()
        return replace(found, indexed=_indexed(target, terms))
    finally:
        target.roll_back()
        target.cut_log()
        target.close()
        source.close()


def _indexed(target: SqliteSession, terms: Terms) -> bool:
    target.begin(writing=True)
    try:
        for tenant, _ in target.answer(CARE["sizes"]):
            rebuilt(target, tenant=int(tenant or 0), glued=glued, terms=terms)
        target.commit()
    except (ValueError, TypeError, zlib.error, MunimentError):
        # A row that came over altered cannot be indexed; it is for `verify` to name it.
        return False
    finally:
        target.roll_back()
    return True


def _heads_made(target: SqliteSession, seal: Seal) -> int:
    made = 0
    ever = Counter(id for code, id in _entries(target) if code == RowCode.VERSION)
    for tenant, memory, number, count, n in target.answer(CARE["headless"]):
        packed = memory if isinstance(memory, bytes) else b""
        if not (number == count == ever[packed[1:]]):
            continue
        snapshot = SqlSnapshot(target, tenant=int(tenant or 0), glued=glued, matching=matching)
        for sealed in snapshot.versions_at((int(n or 0),)):
            row = sealed.row
            mac = seal(HeadSeal(row.memory, row.number, row.n, row.trust, b""))
            target.answer(CARE["put_head"], n=n, mac=mac)
            made += 1
    return made


def _entries(target: SqliteSession) -> Iterator[tuple[int, bytes]]:
    """Yield sort and id of every row that a kept record names."""
    for (entries,) in target.answer(CARE["committed"]):
        packed = entries if isinstance(entries, bytes) else b""
        for at in range(0, len(packed) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
            yield packed[at], packed[at + 1 : at + 17]


def _tables(target: SqliteSession) -> Iterator[_Table]:
    for name, sort, is_keyed in target.answer(CARE["tables"]):
        if sort != "table" or str(name).startswith("sqlite_") or name in _MADE_ANEW:
            continue
        columns = target.answer(CARE["columns"], table=name)
        key = sorted((int(place or 0), str(column)) for column, place in columns if place)
        yield _Table(
            str(name),
            tuple(str(column) for column, _ in columns),
            tuple(column for _, column in key),
            bool(is_keyed),
        )


def _rows(source: apsw.Connection, table: _Table) -> Iterator[Columns]:
    """Yield every row of a table that can be read; one may come twice."""
    if table.is_keyed:
        if not (yield from _until_damage(source, table.said("keyed_up"), {}, seen=_nothing)):
            yield from _until_damage(source, table.said("keyed_down"), {}, seen=_nothing)
        return
    gaps = [(-1, _ROW_NUMBERS_END)]
    probes = 0
    while gaps and probes < _PROBES_MAX:
        low, high = gaps.pop()
        probes += 1
        edge = [low, high]
        bounds = {"low": low + 1, "high": high}
        if (yield from _until_damage(source, table.said("rows_up"), bounds, seen=_moving(edge, 0))):
            continue
        bounds = {"low": edge[0] + 1, "high": high}
        if (yield from _until_damage(source, table.said("rows_down"), bounds, seen=_moving(edge, 1))):
            continue
        # Neither end leads on: what lies between two bad pages is looked for from the middle.
        # A gap of two has one number in it, which was asked for from both ends.
        middle = (edge[0] + edge[1]) // 2
        if edge[1] - edge[0] > 2:
            gaps += [(edge[0], middle + 1), (middle, edge[1])]


def _nothing(_number: int) -> None:
    """Note nothing."""


def _moving(edge: list[int], side: int) -> Callable[[int], None]:
    def seen(number: int) -> None:
        edge[side] = number

    return seen


def _until_damage(
    source: apsw.Connection, statement: str, bounds: Mapping[str, int], *, seen: Callable[[int], None]
) -> Generator[Columns, None, bool]:
    """Yield rows up to the first that cannot be read; return whether it came to the end."""
    try:
        for number, *row in source.execute(statement, dict(bounds)):
            seen(number)
            yield tuple(row)
    except apsw.Error:
        return False
    return True


def _counted(target: SqliteSession) -> Salvaged:
    kept = {table.name: int(target.answer(table.said("count"))[0][0] or 0) for table in _tables(target)}
    named = Counter(_TABLE_OF[RowCode(code)] for code, _ in _entries(target) if code in _CODES)
    # What an erasure took is no loss.
    named.subtract({_TABLE_OF[RowCode(code)]: count for code, count in target.answer(CARE["erased"])})
    records = sum(int(size or 0) for _, size in target.answer(CARE["sizes"]))
    return Salvaged(
        kept=kept,
        lost={name: max(0, named[name] - kept.get(name, 0)) for name in sorted(_TABLE_OF.values())},
        records_lost=max(0, records - kept["record"]),
    )
