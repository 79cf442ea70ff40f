"""Does every moment have one reading, and does cutting time in two lose or double nothing? (I8)"""

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.timeline import Interval, Moment, from_micros, parsed, shown, to_micros
from muniment.errors import BadTime

NOW = datetime(2026, 3, 15, 12, 30, 15, 250_000, tzinfo=UTC)
TICK, DAY = timedelta(microseconds=1), timedelta(days=1)
FIRST, LAST = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)


@pytest.mark.parametrize("moment", [FIRST, LAST, FIRST + TICK, LAST - TICK, datetime(1970, 1, 1, tzinfo=UTC)])
def test_the_ends_of_the_calendar_come_back(moment: datetime) -> None:
    assert from_micros(to_micros(moment)) == moment
    assert parsed(shown(moment), now=NOW) == moment


@pytest.mark.parametrize("micros", [to_micros(FIRST) - 1, to_micros(LAST) + 1, 1 << 62])
def test_microseconds_beyond_the_calendar_are_no_moment(micros: int) -> None:
    with pytest.raises(OverflowError):
        from_micros(micros)


@settings(max_examples=60)
@given(st.integers(to_micros(FIRST), to_micros(LAST) - 1))
def test_one_microsecond_later_is_one_more(micros: int) -> None:
    assert to_micros(from_micros(micros) + TICK) == micros + 1
    assert from_micros(micros).tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-15T12:30:15.250Z",
        "2026-03-15T12:30:15.250000Z",
        "2026-03-15 12:30:15.25+00:00",
        "2026-03-15T14:30:15.25+02:00",
        "2026-03-15T07:00:15.25-05:30",
        "20260315T123015.25Z",
        "2026-W11-7T12:30:15.25Z",
    ],
)
def test_all_spellings_of_a_moment_are_that_moment(text: str) -> None:
    assert parsed(text, now=DAY + NOW) == NOW


@pytest.mark.parametrize("space", ["", " ", "\t", "\n "])
@pytest.mark.parametrize("text", ["now", "0d", "2026-03-15", "2026-03-15T00:00:00Z"])
def test_white_space_around_a_moment_is_nothing(text: str, space: str) -> None:
    assert parsed(f"{space}{text}{space}", now=NOW) == parsed(text, now=NOW)


@pytest.mark.parametrize("text", ["NOW", "Now", "n ow", "now-1d", "1d ago", "1 d", "1.5h", "+1d", "1d1h"])
def test_an_age_has_one_spelling(text: str) -> None:
    with pytest.raises(BadTime):
        parsed(text, now=NOW)


@pytest.mark.parametrize(("unit", "seconds"), [("s", 1), ("m", 60), ("h", 3600), ("d", 86400), ("w", 604800)])
@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_an_age_counts_whole_units_back(unit: str, seconds: int, count: int) -> None:
    assert (NOW - parsed(f"{count}{unit}", now=NOW)).total_seconds() == count * seconds


def test_an_age_of_days_is_of_24_hours_also_when_the_clocks_change() -> None:
    """It counts back from a moment; where the person is makes no difference."""
    zurich = ZoneInfo("Europe/Zurich")
    after = datetime(2026, 3, 29, 12, tzinfo=UTC)
    assert parsed("1d", now=after, zone=zurich) == after - timedelta(hours=24)


@pytest.mark.parametrize("digits", [6, 7])
def test_an_age_has_six_digits_at_most(digits: int) -> None:
    text = "1".zfill(digits) + "s"
    if digits == 6:
        assert parsed(text, now=NOW) == NOW - timedelta(seconds=1)
        return
    with pytest.raises(BadTime):
        parsed(text, now=NOW)


@pytest.mark.parametrize("text", ["\u0663d", "\u0662\u0660\u0662\u0666-01-01"])
def test_digits_of_other_scripts_are_read_as_digits_or_refused_never_misread(text: str) -> None:
    try:
        found = parsed(text, now=NOW)
    except BadTime:
        return
    assert found in (NOW - 3 * DAY, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("zone", "text"),
    [(timezone(timedelta(hours=14)), "0001-01-01"), (timezone(timedelta(hours=-12)), "9999-12-31")],
)
def test_a_day_whose_midnight_lies_beyond_the_calendar_is_refused(zone: tzinfo, text: str) -> None:
    if text.startswith("0001"):
        with pytest.raises(BadTime):
            parsed(text, now=NOW, zone=zone)
    else:
        assert parsed(text, now=NOW, zone=zone) == datetime(9999, 12, 31, 12, tzinfo=UTC)


def test_a_midnight_that_the_clocks_skip_is_still_one_moment() -> None:
    """In Beirut the clock of 2024-03-31 jumped from midnight to one."""
    found = parsed("2024-03-31", now=NOW, zone=ZoneInfo("Asia/Beirut"))
    assert found == datetime(2024, 3, 30, 22, tzinfo=UTC)


def test_an_error_shows_the_beginning_of_what_was_given_only() -> None:
    for text in ("x" * 41, "2026-03-15T12:30:15" + " " * 100 + "x"):
        with pytest.raises(BadTime) as caught:
            parsed(text, now=NOW)
        assert text[:40] in caught.value.sentence
        assert text[:41] not in caught.value.sentence


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (NOW, "2026-03-15T12:30:15.250000Z"),
        (NOW.replace(microsecond=0), "2026-03-15T12:30:15Z"),
        (NOW.replace(microsecond=0, second=0), "2026-03-15T12:30:00Z"),
        (NOW.replace(microsecond=0, second=0, minute=0), "2026-03-15T12:00:00Z"),
        (NOW.replace(microsecond=0, second=0, minute=0, hour=0), "2026-03-15"),
        (NOW.replace(microsecond=1, second=0, minute=0, hour=0), "2026-03-15T00:00:00.000001Z"),
        (FIRST, "0001-01-01"),
        (LAST, "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_nothing_that_was_there_is_left_out_when_shown(moment: datetime, text: str) -> None:
    assert shown(moment) == text


CUTS = st.lists(st.integers(0, 12), min_size=2, max_size=5, unique=True).map(sorted)


@settings(max_examples=60)
@given(CUTS, st.integers(-1, 13))
def test_intervals_that_meet_hold_each_moment_once(cuts: list[int], at: int) -> None:
    parts = [Interval(NOW + a * DAY, NOW + b * DAY) for a, b in zip(cuts, cuts[1:], strict=False)]
    moment = NOW + at * DAY
    assert sum(part.holds(moment) for part in parts) == (cuts[0] <= at < cuts[-1])
    assert not any(one.overlaps(other) for one in parts for other in parts if one is not other)


@settings(max_examples=40)
@given(st.integers(-3, 3), st.integers(0, 3))
def test_an_interval_overlaps_itself_unless_it_is_empty(start: int, length: int) -> None:
    one = Interval(NOW + start * DAY, NOW + (start + length) * DAY)
    assert one.overlaps(one) is not one.empty
    assert one.empty is (length == 0)
    assert one.holds(one.start) is not one.empty


def test_an_open_interval_holds_the_last_moment_of_the_calendar() -> None:
    assert Interval(FIRST).holds(LAST)
    assert not Interval(FIRST, LAST).holds(LAST)


def test_an_interval_is_the_same_in_every_zone() -> None:
    there = timezone(timedelta(hours=9))
    assert Interval(NOW, NOW + DAY) == Interval(NOW.astimezone(there), (NOW + DAY).astimezone(there))
    assert Interval(NOW.astimezone(there)).shown() == Interval(NOW).shown()


@pytest.mark.parametrize("back", [TICK, DAY])
def test_an_interval_never_ends_before_it_begins(back: timedelta) -> None:
    with pytest.raises(BadTime, match="ends before it begins"):
        Interval(NOW, NOW - back)
    assert Interval(NOW, NOW).empty


def test_a_question_about_now_names_no_moment() -> None:
    plain = Moment(NOW)
    assert (plain.recorded, plain.past) == (None, False)
    assert Moment(NOW, past=True) != plain
