"""Does an erasure keep what only stood beside what goes, and leave it so that a person can decide it?"""

import pytest

from muniment.domain.trust import Trust
from muniment.errors import NotFound
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import CODE

BIRDS, FISH = "Herons nest on the quay", "Otters eat fish at night"


def said(vault: Vault, text: str, *sources: str, kind: str = "fact") -> str:
    return stored(vault.remember(text, evidence=list(sources), kind=kind)).id


def turn(vault: Vault, text: str) -> str:
    return vault.session("talk", agent="coder").append("user", text).evidence[0]


def is_there(vault: Vault, id: str) -> bool:
    try:
        return bool(vault.read(id, include_rejected=True))
    except NotFound:
        return False


@pytest.mark.parametrize("act", ["dispute", "refute", "retract", "reject"])
@pytest.mark.parametrize("of", ["turn", "memory"])
def test_fault_a_statement_goes_with_the_evidence_that_spoke_against_it(
    world: World, act: str, of: str
) -> None:
    """What was given against a statement was linked as if the statement were derived from it."""
    vault = world.vault
    belief = said(vault, BIRDS)
    world.clock.advance(days=1)
    text = f"The keeper with {CODE} saw none"
    against = turn(vault, text) if of == "turn" else said(vault, text)
    stored(vault.judge(belief, act, evidence=[against]))
    assert against not in [step.id for step in vault.why(belief)] if act in ("dispute", "refute") else True
    vault.erase(vault.plan_erasure(id=against))
    assert not is_there(vault, against) and is_there(vault, belief)
    assert vault.verify().ok


def test_a_statement_goes_with_the_only_evidence_that_it_rests_on(world: World) -> None:
    """The twin of presence: what a statement was derived from takes it along."""
    source = turn(world.vault, f"The keeper with {CODE} saw herons")
    belief = said(world.vault, BIRDS, source)
    world.vault.erase(world.vault.plan_erasure(id=source))
    assert not is_there(world.vault, belief)


def test_fault_what_speaks_against_a_statement_reaches_it_as_a_source_when_it_is_rejected(
    world: World,
) -> None:
    vault = world.vault
    belief = said(vault, BIRDS)
    world.clock.advance(days=1)
    against = said(vault, "No heron was ever seen there")
    stored(vault.judge(belief, "dispute", evidence=[against]))
    (case,) = vault.cases()
    stored(vault.decide(case.id, "keep-old"))
    assert belief not in stored(vault.reject(against)).also
    assert vault.read(belief).trust is Trust.BELIEVED


def test_fault_a_disputed_statement_is_left_without_a_case_when_the_other_side_goes(world: World) -> None:
    """The case went with the side that it named, and nobody could decide the other one any more."""
    vault = world.vault
    belief = said(vault, BIRDS)
    world.clock.advance(days=1)
    against = said(vault, f"The keeper with {CODE} saw none")
    stored(vault.judge(belief, "dispute", evidence=[against]))
    vault.erase(vault.plan_erasure(id=against))
    (case,) = vault.cases()
    assert (case.why, case.old and case.old.id, case.new) == ("doubted", belief, None)
    stored(vault.decide(case.id, "keep-old", reason="seen by myself"))
    assert vault.read(belief).trust is Trust.BELIEVED and not vault.cases()
    assert vault.verify().ok


def test_a_case_that_is_left_is_not_opened_twice(world: World) -> None:
    vault = world.vault
    belief = said(vault, BIRDS)
    world.clock.advance(days=1)
    against, plain = said(vault, f"The keeper with {CODE} saw none"), said(vault, "A walker saw none")
    for one in (against, plain):
        stored(vault.judge(belief, "dispute", evidence=[one])) if one == against else vault.link(
            one, belief, type="contradicts"
        )
    before = len(vault.cases())
    vault.erase(vault.plan_erasure(id=against))
    assert len(vault.cases()) == before - 1 and vault.read(belief).trust is Trust.DISPUTED


def test_fault_what_lost_a_source_is_disputed_for_good_and_what_rests_on_it_stays(world: World) -> None:
    """It had no case to decide, and was doubted alone, unlike after a rejection of its source."""
    vault = world.vault
    gone, stays = said(vault, f"The locker code is {CODE}"), said(vault, FISH)
    summary = said(vault, "Lockers and otters, in short", gone, stays, kind="summary")
    further = said(vault, "So the report is ready", summary)
    last = said(vault, "So it can be printed", further)
    other = said(vault, "So otters are fed", stays)
    plan = vault.plan_erasure(id=gone)
    assert set(plan.disputes) == {summary, further, last}
    assert {one.name for one in plan.stays} >= {summary, further, last}
    vault.erase(plan)
    assert [vault.read(id).trust for id in (summary, further, last)] == [Trust.DISPUTED] * 3
    assert vault.read(other).trust is Trust.BELIEVED
    cases = {case.old.id: case for case in vault.cases() if case.old is not None}
    assert {id: case.why for id, case in cases.items()} == dict.fromkeys(
        (summary, further, last), "source-changed"
    )
    stored(vault.decide(cases[summary].id, "keep-old", reason="still so"))
    stored(vault.decide(cases[further].id, "uphold-new", reason="not any more"))
    assert (vault.read(summary).trust, vault.read(further).trust) == (Trust.BELIEVED, Trust.RETIRED)
    assert vault.verify().ok


def test_fault_a_statement_waits_that_was_derived_from_what_went(world: World) -> None:
    """What was stored went with its only source; what waited for a person stayed, and could be read."""
    vault = world.vault
    vault.set_dial("review", "agent")
    agent = vault.acting_as(actor="coder")
    gone, stays = turn(vault, f"The keeper with {CODE} likes tea"), turn(vault, "Otters swim in the bay")
    alone = agent.remember("Somebody drinks tea", evidence=[gone]).proposal
    both = agent.remember("Tea and otters go well", evidence=[gone, stays]).proposal
    other = agent.remember("The bay has otters", evidence=[stays]).proposal
    vault.erase(vault.plan_erasure(id=gone))
    assert {one.id for one in vault.pending()} == {both, other} and alone not in (both, other)
    assert vault.verify().ok
