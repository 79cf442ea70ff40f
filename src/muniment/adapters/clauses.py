"""Which clauses of a text assert something in their speaker's own voice?

The extractor reads only what this file lets through.  It would rather miss a fact than
make one up, so a doubt about a sentence drops the whole sentence.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A longer sentence is passed over: it is a list, a log or code, and every pattern that
# runs on a sentence stays cheap.
SENTENCE_CHARACTERS_MAX = 400

# Words that take a sentence out of the speaker's own, present, certain voice.  One of them
# anywhere in the sentence is enough.
_DOUBT = re.compile(
    r"\b(?:"
    # conditions, wishes, guesses
    r"if|unless|whether|suppos(?:e|ed|ing)|imagin(?:e|ed|ing)|assum(?:e|ed|ing)|in case|would|could|"
    r"should|might|may|maybe|perhaps|probably|possibly|wish|hope|hypothetical(?:ly)?|pretend(?:ing)?|"
    r"guess|i think|we think|not sure|unsure|almost|nearly|used to|going to|"
    # the words of others, and stories
    r"says?|said|saying|tells?|told|claim(?:s|ed)?|wrote|writes|written|reads|asked|asks|replied|"
    r"answered|thinks|thought|believes?|believed|heard|reportedly|allegedly|according to|rumou?r|"
    r"quote[sd]?|quoting|lyrics?|song|novel|story|poem|film|movie|dream(?:s|ed|t|ing)?|"
    r"character|persona|role-?play|game|scenario|example|e\.g|translat\w+|phrase|sentence|"
    # German, French, Spanish
    r"wenn|falls|ob|vielleicht|würde|hätte|wäre|könnte|sagt|sagte|meint|meinte|angeblich|träum\w*|"
    r"si|peut-être|dit|disait|selon|rêve|quizás?|tal vez|dice|dijo|según|sueño|ojalá"
    r")\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:not|never|no longer|no more|any ?more|neither|nor|nobody|hardly|"
    r"nicht|kein\w*|nie|niemals|pas|jamais|plus|nunca|jamás|ya no)\b|n['’]t\b",
    re.IGNORECASE,
)

# What may stand before a statement without changing it.
_LEAD = re.compile(
    r"(?:[-*•+]|\d{1,3}[.)]|\[[ xX]\]"
    r"|(?:correction|update|note|fyi|ps|p\.s|also|and|so|but|plus|btw|by the way|actually|anyway|well|ok|okay|"
    r"yes|yeah|yep|no|nope|sorry|oh|hi|hello|hey|thanks|thank you|please|right|sure|good morning|"
    r"(?:hi|hello|hey|thanks|morning),? [^\W\d_]{1,20}|"
    r"just so you know|for the record|for your information|as you know|to be clear|in fact|"
    r"today|yesterday|these days|now|since then|und|also|ja|nein|übrigens|oui|non|sí|no)"
    r"\s?[,:;.!–—-])\s*"
    r"|(?:and|so|but|also|actually|well|ok|okay|und|et|y|please|bitte|oh|by the way|btw)\s+",
    re.IGNORECASE,
)
_LEADS_MAX = 4

# The points at which one clause ends and the next may stand alone.
_SPLIT = re.compile(
    r"\s*;\s+|\s+[–—]+\s+|\s+-\s+"
    r"|,?\s+(?:and|but|so|und|aber|et|mais|y|pero)\s+(?=(?:i|i['’]m|my|we|the|ich|mein|meine|j['’]|je|mon|ma|mi)\b)"
    r"|,\s+(?=(?:i|i['’]m|my|we|not|ich|nicht|je|j['’]|pas)\b)",
    re.IGNORECASE,
)

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|dr|mr|mrs|ms|prof|st|vs|no|z\.b|bzw|sra?)|\b[A-Z])\Z", re.IGNORECASE
)
_STOP = re.compile(r"[.!?…](?=[\s\"'”’»)]|$)|[。！？]|\n")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_QUOTED_LINE = re.compile(r"[ \t]*>|[ \t]{4,}\S|\t")
_TAG_LINE = re.compile(r"[ \t]*<[A-Za-z!/?]")
_QUOTES = re.compile(
    r"\"[^\"\n]*(?:\"|$)|[“„][^”“\n]*(?:[”“]|$)|«[^»\n]*(?:»|$)|「[^」\n]*(?:」|$)"
    r"|(?<![\w])['‘‚][^'’‘\n]*(?:['’‘](?!\w)|$)",
    re.MULTILINE,
)

# A line that ends in a colon introduces what others wrote, unless it announces the speaker's own notes.
_OWN_NOTES = re.compile(
    r"\b(?:about me|to remember|remember|notes?|facts?|fyi|updates?|decisions?|decided|corrections?|my)\b[^\n]*:\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """Hold a clause, where it starts in the text, and which of its parts are quoted."""

    text: str
    start: int
    quotes: tuple[tuple[int, int], ...] = ()

    def quoted(self, start: int, end: int) -> bool:
        """Return whether a part of the clause touches a quotation."""
        return any(start < stop and begin < end for begin, stop in self.quotes)


def clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses that assert something, in order, without what leads up to them."""
    for start, line in _own_lines(text):
        quotes = tuple(found.span() for found in _QUOTES.finditer(line))
        for begin, end in _sentences(line, quotes):
            if not _doubtful(line, begin, end):
                yield from _parts(line, (begin, end), quotes, offset=start)


def _own_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines that are neither code nor quoted, until something foreign is introduced."""
    at, fence = 0, False
    for row in text.splitlines(keepends=True):
        line = row.rstrip()
        start, at = at, at + len(row)
        if _FENCE.match(line):
            fence = not fence
        elif fence or _QUOTED_LINE.match(line):
            continue
        elif _TAG_LINE.match(line) or (line.endswith(":") and not _OWN_NOTES.search(line)):
            return
        elif line:
            yield start, line


def _sentences(line: str, quotes: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences with their marks; a mark within quotes ends none."""
    begin = 0
    for found in _STOP.finditer(line):
        inside = any(start < found.start() < stop - 1 for start, stop in quotes)
        tail = line[max(begin, found.start() - 5) : found.start()]
        if inside or (found[0] == "." and _ABBREVIATION.search(tail)):
            continue
        yield begin, found.end()
        begin = found.end()
    if begin < len(line):
        yield begin, len(line)


def _doubtful(line: str, begin: int, end: int) -> bool:
    sentence = line[begin:end]
    if len(sentence) > SENTENCE_CHARACTERS_MAX or "?" in line[begin : end + 2] or "？" in sentence:
        return True
    return _DOUBT.search(sentence) is not None


def _parts(
    line: str, span: tuple[int, int], quotes: tuple[tuple[int, int], ...], *, offset: int
) -> Iterator[Clause]:
    begin, end = span
    for start, stop in _split(line, begin, end):
        start = _after_leads(line, start, stop)
        part = line[start:stop].rstrip(" \t.!。！…,;")
        if part and not _DENIAL.search(part):
            near = tuple((a - start, b - start) for a, b in quotes if a < stop and start < b)
            yield Clause(part, offset + start, near)


def _split(line: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _SPLIT.finditer(line, begin, end):
        yield begin, found.start()
        begin = found.end()
    yield begin, end


def _after_leads(line: str, start: int, stop: int) -> int:
    for _ in range(_LEADS_MAX):
        start += len(line[start:stop]) - len(line[start:stop].lstrip())
        found = _LEAD.match(line, start, stop)
        if found is None:
            break
        start = found.end()
    return start
