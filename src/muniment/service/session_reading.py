"""What does the log of a session say?  Read as it was written, and refused where it never was."""

from collections.abc import Iterable

from muniment.domain import session_log
from muniment.domain.matter import Matter
from muniment.domain.session_log import Event
from muniment.errors import Tampered
from muniment.ports import Snapshot


def events_of(snapshot: Snapshot, session: str) -> tuple[Event, ...]:
    """Return what happened to the session with this id, oldest first; raises Tampered as `events_in` does."""
    return events_in(snapshot.matters((session_log.log_id(session),)))


def events_in(rows: Iterable[Matter]) -> tuple[Event, ...]:
    """Return what rows of sessions' logs hold; raises Tampered for what was never written."""
    try:
        return tuple(session_log.event_of(row) for row in rows)
    except ValueError as error:
        raise Tampered("The log of a session holds what was never written.") from error
