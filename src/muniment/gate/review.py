"""Must a person see this first?  The space's dial says whose writes wait, last of all (H8)."""

from collections.abc import Mapping
from types import MappingProxyType

from muniment.domain.intent import Change, Connect, EditBlock, Intent, Judge, Remember, Review
from muniment.domain.matter import MatterState
from muniment.gate.verdict import Known, Outcome, Reason, Verdict, refuse

OFF, AGENT, ALL = "off", "agent", "all"

REVIEWS: Mapping[str, str] = MappingProxyType(
    {
        OFF: "nothing waits",
        AGENT: "what no person asked for by their own hand waits for one",
        ALL: "every change waits, a person's own too",
    }
)
"""Settings of a space for review."""

SWITCHES: Mapping[str, str] = MappingProxyType(
    {
        "on": "the block stands in every prompt of the space and takes edits",
        "off": "the block is in no prompt and takes no edit; what it holds is kept",
    }
)
"""Settings of a space for one of its blocks."""


def refuse_closed_proposal(intent: Intent, known: Known) -> Verdict | None:
    """Refuse to settle a proposal that is not there, is settled, or is not the one that was shown."""
    if not isinstance(intent, Review):
        return None
    proposal = known.case
    if proposal is None:
        return refuse(Reason.NO_MATCH)
    if proposal.state is not MatterState.OPEN:
        return refuse(Reason.CLOSED_CASE, rests_on=proposal.id)
    if intent.approves and intent.digest != proposal.digest:
        return refuse(Reason.ALTERED, rests_on=proposal.id)
    return None


def staged_for_review(intent: Intent, known: Known, verdict: Verdict) -> Verdict | None:
    """Return the verdict that lets a change wait for a person, or None when the dial asks for none.

    What changes nothing is not shown to anybody, and neither is a note, which is in no prompt;
    what a person declined is not asked again.
    """
    if verdict.outcome not in (Outcome.STORED, Outcome.DISPUTED) or known.review == OFF:
        return None
    if not isinstance(intent, Remember | Change | Judge | Connect | EditBlock):
        return None
    if known.review == AGENT and intent.principal.is_person:
        return None
    if known.declined:
        return refuse(Reason.DECLINED_BEFORE, rests_on=known.declined)
    return Verdict(Outcome.STAGED, Reason.REVIEW, rests_on=verdict.rests_on)
