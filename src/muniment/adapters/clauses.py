"""Which clauses of a text assert something in their speaker's own voice?

The extractor reads only what this file lets through.  It would rather miss a fact than
make one up, so a doubt about a sentence drops the whole sentence.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

# A longer sentence is passed over: it is a list, a log or code, and every pattern that
# runs on a sentence stays cheap.
SENTENCE_CHARACTERS_MAX = 400

# Words that take a sentence out of the speaker's own, present, certain voice.  One of them
# anywhere in the sentence is enough.
_DOUBT = re.compile(
    r"\b(?:"
    # conditions, wishes, guesses
    r"if|unless|whether|suppos(?:e|ed|ing)|imagin(?:e|ed|ing)|assum(?:e|ed|ing)|in case|would|could|"
    r"should|might|(?:i|we|you|he|she|it|they|that|this|who|which) may|maybe|"
    r"perhaps|probably|possibly|wish|hope|hypothetical(?:ly)?|pretend(?:ing)?|"
    r"then (?:back )?to|moved to .{1,40} for (?:an?|one|two|three|some|\d+) (?:night|week|month|year)s?|"
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
    r"|(?:correction|update|note|fyi|ps|p\.s|also|and|so|but|plus|btw|by the way|actually|anyway|well|"
    r"ok|okay|"
    r"yes|yeah|yep|no|nope|sorry|oh|hi|hello|hey|thanks|thank you|please|right|sure|good morning|"
    r"(?:hi|hello|hey|thanks|morning),? [^\W\d_]{1,20}|"
    r"just so you know|for the record|for your information|as you know|to be clear|in fact|"
    r"today|yesterday|these days|now|from now on|since then|und|also|ja|nein|übrigens|oui|non|sí|no)"
    r"\s?[,:;.!–—-])\s*"
    r"|(?:and|so|but|also|now|from now on|actually|well|ok|okay|und|et|y|please|bitte|oh|by the way|btw)\s+",
    re.IGNORECASE,
)
_LEADS_MAX = 4

# The points at which one clause ends and the next may stand alone.
_SPLIT = re.compile(
    r"\s*;\s+|\s+[–—]+\s+|\s+-\s+"
    r"|,?\s+(?:and|but|so|und|aber|et|mais|y|pero)\s+"
    r"(?=(?:now )?(?:i|i['’]m|my|we|the|ich|mein|meine|j['’]|je|mon|ma|mi)\b)"
    r"|,\s+(?=(?:i|i['’]m|my|we|not|ich|nicht|je|j['’]|pas)\b)",
    re.IGNORECASE,
)

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|dr|mr|mrs|ms|prof|st|vs|no|z\.b|bzw|sra?)|\b[A-Z])\Z", re.IGNORECASE
)
_STOP = re.compile(r"[.!?…][\"'”’»)]{0,3}(?=\s|$)|[。！？]")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_QUOTED_LINE = re.compile(r"[ \t]*>|[ \t]{4,}\S|\t")
_TAG_LINE = re.compile(r"[ \t]*<[A-Za-z!/?]")
_QUOTES = re.compile(
    r"\"[^\"\n]*(?:\"|$)|[“„][^”“\n]*(?:[”“]|$)|«[^»\n]*(?:»|$)|「[^」\n]*(?:」|$)"
    r"|(?<![\w])['‘‚][^'’‘\n]*(?:['’‘](?!\w)|$)",
    re.MULTILINE,
)

# A line that ends in a colon introduces what others wrote, unless it announces own notes.
_OWN_NOTES = re.compile(
    r"\b(?:about me|(?:to )?remember|notes?|facts?|fyi|updates?|decisions?|decided|corrections?)\b",
    re.IGNORECASE,
)


# A time that is over, or not yet come, at the head of a sentence.
_ANOTHER_TIME = re.compile(
    r"(?:when|before|until|till|while|once|during|by the time|back (?:in|then)|in (?:19|20)\d\d|"
    r"as an? (?:kid|child)|next|soon|tomorrow|als|bevor|bis|quand|avant|cuando|antes)\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[ \t]*(?:[-*•+]|\d{1,3}[.)]|#{1,6})[ \t]")

# A line at least this long was broken by an editor, not by the end of a thought.
_WRAPPED_CHARACTERS_MIN = 50


@dataclass(frozen=True, slots=True)
class Clause:
    """Hold a clause, where it starts in the text, how long it is there, and its quotations.

    `text` is as long as the clause in the source, with line breaks as spaces; `quotes`
    are spans within it.
    """

    text: str
    start: int
    quotes: tuple[tuple[int, int], ...] = ()


def clauses(
    text: str, *, own_voice: bool = True, worth: Callable[[str], bool] | None = None
) -> Iterator[Clause]:
    """Yield the clauses that assert something, in order, without what leads up to them.

    With `own_voice` a text ends where another's words are introduced, by a line that ends
    in a colon or by a tag: from there on `I` may be anybody.  Clauses whose text is not
    `worth` reading are left out, and nothing dear is looked up for them.  Linear in the text.
    """
    for start, paragraph in _paragraphs(text, own_voice=own_voice):
        quotes = _Quotes(paragraph)
        for begin, end in _sentences(paragraph, quotes):
            if _is_question_or_list(paragraph[begin:end]):
                continue
            parts = [
                part
                for part in _parts(paragraph, begin, end, quotes=quotes)
                if (worth is None or worth(part.text)) and not _DENIAL.search(part.text)
            ]
            # Most sentences hold nothing to read, and the search for doubts is the dearest.
            if parts and not _DOUBT.search(paragraph[begin:end]):
                for part in parts:
                    yield replace(part, start=start + part.start)


class _Quotes:
    """Hold the quotations of a paragraph, which are in order and never overlap."""

    def __init__(self, paragraph: str) -> None:
        self._spans = [found.span() for found in _QUOTES.finditer(paragraph)]
        self._ends = [end for _, end in self._spans]

    def within(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Return what a span holds of quotations, measured from its start."""
        found = []
        at = bisect_right(self._ends, start)
        while at < len(self._spans) and self._spans[at][0] < end:
            begin, stop = self._spans[at]
            found.append((max(0, begin - start), min(end, stop) - start))
            at += 1
        return tuple(found)

    def holds(self, place: int) -> bool:
        """Return whether a sign is quoted; the last one of a quotation may end a sentence."""
        at = bisect_right(self._ends, place + 1)
        return at < len(self._spans) and self._spans[at][0] < place


def _paragraphs(text: str, *, own_voice: bool) -> Iterator[tuple[int, str]]:
    """Yield what the speaker wrote, a line or what was wrapped from one, with its start."""
    start, rows = 0, list[str]()
    for at, row, line in _own_rows(text, own_voice=own_voice):
        if rows and not _goes_on(rows[-1], line):
            yield start, _joined(rows)
            rows = []
        if line:
            start = start if rows else at
            rows.append(row)
    if rows:
        yield start, _joined(rows)


def _own_rows(text: str, *, own_voice: bool) -> Iterator[tuple[int, str, str]]:
    """Yield where each row starts, the row and what is on it; code and quotations are empty."""
    at, fence = 0, False
    for row in text.splitlines(keepends=True):
        line = row.rstrip()
        if _FENCE.match(line):
            fence = not fence
            line = ""
        elif fence or _QUOTED_LINE.match(line):
            line = ""
        elif own_voice and _introduces_others(line):
            return
        yield at, row, line
        at += len(row)


def _introduces_others(line: str) -> bool:
    if _TAG_LINE.match(line):
        return True
    if not line.endswith((":", "：")):
        return False
    own = len(line) <= SENTENCE_CHARACTERS_MAX and _OWN_NOTES.search(line) and not _DOUBT.search(line)
    return not own


def _goes_on(row: str, line: str) -> bool:
    """Return whether `line` is the rest of `row`, which an editor broke."""
    before = row.rstrip()
    if not line or _BULLET.match(line) or before.endswith((".", "!", "?", ":", ";", "…", "。", "！", "？")):
        return False
    return len(before) >= _WRAPPED_CHARACTERS_MIN or line.lstrip()[:1].islower()


def _joined(rows: list[str]) -> str:
    return re.sub(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", " ", "".join(rows))


def _sentences(paragraph: str, quotes: _Quotes) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences with their marks; a mark within quotes ends none."""
    begin = 0
    for found in _STOP.finditer(paragraph):
        tail = paragraph[max(begin, found.start() - 5) : found.start()]
        if quotes.holds(found.end() - 1) or (found[0] == "." and _ABBREVIATION.search(tail)):
            continue
        yield begin, found.end()
        begin = found.end()
    if begin < len(paragraph):
        yield begin, len(paragraph)


def _is_question_or_list(sentence: str) -> bool:
    return len(sentence) > SENTENCE_CHARACTERS_MAX or "?" in sentence or "？" in sentence


def _parts(paragraph: str, begin: int, end: int, *, quotes: _Quotes) -> Iterator[Clause]:
    """Yield the clauses of a sentence, their starts measured in the paragraph."""
    if _ANOTHER_TIME.match(paragraph, _after_leads(paragraph, begin, end), end):
        return
    for start, stop in _split(paragraph, begin, end):
        start = _after_leads(paragraph, start, stop)
        part = paragraph[start:stop].rstrip(" \t.!。！…,;")
        if part:
            yield Clause(part, start, quotes.within(start, start + len(part)))


def _split(paragraph: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _SPLIT.finditer(paragraph, begin, end):
        yield begin, found.start()
        begin = found.end()
    yield begin, end


def _after_leads(paragraph: str, start: int, stop: int) -> int:
    for _ in range(_LEADS_MAX):
        start += len(paragraph[start:stop]) - len(paragraph[start:stop].lstrip())
        found = _LEAD.match(paragraph, start, stop)
        if found is None:
            break
        start = found.end()
    return start
