"""Which JSON objects do the lines of a file hold, and which lines could not be read?

Every importer of JSONL reads through here, one line at a time, so that no file is ever
whole in memory and every way in which a line can be broken has one answer.
"""

import hashlib
import json
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from muniment import limits
from muniment.domain.evidence import BadLine
from muniment.errors import BadInput, Unreadable

# Most lines of one file; importers keep a few bytes a line to recognise repeats.
LINES_MAX = 5_000_000

_BOM = b"\xef\xbb\xbf"
_SKIP_BYTES = 1 << 16
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one JSON object and the line it stands on, counted from 1."""

    number: int
    value: Mapping[str, object]


def checked(path: Path) -> None:
    """Raise `Unreadable` unless `path` is a regular file that opens.

    Pipes and devices are refused: opening one could wait for ever.
    """
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
        if regular:
            path.open("rb").close()
    except (OSError, ValueError) as problem:
        raise Unreadable(f"{path} cannot be read: {_reason(problem)}") from problem
    if not regular:
        raise Unreadable(f"{path} is not a regular file")


def lines(path: Path, *, bytes_max: int = limits.line_bytes_max) -> Iterator[Line | BadLine]:
    """Yield each line's object, or why there is none; blank lines are passed over.

    A byte order mark at the start and carriage returns at the ends belong to no line.
    A line over `bytes_max` is skipped in pieces.  Raises `Unreadable` when the file
    cannot be opened or read, `BadInput` when it has more than `LINES_MAX` lines.
    """
    checked(path)
    try:
        with path.open("rb") as source:
            for number, raw in enumerate(_raw_lines(source, bytes_max), 1):
                if number > LINES_MAX:
                    raise BadInput(f"{path.name} has more than {LINES_MAX} lines; split it")
                if number == 1:
                    raw = raw.removeprefix(_BOM)
                found = _object(number, raw, bytes_max)
                if found is not None:
                    yield found
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {_reason(problem)}") from problem


def name(value: object) -> str:
    """Return a name that can be stored and compared: no lone surrogates, no NUL, trimmed.

    Anything but a string is no name, and gives the empty string.  Texts are not treated
    so: the gate replaces what it refuses in a text, and counts it.
    """
    if not isinstance(value, str):
        return ""
    whole = value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    kept = whole.replace("\0", "\ufffd")
    if kept == value:
        return kept.strip()
    # Names that differ only in what is replaced name different things, and stay apart.
    return f"{kept.strip()}~{hashlib.sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def too_long(value: str) -> bool:
    """Return whether a name is longer than names may be."""
    return len(value) > limits.name_characters_max


def moment(value: object) -> datetime | None:
    """Return the moment an RFC 3339 text or a date names, in UTC, or None.

    A date alone is its midnight in UTC.  A time of day without a zone is None: we would
    have to guess which moment it means.
    """
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value.strip())
        if parsed.tzinfo is None:
            return parsed.replace(tzinfo=UTC) if _DATE.fullmatch(value.strip()) else None
        return parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _raw_lines(source: BinaryIO, bytes_max: int) -> Iterator[bytes]:
    while line := source.readline(bytes_max + 1):
        if len(line) > bytes_max and not line.endswith(b"\n"):
            _skip_rest(source)
        yield line


def _skip_rest(source: BinaryIO) -> None:
    while piece := source.readline(_SKIP_BYTES):
        if piece.endswith(b"\n"):
            return


def _object(number: int, raw: bytes, bytes_max: int) -> Line | BadLine | None:
    if len(raw.rstrip(b"\r\n")) > bytes_max:
        return BadLine(number, f"the line is longer than {bytes_max} bytes")
    if not raw.strip():
        return None
    try:
        value = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return BadLine(number, "the line is not UTF-8")
    except RecursionError:
        return BadLine(number, "the line is nested too deeply")
    except ValueError:
        return BadLine(number, "the line is not JSON")
    if not isinstance(value, dict):
        return BadLine(number, "the line is JSON but not an object")
    return Line(number, value)


def _reason(problem: OSError | ValueError) -> str:
    return getattr(problem, "strerror", None) or "the path is malformed"
