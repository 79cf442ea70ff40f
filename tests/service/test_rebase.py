"""What of a row moves when it is recorded later than it was judged, and what stays?"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from muniment.domain.label import PRIVATE
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.timeline import Interval
from muniment.errors import BadTime
from muniment.service.rebase import Moment
from tests.domain.samples import VERSION

JUDGED = datetime(2026, 1, 5, 9, tzinfo=UTC)
LATER = JUDGED + timedelta(microseconds=7)
EARLIER = JUDGED - timedelta(days=3)
BORN = replace(VERSION, recorded=JUDGED, valid=Interval(JUDGED))


def test_what_began_when_it_was_judged_begins_when_it_is_recorded() -> None:
    moved = Moment(JUDGED, LATER).version(BORN)
    assert (moved.recorded, moved.valid) == (LATER, Interval(LATER))
    assert replace(moved, recorded=JUDGED, valid=BORN.valid) == BORN, "nothing else moves"


def test_what_ended_then_ends_then_and_a_time_that_was_given_stays() -> None:
    closed = replace(BORN, valid=Interval(EARLIER, JUDGED))
    assert Moment(JUDGED, LATER).version(closed).valid == Interval(EARLIER, LATER)
    given = replace(BORN, valid=Interval(EARLIER, JUDGED + timedelta(days=1)))
    assert Moment(JUDGED, LATER).version(given).valid == given.valid


def test_nothing_moves_when_it_is_recorded_at_the_moment_it_was_judged_at() -> None:
    assert Moment(JUDGED, JUDGED).version(BORN) is BORN


def test_an_interval_that_would_end_before_it_begins_is_refused() -> None:
    brief = replace(BORN, valid=Interval(JUDGED, JUDGED + timedelta(microseconds=3)))
    with pytest.raises(BadTime):
        Moment(JUDGED, LATER).version(brief)
    assert Moment(JUDGED, JUDGED + timedelta(microseconds=3)).version(brief).valid.empty


def test_links_and_matters_are_recorded_with_what_they_belong_to() -> None:
    link = Link("l_1", "m_1", "m_2", LinkType.SUPERSEDES, 1.0, JUDGED, 1, 1)
    matter = Matter(
        1, "c_1", MatterKind.DISPUTE, 1, MatterState.OPEN, "conflict-lower-rank", PRIVATE, 1, JUDGED
    )
    moment = Moment(JUDGED, LATER)
    assert moment.link(link) == replace(link, recorded=LATER)
    assert moment.matter(matter) == replace(matter, recorded=LATER)
    assert moment.link(replace(link, recorded=EARLIER)).recorded == EARLIER
