"""What does a file state, as a memory that is offered to the gate?"""

from dataclasses import dataclass

from muniment.domain.evidence import Arrival, BadLine
from muniment.domain.intent import Times
from muniment.domain.label import Label
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim, Kind


@dataclass(frozen=True, slots=True)
class Tie:
    """Name a link from an offer to another one of the same import, by that one's key."""

    type: LinkType
    target: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Hold one memory as a source states it, before the gate has seen it.

    `line` counts from 1.  Later offers link to this one by its `key`; an empty key takes
    none.  `otherwise` is offered too when an import said the same before in other words:
    an entity's further type, for instance, while the entity stays one.
    """

    line: int
    claim: Claim
    kind: Kind = Kind.FACT
    times: Times = Times()
    tags: tuple[str, ...] = ()
    label: Label = Label()
    key: str = ""
    ties: tuple[Tie, ...] = ()
    otherwise: "Offer | None" = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Hold what a reader has to say about a whole file, in one plain sentence."""

    text: str


Item = Arrival | Offer | BadLine | Notice
"""What a reader hands over, one after the other."""
