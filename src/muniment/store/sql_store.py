"""Who writes and who reads?  One writer under a lock, readers from a small pool."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from muniment import limits
from muniment.domain.changes import Claims
from muniment.domain.check import Check
from muniment.domain.compaction import Compaction, Sought
from muniment.errors import BrokenData, FullDisk
from muniment.store.beside import Beside, ThriftyTransaction
from muniment.store.sql_session import Glue, Match, SqlSession
from muniment.store.sql_snapshot import SqlSnapshot
from muniment.store.sql_transaction import Left, SqlTransaction
from muniment.store.turns import Turns


class SqlStore:
    """Keep one tenant's rows in a SQL database.

    One connection writes; threads take turns in the order in which they came, and
    processes in the order that `beside` keeps, under the database's own lock.  Readers take a connection
    each from a small pool.  Safe across threads.
    """

    def __init__(
        self,
        connect: Callable[[], SqlSession],
        *,
        tenant: int,
        glued: Glue,
        matching: Match,
        beside: Beside | None = None,
    ) -> None:
        self._connect = connect
        self._tenant = tenant
        self._glued = glued
        self._matching = matching
        self._models: dict[str, int] = {}
        self._turns = Turns()
        self._beside = beside or Beside()
        self._writer: SqlSession | None = None
        self._left: Left | None = None
        self._idle: list[SqlSession] = []
        self._pool = threading.Lock()
        self._closed = False

    @contextmanager
    def transaction(self, claims: Claims | None = None) -> Iterator[SqlTransaction]:
        """Open the tenant for writing; waits a bounded time, then raises Busy.

        Nobody writes beside it, whatever it claims.
        """
        until = time.monotonic() + limits.busy_wait_ms_max / 1000
        self._turns.take(until - time.monotonic())
        try:
            session = self._writer_session()
            self._beside.between.take(until - time.monotonic())
            is_full = False
            try:
                session.begin(writing=True)
                # A copy, since a model met in a transaction that fails has no number.
                models = dict(self._models)
                transaction = self._writing(session, models)
                if self._left is not None and self._left.stamp == session.stamp():
                    transaction.go_on_from(self._left)
                yield transaction
                session.commit()
                self._models.update(models)
                self._left = transaction.left(session.stamp())
            except FullDisk:
                is_full = True
                raise
            finally:
                session.roll_back()
                if is_full:
                    self._beside.room.give_up()
                self._beside.between.give()
        finally:
            self._turns.give()

    def _writing(self, session: SqlSession, models: dict[str, int]) -> SqlTransaction:
        kept = self._beside.room.is_kept()
        transaction = (SqlTransaction if kept else ThriftyTransaction)(
            session,
            tenant=self._tenant,
            glued=self._glued,
            matching=self._matching,
            models=models,
        )
        if isinstance(transaction, ThriftyTransaction):
            transaction.room = self._beside.room
        return transaction

    def examine(self) -> tuple[Check, ...]:
        """Return the health checks of what the store keeps on its disk."""
        return self._beside.examine()

    def compact(self, sought: Sought, *, wait_ms: int) -> Compaction:
        """Take what was deleted out of the files, and look for what is sought in them."""
        return self._beside.compact(sought, wait_ms)

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

    def harden(self) -> None:
        """Do nothing: what can be read here is durable."""

    def _give_back(self, session: SqlSession) -> None:
        with self._pool:
            if not self._closed and len(self._idle) < limits.readers_max:
                self._idle.append(session)
                return
        session.close()

    def close(self) -> None:
        """Let go of every connection."""
        with self._turns, self._pool:
            self._closed = True
            for session in (*self._idle, *([self._writer] if self._writer else [])):
                session.close()
            self._idle.clear()
            self._writer = None
            self._beside.between.close()
