"""What can be worked out before the lock is taken?  Characters, keys, terms, vectors."""

from dataclasses import dataclass, replace

from muniment import limits
from muniment.domain.canonical import name_key, plain, slot_key
from muniment.domain.changes import IndexEntry
from muniment.domain.memory import Claim, Digests, findable_text
from muniment.domain.quick import quick
from muniment.gate.characters import checked
from muniment.gate.verdict import BadCharacter
from muniment.service.contents import NOTHING, Content, content_of
from muniment.service.ground import Ground

_JOINT = "\x1f"
"""Stands between the parts of a slot; no text that passed the gate holds it."""


@quick
@dataclass(frozen=True, slots=True)
class Prepared:
    """Hold a claim as it will be stored and everything derived from it alone.

    `digests` find sameness and slot; `content` are the known phrases and secrets in it.
    """

    claim: Claim
    tags: tuple[str, ...]
    digests: Digests
    bad_character: BadCharacter | None
    index: IndexEntry
    embedder_failed: bool = False
    content: Content = NOTHING


def prepared(ground: Ground, claim: Claim, tags: tuple[str, ...]) -> Prepared:
    """Return a claim, checked and cleaned, with its digests, terms and vector.

    Tags that are one key under case folding are kept once, in their first spelling.
    """
    if len(claim.text) > limits.memory_text_characters_max:
        # The gate refuses it by its length alone; working out the rest would take a minute.
        return Prepared(claim, tags, Digests(b""), None, IndexEntry())
    if not (tags or claim.about or claim.attribute or claim.value):
        found = checked(claim.text)
        if found.refused is None:
            return _of_text(ground, claim if found.text == claim.text else replace(claim, text=found.text))
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
    tags = tuple(kept.values())
    entry, failed = index_entry(ground, findable_text(whole, tags), whole.text)
    return Prepared(
        whole,
        tags,
        digests_of(ground, whole),
        None,
        entry,
        failed,
        content=content_of(whole, tags, ground.outside.sieve),
    )


def _of_text(ground: Ground, claim: Claim) -> Prepared:
    """Return a clean claim that has nothing but its text, as most have."""
    entry, failed = index_entry(ground, claim.text, claim.text)
    digests = Digests(ground.digest(b"value", plain(claim.text)))
    return Prepared(
        claim, (), digests, None, entry, failed, content=content_of(claim, (), ground.outside.sieve)
    )


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
    return IndexEntry(ground.outside.analyser.indexed(text), vector), failed


def slot_text(claim: Claim) -> str:
    """Return the canonical text of a claim's slot, empty for free text."""
    if not claim.keyed:
        return ""
    return slot_key(claim.about) + _JOINT + slot_key(claim.attribute)


def digests_of(ground: Ground, claim: Claim) -> Digests:
    """Return the digests by which the same value and the same slot are found."""
    slot = slot_text(claim)
    value = slot + _JOINT + plain(claim.said) if slot else plain(claim.text)
    return Digests(ground.digest(b"value", value), ground.digest(b"slot", slot) if slot else b"")
