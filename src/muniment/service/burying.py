"""Under which digests and anchors is a rejected or erased value buried?  No clear text is kept (I4)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from muniment.domain.anchors import anchor_of, joined
from muniment.domain.canonical import NORMALISER, keeps_article, look_alike, plain
from muniment.domain.common_words import says_enough
from muniment.domain.escapes import as_shown
from muniment.domain.identifiers import identifier_form, identifiers_in
from muniment.domain.ledger import keyed_digest
from muniment.domain.memory import Claim
from muniment.domain.mention import wanted
from muniment.domain.tokens import CHARACTERS_WITHIN_MIN, is_found_within, plain_run, spans_of, tokens_of
from muniment.domain.tombstone import Keys, Tombstone, TombstoneKind
from muniment.service.draft import Draft
from muniment.service.ground import Ground

JOINT = "\x1f"
"""Stands between the parts of a slot; no text that passed the gate holds it."""

FREE, OF_KEYED, IN_SLOT, VALUE = b"free", b"keyed", b"slot", b"value"
"""Purposes of tombstone digests: a free text; the text of a keyed claim; that text within
its slot; the slot's value."""

IDENTIFIER, TOKEN = b"identifier", b"token"
"""Purposes of digests of one identifier or one long token, wherever it stands."""

PIECES = b"pieces"
"""Purpose of the words of an erased identifier: whatever parts them, but never in a longer one."""


class Use(NamedTuple):
    """Name under which purpose a text is looked up, and within which slot."""

    purpose: bytes
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """Hold one thing that may not come back: a text, or the value of a slot.

    A text of four tokens, twenty characters, or one that is an identifier is caught inside longer
    texts, too; a shorter one only when it is all that a part says.
    """

    text: str
    about: str = ""
    attribute: str = ""


class Blocked(NamedTuple):
    """Hold a tombstone and what it is found by, as `Draft.add_tombstone` takes them."""

    tombstone: Tombstone
    found_by: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Grave:
    """Say what was erased: the id that stood for the value, its space, who did it and why."""

    memory: str
    space: int
    actor: int
    reason: str = ""


def erased_tombstones(draft: Draft, terms: Iterable[Term], grave: Grave) -> tuple[Blocked, ...]:
    """Return the tombstones of erased terms, one each, counted in the draft's generation.

    An erased value counts in the whole tenant.  Hand each to `Draft.add_tombstone`.  Terms that
    say nothing are passed over, and one given twice is buried once.
    """
    ground, made = draft.ground, list[Blocked]()
    for term in dict.fromkeys(terms):
        if not plain(term.text):
            continue
        draft.generation += 1
        claim = Claim(term.text, term.about, term.attribute, term.text if term.about else "")
        keys, found_by = _term_keys(ground, term, claim)
        tombstone = Tombstone(
            id=ground.outside.ids.new("t"),
            memory=grave.memory,
            space=grave.space,
            kind=TombstoneKind.ERASED,
            keys=keys,
            slot=slot_tombstone_digest(ground, claim),
            key_id=ground.outside.keyring.key_id,
            normaliser=NORMALISER,
            generation=draft.generation,
            actor=grave.actor,
            recorded=draft.recorded,
            reason=grave.reason,
        )
        made.append(Blocked(tombstone, found_by))
    return tuple(made)


def rejection_keys(ground: Ground, claim: Claim) -> tuple[Keys, tuple[bytes, ...]]:
    """Return the main keys of a rejected claim, and all that its tombstone is found by.

    A keyed claim is rejected for its slot: its value there, its text there, and its text
    as a free statement.  Another slot may hold the same value.
    """
    key = ground.outside.keyring.tombstone_key
    if claim.keyed:
        values = tuple(Use(VALUE, slot) for slot in disguise_slots(claim))
        texts = (Use(OF_KEYED), *(Use(IN_SLOT, slot) for slot in disguise_slots(claim)))
        buried = [(values, claim.said), (texts, claim.text)]
    else:
        buried = [((Use(FREE),), claim.text)]
    every = [(uses, said) for uses, text in buried for said in _readings(text)]
    found = [keys_of(key, use, said) for uses, said in every for use in uses]
    anchors = (anchor for uses, said in every for anchor in _telling_anchors(key, uses, said))
    return found[0], _once((*(digest for one in found for digest in one.all), *anchors))


def all_tombstone_keys(ground: Ground) -> tuple[tuple[int, bytes], ...]:
    """Return every tombstone key in use, the present one first; old ones stay for matching."""
    keyring = ground.outside.keyring
    return ((keyring.key_id, keyring.tombstone_key), *keyring.old_tombstone_keys)


def slot_tombstone_digest(ground: Ground, claim: Claim) -> bytes:
    """Return the keyed digest of the slot that a tombstone is scoped to, empty for free text."""
    if not claim.keyed:
        return b""
    return keyed_digest(ground.outside.keyring.tombstone_key, b"slot", disguise_slots(claim)[0])


def _term_keys(ground: Ground, term: Term, claim: Claim) -> tuple[Keys, tuple[bytes, ...]]:
    key = ground.outside.keyring.tombstone_key
    uses = tuple(Use(VALUE, slot) for slot in disguise_slots(claim)) if claim.keyed else (Use(FREE),)
    found: list[Keys] = []
    found_by: list[bytes] = []
    for said in _readings(term.text):
        keys = [keys_of(key, use, said) for use in uses]
        found += keys
        found_by += (digest for one in keys for digest in one.all)
        if not claim.keyed:
            found_by += (keyed_digest(key, TOKEN, token) for token in _long_tokens(said, alone=True))
            form = identifier_form(said)
            if form:
                found_by += (keyed_digest(key, IDENTIFIER, form), *_anchors_of_identifier(key, said))
                continue
        found_by += _anchors(key, uses, said)
    return found[0], _once(found_by)


def keys_of(key: bytes, use: Use, text: str) -> Keys:
    """Return the digests of a whole text for one use."""
    folded, skeleton = look_alike(text)
    front = use.slot + JOINT if use.slot else ""
    return Keys(
        keyed_digest(key, use.purpose + b":p", front + plain(text)),
        keyed_digest(key, use.purpose + b":f", front + folded),
        keyed_digest(key, use.purpose + b":s", front + skeleton),
    )


def disguised_digests(key: bytes, uses: Sequence[Use], text: str) -> Iterator[bytes]:
    """Yield the digests of a text's look-alike forms; the plain one is only needed at a hit."""
    folded, skeleton = look_alike(text)
    for use in uses:
        front = use.slot + JOINT if use.slot else ""
        yield keyed_digest(key, use.purpose + b":f", front + folded)
        yield keyed_digest(key, use.purpose + b":s", front + skeleton)


def _readings(text: str) -> tuple[str, ...]:
    """Return a text as it stands and, where escapes spell some of it, as they say it."""
    read = as_shown(text)
    return (text,) if read is None else (text, read.text)


def disguise_slots(claim: Claim) -> tuple[str, ...]:
    """Return the slot in its look-alike forms, so that a disguised slot is the same slot.

    Folding first finds other cases, the skeleton first what looks like a capital.  A slot whose
    parts are spelled by escapes or begin with an article has the forms without them, too.
    """
    forms = _slot_forms(claim.about, claim.attribute)
    about, attribute = _bare_name(claim.about), _bare_name(claim.attribute)
    if (about, attribute) != (claim.about, claim.attribute):
        forms += _slot_forms(about, attribute)
    return forms if len(forms) == 1 else tuple(dict.fromkeys(forms))


def _slot_forms(about: str, attribute: str) -> tuple[str, ...]:
    first, second = look_alike(about), look_alike(attribute)
    folded, skeleton = first[0] + JOINT + second[0], first[1] + JOINT + second[1]
    return (folded,) if folded == skeleton else (folded, skeleton)


def _bare_name(name: str) -> str:
    """Return a name without escapes and the articles before it, unless it is nothing or another then."""
    read = _readings(name)[-1]
    return read if read[:1] not in _BEGIN_OF_ARTICLE or keeps_article(read) else _ARTICLES.sub("", read)


_BEGIN_OF_ARTICLE = frozenset("tTaA \t\n")
_ARTICLES = re.compile(r"^\s*(?:(?:the|an?)\s+)+(?=\S)", re.IGNORECASE)


def _anchors(key: bytes, uses: Sequence[Use], text: str) -> Iterator[bytes]:
    """Yield the packed anchors of a value that is long enough to be looked for in longer texts."""
    if is_found_within(text, len(tokens_of(text).first)):
        yield from _packed(key, uses, text, run=plain_run(text, spans_of(text)))


def _anchors_of_identifier(key: bytes, text: str) -> Iterator[bytes]:
    """Yield the packed anchors of an identifier of several words, however short it is."""
    if len(tokens_of(text).first) > 1:
        yield from _packed(key, (Use(PIECES),), text, run=wanted(text).joined)


def _packed(key: bytes, uses: Sequence[Use], text: str, *, run: str) -> Iterator[bytes]:
    tokens = tokens_of(text)
    for use in uses:
        exact = plain_digest(key, use, run)
        for form in (tokens.first,) if tokens.first == tokens.second else (tokens.first, tokens.second):
            yield anchor_of(key, form, disguised=within_digest(key, use, form), plain=exact).packed()


def _telling_anchors(key: bytes, uses: Sequence[Use], text: str) -> Iterator[bytes]:
    """Yield the anchors of a rejected value that says something of its own.

    A rejected "it means a lot to me" would else refuse what many people say; an erased value is
    looked for whatever its words are.
    """
    return _anchors(key, uses, text) if says_enough(text) else iter(())


def within_digest(key: bytes, use: Use, tokens: list[str]) -> bytes:
    """Return the digest of a stretch of look-alike tokens for one use."""
    return keyed_digest(key, use.purpose + b":w", use.slot + JOINT + joined(tokens))


def plain_digest(key: bytes, use: Use, run: str) -> bytes:
    """Return the digest of a stretch in its plain form for one use."""
    return keyed_digest(key, use.purpose + b":r", use.slot + JOINT + run)


def _long_tokens(text: str, *, alone: bool = False) -> list[str]:
    """Return tokens that are long enough to be looked for one by one; `alone`: if it is the only one."""
    tokens = tokens_of(text).first
    if alone and len(tokens) != 1:
        return []
    if max(map(len, tokens), default=0) < CHARACTERS_WITHIN_MIN:
        return []
    return [token for token in tokens if len(token) >= CHARACTERS_WITHIN_MIN]


def single_digests(key: bytes, text: str) -> list[bytes]:
    """Return the digests of the identifiers and the long tokens of a text."""
    forms = {one.form for one in identifiers_in(text, in_pieces=True)}
    found = [keyed_digest(key, IDENTIFIER, form) for form in forms]
    if len(text) >= CHARACTERS_WITHIN_MIN:
        found += [keyed_digest(key, TOKEN, token) for token in _long_tokens(text)]
    return found


def _once(found_by: Iterable[bytes]) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(found_by))
