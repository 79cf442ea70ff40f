"""How does every write go?  Read what is known, judge, land, one record; refusals too (I1, I5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from muniment.domain.changes import Current, IndexEntry
from muniment.domain.ids import is_id
from muniment.domain.intent import Change, Intent, Judge, Source
from muniment.domain.label import PUBLIC, Label, strictest
from muniment.domain.link import Link, LinkType
from muniment.domain.memory import Claim, Version, findable_text
from muniment.domain.principal import Principal
from muniment.domain.quick import quick
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import TombstoneHit
from muniment.domain.trust import LIVE, Act, Rank, Trust
from muniment.gate.conflict import HELD
from muniment.gate.verdict import Closing, Outcome, Verdict
from muniment.later import Later
from muniment.ports import Snapshot, Transaction
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.prepare import Prepared, index_entry
from muniment.service.receipt import Receipt, receipt_of

if TYPE_CHECKING:
    from muniment.domain import session_log
    from muniment.service import session_reading, staging, watch
else:
    session_log = Later("muniment.domain.session_log")
    session_reading = Later("muniment.service.session_reading")
    staging = Later("muniment.service.staging")
    watch = Later("muniment.service.watch")


@quick
@dataclass(frozen=True, slots=True)
class Grounds:
    """Hold what a claim's sources bring: are they there, how strict, when did they happen.

    Of memories among them also the lowest rank, whether one is a candidate, and one that does not stand.
    """

    missing: bool = False
    label: Label = PUBLIC
    occurred: datetime | None = None
    recorded: tuple[datetime, ...] = ()
    rank: Rank | None = None
    is_candidate: bool = False
    doubted: str = ""


def running(draft: Draft, principal: Principal, *, session: int, read: Label) -> tuple[Principal, Label]:
    """Return who acts in a session and what it has read by now, under the lock (I10).

    Another process may have given it something to read after the caller looked, and a child's
    session stays one that reads only, whoever holds it again.
    """
    found = draft.transaction.sessions_at((session,)) if session else []
    for one in found:
        events = session_reading.events_of(draft.ground, draft.transaction, one.id)
        if session_log.comes_from(events, session_log.Happening.CHILD):
            principal = replace(principal, reads_only=True)
    return principal, strictest((one.label for one in found), least=read)


def readable(ground: Ground, snapshot: Snapshot, principal: Principal, *, space: int, label: Label) -> bool:
    """Return whether a row of `space` with `label` may be seen by the principal (I7)."""
    path = ground.path_of(snapshot, space)
    return bool(path) and principal.may_read(path) and label.data_class <= principal.class_max


def visible(ground: Ground, snapshot: Snapshot, principal: Principal, *, memory: str) -> Current | None:
    """Return a memory's newest version if it is there for the principal (I7)."""
    if not is_id(memory) or not memory.startswith("m_"):
        return None
    for current in snapshot.currents((memory,)):
        version = current.version
        if readable(ground, snapshot, principal, space=version.space, label=version.label):
            return current
    return None


def grounds_of(
    ground: Ground, snapshot: Snapshot, principal: Principal, *, sources: Sequence[Source]
) -> Grounds:
    """Return what the named sources bring; a source of another space counts as missing (I7).

    So does a rejected one: what would rest on it would bring it back in other words (I4).
    """
    if not sources:
        return Grounds()
    ids = [source.id for source in sources]
    if not all(is_id(id) and id[0] in "em" for id in ids):
        return Grounds(missing=True)
    labels: list[Label] = []
    occurred: list[datetime] = []
    recorded: list[datetime] = []
    found: list[Version] = []
    for sealed in snapshot.evidence([id for id in ids if id.startswith("e_")]):
        item = sealed.row
        if readable(ground, snapshot, principal, space=item.space, label=item.label):
            labels.append(item.label)
            occurred.append(item.occurred_at or item.recorded)
            recorded.append(item.recorded)
    for current in snapshot.currents([id for id in ids if id.startswith("m_")]):
        version = current.version
        stands = version.trust is not Trust.REJECTED
        if stands and readable(ground, snapshot, principal, space=version.space, label=version.label):
            labels.append(version.label)
            recorded.append(version.recorded)
            found.append(version)
    return Grounds(
        missing=len(labels) != len(set(ids)),
        label=strictest(labels),
        occurred=min(occurred, default=None),
        recorded=tuple(recorded),
        rank=min((version.rank for version in found), key=lambda rank: rank.weight, default=None),
        is_candidate=any(version.trust is Trust.CANDIDATE for version in found),
        doubted=next((version.memory for version in found if _does_not_stand(version)), ""),
    )


def _does_not_stand(version: Version) -> bool:
    """Return whether a memory is not so, or nobody knows; what was so once, or is out of use, stands."""
    is_taken_back = version.trust is Trust.RETIRED and version.act == Act.RETRACT.value
    return version.trust in (Trust.DISPUTED, Trust.REFUTED) or is_taken_back


def tombstone_hits(
    draft: Draft, ready: Prepared, space: int, *, reason: str = ""
) -> tuple[TombstoneHit, ...]:
    """Return the standing tombstones that a clean claim or one of its tags meets, the plain hits first."""
    if draft.generation == 0 or ready.bad_character is not None:
        return ()
    return tombstones_met(draft, ready.claim, space, tags=ready.tags, reason=reason)


def tombstones_met(
    draft: Draft, claim: Claim, space: int, *, tags: Sequence[str] = (), reason: str = ""
) -> tuple[TombstoneHit, ...]:
    """Return the standing tombstones that any part meets in a space, the plain hits first.

    Nothing is worked out while the tenant has no tombstone.
    """
    if draft.generation == 0:
        return ()
    return watch.met(draft.ground, draft.transaction, watch.parts_of(claim, tags, reason=reason), space=space)


def append_closing(
    draft: Draft, closing: Closing, intent: Intent, *, actor: int, reason: str = ""
) -> Version:
    """Append the version that a verdict gives an existing memory (I2: nothing is overwritten)."""
    old = closing.version
    current = draft.transaction.currents((old.memory,))[0].version
    version = replace(
        old,
        number=current.number + 1,
        n=draft.number(),
        recorded=draft.recorded,
        trust=closing.trust,
        before=current.trust,
        valid=closing.valid,
        rank=closing.rank,
        actor=actor,
        act=closing.act,
        reason=reason,
        label=old.label.joined(intent.read) if reason and isinstance(intent, (Change, Judge)) else old.label,
        session=getattr(intent, "session", 0),
    )
    entry, failed = reindexed(draft.ground, version)
    draft.add_version(version, entry, replaces=current)
    if failed:
        draft.want_vector(version.n)
    return version


def reindexed(ground: Ground, version: Version) -> tuple[IndexEntry, bool]:
    """Return the index entry of a version whose text did not change, and whether the embedder failed."""
    text = findable_text(version.claim, version.tags)
    if version.trust not in LIVE:
        return IndexEntry(ground.outside.analyser.indexed(text)), False
    return index_entry(ground, text, version.text)


_ENDED = frozenset({Trust.REJECTED, Trust.RETIRED, Trust.REFUTED})
"""States of a successor that no longer stands in its predecessor's place."""


def predecessors(draft: Draft, ended: Sequence[Version], *, reopening: bool = True) -> tuple[Version, ...]:
    """Return what these took the place of, each with interval and `before` as without them.

    A predecessor that was ended itself, by a rejection say, is looked through: what it had
    superseded comes up again.  When `reopening`, what says a rejected value, as a whole, in
    other signs or within a longer text, is looked through too, since it may not come back (I4).
    """
    transaction = draft.transaction
    gone = frozenset(version.memory for version in ended)
    found: dict[str, Version] = {}
    seen, edge = set(gone), list(gone)
    while edge:
        ids = _ends(transaction, edge, newer=False) - seen
        seen |= ids
        edge = []
        for current in transaction.currents(sorted(ids)):
            version = current.version
            if version.trust in _ENDED or (reopening and _is_rejected(draft, version)):
                edge.append(version.memory)
            elif version.trust is Trust.SUPERSEDED or version.act == Act.SUPERSEDE.value:
                found[version.memory] = _without(draft, version, gone=gone)
    # By row number, so that a receipt lists them alike on every store.
    return tuple(sorted(found.values(), key=lambda version: version.n))


def _is_rejected(draft: Draft, version: Version) -> bool:
    hits = tombstones_met(draft, version.claim, version.space)
    return any(hit.keeps_out for hit in hits)


def _ends(transaction: Transaction, memories: Sequence[str], *, newer: bool) -> set[str]:
    """Return what superseded these memories, or what they superseded."""
    links = [one.row for one in transaction.links_of(memories)]
    superseding = [link for link in links if link.type is LinkType.SUPERSEDES]
    if newer:
        return {link.source for link in superseding if link.target in memories}
    return {link.target for link in superseding if link.source in memories}


def _without(draft: Draft, version: Version, *, gone: frozenset[str]) -> Version:
    """Return a superseded version with the interval and trust it would have without what is gone.

    The next value that still stands, as successor or in the slot, ends it where that one begins.
    """
    before = version
    for sealed in reversed(draft.transaction.history(version.memory)):
        if sealed.row.trust is not Trust.SUPERSEDED and sealed.row.act != Act.SUPERSEDE.value:
            before = sealed.row
            break
    starts = _starts_after(draft.transaction, version.memory, gone=gone)
    starts += _slot_starts(draft.transaction, version, before.valid.start, gone=gone)
    cut = min(starts, default=None)
    if cut is None or not before.valid.holds(cut):
        return replace(version, valid=before.valid, before=before.trust)
    trust = Trust.SUPERSEDED if cut <= draft.recorded else before.trust
    return replace(version, valid=Interval(before.valid.start, cut), before=trust)


def _slot_starts(
    transaction: Transaction, version: Version, start: datetime, *, gone: frozenset[str]
) -> list[datetime]:
    """Return where later values of the same single-valued slot begin."""
    slot = version.digests.slot
    others = transaction.slot(version.space, slot) if slot and not version.claim.many else ()
    return [
        other.valid.start
        for other in others
        if other.trust in HELD and not other.valid.empty and other.valid.start > start
        if other.memory != version.memory and other.memory not in gone
    ]


def _starts_after(transaction: Transaction, memory: str, *, gone: frozenset[str]) -> list[datetime]:
    """Return where standing successors begin; one that is gone is looked through."""
    starts: list[datetime] = []
    seen, edge = {memory}, [memory]
    while edge:
        ids = _ends(transaction, edge, newer=True) - seen
        seen |= ids
        edge = []
        for current in transaction.currents(sorted(ids)):
            version = current.version
            if version.memory in gone or version.trust in _ENDED:
                edge.append(version.memory)
            elif version.trust in HELD and not version.valid.empty:
                starts.append(version.valid.start)
    return starts


def append_links(draft: Draft, memory: str, sources: Sequence[Source], *, space: int, actor: int) -> None:
    """Append one `derived_from` link for each source that the memory does not have yet."""
    for link in links_to(draft, memory, sources, space=space, actor=actor):
        draft.add_link(link)


def links_to(
    draft: Draft, memory: str, sources: Sequence[Source], *, space: int, actor: int
) -> Iterator[Link]:
    """Yield one `derived_from` link for each source that the memory has no link to yet."""
    have = (
        {(link.row.source, link.row.target) for link in draft.transaction.links_of((memory,))}
        if sources
        else set()
    )
    for source in sources:
        if (memory, source.id) in have or source.id == memory:
            continue
        yield Link(
            id=draft.ground.outside.ids.new("l"),
            source=memory,
            target=source.id,
            type=LinkType.DERIVED_FROM,
            weight=1.0,
            recorded=draft.recorded,
            space=space,
            actor=actor,
            span=source.span,
        )


def successor_link(draft: Draft, new: Version, old: str) -> Link:
    """Return the `supersedes` link from a successor to the memory whose place it took."""
    return Link(
        id=draft.ground.outside.ids.new("l"),
        source=new.memory,
        target=old,
        type=LinkType.SUPERSEDES,
        weight=1.0,
        recorded=draft.recorded,
        space=new.space,
        actor=new.actor,
    )


def refused(draft: Draft, intent: Intent, verdict: Verdict, *, act: str) -> Receipt:
    """Put on record that nothing landed, with nothing else of the draft, and return the receipt."""
    clean = Draft.begun(draft.ground, draft.transaction)
    actor = clean.actor(intent.principal)
    waits = staging.stage(clean, intent, verdict, actor=actor) if verdict.outcome is Outcome.STAGED else ""
    named = {"proposal": waits} if waits else {}
    outcome = verdict.outcome.value
    position = clean.commit(act, actor=actor, outcome=outcome, reason=verdict.reason.code, **named)
    id = waits or (verdict.rests_on if verdict.rests_on.startswith("m_") else "")
    return replace(receipt_of(verdict, id=id, record=position), proposal=waits)
