"""Does what says a rejected text in other signs go with it, and come back with it?"""

import pytest

from muniment.service.vault import Vault
from tests.builders import stored, texts

VALUE = "The gate code is maple leaf"
ASK = "what is the gate code"

TWINS = (
    VALUE + ".",
    '"The gate code, is maple leaf!"',
    "THE gate code - is maple leaf",
    "The g\u0430te code is maple le\u0430f",
)


@pytest.mark.parametrize("twin", TWINS)
def test_fault_a_rejected_text_stays_believed_with_other_punctuation(vault: Vault, twin: str) -> None:
    """It was refused when said anew, while the copy that was there went on being served."""
    agent = vault.acting_as(actor="coder")
    other, spared = stored(agent.remember(twin)).id, stored(agent.remember("The gate code is oak leaf")).id
    elsewhere = stored(vault.remember(twin, space="acme")).id
    stored(vault.remember(VALUE, about="door", attribute="note", value="see below", space="acme/x"))
    rejected = stored(vault.reject(stored(vault.remember(VALUE)).id))
    assert other in rejected.also
    assert texts(vault, ASK, space="home") == ["The gate code is oak leaf"]
    assert vault.read(spared).trust == vault.read(elsewhere).trust == "believed"
    assert vault.read(other, include_rejected=True).trust == "rejected"
    assert agent.remember(twin).reason == "rejected-value"
    assert vault.verify().ok


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("The port is 8090!", {}),
        ("It listens there", {"about": "The API", "attribute": "port", "value": "8090."}),
        ("The port is, 8090", {"about": "api", "attribute": "port", "value": "the one we know"}),
    ],
)
def test_fault_a_rejected_value_of_a_slot_stays_believed_in_other_signs(
    vault: Vault, text: str, fields: dict[str, str]
) -> None:
    proxy = {"about": "proxy", "attribute": "port", "value": "8090"}
    other_slot = stored(vault.remember("The port is 8090 there", **proxy)).id
    twin = stored(vault.remember(text, valid_from="2024-01-01", valid_until="2024-02-01", **fields)).id
    id = stored(vault.remember("The port is 8090", about="api", attribute="port", value="8090")).id
    assert twin in stored(vault.reject(id)).also
    assert vault.read(twin, include_rejected=True).trust == "rejected"
    assert vault.read(other_slot).trust == "believed"


@pytest.mark.parametrize("named", [0, 1, 2])
def test_lifting_ends_the_whole_rejection_and_no_other(vault: Vault, named: int) -> None:
    """One twin's tombstone would go on refusing the text that a person let in again."""
    another = stored(vault.remember("The gate key is under the oak")).id
    stored(vault.reject(another))
    keyed = stored(vault.remember(VALUE, about="gate", attribute="code", value="maple leaf")).id
    twins = (stored(vault.remember(TWINS[0])).id, keyed, stored(vault.remember(VALUE)).id)
    stored(vault.reject(twins[2]))
    lifted = stored(vault.lift(twins[named]))
    assert {lifted.id, *lifted.also} == set(twins)
    assert vault.remember(f"They say {VALUE}").landed
    assert {vault.read(id).trust for id in twins} == {"candidate"}
    assert vault.read(another, include_rejected=True).trust == "rejected"
    assert vault.remember("The gate key is under the oak").reason == "rejected-value"
    assert vault.verify().ok
