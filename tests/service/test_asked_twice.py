"""Is what waits for a person already asked for once, and does another request still wait beside it?"""

from collections.abc import Callable

import pytest

from muniment.service.vault import Vault
from tests.builders import World, stored

Ask = Callable[[Vault, str, str], str]


def retract(hand: Vault, mine: str, other: str) -> str:
    return hand.retract(mine, reason="wrong").proposal


def refute(hand: Vault, mine: str, other: str) -> str:
    return hand.judge(mine, "refute", evidence=[other]).proposal


def link(hand: Vault, mine: str, other: str) -> str:
    return hand.link(mine, other, type="refers_to").proposal


def statement(hand: Vault, mine: str, other: str) -> str:
    return hand.remember("The quay is painted", tags=["harbour"], evidence=[other]).proposal


def revision(hand: Vault, mine: str, other: str) -> str:
    return hand.revise(mine, "The quay opens at nine", reason="seen").proposal


def removal(hand: Vault, mine: str, other: str) -> str:
    return hand.memory(action="remove", block="memory", old="Tea is at four").proposal


WORDLESS = {"retract": retract, "refute": refute, "link": link, "removal of a block": removal}
OF_WORDS = {"statement": statement, "revision": revision}


@pytest.fixture
def mine(vault: Vault) -> tuple[str, str]:
    """Return two memories of an agent, in a space whose changes wait."""
    agent = vault.acting_as(actor="coder")
    agent.memory(action="add", block="memory", text="Tea is at four")
    found = tuple(stored(agent.remember(f"The quay opens at {hour}")).id for hour in ("six", "seven"))
    vault.set_dial("review", "agent")
    return found


@pytest.mark.parametrize("what", [*WORDLESS, *OF_WORDS])
def test_the_same_request_staged_twice_is_one_proposal(
    vault: Vault, mine: tuple[str, str], what: str
) -> None:
    """Else a person settles one, and the other asks for it again."""
    ask, agent = (WORDLESS | OF_WORDS)[what], vault.acting_as(actor="coder")
    first = ask(agent, *mine)
    assert first.startswith("p_") and ask(agent, *mine) == first
    assert [one.id for one in vault.pending()] == [first]
    assert [row.fields.get("proposal") for row in vault.log(limit=2)] == [first, first]
    stored(vault.approve(first, digest=vault.proposal(first).digest))
    assert vault.pending() == () and vault.verify().ok


@pytest.mark.parametrize("what", ["refute", "link"])
def test_whoever_asks_for_the_same_change_without_words_asks_for_that_one(
    vault: Vault, mine: tuple[str, str], what: str
) -> None:
    first = WORDLESS[what](vault.acting_as(actor="coder"), *mine)
    assert WORDLESS[what](vault.acting_as(actor="helper"), *mine) == first


def test_anothers_statement_waits_for_itself(vault: Vault, mine: tuple[str, str]) -> None:
    """What is approved is its proposer's, so that two voices are two proposals."""
    first = statement(vault.acting_as(actor="coder"), *mine)
    assert statement(vault.acting_as(actor="helper"), *mine) not in ("", first)
    assert len(vault.pending()) == 2


def test_another_request_is_another_proposal(vault: Vault, mine: tuple[str, str]) -> None:
    agent = vault.acting_as(actor="coder")
    found = {
        agent.retract(mine[0], reason="wrong").proposal,
        agent.retract(mine[1], reason="wrong").proposal,
        agent.remember("The quay is painted").proposal,
        agent.remember("The quay is painted", tags=["harbour"]).proposal,
        agent.link(*mine, type="refers_to").proposal,
        agent.link(mine[1], mine[0], type="refers_to").proposal,
    }
    assert len(found) == 6 == len(vault.pending())


def test_an_untrusted_request_does_not_stand_for_a_clean_one(vault: Vault, mine: tuple[str, str]) -> None:
    clean, read = (vault.session(name, agent="coder") for name in ("s-1", "s-2"))
    first = clean.remember("The quay is painted")
    read.append("tool_result", "Some page says things.")
    other = read.remember("The quay is painted")
    assert first.proposal and other.proposal not in ("", first.proposal)


def test_what_was_declined_is_no_answer_to_who_asks_again(vault: Vault, mine: tuple[str, str]) -> None:
    agent = vault.acting_as(actor="coder")
    first = retract(agent, *mine)
    stored(vault.decline(first))
    assert agent.retract(mine[0], reason="wrong").reason == "declined-before"
    stored(vault.lift(first))
    again = agent.retract(mine[0], reason="wrong")
    assert again.reason == "review" and again.proposal not in ("", first)


def test_it_is_known_after_a_restart(world: World) -> None:
    vault = world.vault
    vault.set_dial("review", "agent")
    first = vault.acting_as(actor="coder").remember("The quay is painted").proposal
    again = world.restarted().acting_as(actor="coder")
    assert again.remember("The quay is painted").proposal == first
