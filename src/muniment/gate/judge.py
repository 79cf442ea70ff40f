"""May this change happen?  Every mutation passes these steps, in this order (I1).

The order is the order of precedence of refusals: the first refusing step wins, so the
same request gets the same reason on every surface.  Later rooms add their steps to the
list at their place, review last.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from muniment.domain.intent import (
    Administer,
    Change,
    Connect,
    Decide,
    EditBlock,
    Intent,
    Judge,
    Lift,
    Remember,
    Review,
    Take,
)
from muniment.gate.birth import landed
from muniment.gate.conflict import settle_slot
from muniment.gate.decide import judge_case, refuse_closed_case
from muniment.gate.destination import refuse_bad_characters, refuse_bad_destination
from muniment.gate.grants import refuse_without_grant
from muniment.gate.match import refuse_no_match, refuse_stale_view
from muniment.gate.moves import connected, judge_change, judge_move
from muniment.gate.phrases import judge_phrases
from muniment.gate.rejected import refuse_rejected_value
from muniment.gate.review import refuse_closed_proposal, staged_for_review
from muniment.gate.sameness import merge_same
from muniment.gate.secrets import refuse_secret
from muniment.gate.shape import refuse_bad_shape
from muniment.gate.verdict import Known, Outcome, Reason, Verdict
from muniment.later import Later

if TYPE_CHECKING:
    from muniment.gate import block_rules
else:
    block_rules = Later("muniment.gate.block_rules")

Step = Callable[[Intent, Known], Verdict | None]

STEPS: tuple[Step, ...] = (
    refuse_without_grant,
    refuse_bad_shape,
    refuse_bad_destination,
    refuse_bad_characters,
    judge_phrases,
    refuse_secret,
    refuse_rejected_value,
    refuse_stale_view,
    refuse_no_match,
    refuse_closed_case,
    refuse_closed_proposal,
    merge_same,
    settle_slot,
)
"""The gate.  A step returns None to let the intent pass on."""


def judge(intent: Intent, known: Known) -> Verdict:
    """Return what becomes of `intent`, given all that is `known` under the lock.

    What a step leaves to a person is only staged when no later step refuses it: nobody is asked
    about a change that could not be made.
    """
    verdict, staged = _walked(intent, known)
    if verdict.refused or known.approved:
        return verdict
    return staged or staged_for_review(intent, known, verdict) or verdict


def _walked(intent: Intent, known: Known) -> tuple[Verdict, Verdict | None]:
    """Return the verdict of the steps, and the one that leaves it to a person."""
    staged: Verdict | None = None
    for step in STEPS:
        verdict = step(intent, known)
        if verdict is None:
            continue
        if verdict.outcome is not Outcome.STAGED:
            return verdict, staged
        staged = staged or verdict
    return _passed(intent, known), staged


def _passed(intent: Intent, known: Known) -> Verdict:
    """Return the verdict of an intent that no step stopped."""
    match intent:
        case Remember():
            return landed(intent, known)
        case Change():
            return judge_change(intent, known)
        case Judge():
            return judge_move(intent, known)
        case Decide():
            return judge_case(intent, known)
        case Connect():
            return connected(intent, known)
        case EditBlock():
            return block_rules.judge_edit(intent, known)
        case Lift() | Review() | Take() | Administer():
            return Verdict(Outcome.STORED, Reason.CLEAN)
