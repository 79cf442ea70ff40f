"""What does an export say, and is it whole?  Read line by line, checked before it is used."""

import base64
import binascii
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from muniment import limits
from muniment.domain import checkpoint
from muniment.domain.checkpoint import Checkpoint
from muniment.domain.erased_rows import StubRow
from muniment.domain.exchange import (
    Carried,
    Header,
    carried_of,
    fields_of,
    header_of,
    keys_of,
    record_of,
)
from muniment.domain.ledger import Record, grown, leaf_hash, root_of, unpacked
from muniment.domain.vault_keys import VaultKeys
from muniment.errors import BadInput, Tampered
from muniment.ports import Carrier
from muniment.service.seals import holds
from muniment.service.share import checkpoint_beside, keys_beside

_KEYS_BYTES_MAX = 1 << 20
LINE_BYTES_MAX = 12 * limits.evidence_text_characters_max + limits.line_bytes_max
"""Longest line: the longest evidence text in escapes, and everything beside it."""


@dataclass(frozen=True, slots=True)
class Signed:
    """Hold an export's checkpoint: the note, what it says, who signed, and of which file."""

    note: str
    checkpoint: Checkpoint
    public_key: bytes
    sha256: str


def signed_checkpoint(carrier: Carrier, path: Path) -> Signed:
    """Return the checkpoint beside an export, once its signature holds.

    Raises Unreadable when there is none, and Tampered when it does not hold.
    """
    with carrier.reading(checkpoint_beside(path)) as file:
        note = file.read(checkpoint.NOTE_CHARACTERS_MAX + 1).decode("utf-8", "replace")
    lines = dict(line.partition(" ")[::2] for line in checkpoint.body_of(note).splitlines())
    try:
        public_key = base64.b64decode(lines.get("key", ""), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Tampered("The export's checkpoint names no key.") from error
    found = checkpoint.verified(note, (public_key,), check=carrier.is_signed)
    return Signed(note, found, public_key, lines.get("export", "").removeprefix("sha256:"))


def vault_keys(carrier: Carrier, path: Path) -> VaultKeys:
    """Return the keys beside an export; raises Unreadable when they were left out."""
    with carrier.reading(keys_beside(path)) as file:
        return keys_of(file.read(_KEYS_BYTES_MAX))


def header_in(file: BinaryIO) -> Header:
    """Return what the first line of an open export says."""
    return header_of(file.readline(LINE_BYTES_MAX))


def read_lines(file: BinaryIO) -> Iterator[Record | Carried]:
    """Yield what the lines after the first hold; raises BadInput at the first that is not whole."""
    while spelled := file.readline(LINE_BYTES_MAX):
        yield parsed_line(spelled)


def parsed_line(spelled: bytes) -> Record | Carried:
    """Return what one line after the first holds; raises BadInput when it is not whole."""
    fields = fields_of(spelled)
    return record_of(fields) if fields.get("row") == "record" else carried_of(fields)


def checked_export(carrier: Carrier, path: Path, signed: Signed, *, keys: VaultKeys) -> Header:
    """Walk an export once; return its header when file, root and every row hold.

    Raises Tampered when the file is not the one that was signed, when its records do not
    make the signed root, or when a row is not the one that its record commits to.
    """
    digest = hashlib.sha256()
    with carrier.reading(path) as file:
        while part := file.read(1 << 20):
            digest.update(part)
        if digest.hexdigest() != signed.sha256:
            raise Tampered("The export is not the file that its checkpoint was made for.")
        file.seek(0)
        header = header_in(file)
        if (header.vault, header.size, header.root) != (
            signed.checkpoint.vault,
            signed.checkpoint.size,
            signed.checkpoint.root,
        ):
            raise Tampered("The export's first line is not what its checkpoint says.")
        if keys.vault != header.vault:
            raise BadInput("The keys beside the export are another vault's.")
        _check_log(file, header, keys.vault_key)
    return header


def _check_log(file: BinaryIO, header: Header, key: bytes) -> None:
    walk = _Walk(key)
    for one in read_lines(file):
        if isinstance(one, Record):
            walk.record(one)
        else:
            walk.row(one)
    walk.end()
    if (walk.size, root_of(walk.frontier)) != (header.size, header.root):
        raise Tampered("The records of the export do not make its root.")


class _Walk:
    """Check records and rows in their order; what a record made and no row holds waits for its stub.

    A row may only be missing because an erasure took it, and then a later record names it.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._record: Record | None = None
        self._here: set[int] = set()
        self._missing: dict[tuple[int, int], bytes] = {}
        self.frontier, self.size = b"", 0

    def record(self, record: Record) -> None:
        """Take in the next record."""
        self._leave()
        if record.position != self.size:
            raise Tampered("A record of the export is missing.")
        self.frontier = grown(self.frontier, self.size, leaf_hash(record.head, record.rows))
        self._record, self.size, self._here = record, self.size + 1, set()

    def row(self, one: Carried) -> None:
        """Take in the next row of the present record."""
        record, seal = self._record, one.seal
        if record is None or seal.record != record.position or not 0 <= seal.index < record.count:
            raise Tampered("A row of the export is not the one that its record commits to.")
        entry = unpacked(record.rows, seal.index).packed()
        if seal.index in self._here or not holds(self._key, one.row, seal, entry=entry):
            raise Tampered("A row of the export is not the one that its record commits to.")
        self._here.add(seal.index)
        if isinstance(one.row, StubRow):
            self._erased(one.row)

    def _erased(self, stub: StubRow) -> None:
        wanted = self._missing.pop((stub.record, stub.index), b"")
        if wanted != bytes((stub.code,)) + stub.entry_id:
            raise Tampered("A row of the export is there although it was erased.")

    def _leave(self) -> None:
        record = self._record
        if record is None or len(self._here) == record.count:
            return
        for index in set(range(record.count)) - self._here:
            self._missing[(record.position, index)] = unpacked(record.rows, index).packed()[:17]

    def end(self) -> None:
        """Refuse an export without a row that no erasure took: a restore would lose it for good."""
        self._leave()
        if self._missing:
            raise Tampered("A row that a record of the export made is missing.")
