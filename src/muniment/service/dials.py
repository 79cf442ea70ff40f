"""How do a space's dials stand, and who moved them?  One row a move, read by every later write."""

from muniment.domain.label import PUBLIC
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.principal import Principal
from muniment.errors import BadInput
from muniment.gate.conflict import DIALS
from muniment.gate.review import REVIEWS, SWITCHES
from muniment.service.deeds import allowed, refuse_on_record
from muniment.service.draft import Draft
from muniment.service.ground import Ground

SETTINGS = {"conflict": DIALS, "review": REVIEWS, "memory": SWITCHES, "user": SWITCHES}
"""The dials of a space, and how each may stand; the last two switch its blocks."""


def set_dial(ground: Ground, principal: Principal, space: str, *, dial: str, to: str) -> int:
    """Move a space's dial, on record; return the record's position.

    Raises BadInput for another dial, setting or space, and Refusal for who may not.
    """
    if to not in SETTINGS[dial]:
        raise BadInput(f"`{dial}` is {', '.join(SETTINGS[dial])}.")
    refuse_on_record(ground, principal, deed="set_dial")
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed="set_dial")
        row = draft.space(space)
        draft.add_matter(
            Matter(
                n=draft.number(),
                id=ground.outside.ids.new("d"),
                kind=MatterKind.DIAL,
                space=row.n,
                state=MatterState.DECIDED,
                why=dial,
                label=PUBLIC,
                actor=actor,
                recorded=draft.recorded,
                decision=to,
            )
        )
        # Every process that writes next sees another generation and reads the dials again.
        draft.generation += 1
        return draft.commit("set_dial", actor=actor, space=row.n, outcome="stored", dial=dial, to=to)


def current(ground: Ground) -> tuple[dict[int, str], dict[int, str]]:
    """Return how the dials for conflict and for review stand, by space; others stand as at first."""
    with ground.store.snapshot() as snapshot:
        ground.learn_dials(snapshot, snapshot.head().generation)
    return dict(ground.dials), dict(ground.reviews)


def blocks_off(ground: Ground, space: int) -> frozenset[str]:
    """Return the names of the blocks that are switched off in a space."""
    with ground.store.snapshot() as snapshot:
        ground.learn_dials(snapshot, snapshot.head().generation)
    return frozenset(block for n, block in ground.blocks_off if n == space)
