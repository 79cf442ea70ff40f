"""What change is asked for?  A closed set of frozen requests; the gate judges each (I1)."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from muniment.domain.evidence import Arrival, Span
from muniment.domain.label import PUBLIC, Label
from muniment.domain.link import LinkType
from muniment.domain.matter import Decision
from muniment.domain.memory import Claim, Kind
from muniment.domain.principal import Principal
from muniment.domain.quick import quick
from muniment.domain.trust import Act, Rank

if TYPE_CHECKING:
    from muniment.domain.block import Block
    from muniment.domain.block_edit import Action, Line, Operation


class Path(StrEnum):
    """Name the way a request came in; with the principal it decides the rank (I3)."""

    DIRECT = "direct"
    DOCUMENT = "document"
    IMPORT = "import"
    EXTRACTOR = "extractor"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Source:
    """Name one evidence item, or a memory, that a claim rests on, and the part of it."""

    id: str
    span: Span | None = None


@quick
@dataclass(frozen=True, slots=True)
class Times:
    """Hold the times a caller gave; None means not given (I8 says what follows then)."""

    valid_from: datetime | None = None
    valid_until: datetime | None = None
    occurred_at: datetime | None = None
    asserted_at: datetime | None = None
    expires_at: datetime | None = None


@quick
@dataclass(frozen=True, slots=True)
class Remember:
    """Ask for a new memory, or for support of one that says the same."""

    principal: Principal
    claim: Claim
    kind: Kind
    space: str
    times: Times = Times()
    sources: tuple[Source, ...] = ()
    tags: tuple[str, ...] = ()
    label: Label = Label()
    path: Path = Path.DIRECT
    session: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """Ask for another text of a memory.

    `act` is `revise` (we were wrong: a new version, same interval unless given) or
    `succeed` (the world changed: a successor memory from `times.valid_from` on) (I2).
    An empty `claim.text` keeps the text, an empty `claim.value` the value.  `read` is the
    label of what the session has read.
    """

    principal: Principal
    target: str
    act: str
    claim: Claim
    times: Times = Times()
    reason: str = ""
    expected_version: int | None = None
    sources: tuple[Source, ...] = ()
    read: Label = PUBLIC
    session: int = 0


@dataclass(frozen=True, slots=True)
class Judge:
    """Ask to move a memory's trust along the table (I3)."""

    principal: Principal
    target: str
    act: Act
    reason: str = ""
    expected_version: int | None = None
    sources: tuple[Source, ...] = ()
    read: Label = PUBLIC
    session: int = 0


@dataclass(frozen=True, slots=True)
class Lift:
    """Ask to end a tombstone; a person's act (I4)."""

    principal: Principal
    tombstone: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Connect:
    """Ask for a link between two things the caller may see."""

    principal: Principal
    source: str
    target: str
    type: LinkType
    weight: float
    read: Label = PUBLIC
    session: int = 0


@dataclass(frozen=True, slots=True)
class Decide:
    """Ask to decide a case; a person's act.

    `claim` is what an edit says.  `times` give the validity of the newer side, or of the
    edited text; where both are valid the older side ends at `times.valid_from`.
    """

    principal: Principal
    case: str
    decision: Decision
    claim: Claim = Claim("")
    times: Times = Times()
    reason: str = ""
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """Ask to approve or to decline a proposal; a person's act.

    `digest` names the exact bytes that the person saw; an approval without them is refused.
    `claim` is what an approval says instead, as the person's own words; what it leaves empty stays.
    """

    principal: Principal
    proposal: str
    approves: bool
    digest: bytes = b""
    reason: str = ""
    claim: Claim = Claim("")


@dataclass(frozen=True, slots=True)
class Take:
    """Ask to keep evidence; it is never refused for its content."""

    principal: Principal
    space: str
    arrivals: tuple[Arrival, ...]
    source: str = ""
    path: Path = Path.DIRECT


@dataclass(frozen=True, slots=True)
class EditBlock:
    """Ask for an edit of a block, or for a note.

    `given` names the parts that came with the request; a batch has several `operations`, a
    consolidation `lines`.  `text` is what a note says and `undoes` names the edit to take
    back.  `call` is the caller's own name of the request.
    """

    principal: Principal
    space: str
    action: "Action"
    block: "Block | None" = None
    given: frozenset[str] = frozenset()
    operations: "tuple[Operation, ...]" = ()
    lines: "tuple[Line, ...]" = ()
    text: str = ""
    undoes: str = ""
    read: Label = PUBLIC
    session: int = 0
    call: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Return every text that would come into the block, in the order in which it was given."""
        given = (*(one.text for one in self.operations), *(one.text for one in self.lines))
        return tuple(text for text in given if text)


@dataclass(frozen=True, slots=True)
class Administer:
    """Ask for an owner's act that changes no memory: a key, a space, an epoch, a restore."""

    principal: Principal
    deed: str
    fields: tuple[tuple[str, str], ...] = field(default=())


Intent = Remember | Change | Judge | Lift | Connect | Decide | Review | Take | EditBlock | Administer
"""Every mutation is one of these."""


RANKS = {
    Path.DIRECT: Rank.CONVERSATION,
    Path.DOCUMENT: Rank.DOCUMENT,
    Path.IMPORT: Rank.IMPORT,
    Path.EXTRACTOR: Rank.CONVERSATION,
    Path.BACKGROUND: Rank.CONSOLIDATION,
}
"""Where a write came in, and the rank that follows; a person's own direct write is manual."""


def rank_of(path: Path, principal: Principal, label: Label) -> Rank:
    """Return the rank that path, principal and label earn; no payload can raise it (I3)."""
    if label.untrusted:
        return Rank.UNTRUSTED
    if path is Path.DIRECT and principal.is_person:
        return Rank.MANUAL
    # Whoever writes the file could else lend his own word the weight of another vault.
    if path is Path.IMPORT and not principal.is_person:
        return Rank.CONVERSATION
    return RANKS[path]
