"""Where does an act on an existing memory lead, and what does it take with it?"""

import pytest

from muniment.domain.intent import Times
from muniment.domain.label import Label
from muniment.domain.matter import Opening, Why
from muniment.domain.memory import Claim, Kind
from muniment.domain.trust import Act, Rank, Standing, Trust
from muniment.gate.moves import judge_change, judge_move
from muniment.gate.verdict import Outcome, Reason
from tests.gate.builders import AGENT, DAY, NOW, OWNER, act, change, known, span, version

PERSON = Standing(person=True, rank_not_lower=True)
AUTHOR = Standing(author=True, rank_not_lower=True)


@pytest.mark.parametrize("trust", [Trust.CANDIDATE, Trust.BELIEVED, Trust.DISPUTED])
@pytest.mark.parametrize("what", ["revise", "succeed"])
def test_another_wording_keeps_the_trust(trust: Trust, what: str) -> None:
    target = version(trust=trust)
    for principal, standing in ((OWNER, PERSON), (AGENT, AUTHOR)):
        verdict = judge_change(change(what, principal=principal), known(target=target, standing=standing))
        assert verdict.birth is not None and verdict.birth.trust is trust


@pytest.mark.parametrize("trust", [Trust.REFUTED, Trust.REJECTED, Trust.SUPERSEDED, Trust.RETIRED])
def test_what_is_closed_is_neither_revised_nor_succeeded(trust: Trust) -> None:
    for what in ("revise", "succeed"):
        verdict = judge_change(change(what), known(target=version(trust=trust), standing=PERSON))
        assert verdict.reason is Reason.FORBIDDEN_MOVE


@pytest.mark.parametrize(
    ("standing", "may"),
    [
        (AUTHOR, True),
        (Standing(author=True, rank_not_lower=False), False),
        (Standing(author=False, rank_not_lower=True), False),
    ],
)
def test_an_agent_changes_only_its_own_and_nothing_above_it(standing: Standing, may: bool) -> None:
    for what in ("revise", "succeed"):
        verdict = judge_change(change(what, principal=AGENT), known(target=version(), standing=standing))
        assert (verdict.outcome is Outcome.STORED) is may
        other = Reason.FORBIDDEN_MOVE if what == "revise" else Reason.MAY_NOT_SUPERSEDE
        assert may or verdict.reason is other


def test_a_successor_that_may_not_end_the_other_lands_disputed_and_opens_a_case() -> None:
    target = version(rank=Rank.MANUAL)
    asked = change("succeed", principal=AGENT)
    verdict = judge_change(asked, known(target=target, standing=Standing()))
    assert (verdict.outcome, verdict.closings) == (Outcome.DISPUTED, ())
    assert verdict.birth is not None
    assert (verdict.birth.trust, verdict.birth.rank) == (Trust.DISPUTED, Rank.CONVERSATION)
    assert verdict.opens == Opening(Why.MAY_NOT_SUPERSEDE, "m_x")


def test_a_doubt_of_another_is_noted_with_a_case_and_moves_nothing() -> None:
    verdict = judge_move(act(Act.DISPUTE, principal=AGENT), known(target=version(), standing=Standing()))
    assert (verdict.outcome, verdict.reason, verdict.closings) == (Outcome.NOTED, Reason.DOUBTED, ())
    assert verdict.opens == Opening(Why.DOUBTED, "m_x")
    own = judge_move(act(Act.DISPUTE, principal=AGENT), known(target=version(), standing=AUTHOR))
    assert (own.outcome, own.closings[0].trust) == (Outcome.STORED, Trust.DISPUTED)
    assert own.opens == Opening(Why.DOUBTED, "m_x")


def test_a_refuted_belief_opens_a_case_and_a_refuted_guess_does_not() -> None:
    belief = judge_move(act(Act.REFUTE), known(target=version(), standing=PERSON))
    assert (belief.closings[0].trust, belief.opens) == (Trust.DISPUTED, Opening(Why.REFUTED, "m_x"))
    guess = version(trust=Trust.CANDIDATE, kind=Kind.HYPOTHESIS)
    verdict = judge_move(act(Act.REFUTE), known(target=guess, standing=PERSON))
    assert (verdict.closings[0].trust, verdict.opens) == (Trust.REFUTED, None)


def test_saying_the_same_changes_nothing_unless_a_time_is_given() -> None:
    target = version(Claim("It rains", "sky", "state", "rain"))
    at = known(target=target, standing=PERSON)
    for claim in (Claim("It rains"), Claim("", value="rain"), Claim("It rains", value="rain")):
        assert judge_change(change(claim=claim), at).reason is Reason.UNCHANGED
    dated = change(claim=Claim("It rains"), times=Times(valid_until=NOW))
    assert judge_change(dated, at).outcome is Outcome.STORED
    assert judge_change(change(claim=Claim("", value="drizzle")), at).outcome is Outcome.STORED


def test_a_revision_keeps_the_interval_and_takes_the_ends_it_is_given() -> None:
    at = known(target=version(valid=span(-10, 5)), standing=PERSON)
    kept = judge_change(change(), at).birth
    moved = judge_change(change(times=Times(valid_from=NOW - 3 * DAY)), at).birth
    assert kept is not None and kept.valid == span(-10, 5)
    assert moved is not None and moved.valid == span(-3, 5)


def test_a_moved_beginning_moves_the_end_of_what_came_before() -> None:
    before = version(memory="m_p", trust=Trust.SUPERSEDED, valid=span(-30), before=Trust.BELIEVED)
    at = known(target=version(), standing=PERSON, earlier=(before,))
    verdict = judge_change(change(times=Times(valid_from=NOW - 4 * DAY)), at)
    (closing,) = verdict.closings
    assert (closing.valid, closing.trust) == (span(-30, -4), Trust.SUPERSEDED)
    future = judge_change(change(times=Times(valid_from=NOW + DAY)), at).closings[0]
    assert (future.valid, future.trust) == (span(-30, 1), Trust.BELIEVED)
    assert judge_change(change(), at).closings == ()


def test_a_successor_begins_with_or_after_what_it_succeeds() -> None:
    at = known(target=version(), standing=PERSON)
    early = judge_change(change("succeed", times=Times(valid_from=NOW - 11 * DAY)), at)
    assert early.reason is Reason.BAD_SHAPE
    same = judge_change(change("succeed", times=Times(valid_from=NOW - 10 * DAY)), at)
    assert same.closings[0].valid.empty
    plain = judge_change(change("succeed"), at)
    assert plain.birth is not None and plain.birth.valid == span(0)
    assert plain.closings[0].valid == span(-10, 0)


def test_a_change_takes_the_callers_rank_when_it_is_higher() -> None:
    low, high = version(rank=Rank.CONVERSATION), version(rank=Rank.MANUAL)
    by_owner = judge_change(change(), known(target=low, standing=PERSON)).birth
    by_agent = judge_change(change(principal=AGENT), known(target=high, standing=AUTHOR)).birth
    assert by_owner is not None and by_owner.rank is Rank.MANUAL
    assert by_agent is not None and by_agent.rank is Rank.MANUAL


def test_a_change_inherits_the_label_of_its_sources() -> None:
    at = known(target=version(), standing=PERSON, source_label=Label(untrusted=True))
    birth = judge_change(change(), at).birth
    assert birth is not None and birth.label.untrusted


@pytest.mark.parametrize("what", [Act.RETRACT, Act.REJECT])
def test_ending_a_successor_reopens_what_it_had_superseded(what: Act) -> None:
    before = version(memory="m_p", trust=Trust.SUPERSEDED, before=Trust.CANDIDATE, valid=span(-30))
    verdict = judge_move(act(what), known(target=version(), standing=PERSON, earlier=(before,)))
    ended, reopened = verdict.closings
    assert ended.trust is (Trust.RETIRED if what is Act.RETRACT else Trust.REJECTED)
    assert (reopened.trust, reopened.valid, reopened.act) == (Trust.CANDIDATE, span(-30), "reopen")


def test_other_acts_reopen_nothing() -> None:
    before = version(memory="m_p", trust=Trust.SUPERSEDED)
    at = known(target=version(), standing=PERSON, earlier=(before,))
    for what in (Act.DISPUTE, Act.RETIRE):
        assert len(judge_move(act(what), at).closings) == 1


def test_a_rejection_takes_every_statement_of_the_value_with_it() -> None:
    twin = version(memory="m_t", trust=Trust.RETIRED)
    at = known(target=version(), standing=PERSON, same=(twin,))
    assert [one.trust for one in judge_move(act(Act.REJECT), at).closings] == [Trust.REJECTED] * 2
    assert len(judge_move(act(Act.RETRACT), at).closings) == 1


def test_a_refuted_belief_is_disputed_and_a_refuted_hypothesis_refuted() -> None:
    fact = judge_move(act(Act.REFUTE), known(target=version(), standing=PERSON))
    hypothesis = version(kind=Kind.HYPOTHESIS)
    guess = judge_move(act(Act.REFUTE), known(target=hypothesis, standing=PERSON))
    assert fact.closings[0].trust is Trust.DISPUTED
    assert guess.closings[0].trust is Trust.REFUTED


def test_a_persons_support_gives_a_persons_rank_and_nobody_elses_does() -> None:
    guess = version(trust=Trust.CANDIDATE, rank=Rank.CONVERSATION)
    by_person = judge_move(act(Act.SUPPORT), known(target=guess, standing=PERSON))
    by_agent = judge_move(act(Act.SUPPORT), known(target=guess, standing=Standing(evidence=1)))
    assert by_person.closings[0].rank is Rank.MANUAL
    assert (by_agent.closings[0].rank, by_agent.closings[0].trust) == (Rank.CONVERSATION, Trust.BELIEVED)


def test_a_move_without_a_row_or_a_condition_is_refused_and_says_what_it_takes() -> None:
    none = judge_move(act(Act.REVIVE), known(target=version(), standing=PERSON))
    unmet = judge_move(act(Act.RETRACT), known(target=version(), standing=Standing()))
    assert none.reason is unmet.reason is Reason.FORBIDDEN_MOVE
    assert "no way" in none.detail and "author" in unmet.detail
    assert none.rests_on == "m_x"
