"""Which fields of a stored row does its commitment cover?  All that can be read back (I6)."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.evidence import Evidence
from muniment.domain.label import Label
from muniment.domain.ledger import RowCode, canonical_row
from muniment.domain.link import Link
from muniment.domain.members import Fields, texts
from muniment.domain.memory import Version
from muniment.domain.session import Conversation
from muniment.domain.space import HOME
from muniment.domain.timeline import to_micros
from muniment.domain.tombstone import Tombstone


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """Hold one space: its number and path; `dial` decides keyed conflicts."""

    n: int
    path: str
    dial: str
    class_max: int
    made: datetime


@dataclass(frozen=True, slots=True)
class ActorRow:
    """Hold one actor: its number, name and role."""

    n: int
    name: str
    role: str
    made: datetime


@dataclass(frozen=True, slots=True)
class CredentialRow:
    """Hold one key's public part and the SHA-256 of its secret, or its revocation.

    `rights` lists granted subtrees and spaces as JSON text.
    """

    n: int
    public_id: str
    digest: bytes
    actor: str
    role: str
    home: str
    rights: str
    made: datetime
    revoked: bool = False


@dataclass(frozen=True, slots=True)
class RecallRow:
    """Hold what one question was answered with; the query is erasable text."""

    n: int
    asked: datetime
    session: int
    actor: int
    query: str
    outcome: str
    label: Label
    hits: tuple[str, ...]


def rights_of(row: CredentialRow) -> Fields:
    """Return what a key's rights spell; raises ValueError for what spells none."""
    fields: object = json.loads(row.rights)
    if not isinstance(fields, dict) or not all(isinstance(fields.get(one), list) for one in PATHS_OF_RIGHTS):
        raise ValueError("these rights spell no paths")
    return fields


PATHS_OF_RIGHTS = ("reads", "writes")
"""Which members of a key's rights list paths of spaces."""


def names_of(row: SpaceRow | CredentialRow) -> tuple[str, ...]:
    """Return every name that a space or a key carries: of paths the whole and each segment.

    The home of every vault is not among them: it is a word of ours.
    """
    if isinstance(row, SpaceRow):
        return _parts_of(row.path)
    try:
        fields = rights_of(row)
    except ValueError:
        return (row.actor, *_parts_of(row.home), row.rights)
    paths = [path for name in PATHS_OF_RIGHTS for path in texts(fields, name)]
    return (row.actor, *(part for path in (row.home, *paths) for part in _parts_of(path)))


def _parts_of(path: str) -> tuple[str, ...]:
    return () if path == HOME else tuple(dict.fromkeys((path, *path.split("/"))))


def version_bytes(row: Version) -> bytes:
    """Return the canonical bytes of a version."""
    claim, valid, label = row.claim, row.valid, row.label
    tags = ",".join(map(_quoted, row.tags))
    return (
        f'[{_VERSION},"{row.memory}",{row.number},{row.n},{row.space},"{row.kind}",{_quoted(claim.text)},'
        f"{_quoted(claim.about)},{_quoted(claim.attribute)},{_quoted(claim.value)},{_truth(claim.many)},"
        f'{to_micros(valid.start)},{_moment(valid.end)},{to_micros(row.recorded)},"{row.trust}",'
        f'"{row.before}",{int(row.rank)},{int(label.data_class)},{_truth(label.untrusted)},{row.author},'
        f'{row.actor},{_quoted(row.act)},"{row.digests.value.hex()}","{row.digests.slot.hex()}",'
        f"{_quoted(row.reason)},{row.session},{_moment(row.occurred_at)},{_moment(row.asserted_at)},"
        f"{_moment(row.expires_at)},[{tags}]]"
    ).encode("ascii")


def evidence_bytes(row: Evidence) -> bytes:
    """Return the canonical bytes of an evidence item.

    The state is left out: archiving or rewinding a turn is its own record, not a change
    of what was said.
    """
    label = row.label
    return (
        f'[{_EVIDENCE},"{row.id}",{row.n},{row.space},"{row.kind}",{_quoted(row.text)},'
        f"{to_micros(row.recorded)},{int(label.data_class)},{_truth(label.untrusted)},{row.author},{row.session},"
        f'{row.sequence},"{row.role}",{_quoted(row.speaker)},{_quoted(row.source)},"{row.origin.hex()}",'
        f"{_moment(row.occurred_at)},{row.replaced},{_quoted(row.parent)}]"
    ).encode("ascii")


def _moment(moment: datetime | None) -> str:
    return "null" if moment is None else str(to_micros(moment))


def _truth(is_so: bool) -> str:
    return "true" if is_so else "false"


_VERSION, _EVIDENCE = int(RowCode.VERSION), int(RowCode.EVIDENCE)
_quoted: Callable[[str], str] = json.encoder.encode_basestring_ascii
# The two rows that every write makes are spelled out, which takes half the time of an encoder's
# walk over a list of their fields; a test holds them to what `canonical_row` makes.


def link_bytes(row: Link) -> bytes:
    """Return the canonical bytes of a link."""
    span = () if row.span is None else (row.span.start, row.span.end)
    return canonical_row(
        RowCode.LINK,
        (row.id, row.source, row.target, row.type, row.weight, row.recorded, row.space, row.actor, span),
    )


def tombstone_bytes(row: Tombstone) -> bytes:
    """Return the canonical bytes of a tombstone or of its lifting."""
    return canonical_row(
        RowCode.TOMBSTONE,
        (
            row.id, row.memory, row.space, row.kind, row.keys.all, row.slot, row.key_id,
            row.normaliser, row.generation, row.actor, row.recorded, row.reason, row.lifted, row.lifts,
            row.found_by,
        ),
    )  # fmt: skip


def session_bytes(row: Conversation) -> bytes:
    """Return the canonical bytes of a session's birth; what it has read is in its log."""
    return canonical_row(
        RowCode.SESSION,
        (row.id, row.n, row.name, row.space, row.agent, row.started, row.title, row.source),
    )


def recall_bytes(row: RecallRow) -> bytes:
    """Return the canonical bytes of a recall log row."""
    return canonical_row(
        RowCode.RECALL,
        (
            row.n, row.asked, row.session, row.actor, row.query, row.outcome,
            int(row.label.data_class), row.label.untrusted, row.hits,
        ),
    )  # fmt: skip


def credential_bytes(row: CredentialRow) -> bytes:
    """Return the canonical bytes of a credential or of its revocation."""
    return canonical_row(
        RowCode.CREDENTIAL,
        (
            row.n, row.public_id, row.digest, row.actor, row.role,
            row.home, row.rights, row.made, row.revoked,
        ),
    )  # fmt: skip


def space_bytes(row: SpaceRow) -> bytes:
    """Return the canonical bytes of a space."""
    return canonical_row(RowCode.SPACE, (row.n, row.path, row.dial, row.class_max, row.made))


def actor_bytes(row: ActorRow) -> bytes:
    """Return the canonical bytes of an actor."""
    return canonical_row(RowCode.ACTOR, (row.n, row.name, row.role, row.made))
