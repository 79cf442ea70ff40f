"""Who holds this key?  Keys are made and revoked on record, and checked on every call (I7)."""

import json

from muniment.domain import credential
from muniment.domain.principal import ActorRole, Principal
from muniment.errors import BadCredential
from muniment.service.ground import Ground

_UNKNOWN = "The key is unknown or revoked."


def principal_of(ground: Ground, key: str) -> Principal:
    """Return who holds `key`; unknown and revoked keys are refused alike with BadCredential."""
    asked = credential.parsed(key)
    with ground.store.snapshot() as snapshot:
        rows = [sealed.row for sealed in snapshot.credential(asked.public_id)]
    if not rows or rows[-1].revoked or not credential.opens(asked, rows[0].digest):
        raise BadCredential(_UNKNOWN)
    row = rows[0]
    rights = json.loads(row.rights)
    return Principal(
        tenant=ground.tenant,
        actor=row.actor,
        role=ActorRole(row.role),
        home=row.home,
        read_roots=tuple(rights.get("reads", ())),
        write_spaces=tuple(rights.get("writes", ())),
        credential=row.public_id,
    )
