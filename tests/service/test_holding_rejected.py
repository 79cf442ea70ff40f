"""Is a longer statement that holds what a person rejects withheld until a person has looked?"""

import pytest

from muniment import limits
from muniment.service.vault import Vault
from tests.builders import stored, texts

VALUE = "The gate code is maple leaf"
LONGER = f"Remember that {VALUE.lower()}, and the key is under the oak"
ASK = "what is the gate code and where is the key"


def said(vault: Vault, text: str = "An ordinary line", **fields: object) -> str:
    return stored(vault.remember(text, **fields)).id


def rejected(vault: Vault, text: str = VALUE, **fields: object) -> tuple[str, ...]:
    """Reject a text and return the other memories that the act moved."""
    return stored(vault.reject(said(vault, text, **fields), reason="never true")).also


HOLDING = {
    "a longer text": {"text": LONGER},
    "in disguise": {"text": "They say the g\u0430te code is m\u0430ple leaf today"},
    "with punctuation": {"text": "So: 'the gate code' is... maple leaf, as ever"},
    "a tag": {"tags": [f"note: {VALUE}"]},
    "another slot's value": {"about": "gate", "attribute": "note", "value": f"well, {VALUE}"},
    "what it is about": {"about": f"that {VALUE}", "attribute": "note", "value": "1"},
}


@pytest.mark.parametrize("how", sorted(HOLDING))
def test_fault_a_longer_statement_goes_on_saying_what_was_rejected(vault: Vault, how: str) -> None:
    """Said anew it is refused, so a copy that was there before is not served on either."""
    holding = said(vault, **HOLDING[how])
    spared = said(vault, "Remember that the gate code is oak leaf")
    elsewhere = said(vault, space="acme", **HOLDING[how])
    assert holding in rejected(vault)
    assert vault.read(holding).trust == "disputed"
    assert vault.read(spared).trust == vault.read(elsewhere).trust == "believed"
    (case,) = vault.cases()
    assert case.why == "holds-rejected" and case.old is not None and case.old.id == holding
    assert texts(vault, ASK, space="home") == ["Remember that the gate code is oak leaf"]
    assert vault.recall(ASK, space="home").withheld or how == "in disguise"
    assert vault.remember(**{"text": "An ordinary line", **HOLDING[how]}).refused
    assert vault.verify().ok


def test_a_person_edits_it_or_lets_it_go_and_cannot_keep_it_as_it_is(vault: Vault) -> None:
    first, second = said(vault, LONGER), said(vault, f"{VALUE}, says the otter")
    rejected(vault)
    cases = {case.old.id: case.id for case in vault.cases() if case.old is not None}
    assert vault.decide(cases[first], "keep-old").reason == "rejected-value"
    stored(vault.decide(cases[first], "edit", text="The key is under the oak"))
    stored(vault.decide(cases[second], "uphold-new"))
    assert texts(vault, "where is the key") == ["The key is under the oak"]
    assert vault.read(second).trust == "retired"


def test_fault_a_case_about_a_rejected_source_cannot_be_closed(vault: Vault) -> None:
    """To let go of what rested on a rejected text was refused as if it brought that text back."""
    source = said(vault, VALUE)
    held, let_go = (
        said(vault, "The hall can be used", evidence=[source]),
        said(vault, "No otter", evidence=[source]),
    )
    stored(vault.reject(source))
    cases = {case.old.id: case.id for case in vault.cases() if case.old is not None}
    stored(vault.decide(cases[let_go], "uphold-new", reason="so it is not"))
    stored(vault.decide(cases[held], "both-valid", reason="seen by myself"))
    assert (vault.read(let_go).trust, vault.read(held).trust) == ("retired", "believed")
    assert vault.read(source, include_rejected=True).trust == "rejected"
    assert vault.cases() == () and vault.verify().ok


def test_fault_a_tag_that_was_rejected_comes_back_by_a_decision(vault: Vault) -> None:
    tagged = said(vault, tags=[VALUE])
    rejected(vault)
    (case,) = vault.cases()
    for decision in ("keep-old", "both-valid"):
        assert vault.decide(case.id, decision).reason == "rejected-value"
    assert vault.decide(case.id, "edit", text="Another ordinary line").reason == "rejected-value"
    stored(vault.decide(case.id, "uphold-new"))
    assert vault.read(tagged).trust == "retired"


def test_what_rests_on_it_is_doubted_in_turn(vault: Vault) -> None:
    holding = said(vault, LONGER)
    derived = said(vault, "Nobody needs to call the janitor", evidence=[holding])
    assert set(rejected(vault)) >= {holding, derived}
    assert vault.read(derived).trust == "disputed"


@pytest.mark.parametrize(
    ("value", "longer"),
    [
        ("Maple leaf", "The gate code is maple leaf"),
        ("It means a lot to me", "It means a lot to me that you came"),
        ("My favourite language is C", "My favourite language is C++ since May"),
        ("The gate opens at 5 degrees", "The gate opens at -5 degrees in May"),
    ],
)
def test_what_would_be_let_in_now_stays_as_it_is(vault: Vault, value: str, longer: str) -> None:
    """Short values, phrases of everybody and other statements are looked for whole only."""
    kept = said(vault, longer)
    rejected(vault, value)
    assert vault.read(kept).trust == "believed"
    assert vault.cases() == ()


def test_the_text_of_a_slot_is_looked_for_in_free_statements_alone(vault: Vault) -> None:
    free = said(vault, "We think the port is 8090 there today")
    proxy = said(vault, "On the proxy the port is 8090 there", about="proxy", attribute="port", value="8090")
    moved = rejected(vault, "The port is 8090 there", about="api", attribute="port", value="8090")
    assert free in moved and proxy not in moved
    assert (vault.read(free).trust, vault.read(proxy).trust) == ("disputed", "believed")


def test_no_more_are_reached_in_one_act_than_the_bound(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "derived_items_max", 2)
    for n in range(4):
        said(vault, f"Number {n} says that {VALUE}")
    assert len(rejected(vault)) == 2
    assert len(vault.cases()) == 2
