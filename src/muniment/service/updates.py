"""Which sessions have new turns?  A look back over the rows themselves, from any place on.

Whoever wants to be told keeps the position of the last look.  Nothing is kept for it here, so
nobody who was away, and no restart, can make an update be lost.
"""

from dataclasses import dataclass

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.evidence import Evidence
from muniment.domain.label import Label
from muniment.domain.ledger import RowCode
from muniment.domain.principal import Principal
from muniment.domain.session import Conversation
from muniment.errors import NotFound
from muniment.ports import Snapshot
from muniment.service.arguments import position_of
from muniment.service.erased_names import name_apart, session_named
from muniment.service.ground import Ground


@dataclass(frozen=True, slots=True)
class SessionNow:
    """Hold how a session stands: its label is the strictest of all that it has read so far."""

    session: str
    space: str
    agent: str
    turns: int
    label: Label


@dataclass(frozen=True, slots=True)
class Updates:
    """Hold which sessions were updated, each once as it stands now.

    `position` is where the next look begins; `more` says that it would find something at once.
    """

    position: int
    more: bool
    sessions: tuple[SessionNow, ...]


def updates(ground: Ground, principal: Principal, *, after: int) -> Updates:
    """Return the sessions with turns that came after a position, 0 for all that there ever were.

    One look takes in at most `limits.update_rows_max` items; sessions that the principal may not
    read are left out (I7).  Raises BadInput for what is no position.
    """
    after = position_of(after)
    with ground.reading() as snapshot:
        rows = snapshot.sealed_rows(RowCode.EVIDENCE, Page(after, limits.update_rows_max))
        numbers = {sealed.row.session: None for _, sealed in rows if isinstance(sealed.row, Evidence)}
        found = snapshot.sessions_at([number for number in numbers if number])
        sessions = [_now(ground, snapshot, one) for one in found]
    return Updates(
        position=rows[-1][0] if rows else after,
        more=len(rows) == limits.update_rows_max,
        sessions=tuple(one for one in sessions if _is_readable(one, principal)),
    )


def session_now(ground: Ground, principal: Principal, name: str) -> SessionNow:
    """Return how a session of the principal's own space stands; raises NotFound."""
    with ground.reading() as snapshot:
        space = ground.space(snapshot, principal.home)
        named = name_apart(name)
        found = None if space is None else session_named(ground, snapshot, space.n, name=named)
        if found is None:
            raise NotFound("There is no session of this name.", advice="It is made by `open` or `append`.")
        return _now(ground, snapshot, found)


def _now(ground: Ground, snapshot: Snapshot, found: Conversation) -> SessionNow:
    path = ground.path_of(snapshot, found.space)
    return SessionNow(found.name, path, found.agent, found.turns, found.label)


def _is_readable(one: SessionNow, principal: Principal) -> bool:
    return principal.may_read(one.space) and one.label.data_class <= principal.class_max
