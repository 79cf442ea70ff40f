"""What happened, word for word?  Evidence is kept verbatim and changed only by erasure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from muniment.domain.label import Label
from muniment.domain.quick import quick

MARK = "[erased]"
"""What stands in a text in the place of an erased part: the same for every length."""


class EvidenceKind(StrEnum):
    """Name what sort of verbatim item this is."""

    TURN = "turn"
    DOCUMENT = "document"
    CHUNK = "chunk"
    NOTE = "note"


class Role(StrEnum):
    """Name who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SYSTEM = "system"
    NONE = "none"


class TurnState(StrEnum):
    """Name whether a turn is replayed, only searched, or only kept for audit."""

    LIVE = "live"
    ARCHIVED = "archived"
    REWOUND = "rewound"


@quick
@dataclass(frozen=True, slots=True)
class Arrival:
    """Hold one item as a source hands it over, before the gate has seen it.

    `session` and `origin` are the source's own names: `origin` is unique within the
    source, so that taking the same source twice adds nothing.  `occurred_at` is aware or
    None when the source does not say.  `untrusted` None lets the role decide (tool
    results are untrusted, unless of a `clean` tool).  `parent` is the origin of the item before it in a tree.
    """

    session: str
    origin: str
    role: Role
    speaker: str
    text: str
    occurred_at: datetime | None = None
    kind: EvidenceKind = EvidenceKind.TURN
    parent: str = ""
    untrusted: bool | None = None
    data_class: str = ""
    state: TurnState = TurnState.LIVE
    title: str = ""
    clean: bool = False


@dataclass(frozen=True, slots=True)
class BadLine:
    """Hold a line of a source that could not be read: where it stands and why.

    `line` counts from 1; `why` is one plain sentence without the line's content.
    """

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Span:
    """Point at part of an evidence item, in code points, end exclusive."""

    start: int
    end: int


@quick
@dataclass(frozen=True, slots=True)
class Evidence:
    """Hold one verbatim item as it is stored.

    `n` is its number in the store and `sequence` its place in the session or document.
    `replaced` counts the code points that became U+FFFD on the way in.
    """

    id: str
    n: int
    space: int
    kind: EvidenceKind
    text: str
    recorded: datetime
    label: Label
    author: int
    session: int = 0
    sequence: int = 0
    role: Role = Role.NONE
    speaker: str = ""
    source: str = ""
    origin: bytes = b""
    occurred_at: datetime | None = None
    state: TurnState = TurnState.LIVE
    replaced: int = 0
    parent: str = ""
