"""Into which word pieces does a text fall, under the BERT uncased rules?

The rules are those of the model that the table was distilled from: control characters go, ideographs and
punctuation stand alone, accents and case are dropped, and every word is cut greedily into the longest pieces
that the vocabulary has.  Names of special pieces in a text (`[CLS]`) are ordinary text.  Characters younger
than the interpreter's Unicode tables fall to `[UNK]`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

UNKNOWN: Final = "[UNK]"
CONTINUED: Final = "##"
word_characters_max: Final = 100
"""Longest word that is cut into pieces; a longer one is unknown as a whole, as in the source model."""

_characters_cached_max: Final = 4_096
_ASCII_CONTROLS: Final = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])
_ASCII_WORDS: Final = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_NOT_CONTROL: Final = frozenset("\t\n\r")
_REPLACEMENT: Final = 0xFFFD
_CONTROL_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co"})
# The source model's own list: its last-but-two range begins 0x100 late, and must here as well.
_IDEOGRAPHS: Final = (
    range(0x4E00, 0xA000),
    range(0x3400, 0x4DC0),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B740),
    range(0x2B740, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0xF900, 0xFB00),
    range(0x2F800, 0x2FA20),
)


def pieces(text: str, vocabulary: Collection[str], *, longest: int = word_characters_max) -> Iterator[str]:
    """Yield the pieces of `text` in order; a word that cannot be cut whole is one `[UNK]`.

    `longest` is the length of the longest piece in characters, `##` included; it only saves time.
    """
    for word in words(text):
        if word in vocabulary:
            yield word
        else:
            yield from word_pieces(word, vocabulary, longest=longest)


def words(text: str) -> list[str]:
    """Return the words and punctuation marks of `text`, folded: lower case, no accents, no controls."""
    if text.isascii():
        if not text.isprintable():
            text = text.translate(_ASCII_CONTROLS)
        found: list[str] = []
        for run in text.lower().split():
            if run.isalnum():
                found.append(run)
            else:
                found += _ASCII_WORDS.findall(run)
        return found
    cleaned = "".join(map(_cleaned, text))
    return "".join(map(_folded, unicodedata.normalize("NFD", cleaned))).split()


def word_pieces(word: str, vocabulary: Collection[str], *, longest: int = word_characters_max) -> list[str]:
    """Return the pieces of one folded word, longest first from the left, or `[UNK]` alone."""
    if len(word) > word_characters_max:
        return [UNKNOWN]
    found: list[str] = []
    start, mark = 0, ""
    while start < len(word):
        for end in range(min(len(word), start + longest), start, -1):
            piece = mark + word[start:end]
            if piece in vocabulary:
                break
        else:
            return [UNKNOWN]
        found.append(piece)
        start, mark = end, CONTINUED
    return found


@lru_cache(maxsize=_characters_cached_max)
def _cleaned(character: str) -> str:
    """Return nothing for a control, a space for white space, an ideograph between spaces."""
    if character in _NOT_CONTROL:
        return " "
    code = ord(character)
    if code == _REPLACEMENT or unicodedata.category(character) in _CONTROL_CATEGORIES:
        return ""
    if character.isspace():
        return " "
    if code >= 0x3400 and any(code in block for block in _IDEOGRAPHS):
        return f" {character} "
    return character


@lru_cache(maxsize=_characters_cached_max)
def _folded(character: str) -> str:
    """Return nothing for an accent, a mark between spaces, anything else in lower case.

    Folding one character at a time is the source model's way: a sigma at a word's end stays a plain one.
    """
    if character.isalnum():
        return character.lower()
    category = unicodedata.category(character)
    if category == "Mn":
        return ""
    # ASCII symbols ($ + < = > ^ ` | ~) count as punctuation although Unicode calls them symbols.
    if category[0] == "P" or (character.isascii() and character != " "):
        return f" {character} "
    return character.lower()
