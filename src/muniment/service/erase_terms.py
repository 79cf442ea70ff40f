"""Which texts may not come back once something is erased, and which rows hold them?"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from muniment.domain.canonical import plain
from muniment.domain.erasure import (
    CONTAINED_FROM_CHARACTERS,
    CONTAINED_FROM_WORDS,
    Asked,
    Means,
    Plan,
    Term,
    TermSort,
)
from muniment.domain.escapes import as_shown
from muniment.domain.evidence import MARK, Span
from muniment.domain.memory import Claim
from muniment.domain.mention import Search, identifiers, merged, sentences, wanted, words_of


def term_of(text: str) -> Term:
    """Return the term that a text alone makes: an identifier when it is nothing else."""
    whole = identifiers(text) == (text.strip(),)
    return Term(TermSort.IDENTIFIER if whole else TermSort.TEXT, text.strip())


def terms_of_text(text: str) -> list[Term]:
    """Return the terms of a text that is to go: itself, and the identifiers in it."""
    own = term_of(text)
    parts = [] if own.sort is TermSort.IDENTIFIER else identifiers(text)
    return [own, *(Term(TermSort.IDENTIFIER, part) for part in parts)]


def terms_of_claim(claim: Claim) -> list[Term]:
    """Return the terms of a claim that is to go: its text, its slot's value, the identifiers."""
    found = terms_of_text(claim.text)
    if claim.keyed:
        found.append(Term(TermSort.VALUE, claim.said, claim.about, claim.attribute))
        found += [Term(TermSort.IDENTIFIER, part) for part in identifiers(claim.said)]
    return found


def settled(terms: Iterable[Term], asked: Asked) -> list[Term]:
    """Return the terms, each once, with those that a person added and without those left out."""
    leave = {plain(text) for text in asked.leave}
    every = [*terms, *(term_of(text) for text in asked.add)]
    found: dict[tuple[TermSort, str, str, str], Term] = {}
    for term in every:
        key = plain(term.text)
        if key and key not in leave:
            found.setdefault((term.sort, key, plain(term.about), plain(term.attribute)), term)
    return list(found.values())


def is_contained(term: Term) -> bool:
    """Return whether a term is looked for inside longer texts too."""
    if term.sort is TermSort.IDENTIFIER:
        return True
    long = len(term.text) >= CONTAINED_FROM_CHARACTERS
    return long or len(words_of(term.text)) >= CONTAINED_FROM_WORDS


def _is_drawn(text: str) -> bool:
    """Return whether a text has no word, and a sign that is drawn, such as an emoji: not only punctuation."""
    return not words_of(text) and any(unicodedata.category(char) == "So" for char in text)


def _as_drawn(text: str) -> re.Pattern[str]:
    """Return what finds a text of signs, in the drawing of text or of emoji."""
    bare = re.sub("[\ufe0e\ufe0f]", "", text.strip())
    return re.compile("".join(f"{re.escape(char)}[\ufe0e\ufe0f]?" for char in bare))


class Holds(Protocol):
    """Say which fields hold what was erased."""

    def holds(self, *texts: str) -> bool:
        """Return whether one of these does."""

    def holds_name(self, *texts: str) -> bool:
        """Return whether one of these, of a space, a key or an actor, does and goes."""


class Holding:
    """Say which texts hold a term: within them, or for a short term as the whole.

    With `explicit` a person named the text itself, so that even a short one is looked for
    inside others; a number says so of the first terms.  Counts the rows that hold each term.
    """

    def __init__(self, terms: Sequence[Term], *, explicit: bool | int = False) -> None:
        self.terms = tuple(terms)
        named = len(self.terms) if explicit is True else int(explicit)
        spoken = [(at, term) for at, term in enumerate(self.terms) if term.sort is not TermSort.VALUE]
        # What has no word is looked for as a whole, and an emoji that was named also within.
        inside = [
            (at, term) for at, term in spoken if (at < named or is_contained(term)) and words_of(term.text)
        ]
        self._inside = [at for at, _ in inside]
        self._search = Search(
            [wanted(one.text, identifier=one.sort is TermSort.IDENTIFIER) for _, one in inside]
        )
        self._whole: dict[str, int] = {}
        self._signs: dict[int, re.Pattern[str]] = {}
        within = set(self._inside)
        for at, term in spoken:
            if at not in within:
                self._whole.setdefault(plain(term.text), at)
            if at < named and _is_drawn(term.text):
                self._signs[at] = _as_drawn(term.text)
        self._hits = [0] * len(self.terms)

    def spans(self, text: str) -> tuple[Span, ...]:
        """Return which parts of a text the terms stand in, and count the row for each."""
        found: list[Span] = []
        places = self._places(text)
        for at, spans in places.items():
            self._hits[at] += 1
            found += spans
        if self._whole:
            whole = self._whole.get(plain(text))
            if whole is not None:
                self._hits[whole] += whole not in places
                found.append(Span(0, len(text)))
        return tuple(found)

    def _places(self, text: str) -> dict[int, tuple[Span, ...]]:
        """Return where each term stands in a text, also where escapes spell it, as in a tool's answer."""
        found = self._places_as_written(text)
        read = as_shown(text)
        if read is not None:
            for at, spans in self._places_as_written(read.text).items():
                found[at] = merged((*found.get(at, ()), *map(read.span, spans)))
        return found

    def _places_as_written(self, text: str) -> dict[int, tuple[Span, ...]]:
        found = {self._inside[at]: spans for at, spans in self._search.places(text).items()}
        for at, sign in self._signs.items():
            spans = tuple(Span(*one.span()) for one in sign.finditer(text))
            if spans:
                found[at] = spans
        return _beside_marks(text, found) if found and MARK in text else found

    def holds(self, *texts: str) -> bool:
        """Return whether one of these texts holds a term; a row counts once a term it holds."""
        return any([bool(text and self.spans(text)) for text in texts])

    def holds_name(self, *texts: str) -> bool:
        """Return whether one of these names goes: it holds a term that is looked for inside others.

        A memory may say no more than `eng`: with it every space `acme/eng` would get another name.
        """
        return any(bool(text and self._places(text)) for text in texts)

    def short_places(self, text: str) -> tuple[Span, ...]:
        """Return where terms stand in a text that nothing would keep out of longer ones; counts nothing."""
        short = {at for at in (*self._inside, *self._signs) if not is_contained(self.terms[at])}
        places = self._places(text).items() if short else ()
        return merged([span for at, spans in places if at in short for span in spans])

    def spellings(self, text: str) -> Iterator[Term]:
        """Yield the identifiers that stand in a text in other pieces than they were named in.

        Counts nothing.  `a4:5e:60` is reached by `a45e60`, and what keeps that out would not meet it.
        """
        inside = [at for at in self._inside if self.terms[at].sort is TermSort.IDENTIFIER]
        places = self._places(text) if inside else {}
        for at in inside:
            named = wanted(self.terms[at].text).words
            for span in places.get(at, ()):
                found = text[span.start : span.end]
                if wanted(found).words != named:
                    yield Term(TermSort.IDENTIFIER, found)

    def count(self, term: Term) -> None:
        """Count one more row that holds a term."""
        self._hits[self.terms.index(term)] += 1

    def counted(self) -> tuple[Term, ...]:
        """Return the terms with how many rows hold each."""
        return tuple(replace(term, hits=hits) for term, hits in zip(self.terms, self._hits, strict=True))


def _beside_marks(text: str, found: dict[int, tuple[Span, ...]]) -> dict[int, tuple[Span, ...]]:
    """Return what stands beside the marks of earlier erasures: a word of the mark is nobody's."""
    long = len(MARK)
    left = {
        at: tuple(span for span in spans if text.find(MARK, max(0, span.end - long), span.start + long) < 0)
        for at, spans in found.items()
    }
    return {at: spans for at, spans in left.items() if spans}


def holding_of(plan: Plan) -> Holding:
    """Return what the erased is recognised by in the fields beside a text."""
    if plan.asked.means is Means.PERSON:
        return Holding([Term(TermSort.TEXT, plan.asked.value), *plan.terms], explicit=1)
    return Holding(plan.terms, explicit=plan.asked.means is Means.TEXT)


def sentences_with(text: str, spans: Sequence[Span]) -> list[Term]:
    """Return the sentences of a text that one of the spans stands in, but not those that it is."""
    found = []
    for sentence in sentences(text):
        touched = any(span.start < sentence.end and sentence.start < span.end for span in spans)
        if touched:
            found.append(Term(TermSort.SENTENCE, text[sentence.start : sentence.end]))
    return found


def places_in(text: str, claim: Claim, within: Span | None) -> tuple[Span, ...]:
    """Return which parts of an evidence text state a claim that rests on it.

    First what says the claim, its value or an identifier of it; where nothing does, the part
    that the claim rests on; and where that is not known either, all of it.
    """
    start, end = (within.start, within.end) if within is not None else (0, len(text))
    part = text[start:end]
    said = [claim.text, *([claim.said] if claim.keyed else [])]
    targets = [wanted(one) for one in said]
    targets += [wanted(one, identifier=True) for one in dict.fromkeys(identifiers(" ".join(said)))]
    found = [span for spans in Search(targets).places(part).values() for span in spans]
    if found:
        return tuple(Span(span.start + start, span.end + start) for span in found)
    return (Span(start, end),)
