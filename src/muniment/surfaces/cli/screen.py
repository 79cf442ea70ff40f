"""How does anything reach a screen?  Plain, aligned, wrapped, and with nothing that can act on it.

Remembered text may hold escape sequences and marks that reorder a line.  On the way to a
person they are spelled out; a JSON document is ASCII, so that any encoding carries it.
"""

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

import click

COLUMNS_MAX = 80
"""Widest line for a person; a wider terminal stays readable too."""

ALWAYS_WRAP = "muniment.always_wrap"
"""Set in a call's context, texts are wrapped for a pipe too."""

_GLUE = "\x00"
"""Stands for a blank within a quoted command; a safe text holds none of its own."""

_FORMAT_KEPT = frozenset({"\u200c", "\u200d"})
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def settle_streams() -> None:
    """Let both streams spell out what their encoding cannot carry, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def hush() -> None:
    """Send what is still buffered nowhere: the reader of a pipe has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  it lives until the end
    finally:
        os.close(nowhere)


def person_looks(stream: TextIO | None = None) -> bool:
    """Return whether a stream (standard output when not given) ends at a terminal."""
    stream = stream or sys.stdout
    return stream is not None and not stream.closed and stream.isatty()


def person_is_here() -> bool:
    """Return whether somebody types and reads here: input and output are a terminal (I15)."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty() and person_looks()


def safe(text: str, *, lines: bool = False) -> str:
    """Return text whose control, format and separator characters are spelled out.

    With `lines` a line break stays one.
    """
    return "".join(character if _stays(character, lines) else _spelled(character) for character in text)


def _stays(character: str, lines: bool) -> bool:
    if character == "\n":
        return lines
    return character in _FORMAT_KEPT or unicodedata.category(character) not in _UNSAFE


def _spelled(character: str) -> str:
    if character in "\n\t\r":
        return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def columns() -> int:
    """Return how wide a line may be."""
    return max(20, min(COLUMNS_MAX, shutil.get_terminal_size((COLUMNS_MAX, 24)).columns))


def cells(text: str) -> int:
    """Return how many columns a text takes; wide East Asian characters take two."""
    return sum(_cell(character) for character in text)


def _cell(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def wrapped(text: str, *, indent: str = "", first: str | None = None, width: int = 0) -> list[str]:
    """Return safe text as lines of at most `width` columns (0: the terminal's), indented.

    The first line begins with `first`, the others with `indent`; a word that is too long
    for a line is broken.  What stands between backticks is a command to copy, and stays on
    one line where it fits on one.
    """
    room = (width or columns()) - cells(indent)
    found: list[str] = []
    for paragraph in safe(text, lines=True).split("\n"):
        found += _paragraph(paragraph, room)
    head = indent if first is None else first
    return [(head if at == 0 else indent) + line for at, line in enumerate(found)]


def _paragraph(text: str, room: int) -> list[str]:
    lead = text[: len(text) - len(text.lstrip(" "))][: room // 2]
    lines, line = [], lead
    for word in _words(text[len(lead) :], room):
        joined = f"{line} {word}" if line.strip() else line + word
        if cells(joined) <= room:
            line = joined
            continue
        if line.strip():
            lines.append(line)
        *whole, line = _pieces(word, room)
        lines += whole
    return [*lines, line]


def _words(text: str, room: int) -> Iterator[str]:
    parts = text.split("`")
    for at in range(1, len(parts) - 1, 2):
        parts[at] = parts[at].replace(" ", _GLUE)
    for word in "`".join(parts).split(" "):
        if cells(word) <= room:
            yield word.replace(_GLUE, " ")
        else:
            yield from word.split(_GLUE)


def _pieces(word: str, room: int) -> list[str]:
    pieces, piece, taken = [], "", 0
    for character in word:
        size = _cell(character)
        if taken + size > room:
            pieces.append(piece)
            piece, taken = "", 0
        piece += character
        taken += size
    return [*pieces, piece]


def shortened(text: str, *, characters_max: int) -> str:
    """Return the beginning of a text on one line; what is cut is said by `...`."""
    line = " ".join(text.split())
    return line if len(line) <= characters_max else line[: characters_max - 3].rstrip() + "..."


def carries(mark: str) -> bool:
    """Return whether standard error's encoding has a mark."""
    try:
        mark.encode(sys.stderr.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def sentence(text: str) -> str:
    """Return a text that ends as a sentence does."""
    text = text.strip()
    return text if text.endswith((".", "?", "!")) else f"{text}."


def arrow() -> str:
    """Return what stands before an advice."""
    return "\u2192" if carries("\u2192") else "->"


def say(*lines: str) -> None:
    """Print lines that are safe already."""
    for line in lines:
        print(line.rstrip())


def tell(text: str, *, indent: str = "", first: str | None = None) -> None:
    """Print a text: wrapped for a person, as it is for a pipe."""
    context = click.get_current_context(silent=True)
    if person_looks() or (context is not None and context.meta.get(ALWAYS_WRAP)):
        say(*wrapped(text, indent=indent, first=first))
        return
    head = indent if first is None else first
    say(*(head + line for line in safe(text, lines=True).split("\n")[:1]))
    say(*(indent + line for line in safe(text, lines=True).split("\n")[1:]))


def command(text: str) -> None:
    """Print a line to copy, on one line however long: a break in it would run half of it."""
    say(f"  {safe(text)}")


def aside(text: str) -> None:
    """Print a text for the person on standard error: wrapped at a terminal, further in than it begins."""
    if not person_looks(sys.stderr):
        print(safe(text, lines=True), file=sys.stderr)
        return
    lead = text[: len(text) - len(text.lstrip(" "))]
    for line in wrapped(text[len(lead) :], indent=f"{lead}  ", first=lead):
        print(line, file=sys.stderr)


def document(value: object) -> None:
    """Print one JSON document in ASCII."""
    print(json.dumps(value, ensure_ascii=True, indent=2).replace("\x7f", "\\u007f"))


def pairs(rows: Iterable[tuple[str, str]], *, indent: str = "") -> None:
    """Print names and values, the values aligned; rows with an empty value are left out."""
    shown = [(name, value) for name, value in rows if value != ""]
    broad = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        head = f"{indent}{name.ljust(broad)}  "
        tell(value, indent=" " * len(head), first=head)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, none: str = "") -> None:
    """Print a table; for a person with `rich` when it is installed, else aligned.

    Without a row, `none` says so where it is given: headings over nothing leave one to wonder.
    """
    if none and not rows:
        tell(none)
        return
    clean = [[safe(cell) for cell in row] for row in rows]
    if person_looks() and _rich_table(headings, clean):
        return
    broad = [max(cells(row[at]) for row in [list(headings), *clean]) for at in range(len(headings))]
    for row in [list(headings), *clean]:
        padded = [cell + " " * (wide - cells(cell)) for cell, wide in zip(row, broad, strict=True)]
        say("  ".join(padded))


def _rich_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        return False
    # No style: a screen gets text alone, and so does whatever records it.
    made = Table(box=None, pad_edge=False, header_style="")
    for heading in headings:
        made.add_column(heading, overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    Console(width=columns(), highlight=False, no_color=True).print(made)
    return True
