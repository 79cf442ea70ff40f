"""Who writes and who reads?  One writer under a lock, readers from a small pool."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from muniment import limits
from muniment.errors import BrokenData, Busy
from muniment.store.sql_session import Glue, Match, SqlSession
from muniment.store.sql_snapshot import SqlSnapshot
from muniment.store.sql_transaction import SqlTransaction


class SqlStore:
    """Keep one tenant's rows in a SQL database.

    One connection writes, under a lock of this process and the database's own; readers
    take a connection each from a small pool.  Safe across threads.
    """

    def __init__(
        self, connect: Callable[[], SqlSession], *, tenant: int, glued: Glue, matching: Match
    ) -> None:
        self._connect = connect
        self._tenant = tenant
        self._glued = glued
        self._matching = matching
        self._models: dict[str, int] = {}
        self._writing = threading.Lock()
        self._writer: SqlSession | None = None
        self._idle: list[SqlSession] = []
        self._pool = threading.Lock()
        self._closed = False

    @contextmanager
    def transaction(self) -> Iterator[SqlTransaction]:
        """Open the tenant for writing; waits a bounded time, then raises Busy."""
        if not self._writing.acquire(timeout=limits.busy_wait_ms_max / 1000):
            raise Busy("Another thread holds the vault.")
        try:
            session = self._writer_session()
            session.begin(writing=True)
            try:
                # A copy, since a model met in a transaction that fails has no number.
                models = dict(self._models)
                yield SqlTransaction(
                    session, tenant=self._tenant, glued=self._glued, matching=self._matching, models=models
                )
                session.commit()
                self._models.update(models)
            finally:
                session.roll_back()
        finally:
            self._writing.release()

    def _writer_session(self) -> SqlSession:
        if self._closed:
            raise BrokenData("The vault is closed.", advice="Open it again.")
        if self._writer is None:
            self._writer = self._connect()
        return self._writer

    @contextmanager
    def snapshot(self) -> Iterator[SqlSnapshot]:
        """Open one consistent state for reading."""
        with self._pool:
            if self._closed:
                raise BrokenData("The vault is closed.", advice="Open it again.")
            session = self._idle.pop() if self._idle else None
        if session is None:
            session = self._connect()
        try:
            session.begin(writing=False)
            try:
                yield SqlSnapshot(
                    session,
                    tenant=self._tenant,
                    glued=self._glued,
                    matching=self._matching,
                    models=self._models,
                )
            finally:
                session.roll_back()
        finally:
            self._give_back(session)

    def _give_back(self, session: SqlSession) -> None:
        with self._pool:
            if not self._closed and len(self._idle) < limits.readers_max:
                self._idle.append(session)
                return
        session.close()

    def close(self) -> None:
        """Let go of every connection."""
        with self._writing, self._pool:
            self._closed = True
            for session in (*self._idle, *([self._writer] if self._writer else [])):
                session.close()
            self._idle.clear()
            self._writer = None
