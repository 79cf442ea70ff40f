"""What does one id say, now and then, what did it say, and what does it rest on?"""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from muniment.domain.label import DataClass
from muniment.domain.link import LinkType
from muniment.errors import BadInput, BadTime, MunimentError, NotFound
from muniment.service.explore import WHY_DEPTH_MAX, WHY_STEPS_MAX, Asked
from muniment.service.explore import read as read_with
from muniment.service.ground import Ground
from muniment.service.vault import Vault
from tests.builders import START, FakeClock, stored

DAWN, NOON = "The ferry leaves at dawn", "The ferry leaves at noon"


@pytest.fixture
def ferry(vault: Vault) -> str:
    return stored(
        vault.remember(DAWN, kind="decision", about="ferry", attribute="time", value="dawn", tags=["sea"])
    ).id


def test_a_reading_says_everything_that_was_said(vault: Vault, ferry: str) -> None:
    found = vault.read(ferry)
    assert (found.id, found.version, found.text, found.source) == (ferry, 1, DAWN, "memory")
    assert (found.kind, found.about, found.attribute, found.value) == ("decision", "ferry", "time", "dawn")
    assert (found.tags, found.space, found.state, found.act) == (("sea",), "home", "current", "remember")
    assert found.author == "owner"
    assert found.record == 0
    assert found.verified


@pytest.mark.parametrize("id", ["", "nonsense", "m_", "m_" + "0" * 26, "e_" + "0" * 26, "x_" + "0" * 26])
def test_what_is_not_there_is_not_found(vault: Vault, ferry: str, id: str) -> None:
    for ask in (vault.read, vault.history, vault.why):
        with pytest.raises(NotFound):
            ask(id)


@pytest.mark.parametrize("id", [5, b"m_1", ["m_1"]])
def test_an_id_that_is_no_text_is_the_callers_mistake(vault: Vault, id: object) -> None:
    for ask in (vault.read, vault.history, vault.why):
        with pytest.raises(BadInput):
            ask(id)


def test_what_lies_in_another_space_is_as_if_it_were_not_there(vault: Vault) -> None:
    """The answer is the same, word for word: an id tells nothing (I7)."""
    hidden = stored(vault.remember(DAWN, space="acme/law")).id
    agent = vault.acting_as(actor="coder", space="acme/eng")
    for ask in (agent.read, agent.history, agent.why):
        with pytest.raises(NotFound) as there:
            ask(hidden)
        with pytest.raises(NotFound) as absent:
            ask("m_" + "0" * 26)
        assert there.value.sentence == absent.value.sentence
    assert vault.read(hidden).text == DAWN


def test_a_memory_of_a_higher_class_is_as_if_it_were_not_there(vault: Vault) -> None:
    secret = stored(vault.remember(DAWN, data_class="secret")).id
    agent = vault.acting_as(actor="coder", space="home")
    narrow = Vault(
        vault.ground,
        replace(agent.principal, class_max=DataClass.PRIVATE),
        recalls=vault._recalls,
        witnessing=vault._witnessing,
    )
    with pytest.raises(NotFound):
        narrow.read(secret)
    assert vault.read(secret).text == DAWN


def test_a_correction_is_what_is_read_now_and_what_was_known_then(
    vault: Vault, ferry: str, clock: FakeClock
) -> None:
    before = clock.now()
    clock.advance(days=1)
    stored(vault.revise(ferry, text=NOON, reason="it moved"))
    assert vault.read(ferry).text == NOON
    then = vault.read(ferry, known_at=before)
    assert (then.text, then.version, then.reason) == (DAWN, 1, "")
    assert vault.read(ferry).reason == "it moved"


def test_before_it_was_known_nothing_of_it_is_told(vault: Vault, ferry: str) -> None:
    early = vault.read(ferry, known_at=START - timedelta(days=1))
    assert early.state == "not known then"
    assert (early.text, early.value, early.tags, early.reason) == ("", "", (), "")


def test_a_closed_interval_is_read_as_not_valid_then(vault: Vault, clock: FakeClock) -> None:
    until = clock.now() + timedelta(days=10)
    held = stored(vault.remember(DAWN, valid_from=clock.now(), valid_until=until)).id
    assert vault.read(held).state == "current"
    assert vault.read(held, when=until - timedelta(seconds=1)).state == "current"
    assert vault.read(held, when=until).state == "not valid then"
    assert vault.read(held, when=clock.now() - timedelta(days=1)).state == "not valid then"
    clock.advance(days=11)
    assert vault.read(held).state == "not valid then"


def test_a_successor_is_named_by_what_it_took_the_place_of(
    vault: Vault, ferry: str, clock: FakeClock
) -> None:
    clock.advance(days=1)
    changed = clock.now()
    later = stored(vault.succeed(ferry, text=NOON, valid_from=changed)).id
    assert vault.read(ferry).state == "superseded"
    assert vault.read(ferry).successor == later
    assert vault.read(ferry, when=changed - timedelta(hours=1)).state == "current"
    assert vault.read(later).state == "current"
    assert vault.read(later).successor == ""


def test_an_expired_memory_is_read_as_expired(vault: Vault, clock: FakeClock) -> None:
    held = stored(vault.remember(DAWN, expires_at=clock.now() + timedelta(days=1))).id
    assert vault.read(held).state == "current"
    clock.advance(days=1)
    assert vault.read(held).state == "expired"


@pytest.mark.parametrize(("act", "state"), [("retire", "retired"), ("retract", "retired")])
def test_a_withheld_memory_is_read_with_its_state(vault: Vault, ferry: str, act: str, state: str) -> None:
    stored(getattr(vault, act)(ferry, reason="enough"))
    assert vault.read(ferry).state == state
    assert vault.read(ferry).reason == "enough"


def test_a_rejected_memory_is_shown_only_to_a_person_who_asks(vault: Vault, ferry: str) -> None:
    stored(vault.reject(ferry, reason="it sank"))
    for ask in (vault.read, vault.history):
        with pytest.raises(NotFound, match="rejected"):
            ask(ferry)
    assert vault.read(ferry, include_rejected=True).text == DAWN
    assert [one.act for one in vault.history(ferry, include_rejected=True)] == ["remember", "reject"]
    agent = vault.acting_as(actor="coder")
    for ask in (agent.read, agent.history):
        with pytest.raises(NotFound):
            ask(ferry, include_rejected=True)


def test_a_turn_is_read_by_its_id(vault: Vault, clock: FakeClock) -> None:
    at = clock.now() - timedelta(days=3)
    vault.session("s-1").append("user", "When does it leave?", at=at, speaker="Ada")
    (turn,) = vault.session("s-1").turns()
    found = vault.read(turn.id)
    assert (found.source, found.role, found.speaker, found.session) == ("turn", "user", "Ada", "s-1")
    assert (found.text, found.occurred_at, found.state) == ("When does it leave?", at, "current")
    assert found.trust is None


def test_a_turn_of_another_space_is_not_found(vault: Vault) -> None:
    vault.session("s-1", space="acme/law").append("user", "privileged")
    (turn,) = vault.session("s-1", space="acme/law").turns()
    with pytest.raises(NotFound):
        vault.acting_as(actor="coder", space="acme/eng").read(turn.id)
    assert vault.read(turn.id).text == "privileged"


@pytest.mark.parametrize("moment", [datetime(2026, 1, 1), "someday", 5])
def test_a_moment_that_is_none_is_the_callers_mistake(vault: Vault, ferry: str, moment: object) -> None:
    with pytest.raises(BadTime):
        vault.read(ferry, when=moment)
    with pytest.raises(BadTime):
        vault.read(ferry, known_at=moment)


def test_a_history_has_every_version_with_who_and_why(vault: Vault, ferry: str, clock: FakeClock) -> None:
    clock.advance(hours=1)
    agent = vault.acting_as(actor="coder", space="home", writes=["home"])
    stored(vault.revise(ferry, text=NOON, reason="it moved"))
    clock.advance(hours=1)
    stored(vault.retire(ferry, reason="no more ferries"))
    found = vault.history(ferry)
    assert [one.act for one in found] == ["remember", "revise", "retire"]
    assert [one.version for one in found] == [1, 2, 3]
    assert [one.text for one in found] == [DAWN, NOON, NOON]
    assert [one.reason for one in found] == ["", "it moved", "no more ferries"]
    assert [one.record for one in found] == [0, 1, 2]
    assert [one.text for one in agent.history(ferry)] == [DAWN, NOON, NOON]


def test_a_history_holds_predecessors_and_successors(vault: Vault, ferry: str, clock: FakeClock) -> None:
    ids = [ferry]
    for number in range(3):
        clock.advance(days=1)
        text = f"The ferry leaves at {number + 6}"
        ids.append(stored(vault.succeed(ids[-1], text=text, valid_from=clock.now())).id)
    for id in ids:
        found = vault.history(id)
        assert {one.id for one in found} == set(ids)
        assert [one.recorded for one in found] == sorted(one.recorded for one in found)


def test_a_rejected_predecessor_is_left_out_of_a_history(vault: Vault, ferry: str, clock: FakeClock) -> None:
    clock.advance(days=1)
    later = stored(vault.succeed(ferry, text=NOON, valid_from=clock.now())).id
    stored(vault.reject(ferry, reason="it was never so"))
    assert {one.id for one in vault.history(later)} == {later}
    assert {one.id for one in vault.history(later, include_rejected=True)} == {ferry, later}


def test_a_statement_without_evidence_rests_on_itself(vault: Vault, ferry: str) -> None:
    (only,) = vault.why(ferry)
    assert (only.id, only.relation, only.depth, only.text) == (ferry, "statement", 0, DAWN)


def test_why_leads_down_to_the_words(vault: Vault) -> None:
    vault.session("s-1").append("user", "I heard that the ferry leaves at dawn.", speaker="Ada")
    (turn,) = vault.session("s-1").turns()
    first = stored(vault.remember(DAWN, evidence=[turn.id])).id
    second = stored(vault.remember("We must rise early", kind="decision", evidence=[first])).id
    steps = vault.why(second)
    assert [(step.id, step.depth) for step in steps] == [(second, 0), (first, 1), (turn.id, 2)]
    assert [step.relation for step in steps] == ["statement", "derived_from", "derived_from"]
    assert (steps[-1].speaker, steps[-1].session) == ("Ada", "s-1")


def test_why_leaves_out_what_the_caller_may_not_see(vault: Vault) -> None:
    vault.session("s-1", space="acme/law").append("user", "The ferry leaves at dawn, between us.")
    (turn,) = vault.session("s-1", space="acme/law").turns()
    held = stored(vault.remember(DAWN, space="acme/eng", evidence=[turn.id])).id
    assert [step.id for step in vault.why(held)] == [held, turn.id]
    agent = vault.acting_as(actor="coder", space="acme/eng")
    assert [step.id for step in agent.why(held)] == [held]


def test_why_leaves_out_a_source_that_was_rejected(vault: Vault, ferry: str) -> None:
    held = stored(vault.remember("We must rise early", kind="decision", evidence=[ferry])).id
    assert [step.id for step in vault.why(held)] == [held, ferry]
    stored(vault.reject(ferry, reason="it sank"))
    assert [step.id for step in vault.why(held)] == [held]


def test_a_source_that_is_shared_is_told_once(vault: Vault) -> None:
    vault.session("s-1").append("user", "The ferry leaves at dawn.")
    (turn,) = vault.session("s-1").turns()
    ones = [stored(vault.remember(f"{DAWN} on day {n}", evidence=[turn.id])).id for n in range(2)]
    both = stored(vault.remember("We must rise early", kind="decision", evidence=ones)).id
    ids = [step.id for step in vault.why(both)]
    assert sorted(ids) == sorted([both, *ones, turn.id])


def test_a_long_chain_ends_at_its_bound(vault: Vault, ferry: str) -> None:
    last = ferry
    for number in range(WHY_DEPTH_MAX + 3):
        last = stored(vault.remember(f"Conclusion number {number}", evidence=[last])).id
    steps = vault.why(last)
    assert len(steps) == 1 + WHY_DEPTH_MAX
    assert max(step.depth for step in steps) == WHY_DEPTH_MAX <= WHY_STEPS_MAX


def test_a_link_of_another_kind_is_no_evidence(vault: Vault, ferry: str) -> None:
    other = stored(vault.remember("The harbour is deep")).id
    stored(vault.link(other, ferry, type=LinkType.REFERS_TO.value))
    assert [step.id for step in vault.why(other)] == [other]


def test_without_keys_a_reading_says_that_nothing_was_verified(vault: Vault, ferry: str) -> None:
    ground = vault.ground
    blind = Ground(ground.store, replace(ground.outside, verifiable=False), ground.tenant)
    assert not read_with(blind, vault.principal, ferry, asked=Asked()).verified
    assert vault.read(ferry).verified


def test_a_memory_whose_head_was_moved_is_not_read(vault: Vault, ferry: str) -> None:
    """With another key its seal does not match, as after an edit of the database."""
    ground = vault.ground

    class OtherKeys(type(ground.outside.keyring)):  # type: ignore[misc]  # the class of this store's keys
        pass

    other = OtherKeys(b"another seed")
    strange = Ground(ground.store, replace(ground.outside, keyring=other), ground.tenant)
    with pytest.raises(MunimentError) as caught:
        read_with(strange, vault.principal, ferry, asked=Asked())
    assert caught.value.code == "tampered"
