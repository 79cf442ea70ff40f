"""What proves an erasure to someone who has nothing else?  A signed note, without the value.

The first line names the log, the others are a word and what it says.  A certificate holds
ids, counts and times; never a value, a name or a digest of either that needs no key.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from muniment import limits
from muniment.domain import checkpoint
from muniment.domain.checkpoint import Check, exact, exact_moment
from muniment.domain.ids import is_id
from muniment.errors import Tampered

_ENDING = "/erasure/v1"
_IDS_A_LINE = 20


class Status(StrEnum):
    """Name how far an erasure has come: out of reach, or out of the files too."""

    LOGICAL = "logical"
    STORAGE_COMPLETE = "storage-complete"


@dataclass(frozen=True, slots=True)
class Store:
    """Hold what was done to one store: rows found, taken away, and looked for afterwards in vain."""

    name: str
    found: int
    deleted: int
    absent: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """Hold what a certificate says.

    `origin`, `size` and `root` are the log's with the erasure on record.  `steps` are the
    storage steps that were done and `uncovered` what is not reached, each with until when.
    `key` is the public key that signed, as base 64 text, and `note` the signed note itself.
    """

    id: str
    origin: str
    size: int
    root: str
    tenant: str
    spaces: tuple[int, ...]
    requester: str
    basis: str
    requested: datetime
    logical: datetime
    storage: datetime | None
    memories: tuple[str, ...]
    evidence: tuple[str, ...]
    stores: tuple[Store, ...]
    tombstones: int
    tombstone_key: int
    steps: tuple[str, ...]
    status: Status
    uncovered: tuple[str, ...]
    key: str
    note: str = field(default="", repr=False, compare=False)

    def completed(self, at: datetime, steps: Sequence[str], uncovered: Sequence[str] = ()) -> "Certificate":
        """Return the certificate of the same erasure once its bytes are gone, not yet signed."""
        return replace(
            self,
            storage=at,
            steps=tuple(dict.fromkeys((*self.steps, *steps))),
            status=Status.STORAGE_COMPLETE,
            uncovered=tuple(dict.fromkeys((*self.uncovered, *uncovered))),
            note="",
        )


def body(certificate: Certificate) -> str:
    """Return the text that is signed; it ends in a newline."""
    one = certificate
    lines = [
        f"{one.origin}{_ENDING}",
        f"id {one.id}",
        f"status {one.status.value}",
        f"log {one.origin} {one.size} {one.root}",
        f"tenant {one.tenant}",
        f"spaces {_listed(map(str, one.spaces))}",
        f"requester {one.requester}",
        f"basis {one.basis}",
        f"requested {exact(one.requested)}",
        f"logical {exact(one.logical)}",
        f"storage {exact(one.storage) if one.storage else 'pending'}",
        *_ids("memories", one.memories),
        *_ids("evidence", one.evidence),
        *(
            f"store {each.name} found {each.found} deleted {each.deleted} absent {each.absent}"
            for each in one.stores
        ),
        f"tombstones {one.tombstones} key {one.tombstone_key}",
        *(f"step {step}" for step in one.steps),
        *(f"uncovered {what}" for what in one.uncovered),
        f"key {one.key}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _listed(values: Iterable[str]) -> str:
    return ",".join(values) or "none"


def _ids(word: str, ids: Sequence[str]) -> list[str]:
    return [
        f"{word} {_listed(ids[start : start + _IDS_A_LINE])}"
        for start in range(0, max(1, len(ids)), _IDS_A_LINE)
    ]


def note_of(certificate: Certificate, public_key: bytes, signature: bytes) -> str:
    """Return the signed note of a certificate."""
    line = checkpoint.signature_line(certificate.origin, public_key, signature)
    return checkpoint.note(body(certificate), (line,))


def parsed(note: str) -> Certificate:
    """Return what a certificate says, without asking who signed it.

    Raises Tampered for anything that is not a certificate of ours in its one spelling.
    """
    text = checkpoint.body_of(note, characters_max=limits.certificate_characters_max)
    lines = text.splitlines()
    fields: dict[str, list[str]] = {}
    for line in lines[1:]:
        word, _, rest = line.partition(" ")
        fields.setdefault(word, []).append(rest)
    try:
        found = _read(lines[0], fields)
    except (KeyError, ValueError, IndexError) as error:
        raise Tampered("This is not a certificate of an erasure.") from error
    if body(found) != text:
        raise Tampered("The certificate is not in its one spelling.")
    return replace(found, note=note)


def _read(first: str, fields: Mapping[str, list[str]]) -> Certificate:
    def one(word: str) -> str:
        (value,) = fields[word]
        return value

    origin, size, root = one("log").split(" ")
    if first != origin + _ENDING or not is_id(one("id")):
        raise ValueError("first line")
    tombstones, _, key_id = one("tombstones").split(" ")
    return Certificate(
        id=one("id"),
        origin=origin,
        size=int(size),
        root=root,
        tenant=one("tenant"),
        spaces=tuple(int(space) for space in _items(one("spaces"))),
        requester=one("requester"),
        basis=one("basis"),
        requested=exact_moment(one("requested")),
        logical=exact_moment(one("logical")),
        storage=None if one("storage") == "pending" else exact_moment(one("storage")),
        memories=tuple(id for line in fields["memories"] for id in _items(line)),
        evidence=tuple(id for line in fields["evidence"] for id in _items(line)),
        stores=tuple(_store(line) for line in fields.get("store", ())),
        tombstones=int(tombstones),
        tombstone_key=int(key_id),
        steps=tuple(fields.get("step", ())),
        status=Status(one("status")),
        uncovered=tuple(fields.get("uncovered", ())),
        key=one("key"),
    )


def _items(line: str) -> tuple[str, ...]:
    return () if line == "none" else tuple(line.split(","))


def _store(line: str) -> Store:
    name, _, found, _, deleted, _, absent = line.split(" ")
    return Store(name, int(found), int(deleted), int(absent))


def verified(note: str, public_keys: Iterable[bytes], *, check: Check) -> Certificate:
    """Return what a certificate says, once one of `public_keys` is shown to have signed it.

    Raises Tampered when none has, or when the note is no certificate.
    """
    found = parsed(note)
    bound = limits.certificate_characters_max
    for public_key in public_keys:
        if checkpoint.is_signed_by(note, found.origin, public_key, check=check, characters_max=bound):
            return found
    raise Tampered("The certificate's signature does not hold.")
