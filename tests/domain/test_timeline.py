"""Is a moment never guessed, and does an interval hold exactly what it says?"""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.timeline import Interval, from_micros, parsed, shown, to_micros
from muniment.errors import BadTime

NOW = datetime(2026, 3, 15, 12, 0, 0, 250, tzinfo=UTC)
DAY = timedelta(days=1)
MOMENTS = st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=st.just(UTC))


@given(MOMENTS)
def test_a_moment_comes_back_from_its_microseconds(moment: datetime) -> None:
    assert from_micros(to_micros(moment)) == moment


def test_microseconds_count_from_1970_in_utc() -> None:
    assert to_micros(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert to_micros(datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)) == -1
    assert to_micros(datetime(1970, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))) == 0


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(BadTime):
        to_micros(datetime(2026, 1, 1))
    for text in ("2026-03-01T09:30:00", "2026-03-01 09:30", "20260301"):
        with pytest.raises(BadTime, match="no time zone"):
            parsed(text, now=NOW)


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("now", timedelta()),
        ("0s", timedelta()),
        ("45s", timedelta(seconds=45)),
        ("5m", timedelta(minutes=5)),
        ("2h", timedelta(hours=2)),
        ("3d", 3 * DAY),
        (" 1w ", 7 * DAY),
    ],
)
def test_an_age_counts_back_from_now(text: str, back: timedelta) -> None:
    assert parsed(text, now=NOW) == NOW - back


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00+02:00", datetime(2026, 3, 1, 7, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00.000001-05:30", datetime(2026, 3, 1, 15, 0, 0, 1, tzinfo=UTC)),
    ],
)
def test_a_full_moment_is_turned_to_utc(text: str, moment: datetime) -> None:
    found = parsed(text, now=NOW, zone=ZoneInfo("Asia/Tokyo"))
    assert found == moment
    assert found.tzinfo is UTC


@pytest.mark.parametrize(
    ("zone", "hour", "day"),
    [("UTC", 0, 10), ("Europe/Zurich", 22, 9), ("America/New_York", 4, 10), ("Asia/Kolkata", 18, 9)],
)
def test_a_date_is_midnight_where_the_person_is(zone: str, hour: int, day: int) -> None:
    found = parsed("2026-07-10", now=NOW, zone=ZoneInfo(zone))
    assert (found.day, found.hour, found.tzinfo) == (day, hour, UTC)


def test_a_date_follows_the_zones_summer_time() -> None:
    zurich = ZoneInfo("Europe/Zurich")
    assert parsed("2026-01-10", now=NOW, zone=zurich).hour == 23
    assert parsed("2026-07-10", now=NOW, zone=zurich).hour == 22


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "3",
        "d3",
        "3y",
        "-3d",
        "1234567d",
        "2026-13-01",
        "2026-02-30",
        "2026-03-01T25:00:00Z",
        "3D",
    ],
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        parsed(text, now=NOW)


@pytest.mark.parametrize("text", ["999999w", "999999d", "0001-01-01T00:00:00+14:00"])
def test_a_moment_beyond_the_calendar_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        parsed(text, now=NOW)


def test_a_long_text_is_not_repeated_whole() -> None:
    with pytest.raises(BadTime) as caught:
        parsed("x" * 500, now=NOW)
    assert len(caught.value.sentence) < 80


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (None, ""),
        (datetime(2026, 3, 1, tzinfo=UTC), "2026-03-01"),
        (datetime(2026, 3, 1, 9, tzinfo=UTC), "2026-03-01T09:00:00Z"),
        (datetime(2026, 3, 1, 0, 0, 5, tzinfo=UTC), "2026-03-01T00:00:05Z"),
        (datetime(2026, 3, 1, 0, 0, 0, 9, tzinfo=UTC), "2026-03-01T00:00:00.000009Z"),
        (datetime(800, 12, 25, tzinfo=UTC), "0800-12-25"),
        (datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=1))), "2026-03-01"),
    ],
)
def test_a_moment_is_shown_in_its_shortest_exact_form(moment: datetime | None, text: str) -> None:
    assert shown(moment) == text


@given(MOMENTS)
def test_what_is_shown_is_understood_again(moment: datetime) -> None:
    assert parsed(shown(moment), now=NOW) == moment


def test_an_interval_holds_its_start_and_not_its_end() -> None:
    interval = Interval(NOW, NOW + DAY)
    tick = timedelta(microseconds=1)
    assert interval.holds(NOW)
    assert interval.holds(NOW + DAY - tick)
    assert not interval.holds(NOW + DAY)
    assert not interval.holds(NOW - tick)


def test_an_open_interval_holds_every_later_moment() -> None:
    assert Interval(NOW).holds(NOW + 50_000 * DAY)
    assert not Interval(NOW).holds(NOW - DAY)


def test_an_empty_interval_holds_nothing_and_overlaps_nothing() -> None:
    empty = Interval(NOW, NOW)
    assert empty.empty
    assert not empty.holds(NOW)
    assert not empty.overlaps(Interval(NOW - DAY, NOW + DAY))
    assert not Interval(NOW - DAY, NOW + DAY).overlaps(empty)
    assert not Interval(NOW, NOW + DAY).empty
    assert not Interval(NOW).empty


def test_neighbours_do_not_overlap_and_one_microsecond_does() -> None:
    first, tick = Interval(NOW, NOW + DAY), timedelta(microseconds=1)
    assert not first.overlaps(Interval(NOW + DAY))
    assert not Interval(NOW + DAY).overlaps(first)
    assert first.overlaps(Interval(NOW + DAY - tick))
    assert Interval(NOW).overlaps(Interval(NOW + 9 * DAY))


ENDS = st.integers(min_value=0, max_value=8)
INTERVALS = st.tuples(ENDS, st.none() | ENDS).map(
    lambda pair: Interval(NOW + pair[0] * DAY, None if pair[1] is None else NOW + (pair[0] + pair[1]) * DAY)
)


@given(INTERVALS, INTERVALS)
def test_two_intervals_overlap_when_some_moment_lies_in_both(one: Interval, other: Interval) -> None:
    shared = any(one.holds(NOW + n * DAY) and other.holds(NOW + n * DAY) for n in range(40))
    assert one.overlaps(other) is shared
    assert other.overlaps(one) is shared


def test_an_interval_that_ends_before_it_begins_or_has_no_zone_is_refused() -> None:
    with pytest.raises(BadTime, match="before"):
        Interval(NOW, NOW - timedelta(microseconds=1))
    for start, end in ((NOW.replace(tzinfo=None), None), (NOW, NOW.replace(tzinfo=None))):
        with pytest.raises(BadTime, match="zone"):
            Interval(start, end)


def test_an_interval_is_shown_with_its_open_end_left_empty() -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    assert Interval(start).shown() == "2026-03-01.."
    assert Interval(start, start + DAY).shown() == "2026-03-01..2026-03-02"
