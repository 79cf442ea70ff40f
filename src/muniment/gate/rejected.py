"""Is this a value that a person rejected?  Both sides are canonical (I4)."""

from muniment.domain.intent import Change, Intent, Remember
from muniment.gate.verdict import Known, Reason, Verdict, refuse


def refuse_rejected_value(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a rejected value, in whatever disguise the canonical forms see through.

    The plain form refuses everybody.  The look-alike forms also meet innocent neighbours
    (modern and modem), so there a person's own plain ASCII statement passes; with
    non-ASCII letters in it, it is a disguise and nobody passes.
    """
    if not isinstance(intent, Remember | Change) or not known.tombstones:
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
