"""What does one run of characters between white space give, and which runs are remembered?"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from muniment import limits

Held = TypeVar("Held")

TERM_CODE_POINTS_MAX = 64
TERMS_A_TEXT_MAX = 20_000

# Runs repeat, so what they hold is remembered, up to `limits.vocabulary_cache_words_max` terms.
# Long ones and those with a digit, which are mostly somebody's number, do not: they would only
# push the others out.
REMEMBERED_CHARACTERS_MAX = 32

# What may stand behind a word without becoming part of a term.
AFTER_A_WORD = ".,;:!?"

# A name with a number, as tickets and orders have: the commonest identifier, and never one that comes
# often.  What it gives is what the analyser's own walk would find.
_NUMBERED = re.compile(r"(?:[a-z]{2,}|[A-Z]{2,})-[0-9]{2,}").fullmatch

_DIGIT = re.compile(r"[0-9]")


def is_plain(word: str) -> bool:
    """Return whether a word of letters is in small ones, but for its first."""
    return word.islower() or word.istitle()


class Run(NamedTuple):
    """What one run of characters between white space gives."""

    indexed: tuple[str, ...]
    asked: tuple[str, ...]
    telling: tuple[str, ...]  # asked, without stop words
    words: tuple[str, ...]


class Gathering:
    """Collects what the tokens of one run give, in order."""

    __slots__ = ("asked", "indexed", "telling", "words")

    def __init__(self) -> None:
        self.indexed: list[str] = []
        self.asked: list[str] = []
        self.telling: list[str] = []
        self.words: list[str] = []

    def add(self, terms: Iterable[str], *, ask: bool = True, stop: bool = False) -> None:
        """Take terms that are indexed and, unless told otherwise, asked for; a stop word tells nothing."""
        cut = [term[:TERM_CODE_POINTS_MAX] for term in terms if term]
        self.indexed += cut
        if ask:
            self.asked += cut
            if not stop:
                self.telling += cut

    def put(self, term: str, *, stop: bool = False) -> None:
        """Take one term that is indexed and asked for."""
        if not term:
            return
        cut = term[:TERM_CODE_POINTS_MAX]
        self.indexed.append(cut)
        self.asked.append(cut)
        if not stop:
            self.telling.append(cut)

    def ask(self, terms: Iterable[str]) -> None:
        """Take terms that are only asked for."""
        asked = list(terms)
        self.asked += asked
        self.telling += asked

    def is_full(self) -> bool:
        """Return whether a text holds no more terms than these."""
        return len(self.indexed) >= TERMS_A_TEXT_MAX

    def run(self) -> Run:
        """Return what was gathered."""
        return Run(tuple(self.indexed), tuple(self.asked), tuple(self.telling), tuple(self.words))


class _Bounded(dict[str, Held]):
    """What the runs met so far give, up to a bound of terms; a full memory is emptied."""

    def __init__(self) -> None:
        super().__init__()
        self._terms = 0

    def keep(self, run: str, found: Held, *, terms: int) -> None:
        """Remember what a run gives, unless it will hardly come again."""
        if len(run) > REMEMBERED_CHARACTERS_MAX or _DIGIT.search(run):
            return
        self.hold(run, found, terms=max(1, terms))

    def hold(self, run: str, found: Held, *, terms: int) -> None:
        """Remember a run that is short and holds no digit."""
        # Threads that count at once may lose a count, which moves the bound a little.
        self._terms += terms
        if self._terms > limits.vocabulary_cache_words_max:
            self.clear()
            self._terms = terms
        self[run] = found


class Indexed(_Bounded[str]):
    """What is indexed of the runs met so far: its terms, with a space between them.

    Taking a text in asks for nothing else, and most runs are one plain word in small letters.  What
    is remembered lies all over the memory, so that it is the fewer values the better: a word
    that is its own stem is kept once.
    """

    def __init__(self, analyse: Callable[[str], Run], stem: Callable[[str], str]) -> None:
        super().__init__()
        self._analyse = analyse
        self._stem = stem

    def __missing__(self, run: str) -> str:
        if len(run) <= REMEMBERED_CHARACTERS_MAX and run.isascii():
            word = run if run.isalpha() else run.rstrip(AFTER_A_WORD)
            if word.isalpha() and is_plain(word):
                lower = word.lower()
                # `Years,` shares what `years` gives: a second spelling takes little room.
                found = self.get(lower) or self._stem(lower)
                if found == run:
                    found = run
                self.hold(run, found, terms=1)
                return found
            if _NUMBERED(word):
                letters, number = word.lower().split("-")
                return f"{letters}-{number} {letters}{number} {self._stem(letters)} {number}"
        terms = self._analyse(run).indexed
        found = " ".join(terms)
        self.keep(run, found, terms=len(terms))
        return found


class Remembered(_Bounded[Run]):
    """Everything about the runs met so far; one not met yet is analysed when it is asked for."""

    def __init__(self, analyse: Callable[[str], Run]) -> None:
        super().__init__()
        self._analyse = analyse

    def __missing__(self, run: str) -> Run:
        found = self._analyse(run)
        self.keep(run, found, terms=len(found.indexed))
        return found
