"""Under which digests would a tombstone of this be found?  Those of rejected and erased values (I4)."""

from dataclasses import dataclass

from muniment.domain.canonical import has_non_ascii_letters, look_alike, plain
from muniment.domain.ledger import keyed_digest
from muniment.domain.memory import Claim
from muniment.domain.tombstone import Keys
from muniment.service.ground import Ground

_JOINT = "\x1f"
"""Stands between the parts of a slot; no text that passed the gate holds it."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Hold the digests that a claim is looked up by among tombstones.

    A hit in `plain` is the value itself, one in `disguised` looks like it.
    """

    plain: tuple[bytes, ...]
    disguised: tuple[bytes, ...]


_FREE, _OF_KEYED, _IN_SLOT, _VALUE = b"free", b"keyed", b"slot", b"value"
"""Purposes of tombstone digests: a free text; the text of a keyed claim; that text within
its slot; the slot's value."""


def _keys(key: bytes, purpose: bytes, text: str, *, slot: str = "") -> Keys:
    folded, skeleton = look_alike(text)
    front = slot + _JOINT if slot else ""
    return Keys(
        keyed_digest(key, purpose + b":p", front + plain(text)),
        keyed_digest(key, purpose + b":f", front + folded),
        keyed_digest(key, purpose + b":s", front + skeleton),
    )


def _disguise_slots(claim: Claim) -> tuple[str, ...]:
    """Return the slot in its look-alike forms, so that a disguised slot is the same slot.

    Folding first finds other cases, the skeleton first what looks like a capital.
    """
    about, attribute = look_alike(claim.about), look_alike(claim.attribute)
    forms = (first + _JOINT + second for first, second in zip(about, attribute, strict=True))
    return tuple(dict.fromkeys(forms))


def all_tombstone_keys(ground: Ground) -> tuple[tuple[int, bytes], ...]:
    """Return every tombstone key in use, the present one first; old ones stay for matching."""
    keyring = ground.outside.keyring
    return ((keyring.key_id, keyring.tombstone_key), *keyring.old_tombstone_keys)


def watched(ground: Ground, claim: Claim) -> Watch:
    """Return the digests under which a rejection of this claim would be found."""
    keys: list[Keys] = []
    for _, key in all_tombstone_keys(ground):
        keys.append(_keys(key, _FREE, claim.text))
        if claim.keyed:
            for slot in _disguise_slots(claim):
                keys.append(_keys(key, _VALUE, claim.said, slot=slot))
                keys.append(_keys(key, _IN_SLOT, claim.text, slot=slot))
        else:
            keys.append(_keys(key, _OF_KEYED, claim.text))
    return Watch(
        tuple(one.plain for one in keys),
        tuple(digest for one in keys for digest in (one.folded, one.skeleton)),
    )


def rejection_keys(ground: Ground, claim: Claim) -> tuple[Keys, tuple[bytes, ...]]:
    """Return the main keys of a rejected claim and every digest its tombstone is found by.

    A keyed claim is rejected for its slot: its value there, its text there, and its text
    as a free statement.  Another slot may hold the same value.
    """
    key = ground.outside.keyring.tombstone_key
    if not claim.keyed:
        main = _keys(key, _FREE, claim.text)
        return main, main.all
    found = [_keys(key, _OF_KEYED, claim.text)]
    for slot in _disguise_slots(claim):
        found += [_keys(key, _VALUE, claim.said, slot=slot), _keys(key, _IN_SLOT, claim.text, slot=slot)]
    return found[1], tuple(dict.fromkeys(digest for one in found for digest in one.all))


def slot_tombstone_digest(ground: Ground, claim: Claim) -> bytes:
    """Return the keyed digest of the slot that a tombstone is scoped to, empty for free text."""
    if not claim.keyed:
        return b""
    return keyed_digest(ground.outside.keyring.tombstone_key, b"slot", _disguise_slots(claim)[0])


def non_ascii(claim: Claim) -> bool:
    """Return whether a claim holds letters beyond ASCII, where a look-alike is a disguise."""
    return any(
        has_non_ascii_letters(part) for part in (claim.text, claim.value, claim.about, claim.attribute)
    )
