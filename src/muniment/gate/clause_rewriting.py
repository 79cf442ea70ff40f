"""In how few ways can a clause be said?  What is said in one of several ways is brought to one of them.

`The rent went up to 950` says `the rent is 950`, `we moved the review to May` says `the review moved to
may`, and who learned to swim can swim.  Every word keeps its place in the text.
"""

import re
from collections.abc import Iterator

from muniment.gate.clause_words import Word, class_of
from muniment.gate.rewriting_tables import IN_ONE_WAY, SPELLED, TAIL


def in_one_way(words: list[Word]) -> list[Word]:
    """Return a clause's words with other ways of saying brought to one, and a tail without news cut off."""
    words = [word if word.text not in SPELLED else word.spelled(SPELLED[word.text]) for word in words]
    for pattern, template in IN_ONE_WAY:
        said = " ".join(word.text for word in words)
        found = pattern.search(said)
        if found is not None:
            first, last = len(said[: found.start()].split()), len(said[: found.end()].split())
            parts = {name: _within(words, said, found.span(name)) for name in found.groupdict()}
            words = [*words[:first], *_filled(template, parts, words[first]), *words[last:]]
    said = " ".join(word.text for word in words).replace("no longer", "")
    return words if _IS_DENIED.search(said) else _without_tail(words)


_IS_DENIED = re.compile(r"\b(?:not|never|no|untrue)\b")


def _within(words: list[Word], said: str, span: tuple[int, int]) -> list[Word]:
    """Return the words of a stretch of the joined text; none for a group that took no part."""
    if span[0] < 0:
        return []
    first = len(said[: span[0]].split())
    return words[first : first + len(said[span[0] : span[1]].split())]


def _filled(template: str, parts: dict[str, list[Word]], at: Word) -> Iterator[Word]:
    """Yield the words of a template: those of its parts, and its own in the place of the first replaced."""
    for piece in template.split():
        if piece[0] == "{":
            name, _, ending = piece[1:].partition("}")
            *others, last = parts[name]
            yield from others
            yield last.spelled(last.text + ending) if ending else last
        else:
            yield at.spelled(piece)


def _without_tail(words: list[Word]) -> list[Word]:
    """Return the words without a reason behind them: `takes four minutes since the cache`."""
    said = " ".join(word.text for word in words)
    found = TAIL.search(said)
    if found is None:
        return words
    count = len(said[: found.start()].split())
    has_value = any(class_of(word.text) in ("number", "day", "month") for word in words[count:])
    return words if count < _WORDS_BEFORE_TAIL_MIN or has_value else words[:count]


_WORDS_BEFORE_TAIL_MIN = 3
