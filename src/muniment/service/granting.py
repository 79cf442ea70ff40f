"""Which built-in rights held when?  Their digest is in the ledger, once for every change."""

from typing import NamedTuple

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.rights import RIGHTS, Peer, digest_of, granted
from muniment.ports import Snapshot
from muniment.service.deeds import allowed
from muniment.service.draft import Draft
from muniment.service.ground import Ground

DEED = "record_rights"
"""The act of the ledger's record."""

DENIED = "denied_call"
"""The act of the record of a call that was tried over a socket without the right to it."""


class Recorded(NamedTuple):
    """Hold a digest of rights as the ledger has it, and the position of its record."""

    digest: str
    position: int


def recorded(snapshot: Snapshot) -> Recorded | None:
    """Return the newest digest on record, None when the newest records hold none.

    At most `limits.rights_records_max` records are looked at.
    """
    before, left = 0, limits.rights_records_max
    while left > 0:
        page = Page(before, min(left, limits.page_rows_max), newest_first=True)
        records = snapshot.records(page)
        for record in records:
            fields = record.fields()
            if fields.get("act") == DEED and fields.get("outcome") == "stored":
                return Recorded(str(fields.get("digest")), record.position)
        if len(records) < page.limit or not records[-1].position:
            return None
        before, left = records[-1].position, left - len(records)
    return None


def record_rights(ground: Ground) -> Recorded | None:
    """Put the digest of this release's rights on record, unless the newest one there is the same.

    Returns what the ledger has then: None for a vault that takes no writes and has none.
    """
    digest = digest_of(RIGHTS)
    with ground.store.snapshot() as snapshot:
        found = recorded(snapshot)
    if not ground.outside.writable or (found is not None and found.digest == digest):
        return found
    principal = Principal(ground.tenant, "daemon", ActorRole.SYSTEM)
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed=DEED)
        count = sum(len(calls) for calls in RIGHTS.values())
        position = draft.commit(DEED, actor=actor, outcome="stored", digest=digest, rights=count)
    return Recorded(digest, position)


def record_denied(ground: Ground, principal: Principal, *, peer: Peer, call: str) -> int:
    """Put on record that a peer tried a call that it has no right to; return the record's position.

    `call` is one of the table, so that nothing that somebody sent gets into the ledger (I6).
    """
    assert not granted(peer, call) and any(granted(other, call) for other in Peer)
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = draft.actor(principal)
        return draft.commit(
            DENIED, actor=actor, outcome="refused", reason="other-socket", socket=peer.value, call=call
        )
