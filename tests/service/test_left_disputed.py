"""Is a statement that stays disputed when its case closes still somebody's to decide?"""

import pytest

from muniment.domain.trust import Trust
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored, texts


def told(vault: Vault, value: str) -> str:
    return vault.remember(f"The owl sits in the {value}", about="owl", attribute="sits", value=value).id


@pytest.fixture
def agent(vault: Vault) -> Vault:
    return vault.acting_as(actor="coder")


@pytest.mark.parametrize("act", ["reject", "retract", "retire"])
def test_fault_the_other_side_stays_disputed_for_good_when_a_belief_is_taken_out(
    vault: Vault, agent: Vault, clock: FakeClock, act: str
) -> None:
    """Its case was closed as moot, and the statement stayed withheld with nothing to decide."""
    old = told(vault, "elm")
    clock.advance(hours=1)
    new = told(agent, "oak")
    (before,) = vault.cases()
    stored(vault.judge(old, act, reason="nobody saw it"))
    (case,) = vault.cases()
    assert (case.why, case.old and case.old.id, case.new) == ("doubted", new, None)
    assert vault.case(before.id).state == "moot" and not texts(agent, "owl sits")
    stored(vault.decide(case.id, "keep-old", reason="seen by myself"))
    assert texts(agent, "owl sits") == ["The owl sits in the oak"] and not vault.cases()
    assert vault.verify().ok


def test_a_successor_of_the_belief_answers_the_other_side(
    vault: Vault, agent: Vault, clock: FakeClock
) -> None:
    old = told(vault, "elm")
    clock.advance(hours=1)
    new = told(agent, "oak")
    clock.advance(hours=1)
    stored(vault.succeed(old, "The owl sits in the ash", value="ash"))
    assert not vault.cases() and vault.read(new).trust is Trust.DISPUTED
    assert texts(agent, "owl sits") == ["The owl sits in the ash"]


def test_of_several_each_has_one_case_and_what_is_decided_has_none(
    vault: Vault, agent: Vault, clock: FakeClock
) -> None:
    elm = told(vault, "elm")
    clock.advance(hours=1)
    oak, ash = told(agent, "oak"), told(vault.acting_as(actor="other"), "ash")
    stored(vault.retract(elm))
    about = {case.old.id: case for case in vault.cases() if case.old is not None}
    assert set(about) == {oak, ash} and len(vault.cases()) == 2
    stored(vault.decide(about[oak].id, "keep-old", reason="seen"))
    assert [case.id for case in vault.cases()] == [about[ash].id]
    assert vault.read(oak).trust is Trust.BELIEVED and vault.read(ash).trust is Trust.DISPUTED


def test_nothing_is_opened_about_what_is_believed_or_has_another_case(vault: Vault, clock: FakeClock) -> None:
    one, two = (stored(vault.remember(text)).id for text in ("Owls eat mice", "Owls eat no mice at all"))
    third = stored(vault.remember("Owls never eat")).id
    vault.link(two, one, type="contradicts")
    stored(vault.judge(two, "dispute", evidence=[third]))
    stored(vault.retire(one))
    assert [case.why for case in vault.cases()] == ["doubted"]
    stored(vault.retire(third))
    stored(vault.retire(two))
    assert not vault.cases()


def test_fault_a_proposal_shows_an_agent_what_a_person_rejected(vault: Vault, agent: Vault) -> None:
    """What the memory says now stood beside the change that was asked for, rejected or not."""
    id = stored(agent.remember("The owl sits in the elm")).id
    vault.set_dial("review", "agent")
    waits = agent.revise(id, "The owl sits in the oak").proposal
    assert agent.proposal(waits).now == "The owl sits in the elm"
    stored(vault.reject(id))
    assert agent.proposal(waits).now == "" and [one.now for one in agent.pending()] == [""]
    assert vault.proposal(waits).now == "The owl sits in the elm"
