"""How far is a memory believed, who may change that, and where does it come from?

The table is ARCHITECTURE's fifth section, row by row.  A move without a row does not
exist.  Holds I3 (trust moves only along the table) and I4 (nothing leaves `rejected` but
by `lift`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType

from muniment.errors import ForbiddenMove


class Trust(StrEnum):
    """Name how far a memory is believed."""

    CANDIDATE = "candidate"
    BELIEVED = "believed"
    DISPUTED = "disputed"
    REFUTED = "refuted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    RETIRED = "retired"


LIVE = frozenset({Trust.CANDIDATE, Trust.BELIEVED})
"""States that are recalled without being asked for."""

IN_USE = LIVE | {Trust.DISPUTED}
"""States in which a memory is recalled, or waits to be: a person can decide about it."""


class Rank(IntEnum):
    """Order where a version came from; a payload never chooses it (I3)."""

    MANUAL = 50
    DOCUMENT = 40
    LIVE = 41
    CONSOLIDATION = 30
    IMPORT = 20
    CONVERSATION = 10
    UNTRUSTED = 0

    @property
    def weight(self) -> int:
        """Return the weight that ranks are compared by: document and live are equal."""
        return 40 if self is Rank.LIVE else int(self)


class Act(StrEnum):
    """Name what is done to a memory's trust."""

    SUPPORT = "support"
    REFUTE = "refute"
    INCONCLUSIVE = "inconclusive"
    DISPUTE = "dispute"
    SUPERSEDE = "supersede"
    UPHOLD = "uphold"
    OVERRULE = "overrule"
    REOPEN = "reopen"
    RETRACT = "retract"
    REJECT = "reject"
    RETIRE = "retire"
    REVIVE = "revive"
    LIFT = "lift"


class By(Enum):
    """Name the condition that an actor has to meet for a move."""

    ANYONE = "anyone with evidence"
    INDEPENDENT = "anyone with independent evidence, none of it untrusted; an untrusted claim: a person"
    TRUSTED = "anyone with evidence whose session has read nothing untrusted"
    AUTHOR_OR_PERSON = "its author or a person"
    DISPUTANT = "the conflict step, a finding, its author or a person"
    SAME_SLOT = "rank not lower and the same author or slot"
    PERSON = "a person"
    JUDGE = "a person, or the judge by the space's dial"
    KEEPER = "a person or hygiene"
    SAME_ACT = "the act that ended its successor"


@dataclass(frozen=True, slots=True)
class Standing:
    """Hold what an actor brings to a move: facts the service has established.

    `evidence` counts surviving items that are not the memory's own sources and were
    recorded after it; `gate` is true for the gate's own conflict step and `same_act` for
    what follows from another move of the same intent.
    """

    person: bool = False
    author: bool = False
    evidence: int = 0
    untrusted_session: bool = False
    untrusted_claim: bool = False
    same_slot: bool = False
    rank_not_lower: bool = False
    gate: bool = False
    hygiene: bool = False
    same_act: bool = False

    def meets(self, by: By) -> bool:
        """Return whether the condition `by` is met."""
        return {
            By.ANYONE: self.person or self.evidence > 0,
            By.INDEPENDENT: self.person
            or (self.evidence > 0 and not self.untrusted_claim and not self.untrusted_session),
            By.TRUSTED: self.person or (self.evidence > 0 and not self.untrusted_session),
            By.AUTHOR_OR_PERSON: self.person or self.author,
            By.DISPUTANT: self.person or self.author or self.gate,
            By.SAME_SLOT: self.rank_not_lower and (self.author or self.same_slot or self.person),
            By.PERSON: self.person,
            By.JUDGE: self.person or self.gate,
            By.KEEPER: self.person or self.hygiene,
            By.SAME_ACT: self.same_act,
        }[by]


@dataclass(frozen=True, slots=True)
class Move:
    """Hold where an act leads and who may do it; `to` None means 'as it was before'."""

    to: Trust | None
    by: By


_C, _B, _D, _F = Trust.CANDIDATE, Trust.BELIEVED, Trust.DISPUTED, Trust.REFUTED
_J, _S, _R = Trust.REJECTED, Trust.SUPERSEDED, Trust.RETIRED

MOVES: Mapping[tuple[Trust, Act], Move] = MappingProxyType(
    {
        (_C, Act.SUPPORT): Move(_B, By.INDEPENDENT),
        (_C, Act.REFUTE): Move(_F, By.ANYONE),
        (_C, Act.INCONCLUSIVE): Move(_C, By.ANYONE),
        (_C, Act.DISPUTE): Move(_D, By.DISPUTANT),
        (_B, Act.REFUTE): Move(_D, By.TRUSTED),
        (_B, Act.DISPUTE): Move(_D, By.DISPUTANT),
        (_B, Act.SUPERSEDE): Move(_S, By.SAME_SLOT),
        (_C, Act.SUPERSEDE): Move(_S, By.SAME_SLOT),
        (_D, Act.SUPERSEDE): Move(_S, By.SAME_SLOT),
        (_D, Act.UPHOLD): Move(_B, By.JUDGE),
        (_D, Act.OVERRULE): Move(_R, By.JUDGE),
        (_S, Act.REOPEN): Move(None, By.SAME_ACT),
        (_F, Act.SUPPORT): Move(_B, By.INDEPENDENT),
        (_F, Act.INCONCLUSIVE): Move(_C, By.INDEPENDENT),
        (_B, Act.RETRACT): Move(_R, By.AUTHOR_OR_PERSON),
        (_C, Act.RETRACT): Move(_R, By.AUTHOR_OR_PERSON),
        (_D, Act.RETRACT): Move(_R, By.AUTHOR_OR_PERSON),
        (_F, Act.RETRACT): Move(_R, By.AUTHOR_OR_PERSON),
        (_C, Act.REJECT): Move(_J, By.PERSON),
        (_B, Act.REJECT): Move(_J, By.PERSON),
        (_D, Act.REJECT): Move(_J, By.PERSON),
        (_F, Act.REJECT): Move(_J, By.PERSON),
        (_S, Act.REJECT): Move(_J, By.PERSON),
        (_R, Act.REJECT): Move(_J, By.PERSON),
        (_C, Act.RETIRE): Move(_R, By.KEEPER),
        (_B, Act.RETIRE): Move(_R, By.KEEPER),
        (_D, Act.RETIRE): Move(_R, By.KEEPER),
        (_F, Act.RETIRE): Move(_R, By.KEEPER),
        (_R, Act.REVIVE): Move(None, By.KEEPER),
        (_J, Act.LIFT): Move(_C, By.PERSON),
    }
)


def moved(trust: Trust, act: Act, standing: Standing, *, before: Trust, hypothesis: bool) -> Trust:
    """Return where `act` takes a memory, or raise ForbiddenMove (I3).

    `before` is the state it had before its present one, for the moves that restore it.
    A believed hypothesis that is refuted becomes refuted; any other belief disputed.
    """
    move = MOVES.get((trust, act))
    if move is None:
        raise ForbiddenMove(f"There is no way to {act.value} a {trust.value} memory.")
    if not standing.meets(move.by):
        raise ForbiddenMove(f"To {act.value} a {trust.value} memory takes {move.by.value}.")
    if (trust, act) == (_B, Act.REFUTE) and hypothesis:
        return _F
    return before if move.to is None else move.to
