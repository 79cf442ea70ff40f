"""What stands for a name that was erased: of a session, an actor or a part of a space's path?

A name that holds what was erased is kept as a keyed digest of it.  So whoever goes on under the
old name of a session goes on in it, with all that it has read, and nothing of the name is kept.
"""

import hashlib
from typing import TYPE_CHECKING

from muniment import limits
from muniment.domain.evidence import MARK
from muniment.domain.session import Conversation
from muniment.gate.characters import kept
from muniment.ports import Snapshot
from muniment.service.ground import Ground
from muniment.service.session_reading import refuse_loosened

if TYPE_CHECKING:
    from muniment.service.draft import Draft

_MARK_DIGITS = 16


def name_apart(given: str) -> str:
    """Return a session's name as it is kept: of one that cannot be kept as it is, with a mark of its own.

    Names that differ only in what is replaced or cut off name different conversations, and stay apart.
    """
    name = kept(given)[0]
    if name == given and len(name) <= limits.name_characters_max:
        return name
    mark = hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK_DIGITS]
    return f"{name[: limits.name_characters_max - _MARK_DIGITS - 1]}~{mark}"


def erased_name(ground: Ground, name: str) -> str:
    """Return what stands for an erased name; two names have two, and the same name always the same."""
    return f"{MARK} {ground.digest(b'erased-name', name).hex()}"


def kept_name(draft: "Draft", name: str) -> str:
    """Return the name under which a new session is kept."""
    return erased_name(draft.ground, name) if draft.is_erased(name) else name


def session_named(ground: Ground, snapshot: Snapshot, space: int, *, name: str) -> Conversation | None:
    """Return the session of a space that has, or had, this name; None when there is none.

    Raises Tampered for one whose label was loosened (I6).
    """
    found = snapshot.session(space, name)
    # Nothing was ever erased in a tenant without a tombstone.
    if found is None and snapshot.head().generation > 0:
        found = snapshot.session(space, erased_name(ground, name))
    if found is not None:
        refuse_loosened(ground, snapshot, found)
    return found
