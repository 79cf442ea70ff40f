"""What does each decision make of each side, and which decisions does the table not have?"""

from dataclasses import replace
from datetime import timedelta

import pytest

from muniment.domain.intent import Decide, Times
from muniment.domain.label import PUBLIC
from muniment.domain.matter import Decision, Matter, MatterKind, MatterState, Why
from muniment.domain.memory import Claim, Digests, Version
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import TombstoneHit, TombstoneKind
from muniment.domain.trust import Rank, Trust
from muniment.gate.decide import refuse_closed_case, stamp
from muniment.gate.judge import judge
from muniment.gate.verdict import Closing, Known, Outcome, Reason, Verdict
from tests.gate.builders import AGENT, DAY, NOW, OWNER, change, keyed, known, version

OLD = version("The lamp is blue", memory="m_old", number=3, trust=Trust.BELIEVED, rank=Rank.IMPORT)
NEW = replace(
    version("The lamp is red", memory="m_new", number=2, trust=Trust.DISPUTED, rank=Rank.CONVERSATION),
    valid=Interval(NOW - 2 * DAY),
    n=2,
)
CASE = Matter(
    n=9,
    id="c_x",
    kind=MatterKind.DISPUTE,
    space=1,
    state=MatterState.OPEN,
    why=Why.LOWER_RANK.value,
    label=PUBLIC,
    actor=7,
    recorded=NOW - DAY,
    new="m_new",
    new_version=2,
    old="m_old",
    old_version=3,
)


def at(new: Version | None = NEW, old: Version | None = OLD, **fields: object) -> Known:
    """Return what is known of a case with these sides."""
    numbers = {"new_version": new.number if new else 0, "old_version": old.number if old else 0}
    case = replace(CASE, **numbers, **{name: fields.pop(name) for name in ("why", "state") if name in fields})
    return known(case=case, new_side=new, old_side=old, **fields)


def decided(decision: Decision, where: Known | None = None, **fields: object) -> Verdict:
    asked = {"claim": Claim("The lamp is green")} if decision is Decision.EDIT else {}
    return judge(Decide(OWNER, "c_x", decision, **{**asked, **fields}), where or at())


def ends(verdict: Verdict) -> dict[str, tuple[Trust, Rank, str]]:
    """Return what each side becomes."""
    assert not verdict.refused, verdict
    return {one.version.memory: (one.trust, one.rank, one.act) for one in verdict.closings}


def closing(verdict: Verdict, memory: str) -> Closing:
    return next(one for one in verdict.closings if one.version.memory == memory)


def test_upholding_the_newer_believes_it_at_the_persons_rank_and_ends_the_older_there() -> None:
    verdict = decided(Decision.UPHOLD_NEW)
    assert ends(verdict) == {
        "m_new": (Trust.BELIEVED, Rank.MANUAL, "uphold"),
        "m_old": (Trust.SUPERSEDED, Rank.IMPORT, "supersede"),
    }
    assert closing(verdict, "m_old").valid == Interval(OLD.valid.start, NEW.valid.start)
    assert verdict.rests_on == "m_new"


def test_an_upheld_side_takes_the_times_that_the_person_gives() -> None:
    since, until = NOW - 5 * DAY, NOW + DAY
    verdict = decided(Decision.UPHOLD_NEW, times=Times(valid_from=since, valid_until=until))
    assert closing(verdict, "m_new").valid == Interval(since, until)
    assert closing(verdict, "m_old").valid.end == since


def test_upholding_one_of_a_slot_ends_whatever_else_says_otherwise_there() -> None:
    slot = Digests(b"v", b"slot")
    new, old = (replace(one, claim=keyed(city), digests=slot) for one, city in ((NEW, "Rome"), (OLD, "Oslo")))
    third = replace(version(keyed("Bern")), memory="m_third", digests=slot)
    other = replace(version(keyed("Rome")), memory="m_same", digests=slot)
    verdict = decided(Decision.UPHOLD_NEW, at(new, old, slot=(new, old, third, other)))
    assert set(ends(verdict)) == {"m_new", "m_old", "m_third"}
    assert closing(verdict, "m_third").trust is Trust.SUPERSEDED


def test_keeping_the_older_overrules_the_newer() -> None:
    assert ends(decided(Decision.KEEP_OLD)) == {
        "m_old": (Trust.BELIEVED, Rank.MANUAL, "decide"),
        "m_new": (Trust.RETIRED, Rank.CONVERSATION, "overrule"),
    }


@pytest.mark.parametrize(
    ("trust", "act"), [(Trust.DISPUTED, "uphold"), (Trust.CANDIDATE, "support"), (Trust.REFUTED, "support")]
)
def test_the_older_side_is_believed_along_the_table(trust: Trust, act: str) -> None:
    verdict = decided(Decision.KEEP_OLD, at(old=replace(OLD, trust=trust)))
    assert ends(verdict)["m_old"] == (Trust.BELIEVED, Rank.MANUAL, act)


def test_a_past_value_is_kept_as_one_and_given_up_only_where_it_held_then() -> None:
    past = replace(OLD, trust=Trust.SUPERSEDED)
    for decision in (Decision.KEEP_OLD, Decision.MERGE):
        assert ends(decided(decision, at(old=past)))["m_old"] == (Trust.SUPERSEDED, Rank.MANUAL, "decide")
    edited = decided(Decision.EDIT, at(old=past))
    assert edited.birth is not None and edited.birth.trust is Trust.SUPERSEDED
    before = replace(past, valid=Interval(past.valid.start - timedelta(days=9), past.valid.start))
    assert "m_old" in ends(decided(Decision.UPHOLD_NEW, at(old=past)))
    assert "m_old" not in ends(decided(Decision.UPHOLD_NEW, at(old=before)))


@pytest.mark.parametrize("trust", [Trust.REJECTED, Trust.RETIRED])
def test_what_is_closed_is_not_decided_back(trust: Trust) -> None:
    for decision in (Decision.KEEP_OLD, Decision.EDIT, Decision.BOTH_VALID, Decision.MERGE):
        verdict = decided(decision, at(old=replace(OLD, trust=trust)))
        assert (verdict.refused, verdict.reason) == (True, Reason.FORBIDDEN_MOVE)
    for out_of_use in (trust, Trust.SUPERSEDED):
        gone = at(new=replace(NEW, trust=out_of_use))
        assert decided(Decision.UPHOLD_NEW, gone).reason is Reason.FORBIDDEN_MOVE


def test_an_edit_is_a_belief_of_the_persons_in_the_older_ones_place() -> None:
    verdict = decided(Decision.EDIT)
    assert verdict.birth is not None
    assert (verdict.birth.trust, verdict.birth.rank, verdict.birth.valid) == (
        Trust.BELIEVED,
        Rank.MANUAL,
        OLD.valid,
    )
    assert ends(verdict) == {"m_new": (Trust.RETIRED, Rank.CONVERSATION, "overrule")}
    dated = decided(Decision.EDIT, times=Times(valid_from=NOW))
    assert dated.birth is not None and dated.birth.valid.start == NOW


def test_both_of_free_text_hold_at_once_and_both_of_a_slot_one_after_the_other() -> None:
    free = decided(Decision.BOTH_VALID)
    assert {memory: trust for memory, (trust, _, _) in ends(free).items()} == {
        "m_new": Trust.BELIEVED,
        "m_old": Trust.BELIEVED,
    }
    slot = Digests(b"v", b"slot")
    new, old = (replace(one, claim=keyed(city), digests=slot) for one, city in ((NEW, "Rome"), (OLD, "Oslo")))
    together = decided(Decision.BOTH_VALID, at(new, old))
    assert (together.reason, "since when" not in together.detail) == (Reason.BAD_SHAPE, True)
    apart = decided(Decision.BOTH_VALID, at(new, old), times=Times(valid_from=NOW - DAY))
    assert closing(apart, "m_old").valid.end == closing(apart, "m_new").valid.start == NOW - DAY


def test_a_merge_keeps_one_and_needs_two() -> None:
    assert ends(decided(Decision.MERGE)) == {
        "m_old": (Trust.BELIEVED, Rank.MANUAL, "decide"),
        "m_new": (Trust.RETIRED, Rank.CONVERSATION, "overrule"),
    }
    assert decided(Decision.MERGE, at(new=None)).reason is Reason.BAD_SHAPE
    assert decided(Decision.UPHOLD_NEW, at(new=None)).reason is Reason.BAD_SHAPE


@pytest.mark.parametrize("why", [Why.DOUBTED.value, Why.REFUTED.value, Why.SOURCE_CHANGED.value])
def test_a_doubt_touches_the_doubted_statement_alone(why: str) -> None:
    where = at(new=replace(NEW, trust=Trust.BELIEVED), old=replace(OLD, trust=Trust.DISPUTED), why=why)
    assert ends(decided(Decision.UPHOLD_NEW, where)) == {"m_old": (Trust.RETIRED, Rank.IMPORT, "overrule")}
    for decision in (Decision.KEEP_OLD, Decision.BOTH_VALID):
        assert ends(decided(decision, where)) == {"m_old": (Trust.BELIEVED, Rank.MANUAL, "uphold")}
    edit = decided(Decision.EDIT, where)
    assert edit.birth is not None and edit.closings == ()


def test_a_decision_rests_on_what_both_sides_said() -> None:
    assert stamp(at()) == 5
    moved = replace(at(), new_side=replace(NEW, number=4))
    stale = decided(Decision.KEEP_OLD, moved)
    assert (stale.reason, stale.rests_on, stale.detail) == (
        Reason.STALE_VIEW,
        "c_x",
        "The present version is 7.",
    )
    assert not decided(Decision.KEEP_OLD, moved, expected_version=7).refused
    assert decided(Decision.KEEP_OLD, moved, expected_version=5).reason is Reason.STALE_VIEW


@pytest.mark.parametrize("state", [MatterState.DECIDED, MatterState.MOOT, MatterState.DECLINED])
def test_a_closed_case_is_not_decided_again(state: MatterState) -> None:
    assert decided(Decision.KEEP_OLD, at(state=state)).reason is Reason.CLOSED_CASE


def test_a_case_that_is_not_there_or_has_no_side_left_is_no_match() -> None:
    assert decided(Decision.KEEP_OLD, known()).reason is Reason.NO_MATCH
    assert decided(Decision.KEEP_OLD, at(old=None)).reason is Reason.NO_MATCH
    assert refuse_closed_case(change(), known()) is None


def test_nobody_but_a_person_decides() -> None:
    verdict = judge(Decide(AGENT, "c_x", Decision.KEEP_OLD), at())
    assert (verdict.outcome, verdict.reason) == (Outcome.REFUSED, Reason.PERSON_ONLY)


def test_a_rejected_value_stays_out_whatever_is_decided() -> None:
    hit = TombstoneHit("t_1", TombstoneKind.REJECTED, False)
    for decision in Decision:
        assert decided(decision, at(tombstones=(hit,))).reason is Reason.REJECTED_VALUE


def test_only_an_edit_takes_words_and_it_needs_them() -> None:
    assert decided(Decision.EDIT, claim=Claim(" ")).reason is Reason.EMPTY
    for decision in set(Decision) - {Decision.EDIT}:
        assert decided(decision, claim=Claim("so")).reason is Reason.BAD_SHAPE
    backwards = Times(valid_from=NOW, valid_until=NOW - DAY)
    assert decided(Decision.KEEP_OLD, times=backwards).reason is Reason.BAD_SHAPE
    assert decided(Decision.KEEP_OLD, reason="x" * 2001).reason is Reason.TOO_LONG
