"""How does a person end a rejection, or the refusal that a declined proposal left?"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from muniment.domain.changes import Page
from muniment.domain.ids import is_id, unpacked
from muniment.domain.intent import Judge, Lift
from muniment.domain.ledger import Record, RowCode
from muniment.domain.matter import Matter, MatterState
from muniment.domain.memory import Claim, Version
from muniment.domain.tombstone import Tombstone, TombstoneKind
from muniment.domain.trust import Act, Standing, Trust
from muniment.errors import Tampered
from muniment.gate.judge import judge
from muniment.gate.verdict import Known, Outcome, Reason, Verdict
from muniment.service.cases import Eyes, closed
from muniment.service.contents import secrets_of
from muniment.service.curate import space_of
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.receipt import Receipt, receipt_of
from muniment.service.writing import append_closing, refused, tombstones_met, visible

LIFTED = "lifted"
"""How a declined proposal is shown whose refusal a person ended."""


def lift(ground: Ground, intent: Lift) -> Receipt:
    """End a rejection: its tombstones stop standing, what had stated the value becomes a candidate.

    Takes the tombstone's id, the id of a rejected memory, or that of a declined proposal.
    """
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        tombstones = _tombstones(draft, intent.tombstone)
        target = _buried(draft, intent, tombstones=tombstones)
        case = _declined(draft, intent, tombstones) if target is None else None
        known = Known(
            actor=draft.actor(intent.principal),
            recorded=draft.recorded,
            target=target,
            case=case,
            space=space_of(ground, transaction, target or case),
            secrets=secrets_of("reason", intent.reason) if intent.reason else (),
            tombstones=tombstones_met(draft, Claim(""), 0, reason=intent.reason) if intent.reason else (),
        )
        verdict = judge(intent, known)
        if verdict.held or (target is None and case is None):
            return refused(draft, intent, verdict, act="lift")
        return _lifted(draft, intent, target, tombstones=tombstones, known=known)


def _tombstones(draft: Draft, id: str) -> list[Tombstone]:
    """Return the tombstones that `id` names, its own first, and those of the same value."""
    transaction = draft.transaction
    if not is_id(id):
        return []
    if id.startswith("t_"):
        named = transaction.tombstone(id)
        own = [] if named is None else [named]
    else:
        own = transaction.tombstones_of(id)
    values = {one.keys.plain for one in own}
    alike = [one for first in own for one in transaction.tombstones_for(first.space, tuple(values))]
    found = {one.id: one for one in (*own, *alike) if one.keys.plain in values}
    found |= {one.id: one for first in own for one in _of_one_act(draft, first)}
    return [one for one in found.values() if one.kind is TombstoneKind.REJECTED]


def _of_one_act(draft: Draft, own: Tombstone) -> Iterator[Tombstone]:
    """Yield the tombstones of what went with a value in the same act, such as its twins in other signs.

    No two acts of a tenant are recorded at one moment, and each is later than the one before (I8), so
    the record of the act is found in the log, and it names what went: the space is not walked.
    """
    record = _record_at(draft, own.recorded)
    memories = () if record is None else record.ids_of(RowCode.VERSION)
    for current in draft.transaction.currents([unpacked(b"m" + id) for id in memories]):
        version = current.version
        if (version.space, version.trust, version.recorded) == (own.space, Trust.REJECTED, own.recorded):
            yield from draft.transaction.tombstones_of(version.memory)


def _record_at(draft: Draft, moment: datetime) -> Record | None:
    """Return the record of a moment, None where there is none; raises Tampered for a log with a gap."""
    position = bisect_left(range(draft.head.size), moment, key=lambda at: _record(draft, at).recorded)
    found = _record(draft, position) if position < draft.head.size else None
    return found if found is not None and found.recorded == moment else None


def _record(draft: Draft, position: int) -> Record:
    for record in draft.transaction.records(Page(position - 1, 1)):
        if record.position == position:
            return record
    raise Tampered("A record of the log is missing.")


def _buried(draft: Draft, intent: Lift, *, tombstones: list[Tombstone]) -> Version | None:
    if not tombstones:
        return None
    current = visible(draft.ground, draft.transaction, intent.principal, memory=tombstones[0].memory)
    return current.version if current is not None else None


def _declined(draft: Draft, intent: Lift, tombstones: list[Tombstone]) -> Matter | None:
    """Return the declined proposal that keeps a text or a change out, if it is there for the caller."""
    named = {one.memory for one in tombstones if one.memory.startswith("p_")}
    if is_id(intent.tombstone) and intent.tombstone.startswith("p_"):
        named.add(intent.tombstone)
    rows = draft.transaction.matters(sorted(named))
    if not rows or not Eyes(draft.ground, draft.transaction, intent.principal).may_see(rows[-1]):
        return None
    is_kept_out = bool(tombstones) or rows[-1].state is MatterState.DECLINED
    return rows[-1] if is_kept_out else None


def _lifted(
    draft: Draft, intent: Lift, target: Version | None, *, tombstones: list[Tombstone], known: Known
) -> Receipt:
    for tombstone in tombstones:
        draft.generation += 1
        lifting = replace(
            tombstone,
            id=draft.ground.outside.ids.new("t"),
            lifted=True,
            lifts=tombstone.id,
            generation=draft.generation,
            actor=known.actor,
            recorded=draft.recorded,
            reason=intent.reason,
        )
        draft.add_tombstone(lifting, ())
    if known.case is not None and known.case.state is MatterState.DECLINED:
        ended = closed(draft, known.case, MatterState.MOOT, actor=known.actor)
        draft.add_matter(replace(ended, decision=LIFTED, reason=intent.reason))
    standing = Standing(person=intent.principal.is_person)
    moved: dict[str, Version] = {}
    own = target.memory if target is not None else ""
    for memory in dict.fromkeys((own, *(one.memory for one in tombstones))):
        if not memory.startswith("m_"):
            continue
        act = Judge(intent.principal, memory, Act.LIFT, reason=intent.reason)
        version = draft.transaction.currents((memory,))[0].version
        verdict: Verdict = judge(act, replace(known, target=version, standing=standing))
        for closing in verdict.closings:
            moved[memory] = append_closing(draft, closing, act, actor=known.actor, reason=intent.reason)
    outcome = Verdict(Outcome.STORED, Reason.LIFTED, rests_on=own)
    position = draft.commit(
        "lift",
        actor=known.actor,
        space=0 if known.space is None else known.space.n,
        outcome=outcome.outcome.value,
        reason=outcome.reason.code,
        memory=own,
        tombstones=len(tombstones),
    )
    lifted = moved.get(own, target)
    receipt = receipt_of(outcome, id=own, version=0 if lifted is None else lifted.number, record=position)
    return replace(receipt, also=tuple(memory for memory in moved if memory != own))
