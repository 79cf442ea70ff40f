"""How do rows become values, and values rows?  Numbers for enumerations, bytes for ids."""

import json
import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from muniment import limits
from muniment.domain.changes import HeadSeal
from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.evidence import Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.ids import unpacked
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import Record, RowCode, Seal, TenantHead
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import Interval, from_micros, to_micros
from muniment.domain.tombstone import Anchor, Keys, Tombstone, TombstoneKind
from muniment.domain.trust import Rank, Trust
from muniment.store.written import bytes_of, decoded, held

Value = int | float | str | bytes | None
"""What a statement takes."""

Columns = tuple[Any, ...]
"""What a statement returns: the database's own types, decoded here and nowhere else."""

TRUSTS = (
    Trust.CANDIDATE, Trust.BELIEVED, Trust.DISPUTED, Trust.REFUTED,
    Trust.REJECTED, Trust.SUPERSEDED, Trust.RETIRED,
)  # fmt: skip
"""Numbers of the states; the queries know that the live ones come first."""

KINDS = tuple(Kind)
EVIDENCE_KINDS = tuple(EvidenceKind)
ROLES = tuple(Role)
STATES = (TurnState.LIVE, TurnState.ARCHIVED, TurnState.REWOUND)

TRUST_NUMBER = {trust: number for number, trust in enumerate(TRUSTS)}
KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
EVIDENCE_NUMBER = {kind: number for number, kind in enumerate(EVIDENCE_KINDS)}
ROLE_NUMBER = {role: number for number, role in enumerate(ROLES)}
STATE_NUMBER = {state: number for number, state in enumerate(STATES)}
_PLAIN, _PRESSED = b"\x00", b"\x01"

# There are few, and every row of a page has one.
_LABELS = {(int(one), taint): Label(one, taint) for one in DataClass for taint in (False, True)}


def micros(moment: datetime | None) -> int | None:
    """Return microseconds, or None for None."""
    return None if moment is None else to_micros(moment)


def moment(value: int | None) -> datetime | None:
    """Return the moment of a nullable column."""
    return None if value is None else from_micros(value)


def trust_numbers(trusts: Sequence[Trust | str]) -> list[int]:
    """Return the numbers of some states."""
    return [TRUST_NUMBER[Trust(trust)] for trust in trusts]


def kind_numbers(kinds: Sequence[str]) -> list[int]:
    """Return the numbers of memory kinds; a name of another sort becomes -1: no match."""
    known = {kind.value: number for kind, number in KIND_NUMBER.items()}
    return [known.get(kind, -1) for kind in kinds]


def evidence_kind_numbers(kinds: Sequence[str]) -> list[int]:
    """Return the numbers of evidence kinds; a name of another sort becomes -1: no match."""
    known = {kind.value: number for kind, number in EVIDENCE_NUMBER.items()}
    return [known.get(kind, -1) for kind in kinds]


def pressed(terms: str) -> bytes:
    """Return stored bytes of a term list, one space between terms: compressed when long."""
    if not terms:
        return b""
    plain = terms.encode("utf-8", "surrogatepass")
    if len(plain) <= limits.stored_terms_plain_bytes_max:
        return _PLAIN + plain
    return _PRESSED + zlib.compress(plain, 1)


def term_text(stored: bytes) -> str:
    """Return the term list as text, one space between terms."""
    if not stored:
        return ""
    body = stored[1:] if stored[:1] == _PLAIN else zlib.decompress(stored[1:])
    return body.decode("utf-8", "surrogatepass")


bytes_in = decoded(bytes_of)
"""Return the bytes in a column; raises Tampered for what is none."""

id_of = decoded(unpacked)
"""Return the id of a column; raises Tampered for what is none."""


@decoded
def key_of(column: int | None) -> int:
    """Return the row number in a column, 0 for none; raises Tampered for what is no number."""
    held(int, column or 0)
    return column or 0


@decoded
def version_of(row: Columns) -> Version:
    """Return the version in the first 29 columns of a row."""
    (memory, number, n, space, kind, text, about, attribute, value, many, start, end, recorded,
     trust, before, rank, data_class, untrusted, author, actor, act, value_digest, slot_digest,
     reason, session, occurred, asserted, expires, tags) = row[:29]  # fmt: skip
    about, attribute, value, reason = about or "", attribute or "", value or "", reason or ""
    slot_digest, words = slot_digest or b"", json.loads(tags) if tags else ()
    held(int, number, n, space, author, actor, session)
    held(str, text, about, attribute, value, act, reason, *words)
    held(bytes, value_digest, slot_digest)
    return Version(
        memory=unpacked(memory),
        number=number,
        n=n,
        space=space,
        kind=KINDS[kind],
        claim=Claim(text, about, attribute, value, bool(many)),
        valid=Interval(from_micros(start), moment(end)),
        recorded=from_micros(recorded),
        trust=TRUSTS[trust],
        before=TRUSTS[before],
        rank=Rank(rank),
        label=_LABELS[data_class, bool(untrusted)],
        author=author,
        actor=actor,
        act=act,
        digests=Digests(value_digest, slot_digest),
        reason=reason,
        session=session,
        occurred_at=moment(occurred),
        asserted_at=moment(asserted),
        expires_at=moment(expires),
        tags=tuple(words),
    )


@decoded
def head_seal_of(row: Columns) -> HeadSeal:
    """Return the sealed head of a row."""
    memory, number, n, trust, mac = row
    held(int, number, n)
    return HeadSeal(unpacked(memory), number, n, TRUSTS[trust], bytes_of(mac))


@decoded
def evidence_of(row: Columns) -> Evidence:
    """Return the evidence item in the first 19 columns of a row."""
    (id, n, space, kind, text, recorded, data_class, untrusted, author, session, sequence,
     role, speaker, source, origin, occurred, state, replaced, parent) = row[:19]  # fmt: skip
    held(int, n, space, author, session, sequence, replaced)
    held(str, text, speaker, source, parent)
    return Evidence(
        id=unpacked(id),
        n=n,
        space=space,
        kind=EVIDENCE_KINDS[kind],
        text=text,
        recorded=from_micros(recorded),
        label=_LABELS[data_class, bool(untrusted)],
        author=author,
        session=session,
        sequence=sequence,
        role=ROLES[role],
        speaker=speaker,
        source=source,
        origin=bytes_of(origin or b""),
        occurred_at=moment(occurred),
        state=STATES[state],
        replaced=replaced,
        parent=parent,
    )


@decoded
def link_of(row: Columns) -> Link:
    """Return the link in the first ten columns of a row."""
    id, source, target, type, weight, recorded, space, actor, start, end = row[:10]
    held(int, space, actor, *(() if start is None else (start, end)))
    return Link(
        id=unpacked(id),
        source=unpacked(source),
        target=unpacked(target),
        type=LinkType(type),
        weight=float(weight),
        recorded=from_micros(recorded),
        space=space,
        actor=actor,
        span=None if start is None else Span(start, end),
    )


@decoded
def tombstone_of(row: Columns) -> Tombstone:
    """Return the tombstone in the first 17 columns of a row."""
    (id, memory, space, kind, plain, folded, skeleton, slot, key_id, normaliser,
     generation, actor, recorded, reason, lifted, lifts, found_by) = row[:17]  # fmt: skip
    held(int, space, key_id, generation, actor)
    held(str, normaliser, reason)
    held(bytes, plain, folded, skeleton, slot, found_by)
    return Tombstone(
        id=unpacked(id),
        memory=unpacked(memory),
        space=space,
        kind=TombstoneKind(kind),
        keys=Keys(plain, folded, skeleton),
        slot=slot,
        key_id=key_id,
        normaliser=normaliser,
        generation=generation,
        actor=actor,
        recorded=from_micros(recorded),
        reason=reason,
        lifted=bool(lifted),
        lifts=unpacked(lifts) if lifts else "",
        found_by=found_by,
    )


@decoded
def anchor_of(row: Columns) -> tuple[str, Anchor]:
    """Return the tombstone and the anchor in the first two columns of a row."""
    return unpacked(row[0]), Anchor.unpacked(row[1])


@decoded
def label_of(row: Columns) -> Label:
    """Return the label in the first two columns of a row."""
    data_class, untrusted = row[:2]
    return _LABELS[data_class, bool(untrusted)]


@decoded
def session_of(row: Columns) -> Conversation:
    """Return the session in the first eleven columns of a row."""
    id, n, name, space, agent, started, data_class, untrusted, turns, title, source = row[:11]
    held(int, n, space, turns)
    held(str, name, agent, title, source)
    return Conversation(
        id=unpacked(id),
        n=n,
        name=name,
        space=space,
        agent=agent,
        started=from_micros(started),
        label=_LABELS[data_class, bool(untrusted)],
        turns=turns,
        title=title,
        source=source,
    )


@decoded
def space_of(row: Columns) -> SpaceRow:
    """Return the space in the first five columns of a row."""
    n, path, dial, class_max, made = row[:5]
    held(int, n, class_max)
    held(str, path, dial)
    return SpaceRow(n, path, dial, class_max, from_micros(made))


@decoded
def actor_of(row: Columns) -> ActorRow:
    """Return the actor in the first four columns of a row."""
    n, name, role, made = row[:4]
    held(int, n)
    held(str, name, role)
    return ActorRow(n, name, role, from_micros(made))


@decoded
def credential_of(row: Columns) -> CredentialRow:
    """Return the credential row in the first nine columns of a row."""
    n, public_id, digest, actor, role, home, rights, made, revoked = row[:9]
    held(int, n)
    held(str, public_id, actor, role, home, rights)
    bytes_of(digest)
    return CredentialRow(n, public_id, digest, actor, role, home, rights, from_micros(made), bool(revoked))


@decoded
def recall_of(row: Columns) -> RecallRow:
    """Return the recall log row in the first nine columns of a row."""
    n, asked, session, actor, query, outcome, data_class, untrusted, hits = row[:9]
    label = _LABELS[data_class, bool(untrusted)]
    ids = json.loads(hits)
    held(int, n, session, actor)
    held(str, query, outcome, *ids)
    return RecallRow(n, from_micros(asked), session, actor, query, outcome, label, tuple(ids))


@decoded
def matter_of(row: Columns) -> Matter:
    """Return the row of a matter in the first eighteen columns of a row."""
    n, id, kind, space, state, why, data_class, untrusted, actor, recorded = row[:10]
    new, new_version, old, old_version, decision, body, digest, reason = row[10:18]
    held(int, n, space, actor, new_version, old_version)
    held(str, why, decision, body, reason)
    return Matter(
        n=n,
        id=unpacked(id),
        kind=MatterKind(kind),
        space=space,
        state=MatterState(state),
        why=why,
        label=_LABELS[data_class, bool(untrusted)],
        actor=actor,
        recorded=from_micros(recorded),
        new=unpacked(new) if new else "",
        new_version=new_version,
        old=unpacked(old) if old else "",
        old_version=old_version,
        decision=decision,
        body=body,
        digest=bytes_of(digest),
        reason=reason,
    )


@decoded
def stub_of(row: Columns) -> StubRow:
    """Return the stub in the first eight columns of a row."""
    n, code, id, made_by, index, erasure, space, origin = row[:8]
    held(int, n, made_by, index, space)
    bytes_of(origin or b"")
    return StubRow(n, RowCode(code), bytes_of(id), made_by, index, unpacked(erasure), space, origin or b"")


@decoded
def certificate_of(row: Columns) -> CertificateRow:
    """Return the certificate in the first five columns of a row."""
    n, erasure, status, made, note = row[:5]
    held(int, n)
    held(str, status, note)
    return CertificateRow(n, unpacked(erasure), status, from_micros(made), note)


@decoded
def record_of(row: Columns) -> Record:
    """Return the ledger record of a row."""
    position, recorded, head, rows = row
    held(int, position)
    return Record(position, from_micros(recorded), bytes_of(head), bytes_of(rows))


@decoded
def head_of(row: Columns) -> TenantHead:
    """Return the tenant's head of a row."""
    vault, size, frontier, recorded, next_n, generation, epoch, analyser, mac = row
    held(int, size, recorded, next_n, generation, epoch)
    held(str, vault, analyser)
    held(bytes, frontier, mac)
    return TenantHead(*row)


def head_columns(head: TenantHead) -> dict[str, Value]:
    """Return the columns of the tenant's head."""
    return {
        "vault": head.vault,
        "size": head.size,
        "frontier": head.frontier,
        "recorded": head.recorded,
        "next_n": head.next_n,
        "generation": head.generation,
        "epoch": head.epoch,
        "analyser": head.analyser,
        "mac": head.mac,
    }


def seal_columns(seal: Seal) -> dict[str, Value]:
    """Return the columns of a seal."""
    return {"salt": seal.salt, "record": seal.record, "idx": seal.index}


@decoded
def seal_of(row: Columns) -> Seal:
    """Return the seal in the last three columns of a row."""
    salt, record, index = row[-3:]
    return Seal(bytes_of(salt), int(record), int(index))
