"""What can be worked out before the lock is taken?  Characters, keys, terms, vectors."""

from dataclasses import dataclass, replace

from muniment.domain.canonical import has_non_ascii_letters, look_alike, name_key, plain
from muniment.domain.changes import IndexEntry
from muniment.domain.ledger import keyed_digest
from muniment.domain.memory import Claim, Digests, findable_text
from muniment.domain.tombstone import Keys
from muniment.gate.characters import checked
from muniment.gate.verdict import BadCharacter
from muniment.service.ground import Ground

_JOINT = "\x1f"
"""Stands between the parts of a slot; no text that passed the gate holds it."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Hold a claim as it will be stored and everything derived from it alone.

    `digests` find sameness and slot.  `plain_digests` and `disguise_digests` are looked
    up among the tombstones; both are empty until they are asked for.
    """

    claim: Claim
    tags: tuple[str, ...]
    digests: Digests
    bad_character: BadCharacter | None
    index: IndexEntry
    embedder_failed: bool = False


def prepared(ground: Ground, claim: Claim, tags: tuple[str, ...]) -> Prepared:
    """Return a claim, checked and cleaned, with its digests, terms and vector.

    Tags that are one key under case folding are kept once, in their first spelling.
    """
    kept: dict[str, str] = {}
    parts = (
        ("text", claim.text),
        ("about", claim.about),
        ("attribute", claim.attribute),
        ("value", claim.value),
    )
    bad: BadCharacter | None = None
    cleaned: dict[str, str] = {}
    for part, text in (*((part, text) for part, text in parts if text), *(("tag", tag) for tag in tags)):
        found = checked(text)
        if found.refused is not None and bad is None:
            bad = BadCharacter(part, found.refused.code_point, found.refused.offset, found.refused.rule)
        if part == "tag":
            kept.setdefault(name_key(found.text), found.text.strip())
        else:
            cleaned[part] = found.text if part == "text" else found.text.strip()
    whole = claim if all(cleaned[part] == text for part, text in parts if text) else _cleaned(claim, cleaned)
    if bad is not None:
        return Prepared(whole, tuple(kept.values()), Digests(b""), bad, IndexEntry())
    entry, failed = index_entry(ground, findable_text(whole, tuple(kept.values())), whole.text)
    return Prepared(whole, tuple(kept.values()), digests_of(ground, whole), None, entry, failed)


def _cleaned(claim: Claim, parts: dict[str, str]) -> Claim:
    return replace(
        claim,
        text=parts.get("text", claim.text),
        about=parts.get("about", ""),
        attribute=parts.get("attribute", ""),
        value=parts.get("value", ""),
    )


def index_entry(ground: Ground, text: str, meaning: str) -> tuple[IndexEntry, bool]:
    """Return terms of `text` and the vector of `meaning`, and whether the embedder failed."""
    vector, failed = ground.vector_of(meaning)
    return IndexEntry(ground.outside.analyser.terms(text), vector), failed


def slot_text(claim: Claim) -> str:
    """Return the canonical text of a claim's slot, empty for free text."""
    if not claim.keyed:
        return ""
    return name_key(claim.about) + _JOINT + name_key(claim.attribute)


def digests_of(ground: Ground, claim: Claim) -> Digests:
    """Return the digests by which the same value and the same slot are found."""
    slot = slot_text(claim)
    value = slot + _JOINT + plain(claim.said) if slot else plain(claim.text)
    return Digests(ground.digest(b"value", value), ground.digest(b"slot", slot) if slot else b"")


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
