"""How is a case decided?  A person's intent passes the gate; both sides and the case land at once."""

from dataclasses import replace

from muniment.domain.intent import Decide, Source
from muniment.domain.link import LinkType
from muniment.domain.matter import DOUBTS, Decision, Matter, MatterState
from muniment.domain.memory import Claim, Version
from muniment.domain.timeline import Interval
from muniment.domain.trust import Act
from muniment.gate.judge import judge
from muniment.gate.moves import whole_claim
from muniment.gate.verdict import Birth, Closing, Known, Verdict
from muniment.service.cases import LISTED, Eyes, case_rows, close_moot, closed
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.prepare import Prepared, prepared
from muniment.service.receipt import Receipt, receipt_of
from muniment.service.writing import (
    append_closing,
    append_links,
    refused,
    successor_link,
    tombstones_met,
)


def decide(ground: Ground, intent: Decide) -> Receipt:
    """Judge a decision and land it: what each side becomes, and the case closed with the reason.

    A decision that rests on what the sides no longer say is refused with the present version.
    """
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        known, ready = _known(draft, intent)
        verdict = judge(intent, known)
        if verdict.refused or known.case is None or known.old_side is None:
            found = replace(refused(draft, intent, verdict, act="decide"), case=intent.case)
            return found if known.case is not None else replace(found, next=LISTED)
        return _landed(draft, intent, ready, known=known, verdict=verdict)


def _known(draft: Draft, intent: Decide) -> tuple[Known, Prepared | None]:
    ground, transaction = draft.ground, draft.transaction
    known = Known(actor=draft.actor(intent.principal), recorded=draft.recorded)
    rows = case_rows(ground, transaction, intent.case)
    if not rows or not Eyes(ground, transaction, intent.principal).may_see(rows[-1]):
        return known, None
    case = rows[-1]
    sides = {
        current.version.memory: current.version
        for current in transaction.currents([side for side in case.sides if side.startswith("m_")])
    }
    new, old = sides.get(case.new), sides.get(case.old)
    ready = _ready(ground, intent, old)
    tags = () if old is None else old.tags
    standing = [(ready.claim, tags)] if ready is not None else _standing_claims(intent, case, new, old)
    return (
        replace(
            known,
            space=ground.space(transaction, ground.path_of(transaction, case.space)),
            case=case,
            new_side=new,
            old_side=old,
            bad_character=None if ready is None else ready.bad_character,
            tombstones=tuple(
                hit
                for claim, tags in (standing if ready is None or ready.bad_character is None else ())
                for hit in tombstones_met(draft, claim, case.space, tags=tags, reason=intent.reason)
            ),
            slot=_slot(draft, new),
        ),
        ready,
    )


def _ready(ground: Ground, intent: Decide, old: Version | None) -> Prepared | None:
    """Return the edited claim as it will be stored; None when nothing is edited."""
    if intent.decision is not Decision.EDIT or old is None:
        return None
    return prepared(ground, whole_claim(intent.claim, old.claim), old.tags)


def _standing_claims(
    intent: Decide, case: Matter, *sides: Version | None
) -> list[tuple[Claim, tuple[str, ...]]]:
    """Return the claims that stand after the decision, with their tags: none may be a rejected value (I4).

    What only speaks against a doubted statement stays as it is, rejected or not.
    """
    new, old = sides
    if case.why in DOUBTS:
        new = None
    upheld = {
        Decision.UPHOLD_NEW: (new,),
        Decision.BOTH_VALID: (new, old),
        Decision.KEEP_OLD: (old,),
        Decision.MERGE: (old,),
    }.get(intent.decision, ())
    return [(version.claim, version.tags) for version in upheld if version is not None]


def _slot(draft: Draft, new: Version | None) -> tuple[Version, ...]:
    if new is None or not new.digests.slot:
        return ()
    return tuple(draft.transaction.slot(new.space, new.digests.slot))


def _landed(
    draft: Draft, intent: Decide, ready: Prepared | None, *, known: Known, verdict: Verdict
) -> Receipt:
    case, new, old = known.case, known.new_side, known.old_side
    assert case is not None and old is not None
    landed: dict[str, Version] = {}
    for closing in verdict.closings:
        landed[closing.version.memory] = append_closing(
            draft, closing, intent, actor=known.actor, reason=intent.reason
        )
    if verdict.birth is not None and ready is not None:
        landed[old.memory] = _edited(draft, intent, ready, known=known, birth=verdict.birth)
    if new is not None:
        _link(draft, new, verdict.closings)
    if intent.decision is Decision.MERGE and new is not None:
        _take_evidence(draft, new, old, actor=known.actor)
    return _closed(draft, intent, known, landed=landed, verdict=verdict)


def _link(draft: Draft, new: Version, closings: tuple[Closing, ...]) -> None:
    """Say that the newer side took the place of what ended where it begins (I2)."""
    have = {
        link.row.target
        for link in draft.transaction.links_of((new.memory,))
        if link.row.type is LinkType.SUPERSEDES and link.row.source == new.memory
    }
    for closing in closings:
        memory = closing.version.memory
        if closing.act == Act.SUPERSEDE.value and memory not in have and memory != new.memory:
            draft.add_link(successor_link(draft, new, memory))


def _take_evidence(draft: Draft, new: Version, old: Version, *, actor: int) -> None:
    sources = [
        Source(link.row.target, link.row.span)
        for link in draft.transaction.links_of((new.memory,))
        if link.row.type is LinkType.DERIVED_FROM and link.row.source == new.memory
    ]
    append_links(draft, old.memory, sources, space=old.space, actor=actor)


def _edited(draft: Draft, intent: Decide, ready: Prepared, *, known: Known, birth: Birth) -> Version:
    old = known.old_side
    assert old is not None
    version = replace(
        old,
        number=old.number + 1,
        n=draft.number(),
        claim=ready.claim,
        valid=Interval(birth.valid.start, birth.valid.end),
        recorded=draft.recorded,
        trust=birth.trust,
        before=old.trust,
        rank=birth.rank,
        actor=known.actor,
        act="revise",
        digests=ready.digests,
        reason=intent.reason,
        session=0,
    )
    draft.add_version(version, ready.index, replaces=old)
    if ready.embedder_failed:
        draft.want_vector(version.n)
    return version


def _closed(
    draft: Draft, intent: Decide, known: Known, *, landed: dict[str, Version], verdict: Verdict
) -> Receipt:
    case, actor, decision = known.case, known.actor, intent.decision.value
    assert case is not None
    row = closed(draft, case, MatterState.DECIDED, actor=actor)
    numbers = {memory: version.number for memory, version in landed.items()}
    draft.add_matter(
        replace(
            row,
            decision=decision,
            reason=intent.reason,
            new_version=numbers.get(case.new, case.new_version),
            old_version=numbers.get(case.old, case.old_version),
        )
    )
    close_moot(draft, actor=actor)
    position = draft.commit(
        "decide",
        actor=actor,
        space=case.space,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        case=case.id,
        decision=decision,
        memory=verdict.rests_on,
    )
    stands = verdict.rests_on
    receipt = receipt_of(verdict, id=stands, version=numbers.get(stands, 0), record=position)
    also = tuple(memory for memory in landed if memory != stands)
    return replace(receipt, case=case.id, also=also)
