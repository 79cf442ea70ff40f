"""How often was a model asked, for what, and what did it cost?  A row and a record each time (I6).

A matter of the kind `use` stands for each purpose, in the home space; each of its rows holds the sums
so far, so that the newest tells them.  The record of the row tells what was added.  Neither holds a
word of what was asked or answered.
"""

from collections.abc import Mapping
from dataclasses import replace

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.label import PUBLIC
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.model_use import Purpose, Use, use_of
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.space import HOME
from muniment.ports import Snapshot
from muniment.service.deeds import allowed
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered

DEED = "ask_model"
"""The act of the ledger's record."""


def record(ground: Ground, use: Use, *, purpose: Purpose, space: int) -> int:
    """Put a use of the model on record; return the record's position.

    `space` is the number of the space of what was asked about, 0 for none.  Raises what any write
    raises: a use that cannot be counted is never passed over in silence.
    """
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        principal = Principal(ground.tenant, "gate", ActorRole.SYSTEM)
        actor = allowed(ground, draft, principal, deed=DEED)
        row = _row(draft, purpose, use, actor=actor)
        draft.add_matter(row)
        return draft.commit(DEED, actor=actor, space=space, purpose=purpose.value, **use.members())


def _row(draft: Draft, purpose: Purpose, use: Use, *, actor: int) -> Matter:
    """Return the next row of a purpose: the sums of the last one and what is added."""
    home = draft.space(HOME)
    before = _standing(draft.ground, draft.transaction).get(purpose)
    if before is not None:
        sums = use_of(before.body) + use
        return replace(before, n=draft.number(), actor=actor, recorded=draft.recorded, body=sums.spelled())
    return Matter(
        n=draft.number(),
        id=draft.ground.outside.ids.new("u"),
        kind=MatterKind.USE,
        space=home.n,
        state=MatterState.DECIDED,
        why=purpose.value,
        label=PUBLIC,
        actor=actor,
        recorded=draft.recorded,
        body=use.spelled(),
    )


def used(ground: Ground, snapshot: Snapshot) -> Mapping[Purpose, Use]:
    """Return the use of the model so far, by purpose; a purpose that it was never asked for is left out."""
    return {purpose: use_of(row.body) for purpose, row in _standing(ground, snapshot).items()}


def _standing(ground: Ground, snapshot: Snapshot) -> dict[Purpose, Matter]:
    home = ground.space(snapshot, HOME)
    if home is None:
        return {}
    kinds, states = (MatterKind.USE.value,), (MatterState.DECIDED.value,)
    rows = snapshot.matters_in((home.n,), kinds, states, page=Page(0, limits.page_rows_max))
    refuse_altered(ground, snapshot, rows)
    return {Purpose(row.why): row for row in rows}
