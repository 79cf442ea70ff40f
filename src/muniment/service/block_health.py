"""Would a new session get what its blocks hold?  Looked at for every space, as an opening does."""

from dataclasses import replace

from muniment.domain.block_journal import KINDS, LANDED
from muniment.domain.changes import Page
from muniment.domain.check import Check
from muniment.domain.principal import Principal, local_owner
from muniment.domain.space import HOME
from muniment.errors import MunimentError
from muniment.ports import Snapshot
from muniment.service import baselines
from muniment.service.ground import Ground


def checked(ground: Ground) -> Check:
    """Return whether any block refuses new sessions, or has an entry that stands in no prompt.

    Names the space, the block and the place of each, never a text.  Nothing is stored.
    """
    if not ground.outside.writable:
        return Check("blocks", True, "A vault that cannot be written begins no session.")
    try:
        with ground.reading() as snapshot:
            paths = _paths(ground, snapshot)
    except MunimentError as error:
        return Check("blocks", False, error.sentence)
    owner = local_owner(ground.tenant)
    said = [f"In {path}: {one}" for path in paths for one in _wrong(ground, replace(owner, home=path))]
    return Check("blocks", not said, " ".join(said) or "Every block stands in the prompt of a new session.")


def _paths(ground: Ground, snapshot: Snapshot) -> list[str]:
    """Return the spaces with a block that was ever edited, in order."""
    newest, kinds = Page(limit=1, newest_first=True), [kind.value for kind in KINDS.values()]
    return sorted(
        row.path
        for row in ground.all_spaces(snapshot)
        if row.path == HOME or snapshot.matters_in((row.n,), kinds, (LANDED.value,), page=newest)
    )


def _wrong(ground: Ground, principal: Principal) -> tuple[str, ...]:
    try:
        return baselines.previewed(ground, principal, baselines.Wanted()).notices
    except MunimentError as error:
        return (error.sentence,)
