"""Which words must a text have to say another text or to hold it?  A sieve for databases.

Whether a text says another (`say_the_same`) or holds it (`holds`) takes long to find out.  Of texts in
plain characters most are passed over by a few words, which stand there in lower case and in order; what
has another character may be in disguise and is always looked at.
"""

import re
from collections.abc import Iterable, Iterator

from muniment.domain.canonical import has_non_ascii_letters, plain
from muniment.domain.tokens import spans_of, tokens_of

Words = tuple[str, ...]
"""Runs of letters and digits, in lower case, in the order in which they have to stand."""

EVERY: Words = ()
"""The words that every text has."""

WORDS_MAX = 4
"""So many words are asked for, the longest: more pass hardly anything over."""

WORD_CHARACTERS_MAX = 100
"""So many first characters of a word are asked for: databases bound what they look for."""

_WHOLE = "\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3"
PLAIN = (
    "\x01-\x7f\u00a0\u00a1\u00a3\u00a7\u00ab\u00b0\u00b7\u00bb\u00bf\u2010-\u2015\u2018-\u201e\u2022\u2026\u20ac"
    "\u00c0-\u00c5\u00c7-\u00cf\u00d1-\u00d6\u00d9-\u00dd\u00e0-\u00e5\u00e7-\u00ef\u00f1-\u00f6\u00f9-\u00fd\u00ff"
    "\u0100-\u010f\u0112-\u0125\u0128-\u012f\u0134-\u0137\u0139-\u013e\u0143-\u0148\u014c-\u0151\u0154-\u0165"
    "\u0168-\u017e\u3000-\u3002\u300c-\u300f\uff01\uff0c\uff1a\uff1b\uff1f" + _WHOLE
)
"""Characters that stand for nothing in ASCII but what is there itself, as the inside of a class of a pattern.

Those of ASCII, marks that only part words, letters whose accent no form takes off, and scripts without case.
"""

_ODD = re.compile(f"[^{PLAIN}]")
# Those of the scripts without case that are drawn like another of them, or stand for another.
_SHARED = (
    "へべぺイエカタトニノハヘベペロー一丕丛丿二亻今併倂値值八力卜卟口合啓啟囗土塡填墫士壿夕媯嬀工帡帲戶戸晚晩朌朏朐朓朘朣杮柿"
    "榝樧溈潙爿研硏絕絶肦胊胐胼脁脧腁膧蒍蔿蘷虁訮詽讆讏豜豣赿趆跥跺躗躛軿輧郎郞鎭鎮長隷隸鹂鹃黑黒뉘마슥슴쓰조튽"
)
_OF_ITS_OWN = re.compile(f"(?:(?![{_SHARED}])[{_WHOLE}])+")
_WORD = re.compile(r"[a-z0-9]+")
# The rest of the letters and digits are drawn like others: 0 like o, 1 and I like l, m like rn.
_OF_ONE_FORM = re.compile("[2-9a-hjkp-qs-z]+")


def telling_words(value: str) -> Words | None:
    """Return words that each text in plain characters has, in order, which says `value` or holds it.

    None for a value without a word, which nothing says.  A value in other letters is met by what is
    drawn alike, so only letters that no other is drawn like count there: `EVERY` where there are none.
    """
    if not tokens_of(value).first:
        return None
    if has_non_ascii_letters(value) or not is_plain(value):
        return _longest([piece for pieces in _pieces(value) for piece in pieces])
    return _longest(_WORD.findall(plain(value)))


def _pieces(value: str) -> Iterator[tuple[str, ...]]:
    """Yield of each token what stands in whatever plain word is drawn like it, if anything does."""
    tokens = tokens_of(value)
    for (start, end), first, second in zip(spans_of(value), tokens.first, tokens.second, strict=True):
        if first == second and first.isascii():
            pieces = tuple(_OF_ONE_FORM.findall(first))
        else:
            pieces = (value[start:end],) if _OF_ITS_OWN.fullmatch(value[start:end]) else ()
        if pieces:
            yield pieces


def _longest(words: list[str]) -> Words:
    """Return the beginnings of the longest words, in their order."""
    places = sorted(sorted(range(len(words)), key=lambda at: -len(words[at]))[:WORDS_MAX])
    return tuple(words[at][:WORD_CHARACTERS_MAX] for at in places)


def is_plain(text: str) -> bool:
    """Return whether a text has plain characters alone."""
    return text.isascii() or not _ODD.search(text)


class Glance:
    """Pass over, without reading it, what says a value neither in plain characters nor in disguise."""

    def __init__(self, value: str) -> None:
        self._pieces = tuple(_pieces(value))

    def may_carry(self, text: str) -> bool:
        """Return whether a text may say the value or hold it; False is sure.

        A word of the value that is not there has to be in disguise, and every disguise takes a character
        that is not plain.
        """
        lowered, disguises = text.lower(), 0 if text.isascii() else len(_ODD.findall(text))
        for pieces in self._pieces:
            if not all(piece in lowered for piece in pieces):
                disguises -= 1
                if disguises < 0:
                    return False
        return True


def may_carry(parts: Iterable[str], words: Iterable[Words]) -> bool:
    """Return whether one of the parts has a character that is not plain, or all of some words in order."""
    asked = tuple(words)
    return any(not is_plain(part) or any(_has(part.lower(), each) for each in asked) for part in parts)


def _has(text: str, words: Words) -> bool:
    at = 0
    for word in words:
        at = text.find(word, at) + len(word)
        if at < len(word):
            return False
    return True
