"""In which format is this file written, and what does it hand over?"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from muniment.adapters.importers import claude_code, csv_table, jsonl, locomo, mcp_memory
from muniment.adapters.importers.lines import Line, checked, lines
from muniment.domain.evidence import BadLine
from muniment.domain.offer import Item
from muniment.errors import BadInput, MunimentError, Unreadable

Importer = Callable[[Path], Iterator[Item]]

IMPORTERS: Mapping[str, Importer] = MappingProxyType(
    {
        "jsonl": jsonl.read,
        "claude-code": claude_code.read,
        "locomo": locomo.read,
        "mcp-memory": mcp_memory.read,
        "csv": csv_table.read,
    }
)

# What a line's object must look like, in the order in which formats are tried.
_FITS: tuple[tuple[str, Callable[[Mapping[str, object]], bool]], ...] = (
    ("jsonl", jsonl.fits),
    ("claude-code", claude_code.fits),
    ("mcp-memory", mcp_memory.fits),
)

_LINES_LOOKED_AT = 50
_HEAD_BYTES = 4096


def detected(path: Path) -> str:
    """Return the name of the format of a file, judged by its first lines.

    Raises `BadInput` when none fits and `Unreadable` when the file cannot be read.
    """
    checked(path)
    head = _head(path)
    if locomo.fits(head):
        return "locomo"
    if mcp_memory.fits_head(head):
        return "mcp-memory"
    objects = [line.value for line in islice(lines(path), _LINES_LOOKED_AT) if isinstance(line, Line)]
    for label, fits in _FITS:
        if any(fits(value) for value in objects):
            return label
    if csv_table.fits(path):
        return "csv"
    known = ", ".join(IMPORTERS)
    raise BadInput(f"{path.name} fits none of the formats {known}", advice="Name the format yourself.")


def arrivals(path: Path, *, format: str = "") -> Iterator[Item]:
    """Return the items of a file, or of every `*.jsonl` in a directory, in order of name.

    Without `format` each file's own is looked for.  A file of a directory that cannot be
    taken is one `BadLine`, and the others go on.  Raises `BadInput` for an unknown format, a
    file that fits none and a directory without files; `Unreadable` for a path that is.
    """
    if format and format not in IMPORTERS:
        raise BadInput(f"no importer is called {format}; there are {', '.join(IMPORTERS)}")
    if not path.is_dir():
        label = format or detected(path)
        checked(path)
        return IMPORTERS[label](path)
    files = _files(path)
    if not files:
        raise BadInput(f"{path} holds no file ending in .jsonl")
    return _of_many(files, format)


def _files(path: Path) -> tuple[Path, ...]:
    try:
        return tuple(sorted(path.glob("*.jsonl")))
    except OSError as problem:
        raise Unreadable(f"{path} cannot be listed: {problem.strerror}") from problem


def _of_many(files: tuple[Path, ...], format: str) -> Iterator[Item]:
    for file in files:
        try:
            for item in IMPORTERS[format or detected(file)](file):
                yield _named(file, item) if isinstance(item, BadLine) else item
        except MunimentError as problem:
            yield BadLine(1, f"{file.name}: {problem.sentence}")


def _named(file: Path, bad: BadLine) -> BadLine:
    return BadLine(bad.line, f"{file.name}: {bad.why}")


def _head(path: Path) -> str:
    try:
        with path.open("rb") as source:
            return source.read(_HEAD_BYTES).decode("utf-8-sig", "replace")
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}") from problem
