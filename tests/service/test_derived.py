"""Does a change in a source reach what was derived from it, and only that?"""

import pytest

from muniment import limits
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored, texts


def said(vault: Vault, text: str, *sources: str) -> str:
    return stored(vault.remember(text, evidence=list(sources))).id


def trust(vault: Vault, id: str) -> str:
    return vault.read(id, include_rejected=True).trust.value


@pytest.mark.parametrize("act", ["retract", "reject", "dispute", "refute"])
def test_what_rests_on_a_source_that_is_not_so_is_doubted_with_a_case(
    vault: Vault, clock: FakeClock, act: str
) -> None:
    source, other = said(vault, "The pump is dry"), said(vault, "The valve is shut")
    derived, sibling = said(vault, "The hall can be used", source), said(vault, "No water flows", other)
    clock.advance(days=1)
    receipt = stored(vault.judge(source, act, reason="it is wet"))
    assert derived in receipt.also
    assert (trust(vault, derived), trust(vault, sibling)) == ("disputed", "believed")
    case = next(one for one in vault.cases() if one.why == "source-changed")
    assert case.old is not None and case.new is not None
    assert (case.old.id, case.new.id) == (derived, source)
    assert texts(vault, "The hall can be used") == []
    assert texts(vault, "No water flows") == ["No water flows"]
    assert vault.verify().ok


def test_a_person_keeps_what_was_derived_or_lets_it_go(vault: Vault) -> None:
    source = said(vault, "The pump is dry")
    derived = said(vault, "The hall can be used", source)
    stored(vault.retract(source, reason="it is wet"))
    (case,) = vault.cases()
    stored(vault.decide(case.id, "keep-old", reason="seen by myself"))
    assert (trust(vault, derived), trust(vault, source)) == ("believed", "retired")
    again = said(vault, "The floor is clean", derived)
    stored(vault.judge(derived, "dispute"))
    case = next(one for one in vault.cases() if one.old is not None and one.old.id == again)
    stored(vault.decide(case.id, "uphold-new", reason="so it is not"))
    assert trust(vault, again) == "retired"


def test_it_reaches_what_rests_on_it_in_turn(vault: Vault) -> None:
    first = said(vault, "The pump is dry")
    second = said(vault, "The hall can be used", first)
    third = said(vault, "The concert is on", second)
    stored(vault.reject(first, reason="never"))
    assert (trust(vault, second), trust(vault, third)) == ("disputed", "disputed")
    assert {case.old.id for case in vault.cases() if case.old is not None} == {second, third}


def test_what_says_nothing_against_a_source_reaches_nothing(vault: Vault, clock: FakeClock) -> None:
    first, second = said(vault, "The pump is dry"), said(vault, "The valve is shut")
    derived = said(vault, "The hall can be used", first, second)
    clock.advance(days=1)
    stored(vault.retire(first))
    stored(vault.revise(second, valid_until=clock.now()))
    assert trust(vault, derived) == "believed" and vault.cases() == ()


@pytest.mark.parametrize("act", ["succeed", "revise"])
def test_fault_other_words_of_a_source_reach_nothing_that_was_made_from_the_old_ones(
    vault: Vault, clock: FakeClock, act: str
) -> None:
    source = said(vault, "The pump is dry")
    derived, second = said(vault, "The hall can be used", source), said(vault, "The bell is safe", source)
    sibling = said(vault, "The valve is shut")
    stored(vault.retract(second, reason="never mind"))
    clock.advance(days=1)
    receipt = stored(getattr(vault, act)(source, "The pump is wet now"))
    assert derived in receipt.also and second not in receipt.also
    assert (trust(vault, derived), trust(vault, sibling)) == ("believed", "believed")
    assert texts(vault, "The hall can be used") == ["The hall can be used"]
    (case,) = vault.cases()
    assert case.old is not None and case.new is not None
    assert (case.why, case.kind, case.old.id, case.new.id) == ("source-changed", "finding", derived, source)
    stored(vault.decide(case.id, "uphold-new", reason="the hall is closed"))
    assert trust(vault, derived) == "retired"
    assert vault.cases() == () and vault.verify().ok


def test_one_act_reaches_a_bounded_number(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "derived_items_max", 2)
    source = said(vault, "The pump is dry")
    derived = [said(vault, f"Hall {number} can be used", source) for number in range(4)]
    receipt = stored(vault.retract(source, reason="it is wet"))
    assert len(receipt.also) == 2
    assert [trust(vault, id) for id in derived].count("disputed") == 2


@pytest.mark.parametrize("act", ["retract", "dispute", "refute"])
def test_fault_what_is_derived_from_what_does_not_stand_lands_as_believed(vault: Vault, act: str) -> None:
    source = said(vault, "The pump is dry")
    stored(vault.judge(source, act, reason="it is wet"))
    receipt = vault.remember("The hall can be used", evidence=[source])
    assert (receipt.verdict, receipt.reason, receipt.conflict) == ("disputed", "source-doubted", "disputed")
    assert trust(vault, receipt.id) == "disputed"
    assert texts(vault, "The hall can be used") == []
    (case,) = [one for one in vault.cases() if one.id == receipt.case]
    assert case.old is not None and case.new is not None
    assert (case.why, case.old.id, case.new.id) == ("source-changed", receipt.id, source)
    stored(vault.decide(case.id, "keep-old", reason="seen by myself"))
    assert trust(vault, receipt.id) == "believed"
    assert vault.verify().ok


@pytest.mark.parametrize("act", ["retire", "succeed"])
def test_what_was_so_once_or_is_out_of_use_may_be_rested_on(vault: Vault, clock: FakeClock, act: str) -> None:
    source = said(vault, "The pump is dry")
    clock.advance(days=1)
    if act == "succeed":
        stored(vault.succeed(source, "The pump is wet"))
    else:
        stored(vault.judge(source, act))
    assert trust(vault, said(vault, "The hall could be used", source)) == "believed"


def test_a_keyed_statement_on_a_doubtful_source_takes_no_values_place(vault: Vault) -> None:
    slot = {"about": "the hall", "attribute": "state"}
    old = stored(vault.remember("The hall is shut", **slot, value="shut")).id
    source = said(vault, "The pump is dry")
    stored(vault.judge(source, "dispute", reason="it is wet"))
    receipt = vault.remember("The hall is open", **slot, value="open", evidence=[source])
    assert receipt.reason == "source-doubted"
    assert (trust(vault, old), trust(vault, receipt.id)) == ("believed", "disputed")


def test_fault_what_is_derived_has_not_the_lowest_rank_and_trust_of_its_sources(vault: Vault) -> None:
    agent = vault.session("scout", agent="scout")
    low = stored(agent.remember("The pump is dry")).id
    guess = stored(vault.remember("The pump leaks", kind="hypothesis")).id
    own, derived = said(vault, "The valve is shut"), said(vault, "The hall can be used", low)
    rank = {id: vault.read(id).rank for id in (low, own, derived)}
    assert rank[derived] == rank[low] < rank[own]
    both = said(vault, "The concert is on", own, guess)
    assert trust(vault, both) == "candidate"
    assert trust(vault, said(vault, "The bell rings", own)) == "believed"
