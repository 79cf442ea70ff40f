"""Which turns of conversations are looked for, and in which order?  Words to terms, for every store."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, Protocol

from muniment import limits
from muniment.domain.canonical import plain
from muniment.domain.evidence import Role


class Order(StrEnum):
    """Name the order of what is found: by the engine's own rank, or by when it was taken in."""

    BEST = "best"
    NEWEST = "newest"
    OLDEST = "oldest"


SPOKEN = (Role.USER, Role.ASSISTANT, Role.NONE)
"""Roles whose turns are what was said; what tools did stands below them."""


@dataclass(frozen=True, slots=True)
class TurnsAsked:
    """Hold what turns are looked for, beside their eligibility.

    Each holds all of `terms` when `every`, else any; without terms every turn is found.
    `sessions` are the only ones to look in, empty for all, `without` those to leave out, and of
    `live_of` what is live in its context is left out.
    """

    terms: tuple[str, ...] = ()
    every: bool = True
    order: Order = Order.BEST
    roles: tuple[Role, ...] = tuple(Role)
    sessions: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    live_of: int = 0
    rows_max: int = limits.turns_found_max


class TurnFound(NamedTuple):
    """Hold where a turn that was found stands: its row, its session and its place there."""

    n: int
    session: int
    sequence: int
    role: Role


class FindsTurns(Protocol):
    """Find turns within one eligibility."""

    def turns(self, asked: TurnsAsked) -> list[TurnFound]:
        """Return the first so many turns in the asked order; rewound ones are never found."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Hold what a query says: the terms that must be there, and phrases, folded, word by word.

    `parts` are those terms with every name taken apart, empty where there is none to take apart.
    """

    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    parts: tuple[str, ...] = ()

    def tries(self) -> "Iterator[tuple[Wording, bool, str]]":
        """Yield what to look for in turn, whether every term of it has to be there, and what is said of it.

        First all of the words; then names by their parts, as `v2.11` in `v2.11.3`; then any of the
        words, unless a phrase was asked for.
        """
        yield self, True, ""
        if self.parts:
            yield replace(self, terms=self.parts), True, BY_PARTS
        if len(self.terms) > 1 and not self.phrases:
            yield self, False, SOME_WORDS

    def fits(self, text: str) -> bool:
        """Return whether a text holds every phrase, whatever its case, spacing and apostrophes."""
        folded = _folded(text) if self.phrases else ""
        return all(phrase in folded for phrase in self.phrases)


SOME_WORDS = "No turn holds all of the words; these hold some of them."
BY_PARTS = "No turn holds a name as it was asked for; these hold every part of it."

_QUOTED = re.compile(r'"([^"]*)"')
_GLUE = re.compile(r"[/:@#+&.,\-_]+")
# Keyboards and editors put one for the other, so a phrase that was typed is not the one on a page.
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc", "'"))


def wording(text: str, question: Callable[[str], Sequence[str]]) -> Wording:
    """Return what a query looks for; quotes make phrases, and nothing else in it means anything.

    `question` gives the terms of a text.  Words without a meaning of their own are left out
    unless there are no others.
    """
    phrases = tuple(folded for folded in map(_folded, _QUOTED.findall(text)) if folded)
    telling = dict.fromkeys(question(text))
    terms = [term for word in text.split() for term in _required(word, question) if term in telling]
    kept = tuple(dict.fromkeys(terms)) or tuple(telling)
    parts = [term for word in text.split() for term in _taken_apart(word, question) if term in telling]
    apart = tuple(dict.fromkeys(parts))[: limits.question_terms_max]
    kept = kept[: limits.question_terms_max]
    return Wording(kept, phrases, () if set(apart) >= set(kept) else apart)


def _taken_apart(word: str, question: Callable[[str], Sequence[str]]) -> Sequence[str]:
    """Return the terms of a word's parts, of one without parts its own."""
    parts = [part for part in _GLUE.split(word) if part]
    return [term for part in parts for term in question(part)] if len(parts) > 1 else question(word)


def _required(word: str, question: Callable[[str], Sequence[str]]) -> Sequence[str]:
    """Return the terms that a word asks for: of `client/server` both words, not the pair as it is spelled.

    Where a part is a number or a single letter, as in `8080:80` or `I/O`, only the whole says anything.
    """
    parts = [part for part in _GLUE.split(word) if part]
    if len(parts) > 1 and all(len(part) > 1 and _is_word(part) for part in parts):
        return _taken_apart(word, question)
    return question(word)


def _is_word(part: str) -> bool:
    return part.isalnum() and not part.isdecimal()


def _folded(text: str) -> str:
    return plain(text.translate(_APOSTROPHES))
