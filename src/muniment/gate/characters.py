"""Which characters may a stored text hold, and what becomes of the others?

What a person approves must be what is stored and what a model reads, so nothing that hides, reorders or
splits text gets in. Scripts and emoji that need an invisible character keep it where they need it, and
only there. `ROWS` is the whole policy: the first row that names a code point decides.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache

from muniment.domain import unicode_tables
from muniment.domain.canonical import code_points
from muniment.domain.quick import quick

STRIPPED_MAX = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """Say which character was refused: its code point, its offset in code points, and the rule.

    `cleaned` is a text to offer instead, itself already checked; None where there is no honest one.
    """

    code_point: int
    offset: int
    rule: str
    cleaned: str | None


@quick
@dataclass(frozen=True, slots=True)
class Characters:
    """Say what to store, how many invisible characters that leaves out, and what was refused.

    When `refused` is set nothing may be stored, and `text` is the text as it was given.
    """

    text: str
    stripped: int
    refused: Finding | None


class Fate(Enum):
    """What becomes of a character."""

    KEEP = "keep"
    STRIP = "strip"
    NEWLINE = "newline"
    REFUSE = "refuse"
    REFUSE_AND_OFFER = "refuse, offering the text without it"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where suspicious characters stand: text[at:end]."""

    text: str
    at: int
    end: int
    # Whether the whole text holds a letter of a right-to-left script; the marks alone do not count.
    runs_right_to_left: bool

    def before(self, count: int = 1) -> str:
        return self.text[max(self.at - count, 0) : self.at]

    def after(self, count: int = 1) -> str:
        return self.text[self.end : self.end + count]


# Whether the characters at a place are needed there.
_Context = Callable[[_Place], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """One rule: what becomes of these code points in their context, and what becomes of them elsewhere."""

    rule: str
    code_points: str
    needed: _Context
    then: Fate
    otherwise: Fate


def checked(text: str, *, strict: bool = False) -> Characters:
    """Return the text as it may be stored, or the first character that forbids storing it.

    U+2028, U+2029 and CRLF become newlines and harmless invisible characters are stripped; more than
    `STRIPPED_MAX` of them are refused, as that many hide something. `strict` refuses every invisible
    character. Never raises; checking a result again changes nothing.
    """
    if _is_plain_ascii(text) or not _any_suspicious().search(text):
        return Characters(text, 0, None)
    pieces: list[str] = []
    stripped: list[Finding] = []
    done = 0
    right_to_left = _runs_right_to_left(text)
    for match in _suspicious().finditer(text):
        at, end = match.span()
        rule, fate = _judged(_Place(text, at, end, right_to_left), strict=strict)
        if fate in (Fate.REFUSE, Fate.REFUSE_AND_OFFER):
            cleaned = _without_direction(text, strict=strict) if fate is Fate.REFUSE_AND_OFFER else None
            return Characters(text, 0, Finding(ord(text[at]), at, rule, cleaned))
        if fate is not Fate.KEEP:
            pieces += (text[done:at], "\n" if fate is Fate.NEWLINE else "")
            done = end
        if fate is Fate.STRIP:
            stripped.append(Finding(ord(text[at]), at, "too-many-invisible", None))
    pieces.append(text[done:])
    result = "".join(pieces)
    if len(stripped) > STRIPPED_MAX:
        first_too_many = stripped[STRIPPED_MAX]
        refused = Finding(first_too_many.code_point, first_too_many.offset, first_too_many.rule, result)
        return Characters(text, 0, refused)
    return Characters(result, len(stripped), None)


def kept(text: str) -> tuple[str, int]:
    """Return evidence as it is kept, and how many characters had to be replaced.

    Evidence is never refused. Controls (NUL among them), lone surrogates and noncharacters become
    U+FFFD, one for one; CRLF and CR become newlines, uncounted; all else stays, invisible or not.
    """
    if _is_plain_ascii(text):
        return text, 0
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _unkeepable().subn("\ufffd", lines)


def _is_plain_ascii(text: str) -> bool:
    return text.isascii() and (text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable())


def _judged(place: _Place, *, strict: bool) -> tuple[str, Fate]:
    """Return the rule that names the characters and their fate; strictly, without regard for context."""
    if place.text[place.at : place.end] == "\r\n":
        return "newline", Fate.NEWLINE
    row = _row_of(ord(place.text[place.at]))
    if not strict:
        return row.rule, row.then if row.needed(place) else row.otherwise
    return row.rule, row.otherwise if row.otherwise in _STRICT_FATES else Fate.REFUSE


def _without_direction(text: str, *, strict: bool) -> str | None:
    """Return the text without direction controls, if nothing else forbids it."""
    result = checked(_direction_controls().sub("", text), strict=strict)
    return None if result.refused else result.text


def _nowhere(place: _Place) -> bool:
    return False


def _is_first(place: _Place) -> bool:
    return place.at == 0


def _joins_emoji_or_follows_virama(place: _Place) -> bool:
    """Between two emoji, the first with its skin tone or selector; or making a conjunct."""
    if _follows_virama(place):
        return True
    before = place.before(3).removesuffix("\ufe0f")
    if "\U0001f3fb" <= before[-1:] <= "\U0001f3ff":
        before = before[:-1]
    return _is_joinable_emoji(before[-1:]) and _is_joinable_emoji(place.after())


def _parts_joining_letters_or_follows_virama(place: _Place) -> bool:
    """The context of RFC 5892, appendix A.1: letters that would join but for this character."""
    if _follows_virama(place):
        return True
    text, before, after = place.text, place.at - 1, place.end
    while before >= 0 and _is_transparent(text[before]):
        before -= 1
    while after < len(text) and _is_transparent(text[after]):
        after += 1
    return (
        before >= 0
        and after < len(text)
        and ord(text[before]) in _members(unicode_tables.JOINS_LEFT)
        and ord(text[after]) in _members(unicode_tables.JOINS_RIGHT)
    )


def _follows_emoji(place: _Place) -> bool:
    """After an emoji or the digit, asterisk or hash of a keycap."""
    return place.at > 0 and ord(place.before()) in _members(unicode_tables.EMOJI)


def _follows_ideograph(place: _Place) -> bool:
    return re.match(_IDEOGRAPH, place.before()) is not None


def _follows_mongolian(place: _Place) -> bool:
    return re.match(_MONGOLIAN, place.before()) is not None


def _is_registered_flag(place: _Place) -> bool:
    """A black flag and the tags of England, Scotland or Wales."""
    return place.before() == "\U0001f3f4" and place.text[place.at : place.end] in _FLAG_TAGS


def _is_in_right_to_left_text(place: _Place) -> bool:
    return place.runs_right_to_left


def _is_beside_unspaced_script(place: _Place) -> bool:
    """Between words of scripts that write none of their spaces."""
    return re.search(_UNSPACED, place.before() + place.after()) is not None


def _completes_old_hangul(place: _Place) -> bool:
    """In place of a missing first consonant or vowel of a syllable that has another part."""
    filler, after = place.text[place.at], place.after(2)
    if filler == "\u115f":
        return re.match(_VOWEL_AND_MORE, after) is not None
    if filler == "\u1160":
        is_after_consonant = re.match(_FIRST_CONSONANT, place.before()) is not None
        return is_after_consonant or (
            place.before() == "\u115f" and re.match(_LAST_CONSONANT, after) is not None
        )
    return re.match(_SPACING_JAMO, place.before()) is not None and re.match(_SPACING_JAMO, after) is not None


def _is_beside_braille(place: _Place) -> bool:
    return any("\u2801" <= char <= "\u28ff" for char in place.before() + place.after())


def _follows_virama(place: _Place) -> bool:
    return place.at > 0 and unicodedata.combining(place.before()) == _VIRAMA_CLASS


def _runs_right_to_left(text: str) -> bool:
    if not any(mark in text for mark in _DIRECTION_MARKS):
        return False
    return any(char.isalpha() and unicodedata.bidirectional(char) in {"R", "AL"} for char in text)


def _is_joinable_emoji(char: str) -> bool:
    """Return whether a character is an emoji proper: no keycap base, skin tone or half a flag."""
    if not char or char.isascii() or "\U0001f3fb" <= char <= "\U0001f3ff":
        return False
    return not "\U0001f1e6" <= char <= "\U0001f1ff" and ord(char) in _members(unicode_tables.EMOJI)


def _is_transparent(char: str) -> bool:
    """Return whether joining looks through a character, as through an Arabic vowel sign."""
    return char not in "\u200c\u200d" and unicodedata.category(char) in {"Mn", "Me", "Cf"}


_VIRAMA_CLASS = 9
_DIRECTION_MARKS = "\u200e\u200f\u061c"
_STRICT_FATES = frozenset({Fate.NEWLINE, Fate.REFUSE_AND_OFFER})
_FLAG_TAGS = frozenset(
    "".join(chr(0xE0000 + ord(char)) for char in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
# Compiled at their first use, which `re` remembers: few texts come this far.
_IDEOGRAPH = "[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]"
_UNSPACED = "[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f]"
_MONGOLIAN = "[\u1820-\u1878\u1880-\u18aa]"
# Conjoining letters of Korean: first consonants, vowels, last consonants; then the spacing ones.
_FIRST_CONSONANT = "[\u1100-\u115e\ua960-\ua97c]"
_LAST_CONSONANT = "[\u11a8-\u11ff\ud7cb-\ud7fb]"
_VOWEL_AND_MORE = "[\u1161-\u11a7\ud7b0-\ud7c6]|\u1160[\u11a8-\u11ff\ud7cb-\ud7fb]"
_SPACING_JAMO = "[\u3131-\u3163\u3165-\u318e\uffa1-\uffdc]"

_CONTROLS = "0-8 B-1F 7F-9F"
_SURROGATES = "D800-DFFF"
_NONCHARACTERS = "FDD0-FDEF " + " ".join(
    f"{plane:X}FFFE-{plane:X}FFFF" if plane else "FFFE-FFFF" for plane in range(17)
)
_DIRECTION = "202A-202E 2066-2069"

ROWS: tuple[Row, ...] = (
    Row("newline", "2028-2029", _nowhere, Fate.KEEP, Fate.NEWLINE),
    Row("control", _CONTROLS, _nowhere, Fate.KEEP, Fate.REFUSE),
    Row("surrogate", _SURROGATES, _nowhere, Fate.KEEP, Fate.REFUSE),
    Row("noncharacter", _NONCHARACTERS, _nowhere, Fate.KEEP, Fate.REFUSE),
    Row("annotation", "FFF9-FFFC 13430-1343F", _nowhere, Fate.KEEP, Fate.REFUSE),
    Row("zwj", "200D", _joins_emoji_or_follows_virama, Fate.KEEP, Fate.REFUSE),
    Row("zwnj", "200C", _parts_joining_letters_or_follows_virama, Fate.KEEP, Fate.REFUSE),
    Row("variation", "FE0E-FE0F", _follows_emoji, Fate.KEEP, Fate.REFUSE),
    Row("variation", "FE00-FE02 E0100-E01EF", _follows_ideograph, Fate.KEEP, Fate.REFUSE),
    Row("variation", "180B-180F", _follows_mongolian, Fate.KEEP, Fate.REFUSE),
    Row("tag", "E0020-E007F", _is_registered_flag, Fate.KEEP, Fate.REFUSE),
    Row("direction-mark", "200E-200F 61C", _is_in_right_to_left_text, Fate.KEEP, Fate.STRIP),
    Row("bidi", _DIRECTION, _nowhere, Fate.KEEP, Fate.REFUSE_AND_OFFER),
    Row("soft", "AD 2060", _nowhere, Fate.KEEP, Fate.STRIP),
    Row("soft", "200B", _is_beside_unspaced_script, Fate.KEEP, Fate.STRIP),
    Row("byte-order-mark", "FEFF", _is_first, Fate.STRIP, Fate.REFUSE),
    Row("filler", "115F-1160 3164 FFA0", _completes_old_hangul, Fate.KEEP, Fate.REFUSE),
    Row("filler", "2800", _is_beside_braille, Fate.KEEP, Fate.REFUSE),
    Row("ignorable", unicode_tables.INVISIBLE, _nowhere, Fate.KEEP, Fate.REFUSE),
)


@cache
def _row_of(code_point: int) -> Row:
    return next(row for row in ROWS if code_point in _members(row.code_points))


@cache
def _members(ranges: str) -> frozenset[int]:
    return code_points(ranges)


@cache
def _suspicious() -> re.Pattern[str]:
    """Return what `ROWS` names; blanks of Braille and tags come in runs, as they are judged."""
    return re.compile(f"\r\n|\u2800+|[\U000e0020-\U000e007f]+|{_any_suspicious().pattern}")


@cache
def _any_suspicious() -> re.Pattern[str]:
    """Return a single class, which is searched many times faster than the alternatives above."""
    return re.compile(_character_class(" ".join(row.code_points for row in ROWS)))


@cache
def _direction_controls() -> re.Pattern[str]:
    return re.compile(_character_class(_DIRECTION))


@cache
def _unkeepable() -> re.Pattern[str]:
    return re.compile(_character_class(f"{_CONTROLS} {_SURROGATES} {_NONCHARACTERS}"))


def _character_class(ranges: str) -> str:
    """Return ranges as a class of a regular expression."""
    spans = (entry.partition("-") for entry in ranges.split())
    return "[" + "".join(f"{_escaped(first)}-{_escaped(last or first)}" for first, _, last in spans) + "]"


def _escaped(code_point: str) -> str:
    return f"\\U{code_point:0>8}"
