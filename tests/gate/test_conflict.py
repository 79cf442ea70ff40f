"""Which side gives way when a slot holds another value: by rank, author, interval and dial?"""

from dataclasses import replace

import pytest

from muniment.domain.intent import Path
from muniment.domain.label import Label
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.gate.conflict import ALL, AUTO, DIALS, LOWER_TRUST, settle_slot
from muniment.gate.verdict import Known, Outcome, Reason, Verdict
from tests.gate.builders import AGENT, DAY, HOME, ME, NOW, OTHER, OWNER, keyed, known, remember, span, version


def _settled(intent: object, *slot: object, dial: str = AUTO, **fields: object) -> Verdict:
    at: Known = known(slot=slot, space=replace(HOME, dial=dial), **fields)
    verdict = settle_slot(intent, at)
    assert verdict is not None
    return verdict


def _rival(**fields: object) -> object:
    return version(keyed("Berlin"), **fields)


# rank of the rival, author of the rival, dial -> what becomes of the agent's new value
TABLE = [
    (Rank.UNTRUSTED, ME, AUTO, Reason.SUPERSEDED_OLDER),
    (Rank.UNTRUSTED, OTHER, AUTO, Reason.SUPERSEDED_OLDER),
    (Rank.CONVERSATION, ME, AUTO, Reason.SUPERSEDED_OLDER),
    (Rank.CONVERSATION, OTHER, AUTO, Reason.CONFLICT_OTHER_AUTHOR),
    (Rank.IMPORT, ME, AUTO, Reason.CONFLICT_LOWER_RANK),
    (Rank.MANUAL, OTHER, AUTO, Reason.CONFLICT_LOWER_RANK),
    (Rank.UNTRUSTED, ME, LOWER_TRUST, Reason.SUPERSEDED_OLDER),
    (Rank.UNTRUSTED, OTHER, LOWER_TRUST, Reason.SUPERSEDED_OLDER),
    (Rank.CONVERSATION, ME, LOWER_TRUST, Reason.CONFLICT_OTHER_AUTHOR),
    (Rank.CONVERSATION, OTHER, LOWER_TRUST, Reason.CONFLICT_OTHER_AUTHOR),
    (Rank.MANUAL, ME, LOWER_TRUST, Reason.CONFLICT_LOWER_RANK),
    (Rank.UNTRUSTED, ME, ALL, Reason.CONFLICT_OTHER_AUTHOR),
    (Rank.CONVERSATION, OTHER, ALL, Reason.CONFLICT_OTHER_AUTHOR),
    (Rank.MANUAL, ME, ALL, Reason.CONFLICT_LOWER_RANK),
]


@pytest.mark.parametrize(("rank", "author", "dial", "reason"), TABLE)
def test_the_dial_of_the_space_decides_by_rank_and_author(
    rank: Rank, author: int, dial: str, reason: Reason
) -> None:
    verdict = _settled(
        remember(keyed("Lisbon"), principal=AGENT), _rival(rank=rank, author=author), dial=dial
    )
    assert verdict.reason is reason
    assert verdict.rests_on == "m_x"
    disputed = reason is not Reason.SUPERSEDED_OLDER
    assert (verdict.outcome is Outcome.DISPUTED) is disputed
    assert verdict.birth is not None
    assert (verdict.birth.trust is Trust.DISPUTED) is disputed
    assert bool(verdict.closings) is not disputed


def test_every_dial_is_in_the_table_and_explained() -> None:
    assert {dial for _, _, dial, _ in TABLE} == set(DIALS)
    assert all(len(sentence) > 20 for sentence in DIALS.values())


def test_the_value_that_gives_way_is_closed_where_the_new_one_begins() -> None:
    verdict = _settled(remember(keyed("Lisbon"), valid_from=NOW - DAY), _rival())
    (closing,) = verdict.closings
    assert closing.valid == span(-10, -1)
    assert (closing.trust, closing.act) == (Trust.SUPERSEDED, "supersede")
    assert closing.version.claim == keyed("Berlin")
    assert verdict.birth is not None and verdict.birth.valid == span(-1)


def test_a_future_value_leaves_the_present_one_believed_until_then() -> None:
    verdict = _settled(remember(keyed("Lisbon"), valid_from=NOW + DAY), _rival())
    (closing,) = verdict.closings
    assert (closing.trust, closing.valid) == (Trust.BELIEVED, span(-10, 1))


def test_a_value_that_begins_with_the_other_leaves_it_an_empty_interval() -> None:
    verdict = _settled(remember(keyed("Lisbon"), valid_from=NOW - 10 * DAY), _rival())
    assert verdict.closings[0].valid == span(-10, -10)
    assert verdict.closings[0].valid.empty


def test_a_backdated_value_is_put_in_front_of_the_present_one() -> None:
    verdict = _settled(remember(keyed("Lisbon"), valid_from=NOW - 20 * DAY), _rival())
    assert (verdict.outcome, verdict.reason, verdict.closings) == (Outcome.STORED, Reason.CLEAN, ())
    assert verdict.birth is not None and verdict.birth.valid == span(-20, -10)


def test_a_backdated_value_cuts_the_past_one_that_held_then() -> None:
    past = _rival(memory="m_p", trust=Trust.SUPERSEDED, valid=span(-30, -10))
    verdict = _settled(remember(keyed("Lisbon"), valid_from=NOW - 20 * DAY), past, _rival())
    assert verdict.birth is not None and verdict.birth.valid == span(-20, -10)
    (closing,) = verdict.closings
    assert (closing.version.memory, closing.valid) == ("m_p", span(-30, -20))
    assert closing.trust is Trust.SUPERSEDED


def test_a_candidate_never_cuts_a_belief_of_the_past() -> None:
    past = _rival(memory="m_p", trust=Trust.SUPERSEDED, valid=span(-30, -10))
    extracted = remember(keyed("Lisbon"), path=Path.EXTRACTOR, valid_from=NOW - 20 * DAY)
    verdict = _settled(extracted, past, _rival())
    assert (verdict.outcome, verdict.closings) == (Outcome.DISPUTED, ())
    candidate_past = replace(past, before=Trust.CANDIDATE, rank=Rank.CONVERSATION)
    assert _settled(extracted, candidate_past, _rival()).outcome is Outcome.STORED


@pytest.mark.parametrize(
    ("start", "until", "there", "reason"),
    [
        (-5, -3, span(-10), Reason.CONFLICT_INSIDE),
        (-5, -3, span(-10, -4), Reason.SUPERSEDED_OLDER),
        (-5, -3, span(-10, -3), Reason.SUPERSEDED_OLDER),
        (-5, -3, span(-10, -2), Reason.CONFLICT_INSIDE),
        (-20, -15, span(-10), Reason.CLEAN),
        (-20, -10, span(-10), Reason.CLEAN),
        (-20, -9, span(-10), Reason.CONFLICT_INSIDE),
        (-5, -5, span(-10), Reason.CLEAN),
    ],
)
def test_a_bounded_claim_inside_another_is_for_a_person(
    start: int, until: int, there: Interval, reason: Reason
) -> None:
    intent = remember(keyed("Lisbon"), valid_from=NOW + start * DAY, valid_until=NOW + until * DAY)
    assert _settled(intent, _rival(valid=there)).reason is reason


def test_a_claim_over_several_values_closes_each_that_it_overlaps() -> None:
    first = _rival(memory="m_1", valid=span(-10, 5))
    second = _rival(memory="m_2", valid=span(-1, 8))
    verdict = _settled(remember(keyed("Lisbon")), first, second)
    assert [closing.version.memory for closing in verdict.closings] == ["m_1", "m_2"]
    ranked = _settled(remember(keyed("Lisbon"), principal=AGENT), replace(first, rank=Rank.UNTRUSTED), second)
    assert (ranked.outcome, ranked.closings, ranked.rests_on) == (Outcome.DISPUTED, (), "m_2")


@pytest.mark.parametrize(
    "intent", [remember("free text"), remember(keyed("Lisbon", many=True))], ids=["free", "many-valued"]
)
def test_only_a_single_valued_keyed_claim_has_rivals(intent: object) -> None:
    assert settle_slot(intent, known(slot=(_rival(),))) is None


@pytest.mark.parametrize("trust", [Trust.DISPUTED, Trust.REFUTED, Trust.REJECTED, Trust.RETIRED])
def test_what_is_not_held_stands_against_nothing(trust: Trust) -> None:
    verdict = _settled(remember(keyed("Lisbon"), principal=AGENT), _rival(trust=trust))
    assert verdict.reason is Reason.CLEAN


def test_an_untrusted_claim_stands_beside_candidates_and_against_beliefs() -> None:
    untrusted = remember(keyed("Lisbon"), label=Label(untrusted=True))
    beside = _settled(untrusted, _rival(trust=Trust.CANDIDATE))
    assert (beside.reason, beside.closings) == (Reason.CLEAN, ())
    against = _settled(untrusted, _rival(rank=Rank.UNTRUSTED))
    assert against.reason is Reason.CONFLICT_LOWER_RANK


def test_a_candidate_takes_a_candidates_place_and_never_a_beliefs() -> None:
    extracted = remember(keyed("Lisbon"), path=Path.EXTRACTOR)
    low = _rival(rank=Rank.CONVERSATION)
    assert _settled(extracted, low).outcome is Outcome.DISPUTED
    taken = _settled(extracted, replace(low, trust=Trust.CANDIDATE))
    assert taken.reason is Reason.SUPERSEDED_OLDER


def test_live_and_document_rank_weigh_the_same() -> None:
    document = remember(keyed("Lisbon"), path=Path.DOCUMENT, principal=AGENT)
    assert _settled(document, _rival(rank=Rank.LIVE)).reason is Reason.SUPERSEDED_OLDER
    assert _settled(document, _rival(rank=Rank.MANUAL)).reason is Reason.CONFLICT_LOWER_RANK


def test_an_admin_outranks_nobody_of_the_same_rank() -> None:
    admin = Principal("local", "ada", ActorRole.ADMIN)
    verdict = _settled(remember(keyed("Lisbon"), principal=admin), _rival(author=OTHER))
    assert verdict.reason is Reason.CONFLICT_OTHER_AUTHOR
    assert OWNER.is_person and admin.is_person
