"""Which words must a text in plain ASCII have to say another text or to hold it?  A sieve for databases.

Whether a text says another (`say_the_same`) or holds it (`holds`) takes long to find out.  Of texts in
plain ASCII most are passed over by a few words, which stand there in lower case and in order; what has a
character beyond ASCII may be in disguise and is always looked at.
"""

import re
from collections.abc import Iterable

from muniment.domain.canonical import has_non_ascii_letters, plain
from muniment.domain.tokens import tokens_of

Words = tuple[str, ...]
"""Runs of letters and digits, in lower case, in the order in which they have to stand."""

EVERY: Words = ()
"""The words that every text has."""

BEYOND: Words = ("\ufffd",)
"""Words that no text in plain ASCII has."""

WORDS_MAX = 4
"""So many words are asked for, the longest: more pass hardly anything over."""

WORD_CHARACTERS_MAX = 100
"""So many first characters of a word are asked for: databases bound what they look for."""

_WORD = re.compile(r"[^\W_]+")
# The rest of the letters and digits are drawn like others: 0 like o, 1 and I like l, m like rn.
_OF_ONE_FORM = re.compile("[2-9a-hjkp-qs-z]+")


def telling_words(value: str) -> Words | None:
    """Return words that each text in plain ASCII has, in order, which says `value` or holds it.

    None for a value without a word, which nothing says.  What stands in disguised letters is met
    by what is drawn alike, so only letters that no other is drawn like count there: `EVERY` where
    there are none, `BEYOND` where a letter is left that ASCII has nothing like.
    """
    tokens = tokens_of(value)
    if not tokens.first:
        return None
    if not has_non_ascii_letters(value):
        return _longest(_WORD.findall(plain(value)))
    pieces: list[str] = []
    for first, second in zip(tokens.first, tokens.second, strict=True):
        if not first.isascii() and not second.isascii():
            return BEYOND
        if first == second:
            pieces += _OF_ONE_FORM.findall(first)
    return _longest(pieces)


def _longest(words: list[str]) -> Words:
    """Return the beginnings of the longest words, in their order."""
    places = sorted(sorted(range(len(words)), key=lambda at: -len(words[at]))[:WORDS_MAX])
    return tuple(words[at][:WORD_CHARACTERS_MAX] for at in places)


def may_carry(parts: Iterable[str], words: Iterable[Words]) -> bool:
    """Return whether one of the parts has a character beyond ASCII, or all of some words in their order."""
    asked = tuple(words)
    return any(not part.isascii() or any(_has(part.lower(), each) for each in asked) for part in parts)


def _has(text: str, words: Words) -> bool:
    at = 0
    for word in words:
        at = text.find(word, at) + len(word)
        if at < len(word):
            return False
    return True
