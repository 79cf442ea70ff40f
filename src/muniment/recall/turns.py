"""Which turns of conversations are looked for, and in which order?  Words to terms, for every store."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
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
    `names` are the names that end in a number or a letter, folded, and `beginnings` those terms
    without such an end: of `gpt-4` the name `gpt-4` and the term `gpt`.
    """

    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    parts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()

    def tries(self) -> "Iterator[tuple[Wording, bool, str]]":
        """Yield what to look for in turn, whether every term of it has to be there, and what is said of it.

        First all of the words; then names by their parts, as `v2.11` in `v2.11.3`; then names as the
        beginning of longer ones, as `gpt-4` in `gpt-4o`; then any of the words, unless a phrase was
        asked for.
        """
        yield self, True, ""
        if self.parts:
            yield replace(self, terms=self.parts), True, BY_PARTS
        if self.beginnings:
            longer = replace(self, terms=self.beginnings, phrases=(*self.phrases, *self.names))
            yield longer, True, BY_BEGINNING
        if len(self.terms) > 1 and not self.phrases:
            yield self, False, SOME_WORDS

    def fits(self, text: str) -> bool:
        """Return whether a text holds every phrase, whatever its case, spacing and apostrophes."""
        folded = _folded(text) if self.phrases else ""
        return all(phrase in folded for phrase in self.phrases)


SOME_WORDS = "No turn holds all of the words; these hold some of them."
BY_PARTS = "No turn holds a name as it was asked for; these hold every part of it."
BY_BEGINNING = "No turn holds a name as it was asked for; these hold one that begins with it."

_QUOTED = re.compile(r'"([^"]*)"')
# What stands around a word and is no part of a name.
_AROUND = "()[]{}<>.,;:!?'*"
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
    names, beginnings = _begun(text, question, telling)
    return Wording(kept, phrases, () if set(apart) >= set(kept) else apart, names, beginnings)


def _begun(
    text: str, question: Callable[[str], Sequence[str]], telling: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that a longer one may begin with, and the terms that are there then; else nothing."""
    names, terms = [], list[str]()
    for word in text.replace('"', " ").split():
        name = word.strip(_AROUND)
        parts = [part for part in _GLUE.split(name) if part]
        stem = [part for part in parts[:-1] if len(part) > 1 and _is_word(part)]
        if stem and not (len(parts[-1]) > 1 and _is_word(parts[-1])):
            names.append(_folded(name))
            terms += [term for part in stem for term in question(part)]
        else:
            terms += [term for term in _required(word, question) if term in telling]
    once = tuple(dict.fromkeys(terms))[: limits.question_terms_max]
    return (tuple(dict.fromkeys(names)), once) if names and once else ((), ())


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
