"""Does one free statement contradict another?  By rules alone: it would rather miss than make one up.

Two ways are tried.  Statements that are the same but for a negation, a number, a date or one of
two opposites contradict each other.  Statements of few relations (where somebody lives, works,
what somebody likes, has or is) are compared by subject, relation and object, whatever the words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Protocol, runtime_checkable

from muniment.domain.model_use import Note
from muniment.gate.clause_words import UNTRUE, Word, class_of, is_denied, is_event, plain, stem, words_of
from muniment.gate.contradiction_tables import (
    AT_THE_TIME,
    BEHIND_A_NAME,
    CLASSES,
    ENDINGS,
    FILLERS,
    GOES_ON,
    HEDGES,
    IN_TURN,
    NOT_FOR_THAT,
    ONE_OF_SEVERAL,
    OTHER_WORDS,
    PATTERNS,
    PLACES,
    POINTING,
    SEASONS,
    SINGLE,
    STATES,
    WHILE,
)


class Kind(StrEnum):
    """Name how two statements contradict each other."""

    REPLACEMENT = "replacement"
    POLARITY = "polarity"
    BOUNDED = "bounded"
    VALUE = "value"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Hold how the newer statement contradicts the older, and which part of the older.

    `start` and `end` are the contradicted clause in the older text, `object_start` and
    `object_end` the words in it that are no longer so, and `instead` those of the newer
    statement that take their place, empty for none.
    """

    kind: Kind
    start: int
    end: int
    object_start: int
    object_end: int
    instead: str = ""


class Contradicts(Protocol):
    """Judge two statements; a model may stand behind it, the rules here are always there."""

    def __call__(self, new: str, old: str) -> Contradiction | None:
        """Return how `new` contradicts `old`, or None when it does not.

        Of the kind `unsure` is what nobody can tell: a person is asked, and nothing moves.  May
        raise ModelAway.
        """


@runtime_checkable
class Metered(Contradicts, Protocol):
    """Judge two statements by a model, and tell what of it was used."""

    def metered(self, new: str, old: str, note: Note) -> Contradiction | None:
        """Answer as a call does; `note` gets each part of the use as soon as it is known.

        A call counts before it is made and its tokens when they are told, also where it raises.
        """


@dataclass(frozen=True, slots=True)
class _Fact:
    subject: str
    relation: str
    holds: bool
    object: tuple[Word, ...]
    clause: tuple[int, int]
    ended: bool = False

    @property
    def said(self) -> frozenset[str]:
        return frozenset(stem(word.text) for word in self.object if word.text not in FILLERS)


@dataclass(frozen=True, slots=True)
class _Clause:
    span: tuple[int, int]
    words: list[Word]
    facts: tuple[_Fact, ...]
    subject: list[Word]


_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_JOINT = re.compile(
    r"\s*,?\s+(?:and|but|while|though)\s+|\s*;\s*|,\s+(?=(?:i|he|she|we|they|my)\b)", re.IGNORECASE
)
_WORDS_MAX = 40


def contradicts(new: str, old: str) -> Contradiction | None:
    """Return how `new` contradicts `old`, or None; the work is bounded by both texts' first clauses."""
    newer = _read(new)
    for older in _read(old) if newer else ():
        for clause in newer:
            found = _by_relation(clause, older) or _by_words(clause.words, older.words, older.span)
            if found is not None:
                return found
    return None


def words_to_look_for(text: str) -> str:
    """Return the words that a contradicted statement may hold in the place of this one's.

    Who moved to one town lived in another: the two share no word.
    """
    relations = {fact.relation for clause in _read(text) for fact in clause.facts}
    return " ".join(OTHER_WORDS[relation] for relation in sorted(relations) if relation in OTHER_WORDS)


def clauses_left(old: str, found: Contradiction) -> str:
    """Return what an older text says once the contradicted part is corrected; empty when nothing is left.

    The other clauses stay word for word.  The contradicted words give way to the newer ones
    where there are any, else their clause goes.
    """
    before, after = old[: found.start], old[found.end :]
    if not before.strip(" .,;") and not after.strip(" .,;"):
        return ""
    if found.instead:
        return old[: found.object_start] + found.instead + old[found.object_end :]
    left = _TRAILING.sub("", before) if not after.strip(" .") else before
    if not left.strip():
        after = _LEADING.sub("", after)
        left = _whom(old, found) if after.split(" ")[0].casefold() in GOES_ON else ""
    kept = (left + after).strip()
    return kept[:1].upper() + kept[1:]


def _whom(old: str, found: Contradiction) -> str:
    """Return whom the clause that goes speaks of, and a space: the next one went on about them."""
    for clause in _read(old):
        if clause.span == (found.start, found.end) and clause.subject:
            first, last = clause.subject[0], clause.subject[-1]
            before = old[found.start : first.start].casefold().strip()
            said = old[found.start if before == "the" else first.start : last.end]
            return re.split("['’](?=m |s |re |ve )", f"{said} ")[0].strip() + " "
    return ""


_TRAILING = re.compile(r"[\s,;]*(?:and|but|while|though)?\s*$", re.IGNORECASE)
_LEADING = re.compile(r"^[\s,;]*(?:and|but|while|though)?\s*", re.IGNORECASE)


def _clauses(text: str) -> Iterator[list[tuple[int, int]]]:
    """Yield the clauses of each sentence of a text, of the first eight sentences six each."""
    for start, end in islice(_pieces(text, 0, len(text), split=_SENTENCE), 8):
        yield list(islice(_pieces(text, start, end, split=_JOINT), 6))


def _pieces(text: str, begin: int, end: int, *, split: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    at = begin
    for found in split.finditer(text, begin, end):
        if text[at : found.start()].strip():
            yield at, found.start()
        at = found.end()
    if text[at:end].strip():
        yield at, end


def _asserts(clause: tuple[int, int], text: str) -> bool:
    """Return whether a clause says that something is so: no question, wish, order or hearsay."""
    said = text[clause[0] : clause[1]].strip()
    if said.endswith("?") or len(said) > 400 or NOT_FOR_THAT.match(text, clause[1]):
        return False
    return HEDGES.search(said) is None


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[_Clause, ...]:
    """Return the clauses of a text that say something; texts of one space are compared again and again."""
    found: list[_Clause] = []
    for sentence in _clauses(text):
        whom: list[Word] = []
        for clause in sentence:
            words = words_of(text, clause)
            if whom and words and words[0].text in GOES_ON:
                words = [*(replace(word, start=clause[0], end=clause[0]) for word in whom), *words]
            if _asserts(clause, text) and 0 < len(words) <= _WORDS_MAX:
                facts = tuple(_facts(words, clause))
                whom = _subject(words, facts)
                found.append(_Clause(clause, words, facts, whom))
    return tuple(found)


def _subject(words: list[Word], facts: tuple[_Fact, ...]) -> list[Word]:
    """Return the words that say whom a clause speaks of; none where that is not known."""
    first = words[0].text == UNTRUE
    counts = [len(fact.subject.split()) for fact in facts]
    return words[first : first + min(counts)] if counts else []


_NOT = re.compile(r"\b(?:not|never|no|neither|hardly|used to)\b")


def _facts(words: list[Word], clause: tuple[int, int]) -> list[_Fact]:
    """Return what a clause says in the relations that are known."""
    untrue = words[0].text == UNTRUE
    words = words[untrue:]
    said = " ".join(word.text for word in words)
    facts: list[_Fact] = []
    for relation, sign, pattern in PATTERNS:
        found = pattern.match(said)
        if found is None:
            continue
        first = len(said[: found.start("o")].split())
        span = tuple(words[first : first + len(found["o"].split(" because ")[0].split())])
        if any(fact.relation == relation and _share(fact.object, span) for fact in facts):
            continue
        middle = said[found.end("s") : found.start("o")]
        is_none = bool(span) and span[0].text == "no"
        span = span[is_none:]
        denied = is_none or bool(_NOT.search(middle))
        ended = sign < 0 or bool(ENDINGS.search(middle))
        holds = ((sign > 0) != denied) != untrue
        facts.append(_Fact(found["s"].strip(), relation, holds, span, clause, ended))
    return facts


def _share(one: tuple[Word, ...], two: tuple[Word, ...]) -> bool:
    return not one or not two or bool(set(one) & set(two))


def _by_relation(newer: _Clause, older: _Clause) -> Contradiction | None:
    for new in newer.facts:
        for old in older.facts:
            if new.subject != old.subject or new.relation != old.relation or not old.holds and not new.holds:
                continue
            kind = _kind(new, old)
            if kind is not None:
                return _made(kind, new, old, words=older.words)
    return None


def _kind(new: _Fact, old: _Fact) -> Kind | None:
    if new.holds != old.holds:
        held, denied = (new, old) if new.holds else (old, new)
        if not _is_denied_of(denied, held):
            return None
        return Kind.BOUNDED if new.ended or old.ended else Kind.POLARITY
    related = not new.said or bool(old.said) and (new.said <= old.said or old.said <= new.said)
    different = bool(new.said) and bool(old.said) and not related
    if new.relation != "when" and _are_of_other_times(new, old):
        return None
    if new.relation == "when" and different and not _is_in_turn(new):
        return Kind.VALUE if _dated(new) and _dated(old) else None
    return Kind.REPLACEMENT if different and new.relation in SINGLE else None


def _is_denied_of(denied: _Fact, held: _Fact) -> bool:
    """Return whether what is denied takes in what holds: who likes no green olives may like olives."""
    if denied.said and denied.said <= POINTING:
        return False
    beyond = [word.text for word in denied.object if stem(word.text) not in held.said]
    when = all(word in WHILE | FILLERS or class_of(word) in ("number", "month") for word in beyond)
    return when and (not denied.said or not held.said or bool(denied.said & held.said))


def _are_of_other_times(new: _Fact, old: _Fact) -> bool:
    """Return whether each fact holds at a time that comes again, and the times differ."""
    times = [{word.text for word in fact.object if _comes_again(word.text)} for fact in (new, old)]
    return bool(times[0]) and bool(times[1]) and not times[0] & times[1]


def _is_in_turn(fact: _Fact) -> bool:
    return len(fact.object) > 1 and fact.object[0].text in IN_TURN


def _comes_again(word: str) -> bool:
    return word in SEASONS or class_of(word) == "day"


def _dated(fact: _Fact) -> bool:
    return any(class_of(word.text) in ("number", "day", "month") for word in fact.object)


def _made(kind: Kind, new: _Fact, old: _Fact, *, words: list[Word]) -> Contradiction:
    start, end = old.clause
    first = old.object[0].start if old.object else end
    last = old.object[-1].end if old.object else end
    behind = [word for word in words if word.start >= last]
    if behind and behind[0].text in {word.text for word in new.object[1:]}:
        # `engineer at Acme` gives way to `manager at Acme` as a whole, and is at no place twice.
        last = behind[-1].end
    instead = " ".join(_shown(word) for word in new.object) if kind in (Kind.REPLACEMENT, Kind.VALUE) else ""
    return Contradiction(kind, start, end, first, last, instead)


def _shown(word: Word) -> str:
    return word.text.capitalize() if word.is_name else word.text


def _by_words(newer: list[Word], older: list[Word], other: tuple[int, int]) -> Contradiction | None:
    """Compare statements that are the same but for one thing."""
    new_denied, old_denied = is_denied(newer), is_denied(older)
    new, old = plain(newer), plain(older)
    if len(new) < 2 or len(old) < 2:
        return None
    if [stem(word.text) for word in new] == [stem(word.text) for word in old]:
        if new_denied == old_denied or is_event(new):
            return None
        return Contradiction(Kind.POLARITY, *other, old[0].start, old[-1].end)
    if new_denied or old_denied or len(new) != len(old):
        return None
    apart = [place for place, (one, two) in enumerate(zip(new, old, strict=True)) if one.text != two.text]
    if len(apart) != 1 or is_event(new) or len(new) < 3:
        return None
    said = " ".join(word.text for word in newer)
    is_time = class_of(new[apart[0]].text) in ("day", "month", "number") and apart[0] == len(new) - 1
    if is_time and (ONE_OF_SEVERAL.search(said) or AT_THE_TIME.search(said)):
        return None
    return _apart(new, old, apart[0], other=other)


def _apart(new: list[Word], old: list[Word], place: int, *, other: tuple[int, int]) -> Contradiction | None:
    one, two = new[place], old[place]
    same_class = class_of(one.text) and class_of(one.text) == class_of(two.text)
    opposite = CLASSES.get(one.text, "").startswith("pair") and CLASSES.get(one.text) == CLASSES.get(two.text)
    before = new[place - 1].text if place else ""
    named = one.is_name and two.is_name and place > 0 and before in PLACES and _is_state(new)
    if not (same_class or opposite or named) or _is_of_subject(new, place):
        return None
    return Contradiction(Kind.VALUE, *other, two.start, two.end, _shown(one))


def _is_of_subject(words: list[Word], place: int) -> bool:
    """Return whether a word says what the statement is about: `room 12 is free` is not about room 14."""
    before, after = words[:place], words[place + 1 :]
    if not _is_state(before) and _is_state(after):
        return True
    if class_of(words[place].text) != "number" or any(word.text in STATES | PLACES for word in before):
        return False
    if place <= 1 or not after or after[0].text in BEHIND_A_NAME:
        return True
    return not _may_hold_a_verb(before)


def _may_hold_a_verb(words: list[Word]) -> bool:
    """Return whether a verb can be among the words: `the heron of nest 4` has none, `the hall seats` one."""
    return words[0].text in _PLAIN_VERB_BEHIND or any(word.text.endswith("s") for word in words)


_PLAIN_VERB_BEHIND = frozenset({"i", "we", "you", "they"})


def _is_state(words: list[Word]) -> bool:
    return any(word.text in STATES for word in words)
