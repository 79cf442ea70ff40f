"""Which rows does one transaction append?  They land together or not at all (I5)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.evidence import Evidence, Span, TurnState
from muniment.domain.label import Label
from muniment.domain.ledger import Record, RowCode, Seal, TenantHead
from muniment.domain.link import Link
from muniment.domain.matter import Matter
from muniment.domain.memory import Claim, Kind, Version
from muniment.domain.quick import quick
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Tombstone
from muniment.domain.trust import Trust

Row = (
    Version
    | Evidence
    | Link
    | Tombstone
    | Conversation
    | RecallRow
    | CredentialRow
    | SpaceRow
    | ActorRow
    | Matter
    | StubRow
    | CertificateRow
)
"""Every kind of committed row."""

R = TypeVar("R", covariant=True)
"""The type of a sealed row."""


@dataclass(frozen=True, slots=True)
class Sealed(Generic[R]):
    """Hold a committed row and what binds it to its record."""

    row: R
    seal: Seal


@dataclass(frozen=True, slots=True)
class Current:
    """Hold a memory's newest version, its seal and the MAC of the memory's head."""

    version: Version
    seal: Seal
    head_mac: bytes


class HeadSeal(NamedTuple):
    """Hold what a memory's sealed head names: latest version, its row, its trust, the MAC."""

    memory: str
    number: int
    n: int
    trust: Trust
    mac: bytes


@quick
@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Hold what makes a row findable: its terms and its vector; rebuilt at any time.

    `terms` stand in the order of the text, with repeats, and a space between them.
    """

    terms: str = ""
    vector: bytes = b""

    @property
    def words(self) -> int:
        """Return how many terms that are."""
        return self.terms.count(" ") + 1 if self.terms else 0


@quick
@dataclass(frozen=True, slots=True)
class NewVersion:
    """Hold one version to append, its index entry and its memory's new head.

    `replaces` is the newest version until now, None for a new memory.  `past` puts an older
    state back, without what was erased from it: no head moves.
    """

    version: Version
    seal: Seal
    head_mac: bytes
    index: IndexEntry
    replaces: Version | None = None
    past: bool = False


@dataclass(frozen=True, slots=True)
class NewEvidence:
    """Hold one evidence item to append; without terms it is kept but not found."""

    evidence: Evidence
    seal: Seal
    index: IndexEntry


@dataclass(frozen=True, slots=True)
class SessionState:
    """Hold how far a session has come: turns and the strictest label it has read."""

    n: int
    turns: int
    label: Label


@dataclass(frozen=True, slots=True)
class TurnsMoved:
    """Name the turns of a session, by sequence, that become archived or rewound.

    Only a stricter state is taken on: live, then archived, then rewound.
    """

    session: int
    first: int
    last: int
    state: TurnState


@dataclass(frozen=True, slots=True)
class NewTombstone:
    """Hold one tombstone to append and what it is found by: digests and packed anchors."""

    tombstone: Tombstone
    seal: Seal
    digests: tuple[bytes, ...]


@quick
@dataclass(frozen=True, slots=True)
class Job:
    """Hold one piece of background work; `lease` fences a worker that was overtaken."""

    n: int
    kind: str
    target: int
    due: int
    attempts: int = 0
    lease: int = 0
    error: str = ""


SHARED_JOBS = frozenset({"contradict"})
"""Kinds of which one job waits for a target at most: asking again for one that waits adds nothing."""


@dataclass(frozen=True, slots=True)
class Gone:
    """Name one row that an erasure takes away: by its row number, or by its id where it has none."""

    code: RowCode
    n: int = 0
    id: str = ""


@quick
@dataclass(frozen=True, slots=True)
class Changes:
    """Hold all rows of one transaction; they land together or not at all (I5).

    What is `gone` leaves before the rest comes; only an erasure names any (I2).
    """

    head: TenantHead
    record: Record
    versions: tuple[NewVersion, ...] = ()
    evidence: tuple[NewEvidence, ...] = ()
    links: tuple[Sealed[Link], ...] = ()
    tombstones: tuple[NewTombstone, ...] = ()
    sessions: tuple[Sealed[Conversation], ...] = ()
    session_states: tuple[SessionState, ...] = ()
    turns_moved: tuple[TurnsMoved, ...] = ()
    spaces: tuple[Sealed[SpaceRow], ...] = ()
    actors: tuple[Sealed[ActorRow], ...] = ()
    credentials: tuple[Sealed[CredentialRow], ...] = ()
    recalls: tuple[Sealed[RecallRow], ...] = ()
    matters: tuple[Sealed[Matter], ...] = ()
    stubs: tuple[Sealed[StubRow], ...] = ()
    certificates: tuple[Sealed[CertificateRow], ...] = ()
    gone: tuple[Gone, ...] = ()
    jobs: tuple[Job, ...] = ()
    model: str = ""


class Claims(NamedTuple):
    """Say what a change is going to touch, so that a store may let others write beside it.

    The change makes no space, actor, session or tombstone, and changes no memory but those
    of `space` that state `value` or fill `slot`; `model` stamps its vectors.
    """

    space: int
    value: bytes
    slot: bytes = b""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Ask for part of a listing: rows after `after`, at most `limit`."""

    after: int = 0
    limit: int = 100
    newest_first: bool = False


@dataclass(frozen=True, slots=True)
class Extracted:
    """Hold a claim that the extractor found, and the part of the evidence it stands in."""

    claim: Claim
    kind: Kind
    span: Span
    valid_from: datetime | None = None
