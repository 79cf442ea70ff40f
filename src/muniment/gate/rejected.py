"""Is this a value that a person rejected?  Both sides are canonical (I4)."""

from muniment.domain.intent import Change, Intent, Judge, Remember
from muniment.domain.trust import Act
from muniment.gate.verdict import Known, Reason, Verdict, refuse

RESTORES = frozenset({Act.SUPPORT, Act.INCONCLUSIVE, Act.UPHOLD, Act.REVIVE})
"""Acts that bring a memory back among what is recalled."""


def refuse_rejected_value(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a rejected value, in whatever disguise the canonical forms see through.

    The plain form refuses everybody.  The look-alike forms also meet innocent neighbours
    (modern and modem), so there a person's own plain ASCII statement passes; with
    non-ASCII letters in it, it is a disguise and nobody passes.  An act that would bring
    a memory of that value back is refused like a statement of it.
    """
    if not known.tombstones or not _states_a_value(intent):
        return None
    for hit in known.tombstones:
        if not hit.look_alike_only:
            return refuse(Reason.REJECTED_VALUE, rests_on=hit.tombstone)
    hit = known.tombstones[0]
    if known.non_ascii_letters:
        return refuse(Reason.REJECTED_VALUE, rests_on=hit.tombstone)
    if intent.principal.is_person:
        return None
    return refuse(Reason.LOOK_ALIKE, rests_on=hit.tombstone)


def _states_a_value(intent: Intent) -> bool:
    if isinstance(intent, Judge):
        return intent.act in RESTORES
    return isinstance(intent, Remember | Change)
