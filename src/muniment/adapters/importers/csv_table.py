"""What does a table with a header state?  One memory a row; the names of the columns say what is what."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from muniment.adapters.importers.lines import moment, name
from muniment.adapters.importers.seen import Repeat, Seen
from muniment.adapters.importers.table_rows import DELIMITERS, WINDOWS, Row, encoding, rows
from muniment.domain.evidence import BadLine
from muniment.domain.intent import Times
from muniment.domain.label import DataClass, Label
from muniment.domain.memory import Claim, Kind
from muniment.domain.offer import Notice, Offer
from muniment.errors import BadInput

# What each column means, by its name in lower case.  Of several names of one part the
# first that the header has is taken; the others are columns of their own, like any that
# stands in no row here.
_PARTS: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "content", "memory", "observation"),
    "about": ("about", "entity", "subject"),
    "attribute": ("attribute", "key"),
    "value": ("value",),
    "kind": ("kind",),
    "tags": ("tags",),
    "at": ("at", "date", "occurred_at"),
    "made": ("created_at",),
    "from": ("valid_from",),
    "until": ("valid_until",),
    "id": ("id", "uuid"),
    "class": ("class",),
    "untrusted": ("untrusted",),
    "space": ("space",),
}
_MOMENTS = ("at", "made", "from", "until")
_KINDS = {kind.value: kind for kind in Kind}
_TRUTHS: Mapping[str, bool] = {
    "": False, "false": False, "no": False, "0": False, "true": True, "yes": True, "1": True
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Header:
    """Hold the names of the columns and where each part stands."""

    names: tuple[str, ...]
    places: Mapping[str, int]

    def part(self, row: Row, part: str) -> str:
        """Return a part of a row without white space around it, or the empty string."""
        place = self.places.get(part)
        return "" if place is None else row.fields[place].strip()

    @property
    def is_enough(self) -> bool:
        """Return whether a row can make a statement: by its text, or by a slot and its value."""
        return "text" in self.places or {"about", "attribute", "value"} <= self.places.keys()


def read(path: Path) -> Iterator[Offer | BadLine | Notice]:
    """Yield one offer a row, in order, and what is to be said of the whole file.

    A row with too few or too many fields, an impossible time, kind or class, or the `id`
    of another row is a `BadLine`.  Raises `Unreadable` for the path and `BadInput` for a
    header that names no text, nor `about`, `attribute` and `value`.
    """
    code = encoding(path)
    delimiter, header = _headed(path, code)
    if not header.is_enough:
        raise BadInput(f"the header of {path.name} names no column `text`, nor a slot and its value")
    yield from _notices(header, code)
    seen = Seen()
    stream = rows(path, encoding=code, delimiter=delimiter)
    next(stream, None)
    for row in stream:
        yield row if isinstance(row, BadLine) else _offer(header, row, seen)


def fits(path: Path) -> bool:
    """Return whether a file begins with the header of a table of memories.

    One column alone is no table unless the file's name says so: it could be any text.
    """
    _, header = _headed(path, encoding(path))
    named = path.suffix.lower() in (".csv", ".tsv")
    return header.is_enough and (named or len(header.names) > 1)


def _headed(path: Path, code: str) -> tuple[str, _Header]:
    """Return the delimiter under which the first row is a header that is enough, and the header."""
    found = _Header((), {})
    for delimiter in DELIMITERS:
        first = next(rows(path, encoding=code, delimiter=delimiter), None)
        if isinstance(first, Row):
            found = _header(first.fields)
        if found.is_enough:
            return delimiter, found
    return DELIMITERS[0], found


def _header(fields: tuple[str, ...]) -> _Header:
    names = tuple(field.strip() for field in fields)
    lowered = [one.lower() for one in names]
    places = {
        part: lowered.index(known[0])
        for part, accepted in _PARTS.items()
        if (known := [one for one in accepted if one in lowered])
    }
    return _Header(names, places)


def _notices(header: _Header, code: str) -> Iterator[Notice]:
    if code == WINDOWS:
        yield Notice("The file is not UTF-8; it was read as Windows-1252.")
    if "space" in header.places:
        yield Notice("The column `space` was ignored: the credential says where memories go.")


def _offer(header: _Header, row: Row, seen: Seen) -> Offer | BadLine:
    if len(row.fields) != len(header.names):
        return BadLine(row.line, f"the row has {len(row.fields)} fields, the header {len(header.names)}")
    fault = _fault(header, row)
    if fault:
        return BadLine(row.line, fault)
    claim = _claim(header, row)
    if not claim.text:
        return BadLine(row.line, "the row has no text, nor a slot and its value")
    identity = name(header.part(row, "id"))
    if identity and seen.repeat(identity, *row.fields) is Repeat.OTHER:
        return BadLine(row.line, "another row has the same id and says something else")
    at, made, start, until = (_moment(header.part(row, part)) for part in _MOMENTS)
    return Offer(
        row.line,
        claim,
        kind=_KINDS[header.part(row, "kind").lower() or Kind.FACT.value],
        times=Times(valid_from=start, valid_until=until, occurred_at=at, asserted_at=made),
        tags=_tags(header.part(row, "tags")),
        label=_label(header, row),
    )


def _fault(header: _Header, row: Row) -> str:
    """Return what is wrong with the parts of a row, or nothing."""
    for part in _MOMENTS:
        given = header.part(row, part)
        if given and _moment(given) is None:
            column = header.names[header.places[part]].lower()
            return f"{column} is not an RFC 3339 time with a zone, nor a date"
    kind = header.part(row, "kind").lower()
    if kind and kind not in _KINDS:
        return "kind is not one of ours"
    if header.part(row, "class").upper() not in ("", *DataClass.__members__):
        return "class is not one of public, private and secret"
    if header.part(row, "untrusted").lower() not in _TRUTHS:
        return "untrusted is neither true nor false"
    return ""


def _claim(header: _Header, row: Row) -> Claim:
    """Return what a row says; what fits no part stands below the text, as `column: value`.

    `about` and `attribute` name a slot only together, and only then `value` is a slot's.
    """
    about, attribute = header.part(row, "about"), header.part(row, "attribute")
    value, text = header.part(row, "value"), header.part(row, "text")
    used = set(_PARTS) - {"about", "attribute", "value"}
    if about and attribute:
        used |= {"about", "attribute", "value"}
        text = text or (f"{about}: {attribute} {value}" if value else "")
    places = {header.places[part] for part in used if part in header.places}
    below = [
        f"{header.names[place]}: {field.strip()}"
        for place, field in enumerate(row.fields)
        if place not in places and field.strip()
    ]
    whole = "\n".join((text, *below)) if text else ""
    if about and attribute:
        return Claim(whole, about, attribute, value)
    return Claim(whole)


def _tags(given: str) -> tuple[str, ...]:
    """Return tags out of a JSON list of texts, or out of a text with commas or semicolons."""
    try:
        listed = json.loads(given) if given.startswith("[") else None
    except (ValueError, RecursionError):
        listed = None
    if isinstance(listed, list) and all(isinstance(one, str) for one in listed):
        return tuple(one.strip() for one in listed if one.strip())
    return tuple(one.strip() for one in given.replace(";", ",").split(",") if one.strip())


def _label(header: _Header, row: Row) -> Label:
    """Return the label that a row asks for; a file can tighten one, never loosen it."""
    given = header.part(row, "class").upper()
    asked = Label(DataClass[given or "PUBLIC"], _TRUTHS[header.part(row, "untrusted").lower()])
    return Label().joined(asked)


def _moment(given: str) -> datetime | None:
    return moment(given) if given else None
