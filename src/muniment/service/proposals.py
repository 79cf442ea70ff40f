"""What waits for a person, and what becomes of it?  Staged whole, shown whole, judged again when approved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from muniment.domain.block import Block
from muniment.domain.block_file import NOTHING, Hindrance
from muniment.domain.changes import Page
from muniment.domain.ids import is_id
from muniment.domain.intent import Change, Connect, EditBlock, Judge, Remember, Review
from muniment.domain.label import Label
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Claim
from muniment.domain.principal import Principal
from muniment.domain.proposal import Proposable, digest_of, intent_of, spelled
from muniment.errors import NotFound
from muniment.gate.judge import judge
from muniment.gate.moves import whole_claim
from muniment.gate.verdict import Known, Reason, refuse
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.service import curate, remember, revise
from muniment.service.burying import Grave
from muniment.service.cases import Eyes, closed
from muniment.service.contents import secrets_of
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered
from muniment.service.receipt import Receipt, receipt_of
from muniment.service.staging import present
from muniment.service.writing import refused, tombstones_met

if TYPE_CHECKING:
    from muniment.service import block_proposals
else:
    block_proposals = Later("muniment.service.block_proposals")

APPROVED, DECLINED = "approved", "declined"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Hold a change that waits, or waited: the whole of it, who asked, and what it would change now.

    `digest` names the exact bytes in `body`; approving takes it back.  `now` is what the
    memory that it would change says at present, empty for a new one.  `edited` is what a person
    approved instead of `text`, empty when it was approved word for word.  An edit of a `block`
    shows every entry with what becomes of it, `then` when it was asked for and `today`.
    """

    id: str
    state: str
    act: str
    space: str
    why: str
    proposer: str
    opened: datetime
    digest: str
    body: str
    text: str
    target: str
    now: str
    label: Label
    decided: datetime | None = None
    decided_by: str = ""
    reason: str = ""
    edited: str = ""
    block: str = ""
    then: tuple[str, ...] = ()
    today: tuple[str, ...] = ()


def pending(
    ground: Ground, principal: Principal, *, states: Sequence[MatterState], spaces: Sequence[int], page: Page
) -> tuple[Proposal, ...]:
    """Return the proposals of some states that the principal may see (I7).

    Raises Tampered when a row of one of them does not match its record.
    """
    with ground.reading() as snapshot:
        rows = snapshot.matters_in(spaces, (MatterKind.PROPOSAL.value,), states, page=page)
        # The first row holds what was asked for, the newest what became of it.
        refuse_altered(ground, snapshot, snapshot.matters([row.id for row in rows]))
        eyes = Eyes(ground, snapshot, principal)
        return tuple(_shown(eyes, row) for row in rows if eyes.may_see(row))


def proposal(ground: Ground, principal: Principal, id: str) -> Proposal:
    """Return one proposal, whole; raises NotFound when there is none for the principal."""
    with ground.reading() as snapshot:
        eyes, rows = Eyes(ground, snapshot, principal), _rows(ground, snapshot, id)
        if not rows or not eyes.may_see(rows[-1]):
            raise NotFound("There is no such proposal for you.", advice=LISTED)
        return _shown(eyes, rows[-1])


def _rows(ground: Ground, snapshot: Snapshot, id: str) -> list[Matter]:
    rows = snapshot.matters((id,)) if is_id(id) and id.startswith("p_") else []
    refuse_altered(ground, snapshot, rows)
    return rows


def _shown(eyes: Eyes, row: Matter) -> Proposal:
    first = eyes.snapshot.matters((row.id,))[0]
    intent = intent_of(first.body)
    version = present(eyes.snapshot, row.old)
    is_open = row.state is MatterState.OPEN
    found = Proposal(
        id=row.id,
        state=row.decision or row.state.value,
        act=intent.act.value if isinstance(intent, Judge) else _act(intent),
        space=eyes.path(row.space),
        why=row.why,
        proposer=eyes.name(first.actor),
        opened=first.recorded,
        digest=first.digest.hex(),
        body=first.body,
        text=_text(intent),
        target=row.old,
        now="" if version is None else eyes.side(version).text,
        label=row.label,
        decided=None if is_open else row.recorded,
        decided_by="" if is_open else eyes.name(row.actor),
        reason=row.reason,
        edited=_text(intent_of(row.body)) if row.body and row.n != first.n else "",
    )
    if not isinstance(intent, EditBlock):
        return found
    then, today = block_proposals.differences(eyes, first, intent)
    block = "" if intent.block is None else intent.block.value
    return replace(found, target="", block=block, then=then.lines, today=today.lines)


def _text(intent: Proposable) -> str:
    """Return the text that a request brings in; of several, each on lines of its own."""
    if isinstance(intent, Remember | Change):
        return intent.claim.text
    if isinstance(intent, EditBlock):
        return "\n".join(intent.texts)
    return ""


def _act(intent: Remember | Change | Connect | EditBlock) -> str:
    match intent:
        case Remember():
            return "remember"
        case EditBlock():
            return f"memory {intent.action.value}"
        case Change():
            return intent.act
        case Connect():
            return "link"


def review(ground: Ground, intent: Review, hindered: Mapping[Block, Hindrance] = NOTHING) -> Receipt:
    """Approve or decline a proposal: a person's act, on record.

    An approved one passes the gate again, against the state as it is now and as its proposer:
    an approval lends no rank.  One that a person edits is that person's statement, for the words
    are; it keeps the proposal's label.  A declined one is kept, and its text may not come back.
    `hindered` says which blocks' files stand in the way of an edit.
    """
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        draft.hindered = hindered
        rows = _rows(ground, transaction, intent.proposal)
        seen = bool(rows) and Eyes(ground, transaction, intent.principal).may_see(rows[-1])
        row = replace(rows[-1], digest=rows[0].digest) if seen else None
        known = Known(
            actor=draft.actor(intent.principal),
            recorded=draft.recorded,
            space=None if row is None else ground.space(transaction, ground.path_of(transaction, row.space)),
            case=row,
            secrets=secrets_of("reason", intent.reason) if intent.reason else (),
            tombstones=tombstones_met(draft, Claim(""), 0, reason=intent.reason) if intent.reason else (),
        )
        verdict, act = judge(intent, known), "approve" if intent.approves else "decline"
        if verdict.held or row is None:
            found = replace(refused(draft, intent, verdict, act=act), proposal=intent.proposal)
            return found if row is not None else replace(found, next=LISTED)
        asked = intent_of(rows[0].body)
        if digest_of(rows[0].body) != rows[0].digest:
            raise NotFound("The proposal's bytes are not those that were staged.")
        if intent.claim != Claim(""):
            edited = _edited(intent, asked)
            if edited is None:
                return replace(refused(draft, intent, _NO_WORDS, act=act), proposal=row.id)
            asked = edited
        if intent.approves:
            return replace(_approved(draft, intent, asked, row=row, actor=known.actor), proposal=row.id)
        return replace(_declined(draft, intent, asked, row=row, known=known), proposal=row.id)


LISTED = "`muniment pending` lists what waits, `muniment pending --state all` everything."
"""What to do about a proposal that is not there."""

_NO_WORDS = refuse(Reason.BAD_SHAPE, detail="It has no text that could be edited.")


def _edited(intent: Review, asked: Proposable) -> Remember | Change | EditBlock | None:
    """Return the request as the person edited it, None for one without words."""
    if isinstance(asked, EditBlock):
        return block_proposals.reworded(asked, intent)
    if not isinstance(asked, Remember | Change):
        return None
    return replace(asked, principal=intent.principal, claim=whole_claim(intent.claim, asked.claim))


def _approved(draft: Draft, intent: Review, asked: Proposable, *, row: Matter, actor: int) -> Receipt:
    done = replace(closed(draft, row, MatterState.DECIDED, actor=actor), decision=APPROVED)
    if intent.claim != Claim(""):
        body = spelled(asked)
        done = replace(done, body=body, digest=digest_of(body))
    draft.approve(replace(done, reason=intent.reason), actor)
    match asked:
        case EditBlock():
            return block_proposals.approved(draft, asked)
        case Remember():
            return remember.remembered(draft, asked)
        case Change():
            return revise.change_in(draft, asked)
        case Judge():
            return curate.move_in(draft, asked)
        case Connect():
            return curate.connect_in(draft, asked)


def _declined(draft: Draft, intent: Review, asked: Proposable, *, row: Matter, known: Known) -> Receipt:
    done = closed(draft, row, MatterState.DECLINED, actor=known.actor)
    draft.add_matter(replace(done, decision=DECLINED, reason=intent.reason))
    buried = _buried(draft, intent, asked, row=row, actor=known.actor)
    verdict = judge(intent, known)
    position = draft.commit(
        "decline",
        actor=known.actor,
        space=row.space,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        proposal=row.id,
        tombstones=buried,
    )
    return receipt_of(verdict, id=row.id, record=position)


def _buried(draft: Draft, intent: Review, asked: Proposable, *, row: Matter, actor: int) -> int:
    """Bury what a declined request would have brought in; return how many tombstones that takes."""
    if isinstance(asked, EditBlock):
        grave = Grave(row.id, row.space, actor, intent.reason)
        return block_proposals.buried(draft, row, asked, grave=grave)
    claim = _claim(draft, asked)
    if claim is not None:
        curate.bury_claim(draft, curate.Buried(row.id, row.space, claim), actor, reason=intent.reason)
    return int(claim is not None)


def _claim(draft: Draft, asked: Proposable) -> Claim | None:
    """Return the claim that the proposal would have added, None when it adds none."""
    if isinstance(asked, Remember):
        return asked.claim
    if not isinstance(asked, Change) or not (asked.claim.text or asked.claim.value):
        return None
    version = present(draft.transaction, asked.target)
    return asked.claim if version is None else whole_claim(asked.claim, version.claim)
