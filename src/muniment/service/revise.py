"""How is a memory's text changed?  Revised when we were wrong, succeeded when the world moved (I2)."""

from dataclasses import replace

from muniment.domain.intent import Change, Path, rank_of
from muniment.domain.label import SECRET, Label
from muniment.domain.memory import Claim, Version
from muniment.domain.trust import Standing
from muniment.gate.judge import judge
from muniment.gate.moves import whole_claim
from muniment.gate.verdict import Birth, Known, Verdict
from muniment.service.cases import close_moot, open_case
from muniment.service.contents import overriding, secrets_of
from muniment.service.derived import ask_about_derived
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.prepare import Prepared, prepared
from muniment.service.receipt import Receipt, receipt_of
from muniment.service.staging import declined_before
from muniment.service.writing import (
    append_closing,
    append_links,
    grounds_of,
    predecessors,
    refused,
    running,
    successor_link,
    tombstone_hits,
    visible,
)


def change(ground: Ground, intent: Change) -> Receipt:
    """Judge a revision or succession and land it.

    The text is prepared before the lock; when only the value or the times change, the
    present text is prepared again under the lock.
    """
    early = prepared(ground, intent.claim, ()) if intent.claim.text else None
    with ground.store.transaction() as transaction:
        return change_in(Draft.begun(ground, transaction), intent, early)


def change_in(draft: Draft, intent: Change, early: Prepared | None = None) -> Receipt:
    """Judge a change within a draft and land it."""
    who, read = running(draft, intent.principal, session=intent.session, read=intent.read)
    intent = replace(intent, principal=who, read=read)
    known, ready = _known(draft, intent, early)
    if known.secrets and intent.principal.keeps_secrets:
        intent = replace(intent, read=intent.read.joined(SECRET))
    verdict = judge(intent, known)
    if verdict.held or known.target is None or verdict.birth is None:
        return refused(draft, intent, verdict, act=intent.act)
    if intent.act == "revise":
        return _revised(draft, intent, ready, known=known, verdict=verdict)
    return _succeeded(draft, intent, ready, known=known, verdict=verdict)


def _known(draft: Draft, intent: Change, early: Prepared | None) -> tuple[Known, Prepared]:
    ground, transaction = draft.ground, draft.transaction
    actor = draft.actor(intent.principal)
    grounds = grounds_of(ground, transaction, intent.principal, sources=intent.sources)
    common = Known(
        actor=actor,
        recorded=draft.recorded,
        bad_character=early.bad_character if early is not None else None,
        secrets=secrets_of("reason", intent.reason) if intent.reason else (),
        occurred=intent.times.occurred_at or grounds.occurred,
        sources_missing=grounds.missing,
        source_label=grounds.label,
        source_rank=grounds.rank,
        source_is_candidate=grounds.is_candidate,
        doubted_source=grounds.doubted,
    )
    current = visible(ground, transaction, intent.principal, memory=intent.target)
    if current is None:
        empty = early or prepared(ground, Claim(""), ())
        return common, empty
    target = current.version
    ready = prepared(ground, whole_claim(intent.claim, target.claim), target.tags)
    path = ground.path_of(transaction, target.space)
    return (
        replace(
            common,
            target=target,
            review=ground.reviews.get(target.space, "off"),
            approved=bool(draft.proposal),
            declined=declined_before(draft, intent, target),
            space=ground.space(transaction, path),
            bad_character=ready.bad_character or common.bad_character,
            phrases=ready.content.phrases,
            secrets=(*ready.content.secrets, *common.secrets),
            tombstones=tombstone_hits(draft, ready, target.space, reason=intent.reason),
            slot=tuple(transaction.slot(target.space, ready.digests.slot)) if ready.digests.slot else (),
            standing=standing_of(intent, target, actor, read=grounds.label),
            earlier=predecessors(draft, (target,), reopening=False)
            if intent.times.valid_from is not None
            else (),
        ),
        ready,
    )


def standing_of(intent: Change, target: Version, actor: int, *, read: Label) -> Standing:
    """Return what the caller brings to a change of `target`; `read` is its sources' label.

    What rests on untrusted material has its rank, so that it never changes a belief.
    """
    own = rank_of(Path.DIRECT, intent.principal, target.label.joined(read))
    return Standing(
        person=intent.principal.is_person,
        author=target.author == actor,
        rank_not_lower=intent.principal.is_person or own.weight >= target.rank.weight,
        untrusted_claim=target.label.untrusted,
    )


def _next_version(draft: Draft, intent: Change, ready: Prepared, *, target: Version, birth: Birth) -> Version:
    times = intent.times
    return replace(
        target,
        n=draft.number(),
        claim=ready.claim,
        valid=birth.valid,
        recorded=draft.recorded,
        trust=birth.trust,
        before=birth.trust,
        rank=birth.rank,
        label=birth.label,
        act=intent.act,
        digests=ready.digests,
        reason=intent.reason,
        session=intent.session,
        occurred_at=times.occurred_at or target.occurred_at,
        asserted_at=times.asserted_at or target.asserted_at,
        expires_at=times.expires_at or target.expires_at,
    )


def _revised(draft: Draft, intent: Change, ready: Prepared, *, known: Known, verdict: Verdict) -> Receipt:
    target, birth = known.target, verdict.birth
    assert target is not None and birth is not None
    version = replace(
        _next_version(draft, intent, ready, target=target, birth=birth),
        number=target.number + 1,
        before=target.trust,
        actor=known.actor,
    )
    draft.add_version(version, ready.index, replaces=target)
    for closing in verdict.closings:
        append_closing(draft, closing, intent, actor=known.actor, reason=intent.reason)
    return _finished(draft, intent, ready, version=version, judged=(known, verdict))


def _succeeded(draft: Draft, intent: Change, ready: Prepared, *, known: Known, verdict: Verdict) -> Receipt:
    target, birth = known.target, verdict.birth
    assert target is not None and birth is not None
    version = replace(
        _next_version(draft, intent, ready, target=target, birth=birth),
        memory=draft.ground.outside.ids.new("m"),
        number=1,
        author=known.actor,
        actor=known.actor,
        occurred_at=known.occurred,
        asserted_at=intent.times.asserted_at,
        expires_at=intent.times.expires_at,
    )
    for closing in verdict.closings:
        append_closing(draft, closing, intent, actor=known.actor, reason=intent.reason)
    draft.add_version(version, ready.index, replaces=None)
    if any(closing.version.memory == target.memory for closing in verdict.closings):
        draft.add_link(successor_link(draft, version, target.memory))
    return _finished(draft, intent, ready, version=version, judged=(known, verdict))


def _finished(
    draft: Draft, intent: Change, ready: Prepared, *, version: Version, judged: tuple[Known, Verdict]
) -> Receipt:
    known, verdict = judged
    if ready.embedder_failed:
        draft.want_vector(version.n)
    append_links(draft, version.memory, intent.sources, space=version.space, actor=version.actor)
    opens = verdict.opens
    # A statement that was disputed already has its case: naming both sides finds it.
    case = "" if opens is None else open_case(draft, replace(opens, new=version.memory), actor=version.actor)
    close_moot(draft, actor=version.actor)
    resting = () if known.target is None else ask_about_derived(draft, known.target, version)
    position = draft.commit(
        intent.act,
        actor=version.actor,
        space=version.space,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        memory=version.memory,
        session=intent.session,
        **overriding(known),
    )
    receipt = receipt_of(verdict, id=version.memory, version=version.number, record=position)
    return replace(receipt, case=case, also=(*receipt.also, *resting))
