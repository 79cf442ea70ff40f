"""What does one socket of the daemon stand on?  A vault in the hands of whom it acts for."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol

from muniment import limits
from muniment.domain.check import Check
from muniment.domain.rights import Peer
from muniment.errors import MunimentError
from muniment.service import granting
from muniment.service.session import Session
from muniment.service.vault import Vault
from muniment.surfaces.shapes import Arguments, Field, Form, Type


class Background(Protocol):
    """Do the background work of the vault."""

    def tell(self) -> None:
        """Say that there may be something to do."""

    def check(self) -> Check:
        """Return how the work stands."""


class Desk:
    """Hold the vault as one peer does; safe to share between worker threads.

    `vault` decides who acts and where: no field of a request names another actor or space than
    it may use.  `chores` is told of each call that may leave something to do.
    """

    def __init__(self, peer: Peer, vault: Vault, *, chores: Background) -> None:
        self.peer = peer
        self.vault = vault
        self.chores = chores
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._denied: set[str] = set()
        self._lock = Lock()

    def session(self, name: str) -> Session:
        """Return a session by name; the ones used last are kept, since they count refused edits of a turn."""
        with self._lock:
            found = self._sessions.pop(name, None) or self.vault.session(name)
            self._sessions[name] = found
            if len(self._sessions) > limits.sessions_held_max:
                self._sessions.popitem(last=False)
            return found

    def deny(self, call: str) -> None:
        """Put on record that a call of another socket was tried here, each once for every start.

        Whoever tries it a thousand times shall not fill the log with it.  A vault that cannot be
        written now refuses the call all the same, and the next try is put on record.
        """
        with self._lock:
            if call in self._denied:
                return
            self._denied.add(call)
        try:
            granting.record_denied(self.vault.ground, self.vault.principal, peer=self.peer, call=call)
        except MunimentError:
            with self._lock:
                self._denied.discard(call)


@dataclass(frozen=True, slots=True)
class Route:
    """Hold one call: what it does, what it may hold, what runs, and whether it changes something.

    `run` returns what is answered, shown by the one rule of `plain`.  Where `is_empty` is given,
    the call takes a field `wait`, and is run again while its answer is empty.
    """

    says: str
    form: Form
    run: Callable[[Desk, Arguments], object]
    changes: bool = True
    is_empty: Callable[[object], bool] | None = field(default=None, kw_only=True)


SESSION = Field("session", Type.NAME, "The session's name.", required=True)
"""The field that names a session."""

NOTHING = Form(fields=(), example={})
"""The form of a call that takes nothing."""


def named(given: Arguments, *names: str) -> dict[str, Any]:
    """Return those of the fields that were given, by name; a verb's own defaults stand for the others."""
    return {name: given.values[name] for name in names if name in given.given}


def form_of(example: Mapping[str, object], *fields: Field) -> Form:
    """Return a form with one correct call."""
    return Form(fields=fields, example=example)
