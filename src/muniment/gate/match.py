"""Is what the intent names there, and is the caller's view of it fresh?"""

from muniment.domain.intent import Change, Connect, Intent, Judge, Lift, Remember
from muniment.gate.verdict import Known, Reason, Verdict, refuse


def refuse_stale_view(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a change that rests on an older version than the present one."""
    if not isinstance(intent, (Change, Judge)) or intent.expected_version is None or known.target is None:
        return None
    if intent.expected_version != known.target.number:
        return refuse(
            Reason.STALE_VIEW,
            rests_on=known.target.memory,
            detail=f"The present version is {known.target.number}.",
        )
    return None


def refuse_no_match(intent: Intent, known: Known) -> Verdict | None:
    """Refuse when the named memory, link end or evidence is not there for the caller (I7)."""
    if isinstance(intent, (Change, Judge, Connect)) and known.target is None:
        return refuse(Reason.NO_MATCH)
    if isinstance(intent, Lift) and known.target is None and known.case is None:
        return refuse(Reason.NO_MATCH)
    if isinstance(intent, Connect) and not known.other_end:
        return refuse(Reason.NO_MATCH)
    if isinstance(intent, (Remember, Change, Judge)) and known.sources_missing:
        return refuse(Reason.NO_MATCH, detail="An evidence id is not there for you.")
    if isinstance(intent, Connect) and known.duplicate_link:
        return refuse(Reason.UNCHANGED)
    return None
