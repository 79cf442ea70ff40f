"""What became of a commit whose answer was lost?  The record that it would have left says so."""

import time
from contextlib import closing
from typing import NamedTuple

from muniment import limits
from muniment.errors import Disconnected, MunimentError, Unconfirmed
from muniment.store.codec import Value
from muniment.store.postgres.connection import PostgresSession

# A commit that does not wait for the disk is durable once a later one that waits has returned:
# the log is written in order.  The message says nothing; it makes this one have something to write.
HARDEN = """
SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'muniment', '')
"""
_PAUSE_SECONDS = 0.2
_LOST = "The database server was lost while it committed, and could not be asked what became of it."


class Sealing(NamedTuple):
    """Hold a ledger record by which its transaction is known: its salts make it one of a kind."""

    position: Value
    fields: Value
    entries: Value


def has_landed(address: str, *, tenant: int, sealing: Sealing | None) -> bool:
    """Return whether the transaction that was to leave this record was committed; then it is durable.

    The server is asked again until it answers, for a bounded time: one that was restarted
    needs a while.  Raises Unconfirmed when it does not, or when there was no record.
    """
    until = time.monotonic() + limits.database_answer_seconds_max
    while sealing is not None:
        try:
            return _asked(address, tenant=tenant, sealing=sealing)
        except Disconnected as error:
            if time.monotonic() >= until:
                raise Unconfirmed(_LOST) from error
            time.sleep(_PAUSE_SECONDS)
        except MunimentError as error:
            raise Unconfirmed(_LOST) from error
    raise Unconfirmed(_LOST)


def _asked(address: str, *, tenant: int, sealing: Sealing) -> bool:
    with closing(PostgresSession(address, tenant=tenant)) as session:
        try:
            # The lost transaction had this lock or a share of it: who gets it, comes after its end.
            session.begin(writing=True)
            rows = session.run("records_after", after=int(str(sealing.position)) - 1, rows_max=1)
            found = bool(rows) and Sealing(rows[0][0], *rows[0][2:]) == sealing
            if found:
                session.answer(HARDEN)
            session.commit()
        finally:
            session.roll_back()
    return found
