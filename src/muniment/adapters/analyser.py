"""Which terms does a text hold, and which does a question ask for?

One analyser serves every store: engines index the terms it gives and never see text, so a script, an
identifier or a stray operator means the same everywhere. A term is folded (compatibility forms, case,
accents, vowel points) and is one of:

- the English stem of a word of ASCII letters, or the folded word in any other spaced script;
- an identifier, whole and in its parts: `a/b/c.py`, `snake_case`, `camelCase`, `1.2.3`, an address;
- one character and each pair of neighbours in Chinese, Japanese and Korean;
- each pair and triple of neighbours in Thai, Lao, Khmer, Myanmar and other unspaced scripts;
- a symbol outside ASCII, such as an emoji without its variation and skin tone.

Terms hold no white space, no upper-case ASCII and no ASCII punctuation but `. - / : @ # + & _`.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Protocol

import Stemmer

from muniment.adapters import analyser_tables as tables
from muniment.adapters.analyser_runs import (
    AFTER_A_WORD,
    REMEMBERED_CHARACTERS_MAX,
    TERM_CODE_POINTS_MAX,
    TERMS_A_TEXT_MAX,
    Gathering,
    Indexed,
    Remembered,
    Run,
    is_plain,
)
from muniment.domain import unicode_tables
from muniment.domain.canonical import code_points
from muniment.later import Later

if TYPE_CHECKING:
    import regex
else:
    # Only a text beyond ASCII needs it.
    regex = Later("regex")

# Raise when code here changes what is indexed; tables and stemmer speak for themselves.
_RULES = "a1"

# A text longer than this is walked run by run, so that the walk can stop at the last term.
_WHOLE_CHARACTERS_MAX = 32_768

# Text without white space for this long holds more terms than are kept, or is no text.
_RUN_CHARACTERS_MAX = 100_000

_RUN = re.compile(r"\S+")
_ASCII_TOKEN = re.compile(tables.ASCII_TOKEN)
_SEGMENT_GLUE = re.compile(r"[/:@#+&]+")
_GLUE = re.compile(r"[/:@#+&.\-_]+")
_HAS_STRUCTURE = re.compile(r"[.\-'/:@#+&_0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]")
_PLURAL_OF_CAPITALS = re.compile(r"[A-Z]{2,}s")
_CLITIC = re.compile(r"'(?:s|d|m|ll|re|ve)$", re.IGNORECASE)
_CAMEL_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WORD_AND_NUMBER = re.compile(r"([a-z]{2,})([0-9]+)|([0-9]+)([a-z]{2,})")
_VERSION = re.compile(r"v?([0-9]+\.[0-9]+)((?:\.[0-9]+)*)")
_CAMEL_CHARACTERS_MAX = 40
_JOINED_PARTS_MAX = 3


class _Stems(Protocol):
    def stemWord(self, word: str) -> str: ...


class Analyser:
    """Turn texts and questions into terms; the same input always gives the same terms.

    Safe to share between threads. `version` is stamped beside what was indexed: two analysers whose
    versions differ must not write to one index. It does not name the Unicode version, as a newer one
    only gives meaning to characters that had none.
    """

    version: str

    def __init__(self) -> None:
        # The stemmer's own cache is off: runs are remembered whole.
        self._stemmer: _Stems = Stemmer.Stemmer("english", 0)
        self._remembered = Remembered(self._analysed)
        self._indexed = Indexed(self._remembered.__getitem__, self._stemmer.stemWord)
        rules = (Stemmer.version(), tables.ASCII_TOKEN, tables.TOKEN, tables.OPTIONAL_MARKS)
        letters = (sorted(tables.STOP_WORDS), sorted(tables.LETTERS.items()))
        digest = hashlib.blake2b(repr((rules, letters)).encode(), digest_size=6).hexdigest()
        self.version = f"{_RULES}:{digest}"

    def indexed(self, text: str) -> str:
        """Return what to index, with a space between terms: what `terms` gives in one text."""
        if len(text) <= _WHOLE_CHARACTERS_MAX:
            found = " ".join(filter(None, map(self._indexed.__getitem__, text.split())))
            # In scripts without spaces a character gives two terms.
            if len(found) < TERMS_A_TEXT_MAX or found.count(" ") < TERMS_A_TEXT_MAX:
                return found
            return " ".join(found.split(" ", TERMS_A_TEXT_MAX)[:TERMS_A_TEXT_MAX])
        terms: list[str] = []
        for match in _RUN.finditer(text):
            terms += self._remembered[match[0]].indexed
            if len(terms) >= TERMS_A_TEXT_MAX:
                break
        return " ".join(terms[:TERMS_A_TEXT_MAX])

    def terms(self, text: str) -> tuple[str, ...]:
        """Return what to index, in text order and with repeats: at most `TERMS_A_TEXT_MAX` terms."""
        found = self.indexed(text)
        return tuple(found.split(" ")) if found else ()

    def question(self, text: str) -> tuple[str, ...]:
        """Return the distinct terms to look for, in text order: at most `TERMS_A_TEXT_MAX`.

        Stop words are left out unless nothing else remains. Nothing in a question is an operator.
        """
        runs: list[Run] = []
        for run in _runs(text):
            runs.append(self._remembered[run])
            if len(runs) >= TERMS_A_TEXT_MAX:
                break
        telling = dict.fromkeys(term for run in runs for term in run.telling)
        asked = telling or dict.fromkeys(term for run in runs for term in run.asked)
        return tuple(asked)[:TERMS_A_TEXT_MAX]

    def words(self, text: str) -> tuple[str, ...]:
        """Return the folded words in order, unstemmed: for phrases and names.

        An identifier gives its parts; a script without spaces its characters. At most
        `TERMS_A_TEXT_MAX` words of at most `TERM_CODE_POINTS_MAX` code points.
        """
        found: list[str] = []
        for run in _runs(text):
            found += self._remembered[run].words
            if len(found) >= TERMS_A_TEXT_MAX:
                break
        return tuple(found[:TERMS_A_TEXT_MAX])

    def _analysed(self, run: str) -> Run:
        word = run.rstrip(AFTER_A_WORD)
        # Most runs are one plain word: for them the patterns say nothing new.
        if len(run) <= REMEMBERED_CHARACTERS_MAX and word.isascii() and word.isalpha() and is_plain(word):
            lower = word.lower()
            # `Years,` shares what `years` gives: a second spelling takes little room.
            return self._plain_word(run) if lower == run else self._remembered[lower]
        return self._walked(run)

    def _plain_word(self, word: str) -> Run:
        indexed = (self._stemmer.stemWord(word),)
        return Run(indexed, indexed, () if word in tables.STOP_WORDS else indexed, (word,))

    def _walked(self, run: str) -> Run:
        """Return what a run of any kind gives, token by token."""
        gathering = Gathering()
        for kind, token in _tokens(run[:_RUN_CHARACTERS_MAX]):
            if kind == "chunk":
                self._chunk(token, gathering)
            elif kind == "number":
                _number(token, gathering)
            else:
                _GRAMS[kind](token, gathering)
            if gathering.is_full():
                break
        return gathering.run()

    def _chunk(self, chunk: str, gathering: Gathering) -> None:
        """Gather a word, or an identifier whole and in parts."""
        if "'" in chunk:
            chunk = self._without_apostrophes(chunk, gathering)
        if _PLURAL_OF_CAPITALS.fullmatch(chunk):
            gathering.add([_folded(chunk[:-1])])
            self._word(_folded(chunk), gathering)
        elif not _HAS_STRUCTURE.search(chunk):
            self._word(_folded(chunk), gathering)
        elif chunk.strip("_"):
            self._identifier(chunk, gathering)

    def _without_apostrophes(self, chunk: str, gathering: Gathering) -> str:
        """Return `dont` for `don't`, `Ria` for `Ria's`, `we` for `we'll`; add the noun of `l'ordinateur`."""
        chunk = _CLITIC.sub("", chunk)
        for elided in chunk.split("'")[1:]:
            if len(elided) >= 3 and elided.isalpha():
                gathering.add([self._stem(_folded(elided))])
        return chunk.replace("'", "")

    def _word(self, word: str, gathering: Gathering) -> None:
        gathering.put(self._stem(word), stop=word in tables.STOP_WORDS)
        gathering.words.append(word[:TERM_CODE_POINTS_MAX])

    def _identifier(self, chunk: str, gathering: Gathering) -> None:
        """Gather the whole, its segments (`example.com` of an address) and its parts, each once."""
        core = chunk.strip(".#+")
        whole = _folded(chunk if len(core) > 1 or chunk[0] not in ".#" else core)
        seen = {whole}
        gathering.put(whole)
        for term in self._longer_parts(core):
            if term not in seen:
                seen.add(term)
                gathering.put(term)
        is_number = not _has_letter(core)
        for part in _parts(core):
            folded = _folded(part)
            gathering.words.append(folded[:TERM_CODE_POINTS_MAX])
            term = self._stem(folded)
            if term not in seen and not (is_number and len(folded) < 2):
                seen.add(term)
                gathering.put(term, stop=folded in tables.STOP_WORDS)
            if gathering.is_full():
                return

    def _longer_parts(self, core: str) -> Iterator[str]:
        """Yield what lies between the whole and its smallest parts."""
        folded = _folded(core)
        yield folded
        yield self._stem(folded)
        if "." in folded and (version := _VERSION.fullmatch(folded)):
            yield version[1] + version[2]
            yield version[1]
        if _SEGMENT_GLUE.search(core):
            for segment in _SEGMENT_GLUE.split(core):
                yield _folded(segment)
        if 0 < core.count("-") < _JOINED_PARTS_MAX and (joined := core.replace("-", "")).isalnum():
            yield self._stem(_folded(joined))
        if folded.replace("_", "").isdigit():
            yield folded.replace("_", "")

    def _stem(self, word: str) -> str:
        """Return the English stem of a word of ASCII letters, any other word as it is."""
        if word.isascii() and word.isalpha() and len(word) <= TERM_CODE_POINTS_MAX:
            return self._stemmer.stemWord(word)
        return word


def _has_letter(text: str) -> bool:
    if text.isascii():
        return text.lower() != text.upper()
    return any(char.isalpha() for char in text)


def _runs(text: str) -> Iterable[str]:
    if len(text) <= _WHOLE_CHARACTERS_MAX:
        return text.split()
    return (match[0] for match in _RUN.finditer(text))


def _tokens(run: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and text of each token of a run, case kept."""
    if run.isascii():
        matches: Iterator[re.Match[str]] = _ASCII_TOKEN.finditer(run)
    else:
        matches = _token_pattern().finditer(_without_marks(run))
    for match in matches:
        kind = match.lastgroup or "chunk"
        yield kind, match[0]


def _without_marks(text: str) -> str:
    """Return the text in compatibility form, without invisibles, optional marks and odd letters."""
    decomposed = unicodedata.normalize("NFKD", text).translate(_invisible())
    bare: str = _optional_marks().sub("", decomposed)
    return unicodedata.normalize("NFKC", bare.translate(tables.LETTERS))


def _folded(word: str) -> str:
    """Return the word without case; folding can bring marks back (Turkish İ), so they go again."""
    if word.isascii():
        return word.lower()
    return _without_marks(word.casefold())


def _parts(core: str) -> Iterator[str]:
    """Yield the smallest parts of an identifier."""
    for part in _GLUE.split(core):
        if not part:
            continue
        one_case = part.islower() or part.isupper()
        is_whole = part.isdigit() or len(part) > _CAMEL_CHARACTERS_MAX or not part.isascii()
        if is_whole or (one_case and part.isalpha()):
            yield part
        elif one_case:
            word_and_number = _WORD_AND_NUMBER.fullmatch(part.lower())
            yield from filter(None, word_and_number.groups()) if word_and_number else (part,)
        else:
            yield from _CAMEL_PARTS.findall(part)


def _number(number: str, gathering: Gathering) -> None:
    """Gather a number without its thousands separators."""
    plain = number.replace(",", "")
    gathering.add([plain])
    gathering.words.append(plain[:TERM_CODE_POINTS_MAX])


def _symbol(symbol: str, gathering: Gathering) -> None:
    """Gather a symbol once, however often it is repeated; a flag is two characters."""
    one = (
        symbol[:1] if symbol[:1] == symbol[-1:] and not "\U0001f1e6" <= symbol[0] <= "\U0001f1ff" else symbol
    )
    gathering.add([one])
    gathering.words.append(one)


def _dense(run: str, gathering: Gathering) -> None:
    """Gather characters and pairs; ask for pairs where there are any."""
    run = run[:TERMS_A_TEXT_MAX]
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    for at, char in enumerate(run):
        gathering.add([char, *pairs[at : at + 1]], ask=False)
    gathering.ask(pairs or run)
    gathering.words += run


def _unspaced(run: str, gathering: Gathering) -> None:
    """Gather pairs and triples; ask for triples where there are any."""
    run = run[:TERMS_A_TEXT_MAX]
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    triples = [run[at : at + 3] for at in range(len(run) - 2)]
    for at in range(len(pairs)):
        gathering.add([pairs[at], *triples[at : at + 1]], ask=False)
    if not pairs:
        gathering.add(run, ask=False)
    gathering.ask(triples or pairs or run)
    gathering.words += run


_GRAMS = {"dense": _dense, "unspaced": _unspaced, "symbol": _symbol}


@cache
def _token_pattern() -> "regex.Pattern[str]":
    return regex.compile(tables.TOKEN, regex.V1)


@cache
def _optional_marks() -> "regex.Pattern[str]":
    return regex.compile(tables.OPTIONAL_MARKS, regex.V1)


@cache
def _invisible() -> dict[int, None]:
    return dict.fromkeys(code_points(unicode_tables.INVISIBLE))
