"""Where does the value of a claim end, may it be one, and from when does it hold?"""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import MINYEAR, UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from muniment import limits


class Shape(StrEnum):
    """Name what a value must look like."""

    NAME = "name"
    PLACE = "place"
    TOKEN = "token"
    PHRASE = "phrase"
    LIST = "list"
    ACT = "act"
    DAY = "day"


_WORDS_MAX: Mapping[Shape, int] = MappingProxyType(
    {
        Shape.NAME: 5,
        Shape.PLACE: 5,
        Shape.TOKEN: 8,
        Shape.PHRASE: 8,
        Shape.LIST: 8,
        Shape.ACT: 40,
        Shape.DAY: 8,
    }
)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAYS = r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?"
_DATE = re.compile(
    r"\b(?P<lead>on|since|from|as of|in|starting|of)\s+(?:the\s+)?(?:"
    r"(?P<iso>\d{4}-\d{2}-\d{2})"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+(?P<year>\d{{4}}))?"
    rf"|(?P<month2>{_MONTH})\b\.?(?:\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<year2>\d{{4}}))?"
    r"|(?P<year3>(?:19|20)\d{2})\b)"
    r"|\b(?P<ago>today|yesterday)\b",
    re.IGNORECASE,
)
_AGO: Mapping[str, int] = MappingProxyType({"today": 0, "yesterday": 1})
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TIME = rf"(?P<count>\d{{1,2}}|an?|{'|'.join(_NUMBERS)})\s+(?P<unit>day|week|month|year)s?"
# Only what still goes on has lasted: "I moved there for two years" says nothing of the past.
_LASTING = re.compile(
    r"(?:\bbeen\b|\bhave\b|['’]ve\b)[^,;]{0,80}\bfor\s+"
    r"(?:(?:the\s+)?(?:last|past)\s+|over\s+|more than\s+|at least\s+)?"
    rf"{_TIME}\b|\b{_TIME.replace('<count>', '<count2>').replace('<unit>', '<unit2>')}\s+ago\b",
    re.IGNORECASE,
)
_DAYS_OF: Mapping[str, int] = MappingProxyType({"day": 1, "week": 7})
_MONTHS_OF: Mapping[str, int] = MappingProxyType({"month": 1, "year": 12})

# A value ends before these, whatever its shape.
_ENDS = re.compile(
    r"[;!?()\[\]\n]|[,:.](?=\s)|\s[–—-]\s|\s(?:so|but|because|since|which|whom?|whose|where|when|while|although|though|"
    r"until|till|even|instead|rather|weil|denn|porque|parce)\b",
    re.IGNORECASE,
)
# An act is a whole clause, so commas and marks of detail belong to it.
_ENDS_OF_ACT = re.compile(r"[;\n]|[.](?=\s)|,?\s(?:because|since|weil|parce que|porque)\b", re.IGNORECASE)
# A name or place also ends where the sentence goes on about something else.
_ENDS_OF_NAME = re.compile(
    r"\s(?i:and|und|et|y|e)\s(?=[^A-ZÀ-Þ])|\s(?i:with|for|from|to|on|in|at|as|now|again|these|right|currently|"
    r"nowadays|since|last|this|next|yesterday|today|recently|together|after|before|during|mit|seit|depuis|"
    r"desde|avec|con)\b"
    rf"|\s(?i:(?:\d{{1,2}}|an?|{'|'.join(_NUMBERS)})\s(?:day|week|month|year)s?\sago)\b",
)
# Commas belong to a list only when it is closed by a last item; else they end the clause.
_WORD = r"[\w'’-]{2,30}"
_CLOSED_LIST = re.compile(
    rf"{_WORD}(?: {_WORD}){{0,2}}(?:, {_WORD}(?: {_WORD}){{0,2}}?){{1,8}}"
    rf",? (?:and|or|und|et|y) {_WORD}(?: {_WORD}){{0,2}}",
    re.IGNORECASE,
)
_ENDS_OF_LIST = re.compile(r"\s(?:so|but|because|since|which|who|when|although|weil|porque)\b", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:\s(?:now|again|these days|at the moment|currently|nowadays|for now|please|too|as well|anyway))+\Z",
    re.IGNORECASE,
)
_QUOTE_PAIRS = ('""', "''", "``", "“”", "„“", "‘’", "«»", "「」")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# What people say they moved to or live in that is no place.
_NO_PLACES = _words(
    """
    linux macos windows ubuntu debian fedora arch nixos python rust go golang java kotlin typescript
    javascript postgres postgresql mysql sqlite redis docker podman kubernetes git github gitlab vim
    neovim emacs helix vscode slack teams zoom discord notion obsidian aws azure gcp excel jira linear
    chrome firefox safari monday tuesday wednesday thursday friday saturday sunday
    """
)
_NO_NAMES = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday tomorrow today tonight later back again
    when after before at on in a an the not mr mrs dr i it home asap crazy lazy
    """
)
_PARTICLES = _words(
    """
    and und et the de la le les las los el da do dos das di du del van von der den am an im of upon sur zu y
    """
)
_NO_PHRASES = _words(
    """
    it this that these those them him her you me us to not being having when how what why where very so
    just only everything nothing something anything one both either
    """
)


def trimmed(raw: str, shape: Shape) -> str:
    """Return `raw` up to where the value of its shape ends, a prefix of it."""
    listed = _CLOSED_LIST.match(raw) if shape is Shape.LIST else None
    if listed:
        found = _ENDS_OF_LIST.search(listed[0])
        return _TAIL.sub("", listed[0][: found.start()] if found else listed[0])
    ends = [_ENDS_OF_ACT if shape is Shape.ACT else _ENDS]
    if shape in (Shape.NAME, Shape.PLACE):
        ends.append(_ENDS_OF_NAME)
    for end in ends:
        found = end.search(raw)
        raw = raw[: found.start()] if found else raw
    return _TAIL.sub("", raw.rstrip(" \t.,;:!")).rstrip(" \t,")


def bare(value: str) -> str:
    """Return a value without the quotation marks or backticks around the whole of it."""
    for pair in _QUOTE_PAIRS:
        if len(value) > 2 and value[0] == pair[0] and value[-1] == pair[1]:
            return value[1:-1].strip()
    return value


def fits(value: str, shape: Shape) -> bool:
    """Return whether `value`, without its quotes, may be a value of `shape`."""
    words = value.split()
    if not words or len(words) > _WORDS_MAX[shape] or len(value) > limits.name_characters_max:
        return False
    return _FITS[shape](words)


def folded(value: str) -> str:
    """Return a value as it stands in an attribute's name: lower case, one space, one spelling."""
    return " ".join(value.casefold().split()).replace("favorite", "favourite")


def dated(clause: str, occurred_at: datetime | None) -> datetime | None:
    """Return the day a clause names for itself, at midnight UTC, or None.

    A day without a year is the latest such day up to `occurred_at`, and what has lasted for so
    long, or was so long ago, is counted back from there; without that moment nothing relative is
    dated.
    """
    found = _DATE.search(clause)
    if found is None:
        return _counted_back(clause, occurred_at) if occurred_at else None
    if found["ago"]:
        return _midnight(occurred_at - timedelta(days=_AGO[found["ago"].lower()])) if occurred_at else None
    try:
        if found["iso"]:
            return datetime.fromisoformat(found["iso"]).replace(tzinfo=UTC)
        return _calendar_day(found, occurred_at)
    except ValueError:
        return None


def _counted_back(clause: str, occurred_at: datetime) -> datetime | None:
    found = _LASTING.search(clause)
    if found is None:
        return None
    said, unit = (found["count"] or found["count2"]).lower(), (found["unit"] or found["unit2"]).lower()
    count = int(said) if said.isdigit() else _NUMBERS.index(said) + 1 if said in _NUMBERS else 1
    today = _midnight(occurred_at)
    if unit in _DAYS_OF:
        return today - timedelta(days=count * _DAYS_OF[unit])
    months = today.year * 12 + today.month - 1 - count * _MONTHS_OF[unit]
    year, month = divmod(months, 12)
    if year < MINYEAR:
        return None
    last = monthrange(year, month + 1)[1]
    return today.replace(year=year, month=month + 1, day=min(today.day, last))


def _calendar_day(found: re.Match[str], occurred_at: datetime | None) -> datetime | None:
    month = found["month"] or found["month2"]
    number = _MONTHS.index(month[:3].lower()) + 1 if month else 1
    day = int(found["day"] or found["day2"] or 1)
    year = found["year"] or found["year2"] or found["year3"]
    if year:
        return datetime(int(year), number, day, tzinfo=UTC)
    if occurred_at is None:
        return None
    moment = datetime(occurred_at.year, number, day, tzinfo=UTC)
    return moment if moment <= occurred_at else moment.replace(year=moment.year - 1)


def _midnight(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _is_name(words: list[str]) -> bool:
    """Return whether every word is written as names are, in scripts that have capitals."""
    if words[0].lower() in _NO_NAMES or words[0][0].isdigit():
        return False
    proper = [word for word in words if word.lower() not in _PARTICLES]
    return bool(proper) and all(word[0].isalpha() and not word[0].islower() for word in proper)


def _is_place(words: list[str]) -> bool:
    return _is_name(words if words[0].lower() != "the" else words[1:] or words) and not (
        {word.lower() for word in words} & _NO_PLACES
    )


def _is_token(words: list[str]) -> bool:
    first = words[0][0]
    return first in "/~.`\"'“„«「+@#$€£" or first.isdigit() or (first.isalpha() and not first.islower())


def _is_phrase(words: list[str]) -> bool:
    return words[0].lower() not in _NO_PHRASES


def _is_day(words: list[str]) -> bool:
    said = " ".join(words)
    return (
        re.search(rf"\d|\b{_DAYS}\b|\b{_MONTH}\b|\bdaily\b|\bweekly\b|\bmonthly\b", said, re.IGNORECASE)
        is not None
    )


_FITS: Mapping[Shape, Callable[[list[str]], bool]] = MappingProxyType(
    {
        Shape.NAME: _is_name,
        Shape.PLACE: _is_place,
        Shape.TOKEN: _is_token,
        Shape.PHRASE: _is_phrase,
        Shape.LIST: _is_phrase,
        Shape.ACT: _is_phrase,
        Shape.DAY: _is_day,
    }
)
