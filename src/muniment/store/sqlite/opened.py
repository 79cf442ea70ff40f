"""How is a vault's file made, opened and brought up to date?"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from muniment.domain.ledger import ROW_NUMBER_BITS, TenantHead
from muniment.errors import BadInput, DamagedFile, MunimentError, NotAVault, NotFound, Unreadable
from muniment.later import Later
from muniment.store.beside import Beside
from muniment.store.codec import head_columns
from muniment.store.migrations import migrate, refuse_newer
from muniment.store.sql_store import SqlStore
from muniment.store.sqlite.connection import (
    APPLICATION_ID,
    PAGE_BYTES,
    Place,
    SqliteSession,
    glued,
    matching,
    place_of,
)
from muniment.store.sqlite.examine import examined
from muniment.store.sqlite.log_file import LogSeen, log_seen
from muniment.store.sqlite.queue_file import QueueFile
from muniment.store.sqlite.reserve import Reserve

if TYPE_CHECKING:
    from muniment.store.sqlite import compact
else:
    compact = Later("muniment.store.sqlite.compact")

MIGRATIONS = Path(__file__).parent / "migrations"

KEYS = ".keys"
"""What is added for the directory of a vault's keys."""

_HEADER_BYTES = 100
_TORN_MIN = 2
_STAMP = "PRAGMA user_version = {number}"


QUEUE = ".lock"
"""What is added to a vault's name for the file of its queue of writers."""


RESERVE = ".reserve"
"""What is added for the file that is given up on a full disk."""


def beside(path: Path, ending: str) -> Path:
    """Return the path of a file that lies beside a vault's."""
    return path.with_name(path.name + ending)


def first_row_number(tenant: int) -> int:
    """Return the first row number of a tenant; tenants of one file never share numbers."""
    return (tenant << ROW_NUMBER_BITS) + 1


def create(path: Path, head: TenantHead, *, tenant: str = "local") -> SqlStore:
    """Make a vault's file, or a further tenant in it, with its first head.

    The file is made with mode 0600.  Raises BadInput when the tenant is there already.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise Unreadable(f"The vault's file cannot be made: {error.strerror}.") from error
    os.close(descriptor)
    session = _ready(path)
    try:
        session.begin(writing=True)
        if session.run("tenant_number", name=tenant):
            raise BadInput(f"The tenant {tenant} is there already.")
        number = 1 + len(session.run("tenants"))
        session.run("add_head", tenant=number, name=tenant, **head_columns(head))
        session.commit()
    finally:
        session.roll_back()
        session.close()
    # A disk too full for it is said by `doctor`, and by the first write that is refused.
    reserve_of(path).make()
    return _store(path, number)


def open_existing(path: Path, *, tenant: str = "local") -> SqlStore:
    """Open a vault's file, migrating an older one.

    Raises NewerSchema for a file of a later release and NotAVault for another file, both
    without touching it; Unreadable when there is none.
    """
    if not path.exists():
        raise Unreadable("There is no vault at this path.", advice="Make one with `muniment init`.")
    session = _ready(path)
    try:
        found = session.run("tenant_number", name=tenant)
    finally:
        session.close()
    if not found:
        raise NotFound(f"The vault holds no tenant {tenant}.")
    return _store(path, int(found[0][0] or 0))


def open_only(path: Path) -> SqlStore | None:
    """Open a vault's file by its only tenant, whatever that is called; None where it has several or none.

    For looking only: whoever altered the name must not keep the rest from being looked at.
    """
    session = _ready(path)
    try:
        found = session.run("tenants")
    finally:
        session.close()
    return _store(path, int(found[0][0] or 0)) if len(found) == 1 else None


def holds_tenants(path: Path) -> bool:
    """Say whether a vault's file holds any tenant; one whose making was interrupted holds none."""
    session = _ready(path)
    try:
        return bool(session.run("tenants"))
    finally:
        session.close()


def _ready(path: Path) -> SqliteSession:
    """Return a session on a file that is a vault of the present schema."""
    if path.stat().st_size:
        _refuse_foreign(path)
    seen = log_seen(beside(path, "-wal"))
    session = SqliteSession(str(path))
    try:
        _refuse_torn(session, path, seen)
        if not _number(session):
            session.script(f"PRAGMA application_id = {APPLICATION_ID}")
            session.use_wal()
        migrate(session, lambda: _number(session), MIGRATIONS, stamp=_STAMP)
        # A later release may have migrated the file since it was looked at.
        refuse_newer(_number(session), MIGRATIONS)
    except MunimentError:
        session.close()
        raise
    return session


def _number(session: SqliteSession) -> int:
    return int(session.pragma("user_version") or 0)


def _refuse_foreign(path: Path) -> None:
    """Look at the file without being able to change it."""
    # SQLite takes a file shorter than its header for an empty one, and writes over it.
    with _reading(path) as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES:
        raise NotAVault("The file is not a vault.")
    _refuse_short(path, header)
    try:
        _look_at(path)
    except NotAVault as error:
        # Nobody but a vault has keys beside it: then it was one, and its header is damaged.
        if beside(path, KEYS).is_dir():
            raise DamagedFile("The header of the vault's file is damaged.") from error
        raise


def _refuse_short(path: Path, header: bytes) -> None:
    """Raise DamagedFile for a file that was cut off; a log beside it may hold what is not yet in it."""
    pages = int.from_bytes(header[28:32], "big")
    is_marked = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    is_counted = is_marked and header[24:28] == header[92:96]
    log = beside(path, "-wal")
    if is_counted and path.stat().st_size < pages * PAGE_BYTES and not (log.exists() and log.stat().st_size):
        raise DamagedFile("The vault's file is shorter than its header says.")


def _refuse_torn(session: SqliteSession, path: Path, seen: LogSeen) -> None:
    """Raise DamagedFile when transactions stand in the log behind what SQLite takes for whole.

    The last one may have been cut off by a loss of power, before anybody had an answer; so
    one is no damage.  `seen` was read before: what others add meanwhile is no damage either.
    """
    if len(seen.ends) < _TORN_MIN or seen.lost(session.pages_of_log()) < _TORN_MIN:
        return
    if log_seen(beside(path, "-wal")).salts != seen.salts:
        return
    # SQLite would move what it takes for whole into the file and delete the log.
    session.leave_log()
    raise DamagedFile("The write-ahead log beside the vault is damaged.")


def _look_at(path: Path) -> None:
    """Raise NotAVault or NewerSchema for what is not a vault of this release or before."""
    session = SqliteSession(str(path), read_only=True)
    try:
        marked = session.pragma("application_id")
        if marked not in (0, APPLICATION_ID):
            raise NotAVault("The file belongs to another program.")
        refuse_newer(_number(session), MIGRATIONS)
        # A vault whose making was interrupted is marked, and has no schema yet.
        if not _number(session) and not marked and session.pragma("page_count"):
            raise NotAVault("The file is a database, but not a vault.")
    finally:
        session.close()


def _reading(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise Unreadable(f"The vault's file cannot be read: {error.strerror}.") from error


def _store(path: Path, tenant: int) -> SqlStore:
    at = place_of(str(path))
    reserve = reserve_of(path, at=at)
    return SqlStore(
        lambda: SqliteSession(str(path), at=at),
        tenant=tenant,
        glued=glued,
        matching=matching,
        beside=Beside(
            between=QueueFile(beside(path, QUEUE)),
            room=reserve,
            examine=lambda: examined(path, tenant=tenant, reserve=reserve, at=at),
            compact=lambda sought, wait_ms: compact.compacted(path, sought, wait_ms=wait_ms, at=at),
        ),
    )


def reserve_of(path: Path, *, at: Place | None = None) -> Reserve:
    """Return the reserve of a vault's file."""

    def cut_log() -> None:
        session = SqliteSession(str(path), at=at)
        session.cut_log()
        session.close()

    return Reserve(beside(path, RESERVE), cut_log=cut_log)
