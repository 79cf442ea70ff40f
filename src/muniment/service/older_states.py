"""May an older state of a memory still be shown?  Not where it says what was rejected since (I4)."""

from muniment.domain.memory import Version
from muniment.ports import Snapshot
from muniment.service import watch
from muniment.service.ground import Ground


def is_kept_out(ground: Ground, snapshot: Snapshot, version: Version) -> bool:
    """Return whether a state says what nobody may state now in its space, as a whole or within.

    For states that another one took the place of: what the newest one says stands or falls with
    its trust.  Nothing is worked out while the tenant has no tombstone.
    """
    if snapshot.head().generation == 0:
        return False
    parts = watch.parts_of(version.claim, version.tags)
    return any(hit.keeps_out for hit in watch.met(ground, snapshot, parts, space=version.space))
