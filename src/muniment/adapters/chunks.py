"""Where may a long text be cut, and what does its front matter declare?

Spans count code points and tile the text: put together, they are the text again, so a
hit in a chunk can be shown in its document without guessing.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from muniment.errors import BadInput

FRONT_MATTER_CHARACTERS_MAX = 32_000
FRONT_MATTER_FIELDS_MAX = 500

# How far a hard cut steps back to a space, as a part of the target, and to a whole character.
_SPACE_SHARE = 4
_MARKS_BACK_MAX = 32

_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}[ \t]")
# One mark, few closers: a run of a million dots must not be scanned from each of them.
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]{0,4}\s+|[。！？｡][」』”’）]{0,4}(?![。！？｡])\s*|\n")
_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Hold a span of a text, in code points, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Hold what the head of a document declares, and where its body begins.

    A list gives one field an item, all of the same key, and `lists` names that key.
    `spans` has the line of each field; it and `end` are in code points.
    """

    fields: tuple[tuple[str, str], ...]
    end: int
    spans: tuple[Chunk, ...] = ()
    lists: frozenset[str] = frozenset()


def chunked(text: str, *, target: int = 1200, overlap: int = 0) -> tuple[Chunk, ...]:
    """Return spans of at most `target` code points that tile `text`, in order.

    A cut falls between paragraphs if it can, else between sentences, else between words,
    else anywhere but inside a character.  A heading goes with what follows it, and a
    fenced block is only cut when it alone exceeds the target.  With `overlap` each span
    but the first begins that many code points earlier, and may be that much longer.
    Linear in the text.  Raises `BadInput` unless 0 <= overlap < target.
    """
    if not 0 <= overlap < target:
        raise BadInput("overlap must be at least 0 and less than target")
    spans: list[Chunk] = []
    start = end = 0
    for cut in _cuts(text, target):
        if cut - start > target:
            spans.append(Chunk(start, end))
            start = end
        end = cut
    if end > start:
        spans.append(Chunk(start, end))
    return tuple(Chunk(max(0, span.start - overlap), span.end) for span in spans)


@dataclass(frozen=True, slots=True)
class _Block:
    """Hold a paragraph or a fenced block, with the blank lines behind it."""

    start: int
    end: int


def _cuts(text: str, target: int) -> Iterator[int]:
    """Yield where the text may be cut, no two further apart than `target`, the end last."""
    for block in _blocks(text):
        if block.end - block.start <= target:
            yield block.end
        else:
            yield from _cuts_within(text, block, target)


def _cuts_within(text: str, block: _Block, target: int) -> Iterator[int]:
    start = block.start
    for stop in _sentence_ends(text, block):
        while stop - start > target:
            start = _hard_cut(text, start, target)
            yield start
        yield stop
        start = stop


def _sentence_ends(text: str, block: _Block) -> Iterator[int]:
    for found in _SENTENCE.finditer(text, block.start, block.end):
        if found.end() < block.end:
            yield found.end()
    yield block.end


def _hard_cut(text: str, start: int, target: int) -> int:
    """Return where to cut a run without any better place: after a space, else between characters."""
    end = start + target
    space = text.rfind(" ", end - target // _SPACE_SHARE, end)
    if space > start:
        return space + 1
    for cut in range(end, max(start, end - _MARKS_BACK_MAX), -1):
        if not _inside_character(text, cut):
            return cut
    return end


def _inside_character(text: str, cut: int) -> bool:
    before, after = text[cut - 1], text[cut]
    return (
        unicodedata.category(after) in ("Mn", "Me", "Mc", "Cf")
        or before == _JOINER
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or before + after == "\r\n"
    )


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the paragraphs and fenced blocks of a text, which tile it."""
    start = 0
    state = _State()
    for found in _LINE.finditer(text):
        line = found[0]
        if state.begins(line) and found.start() > start:
            yield _Block(start, found.start())
            start = found.start()
        state.take(line)
    if start < len(text):
        yield _Block(start, len(text))


class _State:
    """Follow the lines of a text: in a fence or not, after a blank line, under a heading."""

    def __init__(self) -> None:
        self._fence = ""
        self._fence_closed = False
        self._blank = False
        self._heading = False

    def begins(self, line: str) -> bool:
        """Return whether a block begins with this line, given the ones before it."""
        if self._fence or not line.strip():
            return False
        if self._fence_closed or _HEADING.match(line):
            return True
        return (self._blank or _FENCE.match(line) is not None) and not self._heading

    def take(self, line: str) -> None:
        """Move on over `line`."""
        blank = not line.strip()
        opened = _FENCE.match(line)
        self._fence_closed = self._fence_closed and blank
        if self._fence:
            if opened and opened[1].startswith(self._fence) and line.strip() == opened[1]:
                self._fence, self._fence_closed = "", True
        elif opened:
            self._fence = opened[1]
        self._heading = _HEADING.match(line) is not None or (blank and self._heading)
        self._blank = blank


_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_FIELD = re.compile(r"([^\s:#\-\"'\[\]{}&*!|>%@`][^:\n]{0,99}):(?:[ \t]+(.*))?")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(.*))?")
_LIST = re.compile(r"\[(?!\[).*\]")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'")
_LIST_ITEM = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^,\"'][^,]*|)\s*(?:,|$)")


class _Malformed(ValueError):
    """Say that the head of a document is no front matter we understand."""


def front_matter(text: str) -> FrontMatter | None:
    """Return what the lines between two `---` at the very start declare, or None.

    Only scalars and simple lists are read; values stay text and may hold `:` and `#`.
    Anything else (nesting, block scalars, a key twice, quotes left open) is None, so that
    a document is never half read: it is then all body.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end(), opening.end() + FRONT_MATTER_CHARACTERS_MAX)
    if closing is None or (closing.end() < len(text) and text[closing.end()] != "\n"):
        return None
    try:
        found = tuple(_fields(text, opening.end(), closing.start()))
    except _Malformed:
        return None
    if len(found) > FRONT_MATTER_FIELDS_MAX:
        return None
    return FrontMatter(
        fields=tuple((field.key, field.value) for field in found),
        end=min(len(text), closing.end() + 1),
        spans=tuple(field.span for field in found),
        lists=frozenset(field.key for field in found if field.listed),
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """Hold one declared value, its line and whether it is an item of a list."""

    key: str
    value: str
    span: Chunk
    listed: bool


def _fields(text: str, start: int, end: int) -> Iterator[_Field]:
    keys: set[str] = set()
    open_key = ""
    for found in _LINE.finditer(text, start, end):
        row = found[0].rstrip()
        span = Chunk(found.start(), found.start() + len(row))
        if not row or row.lstrip().startswith("#"):
            continue
        item = _ITEM.fullmatch(row)
        if item:
            if not open_key:
                raise _Malformed
            yield _Field(open_key, _scalar(item[1] or ""), span, True)
            continue
        key, value = _key_and_value(row, keys)
        open_key = "" if value else key
        listed = _LIST.fullmatch(value) is not None
        yield from (_Field(key, part, span, listed) for part in _values(value))


def _key_and_value(row: str, keys: set[str]) -> tuple[str, str]:
    found = _FIELD.fullmatch(row)
    if found is None or found[1].strip() in keys:
        raise _Malformed
    keys.add(found[1].strip())
    return found[1].strip(), (found[2] or "").strip()


def _values(value: str) -> Iterator[str]:
    """Yield the values a key is given: none yet, one, or those of a list in brackets."""
    if not value:
        return
    if not _LIST.fullmatch(value):
        yield _scalar(value)
        return
    at, inner = 0, value[1:-1].strip()
    while at < len(inner):
        found = _LIST_ITEM.match(inner, at)
        if found is None or found.end() == at:
            raise _Malformed
        yield _scalar(found[1].strip())
        at = found.end()


def _scalar(value: str) -> str:
    """Return a value without the quotes around it."""
    value = value.strip()
    # A wiki link and a template's placeholder are text; a nested list or map is not.
    if value.startswith(("|", ">", "{", "&", "*", "!", "[")) and not value.startswith(("[[", "{{")):
        raise _Malformed
    if value[:1] not in ('"', "'"):
        return value
    found = _QUOTED.fullmatch(value)
    if found is None:
        raise _Malformed
    if found[1] is None:
        return found[2].replace("''", "'")
    return re.sub(r"\\(.)", r"\1", found[1])
