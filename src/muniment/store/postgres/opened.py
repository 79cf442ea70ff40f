"""How is a tenant of a PostgreSQL database made, opened, kept and brought up to date?"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from muniment import limits
from muniment.domain.changes import Claims
from muniment.domain.ledger import TenantHead
from muniment.errors import BadInput, BadStore, BrokenData, Busy, NotFound
from muniment.store.beside import Beside
from muniment.store.codec import head_columns
from muniment.store.migrations import migrate, newest, refuse_newer
from muniment.store.postgres import compact, near
from muniment.store.postgres.beside_session import BesideSession
from muniment.store.postgres.connection import PostgresSession, glue_for, match_for
from muniment.store.postgres.examine import examined
from muniment.store.postgres.parallel import BesideTransaction
from muniment.store.sql_store import SqlStore
from muniment.store.sql_transaction import SqlTransaction

MIGRATIONS = Path(__file__).parent / "migrations"

_STAMP = """
INSERT INTO schema_version (tenant, number) VALUES (0, {number})
    ON CONFLICT (tenant) DO UPDATE SET number = excluded.number
"""
_SCHEMA_IS_THERE = "SELECT to_regclass('muniment.schema_version') IS NOT NULL"
_VERSION = "SELECT number FROM muniment.schema_version"
_EXTENSION_IS_THERE = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')"
_ADD_EXTENSION = "CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public"
# Held by the session, not by one transaction: each migration is a transaction of its own.
_ONE_AT_A_TIME = "SELECT set_config('lock_timeout', '30000', false), pg_advisory_lock(1297436233, -1)"
_ROLE = """
SELECT rolsuper, rolbypassrls,
       pg_has_role(current_user, (SELECT relowner FROM pg_class
                                   WHERE oid = to_regclass('muniment.tenant_head')), 'MEMBER')
  FROM pg_roles WHERE rolname = current_user
"""
_ROLE_ADVICE = (
    "Connect as a role that is granted muniment_application and nothing more; "
    "for development alone, set MUNIMENT_DATABASE_ROLE=any."
)


class PostgresStore(SqlStore):
    """Keep one tenant's rows in a database that lets several write at once."""

    beside = BesideTransaction

    def __init__(self, address: str, tenant: int) -> None:
        self._address = address
        super().__init__(
            self._session,
            tenant=tenant,
            glued=glue_for(tenant),
            matching=match_for(tenant),
            beside=Beside(
                examine=lambda: examined(address, tenant=tenant),
                compact=lambda _sought, _wait_ms: compact.compacted(address),
            ),
        )
        self._seats = threading.Semaphore(limits.writers_of_process_max)
        self._writers: list[BesideSession] = []

    def _session(self) -> BesideSession:
        return BesideSession(self._address, tenant=self._tenant)

    @contextmanager
    def transaction(self, claims: Claims | None = None) -> Iterator[SqlTransaction]:
        """Open the tenant for writing; waits a bounded time, then raises Busy.

        With `claims` others write beside it, unless its model was never met: that is written once.
        """
        if claims is None or (claims.model and claims.model not in self._models):
            with super().transaction() as alone:
                yield alone
            return
        with self._seat() as session:
            transaction = self.beside(
                session,
                tenant=self._tenant,
                glued=self._glued,
                matching=self._matching,
                models=self._models,
            )
            try:
                transaction.begin(session, claims)
                yield transaction
                session.commit_hardened()
            finally:
                session.roll_back()

    @contextmanager
    def _seat(self) -> Iterator[BesideSession]:
        """Yield a connection of those that write beside each other."""
        if not self._seats.acquire(timeout=limits.busy_wait_ms_max / 1000):
            raise Busy("Other threads hold the vault.")
        try:
            with self._pool:
                if self._closed:
                    raise BrokenData("The vault is closed.", advice="Open it again.")
                session = self._writers.pop() if self._writers else None
            session = session or self._session()
            try:
                yield session
            finally:
                with self._pool:
                    is_kept = not self._closed
                    if is_kept:
                        self._writers.append(session)
                if not is_kept:
                    session.close()
        finally:
            self._seats.release()

    def harden(self) -> None:
        """Return when everything that can be read by now is durable."""
        with self._seat() as session:
            session.harden()

    def close(self) -> None:
        """Let go of every connection."""
        super().close()
        with self._pool:
            for session in self._writers:
                session.close()
            self._writers.clear()


def create(address: str, head: TenantHead, *, tenant: str = "local", any_role: bool = False) -> PostgresStore:
    """Make a tenant in a database that has the schema, with its first head.

    Raises BadInput when the tenant is there already, and what `open_existing` raises.
    """
    with _session(address) as session:
        _check(session, any_role=any_role)
        session.begin(writing=True)
        taken = session.run("tenants")
        if tenant in {name for _, name in taken}:
            raise BadInput(f"The tenant {tenant} is there already.")
        number = 1 + max((number for number, _ in taken), default=0)
        session.run("add_head", tenant=number, name=tenant, **head_columns(head))
        session.commit()
    return PostgresStore(address, number)


def open_existing(address: str, *, tenant: str = "local", any_role: bool = False) -> PostgresStore:
    """Open a tenant of a database.

    Raises NotFound when there is no such tenant, BadStore when the schema is absent or
    older or the role may do too much, NewerSchema for the schema of a later release and
    Disconnected when the server cannot be reached; nothing is changed.
    """
    with _session(address) as session:
        _check(session, any_role=any_role)
        session.begin(writing=False)
        found = session.run("tenant_number", name=tenant)
    if not found:
        raise NotFound(f"The database holds no tenant {tenant}.")
    return PostgresStore(address, found[0][0])


def migrate_database(address: str) -> int:
    """Bring a database's schema up to date, as the migration role; return its number.

    The index of neighbours is built when a tenant has grown so large that it pays; writers
    go on meanwhile.  One migration runs at a time.  Raises NewerSchema for the schema of a later release
    and BadStore when the role lacks a right that a step needs.
    """
    with _session(address) as session:
        session.answer(_ONE_AT_A_TIME)
        refuse_newer(_version(session), MIGRATIONS)
        _add_extension(session)
        number = migrate(session, lambda: _version(session), MIGRATIONS, stamp=_STAMP)
        _add_neighbours(session)
        return number


@contextmanager
def _session(address: str) -> Iterator[PostgresSession]:
    """Yield a session that is bound to no tenant and sees their heads alone."""
    session = PostgresSession(address)
    try:
        yield session
    finally:
        session.roll_back()
        session.close()


def _add_extension(session: PostgresSession) -> None:
    ((present,),) = session.answer(_EXTENSION_IS_THERE)
    if present:
        return
    try:
        session.script(_ADD_EXTENSION)
    except BadStore as error:
        advice = "Let an administrator run `CREATE EXTENSION vector` in this database, then migrate."
        raise BadStore("The database lacks the extension pgvector.", advice=advice) from error


def _add_neighbours(session: PostgresSession) -> None:
    """Build the index of neighbours where it is wanted and absent, or was left half built."""
    ((built,),) = session.answer(near.STATEMENTS["is_built"].decode())
    ((rows,),) = session.answer(near.STATEMENTS["most_rows"].decode())
    if not built and rows > limits.exact_vector_rows_max:
        session.script(near.STATEMENTS["drop_broken"].decode())
        session.script(near.STATEMENTS["build"].decode())


def _version(session: PostgresSession) -> int:
    """Return the number of the database's schema, 0 when it has none."""
    ((present,),) = session.answer(_SCHEMA_IS_THERE)
    rows = session.answer(_VERSION) if present else []
    return int(rows[0][0]) if rows else 0


def _check(session: PostgresSession, *, any_role: bool) -> None:
    """Refuse a schema that is not the present one, and a role that row-level security does not bind."""
    version = _version(session)
    refuse_newer(version, MIGRATIONS)
    if version < newest(MIGRATIONS):
        advice = "Run `muniment migrate` as the migration role."
        raise BadStore(f"The database has schema {version}, not {newest(MIGRATIONS)}.", advice=advice)
    ((superuser, bypasses, owns),) = session.answer(_ROLE)
    if any_role or not (superuser or bypasses or owns):
        return
    fault = "owns the tables" if owns else "bypasses row-level security"
    raise BadStore(
        f"The database role {'is a superuser' if superuser else fault}.",
        advice=_ROLE_ADVICE,
    )
