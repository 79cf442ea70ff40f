"""How do two things hang together?  Typed, weighted, dated relations, newer to older."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from muniment.domain.evidence import Span


class LinkType(StrEnum):
    """Name a relation whose meaning the system acts on."""

    DERIVED_FROM = "derived_from"
    PART_OF = "part_of"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    VERIFIES = "verifies"
    FALSIFIES = "falsifies"
    TARGETS = "targets"
    CONSOLIDATED_TO = "consolidated_to"
    CAUSES = "causes"
    PRECEDES = "precedes"
    BLOCKS = "blocks"
    REFERS_TO = "refers_to"


@dataclass(frozen=True, slots=True)
class Link:
    """Hold one relation as it is stored; `weight` lies in 0..1.

    `span` is the part of an evidence item that a derived memory rests on.
    """

    id: str
    source: str
    target: str
    type: LinkType
    weight: float
    recorded: datetime
    space: int
    actor: int
    span: Span | None = None
