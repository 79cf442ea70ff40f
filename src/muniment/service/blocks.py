"""How is a block edited?  Read again under the lock, judged, one line of the journal, one record."""

from collections.abc import Mapping
from dataclasses import replace

from muniment.domain.block import Block, usage
from muniment.domain.block_edit import Action, Applied, Fault, pinned_lines, pinned_operations
from muniment.domain.block_file import NOTHING, Hindrance
from muniment.domain.block_journal import Edit, next_name, row_of
from muniment.domain.intent import EditBlock
from muniment.domain.label import PRIVATE, strictest
from muniment.domain.principal import Principal
from muniment.domain.timeline import shown
from muniment.gate.block_rules import REASONS
from muniment.gate.judge import judge
from muniment.gate.verdict import BadCharacter, Outcome, Reason, Verdict
from muniment.service import staging
from muniment.service.block_found import Found, cleaned, found, known_of
from muniment.service.block_receipt import BlockReceipt
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.notes import Note, add_note
from muniment.service.upkeep import proposals_waiting
from muniment.service.writing import readable, running

_SHOWN_WITH = frozenset(
    {
        Reason.OVER_LIMIT,
        Reason.NO_ENTRY,
        Reason.BAD_EDIT,
        Reason.EMPTIES_BLOCK,
    }
)
"""Refusals that show the block's entries, so that the next call can name them."""


def edit(ground: Ground, intent: EditBlock, hindered: Mapping[Block, Hindrance] = NOTHING) -> BlockReceipt:
    """Judge an edit against what the block holds now and land it, or say why not.

    Whoever wrote in between is not overwritten: the entries are read again under the lock.
    `hindered` says which blocks' files stand in the way.
    """
    clean, bad = cleaned(intent)
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        draft.hindered = hindered
        who, read = running(draft, clean.principal, session=clean.session, read=clean.read)
        return _judged(draft, replace(clean, principal=who, read=read), bad)


def edited(draft: Draft, intent: EditBlock) -> BlockReceipt:
    """Judge an edit that a person approved, as its proposer's, against what the block holds now."""
    return _judged(draft, *cleaned(intent))


def _judged(draft: Draft, asked: EditBlock, bad: BadCharacter | None) -> BlockReceipt:
    there, asked = found(draft, asked)
    known = known_of(draft, asked, there, bad=bad)
    verdict = judge(asked, known)
    if verdict.refused:
        return _refused(draft, asked, verdict, found=_shown_entries(known.edit, verdict, there))
    if verdict.outcome is Outcome.NOTED:
        return _noted(draft, asked, verdict, actor=known.actor)
    assert isinstance(known.edit, Applied)
    if verdict.outcome is Outcome.STAGED:
        return _staged(draft, asked, verdict, found=there, led=known.edit)
    return _landed(draft, asked, verdict, found=there, led=known.edit)


def _staged(draft: Draft, asked: EditBlock, verdict: Verdict, *, found: Found, led: Applied) -> BlockReceipt:
    """Let an edit wait for a person, with the whole of each entry that it would take out."""
    pinned = replace(
        asked,
        operations=pinned_operations(led.before, asked.operations),
        lines=pinned_lines(led.before, asked.lines),
        read=asked.read.joined(PRIVATE),
    )
    clean = Draft.begun(draft.ground, draft.transaction)
    actor = clean.actor(asked.principal)
    assert asked.block is not None
    line = found.lines.get(asked.block)
    waits = staging.stage(clean, pinned, verdict, actor=actor, line="" if line is None else line.id)
    position = clean.commit(
        "memory",
        actor=actor,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        action=asked.action.value,
        block=asked.block.value,
        proposal=waits,
    )
    receipt = replace(_receipt(verdict), record=position, block=asked.block.value, proposal=waits)
    if not _may_see(draft, asked, found):
        return receipt
    return replace(
        receipt,
        usage=usage(asked.block, found.entries),
        count=len(found.entries),
        waiting=proposals_waiting(draft.transaction, asked.principal),
    )


def _shown_entries(led: Applied | Fault | None, verdict: Verdict, found: Found) -> Found:
    """Return what was found with the entries that help whoever is refused."""
    if isinstance(led, Fault) and led.entries and REASONS[led.kind] is verdict.reason:
        return replace(found, shown=led.entries)
    return replace(found, shown=found.entries if verdict.reason in _SHOWN_WITH else ())


def _refused(draft: Draft, asked: EditBlock, verdict: Verdict, *, found: Found) -> BlockReceipt:
    """Put a refusal on record, with nothing else of the draft."""
    clean = Draft.begun(draft.ground, draft.transaction)
    block = "" if asked.block is None else asked.block.value
    position = clean.commit(
        "memory",
        actor=clean.actor(asked.principal),
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        action=asked.action.value,
        block=block,
    )
    receipt = replace(_receipt(verdict), record=position, block=block)
    if asked.block is None or not _may_see(draft, asked, found):
        return receipt
    return replace(
        receipt,
        usage=usage(asked.block, found.entries),
        count=len(found.entries),
        entries=found.shown,
    )


def _may_see(draft: Draft, asked: EditBlock, found: Found) -> bool:
    """Return whether the entries may be shown to who asks (I7)."""
    line = None if asked.block is None else found.lines.get(asked.block)
    if line is None:
        return asked.principal.may_read(asked.space)
    return readable(draft.ground, draft.transaction, asked.principal, space=line.space, label=line.label)


def _receipt(verdict: Verdict) -> BlockReceipt:
    reason = verdict.reason
    return BlockReceipt(
        verdict=verdict.outcome.value,
        reason=reason.code,
        sentence=reason.sentence,
        next=reason.advice,
        detail=verdict.detail,
        rests_on=verdict.rests_on,
    )


def _noted(draft: Draft, asked: EditBlock, verdict: Verdict, *, actor: int) -> BlockReceipt:
    """Keep a text as a note, word for word as it was given: evidence is never refused."""
    space = draft.space(asked.space)
    note = add_note(draft, Note(asked.text, space.n, actor, asked.read), asked.principal)
    position = draft.commit(
        "memory",
        actor=actor,
        space=space.n,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        action=Action.NOTE.value,
        evidence=note.id,
    )
    return replace(_receipt(verdict), record=position, notes=(note.id,))


def _landed(draft: Draft, asked: EditBlock, verdict: Verdict, *, found: Found, led: Applied) -> BlockReceipt:
    block, space = asked.block, draft.space(asked.space)
    assert block is not None
    actor = draft.actor(asked.principal)
    line = found.lines.get(block)
    done = Edit(
        name=next_name(draft.recorded, tuple(found.lines.values())),
        block=block,
        action=asked.action,
        before=led.before,
        after=led.after,
        space=space.n,
        actor=actor,
        recorded=draft.recorded,
        label=strictest((asked.read,), least=PRIVATE if line is None else line.label),
        session=asked.session,
        call=asked.call,
        undoes=asked.undoes,
    )
    done = replace(done, notes=_left(draft, done, led, principal=asked.principal))
    draft.add_matter(row_of(done, n=draft.number(), id=draft.ground.outside.ids.new("b")))
    position = draft.commit(
        "memory",
        actor=actor,
        space=space.n,
        outcome=verdict.outcome.value,
        reason=verdict.reason.code,
        action=asked.action.value,
        block=block.value,
        edit=done.name,
    )
    return replace(
        _receipt(verdict),
        record=position,
        block=block.value,
        usage=usage(block, done.after),
        count=len(done.after),
        edit=done.name,
        added=led.added,
        replaced=led.replaced,
        moved=led.moved,
        dropped=led.dropped,
        notes=done.notes,
        # Said with every edit: what nobody is reminded of waits for weeks unseen.
        waiting=proposals_waiting(draft.transaction, asked.principal),
    )


def _left(draft: Draft, done: Edit, led: Applied, *, principal: Principal) -> tuple[str, ...]:
    """Keep what left the block as notes, each with a line that says when, from where and by whom."""
    sessions = draft.transaction.sessions_at((done.session,)) if done.session else []
    where = f"in session {sessions[0].name}" if sessions else f"by {principal.actor}"
    made = []
    for how, texts in (("moved", led.moved), ("dropped", led.dropped)):
        head = f"[{how} from the block {done.block.value}, {shown(done.recorded)}, {where}]"
        source = f"block {done.block.value}, {how}"
        for text in texts:
            note = Note(f"{head}\n{text}", done.space, done.actor, done.label, source)
            made.append(add_note(draft, note, principal).id)
    return tuple(made)
