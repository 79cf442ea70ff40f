"""Which columns do the rarer rows have?  Values become what a statement takes."""

import json

from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.ids import packed
from muniment.domain.link import Link
from muniment.domain.matter import Matter
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import to_micros
from muniment.domain.tombstone import Tombstone
from muniment.store.codec import Value


def space_columns(row: SpaceRow) -> dict[str, Value]:
    """Return the columns of a space, without its seal."""
    return {
        "n": row.n,
        "path": row.path,
        "dial": row.dial,
        "class_max": row.class_max,
        "made": to_micros(row.made),
    }


def actor_columns(row: ActorRow) -> dict[str, Value]:
    """Return the columns of an actor, without its seal."""
    return {"n": row.n, "name": row.name, "role": row.role, "made": to_micros(row.made)}


def credential_columns(row: CredentialRow) -> dict[str, Value]:
    """Return the columns of a credential row, without its seal."""
    return {
        "n": row.n,
        "public_id": row.public_id,
        "digest": row.digest,
        "actor": row.actor,
        "role": row.role,
        "home": row.home,
        "rights": row.rights,
        "made": to_micros(row.made),
        "revoked": int(row.revoked),
    }


def session_columns(row: Conversation) -> dict[str, Value]:
    """Return the columns of a session, without its seal."""
    return {
        "n": row.n,
        "id": packed(row.id),
        "name": row.name,
        "space": row.space,
        "agent": row.agent,
        "started": to_micros(row.started),
        "title": row.title,
        "source": row.source,
        "class": int(row.label.data_class),
        "untrusted": int(row.label.untrusted),
        "turns": row.turns,
    }


def link_columns(row: Link) -> dict[str, Value]:
    """Return the columns of a link, without its seal."""
    return {
        "id": packed(row.id),
        "source": packed(row.source),
        "target": packed(row.target),
        "type": row.type.value,
        "weight": row.weight,
        "recorded": to_micros(row.recorded),
        "space": row.space,
        "actor": row.actor,
        "span_start": None if row.span is None else row.span.start,
        "span_end": None if row.span is None else row.span.end,
    }


def tombstone_columns(row: Tombstone) -> dict[str, Value]:
    """Return the columns of a tombstone, without its seal."""
    return {
        "id": packed(row.id),
        "memory": packed(row.memory),
        "space": row.space,
        "kind": row.kind.value,
        "plain": row.keys.plain,
        "folded": row.keys.folded,
        "skeleton": row.keys.skeleton,
        "slot": row.slot,
        "key_id": row.key_id,
        "normaliser": row.normaliser,
        "generation": row.generation,
        "actor": row.actor,
        "recorded": to_micros(row.recorded),
        "reason": row.reason,
        "lifted": int(row.lifted),
        "lifts": packed(row.lifts) if row.lifts else b"",
        "found_by": row.found_by,
    }


def recall_columns(row: RecallRow) -> dict[str, Value]:
    """Return the columns of a recall log row, without its seal."""
    return {
        "n": row.n,
        "asked": to_micros(row.asked),
        "session": row.session,
        "actor": row.actor,
        "query": row.query,
        "outcome": row.outcome,
        "class": int(row.label.data_class),
        "untrusted": int(row.label.untrusted),
        "hits": json.dumps(row.hits),
    }


def matter_columns(row: Matter) -> dict[str, Value]:
    """Return the columns of a row of a matter, without its seal."""
    return {
        "n": row.n,
        "id": packed(row.id),
        "kind": row.kind.value,
        "space": row.space,
        "state": row.state.value,
        "why": row.why,
        "class": int(row.label.data_class),
        "untrusted": int(row.label.untrusted),
        "actor": row.actor,
        "recorded": to_micros(row.recorded),
        "new_side": packed(row.new) if row.new else b"",
        "new_version": row.new_version,
        "old_side": packed(row.old) if row.old else b"",
        "old_version": row.old_version,
        "decision": row.decision,
        "body": row.body,
        "digest": row.digest,
        "reason": row.reason,
    }


def stub_columns(row: StubRow) -> dict[str, Value]:
    """Return the columns of a stub, without its seal."""
    return {
        "n": row.n,
        "code": int(row.code),
        "id": row.entry_id,
        "made_by": row.record,
        "place": row.index,
        "erasure": packed(row.erasure),
        "space": row.space,
        "origin": row.origin or None,
    }


def certificate_columns(row: CertificateRow) -> dict[str, Value]:
    """Return the columns of a certificate, without its seal."""
    return {
        "n": row.n,
        "erasure": packed(row.erasure),
        "status": row.status,
        "made": to_micros(row.made),
        "note": row.note,
    }
