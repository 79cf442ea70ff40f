"""Does one free statement contradict another?  By rules alone: it would rather miss than make one up.

Clauses are compared by what they say of few known relations, word by word where they are the same
but for one thing, and by what somebody no longer does.
"""

import re
from typing import Protocol, runtime_checkable

from muniment.domain.model_use import Note
from muniment.gate.clause_facts import by_relation
from muniment.gate.clause_frames import by_ending, by_frame, by_holder, by_switch, by_words
from muniment.gate.clause_reading import read
from muniment.gate.contradiction_kinds import Contradiction, Kind
from muniment.gate.relation_tables import OTHER_WORDS

__all__ = [
    "Contradiction",
    "Contradicts",
    "Kind",
    "Metered",
    "clauses_left",
    "contradicts",
    "words_to_look_for",
]


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


def contradicts(new: str, old: str) -> Contradiction | None:
    """Return how `new` contradicts `old`, or None; the work is bounded by both texts' first clauses."""
    newer = read(new)
    for older in read(old) if newer else ():
        for clause in newer:
            found = (
                by_relation(clause.facts, older.facts, older.words)
                or by_words(clause, older)
                or by_ending(clause, older)
                or by_frame(clause, older)
                or by_switch(clause, older)
                or by_holder(clause, older)
            )
            if found is not None:
                return found
    return None


def words_to_look_for(text: str) -> str:
    """Return the words that a contradicted statement may hold in the place of this one's.

    Who moved to one town lived in another: the two share no word.
    """
    relations = {fact.relation for clause in read(text) for fact in clause.facts}
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
    if not after.strip(" ."):
        kept = _TRAILING.sub("", before) + after
    elif not before.strip():
        kept = _LEADING.sub("", after)
    elif before.rstrip()[-1] in ".!?;":
        kept = before.rstrip() + " " + _LEADING.sub("", after)
    elif _JOINED.search(before):
        # Of three clauses the middle one goes: what joined it to the first is left out.
        kept = _TRAILING.sub("", before) + after
    else:
        # The subject of the clause that goes is that of the next one, too.
        kept = before.rstrip() + " " + _LEADING.sub("", after)
    kept = kept.strip()
    return kept[:1].upper() + kept[1:]


_JOINED = re.compile(r"(?:,|\b(?:and|but|while|though))\s*$", re.IGNORECASE)
_TRAILING = re.compile(r"[\s,;]*(?:and|but|while|though)?\s*$", re.IGNORECASE)
_LEADING = re.compile(r"^[\s,;]*(?:and|but|while|though)?\s*", re.IGNORECASE)
