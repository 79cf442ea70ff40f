"""What waits for a person, and does it land only as it was shown, by a person, as things are now?"""

from dataclasses import replace

import pytest

from muniment.domain.proposal import digest_of, intent_of, spelled
from muniment.errors import BadInput, NotFound, Refusal
from muniment.service.proposals import Proposal
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, stored, texts


@pytest.fixture
def agent(vault: Vault) -> Vault:
    """Return an agent whose writes wait."""
    vault.set_dial("review", "agent")
    return vault.acting_as(actor="coder")


def only(vault: Vault, state: str = "open") -> Proposal:
    (found,) = vault.pending(state=state)
    return found


def trust(vault: Vault, id: str) -> str:
    return vault.read(id).trust.value


def test_a_write_that_waits_is_shown_whole_and_is_not_live(vault: Vault, agent: Vault) -> None:
    receipt = agent.remember("The quay opens at six", tags=["harbour"])
    assert (receipt.verdict, receipt.reason) == ("staged", "review")
    assert receipt.id == receipt.proposal and receipt.id.startswith("p_")
    waiting = only(vault)
    assert (waiting.id, waiting.act, waiting.text) == (receipt.id, "remember", "The quay opens at six")
    assert (waiting.proposer, waiting.space, waiting.why, waiting.state) == (
        "coder",
        "home",
        "review",
        "open",
    )
    assert '"harbour"' in waiting.body
    assert texts(vault, "quay") == [] and vault.memories() == ()
    assert vault.verify().ok


def test_an_approved_write_lands_as_its_proposers_and_both_are_on_record(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    receipt = stored(vault.approve(waiting, digest=only(vault).digest, reason="seen"))
    assert (receipt.verdict, receipt.proposal) == ("stored", waiting)
    reading = vault.read(receipt.id)
    assert (reading.text, reading.author, reading.rank) == ("The quay opens at six", "coder", "conversation")
    row = vault.log(limit=1)[0]
    assert (row.act, row.fields["proposal"]) == ("remember", waiting) and "approver" in row.fields
    done = only(vault, "approved")
    assert (done.state, done.decided_by, done.reason) == ("approved", "owner", "seen")
    assert vault.pending() == () and texts(vault, "quay") == ["The quay opens at six"]
    assert vault.verify().ok


def test_an_approval_of_other_bytes_than_those_shown_is_refused(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    altered = digest_of(only(vault).body.replace("six", "ten")).hex()
    receipt = vault.approve(waiting, digest=altered)
    assert (receipt.verdict, receipt.reason, receipt.proposal) == ("refused", "altered", waiting)
    assert only(vault).id == waiting and texts(vault, "quay") == []
    with pytest.raises(BadInput):
        vault.approve(waiting, digest="not hex")


def test_only_a_person_approves_or_declines(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    digest = only(vault).digest
    assert agent.approve(waiting, digest=digest).reason == "person-only"
    assert agent.decline(waiting, reason="no").reason == "person-only"
    with pytest.raises(Refusal):
        agent.approve(waiting, digest=digest, strict=True)
    assert only(vault).state == "open"


def test_a_declined_write_is_kept_with_the_reason_and_may_not_come_back(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    receipt = stored(vault.decline(waiting, reason="it does not"))
    assert (receipt.verdict, receipt.proposal) == ("stored", waiting)
    done = only(vault, "declined")
    assert (done.state, done.reason, done.text) == ("declined", "it does not", "The quay opens at six")
    assert vault.pending() == ()
    again = agent.remember("the quay  OPENS at six")
    assert (again.verdict, again.reason) == ("refused", "rejected-value")
    assert agent.remember("The quay opens at nine").verdict == "staged"
    assert vault.verify().ok


def test_a_person_lifts_what_a_decline_keeps_out(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    stored(vault.decline(waiting, reason="it does not"))
    assert agent.lift(waiting).reason == "person-only"
    stored(vault.lift(waiting, reason="it does"))
    assert agent.remember("The quay opens at six").verdict == "staged"
    assert vault.verify().ok


def test_a_person_edits_what_waits_and_it_is_then_the_persons_statement(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six", tags=["harbour"]).id
    shown = only(vault)
    receipt = stored(
        vault.approve(waiting, digest=shown.digest, text="The quay opens at nine", reason="seen")
    )
    reading = vault.read(receipt.id)
    assert (reading.text, reading.author, reading.rank) == ("The quay opens at nine", "owner", "manual")
    assert reading.tags == ("harbour",) and texts(vault, "quay") == ["The quay opens at nine"]
    done = only(vault, "approved")
    assert (done.text, done.edited, done.digest) == (
        "The quay opens at six",
        "The quay opens at nine",
        shown.digest,
    )
    assert (done.proposer, done.decided_by, done.reason) == ("coder", "owner", "seen")
    assert "approver" in vault.log(limit=1)[0].fields and vault.verify().ok
    assert agent.remember("The quay opens at six").verdict == "staged"


def test_what_is_approved_word_for_word_shows_no_edit(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    stored(vault.approve(waiting, digest=only(vault).digest))
    assert only(vault, "approved").edited == ""


def test_an_edit_is_bound_to_the_bytes_that_were_shown_and_passes_the_gate(
    vault: Vault, agent: Vault
) -> None:
    bad = stored(vault.remember("The quay is haunted")).id
    stored(vault.reject(bad, reason="never"))
    waiting = agent.remember("The quay opens at six").id
    digest = only(vault).digest
    altered = digest_of(only(vault).body.replace("six", "ten")).hex()
    assert vault.approve(waiting, digest=altered, text="The quay opens at nine").reason == "altered"
    assert vault.approve(waiting, digest=digest, text="The QUAY is haunted").reason == "rejected-value"
    assert vault.approve(waiting, digest=digest, text="x" * 100_001).reason == "too-long"
    assert agent.approve(waiting, digest=digest, text="The quay opens at nine").reason == "person-only"
    assert only(vault).id == waiting and texts(vault, "quay") == []
    stored(vault.approve(waiting, digest=digest, text="The quay opens at nine"))


def test_an_edit_of_what_rests_on_untrusted_material_stays_untrusted(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    session = vault.session("s-1", agent="coder")
    session.append(role="tool_result", text="The page says the quay opens at six")
    waiting = session.remember("The quay opens at six").id
    receipt = stored(vault.approve(waiting, digest=only(vault).digest, text="The quay opens at nine"))
    reading = vault.read(receipt.id)
    assert (reading.label.untrusted, reading.trust, reading.rank) == (True, "candidate", "untrusted")


def test_an_edited_revision_changes_its_target_and_a_value_goes_with_its_text(vault: Vault) -> None:
    slot = {"about": "door", "attribute": "code"}
    agent = vault.acting_as(actor="coder")
    mine = stored(agent.remember("The code is 1234", value="1234", **slot)).id
    vault.set_dial("review", "agent")
    assert agent.revise(mine, "The code is 4711", value="4711", reason="new").verdict == "staged"
    edit = {"text": "The code is 9999", "value": "9999"}
    stored(vault.approve(only(vault).id, digest=only(vault).digest, **edit))
    reading = vault.read(mine)
    assert (reading.text, reading.value, reading.version) == ("The code is 9999", "9999", 2)


def test_only_an_approval_of_words_takes_other_words(vault: Vault) -> None:
    mine = stored(vault.acting_as(actor="coder").remember("Never mind")).id
    vault.set_dial("review", "agent")
    staged = vault.acting_as(actor="coder").retract(mine, reason="wrong")
    digest = vault.proposal(staged.proposal).digest
    receipt = vault.approve(staged.proposal, digest=digest, text="Mind it")
    assert (receipt.verdict, receipt.reason, receipt.proposal) == ("refused", "bad-shape", staged.proposal)
    stored(vault.approve(staged.proposal, digest=digest))


@pytest.mark.parametrize("act", ["retract", "refute", "link"])
def test_a_change_that_a_person_declined_is_not_asked_for_again(vault: Vault, act: str) -> None:
    agent, other = vault.acting_as(actor="coder"), vault.acting_as(actor="helper")
    mine = stored(agent.remember("The quay opens at six")).id
    ground = stored(agent.remember("The harbour is deep")).id
    vault.set_dial("review", "agent")

    def ask(hand: Vault, why: str) -> str:
        if act == "link":
            return hand.link(mine, ground, type="refers_to").reason
        if act == "refute":
            return hand.judge(mine, "refute", evidence=[ground], reason=why).reason
        return hand.retract(mine, reason=why).reason

    assert ask(agent, "wrong") == "review"
    stored(vault.decline(only(vault).id, reason="it stands"))
    assert ask(agent, "really wrong") == "declined-before" and vault.pending() == ()
    if act != "retract":
        assert ask(other, "so wrong") == "declined-before"
    assert vault.verify().ok


def test_what_was_declined_may_be_asked_for_again_once_the_memory_changed(vault: Vault) -> None:
    agent = vault.acting_as(actor="coder")
    mine = stored(agent.remember("The quay opens at six")).id
    vault.set_dial("review", "agent")
    agent.retract(mine, reason="wrong")
    stored(vault.decline(only(vault).id, reason="it stands"))
    assert agent.retract(mine, reason="wrong").reason == "declined-before"
    stored(vault.revise(mine, "The quay opens at nine", reason="new"))
    assert agent.retract(mine, reason="wrong").reason == "review"


def test_a_person_ends_the_refusal_of_a_declined_removal(vault: Vault) -> None:
    agent = vault.acting_as(actor="coder")
    mine = stored(agent.remember("The quay opens at six")).id
    vault.set_dial("review", "agent")
    waiting = agent.retract(mine, reason="wrong").proposal
    assert vault.lift(waiting).reason == "no-match"
    stored(vault.decline(waiting, reason="it stands"))
    assert agent.lift(waiting).reason == "person-only"
    stored(vault.lift(waiting, reason="it does not"))
    assert vault.proposal(waiting).state == "lifted"
    assert agent.retract(mine, reason="wrong").reason == "review"
    assert vault.lift(waiting).reason == "no-match" and vault.verify().ok


def test_a_person_may_ask_again_for_what_was_declined(vault: Vault) -> None:
    mine = stored(vault.remember("The quay opens at six")).id
    vault.set_dial("review", "all")
    vault.retract(mine, reason="wrong")
    stored(vault.decline(only(vault).id, reason="wait"))
    assert vault.retract(mine, reason="wrong after all").reason == "review"


def test_a_declined_removal_is_remembered_after_a_restart(world: World) -> None:
    vault = world.vault
    agent = vault.acting_as(actor="coder")
    mine = stored(agent.remember("The quay opens at six")).id
    vault.set_dial("review", "agent")
    agent.retract(mine, reason="wrong")
    stored(vault.decline(only(vault).id, reason="it stands"))
    again = world.restarted().acting_as(actor="coder")
    assert again.retract(mine, reason="wrong").reason == "declined-before"


def test_a_proposal_is_settled_once(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    digest = only(vault).digest
    stored(vault.approve(waiting, digest=digest))
    assert vault.approve(waiting, digest=digest).reason == "closed-case"
    assert vault.decline(waiting).reason == "closed-case"
    assert len(vault.memories()) == 1


def test_an_approval_judges_against_the_state_as_it_is_now(vault: Vault, agent: Vault) -> None:
    waiting = agent.remember("The quay opens at six").id
    bad = stored(vault.remember("The quay opens at six")).id
    stored(vault.reject(bad, reason="never"))
    receipt = vault.approve(waiting, digest=only(vault).digest)
    assert (receipt.verdict, receipt.reason) == ("refused", "rejected-value")
    assert only(vault).id == waiting and texts(vault, "quay") == []


def test_an_approval_lends_no_rank(vault: Vault, agent: Vault) -> None:
    slot = {"about": "door", "attribute": "code"}
    waiting = agent.remember("The code is 4711", value="4711", **slot).id
    stored(vault.remember("The code is 1234", value="1234", **slot))
    receipt = stored(vault.approve(waiting, digest=only(vault).digest))
    assert (receipt.verdict, receipt.reason, bool(receipt.case)) == ("disputed", "conflict-lower-rank", True)
    assert texts(vault, "code") == ["The code is 1234"]


@pytest.mark.parametrize("act", ["revise", "succeed", "retract", "link"])
def test_every_kind_of_change_waits_and_lands(vault: Vault, clock: FakeClock, act: str) -> None:
    agent = vault.acting_as(actor="coder")
    mine = stored(agent.remember("The quay opens at six")).id
    other = stored(agent.remember("The harbour is deep")).id
    vault.set_dial("review", "agent")
    clock.advance(days=1)
    if act == "link":
        receipt = agent.link(mine, other, type="refers_to")
    elif act == "retract":
        receipt = agent.retract(mine, reason="wrong")
    else:
        receipt = getattr(agent, act)(mine, "The quay opens at nine", reason="new times")
    assert receipt.verdict == "staged"
    waiting = only(vault)
    assert (waiting.act, waiting.target, waiting.now) == (act, mine, "The quay opens at six")
    assert texts(vault, "quay opens") == ["The quay opens at six"]
    stored(vault.approve(waiting.id, digest=waiting.digest))
    assert vault.pending() == ()
    expected = {"retract": [], "link": ["The quay opens at six"]}.get(act, ["The quay opens at nine"])
    assert texts(vault, "quay opens") == expected


def test_the_dial_says_whose_changes_wait(vault: Vault) -> None:
    agent = vault.acting_as(actor="coder")
    assert vault.settings() == ("auto", "off")
    assert agent.remember("One is first").verdict == "stored"
    vault.set_dial("review", "agent")
    assert vault.remember("Two is second").verdict == "stored"
    assert agent.remember("Three is third").verdict == "staged"
    vault.set_dial("review", "all")
    assert vault.remember("Four is fourth").verdict == "staged"
    vault.set_dial("review", "off")
    assert agent.remember("Five is fifth").verdict == "stored"
    assert vault.remember("Six is sixth", space="acme").verdict == "stored"
    row = [one for one in vault.log() if one.act == "set_dial"][0]
    assert (row.fields["dial"], row.fields["to"]) == ("review", "off")


def test_a_dial_counts_for_a_process_that_was_there_before(world: World) -> None:
    vault = world.vault
    agent = vault.acting_as(actor="coder")
    stored(agent.remember("One is first"))
    vault.set_dial("review", "agent")
    vault.ground.dials_at, vault.ground.reviews = 0, {}
    assert agent.remember("Two is second").verdict == "staged"
    assert world.restarted().acting_as(actor="coder").remember("Three is third").verdict == "staged"


def test_only_the_owner_moves_a_dial(vault: Vault) -> None:
    for hand in (vault.acting_as(actor="coder"), vault.acting_as(actor="ann", role="member")):
        with pytest.raises(Refusal):
            hand.set_dial("review", "all")
    with pytest.raises(BadInput):
        vault.set_dial("review", "sometimes")
    with pytest.raises(BadInput):
        vault.set_dial("mood", "all")
    assert vault.settings() == ("auto", "off")


def test_the_conflict_dial_is_honoured(vault: Vault, clock: FakeClock) -> None:
    slot = {"about": "lamp", "attribute": "colour"}
    stored(vault.remember("The lamp is blue", value="blue", **slot))
    clock.advance(days=1)
    vault.set_dial("conflict", "lower-trust")
    assert vault.remember("The lamp is red", value="red", **slot).verdict == "disputed"
    assert [row.dial for row in vault.spaces()] == ["lower-trust"]
    vault.set_dial("conflict", "auto")
    assert vault.remember("The lamp is green", value="green", **slot).reason == "superseded-older"


def test_a_proposal_is_seen_only_where_its_space_may_be_read(vault: Vault) -> None:
    vault.set_dial("review", "all", space="acme/ops")
    waiting = vault.acting_as(actor="coder", space="acme/ops").remember("The pump is dry").id
    outside = vault.acting_as(actor="ann", role="member", space="acme/sales")
    assert outside.pending() == ()
    with pytest.raises(NotFound):
        outside.proposal(waiting)
    assert outside.decline(waiting, reason="no").reason == "no-match"
    assert vault.proposal(waiting).id == waiting


def test_what_changes_nothing_does_not_wait(vault: Vault, agent: Vault) -> None:
    stored(vault.remember("The quay opens at six"))
    assert agent.remember("The quay opens at six").verdict == "merged"
    assert vault.pending() == ()


def test_a_look_alike_of_a_rejected_value_waits_too(vault: Vault) -> None:
    bad = stored(vault.remember("The corn field is here")).id
    stored(vault.reject(bad, reason="never"))
    receipt = vault.acting_as(actor="coder").remember("The corn fie1d is here")
    assert (receipt.verdict, receipt.reason) == ("staged", "look-alike-of-rejected")
    stored(vault.approve(receipt.proposal, digest=only(vault).digest))
    assert texts(vault, "corn") == ["The corn fie1d is here"]


def test_a_body_spells_one_request_both_ways(vault: Vault, agent: Vault) -> None:
    agent.remember("na\u00efve \u2028 tea", kind="preference", about="tea", attribute="kind", value="green")
    body = only(vault).body
    intent = intent_of(body)
    assert spelled(intent) == body and body.isascii()
    assert spelled(replace(intent, session=4)) != body
    for broken in ("", "[]", "{}", body.replace("remember", "forget"), body[:-1]):
        with pytest.raises(BadInput):
            intent_of(broken)


def test_proposals_survive_a_restart(world: World) -> None:
    vault = world.vault
    vault.set_dial("review", "agent")
    waiting = vault.acting_as(actor="coder").remember("The quay opens at six").id
    again = world.restarted()
    assert only(again).id == waiting
    stored(again.approve(waiting, digest=only(again).digest))
    assert again.verify().ok
