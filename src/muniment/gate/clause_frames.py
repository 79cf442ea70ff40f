"""Are two clauses the same but for one thing: a denial, a number, a date, a name or one of two opposites?"""

from itertools import product

from muniment.gate.clause_facts import shown
from muniment.gate.clause_reading import Clause
from muniment.gate.clause_words import Word, class_of, lemma, stem
from muniment.gate.contradiction_kinds import Contradiction, Kind
from muniment.gate.contradiction_tables import (
    AT_THE_TIME,
    ATTRIBUTES,
    BEHIND_A_NAME,
    CLASSES,
    FILLERS,
    NOW,
    ONE_OF_SEVERAL,
    PLACES,
    POINTING,
    SEASONS,
    SPOTS,
    STATES,
    WHILE,
)


def by_words(newer: Clause, older: Clause) -> Contradiction | None:
    """Compare statements that are the same but for one thing."""
    new, old = newer.carried, older.carried
    if len(new) < 2 or len(old) < 2:
        return None
    if newer.stems == older.stems:
        is_past = newer.is_event and [word.text for word in new] != [word.text for word in old]
        if newer.denied == older.denied or is_past or (newer.is_event and not _is_definite(newer.words)):
            return None
        return Contradiction(Kind.POLARITY, *older.span, old[0].start, old[-1].end)
    if newer.denied or older.denied or len(new) != len(old):
        return None
    if _is_turned(new, old):
        return Contradiction(Kind.VALUE, *older.span, old[1].start, old[-1].end)
    apart = [
        place for place, (one, two) in enumerate(zip(new, old, strict=True)) if not _same(one.text, two.text)
    ]
    if len(apart) != 1 or newer.is_event or len(new) < _FRAME_WORDS_MIN:
        return None
    said = " ".join(word.text for word in newer.words)
    is_time = class_of(new[apart[0]].text) in ("day", "month", "number") and apart[0] == len(new) - 1
    if is_time and (ONE_OF_SEVERAL.search(said) or AT_THE_TIME.search(said)):
        return None
    return _apart(new, old, apart[0], other=older.span)


def by_switch(newer: Clause, older: Clause) -> Contradiction | None:
    """Compare what was replaced with what was so: the club that switched from Tuesdays met on Tuesdays."""
    tells_of_it = any(fact.relation == "any" for fact in older.facts)
    for fact in newer.facts:
        if fact.relation != "any" or tells_of_it or older.denied or not fact.said - POINTING:
            continue
        subject = fact.subject.removeprefix("the ").split()
        is_of_it = [word.text for word in older.carried[: len(subject)]] == subject
        is_of_it = is_of_it or (fact.subject in ("i", "we") and older.words[0].text in _OURS)
        if is_of_it and fact.said <= set(older.stems):
            return Contradiction(Kind.BOUNDED, *older.span, older.words[0].start, older.words[-1].end)
    return None


_OURS = frozenset({"i", "we", "my", "our"})


def by_holder(newer: Clause, older: Clause) -> Contradiction | None:
    """Ask a person where two have what mostly one has: who leads the team now?"""
    new, old = newer.carried, older.carried
    if len(new) != len(old) or len(new) < _FRAME_WORDS_MIN or newer.denied or older.denied:
        return None
    same = newer.stems[1:] == older.stems[1:] and newer.stems[0] != older.stems[0]
    said = [word.text for word in newer.words]
    held = said[1] in _HELD_BY_ONE or said[1:3] == ["is", "the"]
    if not (same and held and new[0].is_name and old[0].is_name):
        return None
    return Contradiction(Kind.UNSURE, *older.span, old[0].start, old[0].end)


_HELD_BY_ONE = frozenset({"leads", "heads", "chairs", "manages", "runs", "owns"})


def _is_turned(new: list[Word], old: list[Word]) -> bool:
    """Return whether of the same two things the other one is preferred."""
    texts = [[word.text for word in words] for words in (new, old)]
    is_choice = any(word in ("prefer", "prefers") for word in texts[0]) and len(texts[0]) > _FRAME_WORDS_MIN
    return is_choice and texts[0] != texts[1] and sorted(texts[0]) == sorted(texts[1])


def _is_definite(words: list[Word]) -> bool:
    """Return whether something certain was done to one thing: `the outage was caused by DNS`."""
    return words[0].text in _CERTAIN and any(word.text in ("was", "were") for word in words)


_CERTAIN = frozenset({"the", "my", "our", "his", "her", "their", "this", "that"})


def by_ending(newer: Clause, older: Clause) -> Contradiction | None:
    """Compare what somebody does not do, or no longer, with what he does: who stopped running ran at six.

    And the other way round: who swims every day is not one who cannot swim.
    """
    found = _denied(newer, older)
    if found is None and _denied(older, newer):
        found = Kind.POLARITY
    whole = older.words
    return None if found is None else Contradiction(found, *older.span, whole[0].start, whole[-1].end)


def _denied(newer: Clause, older: Clause) -> Kind | None:
    """Return how one clause denies what another says, None where it does not."""
    ended = newer.ended
    if (
        ended is None
        or older.denied
        or [word.text for word in older.words[: len(ended.subject)]] != ended.subject
    ):
        return None
    held = [word for word in older.words[len(ended.subject) :] if word.text not in FILLERS | NOW | _AUXILIARY]
    done = [word for word in ended.done if word.text not in FILLERS | WHILE]
    if not held or not done or lemma(held[0].text) != lemma(done[0].text):
        return None
    beyond = {stem(word.text) for word in done[1:]}
    if not beyond <= {stem(word.text) for word in held[1:]} or not (beyond or ended.is_whole):
        return None
    return Kind.BOUNDED if ended.is_end else Kind.POLARITY


_AUXILIARY = frozenset({"do", "does", "did", "can"})


def by_frame(newer: Clause, older: Clause) -> Contradiction | None:
    """Compare statements of which one tells more: `the train leaves from platform 7`, and at 8:05 from 4."""
    new, old = newer.carried, older.carried
    if len(new) == len(old) or not newer.subject or newer.subject != older.subject:
        return None
    is_state = not (newer.denied or older.denied or newer.is_event or older.is_event)
    if not is_state or min(len(new), len(old)) < _FRAME_WORDS_MIN:
        return None
    extra = {word.text for word in new} ^ {word.text for word in old}
    if any(word in SEASONS or class_of(word) in ("day", "month") for word in extra):
        return None
    for at, place in product(range(1, len(new)), range(1, len(old))):
        one, two = new[at], old[place]
        if (
            _is_another(one, two)
            and new[at - 1].text not in ("at", "on", "by")
            and _same(new[at - 1].text, old[place - 1].text)
        ):
            fits = _runs_through(new[:at], old[:place]) and _runs_through(new[at + 1 :], old[place + 1 :])
            if fits and not _is_of_subject(new, at):
                return Contradiction(Kind.VALUE, *older.span, two.start, two.end, shown(one))
    return None


_FRAME_WORDS_MIN = 3
_FRAMED = frozenset({"number", "ordinal", "path", "frequency"})


def _is_another(one: Word, two: Word) -> bool:
    kind = class_of(one.text)
    return kind in _FRAMED and kind == class_of(two.text) and one.text != two.text


def _runs_through(one: list[Word], two: list[Word]) -> bool:
    """Return whether the words of the shorter stand in the longer, in that order."""
    shorter, longer = (one, two) if len(one) <= len(two) else (two, one)
    rest = iter(longer)
    return all(any(_same(word.text, other.text) for other in rest) for word in shorter)


def _same(one: str, two: str) -> bool:
    """Return whether two words are one, or one verb in two forms."""
    if one == two:
        return True
    return one.endswith(("s", "ing")) and two.endswith(("s", "ing")) and lemma(one) == lemma(two)


def _apart(new: list[Word], old: list[Word], place: int, *, other: tuple[int, int]) -> Contradiction | None:
    one, two = new[place], old[place]
    same_class = class_of(one.text) and class_of(one.text) == class_of(two.text)
    opposite = _are_opposite(one.text, two.text)
    before = new[place - 1].text if place else ""
    named = one.is_name and two.is_name and place > 0 and before in PLACES and _is_state(new)
    named = named and class_of(one.text) == class_of(two.text)
    placed = _is_placed(new, place) or _is_attribute(new, place)
    if not (same_class or opposite or named or placed or _is_preferred(new, place)) or _is_of_subject(
        new, place
    ):
        return None
    return Contradiction(Kind.VALUE, *other, two.start, two.end, shown(one))


def _is_placed(words: list[Word], place: int) -> bool:
    """Return whether a word says the one place, or the one means, of a thing: `is hosted on`, `is under`."""
    before = [word.text for word in words[:place]]
    if len(before) > 2 and before[-1] in SPOTS and before[-2] in NOW:
        return True
    is_done = len(before) > 3 and before[-3] in NOW and before[-2].endswith(("ed", "en", "held", "built"))
    return is_done and before[-1] in _OF_WHAT_IS_DONE


def _is_attribute(words: list[Word], place: int) -> bool:
    """Return whether a word is the value of something of which there is one: `the default branch is main`."""
    said = [word.text for word in words[:place]]
    if place != len(words) - 1 or said[-1:] != ["is"]:
        return False
    return not ATTRIBUTES.isdisjoint(said[:_HEAD_WORDS])


_HEAD_WORDS = 2


_OF_WHAT_IS_DONE = frozenset({"in", "on", "at", "by", "with", "from"})


def _is_preferred(words: list[Word], place: int) -> bool:
    """Return whether a word says which of several things of a kind is preferred: `the window seat`."""
    return words[place - 1].text in ("prefer", "prefers") and place + 1 < len(words)


def _are_opposite(one: str, two: str) -> bool:
    """Return whether two words are opposites: by the table, or by what stands before the same word."""
    if CLASSES.get(one, "").startswith("pair") and CLASSES.get(one) == CLASSES.get(two):
        return True
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    return len(shorter) > 3 and any(longer == prefix + shorter for prefix in _NOT_BEFORE)


_NOT_BEFORE = ("un", "in", "im", "dis", "non", "non-")


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
    return any(word.text in STATES or word.text in _GOING_ON for word in words)


_GOING_ON = frozenset(f"{lemma(state)}ing" for state in STATES)
