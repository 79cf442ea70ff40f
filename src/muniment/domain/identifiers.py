"""Which identifiers does a text hold: mail addresses, telephone and other numbers, codes?

An identifier has a form of its own, without the separators and the common disguises of its kind
(`alice (at) acme dot io`, `+49 170 / 12 34 567`).  It is always taken as far as it reaches, so that
`alice@acme.io` is not found in `alice.smith@acme.io`, nor 555-0100 in 555-01001.  Amounts, years,
dates, times, ordinals and small numbers are no identifiers: they name nobody.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from muniment.domain.canonical import opened
from muniment.domain.evidence import Span
from muniment.domain.scripts import BESIDE_ANY_WORD, goes_on

NUMBER_DIGITS_MIN = 5
"""Fewest digits of a number written in one piece; round ones are amounts."""

GROUPED_DIGITS_MIN = 7
"""Fewest digits of a number written in groups, such as a telephone number."""

CODE_CHARACTERS_MIN, CODE_DIGITS_MIN = 6, 3
"""Fewest characters and digits of a code made of letters and digits; years are not counted."""

ACCOUNT_DIGITS_MIN = 10
"""Fewest digits of an account number that begins with letters and is written in groups."""

_DIGITS = frozenset("0123456789")
_PIECES_MAX = 4
_COUNT_DIGITS_MAX = 2
_DIGIT_RUN = re.compile(r"\d+")
_ADDRESS_REACH = 200
# A part is wholly of a script without spaces or of others: `邮箱alice@acme.io的` holds one address.
_PART = rf"(?:(?:(?![{BESIDE_ANY_WORD}])[a-z0-9_%+'\-\u0080-\U0010ffff]){{1,64}}|[{BESIDE_ANY_WORD}]{{1,64}})"
_LABEL = rf"(?:(?:(?![{BESIDE_ANY_WORD}])[a-z0-9\-\u0080-\U0010ffff]){{1,63}}|[{BESIDE_ANY_WORD}]{{1,63}})"
_DOT = r"(?:\.|[ \t]?[(\[{<][ \t]?dot[ \t]?[)\]}>][ \t]?|[ \t]dot[ \t])"
_SIGN = re.compile(r"@|\bat\b(?=[ \t)\]}>])")
_AROUND_SIGN = re.compile(r"[ \t]?@[ \t]?|[ \t]?[(\[{<][ \t]?at[ \t]?[)\]}>][ \t]?|[ \t]at[ \t]")
_DOTS = re.compile(_DOT)
_BEFORE_SIGN = re.compile(rf"(?:{_PART}{_DOT}){{0,6}}{_PART}\Z")
_AFTER_SIGN = re.compile(rf"{_LABEL}(?:{_DOT}{_LABEL}){{1,6}}")

_NUMBER = re.compile(r"\d+(?:[ .\-/()]{1,3}\d+)*")
_CURRENCY = "$€£¥"
_DRAWN_LIKE_LETTERS = re.compile("[\u00a2-\u00a5\u20a0-\u20cf]")
# Signs of currencies: some are drawn like a letter and belong to none of what stands behind them.
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{2}|\d{4})")
_DECIMAL = re.compile(r"\d+\.\d+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_EMPHASIS = re.compile(r"(?<!\w)_{1,3}(?=\+?\d)|(?<=\d)_{1,3}(?!\w)")
# A number in a page's emphasis, `_918227715_`, is no part of a longer name.
_CODE_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_#")
_CODE_REACH = 128
_QUANTITY = re.compile(r"\d+[a-z]{1,3}")
_JOINTS = re.compile(r"[-_#]")


@dataclass(frozen=True, slots=True)
class Identifier:
    """Hold an identifier in its own form, and where it stands in the text."""

    form: str
    span: Span


def identifiers_in(text: str, *, in_pieces: bool = False) -> list[Identifier]:
    """Return the identifiers of a text in order of where they begin, in linear time.

    With `in_pieces` a text is looked through for what is known already, so more is given: numbers
    that stand in a row with only a space between them also in parts, since a text may say one next
    to another, and what stands in a path, behind a number sign, or like an amount or a share.
    """
    shown, places = opened(text)
    found: list[Identifier] = []
    # A word `at` stands for the sign only where a `dot` follows somewhere, spelled out or not.
    # What ends the text is no dot of an address.
    if "@" in shown or ("at" in shown and ("dot" in shown or "." in shown.rstrip(".!?"))):
        found += _addresses(shown)
    if _holds_digits(shown):
        shown = _EMPHASIS.sub(lambda sign: " " * len(sign[0]), shown) if "_" in shown else shown
        others = [*_numbers(shown, in_pieces=in_pieces), *_codes(shown, in_pieces=in_pieces)]
        found += list(_outside(found, others))
    if not text.isascii():
        found = [Identifier(one.form, _moved(one.span, places)) for one in found]
        if in_pieces and _DRAWN_LIKE_LETTERS.search(text):
            apart = identifiers_in(_DRAWN_LIKE_LETTERS.sub(" ", text), in_pieces=True)
            found = list(dict.fromkeys([*found, *apart]))
    found.sort(key=lambda one: (one.span.start, one.span.end))
    return found


def _holds_digits(text: str) -> bool:
    """Return whether a text holds one of ten digits; in bytes, which takes a tenth of the time of text."""
    spelled = text.encode("utf-8", "surrogatepass")
    return len(spelled.translate(None, b"0123456789")) < len(spelled)


def identifier_form(text: str) -> str:
    """Return the form of a text that is one identifier and nothing else; empty for any other."""
    stripped = text.strip()
    for one in identifiers_in(stripped):
        if (one.span.start, one.span.end) == (0, len(stripped)):
            return one.form
    return ""


def _moved(span: Span, places: Sequence[int]) -> Span:
    return Span(places[span.start], places[span.end - 1] + 1)


def _outside(taken: Sequence[Identifier], others: Sequence[Identifier]) -> Iterator[Identifier]:
    """Yield the others that overlap none taken; those lie in order and apart."""
    starts = [one.span.start for one in taken]
    for one in others:
        before = bisect_left(starts, one.span.end) - 1
        if before < 0 or taken[before].span.end <= one.span.start:
            yield one


def _addresses(text: str) -> Iterator[Identifier]:
    done = 0
    for found in _SIGN.finditer(text):
        sign = _AROUND_SIGN.search(text, max(done, found.start() - 3), found.end() + 3)
        if sign is None:
            continue
        first, last = _between_marks(text, max(done, sign.start() - _ADDRESS_REACH), sign)
        before = _BEFORE_SIGN.search(text[first : sign.start()])
        after = _AFTER_SIGN.match(text, sign.end(), last)
        if after is None or before is None:
            continue
        done = after.end()
        host = _DOTS.sub(".", after[0]).rstrip("-")
        quoted = _quotes(before[0], text[done : done + 1])
        form = f"@{_DOTS.sub('.', before[0][quoted:])}@{host}"
        yield Identifier(
            form, Span(first + before.start() + quoted, done - len(after[0]) + len(after[0].rstrip("-")))
        )


def _between_marks(text: str, least: int, sign: re.Match[str]) -> tuple[int, int]:
    """Return from where and to where an address may reach: a mark such as `«` or a dash ends it.

    An address may hold the letters of any script, and beside those of ASCII no mark of it.
    """
    if text.isascii():
        return least, len(text)
    most = min(len(text), sign.end() + _ADDRESS_REACH)
    befores = (place for place in range(sign.start(), least, -1) if _is_mark(text[place - 1]))
    afters = (place for place in range(sign.end(), most) if _is_mark(text[place]))
    return next(befores, least), next(afters, len(text))


def _is_mark(char: str) -> bool:
    return not char.isascii() and unicodedata.category(char)[0] in "PSZC"


def _quotes(before: str, behind: str) -> int:
    """Return how many signs before an address only set it off: a quote, a dash, underscores around it."""
    bare = before.lstrip("'-_" if behind == "_" else "'-")
    return len(before) - len(bare) if bare else 0


def _numbers(text: str, *, in_pieces: bool) -> Iterator[Identifier]:
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        if " " in match[0] and goes_on(text[start - 1 : start]):
            yield from _account(text, match[0], start)
        if in_pieces and "/" in match[0]:
            yield from _parts_of_path(match[0], start)
        if not _stands_alone(text, start, end, in_pieces=in_pieces):
            continue
        opening = start - 1 if text[start - 1 : start] == "(" else start
        is_international = text[opening - 1 : opening] == "+" and opening > 0
        whole = _number(match[0])
        if whole:
            yield Identifier(whole, Span(opening - is_international, end))
        if in_pieces and " " in match[0]:
            yield from _pieces(match[0], start, bound=is_international)


def _account(text: str, run: str, start: int) -> Iterator[Identifier]:
    """Yield an account number that begins with letters and is written in groups, such as an IBAN."""
    first = start
    while first > max(0, start - 4) and text[first - 1].isalpha() and goes_on(text[first - 1]):
        first -= 1
    digits = "".join(re.findall(r"\d+", run))
    stands_alone = first == 0 or not goes_on(text[first - 1])
    if stands_alone and len(digits) >= ACCOUNT_DIGITS_MIN and re.fullmatch(r"[\d ]+", run):
        yield Identifier(f"%{text[first:start]}{digits}", Span(first, start + len(run)))


def _stands_alone(text: str, start: int, end: int, *, in_pieces: bool) -> bool:
    """Return whether digits are no part of a word or a decimal; in what is looked for no amount or share."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if goes_on(before) or goes_on(after):
        return False
    if not in_pieces and ((before and before in _CURRENCY) or after == "%"):
        return False
    farther = text[start - 2 : start - 1] if start > 1 else ""
    return not (
        _joins(before, farther, in_pieces=in_pieces)
        or _joins(after, text[end + 1 : end + 2], in_pieces=in_pieces)
        or (before == "#" and not in_pieces)
    )


def _joins(sign: str, beyond: str, *, in_pieces: bool) -> bool:
    """Return whether a sign beside digits joins them with what stands beyond it.

    A point or a comma joins digits alone: a row of a table may say `Ria,48213`.  In what is looked
    for already, no comma does, as the columns of a row may be numbers, and no stroke, as in a path.
    """
    if sign == ".":
        return beyond.isdigit()
    if sign == "-":
        return goes_on(beyond)
    if sign == "_":
        return True
    return not in_pieces and (beyond.isdigit() if sign == "," else sign == "/" and goes_on(beyond))


def _parts_of_path(run: str, start: int) -> Iterator[Identifier]:
    """Yield the numbers that are written in one piece between the strokes of a path."""
    for part in re.finditer(r"(?:(?<=/)|\A)\d+(?=/|\Z)", run):
        form = _number(part[0])
        if form:
            yield Identifier(form, Span(start + part.start(), start + part.end()))


def _pieces(run: str, start: int, *, bound: bool) -> Iterator[Identifier]:
    """Yield the numbers that are left when counts of one or two digits are cut off at the ends.

    `bound` says that a plus sign stands before: then the first digits belong to the rest.
    """
    words = [(word, sum(map(str.isdigit, word[0]))) for word in re.finditer(r"\S+", run)]
    firsts, lasts = [0], [len(words)]
    while not bound and firsts[-1] < len(words) and words[firsts[-1]][1] <= _COUNT_DIGITS_MAX:
        firsts.append(firsts[-1] + 1)
    while lasts[-1] > 1 and words[lasts[-1] - 1][1] <= _COUNT_DIGITS_MAX:
        lasts.append(lasts[-1] - 1)
    for first in firsts[:_PIECES_MAX]:
        for last in lasts[:_PIECES_MAX]:
            if first >= last or last - first == len(words):
                continue
            span = Span(words[first][0].start(), words[last - 1][0].end())
            form = _number(run[span.start : span.end])
            if form:
                yield Identifier(form, Span(start + span.start, start + span.end))


def _number(run: str) -> str:
    """Return the form of a number, empty for an amount, a date or what is too short."""
    groups = re.findall(r"\d+", run)
    digits = "".join(groups)
    if len(groups) == 1:
        is_amount = len(digits) < NUMBER_DIGITS_MIN or digits.endswith("00")
        return "" if is_amount else f"#{digits}"
    bare = run.strip("+() ")
    is_grouped_amount = digits.endswith("000") and all(len(group) == 3 for group in groups[1:])
    if len(digits) < GROUPED_DIGITS_MIN or is_grouped_amount or _DECIMAL.fullmatch(bare):
        return ""
    if _DATE.search(bare) or all(_YEAR.fullmatch(group) for group in groups):
        return ""
    international = digits.startswith("00") and len(digits) > GROUPED_DIGITS_MIN + 2
    return f"#{digits[2:] if international else digits}"


def _codes(text: str, *, in_pieces: bool) -> Iterator[Identifier]:
    done = 0
    for match in _DIGIT_RUN.finditer(text):
        start, end = match.span()
        if start < done:
            continue
        least, most = max(done, start - _CODE_REACH), min(len(text), end + _CODE_REACH)
        while start > least and text[start - 1] in _CODE_CHARACTERS:
            start -= 1
        while end < most and text[end] in _CODE_CHARACTERS:
            end += 1
        done = end
        yield from _code(text[start:end], start)
        if in_pieces and "#" in text[start:end].strip("-_#"):
            for part in re.finditer("[^#]+", text[start:end]):
                yield from _code(part[0], start + part.start())


def _code(run: str, start: int) -> Iterator[Identifier]:
    """Yield the code that a run of its characters is, if it is one; the run begins at `start`."""
    spelled = run.strip("-_#")
    if _is_code(spelled):
        first = start + run.index(spelled)
        yield Identifier(f"%{_JOINTS.sub('', spelled)}", Span(first, first + len(spelled)))


def _is_code(spelled: str) -> bool:
    joined = _JOINTS.sub("", spelled)
    if joined.isdigit() or len(joined) < CODE_CHARACTERS_MIN or _QUANTITY.fullmatch(spelled):
        return False
    return sum(char in _DIGITS for char in _YEAR.sub("", spelled)) >= CODE_DIGITS_MIN
