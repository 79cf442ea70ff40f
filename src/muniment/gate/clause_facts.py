"""What does a clause say of few known relations, and does one such fact contradict another?

Where somebody lives, works, what somebody likes, has or is: by subject, relation and object, in any words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from muniment.gate.clause_words import UNTRUE, Word, class_of, stem
from muniment.gate.contradiction_kinds import Contradiction, Kind
from muniment.gate.contradiction_tables import (
    BEFORE_TIME,
    ENDINGS,
    FILLERS,
    IN_TURN,
    PLACES,
    POINTING,
    SEASONS,
    WHILE,
)
from muniment.gate.relation_tables import (
    CHANGING,
    COUNTRIES,
    IMPLIED,
    NOT_OWNED,
    PATTERNS,
    PRESUPPOSED,
    SINGLE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """Hold that a relation of a subject to an object holds, or does not, and which clause says so."""

    subject: str
    relation: str
    holds: bool
    object: tuple[Word, ...]
    clause: tuple[int, int]
    ended: bool = False
    changing: bool = False
    granted: bool = False

    @property
    def said(self) -> frozenset[str]:
        """Return the words of the object that carry something, without endings."""
        return frozenset(stem(word.text) for word in self.object if word.text not in FILLERS)


_NOT = re.compile(r"\b(?:not|never|no|neither|hardly|used to)\b")


def facts_of(words: list[Word], clause: tuple[int, int]) -> list[Fact]:
    """Return what a clause says in the relations that are known."""
    untrue = words[0].text == UNTRUE
    words = words[untrue:]
    texts = [word.text for word in words]
    said = " ".join(texts)
    facts: list[Fact] = []
    for relation, sign, pattern, signs in PATTERNS:
        found = None if signs.isdisjoint(texts) else pattern.match(said)
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
        subject = found["s"].strip() or "i"
        changing = bool(CHANGING.search(middle))
        facts.append(Fact(subject, relation, holds, span, clause, ended, changing))
    return [*facts, *_implied(facts), *_presupposed(words, clause)]


def _implied(facts: list[Fact]) -> Iterator[Fact]:
    """Yield what follows from a fact: who is vegetarian eats no meat."""
    for fact in facts:
        for word in fact.object if fact.relation == "be" and fact.holds else ():
            for relation, object in IMPLIED.get(word.text, ()):
                yield Fact(fact.subject, relation, False, (word.spelled(object),), fact.clause)


def _presupposed(words: list[Word], clause: tuple[int, int]) -> Iterator[Fact]:
    """Yield what a clause takes for granted: whose sister is called Eva has a sister."""
    if PRESUPPOSED.match(" ".join(word.text for word in words)) and words[1].text not in NOT_OWNED:
        yield Fact("i", "have", True, (words[1],), clause, granted=True)


def _share(one: tuple[Word, ...], two: tuple[Word, ...]) -> bool:
    return not one or not two or bool(set(one) & set(two))


def by_relation(newer: Sequence[Fact], older: Sequence[Fact], words: Sequence[Word]) -> Contradiction | None:
    """Return the first contradiction between facts of two clauses; `words` are those of the older one."""
    for new in newer:
        for old in older:
            if not _are_comparable(new, old):
                continue
            kind = _kind(new, old)
            if kind is not None:
                return _made(kind, new, old, words=words)
    return None


def _are_comparable(new: Fact, old: Fact) -> bool:
    if new.relation == "any":
        # What was replaced may have been what one uses, where one works or what something is.
        is_mine = old.subject == new.subject or old.subject.startswith(("my ", "our "))
        return is_mine and old.holds and old.said == new.said
    granted, other = (new, old) if new.granted else (old, new)
    if granted.granted and (other.holds or other.ended or other.said != granted.said):
        return False
    return new.subject == old.subject and new.relation == old.relation and (old.holds or new.holds)


def _kind(new: Fact, old: Fact) -> Kind | None:
    if new.holds != old.holds:
        held, denied = (new, old) if new.holds else (old, new)
        if not _is_denied_of(denied, held):
            return None
        return Kind.BOUNDED if new.ended or old.ended else Kind.POLARITY
    related = not new.said or bool(old.said) and (new.said <= old.said or old.said <= new.said)
    different = bool(new.said) and bool(old.said) and not related
    if new.relation == "when":
        is_moved = different and not _is_in_turn(new) and not _seasons_differ(new, old)
        return Kind.VALUE if is_moved and _times(new) & _times(old) else None
    if _are_of_other_times(new, old) or (new.relation == "place" and (_times(new) or _times(old))):
        return None
    if _counts_differ(new, old):
        return Kind.VALUE
    return _replaced(new, old) if different else None


def _replaced(new: Fact, old: Fact) -> Kind | None:
    """Return how one object of a relation takes another's place, None where both may hold."""
    if new.relation not in SINGLE and not (new.relation == "place" and new.changing):
        return None
    if new.relation in ("home", "place") and not new.changing and _is_wider(new) != _is_wider(old):
        # Who lives in Lisbon lives in Portugal; who can tell of other towns?
        return Kind.UNSURE
    return Kind.VALUE if new.relation == "age" else Kind.REPLACEMENT


def _is_wider(fact: Fact) -> bool:
    return not COUNTRIES.isdisjoint(word.text for word in fact.object)


def _is_denied_of(denied: Fact, held: Fact) -> bool:
    """Return whether what is denied takes in what holds: who likes no green olives may like olives."""
    if denied.said and denied.said <= POINTING:
        return False
    if denied.ended and all(_is_time(word.text) for word in denied.object):
        return True
    beyond = [word.text for word in denied.object if stem(word.text) not in held.said]
    return all(map(_is_time, beyond)) and (not denied.said or not held.said or bool(denied.said & held.said))


def _is_time(word: str) -> bool:
    """Return whether a word only says when: who quit smoking in March smokes nothing."""
    return word in WHILE | FILLERS or class_of(word) in ("number", "month")


def _are_of_other_times(new: Fact, old: Fact) -> bool:
    """Return whether each fact holds at a time that comes again, and the times differ."""
    times = [{word.text for word in fact.object if _comes_again(word.text)} for fact in (new, old)]
    return bool(times[0]) and bool(times[1]) and not times[0] & times[1]


def _is_in_turn(fact: Fact) -> bool:
    return len(fact.object) > 1 and fact.object[0].text in IN_TURN


def _comes_again(word: str) -> bool:
    return word in SEASONS or class_of(word) == "day"


def _seasons_differ(new: Fact, old: Fact) -> bool:
    """Return whether one fact holds at a time that comes again, and the other at another or at any."""
    seasons = [
        {word.text for word in fact.object if _comes_again_and_again(word.text)} for fact in (new, old)
    ]
    return seasons[0] != seasons[1]


def _comes_again_and_again(word: str) -> bool:
    return word in SEASONS or (class_of(word) == "day" and word.endswith("s"))


def _times(fact: Fact) -> frozenset[str]:
    """Return which kinds of time a fact names: a time of day, a day of the week, a date."""
    found: set[str] = set()
    for before, word in zip((None, *fact.object), fact.object, strict=False):
        kind = class_of(word.text)
        if kind in ("day", "month"):
            found.add("day" if kind == "day" else "date")
        elif kind == "number" and (
            before is None or class_of(before.text) == "month" or before.text in BEFORE_TIME
        ):
            found.add("date" if _DATE.match(word.text) else "clock")
    return frozenset(found)


_DATE = re.compile(r"\d{1,4}(?:st|nd|rd|th)$|(?:19|20)\d\d$|\d+[./-]\d+")


def _counts_differ(new: Fact, old: Fact) -> bool:
    """Return whether both count the same things and not the same number, or name two versions."""
    counts = [_counted(fact) for fact in (new, old)]
    return any(counts[0][one] != counts[1][one] for one in counts[0].keys() & counts[1].keys())


def _counted(fact: Fact) -> dict[str, str]:
    """Return how many of what a fact tells, and which version of what it names where something is used."""
    found: dict[str, str] = {}
    words = [word for word in fact.object if word.text not in FILLERS]
    for at, (before, after) in enumerate(pairwise(words)):
        is_count = at == 0 or words[at - 1].text not in PLACES
        if (
            class_of(before.text) == "number"
            and fact.relation == "have"
            and is_count
            and after.text not in PLACES
        ):
            found[stem(after.text)] = before.text
        if class_of(after.text) == "number" and before.is_name and fact.relation == "use":
            found[before.text] = after.text
    return found


def _made(kind: Kind, new: Fact, old: Fact, *, words: Sequence[Word]) -> Contradiction:
    start, end = old.clause
    first = old.object[0].start if old.object else end
    last = old.object[-1].end if old.object else end
    behind = [word for word in words if word.start >= last]
    if behind and behind[0].text in {word.text for word in new.object[1:]}:
        # `engineer at Acme` gives way to `manager at Acme` as a whole, and is at no place twice.
        last = behind[-1].end
    instead = " ".join(shown(word) for word in new.object) if kind in (Kind.REPLACEMENT, Kind.VALUE) else ""
    return Contradiction(kind, start, end, first, last, instead)


def shown(word: Word) -> str:
    """Return a word as it is written into another statement: a name begins large."""
    return word.text.capitalize() if word.is_name else word.text
