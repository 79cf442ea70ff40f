"""Do two values of one slot ever answer for one day?  Not by revising, supporting, upholding or reviving."""

from muniment.service.vault import Vault
from tests.builders import texts


def _port(vault: Vault, value: str, **fields: str) -> str:
    return vault.remember(f"The port is {value}", about="server", attribute="port", value=value, **fields).id


def test_upholding_a_disputed_value_closes_the_other(vault: Vault) -> None:
    first = _port(vault, "8090", valid_from="2026-01-01")
    agent = vault.acting_as(actor="coder", role="agent")
    disputed = agent.remember("The port is 9999", about="server", attribute="port", value="9999")
    assert disputed.verdict == "disputed"
    assert texts(vault, "which port?") == ["The port is 8090"]
    receipt = vault.judge(disputed.id, "uphold", reason="I looked")
    assert receipt.verdict == "stored"
    assert texts(vault, "which port?") == ["The port is 9999"]
    assert vault.read(first).trust.value == "superseded"


def test_a_revision_into_a_taken_slot_settles_with_the_other(vault: Vault) -> None:
    _port(vault, "8090", valid_from="2026-01-01")
    other = vault.remember("The gate is 7", about="server", attribute="gate", value="7").id
    agent = vault.acting_as(actor="coder", role="agent")
    assert agent.revise(other, "The gate is 8").verdict == "refused"
    assert vault.revise(other, "The gate is 8", value="8").verdict == "stored"
    assert sorted(texts(vault, "port gate")) == ["The gate is 8", "The port is 8090"]


def test_reviving_into_a_taken_slot_by_a_person_takes_it(vault: Vault) -> None:
    old = _port(vault, "8090", valid_from="2026-01-01")
    vault.retire(old, reason="not in use")
    _port(vault, "8091", valid_from="2026-02-01")
    vault.revive(old, reason="in use again")
    assert len(vault.recall("which port?").hits) == 1


def test_an_agent_grounds_its_own_hypothesis_only_by_an_experiment(vault: Vault) -> None:
    agent = vault.acting_as(actor="coder", role="agent")
    guess = agent.remember("The cache is too small", kind="hypothesis").id
    fact = agent.remember("The cache holds 4 MB").id
    assert agent.judge(guess, "support", evidence=[fact]).verdict == "refused"
    tried = agent.remember("With 8 MB the misses are gone", kind="experiment").id
    assert agent.judge(guess, "support", evidence=[tried]).verdict == "stored"
    assert agent.read(guess).trust.value == "believed"


def test_in_a_small_space_one_met_word_is_enough(vault: Vault) -> None:
    vault.remember("Pay to account 12")
    assert texts(vault, "which account is paid") == ["Pay to account 12"]
    assert not vault.recall("who won the football match").hits
