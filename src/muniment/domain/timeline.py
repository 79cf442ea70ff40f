"""When was it true, and when did we know?  Two axes, aware, UTC, microseconds (I8)."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache

from muniment.errors import BadTime

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY_SECONDS = 86_400
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_AGE = re.compile(r"(\d{1,6})([smhdw])")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@lru_cache(maxsize=16)
def to_micros(moment: datetime) -> int:
    """Return microseconds since 1970 in UTC.

    Raises BadTime for a moment without a time zone: a guess would be a silent error.  So
    does one that a far zone moves out of the years 1 to 9999: it could never be read back.
    A write asks for its one moment eight times.
    """
    # A moment of ours is in UTC, and then lies in the years that can be read back.
    if moment.tzinfo is UTC:
        since = moment - _EPOCH
        return (since.days * _DAY_SECONDS + since.seconds) * 1_000_000 + since.microseconds
    if moment.utcoffset() is None:
        raise BadTime("The time has no time zone.")
    micros = (moment - _EPOCH) // _MICROSECOND
    if not _FIRST <= micros <= _LAST:
        raise BadTime("The time lies outside the years 1 to 9999 in UTC.")
    return micros


def aware(moment: datetime) -> datetime:
    """Return the same moment in UTC; raises BadTime as `to_micros` does."""
    return from_micros(to_micros(moment))


def from_micros(micros: int) -> datetime:
    """Return the aware UTC moment of `micros` since 1970."""
    return _EPOCH + timedelta(0, 0, micros)


def parsed(text: str, *, now: datetime, zone: tzinfo = UTC) -> datetime:
    """Return the moment that `text` names.

    Takes RFC 3339, a date (midnight in `zone`, the person's own), `now`, and ages such as
    `45s 5m 2h 3d 1w` counted back from `now`.  Raises BadTime for anything else.
    """
    stripped = text.strip()
    if stripped == "now":
        return now
    age = _AGE.fullmatch(stripped)
    try:
        if age:
            return now - timedelta(**{_UNITS[age[2]]: int(age[1])})
        if _DATE.fullmatch(stripped):
            day = date.fromisoformat(stripped)
            return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
        moment = datetime.fromisoformat(stripped)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadTime(f"'{stripped[:40]}' is not a moment.") from error
    raise BadTime(f"'{stripped[:40]}' has no time zone.")


def shown(moment: datetime | None) -> str:
    """Return the shortest exact RFC 3339 form in UTC, or an empty text for None."""
    if moment is None:
        return ""
    # Not strftime: it leaves out the leading zeros of an early year on some platforms.
    exact = moment.astimezone(UTC).replace(tzinfo=None)
    if exact.microsecond:
        return exact.isoformat(timespec="microseconds") + "Z"
    if exact.second or exact.minute or exact.hour:
        return exact.isoformat(timespec="seconds") + "Z"
    return exact.date().isoformat()


@dataclass(frozen=True, slots=True)
class Interval:
    """Hold when something is true in the world: from, inclusive, until, exclusive.

    An open end is None.  An interval that ends where it begins is empty: nothing was
    ever true in it, which is how a correction of a whole stretch is written.
    """

    start: datetime
    end: datetime | None = None

    def __post_init__(self) -> None:
        if self.start.utcoffset() is None or (self.end is not None and self.end.utcoffset() is None):
            raise BadTime("The interval has an end without a time zone.")
        if self.end is not None and self.end < self.start:
            raise BadTime("The interval ends before it begins.")

    def holds(self, moment: datetime) -> bool:
        """Return whether `moment` lies in the interval."""
        return self.start <= moment and (self.end is None or moment < self.end)

    def overlaps(self, other: "Interval") -> bool:
        """Return whether some moment lies in both."""
        if self.empty or other.empty:
            return False
        return (other.end is None or self.start < other.end) and (self.end is None or other.start < self.end)

    @property
    def empty(self) -> bool:
        """Return whether no moment lies in the interval."""
        return self.end == self.start

    def shown(self) -> str:
        """Return `from..until`, with an open end left empty."""
        return f"{shown(self.start)}..{shown(self.end)}"


@dataclass(frozen=True, slots=True)
class Moment:
    """Ask about the world at `valid`, as we knew it at `recorded` (None: now).

    `past` says that the caller named a moment: then closed intervals decide, instead of
    being withheld as no longer current.
    """

    valid: datetime
    recorded: datetime | None = None
    past: bool = False
