"""How is a new memory taken in?"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from muniment.domain.changes import Claims
from muniment.domain.intent import Path, Remember
from muniment.domain.label import SECRET
from muniment.domain.memory import Version
from muniment.gate.judge import judge
from muniment.gate.verdict import Birth, Known, Verdict
from muniment.later import Later
from muniment.service import asking_jobs
from muniment.service.contents import overriding
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.prepare import Prepared, prepared
from muniment.service.receipt import Receipt, receipt_of
from muniment.service.writing import (
    append_closing,
    append_links,
    grounds_of,
    refused,
    running,
    successor_link,
    tombstone_hits,
    visible,
)

if TYPE_CHECKING:
    from muniment.service import cases
else:
    cases = Later("muniment.service.cases")


def remember(ground: Ground, intent: Remember) -> Receipt:
    """Judge a new memory and land it: stored, merged, disputed or refused.

    Everything that needs only the text is done before the lock.
    """
    ready = prepared(ground, intent.claim, intent.tags)
    asked = intent
    if ready.claim is not intent.claim or ready.tags != intent.tags:
        asked = replace(intent, claim=ready.claim, tags=ready.tags)
    with ground.store.transaction(_claims(ground, asked, ready)) as transaction:
        draft = Draft.begun(ground, transaction)
        if asked.path is Path.DIRECT:
            who, label = running(draft, asked.principal, session=asked.session, read=asked.label)
            if who is not asked.principal or label is not asked.label:
                asked = replace(asked, principal=who, label=label)
        return _judged(draft, asked, ready)


def remembered(draft: Draft, intent: Remember) -> Receipt:
    """Judge what a person approved, as its proposer's, against the state as it is now."""
    ready = prepared(draft.ground, intent.claim, intent.tags)
    return _judged(draft, replace(intent, claim=ready.claim, tags=ready.tags), ready)


def _judged(draft: Draft, asked: Remember, ready: Prepared) -> Receipt:
    if ready.content.secrets and asked.principal.keeps_secrets:
        asked = replace(asked, label=asked.label.joined(SECRET))
    known = _known(draft, asked, ready)
    verdict = judge(asked, known)
    if verdict.held:
        return refused(draft, asked, verdict, act="remember")
    return landed(draft, asked, ready, known=known, verdict=verdict)


def _claims(ground: Ground, intent: Remember, ready: Prepared) -> Claims | None:
    """Return what the memory will touch, None where more than the claim's own value and slot.

    A space or an actor that was never met may have to be made; a memory named as a source may
    change by acts that claim another value.
    """
    space = ground.spaces.get(intent.space)
    met = (intent.principal.actor, intent.principal.role) in ground.actors
    if space is None or not met or not ready.digests.value:
        return None
    if intent.sources and any(not source.id.startswith("e_") for source in intent.sources):
        return None
    return Claims(space.n, ready.digests.value, ready.digests.slot, ground.outside.embedder.model)


def _known(draft: Draft, intent: Remember, ready: Prepared) -> Known:
    """Read in one batch what the gate looks at."""
    actor = draft.actor(intent.principal)
    grounds = grounds_of(draft.ground, draft.transaction, intent.principal, sources=intent.sources)
    occurred = intent.times.occurred_at or grounds.occurred
    may_write = intent.principal.may_write(intent.space)
    if not may_write or not ready.digests.value:
        there = draft.ground.space(draft.transaction, intent.space)
        return Known(
            actor=actor,
            recorded=draft.recorded,
            space=draft.space(intent.space) if may_write else there,
            bad_character=ready.bad_character,
            phrases=ready.content.phrases,
            secrets=ready.content.secrets,
            occurred=occurred,
            sources_missing=grounds.missing,
            source_label=grounds.label,
            source_rank=grounds.rank,
            source_is_candidate=grounds.is_candidate,
            doubted_source=grounds.doubted,
        )
    space = draft.space(intent.space)
    transaction, digests = draft.transaction, ready.digests
    return Known(
        actor=actor,
        recorded=draft.recorded,
        space=space,
        phrases=ready.content.phrases,
        secrets=ready.content.secrets,
        tombstones=tombstone_hits(draft, ready, space.n),
        same=_in_order(
            version
            for version in transaction.same_value(space.n, digests.value)
            # Whoever may not read it is not told that he guessed it (I7).
            if version.label.data_class <= intent.principal.class_max
        ),
        slot=_in_order(transaction.slot(space.n, digests.slot)) if digests.slot else (),
        occurred=occurred,
        sources_missing=grounds.missing,
        source_label=grounds.label,
        source_rank=grounds.rank,
        source_is_candidate=grounds.is_candidate,
        doubted_source=grounds.doubted,
        review=draft.ground.reviews.get(space.n, "off"),
        approved=bool(draft.proposal),
    )


def _in_order(versions: Iterable[Version]) -> tuple[Version, ...]:
    """Return versions by row number, so that a verdict rests on the same one on every store."""
    return tuple(sorted(versions, key=lambda version: version.n))


def landed(draft: Draft, intent: Remember, ready: Prepared, *, known: Known, verdict: Verdict) -> Receipt:
    """Append what the verdict says and its record; return the receipt."""
    space = known.space.n if known.space is not None else 0
    pending = False
    id, version = verdict.rests_on, verdict.merged.number if verdict.merged is not None else 0
    for closing in verdict.closings:
        closed = append_closing(draft, closing, intent, actor=known.actor)
        if verdict.merged is not None:
            version = closed.number
    if verdict.birth is not None:
        new = _first_version(draft, intent, ready, known=known, birth=verdict.birth)
        draft.add_version(new, ready.index, replaces=None)
        if ready.embedder_failed:
            draft.want_vector(new.n)
        id, version = new.memory, 1
        pending = asking_jobs.wanted(draft, new)
        for closing in verdict.closings:
            draft.add_link(successor_link(draft, new, closing.version.memory))
    append_links(draft, id, intent.sources, space=space, actor=known.actor)
    case = "" if verdict.opens is None else cases.open_case(draft, verdict.opens, actor=known.actor, born=id)
    if verdict.closings:
        cases.close_moot(draft, actor=known.actor)
    position = draft.commit(
        "remember",
        actor=known.actor,
        space=space,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        memory=id,
        session=intent.session,
        **overriding(known),
    )
    receipt = receipt_of(verdict, id=id, version=version, record=position, pending=pending)
    return _shown(draft, intent, replace(receipt, case=case) if case else receipt)


def _shown(draft: Draft, intent: Remember, receipt: Receipt) -> Receipt:
    """Return the receipt without the id of a rival that the caller may not read (I7)."""
    if not (receipt.rests_on or receipt.also):
        return receipt
    named = {id for id in (receipt.rests_on, *receipt.also) if id and id != receipt.id}
    hidden = {
        id for id in named if visible(draft.ground, draft.transaction, intent.principal, memory=id) is None
    }
    if not hidden:
        return receipt
    return replace(
        receipt,
        rests_on="" if receipt.rests_on in hidden else receipt.rests_on,
        also=tuple(id for id in receipt.also if id not in hidden),
    )


def _first_version(draft: Draft, intent: Remember, ready: Prepared, *, known: Known, birth: Birth) -> Version:
    times = intent.times
    return Version(
        memory=draft.ground.outside.ids.new("m"),
        number=1,
        n=draft.number(),
        space=known.space.n if known.space is not None else 0,
        kind=intent.kind,
        claim=ready.claim,
        valid=birth.valid,
        recorded=draft.recorded,
        trust=birth.trust,
        before=birth.trust,
        rank=birth.rank,
        label=birth.label,
        author=known.actor,
        actor=known.actor,
        act="remember",
        digests=ready.digests,
        session=intent.session,
        occurred_at=known.occurred,
        asserted_at=times.asserted_at,
        expires_at=times.expires_at,
        tags=ready.tags,
    )
