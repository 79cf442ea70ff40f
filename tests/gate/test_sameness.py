"""When does a statement join a memory that says the same, and when is it a new one?"""

import pytest

from muniment.domain.intent import Path
from muniment.domain.label import Label
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.gate.sameness import merge_same
from muniment.gate.verdict import Outcome, Reason
from tests.gate.builders import AGENT, DAY, NOW, OWNER, change, known, remember, span, version


def test_a_restatement_of_equal_or_lower_rank_adds_only_its_evidence() -> None:
    for principal in (OWNER, AGENT):
        verdict = merge_same(remember(principal=principal), known(same=(version(),)))
        assert verdict is not None
        assert (verdict.outcome, verdict.reason) == (Outcome.MERGED, Reason.ALREADY_KNOWN)
        assert verdict.closings == () and verdict.merged == version()


def test_a_restatement_of_higher_rank_is_support_with_that_rank() -> None:
    low = version(rank=Rank.CONVERSATION)
    verdict = merge_same(remember(principal=OWNER), known(same=(low,)))
    assert verdict is not None and verdict.reason is Reason.SUPPORTED
    (closing,) = verdict.closings
    assert (closing.rank, closing.trust, closing.valid) == (Rank.MANUAL, Trust.BELIEVED, low.valid)


def test_a_person_makes_a_candidate_believed_and_an_agent_does_not() -> None:
    candidate = version(trust=Trust.CANDIDATE, rank=Rank.UNTRUSTED, label=Label(untrusted=True))
    by_owner = merge_same(remember(principal=OWNER), known(same=(candidate,)))
    by_agent = merge_same(remember(principal=AGENT), known(same=(candidate,)))
    assert by_owner is not None and by_owner.closings[0].trust is Trust.BELIEVED
    assert by_agent is not None and by_agent.closings[0].trust is Trust.CANDIDATE


@pytest.mark.parametrize("trust", [Trust.DISPUTED, Trust.REFUTED, Trust.RETIRED, Trust.REJECTED])
def test_what_is_no_longer_live_takes_nothing_in(trust: Trust) -> None:
    assert merge_same(remember(), known(same=(version(trust=trust),))) is None


def test_a_superseded_value_said_for_now_is_new_and_for_its_time_is_known() -> None:
    past = version(trust=Trust.SUPERSEDED, valid=span(-10, -5))
    assert merge_same(remember(), known(same=(past,))) is None
    then = remember(valid_from=NOW - 7 * DAY)
    verdict = merge_same(then, known(same=(past,)))
    assert verdict is not None and verdict.reason is Reason.ALREADY_KNOWN
    longer = remember(valid_from=NOW - 7 * DAY, valid_until=NOW)
    assert merge_same(longer, known(same=(past,))) is None


@pytest.mark.parametrize(
    ("there", "given", "merges"),
    [
        (span(-10), {}, True),
        (span(-10, -5), {}, False),
        (span(-10, 5), {}, True),
        (span(-10, -5), {"valid_from": NOW - 6 * DAY}, True),
        (span(-10, -5), {"valid_from": NOW - 5 * DAY}, False),
        (span(-10, -5), {"valid_from": NOW - 20 * DAY, "valid_until": NOW - 10 * DAY}, False),
        (span(-10, -5), {"valid_from": NOW - 20 * DAY, "valid_until": NOW - 9 * DAY}, True),
        (span(-5, -5), {"valid_from": NOW - 5 * DAY, "valid_until": NOW - 5 * DAY}, True),
    ],
)
def test_statements_are_the_same_only_where_their_intervals_touch(
    there: Interval, given: dict[str, object], merges: bool
) -> None:
    verdict = merge_same(remember(**given), known(same=(version(valid=there),)))
    assert (verdict is not None) is merges


def test_only_a_new_statement_is_merged() -> None:
    assert merge_same(change(), known(target=version(), same=(version(),))) is None
    background = remember(principal=AGENT, path=Path.BACKGROUND)
    verdict = merge_same(background, known(same=(version(rank=Rank.CONVERSATION),)))
    assert verdict is not None and verdict.closings[0].rank is Rank.CONSOLIDATION
