"""Does a rejected value come back, or show, in a state that another one took the place of (I4)?"""

import pytest

from muniment.domain.trust import Trust
from muniment.errors import NotFound
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored, texts

RED, TWIN, BLUE = "The mill is red", "The mill is red!", "The mill is blue"
LONGER = "As they all say the old mill on the hill was painted red in May, and the ferry is late"
WITHIN = "the old mill on the hill was painted red in May"
CODE, COLOUR = "The word of the vault is heron", "The colour of the vault is a dark green"


@pytest.fixture
def agent(vault: Vault) -> Vault:
    return vault.acting_as(actor="coder")


def rejected(vault: Vault, text: str) -> str:
    """Remember a text and reject it."""
    id = stored(vault.remember(text)).id
    stored(vault.reject(id))
    return id


@pytest.mark.parametrize(
    ("before", "value"), [(TWIN, RED), (LONGER, WITHIN), ("The mi\u217c\u217c is red", RED)]
)
def test_fault_what_says_a_rejected_value_in_other_signs_is_believed_again_when_its_successor_ends(
    vault: Vault, agent: Vault, clock: FakeClock, before: str, value: str
) -> None:
    """Only the very same words were looked through when what a successor had ended came up again."""
    old = stored(vault.remember(before)).id
    clock.advance(hours=1)
    new = stored(vault.succeed(old, BLUE)).id
    clock.advance(hours=1)
    rejected(vault, value)
    assert old not in stored(vault.retract(new)).also
    assert not texts(agent, "mill red blue ferry")
    assert agent.remember(before).refused


def test_what_says_something_else_is_believed_again_when_its_successor_ends(
    vault: Vault, agent: Vault, clock: FakeClock
) -> None:
    old = stored(vault.remember("The mill is green")).id
    clock.advance(hours=1)
    new = stored(vault.succeed(old, BLUE)).id
    rejected(vault, RED)
    assert stored(vault.retract(new)).also == (old,)
    assert texts(agent, "mill") == ["The mill is green"]


def test_fault_a_copy_in_other_signs_that_was_out_of_use_is_shown_of_a_past_day(
    vault: Vault, agent: Vault, clock: FakeClock
) -> None:
    """Copies with another digest were looked for among what is in use alone."""
    old = stored(vault.remember(TWIN)).id
    then = clock.advance(hours=1)
    clock.advance(hours=1)
    stored(vault.succeed(old, BLUE))
    retired = stored(vault.remember("The mill is RED.")).id
    stored(vault.retire(retired))
    rejected(vault, RED)
    assert not texts(agent, "mill red", as_of=then)
    assert texts(agent, "mill", include=("superseded", "retired")) == [BLUE]
    assert not agent.memories(states=["superseded", "retired"])
    assert {row.memory for row in vault.memories(states=["rejected"])} >= {old, retired}


def test_a_lift_brings_back_the_copies_that_were_out_of_use_too(vault: Vault) -> None:
    retired = stored(vault.remember(TWIN)).id
    stored(vault.retire(retired))
    one = rejected(vault, RED)
    assert stored(vault.lift(one)).also == (retired,)
    assert {row.memory for row in vault.memories(states=["candidate"])} == {one, retired}


@pytest.mark.parametrize("within", [False, True])
def test_fault_an_older_state_of_another_memory_goes_on_saying_a_rejected_value(
    vault: Vault, agent: Vault, clock: FakeClock, within: bool
) -> None:
    """A revision hid the value, and a question about what was known before it brought it up."""
    id = stored(vault.remember(f"{CODE}, as we learnt" if within else CODE)).id
    then = clock.advance(hours=1)
    clock.advance(hours=1)
    stored(vault.revise(id, COLOUR))
    assert texts(agent, "vault heron", known_at=then) and "heron" in agent.read(id, known_at=then).text
    rejected(vault, CODE)
    for hand in (agent, vault):
        assert not texts(hand, "vault heron", known_at=then)
        with pytest.raises(NotFound):
            hand.read(id, known_at=then)
        assert [one.text for one in hand.history(id)] == [COLOUR]
    assert agent.read(id).text == COLOUR and texts(agent, "vault colour") == [COLOUR]


def test_a_person_asks_for_the_older_state_and_a_lift_shows_it_to_all(
    vault: Vault, agent: Vault, clock: FakeClock
) -> None:
    id = stored(vault.remember(CODE)).id
    then = clock.advance(hours=1)
    clock.advance(hours=1)
    stored(vault.revise(id, COLOUR))
    one = rejected(vault, CODE)
    assert vault.read(id, known_at=then, include_rejected=True).text == CODE
    assert [row.text for row in vault.history(id, include_rejected=True)] == [CODE, COLOUR]
    asked = vault.recall("vault heron", known_at=then, include=("rejected",))
    assert CODE in [hit.text for hit in asked.hits] and not asked.notes
    with pytest.raises(NotFound):
        agent.read(id, known_at=then, include_rejected=True)
    stored(vault.lift(one))
    assert agent.read(id, known_at=then).text == CODE


def test_a_rejection_in_another_space_hides_no_older_state(vault: Vault, clock: FakeClock) -> None:
    id = stored(vault.remember(CODE)).id
    then = clock.advance(hours=1)
    clock.advance(hours=1)
    stored(vault.revise(id, COLOUR))
    stored(vault.reject(stored(vault.remember(CODE, space="acme")).id))
    assert vault.read(id, known_at=then).text == CODE and texts(vault, "vault heron", known_at=then) == [CODE]


@pytest.mark.parametrize("act", ["retract", "reject"])
def test_fault_what_is_believed_again_names_a_successor_that_stands_no_longer(
    vault: Vault, agent: Vault, clock: FakeClock, act: str
) -> None:
    old = stored(vault.remember(RED)).id
    clock.advance(hours=1)
    new = stored(vault.succeed(old, BLUE)).id
    assert agent.read(old).successor == new
    stored(vault.judge(new, act))
    assert (agent.read(old).trust, agent.read(old).successor) == (Trust.BELIEVED, "")


def test_fault_a_statement_that_rests_on_a_rejected_one_is_believed(vault: Vault, agent: Vault) -> None:
    """What rested on it before was doubted; what was derived from it afterwards was taken as it came."""
    one, other = rejected(vault, RED), stored(vault.remember("The ferry is late")).id
    for hand in (vault, agent):
        assert hand.remember("So the painter was here", evidence=[one]).reason == "no-match"
        assert hand.remember("So both were here", evidence=[other, one]).reason == "no-match"
    stored(vault.lift(one))
    assert stored(vault.remember("So the painter was here", evidence=[one])).id
