"""What else in a space says what a person rejects, or holds it?  Read before the lock, made sure of under it.

Nobody can write while a space is read, so it is read first, through a sieve (`domain.carrying`).  Under the
lock only what changed since is looked at: the log names it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from muniment import limits
from muniment.domain.carrying import Glance, Words, telling_words
from muniment.domain.changes import Page
from muniment.domain.common_words import says_enough
from muniment.domain.ids import unpacked
from muniment.domain.intent import Judge
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Claim, Version
from muniment.domain.tokens import holds, is_found_within, say_the_same, tokens_of
from muniment.domain.trust import Act, Trust
from muniment.ports import Snapshot
from muniment.service.burying import disguise_slots
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.writing import visible

_NOT_REJECTED = sorted(trust.value for trust in Trust if trust is not Trust.REJECTED)


class Carriers(NamedTuple):
    """Hold the other memories of a space, in use or not, that a rejection meets, by row number.

    `same` say what is rejected, so that they go with it; `holding` say it within a longer text.
    """

    same: tuple[Version, ...] = ()
    holding: tuple[Version, ...] = ()


class Reading(NamedTuple):
    """Hold what was read before the lock: for which claim of which space, and which memories it meets.

    `records` is the size of the log at that moment.
    """

    space: int
    claim: Claim
    records: int
    memories: frozenset[str]


def read_before(ground: Ground, intent: Judge) -> Reading | None:
    """Read a space through for a person's rejection, while others write; None where none is asked for."""
    if not _rejects(intent):
        return None
    with ground.store.snapshot() as snapshot:
        current = visible(ground, snapshot, intent.principal, memory=intent.target)
        if current is None:
            return None
        target, found = current.version, _read(snapshot, current.version)
        memories = frozenset(version.memory for version in (*found.same, *found.holding))
        return Reading(target.space, target.claim, snapshot.head().size, memories)


def carriers_of(draft: Draft, intent: Judge, target: Version, *, before: Reading | None) -> Carriers:
    """Return what else of the target's space a person's rejection of it meets now, under the lock.

    What was read before counts with all that the log has named since; without it, or when the target says
    something else by now, the space is read under the lock.
    """
    if not _rejects(intent):
        return Carriers()
    changed = None
    if before is not None and (before.space, before.claim) == (target.space, target.claim):
        changed = _changed_since(draft, before.records)
    if before is None or changed is None:
        return _read(draft.transaction, target)
    return _told_apart(target, _currents(draft, before.memories | changed))


def _rejects(intent: Judge) -> bool:
    return intent.act is Act.REJECT and intent.principal.is_person


def _read(snapshot: Snapshot, target: Version) -> Carriers:
    told = (telling_words(text) for text in (target.claim.text, target.claim.said))
    words = [word for word in told if word is not None]
    rows = _sifted(snapshot, target.space, (words[0], words[-1])) if words else ()
    return _told_apart(target, rows)


def _sifted(snapshot: Snapshot, space: int, words: tuple[Words, Words]) -> Iterable[Version]:
    page = Page(0, limits.page_rows_max)
    while rows := snapshot.carriers(space, _NOT_REJECTED, words, page=page):
        yield from rows
        page = Page(rows[-1].n, limits.page_rows_max)


def _changed_since(draft: Draft, position: int) -> frozenset[str] | None:
    """Return the memories of which records from a position on made a version; None where one is missing."""
    changed: set[str] = set()
    while position < draft.head.size:
        rows = draft.transaction.records(Page(position - 1, limits.page_rows_max))
        for record in rows:
            if record.position != position:
                return None
            changed |= {unpacked(b"m" + id) for id in record.ids_of(RowCode.VERSION)}
            position += 1
        if not rows:
            return None
    return frozenset(changed) if position == draft.head.size else None


def _currents(draft: Draft, memories: frozenset[str]) -> list[Version]:
    asked = sorted(memories)
    parts = (asked[at : at + limits.page_rows_max] for at in range(0, len(asked), limits.page_rows_max))
    found = [current.version for part in parts for current in draft.transaction.currents(part)]
    return sorted(found, key=lambda version: version.n)


def _told_apart(target: Version, versions: Iterable[Version]) -> Carriers:
    claim, same, holding = target.claim, list[Version](), list[Version]()
    is_looked_for = is_found_within(claim.text, len(tokens_of(claim.text).first)) and says_enough(claim.text)
    glances = [Glance(text) for text in {claim.text, claim.said}]
    for version in versions:
        if (
            version.memory == target.memory
            or version.space != target.space
            or version.trust is Trust.REJECTED
            or not any(glance.may_carry(part) for part in version.parts if part for glance in glances)
        ):
            continue
        if _says(claim, version.claim):
            same.append(version)
        if is_looked_for and any(holds(text, claim.text) for text in _texts(claim, version)):
            holding.append(version)
    return Carriers(tuple(same), tuple(holding))


def _texts(asked: Claim, version: Version) -> Sequence[str]:
    """Return where a rejected text is looked for; that of one slot may stand in the claim of another."""
    if not asked.keyed:
        return version.parts
    return () if version.claim.keyed else (version.text, *version.tags)


def _says(asked: Claim, claim: Claim) -> bool:
    """Return whether a claim would come under the rejection of another.

    What was rejected of one slot may stand in another one.
    """
    if not asked.keyed:
        said = (claim.text, claim.said) if claim.keyed else (claim.text,)
        return any(say_the_same(asked.text, one) for one in said)
    if not claim.keyed:
        return say_the_same(asked.text, claim.text)
    slots = disguise_slots(asked), disguise_slots(claim)
    return not set(slots[0]).isdisjoint(slots[1]) and (
        say_the_same(asked.said, claim.said) or say_the_same(asked.text, claim.text)
    )
