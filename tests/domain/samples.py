"""Which rows do the tests of the domain change?  One of each kind, no field at its default.

`leaves` names every plain value of a row, also those inside its claim, label, interval,
digests, keys and span, and `changed` returns the row with one of them altered.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum

from muniment.domain.changes import Row
from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.evidence import Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.ids import spelled
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import RowCode
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import Keys, Tombstone, TombstoneKind
from muniment.domain.trust import Rank, Trust

AT = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
DAY = timedelta(days=1)
MEMORY, EVIDENCE, TOMBSTONE, LINK, SESSION, CASE, ERASURE = (
    f"{letter}_{spelled(7 << 90)}" for letter in "metlscx"
)
MARKED = Label(DataClass.SECRET, True)

VERSION = Version(
    memory=MEMORY,
    number=3,
    n=11,
    space=2,
    kind=Kind.DECISION,
    claim=Claim("The quay opens at six", "quay", "opening", "six", True),
    valid=Interval(AT, AT + DAY),
    recorded=AT + 2 * DAY,
    trust=Trust.DISPUTED,
    before=Trust.CANDIDATE,
    rank=Rank.DOCUMENT,
    label=MARKED,
    author=4,
    actor=5,
    act="dispute",
    digests=Digests(b"value-digest", b"slot-digest"),
    reason="two tables differ",
    session=6,
    occurred_at=AT + 3 * DAY,
    asserted_at=AT + 4 * DAY,
    expires_at=AT + 5 * DAY,
    tags=("harbour", "hours"),
)

ROWS: dict[RowCode, Row] = {
    RowCode.VERSION: VERSION,
    RowCode.EVIDENCE: Evidence(
        id=EVIDENCE,
        n=12,
        space=2,
        kind=EvidenceKind.NOTE,
        text="quay: 6",
        recorded=AT,
        label=MARKED,
        author=4,
        session=6,
        sequence=7,
        role=Role.TOOL_RESULT,
        speaker="ls",
        source="table.csv",
        origin=b"line-1",
        occurred_at=AT + DAY,
        state=TurnState.ARCHIVED,
        replaced=8,
        parent="line-0",
    ),
    RowCode.LINK: Link(
        id=LINK,
        source=MEMORY,
        target=EVIDENCE,
        type=LinkType.DERIVED_FROM,
        weight=0.25,
        recorded=AT,
        space=2,
        actor=4,
        span=Span(1, 5),
    ),
    RowCode.TOMBSTONE: Tombstone(
        id=TOMBSTONE,
        memory=MEMORY,
        space=2,
        kind=TombstoneKind.REJECTED,
        keys=Keys(b"plain", b"folded", b"skeleton"),
        slot=b"slot",
        key_id=1,
        normaliser="n1/15/16",
        generation=9,
        actor=4,
        recorded=AT,
        reason="never",
        lifted=True,
        lifts=TOMBSTONE,
        found_by=b"found",
    ),
    RowCode.SESSION: Conversation(
        id=SESSION,
        n=6,
        name="s-1",
        space=2,
        agent="coder",
        started=AT,
        label=MARKED,
        turns=3,
        title="Tides",
        source="a.jsonl",
    ),
    RowCode.RECALL: RecallRow(
        n=13,
        asked=AT,
        session=6,
        actor=4,
        query="when?",
        outcome="found",
        label=MARKED,
        hits=(MEMORY, EVIDENCE),
    ),
    RowCode.CREDENTIAL: CredentialRow(
        n=14,
        public_id="ab12",
        digest=b"digest",
        actor="robot",
        role="agent",
        home="acme",
        rights='{"read":[]}',
        made=AT,
        revoked=True,
    ),
    RowCode.SPACE: SpaceRow(n=2, path="acme/eng", dial="auto", class_max=1, made=AT),
    RowCode.MATTER: Matter(
        n=15,
        id=CASE,
        kind=MatterKind.PROPOSAL,
        space=2,
        state=MatterState.DECIDED,
        why="doubted",
        label=MARKED,
        actor=4,
        recorded=AT,
        new=MEMORY,
        new_version=3,
        old=EVIDENCE,
        old_version=2,
        decision="keep-old",
        body="{}",
        digest=b"sha",
        reason="never",
    ),
    RowCode.ACTOR: ActorRow(n=4, name="Zoë", role="member", made=AT),
    RowCode.STUB: StubRow(
        n=15,
        code=RowCode.EVIDENCE,
        entry_id=b"sixteen bytes id",
        record=3,
        index=2,
        erasure=ERASURE,
        space=2,
        origin=b"origin-digest",
    ),
    RowCode.CERTIFICATE: CertificateRow(n=16, erasure=ERASURE, status="logical", made=AT, note="a note\n"),
}


def leaves(row: object) -> Iterator[tuple[str, ...]]:
    """Yield the path of every plain value of a row, names from the outside in."""
    for each in fields(row):
        value = getattr(row, each.name)
        if is_dataclass(value):
            yield from ((each.name, *inner) for inner in leaves(value))
        else:
            yield (each.name,)


def changed(row: Row, path: tuple[str, ...]) -> Row:
    """Return the row with the one value at `path` altered, everything else as it was."""
    name, *inner = path
    value = getattr(row, name)
    return replace(row, **{name: changed(value, tuple(inner)) if inner else altered(value)})


def altered(value: object) -> object:
    """Return another value of the same type."""
    match value:
        case bool():
            return not value
        case Enum():
            return next(one for one in type(value) if one is not value)
        case datetime():
            return value + timedelta(microseconds=1)
        case str() | bytes():
            return value[:-1] + value[:1] + value[-1:]
        case int() | float():
            return value + 1
        case tuple():
            return value[::-1]
    raise AssertionError(f"no other value of {type(value).__name__} is known")


LEAVES = [(code, path) for code, row in ROWS.items() for path in leaves(row)]
"""Every plain value of every kind of row."""


def name_of(case: object) -> str:
    """Return what a parametrised case is called."""
    return case.name.lower() if isinstance(case, RowCode) else ".".join(case)
