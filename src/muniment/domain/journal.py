"""What does the journal of erasures say?  What went and what keeps it out: ids and keyed digests only.

One line an erasure: its id, a MAC with the vault key, and one JSON object.  It holds no
value, and no digest of one that needs no key.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.evidence import Span
from muniment.domain.ledger import RowCode, keyed, same_bytes
from muniment.domain.members import Fields, moment, raw, text, texts
from muniment.domain.row_columns import columns, row_of
from muniment.domain.timeline import to_micros
from muniment.domain.tombstone import Tombstone
from muniment.errors import Tampered

_MAC_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class Named:
    """Name one row that went: its kind and id, or kind and row number.

    `number` is a memory's version, 0 for anything else, and `record` the place on record
    that made the row.  What came `put_back` lost `spans` of its text, or had its span moved
    there, and the fields `marked`, where `tag/2` is the third tag.
    """

    code: RowCode
    name: str
    number: int
    record: int
    put_back: bool = False
    spans: tuple[Span, ...] = ()
    marked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Buried:
    """Hold a tombstone and what it is found by: digests and packed anchors."""

    tombstone: Tombstone
    found_by: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one erasure: its certificate's id, who asked and when, and all that it did."""

    id: str
    requester: str
    requested: datetime
    plan: str
    rows: tuple[Named, ...]
    disputes: tuple[str, ...]
    tombstones: tuple[Buried, ...]


def id_of(line: str) -> str:
    """Return the erasure's id of a line, whoever wrote it."""
    return line.partition(" ")[0]


def line_of(entry: Entry, key: bytes) -> str:
    """Return the line of an erasure, sealed with the vault key; ASCII, without its newline."""
    body = json.dumps(
        {
            "requester": entry.requester,
            "requested": to_micros(entry.requested),
            "plan": entry.plan,
            "rows": [_spelled(row) for row in entry.rows],
            "disputes": list(entry.disputes),
            "tombstones": [
                columns(one.tombstone)[1] | {"digests": [each.hex() for each in one.found_by]}
                for one in entry.tombstones
            ],
        },
        separators=(",", ":"),
    )
    return f"{entry.id} {_mac(key, entry.id, body)} {body}"


def entry_of(line: str, key: bytes) -> Entry:
    """Return what a line says; raises Tampered when the vault key did not seal it as it stands."""
    id, _, rest = line.partition(" ")
    mac, _, body = rest.partition(" ")
    if not same_bytes(mac.encode(), _mac(key, id, body).encode()):
        raise Tampered("A line of the journal of erasures does not match its seal.")
    try:
        return _read(id, json.loads(body))
    except (KeyError, TypeError, ValueError) as error:
        raise Tampered("A line of the journal of erasures cannot be read.") from error


def _mac(key: bytes, id: str, body: str) -> str:
    return keyed(key, f"erasure-journal\n{id}\n{body}".encode()).hex()[:_MAC_CHARACTERS]


def _spelled(row: Named) -> list[object]:
    spans = [[span.start, span.end] for span in row.spans]
    return [int(row.code), row.name, row.number, row.record, row.put_back, spans, list(row.marked)]


def _read(id: str, f: Fields) -> Entry:
    return Entry(
        id=id,
        requester=text(f, "requester"),
        requested=moment(f, "requested"),
        plan=text(f, "plan"),
        rows=tuple(_row(one) for one in _listed(f["rows"])),
        disputes=texts(f, "disputes"),
        tombstones=tuple(_buried(one) for one in _listed(f["tombstones"])),
    )


def _listed(found: object) -> list[object]:
    if not isinstance(found, list):
        raise TypeError("list")
    return found


def _row(found: object) -> Named:
    code, name, number, record, put_back, spans, marked = _listed(found)
    if not (isinstance(name, str) and isinstance(put_back, bool)):
        raise TypeError("row")
    places = [[_whole(end) for end in _listed(span)] for span in _listed(spans)]
    return Named(
        RowCode(_whole(code)),
        name,
        _whole(number),
        _whole(record),
        put_back,
        tuple(Span(start, end) for start, end in places),
        texts({"marked": marked}, "marked"),
    )


def _whole(found: object) -> int:
    if not isinstance(found, int):
        raise TypeError("number")
    return found


def _buried(found: object) -> Buried:
    if not isinstance(found, dict):
        raise TypeError("tombstone")
    row = row_of(RowCode.TOMBSTONE, found)
    if not isinstance(row, Tombstone):
        raise TypeError("tombstone")
    return Buried(row, tuple(raw({"digest": one}, "digest") for one in texts(found, "digests")))
