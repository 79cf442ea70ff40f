"""What does the log of a session say, and its label?  Read as written, and refused where it never was."""

from collections.abc import Sequence

from muniment import limits
from muniment.domain import session_log
from muniment.domain.label import Label, strictest
from muniment.domain.matter import Matter
from muniment.domain.session import Conversation
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


def refuse_loosened(ground: Ground, snapshot: Snapshot, session: Conversation) -> None:
    """Raise Tampered for a session whose label is looser than what it has read (I6, I10).

    The label moves, so no record commits to it: it is worked out again from the session's turns, from
    the answers that it was served and from its log, when a process meets the session first and again
    when it finds the label looser than it has been.  One that is loosened before this process has seen
    it get stricter, by what another took in, is met by the next process and by `verify`.
    """
    known = ground.sessions_held.get(session.n)
    if known is not None and known.joined(session.label) == session.label:
        ground.sessions_held[session.n] = session.label
        return
    events = events_of(ground, snapshot, session.id)
    read = strictest((*snapshot.labels_read(session.n), *(event.label for event in events)))
    if session.label.joined(read) != session.label:
        raise Tampered("The label of a session is looser than what it has read.")
    if len(ground.sessions_held) >= limits.held_sessions_max:
        ground.sessions_held.clear()
    ground.sessions_held[session.n] = session.label


def hold(ground: Ground, session: int, label: Label) -> None:
    """Remember that a session takes on a label; where it is not committed, the label is worked out again."""
    known = ground.sessions_held.get(session)
    if known is not None:
        ground.sessions_held[session] = known.joined(label)
