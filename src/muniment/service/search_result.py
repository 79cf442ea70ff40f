"""What does a search in conversations hand back?  Sessions with turns of theirs, and the answer on record."""

from dataclasses import dataclass
from datetime import datetime

from muniment.domain.label import Label
from muniment.recall.question import Answer, Hit


@dataclass(frozen=True, slots=True)
class SessionFound:
    """Hold one session, or one line of sessions by its best one, with the turns that are shown.

    `title` is its own or how it began, `child` says that a child agent ran it, and `total` how
    many places it has.  `anchor` is the place of the best turn, `more` further ones, `before` and
    `after` how many places lie on either side of `turns`; `places` and `states` go with `turns`.
    """

    session: str
    space: str
    title: str
    agent: str
    started: datetime
    total: int
    child: bool
    anchor: int
    more: tuple[int, ...]
    before: int
    after: int
    turns: tuple[Hit, ...]
    places: tuple[int, ...]
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """Hold what a search found.

    `mode` is discover, scroll, read or browse; `answer` holds every turn that is shown, their
    strictest label, the reason and what is to be said of it.
    """

    mode: str
    sessions: tuple[SessionFound, ...]
    answer: Answer

    @property
    def label(self) -> Label:
        """Return the strictest label of what is shown, private at least."""
        return self.answer.label

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what was cut, widened or left out, in plain sentences."""
        return self.answer.notes

    def render(self) -> str:
        """Return every turn that is shown as data, ready for a prompt."""
        return self.answer.render()
