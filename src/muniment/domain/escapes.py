r"""What does a text say in which letters are spelled by escapes?  And where in it?

Read are the escapes of JSON and of programs (`\u0061`, `\x61`, `\141`), of style sheets (`\61 `), of
HTML (`&#97;`, `&eacute;`), of Markdown (`\_`) and of addresses (`%61`, `%u0061`), also where one stands
within another (`&amp;#97;`).  A tag of HTML is read as what it shows: nothing, or the end of a line; a
stroke between the columns of a table as a space; and a word that a hyphen or a soft break parts at the
end of a line as one.  What is spelled by a whole encoding (base64, quoted-printable) is another text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muniment.domain.evidence import Span
from muniment.later import Later

if TYPE_CHECKING:
    from html import entities
else:
    # Two thousand names, needed by the few texts that hold one.
    entities = Later("html.entities")

READINGS_MAX = 8
"""How many times what was read is read again; an escape within more escapes stays."""

SIGNS = ("\\", "&", "%", "<", "|", "-\n", "=\n")
"""What everything begins with that is read: a text without any of these is read as it stands."""

_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}"
    r"|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}|\\[0-3][0-7]{2}(?![0-9a-fA-F])|\\[0-9a-fA-F]{2,6}[ \t\n]?"
    r"|\\[nrtbf\"/\\]|\\[!#-.:-@\[\]-`{-~]"
    r"|&#[0-9]{1,7};?|&#[xX][0-9a-fA-F]{1,6};?|&[A-Za-z][A-Za-z0-9]{1,31};"
    r"|%u[0-9a-fA-F]{4}|(?:%[0-9a-fA-F]{2})+"
    r"|</?[A-Za-z][A-Za-z0-9]{0,15}(?:[ \t\n/][^<>]{0,400})?>|<!--[^<>]{0,400}-->"
    r"|\||-\n[ \t]{0,40}(?=[^\W\d_])|=\n"
)
_OF_LINES = frozenset((
    "article", "aside", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "footer", "form", "h1",
    "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre",
    "section", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul",
))  # fmt: skip
"""Tags that part what stands on either side of them; others show nothing where they stand."""

_SHOWN_AS_NOTHING = "<-="
_EMPHASIS = re.compile(r"(?<=[^\W\d_])(?:\*{1,3}|`{1,2}|~~)(?=[^\W\d_])")
_OCTAL_CHARACTERS = 4
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "/": "/", "\\": "\\"}
_PAIR_CHARACTERS, _CODE_MAX = 12, 0x10FFFF


@dataclass(frozen=True, slots=True)
class Unescaped:
    """Hold a text without its escapes, and where each of its letters begins in the text as it stands."""

    text: str
    places: tuple[int, ...]

    def span(self, found: Span) -> Span:
        """Return where a part of it stands in the text as it is."""
        return Span(self.places[found.start], self.places[found.end])


def unescaped(text: str) -> Unescaped | None:
    """Return what a text says once its escapes are read; None for a text without any."""
    # Written out: every text comes here, and a generator takes five times as long.
    is_marked = "\\" in text or "&" in text or "%" in text or "<" in text or "|" in text
    if not (is_marked or "-\n" in text or "=\n" in text):
        return None
    read = _read(text)
    for _ in range(READINGS_MAX - 1):
        deeper = None if read is None else _read(read.text)
        if read is None or deeper is None:
            break
        read = Unescaped(deeper.text, tuple(read.places[at] for at in deeper.places))
    return read


def as_shown(text: str) -> Unescaped | None:
    """Return what a reader sees of a text: escapes read, and no marks of emphasis within a word.

    None for a text that says nothing else than it is.  `H**ERO**N` is shown as one word.
    """
    read = unescaped(text)
    if not ("*" in text or "`" in text or "~~" in text):
        return read
    said = text if read is None else read.text
    marks = [found.span() for found in _EMPHASIS.finditer(said)]
    if not marks:
        return read
    gone = {place for start, end in marks for place in range(start, end)}
    kept = [place for place in range(len(said) + 1) if place not in gone]
    places = kept if read is None else [read.places[place] for place in kept]
    return Unescaped(_EMPHASIS.sub("", said), tuple(places))


def _read(text: str) -> Unescaped | None:
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for found in _ESCAPE.finditer(text):
        letters = list(_letters(found[0]))
        if not letters and found[0][0] not in _SHOWN_AS_NOTHING:
            continue
        parts.append(text[at : found.start()])
        places += range(at, found.start())
        for letter, offset in letters:
            parts.append(letter)
            places += [found.start() + offset] * len(letter)
        at = found.end()
    if not at:
        return None
    parts.append(text[at:])
    places += range(at, len(text) + 1)
    return Unescaped("".join(parts), tuple(places))


def _letters(escape: str) -> Iterator[tuple[str, int]]:
    """Yield what an escape spells and at which offset each letter begins; nothing when it is none."""
    if escape[0] == "<":
        if escape.strip("</>").partition(" ")[0].split("/")[0].lower().strip() in _OF_LINES:
            yield "\n", 0
    elif escape == "|":
        yield " ", 0
    elif escape[0] in _SHOWN_AS_NOTHING:
        return
    elif escape[:2] == "%u":
        yield _character(int(escape[2:], 16)), 0
    elif escape[0] == "%":
        yield from _of_address(escape)
    else:
        letter = _of_page(escape[1:].rstrip(";")) if escape[0] == "&" else _of_program(escape)
        if letter:
            yield letter, 0


def _of_address(escapes: str) -> Iterator[tuple[str, int]]:
    offset = 0
    for letter in bytes.fromhex(escapes.replace("%", "")).decode("utf-8", "surrogateescape"):
        yield letter, offset
        offset += 3 * len(letter.encode("utf-8", "surrogateescape"))


def _of_page(named: str) -> str:
    if named[0] != "#":
        return entities.html5.get(f"{named};", "")
    is_hexadecimal = named[1] in "xX"
    return _character(int(named[2:], 16) if is_hexadecimal else int(named[1:]))


def _of_program(escape: str) -> str:
    if escape[1] not in "uUx":
        is_sign = not escape[1].isalnum() and escape[1] not in _SHORT
        return escape[1] if is_sign else _SHORT.get(escape[1:]) or _of_digits(escape)
    if len(escape) != _PAIR_CHARACTERS:
        return _character(int(escape[2:].strip("{}"), 16))
    high, low = (int(part, 16) for part in escape.split("\\u")[1:])
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def _of_digits(escape: str) -> str:
    """Return the letter of an octal escape, or of a hexadecimal one as style sheets have it."""
    is_octal = len(escape) == _OCTAL_CHARACTERS and set(escape[1:]) <= set("01234567")
    return _character(int(escape[1:].strip(), 8 if is_octal else 16))


def _character(code: int) -> str:
    return chr(code) if code <= _CODE_MAX else ""
