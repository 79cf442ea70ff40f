"""Is a rejected value refused to everybody, and a harmless neighbour only to nobody?"""

import pytest

from muniment.domain.tombstone import TombstoneHit, TombstoneKind
from muniment.domain.trust import Act
from muniment.gate.rejected import RESTORES, refuse_rejected_value
from muniment.gate.verdict import Reason
from tests.gate.builders import AGENT, OWNER, act, change, connect, known, lift, remember

PLAIN = TombstoneHit("t_1", TombstoneKind.REJECTED, False)
ALIKE = TombstoneHit("t_2", TombstoneKind.REJECTED, True)


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


def test_a_look_alike_is_refused_to_an_agent_and_passes_for_a_persons_plain_ascii() -> None:
    at = known(tombstones=(ALIKE,))
    by_agent = refuse_rejected_value(remember(principal=AGENT), at)
    assert by_agent is not None and by_agent.reason is Reason.LOOK_ALIKE
    assert refuse_rejected_value(remember(principal=OWNER), at) is None


def test_a_look_alike_with_foreign_letters_is_a_disguise_for_everybody() -> None:
    at = known(tombstones=(ALIKE,), non_ascii_letters=True)
    for principal in (OWNER, AGENT):
        verdict = refuse_rejected_value(remember(principal=principal), at)
        assert verdict is not None and verdict.reason is Reason.REJECTED_VALUE


@pytest.mark.parametrize("what", list(Act))
def test_only_acts_that_bring_a_memory_back_state_its_value(what: Act) -> None:
    verdict = refuse_rejected_value(act(what), known(tombstones=(PLAIN,)))
    assert (verdict is not None) is (what in RESTORES)


def test_a_link_and_a_lifting_state_no_value() -> None:
    for intent in (connect(), lift()):
        assert refuse_rejected_value(intent, known(tombstones=(PLAIN,))) is None
