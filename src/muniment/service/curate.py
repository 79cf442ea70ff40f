"""How is a memory's trust moved, a value rejected, two things linked?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from muniment.domain.canonical import NORMALISER
from muniment.domain.ids import is_id
from muniment.domain.intent import Connect, Judge, Path, Source, rank_of
from muniment.domain.label import PUBLIC, Label
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter
from muniment.domain.memory import Claim, Kind, Version
from muniment.domain.principal import Principal
from muniment.domain.rows import SpaceRow
from muniment.domain.tombstone import Tombstone, TombstoneKind
from muniment.domain.trust import Act, Standing, Trust
from muniment.gate.judge import judge
from muniment.gate.verdict import Known
from muniment.ports import Transaction
from muniment.service import carriers
from muniment.service.burying import rejection_keys, slot_tombstone_digest
from muniment.service.cases import close_moot, open_case
from muniment.service.contents import secrets_of
from muniment.service.derived import doubt_derived, doubt_holding
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.prepare import digests_of
from muniment.service.receipt import Receipt, receipt_of
from muniment.service.staging import declined_before
from muniment.service.writing import (
    append_closing,
    grounds_of,
    links_to,
    predecessors,
    readable,
    refused,
    running,
    tombstones_met,
    visible,
)

_RELATIONS: Mapping[Act, LinkType] = MappingProxyType(
    {
        Act.SUPPORT: LinkType.DERIVED_FROM,
        Act.UPHOLD: LinkType.DERIVED_FROM,
        Act.REVIVE: LinkType.DERIVED_FROM,
        Act.INCONCLUSIVE: LinkType.REFERS_TO,
    }
)
"""How a memory hangs together with the evidence of an act on it; that of any other act speaks against it.

Only what a memory rests on takes it along when it goes, and reaches it when it is doubted.
"""


def move(ground: Ground, intent: Judge) -> Receipt:
    """Judge an act on a memory's trust and land it; a rejection makes its tombstone (I4)."""
    before = carriers.read_before(ground, intent)
    with ground.store.transaction() as transaction:
        return move_in(Draft.begun(ground, transaction), intent, before)


def move_in(draft: Draft, intent: Judge, before: carriers.Reading | None = None) -> Receipt:
    """Judge an act on trust within a draft and land it; `before` is what was read for it before the lock."""
    who, read = running(draft, intent.principal, session=intent.session, read=intent.read)
    intent = replace(intent, principal=who, read=read)
    current = visible(draft.ground, draft.transaction, intent.principal, memory=intent.target)
    target = None if current is None else current.version
    met = (
        carriers.Carriers() if target is None else carriers.carriers_of(draft, intent, target, before=before)
    )
    known = _known(draft, intent, target, same=met.same)
    verdict = judge(intent, known)
    if verdict.held or known.target is None:
        return refused(draft, intent, verdict, act=intent.act.value)
    versions = [
        append_closing(draft, closing, intent, actor=known.actor, reason=intent.reason)
        for closing in verdict.closings
    ]
    case = "" if verdict.opens is None else open_case(draft, verdict.opens, actor=known.actor)
    moved = versions[0] if versions else known.target
    for version in versions if intent.act is Act.REJECT else ():
        if version.trust is Trust.REJECTED:
            bury(draft, version, known.actor, reason=intent.reason)
    relation = _RELATIONS.get(intent.act, LinkType.CONTRADICTS)
    for link in links_to(draft, moved.memory, intent.sources, space=moved.space, actor=known.actor):
        if versions:
            draft.add_link(replace(link, type=relation))
    holding = doubt_holding(draft, intent, met.holding)
    derived = (*holding, *doubt_derived(draft, intent))
    close_moot(draft, actor=known.actor)
    position = draft.commit(
        intent.act.value,
        actor=known.actor,
        space=moved.space,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        memory=moved.memory,
        trust=moved.trust.value,
        session=intent.session,
    )
    receipt = receipt_of(verdict, id=moved.memory, version=moved.number, record=position)
    return replace(receipt, case=case, also=(*receipt.also, *derived))


def _known(draft: Draft, intent: Judge, target: Version | None, *, same: Sequence[Version]) -> Known:
    ground, transaction = draft.ground, draft.transaction
    actor = draft.actor(intent.principal)
    grounds = grounds_of(ground, transaction, intent.principal, sources=intent.sources)
    common = Known(
        actor=actor,
        recorded=draft.recorded,
        sources_missing=grounds.missing,
        source_label=grounds.label,
        secrets=secrets_of("reason", intent.reason) if intent.reason else (),
    )
    if target is None:
        return common
    own = _own_sources(transaction, target)
    twins = _twins(draft, target, same) if intent.act is Act.REJECT else ()
    standing = Standing(
        person=intent.principal.is_person,
        author=target.author == actor,
        evidence=_independent(
            _grounding(draft, intent, target, actor=actor), own, grounds.recorded, since=target.recorded
        ),
        untrusted_session=grounds.label.untrusted,
        untrusted_claim=target.label.untrusted,
        rank_not_lower=rank_of(Path.DIRECT, intent.principal, target.label).weight >= target.rank.weight,
    )
    return replace(
        common,
        target=target,
        review=ground.reviews.get(target.space, "off"),
        approved=bool(draft.proposal),
        declined=declined_before(draft, intent, target),
        space=ground.space(transaction, ground.path_of(transaction, target.space)),
        same=twins,
        slot=tuple(transaction.slot(target.space, target.digests.slot)) if target.digests.slot else (),
        earlier=tuple(
            version
            for version in predecessors(draft, (target, *twins))
            if version.memory not in {twin.memory for twin in twins}
        ),
        tombstones=tombstones_met(draft, target.claim, target.space, tags=target.tags, reason=intent.reason),
        standing=standing,
    )


def _twins(draft: Draft, target: Version, same: Sequence[Version]) -> tuple[Version, ...]:
    """Return every other memory of the space that states the value of the target.

    What says it with other punctuation or in disguised letters has another digest, and so has a
    keyed memory whose text or value it is: these are `same`.
    """
    digests = [target.digests.value]
    if target.claim.keyed:
        digests.append(digests_of(draft.ground, Claim(target.claim.text)).value)
    found = {
        version.memory: version
        for digest in digests
        for version in draft.transaction.same_value(target.space, digest)
        if version.memory != target.memory and version.trust is not Trust.REJECTED
    }
    found |= {version.memory: version for version in same}
    return tuple(found.values())


def _grounding(draft: Draft, intent: Judge, target: Version, *, actor: int) -> tuple[Source, ...]:
    """Return the sources that may ground a verdict: one's own hypothesis takes an experiment."""
    if target.kind is not Kind.HYPOTHESIS or target.author != actor:
        return intent.sources
    memories = [source.id for source in intent.sources if source.id.startswith("m_")]
    experiments = {
        current.version.memory
        for current in draft.transaction.currents(memories)
        if current.version.kind is Kind.EXPERIMENT
    }
    return tuple(source for source in intent.sources if source.id in experiments)


def _own_sources(transaction: Transaction, target: Version) -> frozenset[str]:
    links = transaction.links_of((target.memory,))
    return frozenset(one.row.target for one in links if one.row.source == target.memory)


def _independent(
    sources: tuple[Source, ...], own: frozenset[str], recorded: tuple[datetime, ...], *, since: datetime
) -> int:
    """Return how many sources are not the memory's own; only what was recorded after it counts."""
    fresh = sum(1 for moment in recorded if moment > since)
    return min(fresh, sum(1 for source in sources if source.id not in own))


class Buried(NamedTuple):
    """Hold what a tombstone stands for: who stated it, a memory's id or a proposal's, where, and what."""

    stated_by: str
    space: int
    claim: Claim


def bury(draft: Draft, version: Version, actor: int, *, reason: str) -> Tombstone:
    """Append the tombstone of a memory's rejected value."""
    return bury_claim(draft, Buried(version.memory, version.space, version.claim), actor, reason=reason)


def bury_claim(draft: Draft, buried: Buried, actor: int, *, reason: str) -> Tombstone:
    """Append the tombstone of a rejected value: keyed digests, no clear text (I4)."""
    keys, digests = rejection_keys(draft.ground, buried.claim)
    draft.generation += 1
    tombstone = Tombstone(
        id=draft.ground.outside.ids.new("t"),
        memory=buried.stated_by,
        space=buried.space,
        kind=TombstoneKind.REJECTED,
        keys=keys,
        slot=slot_tombstone_digest(draft.ground, buried.claim),
        key_id=draft.ground.outside.keyring.key_id,
        normaliser=NORMALISER,
        generation=draft.generation,
        actor=actor,
        recorded=draft.recorded,
        reason=reason,
    )
    draft.add_tombstone(tombstone, digests)
    return tombstone


def connect(ground: Ground, intent: Connect) -> Receipt:
    """Judge a link between two things the caller may see, and land it."""
    with ground.store.transaction() as transaction:
        return connect_in(Draft.begun(ground, transaction), intent)


def connect_in(draft: Draft, intent: Connect) -> Receipt:
    """Judge a link within a draft and land it."""
    ground, transaction = draft.ground, draft.transaction
    who, read = running(draft, intent.principal, session=intent.session, read=intent.read)
    intent = replace(intent, principal=who, read=read)
    actor = draft.actor(intent.principal)
    current = visible(ground, transaction, intent.principal, memory=intent.source)
    target = current.version if current is not None else None
    other, memory = _other_end(ground, transaction, intent.principal, id=intent.target)
    known = Known(
        actor=actor,
        recorded=draft.recorded,
        target=target,
        space=space_of(ground, transaction, target),
        other_end=other is not None,
        old_side=memory,
        source_label=other or PUBLIC,
        duplicate_link=_linked_already(transaction, intent, found=target is not None),
        review="off" if target is None else ground.reviews.get(target.space, "off"),
        approved=bool(draft.proposal),
        declined="" if target is None else declined_before(draft, intent, target),
    )
    verdict = judge(intent, known)
    if verdict.held or target is None:
        return refused(draft, intent, verdict, act="link")
    link = Link(
        id=ground.outside.ids.new("l"),
        source=intent.source,
        target=intent.target,
        type=intent.type,
        weight=float(intent.weight),
        recorded=draft.recorded,
        space=target.space,
        actor=actor,
    )
    draft.add_link(link)
    case = "" if verdict.opens is None else open_case(draft, verdict.opens, actor=actor)
    position = draft.commit(
        "link",
        actor=actor,
        space=target.space,
        outcome=verdict.outcome.value,
        link=link.id,
        session=intent.session,
    )
    return replace(receipt_of(verdict, id=link.id, record=position), case=case)


def space_of(ground: Ground, transaction: Transaction, target: Version | Matter | None) -> SpaceRow | None:
    """Return the space in which something lies, None for nothing."""
    if target is None:
        return None
    return ground.space(transaction, ground.path_of(transaction, target.space))


def _other_end(
    ground: Ground, transaction: Transaction, principal: Principal, *, id: str
) -> tuple[Label | None, Version | None]:
    """Return the label of what lies at the other end, and the memory if it is one; None for nothing."""
    if not is_id(id):
        return None, None
    if not id.startswith("e_"):
        current = visible(ground, transaction, principal, memory=id)
        return (None, None) if current is None else (current.version.label, current.version)
    for one in transaction.evidence((id,)):
        if readable(ground, transaction, principal, space=one.row.space, label=one.row.label):
            return one.row.label, None
    return None, None


def _linked_already(transaction: Transaction, intent: Connect, *, found: bool) -> bool:
    if not found:
        return False
    same = (intent.source, intent.target, intent.type)
    return any(
        (one.row.source, one.row.target, one.row.type) == same
        for one in transaction.links_of((intent.source,))
    )
