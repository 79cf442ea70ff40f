"""What does a record say of a row, and does the row still say it?  One answer for every kind (I6)."""

from muniment.domain import rows as canonical
from muniment.domain.changes import Row
from muniment.domain.erased_rows import CertificateRow, StubRow, certificate_bytes, stub_bytes
from muniment.domain.evidence import Evidence
from muniment.domain.ids import PREFIXES, packed, spelled
from muniment.domain.ledger import RowCode, Seal, commitment, same_bytes
from muniment.domain.link import Link
from muniment.domain.matter import Matter, matter_bytes
from muniment.domain.memory import Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Tombstone

Committed = tuple[RowCode, bytes, bytes]
"""A row's kind, the 16 bytes that stand for it in a record, and its canonical bytes."""

_LETTERS = {kind: letter for letter, kind in PREFIXES.items()}
_LETTER_OF = {
    RowCode.VERSION: _LETTERS["memory"],
    RowCode.EVIDENCE: _LETTERS["evidence"],
    RowCode.LINK: _LETTERS["link"],
    RowCode.TOMBSTONE: _LETTERS["tombstone"],
    RowCode.SESSION: _LETTERS["session"],
}


def committed(row: Row) -> Committed:
    """Return what a record commits to for this row."""
    match row:
        case Version():
            return RowCode.VERSION, packed(row.memory)[1:], canonical.version_bytes(row)
        case Evidence():
            return RowCode.EVIDENCE, packed(row.id)[1:], canonical.evidence_bytes(row)
        case Link():
            return RowCode.LINK, packed(row.id)[1:], canonical.link_bytes(row)
        case Tombstone():
            return RowCode.TOMBSTONE, packed(row.id)[1:], canonical.tombstone_bytes(row)
        case Conversation():
            return RowCode.SESSION, packed(row.id)[1:], canonical.session_bytes(row)
        case _:
            return _numbered(row)


def _numbered(
    row: RecallRow | CredentialRow | SpaceRow | ActorRow | Matter | StubRow | CertificateRow,
) -> Committed:
    number = row.n.to_bytes(16, "big")
    match row:
        case RecallRow():
            return RowCode.RECALL, number, canonical.recall_bytes(row)
        case CredentialRow():
            return RowCode.CREDENTIAL, number, canonical.credential_bytes(row)
        case SpaceRow():
            return RowCode.SPACE, number, canonical.space_bytes(row)
        case ActorRow():
            return RowCode.ACTOR, number, canonical.actor_bytes(row)
        case Matter():
            return RowCode.MATTER, number, matter_bytes(row)
        case StubRow():
            return RowCode.STUB, number, stub_bytes(row)
        case CertificateRow():
            return RowCode.CERTIFICATE, number, certificate_bytes(row)


def holds(key: bytes, row: Row, seal: Seal, *, entry: bytes) -> bool:
    """Return whether a row is the one that its record's entry commits to."""
    return is_bound(key, committed(row), seal, entry=entry)


def is_bound(key: bytes, made: Committed, seal: Seal, *, entry: bytes) -> bool:
    """Return whether `entry` commits to what was worked out of a row."""
    code, id, row = made
    return same_bytes(bytes((code,)) + id + commitment(key, seal.salt, row), entry)


def named(code: RowCode, id: bytes) -> str:
    """Return the id that a record's entry stands for; a numbered row is `kind/number`."""
    letter = _LETTER_OF.get(code)
    number = int.from_bytes(id, "big")
    return f"{letter}_{spelled(number)}" if letter else f"{code.name.lower()}/{number}"
