"""How are a vault's keys changed?  New ones for what comes, old ones for what was made."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from muniment.domain.principal import Principal
from muniment.errors import BadInput
from muniment.service.deeds import allowed, refuse_on_record
from muniment.service.draft import Draft
from muniment.service.ground import Ground


@runtime_checkable
class RotatingKeyring(Protocol):
    """Take new keys; the old ones stay for what was made with them."""

    def rotate_tombstone(self) -> int:
        """Add a tombstone key for new tombstones; return its number."""

    def rotate_signing(self, at: datetime) -> str:
        """Take a new signing key; return a note in which both keys sign the change."""


@dataclass(frozen=True, slots=True)
class Rotated:
    """Hold what a rotation did: the new tombstone key's number, the note of both signing keys, the record."""

    tombstone_key: int
    note: str
    record: int


def rotate_keys(ground: Ground, principal: Principal) -> Rotated:
    """Take new signing and tombstone keys, on record with the digest of the signed note.

    Raises Refusal for anyone but the owner and BadInput for keys that are only in memory.
    """
    keyring = ground.outside.keyring
    if not isinstance(keyring, RotatingKeyring):
        raise BadInput("These keys are only in memory and cannot be rotated.")
    refuse_on_record(ground, principal, deed="rotate_keys")
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed="rotate_keys")
        number = keyring.rotate_tombstone()
        note = keyring.rotate_signing(ground.outside.clock.now())
        digest = hashlib.sha256(note.encode()).hexdigest()
        # Every process that looks next sees another generation and takes the new keys in.
        draft.generation += 1
        record = draft.commit("rotate-keys", actor=actor, outcome="stored", tombstone_key=number, note=digest)
    return Rotated(number, note, record)
