"""Which rows does a CSV file hold, and which lines could not be read?

Lines are read one at a time.  A row that cannot be read costs its first line; the lines
that an open quotation mark swallowed after it are read again as rows of their own.
"""

import codecs
import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path

from muniment import limits
from muniment.adapters.importers.lines import LINES_MAX, checked
from muniment.domain.evidence import BadLine
from muniment.errors import BadInput, Unreadable

UTF_8, UTF_16, WINDOWS = "utf-8-sig", "utf-16", "cp1252"
DELIMITERS = (",", ";", "\t")

_PIECE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Row:
    """Hold the fields of one row and the line it begins on, counted from 1."""

    line: int
    fields: tuple[str, ...]


def encoding(path: Path) -> str:
    """Return how a file is encoded: UTF-8, UTF-16 with its mark, or else Windows-1252.

    The whole file is looked at, in pieces, since one name near its end can decide.
    Raises `Unreadable`.
    """
    checked(path)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as source:
            piece = source.read(_PIECE_BYTES)
            if piece.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                return UTF_16
            while piece:
                decoder.decode(piece)
                piece = source.read(_PIECE_BYTES)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return WINDOWS
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}") from problem
    return UTF_8


def rows(path: Path, *, encoding: str, delimiter: str) -> Iterator[Row | BadLine]:
    """Yield the rows of a file, the header too; rows without a value are passed over.

    A byte that the encoding does not know becomes U+FFFD.  Raises `Unreadable` when the
    file cannot be read and `BadInput` when it has more than `LINES_MAX` lines.
    """
    try:
        with path.open(encoding=encoding, errors="replace", newline="") as source:
            yield from _parsed(_Lines(source, path.name), delimiter)
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}") from problem


class _Lines:
    """Hand out lines one by one, and take back those that belong to no row."""

    def __init__(self, source: TextIOWrapper, name: str) -> None:
        self._source, self._name = source, name
        self._waiting: deque[str] = deque()
        self.taken: list[str] = []
        self.number = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._waiting.popleft() if self._waiting else self._read()
        if not line:
            raise StopIteration
        self.number += 1
        if self.number > LINES_MAX:
            raise BadInput(f"{self._name} has more than {LINES_MAX} lines; split it")
        self.taken.append(line)
        return line

    def _read(self) -> str:
        """Return the next line; one over the bound is cut, and no row for it."""
        line = self._source.readline(limits.line_bytes_max)
        rest = line if len(line) == limits.line_bytes_max else ""
        while rest and rest[-1] not in "\r\n":
            rest = self._source.readline(_PIECE_BYTES)
        return line

    def begin(self) -> int:
        """Begin a row; return the number of the line that comes next."""
        self.taken.clear()
        return self.number + 1

    def give_back(self) -> None:
        """Take back every line of the row but its first."""
        self._waiting.extendleft(reversed(self.taken[1:]))
        self.number -= len(self.taken) - 1


def _parsed(lines: _Lines, delimiter: str) -> Iterator[Row | BadLine]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = lines.begin()
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            lines.give_back()
            yield BadLine(line, _reason(problem))
            continue
        if any(field.strip() for field in fields):
            yield Row(line, tuple(fields))


def _reason(problem: csv.Error) -> str:
    """Return why a row could not be read, without its content."""
    if "limit" in str(problem):
        return f"a field is longer than {csv.field_size_limit()} characters, or a quotation mark is open"
    return "a quotation mark is open or stands in the wrong place"
