"""How is a row spelled outside the store?  One JSON object a line, every column, both ways.

An export is lines of ASCII with sorted keys: a first line about the whole, then each
ledger record followed by the rows it made.  Moments are microseconds since 1970 and bytes
are hexadecimal, so that the same rows are always the same bytes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from muniment.domain.changes import Row
from muniment.domain.ledger import Record, RowCode, Seal
from muniment.domain.members import Fields, moment, number, raw, text, texts
from muniment.domain.row_columns import NAMES, columns, row_of
from muniment.domain.timeline import to_micros
from muniment.domain.vault_keys import VaultKeys
from muniment.errors import BadInput, MunimentError

T = TypeVar("T")

_CODES = {name: code for code, name in NAMES.items()}

FORMAT_VERSION = 1
"""Version of the form; a reader refuses a later one."""


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
        numbers = (number(f, "recorded"), number(f, "next_n"), number(f, "generation"))
        return Header(text(f, "vault"), number(f, "size"), raw(f, "root"), *numbers)

    return _whole(made, fields)


def keys_line(keys: VaultKeys) -> bytes:
    """Return the content of the key file beside an export."""
    numbered = {str(n): key.hex() for n, key in keys.tombstone_keys}
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
            raise TypeError("tombstone_keys")
        keys = tuple((n, raw(numbered, str(n))) for n in range(1, len(numbered) + 1))
        return VaultKeys(text(f, "vault"), raw(f, "vault_key"), keys)

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
        head = text(f, "head").encode("latin-1")
        return Record(number(f, "position"), moment(f, "recorded"), head, raw(f, "entries"))

    return _whole(made, fields)


def carried_line(carried: Carried) -> bytes:
    """Return the line of a committed row: its kind, its seal and every column."""
    code, members = columns(carried.row)
    seal = [carried.seal.salt.hex(), carried.seal.record, carried.seal.index]
    fields: dict[str, object] = {"row": NAMES[code], "seal": seal, **members}
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
        if not isinstance(seal, list) or len(seal) != 3:
            raise TypeError("seal")
        parts = dict(zip(("salt", "record", "index"), seal, strict=True))
        bound = Seal(raw(parts, "salt"), number(parts, "record"), number(parts, "index"))
        digests = tuple(bytes.fromhex(digest) for digest in texts(f, "digests")) if "digests" in f else ()
        return Carried(code, row_of(code, f), bound, digests)

    return _whole(made, fields)


def _whole(made: Callable[[Fields], T], fields: Fields) -> T:
    try:
        return made(fields)
    except (KeyError, TypeError, ValueError, OverflowError, MunimentError) as error:
        raise BadInput("A line of the export lacks a column or holds a wrong one.") from error
