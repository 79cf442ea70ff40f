"""How does the log prove itself and the rows?  RFC 6962 hashes over records (I6).

A record is a JSON head (ids, actions, labels, counts: never a remembered value) and one
fixed-width entry a row that it made.  Each entry commits to HMAC(vault key, salt ‖
canonical row), so nobody without the key can alter a row and redo its commitment.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from functools import lru_cache

from muniment.domain.quick import compact, quick
from muniment.domain.timeline import to_micros
from muniment.errors import Tampered

COMMITMENT_BYTES = 16
"""Length of a row commitment: HMAC-SHA-256 cut to 128 bits."""

SALT_BYTES = 12
"""Length of the random salt kept beside each row."""

ENTRY_BYTES = 1 + 16 + COMMITMENT_BYTES
"""Length of one row entry of a record: row code, id, commitment."""

HASH_BYTES = 32
"""Length of a tree hash: SHA-256."""

EMPTY_ROOT = hashlib.sha256(b"").digest()
"""Root of a tree without records (RFC 6962 section 2.1)."""

ROW_NUMBER_BITS = 40
"""Row numbers of a tenant begin at its number shifted by this many bits."""


class RowCode(IntEnum):
    """Number the kinds of committed rows; a number is never reused."""

    VERSION = 1
    EVIDENCE = 2
    LINK = 3
    TOMBSTONE = 4
    SESSION = 5
    RECALL = 6
    CREDENTIAL = 7
    SPACE = 8
    ACTOR = 9
    MATTER = 10
    STUB = 11
    CERTIFICATE = 12


@quick
@dataclass(frozen=True, slots=True)
class Seal:
    """Hold what binds a row to its record: salt, record position, index within it."""

    salt: bytes
    record: int
    index: int


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one row entry of a record."""

    code: RowCode
    id: bytes
    commitment: bytes

    def packed(self) -> bytes:
        """Return the entry's fixed-width bytes."""
        return entry_bytes(self.code, self.id, self.commitment)


def entry_bytes(code: RowCode, id: bytes, commitment: bytes) -> bytes:
    """Return the fixed-width bytes of a row entry."""
    return bytes((code,)) + id + commitment


@quick
@dataclass(frozen=True, slots=True)
class Record:
    """Hold one ledger record as it is stored: exact bytes, so that hashes can be redone."""

    position: int
    recorded: datetime
    head: bytes
    rows: bytes

    @property
    def count(self) -> int:
        """Return how many rows the record made."""
        return len(self.rows) // ENTRY_BYTES

    def entries(self) -> tuple[Entry, ...]:
        """Return the row entries in order."""
        return tuple(unpacked(self.rows, index) for index in range(self.count))

    def ids_of(self, code: RowCode) -> tuple[bytes, ...]:
        """Return the 16 bytes of the id of each row of one kind, in order."""
        starts = range(0, self.count * ENTRY_BYTES, ENTRY_BYTES)
        return tuple(self.rows[at + 1 : at + 17] for at in starts if self.rows[at] == code)

    def fields(self) -> dict[str, str | int | bool | None]:
        """Return the head's fields; raises Tampered for a head that spells none."""
        try:
            decoded: dict[str, str | int | bool | None] = json.loads(self.head)
        except (ValueError, RecursionError) as error:
            raise Tampered("A record of the log spells nothing that was ever written.") from error
        if not isinstance(decoded, dict):
            raise Tampered("A record of the log spells nothing that was ever written.")
        return decoded


@quick
@dataclass(frozen=True, slots=True)
class TenantHead:
    """Hold the sealed state of a tenant's log.

    `generation` counts acts on tombstones and `next_n` is the next free row number.
    `frontier` holds one tree hash for each set bit of `size`, the largest subtree first.
    """

    vault: str
    size: int
    frontier: bytes
    recorded: int
    next_n: int
    generation: int
    epoch: int
    analyser: str
    mac: bytes = b""

    def sealed_bytes(self) -> bytes:
        """Return the bytes that the head's MAC covers: every field but the MAC."""
        numbers = (self.recorded, self.next_n, self.generation, self.epoch)
        return head_bytes((self.vault, self.size, self.frontier, *numbers, self.analyser))

    @property
    def root(self) -> bytes:
        """Return the tree's root hash."""
        return root_of(self.frontier)


def head_bytes(fields: tuple[str, int, bytes, int, int, int, int, str]) -> bytes:
    """Return the bytes that a head's MAC covers, from its fields in their order."""
    vault, size, frontier, recorded, next_n, generation, epoch, analyser = fields
    named = f"head\n{vault}\n{analyser}\n{size}\n{recorded}\n{next_n}\n{generation}\n{epoch}"
    return named.encode() + frontier


def unpacked(rows: bytes, index: int) -> Entry:
    """Return entry `index` of a record's rows."""
    part = rows[index * ENTRY_BYTES : (index + 1) * ENTRY_BYTES]
    return Entry(RowCode(part[0]), part[1:17], part[17:])


def record_head(**fields: str | int | bool | None) -> bytes:
    """Return the exact bytes of a record's head: sorted ASCII keys, no spaces."""
    return _HEAD(fields).encode("ascii")


def leaf_hash(head: bytes, rows: bytes) -> bytes:
    """Return the leaf hash of a record (RFC 6962: SHA-256 over 0x00 and the bytes)."""
    return hashlib.sha256(b"\x00" + len(head).to_bytes(4, "big") + head + rows).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def grown(frontier: bytes, size: int, leaf: bytes) -> bytes:
    """Return the frontier after one more leaf."""
    node = leaf
    while size & 1:
        node = _node_hash(frontier[-HASH_BYTES:], node)
        frontier = frontier[:-HASH_BYTES]
        size >>= 1
    return frontier + node


def root_of(frontier: bytes) -> bytes:
    """Return the root that a frontier stands for."""
    if not frontier:
        return EMPTY_ROOT
    parts = [frontier[at : at + HASH_BYTES] for at in range(0, len(frontier), HASH_BYTES)]
    node = parts.pop()
    while parts:
        node = _node_hash(parts.pop(), node)
    return node


def _root_of_leaves(leaves: Sequence[bytes]) -> bytes:
    frontier = b""
    for size, leaf in enumerate(leaves):
        frontier = grown(frontier, size, leaf)
    return root_of(frontier)


def _split(count: int) -> int:
    return 1 << ((count - 1).bit_length() - 1)


def inclusion_proof(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Return the audit path of leaf `index` (RFC 6962 section 2.1.1)."""
    if len(leaves) <= 1:
        return ()
    split = _split(len(leaves))
    if index < split:
        return (*inclusion_proof(leaves[:split], index), _root_of_leaves(leaves[split:]))
    return (*inclusion_proof(leaves[split:], index - split), _root_of_leaves(leaves[:split]))


def included(leaf: bytes, index: int, size: int, *, path: Sequence[bytes], root: bytes) -> bool:
    """Return whether `path` shows that `leaf` stands at `index` of a tree of `size`."""
    node, position, last = leaf, index, size - 1
    if not 0 <= index < size:
        return False
    for step in path:
        if last == 0:
            return False
        if position & 1 or position == last:
            node = _node_hash(step, node)
            while not position & 1 and position:
                position >>= 1
                last >>= 1
        else:
            node = _node_hash(node, step)
        position >>= 1
        last >>= 1
    return last == 0 and node == root


def keyed(key: bytes, message: bytes) -> bytes:
    """Return the 32 bytes of HMAC-SHA-256.

    A write makes several under one key, and to set the key up takes longer than the hash:
    both halves (RFC 2104) are begun once, and each message goes on from copies.  A copy of
    the standard library's own object costs twice as much.
    """
    inner, outer = _begun(key)
    first, second = inner.copy(), outer.copy()
    first.update(message)
    second.update(first.digest())
    return second.digest()


@lru_cache(maxsize=16)
def _begun(key: bytes) -> "tuple[hashlib._Hash, hashlib._Hash]":
    """Return the hashes that have taken in the inner and the outer padded key."""
    block = (key if len(key) <= _BLOCK_BYTES else hashlib.sha256(key).digest()).ljust(_BLOCK_BYTES, b"\x00")
    inner, outer = (hashlib.sha256(block.translate(pad)) for pad in (_INNER, _OUTER))
    return inner, outer


_BLOCK_BYTES = 64
_INNER = bytes(code ^ 0x36 for code in range(256))
_OUTER = bytes(code ^ 0x5C for code in range(256))


def commitment(key: bytes, salt: bytes, row: bytes) -> bytes:
    """Return the keyed commitment of a canonical row."""
    return keyed(key, salt + row)[:COMMITMENT_BYTES]


def keyed_digest(key: bytes, purpose: bytes, text: str) -> bytes:
    """Return a 96-bit keyed digest of `text` for look-ups; `purpose` keeps uses apart."""
    return keyed(key, purpose + b"\x00" + text.encode("utf-8", "surrogatepass"))[:12]


def same_bytes(left: bytes, right: bytes) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(left, right)


def canonical_row(code: RowCode, values: Iterable[object]) -> bytes:
    """Return the one byte form of a row: a JSON array that starts with the row's code.

    Moments become microseconds and bytes become hexadecimal, so that two rows that differ
    in any committed field differ here.
    """
    return _ROW([int(code), *values]).encode("ascii")


def _plain_value(value: object) -> object:
    if isinstance(value, datetime):
        return to_micros(value)
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"{type(value).__name__} has no canonical form")


_HEAD = compact(json.JSONEncoder(sort_keys=True, separators=(",", ":")))
_ROW = compact(json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, default=_plain_value))
