"""Is a change refused when its target is not there, or was changed since it was read?"""

import pytest

from muniment.domain.trust import Act
from muniment.gate.match import refuse_no_match, refuse_stale_view
from muniment.gate.verdict import Reason
from tests.gate.builders import act, change, connect, known, lift, remember, version


@pytest.mark.parametrize("make", [change, lambda **given: act(Act.RETRACT, **given)])
@pytest.mark.parametrize(("expected", "fits"), [(None, True), (3, True), (2, False), (4, False)])
def test_a_named_version_must_be_the_present_one(make: object, expected: int | None, fits: bool) -> None:
    intent = make(expected_version=expected)
    verdict = refuse_stale_view(intent, known(target=version(number=3)))
    assert (verdict is None) is fits
    if verdict is not None:
        assert verdict.reason is Reason.STALE_VIEW
        assert verdict.rests_on == "m_x" and "3" in verdict.detail


def test_a_view_of_nothing_is_not_stale() -> None:
    assert refuse_stale_view(change(expected_version=1), known(target=None)) is None
    assert refuse_stale_view(remember(), known()) is None


@pytest.mark.parametrize("intent", [change(), act(Act.SUPPORT), connect(), lift()])
def test_a_target_that_is_not_there_is_no_match(intent: object) -> None:
    verdict = refuse_no_match(intent, known(target=None))
    assert verdict is not None and verdict.reason is Reason.NO_MATCH
    assert refuse_no_match(intent, known(target=version())) is None


def test_the_other_end_of_a_link_must_be_there_too_and_the_link_be_new() -> None:
    far = refuse_no_match(connect(), known(target=version(), other_end=False))
    assert far is not None and far.reason is Reason.NO_MATCH
    twice = refuse_no_match(connect(), known(target=version(), duplicate_link=True))
    assert twice is not None and twice.reason is Reason.UNCHANGED


@pytest.mark.parametrize("intent", [remember(), change(), act(Act.SUPPORT)])
def test_evidence_that_is_not_there_is_no_match(intent: object) -> None:
    missing = refuse_no_match(intent, known(target=version(), sources_missing=True))
    assert missing is not None and missing.reason is Reason.NO_MATCH
    assert "evidence" in missing.detail
    assert refuse_no_match(intent, known(target=version())) is None
