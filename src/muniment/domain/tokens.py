"""Of which tokens does a text consist, so that a value can be found inside a longer one?

A token is a word in its look-alike form; a character of Chinese, Japanese or Korean is a token
of its own, as nothing there stands between words.  Punctuation, spaces and symbols only part
tokens.  What a number's separator and sign say is looked at when a hit is decided, not here.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from muniment.domain.canonical import code_points, has_non_ascii_letters, look_alike, plain
from muniment.domain.scripts import UNSPACED
from muniment.domain.unicode_tables import INVISIBLE

TOKENS_WITHIN_MIN = 4
"""From how many tokens on a value is looked for inside longer texts."""

CHARACTERS_WITHIN_MIN = 20
"""From how many characters on a value of fewer tokens is looked for inside longer texts."""

_ALIKE = {"0": "o", "1": "l", "|": "l"}
_FLAT = bytes(
    ord(_ALIKE.get(chr(code), chr(code) if chr(code).isalnum() else " ")) if code < 128 else 32
    for code in range(256)
)
_RUN = re.compile(r"\S+")
# Over the kinds of characters: a word with its marks, or one character of a script without spaces.
_TOKEN = re.compile("ci*|w[wi]*")
_MINUSES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_SEPARATORS = frozenset(".,\u066b\u066c\uff0e\uff0c")
_BEFORE_WORD = re.compile(r"(?<![^\s([{])[!$]\Z")
_BEHIND_WORD = re.compile(r"[+#%]+(?![^\W_])")
_COMPARING = re.compile(r"\s+([<>=!\u2260\u2264\u2265]{1,3})\s+\Z")

_CONTINUING = "1160-11FF D7B0-D7FB FF9E-FF9F"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Hold a text's tokens in both look-alike forms; `second` is `first` where they do not differ."""

    first: list[str]
    second: list[str]


@lru_cache(maxsize=8)
def tokens_of(text: str) -> Tokens:
    """Return the tokens of a text in order; two lists of one length, which nobody changes.

    A write asks for those of one text several times.
    """
    if not text.isascii():
        found = [keys for keys, _, _ in _found(text)]
        return Tokens([first for first, _ in found], [second for _, second in found])
    first = _flat(text.lower()).replace("m", "rn").split()
    if "I" not in text:
        return Tokens(first, first)
    return Tokens(first, _flat(text.replace("I", "l").lower()).replace("m", "rn").split())


def spans_of(text: str) -> list[tuple[int, int]]:
    """Return where each token of `tokens_of` begins and ends in the text, in code points."""
    if text.isascii():
        return [match.span() for match in _RUN.finditer(_flat(text.lower()))]
    return [(start, end) for _, start, end in _found(text)]


def plain_run(text: str, spans: list[tuple[int, int]], *, turned: int = -1, bare: bool = False) -> str:
    """Return the plain form of neighbouring tokens, with the signs and separators of their numbers.

    This decides letter by letter where look-alike forms met: 1.5 is not 15, nor -5 is 5, nor C is
    C++, nor `a < b` is `a > b`.  `turned` is the place of a number whose sign is given or taken
    away; with `bare` signs of anything but numbers are left out.
    """
    pieces: list[str] = []
    before = -1
    for place, (start, end) in enumerate(spans):
        if before >= 0:
            pieces.append(_between(text, before, start, bare=bare))
        if _is_signed(text, start) is not (place == turned):
            pieces.append("-")
        word = plain(text[start:end])
        pieces.append(word if bare else _with_signs(text, word, start=start, end=end))
        before = end
    return "".join(pieces)


def _with_signs(text: str, word: str, *, start: int, end: int) -> str:
    """Return a word with the signs that make another of it: `!ready`, `$5`, `5%`, `C#`."""
    before = _BEFORE_WORD.search(text, max(0, start - 2), start)
    behind = _BEHIND_WORD.match(text, end)
    return f"{before[0] if before else ''}{word}{behind[0] if behind else ''}"


def say_the_same(one: str, other: str) -> bool:
    """Return whether two texts have the same words in the same order, whatever stands between them.

    Case and punctuation tell none apart, nor do letters of another script that are drawn alike;
    in plain letters what is only drawn alike (modern and modem) is another word.  A text without a
    word is the same as none.
    """
    first, second = spans_of(one), spans_of(other)
    if not first or len(first) != len(second):
        return False
    if plain_run(one, first) == plain_run(other, second):
        return True
    if not (has_non_ascii_letters(one) or has_non_ascii_letters(other)) or not _are_drawn_alike(one, other):
        return False
    return not set(look_alike(one)).isdisjoint(look_alike(other))


def _are_drawn_alike(one: str, other: str) -> bool:
    """Return whether two texts have the same tokens in one of their forms: words cut alike."""
    first, second = tokens_of(one), tokens_of(other)
    return any(form in (second.first, second.second) for form in (first.first, first.second))


def holds(text: str, value: str) -> bool:
    """Return whether a text says a value somewhere in it, as `say_the_same` tells what is the same."""
    asked, run = tokens_of(value).first, plain_run(value, spans_of(value))
    tokens, count = tokens_of(text).first, len(asked)
    places = [at for at, token in enumerate(tokens) if count and token == asked[0]]
    for at in places:
        if tokens[at : at + count] == asked:
            spans = spans_of(text)[at : at + count]
            if plain_run(text, spans) == run or has_non_ascii_letters(text[spans[0][0] : spans[-1][1]]):
                return True
    return False


def runs_of_other_numbers(text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    """Yield the runs of `plain_run` in which one number has the other sign."""
    for place, (start, _) in enumerate(spans):
        if text[start].isdigit():
            yield plain_run(text, spans, turned=place)


def is_found_within(text: str, count: int) -> bool:
    """Return whether a value of so many tokens is long enough to be looked for in longer texts."""
    return count >= TOKENS_WITHIN_MIN or (count > 1 and len(plain(text)) >= CHARACTERS_WITHIN_MIN)


def _flat(lowered: str) -> str:
    """Return a text in ASCII with a space for all that is in no token.  In bytes, which takes a third."""
    return lowered.encode("ascii").translate(_FLAT).decode("ascii")


def _between(text: str, end: int, start: int, *, bare: bool) -> str:
    gap = text[end:start]
    compared = None if bare else _COMPARING.search(gap)
    if compared:
        return f" {compared[1]} "
    is_inside_number = gap in _SEPARATORS and text[end - 1].isdigit() and text[start].isdigit()
    if is_inside_number:
        return plain(gap)
    # Characters of a script without spaces stand side by side however the text is broken.
    return " " if text[start].isascii() or text[end - 1].isascii() or gap else ""


def _is_signed(text: str, start: int) -> bool:
    if start == 0 or text[start - 1] not in _MINUSES or not text[start].isdigit():
        return False
    return start == 1 or text[start - 2].isspace() or text[start - 2] in "(["


def _found(text: str) -> list[tuple[tuple[str, str], int, int]]:
    kinds = text.translate(_kinds)
    found: list[tuple[tuple[str, str], int, int]] = []
    for match in _TOKEN.finditer(kinds):
        start, end = match.span()
        keys = _keys(text[start:end])
        if keys[0] and keys[1]:
            found.append((keys, start, end))
    return found


@lru_cache(maxsize=4_096)
def _keys(word: str) -> tuple[str, str]:
    return look_alike(word)


class _Kinds(dict[int, str]):
    """Map a code point to the kind of its character: a word's, one of its own, a mark, a gap."""

    def __missing__(self, code_point: int) -> str:
        found = self[code_point] = _kind(code_point)
        return found


_kinds = _Kinds()


def _kind(code_point: int) -> str:
    char = chr(code_point)
    if code_point in _ranges(INVISIBLE) or code_point in _ranges(_CONTINUING):
        return "i"
    if unicodedata.category(char)[0] == "M":
        return "i"
    if code_point in _ranges(UNSPACED):
        return "c"
    if char.isalnum() or char == "|":
        return "w"
    is_a_letter_in_disguise = not char.isascii() and any(one.isalnum() for one in look_alike(char)[0])
    return "w" if is_a_letter_in_disguise else " "


@lru_cache(maxsize=4)
def _ranges(ranges: str) -> frozenset[int]:
    return code_points(ranges)
