"""Whose changes wait, and what may be approved?"""

from dataclasses import replace

import pytest

from muniment.domain.intent import Administer, Review
from muniment.domain.label import PUBLIC
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.trust import Act, Standing
from muniment.gate.judge import judge
from muniment.gate.review import AGENT as AGENTS
from muniment.gate.review import ALL, OFF, staged_for_review
from muniment.gate.verdict import Known, Outcome, Reason
from tests.gate.builders import AGENT, NOW, OWNER, act, change, connect, keyed, known, remember, version

OWN = Standing(person=True, author=True, rank_not_lower=True)
PROPOSAL = Matter(
    n=9,
    id="p_x",
    kind=MatterKind.PROPOSAL,
    space=1,
    state=MatterState.OPEN,
    why="review",
    label=PUBLIC,
    actor=7,
    recorded=NOW,
    digest=b"shown",
)


def asked(principal: object) -> list[tuple[object, Known]]:
    """Return one change of every kind that would be stored, and what is known of it."""
    target = known(target=version(), standing=OWN)
    return [
        (remember(principal=principal), known()),
        (remember(keyed(), principal=principal), known()),
        (change(principal=principal), target),
        (change("succeed", principal=principal), target),
        (act(Act.RETRACT, principal=principal), target),
        (connect(principal=principal), target),
    ]


@pytest.mark.parametrize(
    ("dial", "agents", "persons"), [(OFF, False, False), (AGENTS, True, False), (ALL, True, True)]
)
def test_the_dial_says_whose_changes_wait(dial: str, agents: bool, persons: bool) -> None:
    for principal, waits in ((AGENT, agents), (OWNER, persons)):
        for intent, where in asked(principal):
            verdict = judge(intent, replace(where, review=dial))
            assert (verdict.outcome is Outcome.STAGED) is waits, intent
            assert not waits or (verdict.reason, verdict.birth, verdict.closings) == (Reason.REVIEW, None, ())


def test_what_is_refused_or_changes_nothing_is_shown_to_nobody() -> None:
    refused = judge(remember(" ", principal=AGENT), known(review=ALL))
    assert refused.reason is Reason.EMPTY
    merged = judge(remember(principal=AGENT), known(review=ALL, same=(version(),)))
    assert merged.outcome is Outcome.MERGED
    deed = judge(Administer(OWNER, "reindex"), known(review=ALL))
    assert deed.outcome is Outcome.STORED
    assert staged_for_review(Administer(OWNER, "reindex"), known(review=ALL), deed) is None


def test_an_approved_change_does_not_wait_again() -> None:
    for intent, where in asked(AGENT):
        verdict = judge(intent, replace(where, review=ALL, approved=True))
        assert verdict.outcome is Outcome.STORED
    rival = version(keyed("Bern"))
    disputed = judge(remember(keyed(), principal=AGENT), known(review=ALL, approved=True, slot=(rival,)))
    assert disputed.outcome is Outcome.DISPUTED
    gone = judge(change(principal=AGENT), known(review=ALL, approved=True))
    assert gone.reason is Reason.NO_MATCH


def reviewed(proposal: Matter | None = PROPOSAL, *, approves: bool = True, **fields: object) -> Reason:
    intent = replace(Review(OWNER, "p_x", approves, digest=b"shown"), **fields)
    return judge(intent, known(case=proposal)).reason


def test_what_is_approved_is_what_was_shown() -> None:
    assert reviewed() is Reason.CLEAN
    assert reviewed(digest=b"other") is Reason.ALTERED
    assert reviewed(digest=b"") is Reason.ALTERED
    assert reviewed(digest=b"", approves=False) is Reason.CLEAN


@pytest.mark.parametrize("approves", [True, False])
def test_a_proposal_is_settled_once_and_by_a_person(approves: bool) -> None:
    for state in set(MatterState) - {MatterState.OPEN}:
        assert reviewed(replace(PROPOSAL, state=state), approves=approves) is Reason.CLOSED_CASE
    assert reviewed(None, approves=approves) is Reason.NO_MATCH
    assert reviewed(principal=AGENT, approves=approves) is Reason.PERSON_ONLY
    assert reviewed(reason="x" * 2001, approves=approves) is Reason.TOO_LONG
