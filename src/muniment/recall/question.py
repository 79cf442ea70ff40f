"""What is asked, by whom, about which moment, and what came of it?"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from muniment.domain.evidence import EvidenceKind, Role
from muniment.domain.label import Label
from muniment.domain.memory import Kind
from muniment.domain.principal import Principal
from muniment.domain.quick import quick
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust


@dataclass(frozen=True, slots=True)
class Question:
    """Hold one question.

    `k` bounds the hits, `budget_tokens` their text (four characters a token, None: no
    bound).  `as_of` is the moment in the world, `known_at` the moment of our knowledge.
    `include` names withheld states to show with their mark.  `space` narrows, never widens.
    """

    text: str
    principal: Principal
    k: int = 5
    budget_tokens: int | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    include: tuple[Trust, ...] = ()
    space: str = ""
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    session: int = 0


class AnswerOutcome(StrEnum):
    """Name how the answer came out."""

    FOUND = "found"
    NOTHING = "nothing"
    DEGRADED = "degraded"


@quick
@dataclass(frozen=True, slots=True)
class Hit:
    """Hold one thing that was found.

    `source` is `memory`, `turn`, `document`, `chunk` or `note`; `tag` says whether it may
    be believed (`identity`, `memory`, `memory-tainted`); `strength` lies in 0..1 and is
    calibrated, so that a floor means something; `evidence` holds the ids it rests on.
    """

    id: str
    version: int
    text: str
    source: str
    tag: str
    label: Label
    recorded: datetime
    strength: float
    space: str
    trust: Trust | None = None
    kind: Kind | EvidenceKind = Kind.FACT
    rank: Rank = Rank.UNTRUSTED
    valid: Interval | None = None
    occurred_at: datetime | None = None
    speaker: str = ""
    role: Role = Role.NONE
    author: str = ""
    about: str = ""
    attribute: str = ""
    value: str = ""
    expired: bool = False
    evidence: tuple[str, ...] = ()
    session: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold what a question was answered with.

    `withheld` counts what would have been found but for its state or the budget, and
    `notes` says in plain sentences what was cut or is missing (I11, I12, I14).
    """

    question: str
    hits: tuple[Hit, ...]
    label: Label
    outcome: AnswerOutcome
    reason: str
    withheld: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    total: int = 0
    logged: bool = True
    envelope: Callable[[], str] = field(default=str, repr=False, compare=False)

    def render(self) -> str:
        """Return the envelope: the hits as data, ready for a prompt; the same text each time."""
        return self.envelope()
