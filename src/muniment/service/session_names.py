"""Under which name is a session kept, and found again by who knows the name that was erased?

A name that holds what was erased is kept as a keyed digest of it.  So whoever goes on under the
old name goes on in the same session, with all that it has read, and nothing of the name is kept.
"""

from typing import TYPE_CHECKING

from muniment.domain.evidence import MARK
from muniment.domain.session import Conversation
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.service.ground import Ground

if TYPE_CHECKING:
    from muniment.service import watch
    from muniment.service.draft import Draft
else:
    watch = Later("muniment.service.watch")


def erased_name(ground: Ground, name: str) -> str:
    """Return what stands for an erased name; two names have two, and the same name always the same."""
    return f"{MARK} {ground.digest(b'session-name', name).hex()}"


def kept_name(draft: "Draft", name: str) -> str:
    """Return the name under which a new session is kept."""
    is_erased = draft.generation > 0 and watch.erased_spans(draft.ground, draft.transaction, name)
    return erased_name(draft.ground, name) if is_erased else name


def session_named(ground: Ground, snapshot: Snapshot, space: int, *, name: str) -> Conversation | None:
    """Return the session of a space that has, or had, this name; None when there is none."""
    found = snapshot.session(space, name)
    # Nothing was ever erased in a tenant without a tombstone.
    if found is None and snapshot.head().generation > 0:
        found = snapshot.session(space, erased_name(ground, name))
    return found
