"""What does the log of a session say?  Read as it was written, and refused where it never was."""

from collections.abc import Sequence

from muniment.domain import session_log
from muniment.domain.matter import Matter
from muniment.domain.session_log import Event
from muniment.errors import Tampered
from muniment.ports import Snapshot
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered


def events_of(ground: Ground, snapshot: Snapshot, session: str) -> tuple[Event, ...]:
    """Return what happened to the session with this id, oldest first; raises Tampered as `events_in` does."""
    return events_in(ground, snapshot, snapshot.matters((session_log.log_id(session),)))


def events_in(ground: Ground, snapshot: Snapshot, rows: Sequence[Matter]) -> tuple[Event, ...]:
    """Return what rows of sessions' logs hold.

    Raises Tampered for what was never written, and for a row that does not match the log (I6).
    """
    refuse_altered(ground, snapshot, rows)
    try:
        return tuple(session_log.event_of(row) for row in rows)
    except ValueError as error:
        raise Tampered("The log of a session holds what was never written.") from error
