"""How is a declined edit of a block remembered?  By its texts, and a removal by a digest alone."""

from typing import TYPE_CHECKING

from muniment.domain.block import Block
from muniment.domain.block_edit import Applied
from muniment.domain.canonical import NORMALISER
from muniment.domain.ledger import keyed_digest
from muniment.domain.memory import Claim
from muniment.domain.tombstone import Keys, Tombstone, TombstoneKind
from muniment.later import Later
from muniment.service.burying import JOINT, Grave, all_tombstone_keys
from muniment.service.draft import Draft

if TYPE_CHECKING:
    from muniment.service import curate
else:
    curate = Later("muniment.service.curate")

_DECLINED = b"declined-removal"


def removal_declined(draft: Draft, block: Block, edit: Applied, *, space: int) -> str:
    """Return the tombstone of the same removal that a person declined, empty where there is none.

    An edit that brings a text in is known by its text; nothing is looked up while the tenant
    has no tombstone.
    """
    if edit.added or not edit.taken_out or draft.generation == 0:
        return ""
    keys = all_tombstone_keys(draft.ground)
    digests = [_digest(key, block, edit) for _, key in keys]
    standing = draft.transaction.tombstones_for(space, digests)
    return standing[0].id if standing else ""


def bury_declined(draft: Draft, grave: Grave, *, block: Block, edit: Applied) -> int:
    """Append what keeps a declined edit from coming back; return how many tombstones that are.

    `grave` says for whom and where; each text that the edit would have added is a rejected value.
    """
    for text in edit.added:
        told = curate.Buried(grave.memory, grave.space, Claim(text))
        curate.bury_claim(draft, told, grave.actor, reason=grave.reason)
    if edit.added or not edit.taken_out:
        return len(edit.added)
    _bury_removal(draft, grave, _digest(draft.ground.outside.keyring.tombstone_key, block, edit))
    return 1


def _bury_removal(draft: Draft, grave: Grave, digest: bytes) -> None:
    draft.generation += 1
    tombstone = Tombstone(
        id=draft.ground.outside.ids.new("t"),
        memory=grave.memory,
        space=grave.space,
        kind=TombstoneKind.REJECTED,
        keys=Keys(digest, digest, digest),
        slot=b"",
        key_id=draft.ground.outside.keyring.key_id,
        normaliser=NORMALISER,
        generation=draft.generation,
        actor=grave.actor,
        recorded=draft.recorded,
        reason=grave.reason,
    )
    draft.add_tombstone(tombstone, (digest,))


def _digest(key: bytes, block: Block, edit: Applied) -> bytes:
    """Return the keyed digest of a removal: the block and what goes, in whatever order it was named."""
    return keyed_digest(key, _DECLINED, JOINT.join((block.value, *sorted(edit.taken_out))))
