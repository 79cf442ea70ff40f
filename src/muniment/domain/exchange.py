"""How is a row spelled outside the store?  One JSON object a line, every column, both ways.

An export is lines of ASCII with sorted keys: a first line about the whole, then each
ledger record followed by the rows it made.  Moments are microseconds since 1970 and bytes
are hexadecimal, so that the same rows are always the same bytes.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from muniment.domain.evidence import Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import Record, RowCode, Seal
from muniment.domain.link import Link, LinkType
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import Interval, from_micros, to_micros
from muniment.domain.tombstone import Keys, Tombstone, TombstoneKind
from muniment.domain.trust import Rank, Trust
from muniment.errors import BadInput

FORMAT_VERSION = 1
"""Version of the form; a reader refuses a later one."""

Fields = Mapping[str, object]
"""The members of one line."""

Row = Version | Evidence | Link | Tombstone | Conversation | RecallRow | CredentialRow | SpaceRow | ActorRow
"""Every kind of row that a record commits to."""


@dataclass(frozen=True, slots=True)
class Header:
    """Hold an export's first line: whose log, how long, its root, and where numbering stood."""

    vault: str
    size: int
    root: bytes
    recorded: int
    next_n: int
    generation: int


@dataclass(frozen=True, slots=True)
class Carried:
    """Hold one committed row of an export with its seal.

    `digests` are those that a tombstone is found by, in order of bytes; else empty.
    """

    code: RowCode
    row: Row
    seal: Seal
    digests: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class VaultKeys:
    """Hold the keys that an export's commitments and tombstones were made with."""

    vault: str
    vault_key: bytes = field(repr=False)
    tombstone_keys: tuple[tuple[int, bytes], ...] = field(repr=False)


def line(fields: Fields) -> bytes:
    """Return the one spelling of a line: sorted keys, no spaces, ASCII, a newline at the end."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"


def fields_of(spelled: bytes) -> Fields:
    """Return the members of a line; raises BadInput when it is no JSON object."""
    try:
        found: object = json.loads(spelled)
    except (ValueError, RecursionError) as error:
        raise BadInput("A line of the export is not JSON.") from error
    if not isinstance(found, dict):
        raise BadInput("A line of the export is no JSON object.")
    return found


def header_line(header: Header) -> bytes:
    """Return the first line of an export."""
    return line(
        {
            "muniment": "export",
            "version": FORMAT_VERSION,
            "vault": header.vault,
            "size": header.size,
            "root": header.root.hex(),
            "recorded": header.recorded,
            "next_n": header.next_n,
            "generation": header.generation,
        }
    )


def header_of(spelled: bytes) -> Header:
    """Return what the first line says; raises BadInput for another file or a later form."""
    fields = fields_of(spelled)
    if fields.get("muniment") != "export":
        raise BadInput("The file is no export of Muniment.")
    if fields.get("version") != FORMAT_VERSION:
        raise BadInput("A later release wrote this export.", advice="Install that release.")

    def made(f: Fields) -> Header:
        numbers = (_number(f, "recorded"), _number(f, "next_n"), _number(f, "generation"))
        return Header(_text(f, "vault"), _number(f, "size"), _raw(f, "root"), *numbers)

    return _whole(made, fields)


def keys_line(keys: VaultKeys) -> bytes:
    """Return the content of the key file beside an export."""
    numbered = {str(number): key.hex() for number, key in keys.tombstone_keys}
    return line(
        {
            "muniment": "keys",
            "version": FORMAT_VERSION,
            "vault": keys.vault,
            "vault_key": keys.vault_key.hex(),
            "tombstone_keys": numbered,
        }
    )


def keys_of(spelled: bytes) -> VaultKeys:
    """Return the keys of a key file; raises BadInput for another file or keys with a gap."""
    fields = fields_of(spelled)
    if fields.get("muniment") != "keys" or fields.get("version") != FORMAT_VERSION:
        raise BadInput("The file beside the export holds no keys of Muniment.")

    def made(f: Fields) -> VaultKeys:
        numbered = f["tombstone_keys"]
        if not isinstance(numbered, dict) or not numbered:
            raise TypeError
        keys = tuple((number, _raw(numbered, str(number))) for number in range(1, len(numbered) + 1))
        return VaultKeys(_text(f, "vault"), _raw(f, "vault_key"), keys)

    return _whole(made, fields)


def record_line(record: Record) -> bytes:
    """Return the line of a ledger record; its head is text, its row entries hexadecimal."""
    return line(
        {
            "row": "record",
            "position": record.position,
            "recorded": to_micros(record.recorded),
            "head": record.head.decode("latin-1"),
            "entries": record.rows.hex(),
        }
    )


def record_of(fields: Fields) -> Record:
    """Return the record of a line; raises BadInput for one that is not whole."""

    def made(f: Fields) -> Record:
        head = _text(f, "head").encode("latin-1")
        return Record(_number(f, "position"), _moment(f, "recorded"), head, _raw(f, "entries"))

    return _whole(made, fields)


def carried_line(carried: Carried) -> bytes:
    """Return the line of a committed row: its kind, its seal and every column."""
    name, spelled, _ = _KINDS[carried.code]
    seal = [carried.seal.salt.hex(), carried.seal.record, carried.seal.index]
    fields: dict[str, object] = {"row": name, "seal": seal, **spelled(carried.row)}
    if carried.digests:
        fields["digests"] = [digest.hex() for digest in carried.digests]
    return line(fields)


def carried_of(fields: Fields) -> Carried:
    """Return the row of a line; raises BadInput for an unknown kind or one that is not whole."""
    code = _CODES.get(str(fields.get("row")))
    if code is None:
        raise BadInput("A line of the export holds no known kind of row.")

    def made(f: Fields) -> Carried:
        seal = f["seal"]
        if not isinstance(seal, list) or len(seal) != 3 or not _are_numbers(seal[1:]):
            raise TypeError
        digests = tuple(bytes.fromhex(digest) for digest in _texts(f, "digests")) if "digests" in f else ()
        row = _KINDS[code][2](f)
        return Carried(code, row, Seal(bytes.fromhex(seal[0]), seal[1], seal[2]), digests)

    return _whole(made, fields)


def _whole(made: Callable[[Fields], "_T"], fields: Fields) -> "_T":
    try:
        return made(fields)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadInput("A line of the export lacks a column or holds a wrong one.") from error
