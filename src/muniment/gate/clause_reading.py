"""Into which clauses does a text fall, and what does each say?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from muniment.gate.clause_facts import Fact, facts_of
from muniment.gate.clause_rewriting import in_one_way
from muniment.gate.clause_words import Word, is_denied, is_event, plain, stem, words_of
from muniment.gate.contradiction_tables import HEDGES, NOT_FOR_THAT
from muniment.gate.relation_tables import LEADING, VERB


@dataclass(frozen=True, slots=True)
class Ended:
    """Hold of whom a clause says that something is not done, what that is, and whether it was done before.

    `is_whole` says that it is denied whatever stands behind it, as for who cannot swim.
    """

    subject: list[str]
    done: list[Word]
    is_end: bool
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """Hold where a clause stands in its text, its words and the facts that it says.

    `carried` are the words that carry the statement and `stems` these without endings, `subject` the
    words before a known verb without articles, `ended` what it says is not done.
    """

    span: tuple[int, int]
    words: list[Word]
    facts: tuple[Fact, ...]
    denied: bool
    carried: list[Word]
    stems: list[str]
    is_event: bool
    subject: list[str]
    ended: Ended | None

    @classmethod
    def of(cls, span: tuple[int, int], words: list[Word]) -> "Clause":
        """Return a clause of these words."""
        carried = plain(words)
        stems = [stem(word.text) for word in carried]
        facts = tuple(facts_of(words, span))
        return cls(
            span,
            words,
            facts,
            is_denied(words),
            carried,
            stems,
            is_event(carried),
            _bare_subject(words),
            _ended(words),
        )


_SENTENCE = re.compile(
    r"(?<=[.!?;])(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bProf\.)\s+|\n+"
)
_JOINT = re.compile(
    r"\s*,?\s+(?:and|but|while|though)\s+|\s*;\s*|,\s+(?=(?:i|he|she|we|they|my|our|it|the|so)\b)"
    rf"|,\s+(?=(?:{LEADING}|(?:do|does|can)n['’]t|no longer|never|not|instead of)\b)"
    rf"|,\s+(?=(?-i:[A-Z])[\w’'-]+ (?:{LEADING}|\w+ed|took|went|left|became)\b)",
    re.IGNORECASE,
)
_LEADS = re.compile(
    rf"(?:now |also |still |then )?(?:(?:no longer|not|never) )?(?:{LEADING})\b"
    r"|\w+ed (?:in|on|at|to|by|with|from)\b"
)
_ADJUNCT = re.compile(
    r"\s*(?:after|since|because of|due to|as of|following|from|thanks to|with) [^,.;]{1,60},\s+",
    re.IGNORECASE,
)
_COPULA = frozenset({"am", "is", "are", "was", "were"})
_WORDS_MAX = 40
_SENTENCES_MAX, _CLAUSES_MAX = 8, 6
_SUBJECT_WORDS_MAX = 5


@lru_cache(maxsize=256)
def read(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a text that say something; texts of one space are compared again and again.

    A clause without a subject of its own has that of the one before it: `is a nurse and plays the cello`.
    """
    found: list[Clause] = []
    for start, end in islice(_pieces(text, 0, len(text), split=_SENTENCE), _SENTENCES_MAX):
        adjunct = _ADJUNCT.match(text, start, end)
        begin = start if adjunct is None else adjunct.end()
        found += _of_sentence(text, list(islice(_pieces(text, begin, end, split=_JOINT), _CLAUSES_MAX)))
    return tuple(found)


def _of_sentence(text: str, spans: list[tuple[int, int]]) -> Iterator[Clause]:
    """Yield the clauses of one sentence that say something."""
    # A clause that is too long says nothing, and rewriting it would take its square.
    short = [span for span in spans if span[1] - span[0] <= _CHARACTERS_MAX]
    spoken = _with_names([words_of(text, span) if span in short else [] for span in spans])
    subject: list[Word] = []
    whole: list[tuple[tuple[int, int], list[Word], list[Word]]] = []
    for span, words in zip(spans, spoken, strict=True):
        is_led = bool(subject) and len(words) > 1 and _LEADS.match(" ".join(word.text for word in words))
        led = subject[: _reach(subject, words)] if is_led else []
        if not is_led:
            subject = _subject(words)
        whole.append((span, [*led, *words], led))
    for place, (span, words, led) in enumerate(whole):
        # What goes on without a subject keeps the one that stands here.
        keeps = whole[place + 1][2] if place + 1 < len(whole) and not led else []
        kept = (max(span[0], _end_of(keeps[-1], text)), span[1]) if keeps else span
        said = in_one_way(words)
        if _asserts(span, text, is_led=bool(led)) and 0 < len(said) <= _WORDS_MAX:
            yield Clause.of(kept, said)


def _end_of(word: Word, text: str) -> int:
    """Return where a word ends, before the verb that is written with it: `I'm` says `I` and `am`."""
    short = _SHORT_VERB.search(text, word.start, word.end)
    return word.end if short is None else short.start()


_SHORT_VERB = re.compile(r"['’](?:m|s|re|ve)\b")


def _with_names(spoken: list[list[Word]]) -> list[list[Word]]:
    """Return the clauses of a sentence with what `she` and `it` stand for, where that is sure."""
    named: list[list[Word]] = []
    someone: list[Word] = []
    thing: list[Word] = []
    for words in spoken:
        first = words[0].text if words else ""
        meant = someone if first in ("he", "she") else thing if first == "it" else []
        named.append([*meant, *words[1:]] if meant else words)
        subject = _subject(words)
        spoken_of = subject[:-1] if subject and subject[-1].text in _COPULA else subject
        # The first word of a sentence begins large whatever it is.
        rest = words if named[1:] else [*spoken_of[:1], *words[1:]]
        names = [word for word in rest if word.is_name and word.text not in _NO_NAMES | _PRONOUNS]
        if names:
            someone = names[:1] if len({word.text for word in names}) == 1 else []
        if spoken_of and spoken_of[0].text in _NO_NAMES:
            thing = spoken_of
    return named


_NO_NAMES = frozenset({"the", "my", "our", "his", "her", "their", "its", "this", "that", "a", "an"})


def _subject(words: list[Word]) -> list[Word]:
    """Return the words before a clause's verb, with a form of `be`; none where no verb is known."""
    for place, word in enumerate(words[: _SUBJECT_WORDS_MAX + 1]):
        if place and (VERB.fullmatch(word.text) or is_event([word])):
            return words[: place + (word.text in _COPULA)]
    is_someone = bool(words) and words[0].text in _PRONOUNS
    return words[:1] if is_someone else []


def _reach(subject: list[Word], words: list[Word]) -> int:
    """Return how many words of a subject go before a clause, `is` only before what has no verb."""
    has_copula = subject[-1].text in _COPULA
    return len(subject) - (has_copula and bool(VERB.fullmatch(words[0].text) or words[0].text in _ADVERBS))


_PRONOUNS = frozenset({"i", "he", "she", "we", "they", "it"})
_ADVERBS = frozenset({"now", "also", "still", "then", "no", "not", "never"})


def _pieces(text: str, begin: int, end: int, *, split: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    at = begin
    for found in split.finditer(text, begin, end):
        if text[at : found.start()].strip():
            yield at, found.start()
        at = found.end()
    if text[at:end].strip():
        yield at, end


def _asserts(clause: tuple[int, int], text: str, *, is_led: bool) -> bool:
    """Return whether a clause says that something is so: no question, wish, order or hearsay."""
    said = text[clause[0] : clause[1]].strip()
    if said.endswith("?") or NOT_FOR_THAT.match(text, clause[1]):
        return False
    # What goes on without a subject is no order: `I left Vim, don't use it`.
    return HEDGES.search(f"so {said}" if is_led else said) is None


_CHARACTERS_MAX = 400


def _bare_subject(words: list[Word]) -> list[str]:
    """Return the words before the verb, articles left out; none where no verb is known."""
    said = [word.text for word in words]
    verb = next((place for place, word in enumerate(said) if place and VERB.fullmatch(word)), 0)
    return [word for word in said[:verb] if word not in ("the", "an") and (word, verb) != ("a", 2)]


def _ended(words: list[Word]) -> Ended | None:
    said = " ".join(word.text for word in words)
    found = _ENDED.match(said)
    if found is None:
        return None
    is_end = found["n"] not in ("not", "never") or said.endswith(("anymore", "any more"))
    is_whole = is_end or said[: found.start("v")].endswith(" can not ")
    return Ended(found["s"].split(), words[len(said[: found.start("v")].split()) :], is_end, is_whole)


_ENDED = re.compile(
    r"(?P<s>(?:my |our |the )?[\w'’.-]+(?: [\w'’.-]+){0,2}?)(?: do| does| did| can| am| is| are)?"
    r" (?P<n>stopped|quit|no longer|not|never) (?P<v>.+)$"
)
