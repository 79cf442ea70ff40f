"""How does a vault answer the scenarios of the suite `provem`?  With one value or an abstention."""

from dataclasses import dataclass
from typing import Protocol

from bench.outside.talk import Talk, believed
from muniment.recall.question import Hit

ASKED_K = 10


class Scope(Protocol):
    """Be where a fact belongs: an organisation, and the person it is about."""

    tenant: str
    subject: str


class Turn(Protocol):
    """Be one thing that happens: a fact, an attack, or the wish to have something forgotten."""

    kind: str
    text: str
    subject: str
    relation: str
    object: str
    term: str
    source: str
    scope: Scope


@dataclass(frozen=True)
class Said:
    """Hold an answer: the value, or that none is given, and how many items were looked at."""

    answer: str | None
    abstained: bool
    reason: str = ""
    ops: int = 0


class Arm:
    """Hold one vault for one scenario: an organisation is a space, a fact is a keyed claim.

    What does not come from the user comes from outside.  The suite's number for trust is not used,
    since a number that a writer gives itself is no evidence.
    """

    name = "muniment"

    def __init__(self) -> None:
        self._talk = Talk()

    def close(self) -> None:
        """Throw the vault away."""
        self._talk.close()

    def ingest(self, turn: Turn) -> None:
        """Remember a fact, or forget what holds a term."""
        if turn.kind == "erasure":
            self._forgotten(turn.term)
            return
        self._talk.told(
            turn.text,
            space=turn.scope.tenant,
            outside=turn.source != "user",
            about=turn.subject,
            attribute=turn.relation,
            value=turn.object,
        )

    def _forgotten(self, term: str) -> None:
        """Erase as the owner; where erasure is not there yet, reject, which only withholds."""
        vault = self._talk.vault
        plan, erase = getattr(vault, "plan_erasure", None), getattr(vault, "erase", None)
        if plan is not None and erase is not None:
            erase(plan(text=term))
            return
        for space in vault.spaces():
            for row in vault.memories(space=space.path):
                if term in row.text:
                    vault.reject(row.memory)

    def recall(self, turn: "Question") -> Said:
        """Return the value of the best believed memory of what is asked for, about the person asked about."""
        hits = self._talk.asked(turn.query, space=turn.scope.tenant, k=ASKED_K)
        for hit in believed(hits):
            if _answers(hit, turn):
                return Said(hit.value, False, ops=len(hits))
        return Said(None, True, reason="nothing believed covers this", ops=len(hits))


def _answers(hit: Hit, asked: "Question") -> bool:
    """Return whether a hit is about the person, and of an attribute that the question names."""
    of_whom = asked.scope.subject
    return (not of_whom or hit.about == of_whom) and hit.attribute in asked.query.split()


class Question(Protocol):
    """Be one question of a scenario."""

    query: str
    scope: Scope
