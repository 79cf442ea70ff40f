"""Is a rejected value refused to everybody, and a harmless neighbour only to nobody?"""

import pytest

from muniment.domain.tombstone import TombstoneHit, TombstoneKind
from muniment.domain.trust import Act, Trust
from muniment.gate.rejected import RESTORES, refuse_rejected_value
from muniment.gate.verdict import Outcome, Reason
from tests.gate.builders import AGENT, OWNER, act, change, connect, known, lift, remember, version

PLAIN = TombstoneHit("t_1", TombstoneKind.REJECTED, False)
ALIKE = TombstoneHit("t_2", TombstoneKind.REJECTED, True)
DISGUISED = TombstoneHit("t_3", TombstoneKind.REJECTED, True, disguised=True)


@pytest.mark.parametrize("principal", [OWNER, AGENT])
@pytest.mark.parametrize("make", [remember, change, lambda **given: act(Act.REVIVE, **given)])
def test_the_value_itself_is_refused_to_everybody(make: object, principal: object) -> None:
    intent = make(principal=principal)
    verdict = refuse_rejected_value(intent, known(tombstones=(PLAIN,)))
    assert verdict is not None
    assert (verdict.reason, verdict.rests_on) == (Reason.REJECTED_VALUE, "t_1")
    assert refuse_rejected_value(intent, known()) is None


def test_a_plain_hit_counts_wherever_it_stands_in_the_list() -> None:
    verdict = refuse_rejected_value(remember(), known(tombstones=(ALIKE, PLAIN)))
    assert verdict is not None and verdict.rests_on == "t_1"


def test_a_look_alike_of_an_agent_waits_for_a_person_and_a_persons_plain_ascii_passes() -> None:
    at = known(tombstones=(ALIKE,))
    by_agent = refuse_rejected_value(remember(principal=AGENT), at)
    assert by_agent is not None and by_agent.reason is Reason.LOOK_ALIKE
    assert (by_agent.outcome, by_agent.rests_on, by_agent.held) == (Outcome.STAGED, "t_2", True)
    assert refuse_rejected_value(remember(principal=OWNER), at) is None


def test_what_is_live_here_already_may_be_said_again_though_it_looks_alike() -> None:
    live = known(tombstones=(ALIKE,), same=(version(),))
    ended = known(tombstones=(ALIKE,), same=(version(trust=Trust.RETIRED),))
    assert refuse_rejected_value(remember(principal=AGENT), live) is None
    waiting = refuse_rejected_value(remember(principal=AGENT), ended)
    assert waiting is not None and waiting.outcome is Outcome.STAGED
    disguised = known(tombstones=(DISGUISED,), same=(version(),))
    refused = refuse_rejected_value(remember(principal=AGENT), disguised)
    assert refused is not None and refused.refused


def test_a_look_alike_with_foreign_letters_is_a_disguise_for_everybody() -> None:
    at = known(tombstones=(ALIKE, DISGUISED))
    for principal in (OWNER, AGENT):
        verdict = refuse_rejected_value(remember(principal=principal), at)
        assert verdict is not None and verdict.reason is Reason.REJECTED_VALUE


@pytest.mark.parametrize("what", list(Act))
def test_only_acts_that_bring_a_memory_back_state_its_value(what: Act) -> None:
    verdict = refuse_rejected_value(act(what), known(tombstones=(PLAIN,)))
    assert (verdict is not None) is (what in RESTORES)


@pytest.mark.parametrize("what", list(Act))
def test_a_reason_that_holds_an_erased_value_is_refused_whatever_the_act(what: Act) -> None:
    erased = TombstoneHit("t_4", TombstoneKind.ERASED, False, part="reason", within=True)
    verdict = refuse_rejected_value(act(what), known(tombstones=(erased,)))
    assert verdict is not None and verdict.rests_on == "t_4"
    assert verdict.detail == "It stands within the reason."


@pytest.mark.parametrize(
    ("hit", "detail"),
    [
        (PLAIN, ""),
        (TombstoneHit("t_5", TombstoneKind.REJECTED, False, part="tag"), "The tag is it."),
        (TombstoneHit("t_5", TombstoneKind.REJECTED, False, within=True), "It stands within the text."),
    ],
)
def test_a_refusal_names_the_part_and_never_the_value(hit: TombstoneHit, detail: str) -> None:
    verdict = refuse_rejected_value(remember(), known(tombstones=(hit,)))
    assert verdict is not None and verdict.detail == detail


def test_a_link_and_a_lifting_state_no_value() -> None:
    for intent in (connect(), lift()):
        assert refuse_rejected_value(intent, known(tombstones=(PLAIN,))) is None
