"""What does a checkpoint say, and how is it signed?  A signed note that anyone can verify.

The form is the open one of transparency logs (C2SP tlog-checkpoint and signed-note): the
log's origin, its size and its root, then lines of ours, an empty line and signatures.
Ours say when (`at`), and for a new epoch which head it follows and why.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from muniment.domain.ledger import HASH_BYTES
from muniment.errors import BadInput, Tampered

Check = Callable[[bytes, bytes, bytes], bool]
"""Says whether, for a public key, a signature and a message, the signature holds."""

NOTE_CHARACTERS_MAX = 8_000
"""Longest note that is read; ours have about 300."""

_KEY_HASH_BYTES = 4
_ED25519 = b"\x01"
_ORIGIN = re.compile(r"muniment/(?P<vault>[A-Za-z0-9_-]{1,64})/(?P<epoch>[1-9][0-9]{0,8})")
_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")
_WHY = re.compile(r"[a-z][a-z-]{0,39}")
_MARK = "\u2014 "


@dataclass(frozen=True, slots=True)
class Head:
    """Hold a state of a log: its origin, how many records it had and its root."""

    origin: str
    size: int
    root: bytes

    @property
    def vault(self) -> str:
        """Return the vault's id."""
        return self.origin.split("/")[1]

    @property
    def epoch(self) -> int:
        """Return the number of the log's epoch, from 1."""
        return int(self.origin.split("/")[2])


@dataclass(frozen=True, slots=True)
class Checkpoint(Head):
    """Hold a head as it was seen at a moment.

    `follows` is the head that a new epoch leaves behind and `why` one word for it; both
    are empty on an ordinary checkpoint.
    """

    at: datetime
    follows: Head | None = None
    why: str = ""


def origin_of(vault: str, epoch: int) -> str:
    """Return the name of a vault's log in one epoch.

    Raises BadInput for an id that would not stay one word in a note.
    """
    origin = f"muniment/{vault}/{epoch}"
    if not _ORIGIN.fullmatch(origin):
        raise BadInput("The vault's id or its epoch cannot stand in a checkpoint.")
    return origin


def key_hash(name: str, public_key: bytes) -> bytes:
    """Return the 4 bytes that say which key of `name` signed (C2SP signed-note, Ed25519)."""
    named = name.encode() + b"\n" + _ED25519 + public_key
    return hashlib.sha256(named).digest()[:_KEY_HASH_BYTES]


def body(checkpoint: Checkpoint) -> str:
    """Return the text that is signed; it ends in a newline.

    Raises BadInput for a `why` that is not one lower-case word: a note can never be
    erased, so it has no room for free text.
    """
    lines = [*_head_lines(checkpoint), f"at {exact(checkpoint.at)}"]
    if checkpoint.follows is not None:
        lines.append("follows " + " ".join(_head_lines(checkpoint.follows)))
    if checkpoint.why:
        if not _WHY.fullmatch(checkpoint.why):
            raise BadInput("The reason of a new epoch is one lower-case word.")
        lines.append(f"why {checkpoint.why}")
    return "".join(f"{line}\n" for line in lines)


def rotation_body(vault: str, *, old: bytes, new: bytes, at: datetime) -> str:
    """Return the text with which the old signing key hands over to the new one."""
    lines = (
        f"muniment/{vault}/key-rotation/v1",
        f"old {_text(old)}",
        f"new {_text(new)}",
        f"at {exact(at)}",
    )
    return "".join(f"{line}\n" for line in lines)


def signature_line(name: str, public_key: bytes, signature: bytes) -> str:
    """Return the line that carries one signature."""
    return f"{_MARK}{name} {_text(key_hash(name, public_key) + signature)}\n"


def note(signed_body: str, lines: Iterable[str]) -> str:
    """Return a signed note: body, empty line, signature lines."""
    return signed_body + "\n" + "".join(lines)


def body_of(signed_note: str, *, characters_max: int = NOTE_CHARACTERS_MAX) -> str:
    """Return the signed text of a note, its last newline included.

    Raises Tampered for a text without a body and at least one signature line.
    """
    text, gap, signatures = signed_note.partition("\n\n")
    if not gap or not signatures.startswith(_MARK) or len(signed_note) > characters_max:
        raise Tampered("This is not a signed note.")
    return text + "\n"


def parsed(signed_note: str) -> Checkpoint:
    """Return what a checkpoint says, without asking who signed it.

    Lines it does not know are passed over.  Raises Tampered for anything that is not a
    checkpoint of ours in its one spelling.
    """
    lines = body_of(signed_note).splitlines()
    if len(lines) < 4:
        raise Tampered("The checkpoint lacks a line.")
    head = _head(lines[:3])
    fields = dict(line.partition(" ")[::2] for line in reversed(lines[3:]))
    follows = _head(fields["follows"].split(" ")) if "follows" in fields else None
    at = exact_moment(fields.get("at", ""))
    return Checkpoint(head.origin, head.size, head.root, at, follows, fields.get("why", ""))


def is_signed_by(
    signed_note: str, name: str, public_key: bytes, *, check: Check, characters_max: int = NOTE_CHARACTERS_MAX
) -> bool:
    """Return whether a note carries a good signature of `name` by `public_key`.

    Raises Tampered for a text that is no note.
    """
    message = body_of(signed_note, characters_max=characters_max).encode()
    wanted = f"{_MARK}{name} "
    for line in signed_note.partition("\n\n")[2].splitlines():
        if not line.startswith(wanted):
            continue
        signed = _bytes(line.removeprefix(wanted))
        if signed[:_KEY_HASH_BYTES] == key_hash(name, public_key):
            return check(public_key, signed[_KEY_HASH_BYTES:], message)
    return False


def verified(signed_note: str, public_keys: Iterable[bytes], *, check: Check) -> Checkpoint:
    """Return what a checkpoint says, once one of `public_keys` is shown to have signed it.

    Raises Tampered when none has, or when the note is not a checkpoint.
    """
    checkpoint = parsed(signed_note)
    for public_key in public_keys:
        if is_signed_by(signed_note, checkpoint.origin, public_key, check=check):
            return checkpoint
    raise Tampered("The checkpoint's signature does not hold.")


def _head_lines(head: Head) -> tuple[str, str, str]:
    return head.origin, str(head.size), _text(head.root)


def _head(lines: list[str]) -> Head:
    if len(lines) != 3 or not _ORIGIN.fullmatch(lines[0]) or not _SIZE.fullmatch(lines[1]):
        raise Tampered("The checkpoint names no log of a vault, or no size.")
    root = _bytes(lines[2])
    if len(root) != HASH_BYTES:
        raise Tampered("The checkpoint's root has the wrong length.")
    return Head(lines[0], int(lines[1]), root)


def exact(moment: datetime) -> str:
    """Return the one spelling of a moment in a note: UTC, microseconds, `Z`."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def exact_moment(text: str) -> datetime:
    """Return the moment of its one spelling; raises Tampered for any other text."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Tampered("The checkpoint does not say when it was made.") from error
    if moment.tzinfo is None or exact(moment) != text:
        raise Tampered("The checkpoint's time is not in its one spelling.")
    return moment


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _bytes(text: str) -> bytes:
    """Return what base 64 stands for, in its one spelling only."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Tampered("The note holds a value that is not base 64.") from error
    if _text(content) != text:
        raise Tampered("The note holds a value that is not in its one spelling.")
    return content
