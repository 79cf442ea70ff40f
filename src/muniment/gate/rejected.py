"""Is this a value that a person rejected?  Both sides are canonical (I4)."""

from muniment.domain.intent import Change, Decide, EditBlock, Intent, Judge, Remember
from muniment.domain.tombstone import TombstoneHit
from muniment.domain.trust import LIVE, Act
from muniment.gate.verdict import Known, Outcome, Reason, Verdict, refuse

RESTORES = frozenset({Act.SUPPORT, Act.INCONCLUSIVE, Act.UPHOLD, Act.REVIVE})
"""Acts that bring a memory back among what is recalled."""

REASON = "reason"
"""The part of an act that only an erased value counts in, whatever the act."""


def refuse_rejected_value(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a rejected or erased value, in whatever part and disguise it comes.

    The plain form refuses everybody.  The look-alike forms also meet innocent neighbours
    (modern and modem): there letters beyond ASCII are a disguise and nobody passes, a person's
    own plain ASCII statement passes, and another's waits for a person.  An act that would bring
    a memory of that value back is refused like a statement of it.
    """
    if not known.tombstones:
        return None
    counting = [hit for hit in known.tombstones if hit.part == REASON or _states_a_value(intent)]
    for hit in counting:
        if not hit.look_alike_only or hit.disguised:
            return refuse(Reason.REJECTED_VALUE, rests_on=hit.tombstone, detail=_where(hit))
    if not counting or intent.principal.is_person or _is_believed_here(intent, known):
        return None
    hit = counting[0]
    if isinstance(intent, EditBlock):
        return refuse(Reason.LOOK_ALIKE, rests_on=hit.tombstone, detail=_where(hit))
    return Verdict(Outcome.STAGED, Reason.LOOK_ALIKE, rests_on=hit.tombstone, detail=_where(hit))


def _is_believed_here(intent: Intent, known: Known) -> bool:
    """Return whether the very statement is live already, so that saying it again brings nothing in."""
    return isinstance(intent, Remember) and any(version.trust in LIVE for version in known.same)


def _where(hit: TombstoneHit) -> str:
    """Return which part holds the value, never the value."""
    if hit.part == "text" and not hit.within:
        return ""
    return f"It stands within the {hit.part}." if hit.within else f"The {hit.part} is it."


def _states_a_value(intent: Intent) -> bool:
    if isinstance(intent, Judge):
        return intent.act in RESTORES
    return isinstance(intent, (Remember, Change, Decide, EditBlock))
