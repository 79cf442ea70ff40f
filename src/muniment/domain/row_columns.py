"""Which columns does each kind of row have outside the store?  Every one, and both ways.

Reading refuses with KeyError, TypeError or ValueError; `exchange` says what that means.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from muniment.domain.changes import Row
from muniment.domain.erased_rows import CertificateRow, StubRow, certificate_of, erased_members, stub_of
from muniment.domain.evidence import Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import RowCode
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter, matter_columns, matter_of
from muniment.domain.members import Fields, flag, moment, number, perhaps, raw, text, texts
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.tombstone import Keys, Tombstone, TombstoneKind
from muniment.domain.trust import Rank, Trust


def _micros(when: datetime | None) -> int | None:
    return None if when is None else to_micros(when)


def _label(label: Label) -> dict[str, object]:
    return {"class": label.data_class.name.lower(), "untrusted": label.untrusted}


def _label_of(fields: Fields) -> Label:
    return Label(DataClass[text(fields, "class").upper()], flag(fields, "untrusted"))


def _version(row: Version) -> dict[str, object]:
    claim = row.claim
    return {
        "memory": row.memory,
        "number": row.number,
        "n": row.n,
        "space": row.space,
        "kind": row.kind.value,
        "text": claim.text,
        "about": claim.about,
        "attribute": claim.attribute,
        "value": claim.value,
        "many": claim.many,
        "valid_from": to_micros(row.valid.start),
        "valid_until": _micros(row.valid.end),
        "recorded": to_micros(row.recorded),
        "trust": row.trust.value,
        "before": row.before.value,
        "rank": row.rank.name.lower(),
        **_label(row.label),
        "author": row.author,
        "actor": row.actor,
        "act": row.act,
        "value_digest": row.digests.value.hex(),
        "slot_digest": row.digests.slot.hex(),
        "reason": row.reason,
        "session": row.session,
        "occurred_at": _micros(row.occurred_at),
        "asserted_at": _micros(row.asserted_at),
        "expires_at": _micros(row.expires_at),
        "tags": list(row.tags),
    }


def _version_of(f: Fields) -> Version:
    claim = Claim(text(f, "text"), text(f, "about"), text(f, "attribute"), text(f, "value"), flag(f, "many"))
    return Version(
        memory=text(f, "memory"),
        number=number(f, "number"),
        n=number(f, "n"),
        space=number(f, "space"),
        kind=Kind(text(f, "kind")),
        claim=claim,
        valid=Interval(moment(f, "valid_from"), perhaps(f, "valid_until")),
        recorded=moment(f, "recorded"),
        trust=Trust(text(f, "trust")),
        before=Trust(text(f, "before")),
        rank=Rank[text(f, "rank").upper()],
        label=_label_of(f),
        author=number(f, "author"),
        actor=number(f, "actor"),
        act=text(f, "act"),
        digests=Digests(raw(f, "value_digest"), raw(f, "slot_digest")),
        reason=text(f, "reason"),
        session=number(f, "session"),
        occurred_at=perhaps(f, "occurred_at"),
        asserted_at=perhaps(f, "asserted_at"),
        expires_at=perhaps(f, "expires_at"),
        tags=texts(f, "tags"),
    )


def _evidence(row: Evidence) -> dict[str, object]:
    return {
        "id": row.id,
        "n": row.n,
        "space": row.space,
        "kind": row.kind.value,
        "text": row.text,
        "recorded": to_micros(row.recorded),
        **_label(row.label),
        "author": row.author,
        "session": row.session,
        "sequence": row.sequence,
        "role": row.role.value,
        "speaker": row.speaker,
        "source": row.source,
        "origin": row.origin.hex(),
        "occurred_at": _micros(row.occurred_at),
        "state": row.state.value,
        "replaced": row.replaced,
        "parent": row.parent,
    }


def _evidence_of(f: Fields) -> Evidence:
    return Evidence(
        id=text(f, "id"),
        n=number(f, "n"),
        space=number(f, "space"),
        kind=EvidenceKind(text(f, "kind")),
        text=text(f, "text"),
        recorded=moment(f, "recorded"),
        label=_label_of(f),
        author=number(f, "author"),
        session=number(f, "session"),
        sequence=number(f, "sequence"),
        role=Role(text(f, "role")),
        speaker=text(f, "speaker"),
        source=text(f, "source"),
        origin=raw(f, "origin"),
        occurred_at=perhaps(f, "occurred_at"),
        state=TurnState(text(f, "state")),
        replaced=number(f, "replaced"),
        parent=text(f, "parent"),
    )


def _link(row: Link) -> dict[str, object]:
    return {
        "id": row.id,
        "source": row.source,
        "target": row.target,
        "type": row.type.value,
        "weight": row.weight,
        "recorded": to_micros(row.recorded),
        "space": row.space,
        "actor": row.actor,
        "span": None if row.span is None else [row.span.start, row.span.end],
    }


def _link_of(f: Fields) -> Link:
    weight = f["weight"]
    if not isinstance(weight, float):
        raise TypeError("weight")
    return Link(
        id=text(f, "id"),
        source=text(f, "source"),
        target=text(f, "target"),
        type=LinkType(text(f, "type")),
        weight=weight,
        recorded=moment(f, "recorded"),
        space=number(f, "space"),
        actor=number(f, "actor"),
        span=None if f["span"] is None else _span_of(f["span"]),
    )


def _span_of(found: object) -> Span:
    if not isinstance(found, list):
        raise TypeError("span")
    start, end = found
    return Span(number({"span": start}, "span"), number({"span": end}, "span"))


def _tombstone(row: Tombstone) -> dict[str, object]:
    return {
        "id": row.id,
        "memory": row.memory,
        "space": row.space,
        "kind": row.kind.value,
        "keys": [key.hex() for key in row.keys.all],
        "slot": row.slot.hex(),
        "key_id": row.key_id,
        "normaliser": row.normaliser,
        "generation": row.generation,
        "actor": row.actor,
        "recorded": to_micros(row.recorded),
        "reason": row.reason,
        "lifted": row.lifted,
        "lifts": row.lifts,
        "found_by": row.found_by.hex(),
    }


def _tombstone_of(f: Fields) -> Tombstone:
    plain, folded, skeleton = (bytes.fromhex(key) for key in texts(f, "keys"))
    return Tombstone(
        id=text(f, "id"),
        memory=text(f, "memory"),
        space=number(f, "space"),
        kind=TombstoneKind(text(f, "kind")),
        keys=Keys(plain, folded, skeleton),
        slot=raw(f, "slot"),
        key_id=number(f, "key_id"),
        normaliser=text(f, "normaliser"),
        generation=number(f, "generation"),
        actor=number(f, "actor"),
        recorded=moment(f, "recorded"),
        reason=text(f, "reason"),
        lifted=flag(f, "lifted"),
        lifts=text(f, "lifts"),
        found_by=raw(f, "found_by"),
    )


def _session(row: Conversation) -> dict[str, object]:
    return {
        "id": row.id,
        "n": row.n,
        "name": row.name,
        "space": row.space,
        "agent": row.agent,
        "started": to_micros(row.started),
        **_label(row.label),
        "turns": row.turns,
        "title": row.title,
        "source": row.source,
    }


def _session_of(f: Fields) -> Conversation:
    return Conversation(
        id=text(f, "id"),
        n=number(f, "n"),
        name=text(f, "name"),
        space=number(f, "space"),
        agent=text(f, "agent"),
        started=moment(f, "started"),
        label=_label_of(f),
        turns=number(f, "turns"),
        title=text(f, "title"),
        source=text(f, "source"),
    )


def _recall(row: RecallRow) -> dict[str, object]:
    return {
        "n": row.n,
        "asked": to_micros(row.asked),
        "session": row.session,
        "actor": row.actor,
        "query": row.query,
        "outcome": row.outcome,
        **_label(row.label),
        "hits": list(row.hits),
    }


def _recall_of(f: Fields) -> RecallRow:
    return RecallRow(
        n=number(f, "n"),
        asked=moment(f, "asked"),
        session=number(f, "session"),
        actor=number(f, "actor"),
        query=text(f, "query"),
        outcome=text(f, "outcome"),
        label=_label_of(f),
        hits=texts(f, "hits"),
    )


def _credential(row: CredentialRow) -> dict[str, object]:
    return {
        "n": row.n,
        "public_id": row.public_id,
        "digest": row.digest.hex(),
        "actor": row.actor,
        "role": row.role,
        "home": row.home,
        "rights": row.rights,
        "made": to_micros(row.made),
        "revoked": row.revoked,
    }


def _credential_of(f: Fields) -> CredentialRow:
    return CredentialRow(
        n=number(f, "n"),
        public_id=text(f, "public_id"),
        digest=raw(f, "digest"),
        actor=text(f, "actor"),
        role=text(f, "role"),
        home=text(f, "home"),
        rights=text(f, "rights"),
        made=moment(f, "made"),
        revoked=flag(f, "revoked"),
    )


def _space(row: SpaceRow) -> dict[str, object]:
    return {
        "n": row.n,
        "path": row.path,
        "dial": row.dial,
        "class_max": row.class_max,
        "made": to_micros(row.made),
    }


def _space_of(f: Fields) -> SpaceRow:
    return SpaceRow(
        number(f, "n"), text(f, "path"), text(f, "dial"), number(f, "class_max"), moment(f, "made")
    )


def _actor(row: ActorRow) -> dict[str, object]:
    return {"n": row.n, "name": row.name, "role": row.role, "made": to_micros(row.made)}


def _actor_of(f: Fields) -> ActorRow:
    return ActorRow(number(f, "n"), text(f, "name"), text(f, "role"), moment(f, "made"))


def _matter_of(f: Fields) -> Matter:
    return matter_of(f, _label_of(f))


NAMES: Mapping[RowCode, str] = MappingProxyType({code: code.name.lower() for code in RowCode})
"""What each kind of row is called in an export."""

_READ: Mapping[RowCode, Callable[[Fields], Row]] = MappingProxyType(
    {
        RowCode.VERSION: _version_of,
        RowCode.EVIDENCE: _evidence_of,
        RowCode.LINK: _link_of,
        RowCode.TOMBSTONE: _tombstone_of,
        RowCode.SESSION: _session_of,
        RowCode.RECALL: _recall_of,
        RowCode.CREDENTIAL: _credential_of,
        RowCode.SPACE: _space_of,
        RowCode.ACTOR: _actor_of,
        RowCode.MATTER: _matter_of,
        RowCode.STUB: stub_of,
        RowCode.CERTIFICATE: certificate_of,
    }
)


def row_of(code: RowCode, fields: Fields) -> Row:
    """Return the row that the members spell; raises KeyError, TypeError or ValueError."""
    return _READ[code](fields)


def columns(row: Row) -> tuple[RowCode, dict[str, object]]:
    """Return the kind of a row and its members, every column of it."""
    match row:
        case Version():
            return RowCode.VERSION, _version(row)
        case Evidence():
            return RowCode.EVIDENCE, _evidence(row)
        case Link():
            return RowCode.LINK, _link(row)
        case Tombstone():
            return RowCode.TOMBSTONE, _tombstone(row)
        case Conversation():
            return RowCode.SESSION, _session(row)
        case _:
            return _small(row)


def _small(
    row: RecallRow | CredentialRow | SpaceRow | ActorRow | Matter | StubRow | CertificateRow,
) -> tuple[RowCode, dict[str, object]]:
    match row:
        case RecallRow():
            return RowCode.RECALL, _recall(row)
        case CredentialRow():
            return RowCode.CREDENTIAL, _credential(row)
        case SpaceRow():
            return RowCode.SPACE, _space(row)
        case ActorRow():
            return RowCode.ACTOR, _actor(row)
        case Matter():
            return RowCode.MATTER, matter_columns(row, _label(row.label))
        case StubRow() | CertificateRow():
            return erased_members(row)
