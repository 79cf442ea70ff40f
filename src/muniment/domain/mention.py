"""Where in a text does another text stand, whatever its case, spacing and punctuation?

Both sides are cut into words: runs of letters and digits with their marks, each in its plain
form, and single characters where a script writes no spaces.  A text is mentioned where its words
stand one after the other, in the case of Turkish too, where `I` is the capital of a dotless i.
An identifier (an address, a number, a code) is one piece whatever separates its parts, and is not
mentioned where it is only a part of a longer one.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from muniment.domain.canonical import code_points, opened, plain
from muniment.domain.evidence import Span
from muniment.domain.identifiers import identifier_form, identifiers_in
from muniment.domain.scripts import UNSPACED, goes_on
from muniment.domain.unicode_tables import INVISIBLE

_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = re.compile("cm*|w[wm]*")
"""A word, over the kinds of characters: one of a script without spaces, else letters and digits.

The marks on a letter are its word's: the vowels of Devanagari tell words apart, as letters do.
"""

_CONTINUING = "1160-11FF D7B0-D7FB FF9E-FF9F"
"""What goes on with the character before, in Korean in letters and in Japanese of half width."""

_DOTS = {ord("I"): "\u0131", ord("\u0130"): "i"}
_DOTTED = re.compile("[\u0130\u0131\u0307]")
"""Case in Turkish: `I` is the capital of a dotless i, and the capital of `i` has a dot."""

_SENTENCE = re.compile(
    r"[^.!?\n\u3002\uff01\uff1f]*(?:[.!?](?!\s|$)[^.!?\n\u3002\uff01\uff1f]*)*[.!?\u3002\uff01\uff1f]*\n?"
)
_JOINERS_OF_ADDRESS, _JOINERS_OF_NUMBER, _JOINERS_OF_CODE = "@.-_+/:%", "@-_", "@-_"
"""What joins an identifier with more of itself: `b.a@c.io` is not `a@c.io`, `4417.txt` holds `4417`.

A number goes on behind a point, too, where a digit follows: `4417.5`.
"""

_PARTING = bytes(code for code in range(128) if not chr(code).isalnum())
"""What may stand between the letters of an identifier."""

_PARTS_MAX = 24
"""Most words that the parts of one identifier fall into in a text."""


@dataclass(frozen=True, slots=True)
class Word:
    """Hold one word of a text: its plain form and where it stands, in code points."""

    form: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Hold what is looked for: its words, and for an identifier what would go on with it.

    `form` is the identifier's own form, in which its disguises are the same; `turkish` are the
    words in the case of Turkish.
    """

    words: tuple[str, ...]
    joiners: str = ""
    form: str = ""
    turkish: tuple[str, ...] = ()

    @property
    def identifier(self) -> bool:
        """Return whether it is one piece, whatever separates its words."""
        return bool(self.joiners)

    @property
    def joined(self) -> str:
        """Return the words without what separates them."""
        return "".join(self.words)


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text in order."""
    if text.isascii():
        return tuple(Word(found[0], *found.span()) for found in _ASCII_WORD.finditer(text.lower()))
    places = (found.span() for found in _WORD.finditer(text.translate(_kinds)))
    return tuple(Word(_form(text[start:end]), start, end) for start, end in places)


@lru_cache(maxsize=4096)
def _form(word: str) -> str:
    return plain(word)


class _Kinds(dict[int, str]):
    """Map a code point to its kind: `c` a word of its own, `w` of a word, `m` a mark, else a space."""

    def __missing__(self, code_point: int) -> str:
        found = self[code_point] = _kind(chr(code_point))
        return found


_kinds = _Kinds()


def _kind(char: str) -> str:
    if unicodedata.category(char)[0] == "M" or ord(char) in _members(f"{INVISIBLE} {_CONTINUING}"):
        return "m"
    if ord(char) in _members(UNSPACED):
        return "c"
    return "w" if char.isalnum() else " "


@lru_cache(maxsize=2)
def _members(ranges: str) -> frozenset[int]:
    return code_points(ranges)


def _in_turkish(text: str) -> str:
    """Return a text with its i as Turkish folds them; every character stays where it is."""
    return text.translate(_DOTS)


def _undotted(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return words without the dot that some programs leave on an i in lower case."""
    return tuple(Word(word.form.replace("i\u0307", "i"), word.start, word.end) for word in words)


def wanted(text: str, *, identifier: bool = False) -> Wanted:
    """Return a text as what is looked for; without a word in it nothing is found."""
    words = tuple(word.form for word in words_of(text))
    turkish = tuple(word.form for word in _undotted(words_of(_in_turkish(text))))
    if not identifier:
        return Wanted(words, turkish=turkish)
    if "@" in text or "://" in text:
        return Wanted(words, _JOINERS_OF_ADDRESS, identifier_form(text), turkish)
    joiners = _JOINERS_OF_NUMBER if "".join(words).isdigit() else _JOINERS_OF_CODE
    return Wanted(words, joiners, identifier_form(text), turkish)


def identifiers(text: str) -> tuple[str, ...]:
    """Return the addresses, numbers and codes in a text as they stand there, each once."""
    spans = (one.span for one in identifiers_in(text))
    return tuple(dict.fromkeys(text[span.start : span.end] for span in spans))


def sentences(text: str) -> tuple[Span, ...]:
    """Return where the sentences of a text stand, white space around them left out."""
    spans = []
    for found in _SENTENCE.finditer(text):
        inner = found[0].strip()
        if inner:
            start = found.start() + found[0].index(inner)
            spans.append(Span(start, start + len(inner)))
    return tuple(spans)


class Search:
    """Look for several texts in many; most texts are passed over after one look."""

    def __init__(self, targets: Sequence[Wanted]) -> None:
        self.targets = tuple(target for target in targets if target.words)
        self._probes = tuple(
            target.words[0][:3] if target.identifier else max(target.words, key=len)
            for target in self.targets
        )
        self._identifiers = tuple(
            (at, probe.encode("utf-8", "surrogatepass"))
            for at, (probe, target) in enumerate(zip(self._probes, self.targets, strict=True))
            if target.identifier
        )

        self._is_turkish = any(_DOTTED.search(word) for target in self.targets for word in target.words)

    def places(self, text: str) -> dict[int, tuple[Span, ...]]:
        """Return where each target, by its place among them, stands in a text; none are left out.

        Letters and digits beyond ASCII that only look like others are read as those, too.
        """
        found = self._as_written(text)
        if self._is_turkish or (not text.isascii() and _DOTTED.search(text)):
            words = _undotted(words_of(_in_turkish(text)))
            for place, target in enumerate(self.targets):
                spans = _spans(text, words, replace(target, words=target.turkish or target.words))
                if spans:
                    found[place] = merged((*found.get(place, ()), *spans))
        return found

    def _as_written(self, text: str) -> dict[int, tuple[Span, ...]]:
        if text.isascii():
            return self._places(text, text.lower())
        found = self._places(text, plain(text))
        shown, at = opened(text)
        for place, spans in self._places(shown, shown).items():
            there = (Span(at[span.start], at[span.end - 1] + 1) for span in spans)
            found[place] = merged((*found.get(place, ()), *there))
        return found

    def _places(self, text: str, folded: str) -> dict[int, tuple[Span, ...]]:
        asked = [at for at, probe in enumerate(self._probes) if probe in folded]
        if self._identifiers:
            run = folded.encode("utf-8", "surrogatepass").translate(None, _PARTING)
            asked += [at for at, probe in self._identifiers if at not in asked and probe in run]
        if not asked:
            return {}
        words = words_of(text)
        found = {at: _spans(text, words, self.targets[at]) for at in asked}
        return {at: spans for at, spans in found.items() if spans}

    def any_in(self, *texts: str) -> bool:
        """Return whether one of the texts holds one of the targets."""
        return any(text and self.places(text) for text in texts)


def _spans(text: str, words: Sequence[Word], target: Wanted) -> tuple[Span, ...]:
    return _pieces(text, words, target) if target.identifier else _runs(words, target)


def _runs(words: Sequence[Word], target: Wanted) -> tuple[Span, ...]:
    count, first = len(target.words), target.words[0]
    spans, at = [], 0
    while at + count <= len(words):
        if words[at].form == first and all(
            words[at + step].form == target.words[step] for step in range(1, count)
        ):
            spans.append(Span(words[at].start, words[at + count - 1].end))
            at += count
        else:
            at += 1
    return tuple(spans)


def _pieces(text: str, words: Sequence[Word], target: Wanted) -> tuple[Span, ...]:
    disguised = identifiers_in(text, in_pieces=True) if target.form else ()
    spans = [one.span for one in disguised if one.form == target.form]
    for at, word in enumerate(words):
        if not target.joined.startswith(word.form):
            continue
        joined = ""
        for last in words[at : at + _PARTS_MAX]:
            joined += last.form
            if joined == target.joined and not is_part(text, Span(word.start, last.end), target):
                spans.append(Span(word.start, last.end))
            if not target.joined.startswith(joined) or joined == target.joined:
                break
    return merged(spans)


def is_part(text: str, span: Span, target: Wanted) -> bool:
    """Return whether a longer identifier goes on before or behind; False for what is no identifier."""
    start, end = span.start, span.end
    before, behind = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    return any(_goes_on(beside, target) for beside in (before, behind) if len(beside) > 1)


def _goes_on(beside: str, target: Wanted) -> bool:
    sign, farther = beside[0], beside[1]
    if sign in target.joiners:
        return goes_on(farther)
    return sign == "." and target.joiners == _JOINERS_OF_NUMBER and farther.isdigit()


def merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return spans in order, those that meet or overlap as one."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


def without(text: str, spans: Sequence[Span], *, mark: str) -> str:
    """Return a text with each span replaced by a mark."""
    parts, at = [], 0
    for span in merged(spans):
        parts += [text[at : span.start], mark]
        at = span.end
    return "".join([*parts, text[at:]])


def moved(span: Span, erased: Sequence[Span], *, mark: str) -> Span | None:
    """Return where a span stands once others were replaced by a mark; None when nothing of it is left."""
    gone = merged(erased)
    if any(one.start <= span.start and span.end <= one.end for one in gone):
        return None
    return Span(_moved(span.start, gone, mark, ends=False), _moved(span.end, gone, mark, ends=True))


def _moved(point: int, gone: Sequence[Span], mark: str, *, ends: bool) -> int:
    shift = 0
    for one in gone:
        if one.end <= point:
            shift += len(mark) - (one.end - one.start)
        elif one.start < point:
            # Inside a mark: an end stands behind it, a start before it.
            return one.start + shift + (len(mark) if ends else 0)
    return point + shift
