"""When does a case open, what does a decision do, and when is there nothing left to decide?"""

from dataclasses import dataclass, replace

import pytest

from muniment.domain.label import DataClass
from muniment.domain.matter import Decision
from muniment.errors import BadInput, NotFound, Refusal
from muniment.service import cases
from muniment.service.cases import Case
from muniment.service.receipt import Receipt
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, acts, stored, texts


@dataclass
class Dispute:
    """Hold a belief of a person, what an agent said against it, and the case of both."""

    old: str
    new: str
    case: str


def code(vault: Vault, value: str, **fields: object) -> Receipt:
    return vault.remember(f"The door code is {value}", about="door", attribute="code", value=value, **fields)


@pytest.fixture
def dispute(vault: Vault, clock: FakeClock) -> Dispute:
    old = stored(code(vault, "1234"))
    clock.advance(days=1)
    new = code(vault.acting_as(actor="coder"), "4711")
    assert (new.verdict, new.reason, bool(new.case)) == ("disputed", "conflict-lower-rank", True)
    clock.advance(days=1)
    return Dispute(old.id, new.id, new.case)


def trust(vault: Vault, id: str) -> str:
    return vault.read(id).trust.value


def only(vault: Vault, state: str = "open") -> Case:
    (found,) = vault.cases(state=state)
    return found


def test_a_lower_ranked_contradiction_opens_a_case_with_both_sides(vault: Vault, dispute: Dispute) -> None:
    case = only(vault)
    assert (case.id, case.kind, case.state, case.why) == (
        dispute.case,
        "dispute",
        "open",
        "conflict-lower-rank",
    )
    assert case.new is not None and case.old is not None
    assert (case.new.id, case.new.text) == (dispute.new, "The door code is 4711")
    assert (case.old.id, case.old.text) == (dispute.old, "The door code is 1234")
    assert (case.opened_by, case.space, case.version, case.decision) == ("coder", "home", 2, "")
    assert texts(vault, "door code") == ["The door code is 1234"]
    assert vault.verify().ok


def test_a_clean_write_opens_no_case(vault: Vault) -> None:
    assert stored(code(vault, "1234")).case == ""
    assert stored(code(vault, "4711")).case == ""
    assert vault.cases(state="all") == ()


def test_upholding_the_newer_side_ends_the_older_where_it_begins(vault: Vault, dispute: Dispute) -> None:
    receipt = stored(vault.decide(dispute.case, "uphold-new", reason="I changed it"))
    assert (receipt.id, receipt.case, receipt.also) == (dispute.new, dispute.case, (dispute.old,))
    assert (trust(vault, dispute.new), trust(vault, dispute.old)) == ("believed", "superseded")
    new, old = vault.read(dispute.new), vault.read(dispute.old)
    assert (new.rank, old.valid.end) == ("manual", new.valid.start)
    assert texts(vault, "door code") == ["The door code is 4711"]
    assert texts(vault, "door code", as_of=old.valid.start) == ["The door code is 1234"]
    assert {reading.id for reading in vault.history(dispute.new)} == {dispute.old, dispute.new}


def test_keeping_the_older_side_puts_the_newer_out_of_use(vault: Vault, dispute: Dispute) -> None:
    stored(vault.decide(dispute.case, "keep-old", reason="a guess"))
    assert (trust(vault, dispute.new), trust(vault, dispute.old)) == ("retired", "believed")
    assert texts(vault, "door code") == ["The door code is 1234"]


def test_an_edit_puts_the_persons_words_in_the_place_of_both(vault: Vault, dispute: Dispute) -> None:
    stored(
        vault.decide(dispute.case, "edit", text="The door code is 9999", value="9999", reason="both wrong")
    )
    assert (trust(vault, dispute.new), trust(vault, dispute.old)) == ("retired", "believed")
    reading = vault.read(dispute.old)
    assert (reading.text, reading.rank, reading.version) == ("The door code is 9999", "manual", 2)
    assert texts(vault, "door code") == ["The door code is 9999"]


def test_both_are_valid_each_in_its_time(vault: Vault, dispute: Dispute, clock: FakeClock) -> None:
    refused = vault.decide(dispute.case, "both-valid", reason="one after the other")
    assert (refused.verdict, refused.reason, refused.case) == ("refused", "bad-shape", dispute.case)
    since = vault.read(dispute.new).valid.start
    stored(vault.decide(dispute.case, "both-valid", valid_from=since, reason="one after the other"))
    assert texts(vault, "door code") == ["The door code is 4711"]
    assert texts(vault, "door code", as_of=vault.read(dispute.old).valid.start) == ["The door code is 1234"]


def test_both_of_free_text_are_valid_at_once(vault: Vault) -> None:
    one, two = (stored(vault.remember(text)).id for text in ("Mia likes tea", "Mia likes coffee"))
    case = stored(vault.link(two, one, type="contradicts")).case
    assert (trust(vault, one), trust(vault, two)) == ("believed", "believed")
    stored(vault.decide(case, "both-valid", reason="she likes both"))
    assert (trust(vault, one), trust(vault, two)) == ("believed", "believed")
    assert sorted(texts(vault, "Mia likes")) == ["Mia likes coffee", "Mia likes tea"]


def test_a_merge_keeps_the_older_with_the_evidence_of_the_newer(vault: Vault) -> None:
    page = vault.ingest("The tram to the harbour is line 4.", source="leaflet").evidence[0]
    one = stored(vault.remember("Line 4 goes to the harbour")).id
    two = stored(vault.remember("The harbour tram is line four", evidence=[page])).id
    case = stored(vault.link(two, one, type="contradicts")).case
    stored(vault.decide(case, "merge", reason="the same"))
    assert (trust(vault, one), trust(vault, two)) == ("believed", "retired")
    assert page in {step.id for step in vault.why(one)}


def test_a_decision_is_on_record_with_its_reason_and_who_made_it(vault: Vault, dispute: Dispute) -> None:
    stored(vault.decide(dispute.case, "keep-old", reason="seen at the door"))
    assert vault.cases() == ()
    case = only(vault, "decided")
    assert (case.id, case.state, case.decision, case.reason, case.decided_by) == (
        dispute.case,
        "decided",
        "keep-old",
        "seen at the door",
        "owner",
    )
    assert case.opened_by == "coder" and case.decided is not None and case.decided > case.opened
    row = vault.log(limit=1)[0]
    assert (row.act, row.fields["case"], row.fields["decision"]) == ("decide", dispute.case, "keep-old")
    assert "seen at the door" not in str(row.fields)
    assert vault.verify().ok


def test_only_a_person_decides_and_a_refusal_is_on_record(vault: Vault, dispute: Dispute) -> None:
    agent = vault.acting_as(actor="coder")
    receipt = agent.decide(dispute.case, "uphold-new", reason="I am sure")
    assert (receipt.verdict, receipt.reason) == ("refused", "person-only")
    assert acts(vault)[-1] == "decide"
    assert only(vault).state == "open"
    assert trust(vault, dispute.new) == "disputed"
    with pytest.raises(Refusal):
        agent.decide(dispute.case, "uphold-new", strict=True)


@pytest.mark.parametrize("side", ["old", "new"])
def test_a_decision_of_what_a_side_no_longer_says_is_refused_with_the_present_version(
    vault: Vault, dispute: Dispute, side: str
) -> None:
    stored(vault.revise(getattr(dispute, side), valid_until="2030-01-01", reason="an end"))
    stale = vault.decide(dispute.case, "keep-old")
    assert (stale.verdict, stale.reason, stale.detail) == (
        "refused",
        "stale-view",
        "The present version is 3.",
    )
    assert only(vault).version == 3
    assert stored(vault.decide(dispute.case, "keep-old", expected_version=3))


def test_a_case_is_decided_once(vault: Vault, dispute: Dispute) -> None:
    stored(vault.decide(dispute.case, "keep-old"))
    again = vault.decide(dispute.case, "uphold-new")
    assert (again.verdict, again.reason) == ("refused", "closed-case")
    assert trust(vault, dispute.old) == "believed"


@pytest.mark.parametrize(
    ("act", "reason"), [("reject", "moot"), ("retract", "moot"), ("succeed", "moot"), ("uphold", "moot")]
)
def test_a_case_without_a_side_left_is_moot(vault: Vault, dispute: Dispute, act: str, reason: str) -> None:
    if act == "succeed":
        stored(vault.succeed(dispute.old, "The door code is 5555", value="5555"))
    elif act == "uphold":
        stored(vault.judge(dispute.new, act))
    else:
        stored(getattr(vault, act)(dispute.new, reason="wrong"))
    assert vault.cases() == ()
    assert (only(vault, "moot").state, only(vault, "moot").id) == (reason, dispute.case)
    assert vault.decide(dispute.case, "keep-old").reason == "closed-case"


def test_what_does_not_touch_a_side_leaves_the_case_open(vault: Vault, dispute: Dispute) -> None:
    other = stored(vault.remember("The lamp is blue")).id
    stored(vault.retract(other, reason="no"))
    assert only(vault).id == dispute.case


def test_a_refuted_belief_is_disputed_until_its_case_is_decided(vault: Vault) -> None:
    belief = stored(vault.remember("The pump is dry")).id
    page = vault.ingest("The pump is wet.", source="log").evidence[0]
    receipt = stored(vault.judge(belief, "refute", evidence=[page], reason="the log"))
    assert (trust(vault, belief), only(vault).why) == ("disputed", "refuted-belief")
    assert only(vault).new is not None and only(vault).new.id == page
    stored(vault.decide(receipt.case, "keep-old", reason="another pump"))
    assert trust(vault, belief) == "believed"


def test_upholding_a_doubt_puts_the_doubted_statement_out_of_use(vault: Vault) -> None:
    belief = stored(vault.remember("The pump is dry")).id
    case = stored(vault.judge(belief, "dispute", reason="is it?")).case
    stored(vault.decide(case, "uphold-new", reason="no"))
    assert trust(vault, belief) == "retired"


def test_a_doubt_by_another_opens_one_case_and_leaves_the_trust(vault: Vault) -> None:
    belief = stored(vault.remember("The pump is dry")).id
    agent = vault.acting_as(actor="coder")
    first = stored(agent.judge(belief, "dispute", reason="it hums"))
    assert (first.verdict, first.reason, trust(vault, belief)) == ("noted", "doubted", "believed")
    assert stored(agent.judge(belief, "dispute")).case == first.case
    assert only(vault).id == first.case


def test_a_successor_by_another_lands_disputed_with_a_case(vault: Vault) -> None:
    belief = stored(vault.remember("The office is in Berlin")).id
    receipt = vault.acting_as(actor="coder").succeed(belief, "The office is in Lisbon")
    assert (receipt.verdict, receipt.reason) == ("disputed", "may-not-supersede")
    assert texts(vault, "office") == ["The office is in Berlin"]
    stored(vault.decide(receipt.case, "uphold-new", reason="they moved"))
    assert texts(vault, "office") == ["The office is in Lisbon"]
    assert trust(vault, belief) == "superseded"


def test_no_decision_brings_a_rejected_value_back(vault: Vault) -> None:
    bad = stored(code(vault, "0000")).id
    stored(vault.reject(bad, reason="never"))
    old = stored(code(vault, "1234"))
    case = stored(vault.judge(old.id, "dispute")).case
    receipt = vault.decide(case, "edit", text="The door code is 0000", value="0000")
    assert (receipt.verdict, receipt.reason) == ("refused", "rejected-value")
    assert stored(vault.decide(case, "edit", text="The door code is 1111", value="1111"))


def test_a_case_is_seen_only_where_its_space_may_be_read(vault: Vault) -> None:
    belief = stored(vault.remember("The pump is dry", space="acme/ops")).id
    case = stored(vault.judge(belief, "dispute")).case
    outside = vault.acting_as(actor="coder", space="acme/sales")
    assert outside.cases() == ()
    with pytest.raises(NotFound):
        outside.case(case)
    member = vault.acting_as(actor="ann", role="member", space="acme/sales")
    assert member.decide(case, "keep-old").reason == "no-match"
    assert vault.acting_as(actor="bob", role="member", space="acme/ops").case(case).id == case
    assert vault.case(case).id == case


def test_a_secret_side_is_not_shown_to_who_may_not_read_it(vault: Vault) -> None:
    belief = stored(vault.remember("The vault code is 7", data_class="secret")).id
    case = stored(vault.judge(belief, "dispute")).case
    narrow = replace(vault.principal, class_max=DataClass.PRIVATE)
    with pytest.raises(NotFound):
        cases.case(vault.ground, narrow, case)
    assert cases.case(vault.ground, vault.principal, case).old == only(vault).old


@pytest.mark.parametrize("id", ["c_" + "0" * 26, "m_" + "0" * 26, "nonsense", ""])
def test_what_names_no_case_is_not_found(vault: Vault, id: str) -> None:
    with pytest.raises(NotFound):
        vault.case(id)
    assert vault.decide(id, "keep-old").reason == "no-match"


def test_wrong_arguments_are_named(vault: Vault, dispute: Dispute) -> None:
    with pytest.raises(BadInput, match="decision"):
        vault.decide(dispute.case, "maybe")
    with pytest.raises(BadInput, match="state"):
        vault.cases(state="closed")
    assert vault.decide(dispute.case, "edit").reason == "empty"
    assert vault.decide(dispute.case, "keep-old", text="so").reason == "bad-shape"
    assert only(vault).state == "open"


def test_cases_survive_a_restart(world: World) -> None:
    vault = world.vault
    belief = stored(vault.remember("The pump is dry")).id
    case = stored(vault.judge(belief, "dispute", reason="is it?")).case
    again = world.restarted()
    assert only(again).id == case
    stored(again.decide(case, Decision.KEEP_OLD.value))
    assert again.verify().ok
    assert only(world.restarted(), "decided").id == case


@pytest.mark.parametrize("act", ["retire", "retract", "reject"])
@pytest.mark.parametrize("side", [0, 1])
def test_fault_a_link_to_what_is_out_of_use_opens_a_case_that_nobody_can_decide(
    vault: Vault, act: str, side: int
) -> None:
    """Each decision ended at a state that has no way out, and the case stood open for good."""
    ids = [stored(vault.remember(text)).id for text in ("The quay opens at six", "The mill is red")]
    stored(getattr(vault, act)(ids[side]))
    linked = stored(vault.link(ids[0], ids[1], type="contradicts"))
    assert linked.case == "" and vault.cases() == ()
    third = stored(vault.remember("The otter sleeps")).id
    assert stored(vault.link(third, ids[1 - side], type="contradicts")).case
    assert len(vault.cases()) == 1 and vault.verify().ok
