"""How is a block edited?  Read again under the lock, judged, one line of the journal, one record."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from muniment.domain.block import Block, usage
from muniment.domain.block_edit import (
    Action,
    Applied,
    Fault,
    FaultKind,
    Line,
    Operation,
    applied,
    consolidated,
    restored,
)
from muniment.domain.block_journal import Edit, next_name, row_of
from muniment.domain.intent import EditBlock
from muniment.domain.label import PRIVATE, strictest
from muniment.domain.memory import Claim
from muniment.domain.principal import Principal
from muniment.domain.rows import SpaceRow
from muniment.domain.timeline import shown
from muniment.gate.block_rules import REASONS, ends_as_note
from muniment.gate.characters import checked
from muniment.gate.judge import judge
from muniment.gate.verdict import BadCharacter, Known, Outcome, Reason, Verdict
from muniment.service.block_reading import newest_lines
from muniment.service.block_receipt import BlockReceipt
from muniment.service.contents import content_of
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.notes import Note, add_note
from muniment.service.writing import read_by, readable, tombstones_met

_SHOWN_WITH = frozenset(
    {
        Reason.OVER_LIMIT,
        Reason.NO_ENTRY,
        Reason.BAD_EDIT,
        Reason.EMPTIES_BLOCK,
    }
)
"""Refusals that show the block's entries, so that the next call can name them."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Hold what stands under the lock: the space, the newest line of each block, this one's entries.

    `shown` are the entries that a refusal shows.
    """

    space: SpaceRow | None
    lines: dict[Block, Edit]
    entries: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


def edit(ground: Ground, intent: EditBlock) -> BlockReceipt:
    """Judge an edit against what the block holds now and land it, or say why not.

    Whoever wrote in between is not overwritten: the entries are read again under the lock.
    """
    cleaned, bad = _cleaned(intent)
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        asked = replace(cleaned, read=read_by(draft, cleaned.session, cleaned.read))
        found, asked = _found(draft, asked)
        actor = draft.actor(asked.principal)
        known = Known(
            actor=actor,
            recorded=draft.recorded,
            space=found.space,
            review="off" if found.space is None else ground.reviews.get(found.space.n, "off"),
            edit=_led(asked, found),
        )
        if not ends_as_note(asked):
            known = _looked_at(draft, asked, known, bad=bad)
        verdict = judge(asked, known)
        if verdict.refused:
            return _refused(draft, asked, verdict, found=_shown_entries(known.edit, verdict, found))
        if verdict.outcome is Outcome.NOTED:
            return _noted(draft, asked, verdict, actor=actor)
        assert isinstance(known.edit, Applied)
        return _landed(draft, asked, verdict, found=found, led=known.edit)


def _cleaned(intent: EditBlock) -> tuple[EditBlock, BadCharacter | None]:
    """Return a request with its texts as they would be stored, and the first bad character."""
    bad: list[BadCharacter] = []

    def clean(text: str) -> str:
        result = checked(text)
        if result.refused is not None:
            refused = result.refused
            bad.append(BadCharacter("text", refused.code_point, refused.offset, refused.rule))
        return result.text.strip()

    operations = tuple(
        Operation(one.action, clean(one.text), _plain_lines(one.old)) for one in intent.operations
    )
    lines = tuple(replace(one, text=clean(one.text), old=_plain_lines(one.old)) for one in intent.lines)
    return replace(intent, operations=operations, lines=lines), bad[0] if bad else None


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _found(draft: Draft, asked: EditBlock) -> tuple[_Found, EditBlock]:
    """Return what stands now; an undo learns here which block its edit was of."""
    space = draft.ground.space(draft.transaction, asked.space)
    lines = {} if space is None else newest_lines(draft.transaction, space.n)
    if asked.action is Action.UNDO:
        named = [line.block for line in lines.values() if line.name == asked.undoes]
        asked = replace(asked, block=named[0] if named else None)
    line = None if asked.block is None else lines.get(asked.block)
    return _Found(space, lines, () if line is None else line.after), asked


def _led(asked: EditBlock, found: _Found) -> Applied | Fault | None:
    """Return where the request leads from what the block holds now."""
    if asked.action is Action.UNDO:
        return _undone(asked, found)
    if asked.block is None:
        return None
    if asked.action is Action.CONSOLIDATE:
        return consolidated(asked.block, found.entries, asked.lines)
    batch = asked.action is Action.BATCH
    if any(one.action not in (Action.ADD, Action.REPLACE, Action.REMOVE) for one in asked.operations):
        return None
    return applied(asked.block, found.entries, asked.operations, is_batch=batch)


def _undone(asked: EditBlock, found: _Found) -> Applied | Fault:
    if asked.block is None:
        latest = ", ".join(f"{block.value} {line.name}" for block, line in found.lines.items())
        return Fault(FaultKind.NOT_LATEST, f"The latest here: {latest or 'no block was ever edited'}.")
    return restored(asked.block, found.entries, found.lines[asked.block].before)


def _looked_at(draft: Draft, asked: EditBlock, known: Known, *, bad: BadCharacter | None) -> Known:
    """Return what is known with what was found in the texts that would come into the block."""
    if bad is not None:
        return replace(known, bad_character=bad)
    undone = known.edit.added if isinstance(known.edit, Applied) and asked.action is Action.UNDO else ()
    claims = [Claim(text) for text in (*undone, *_texts(asked.operations, asked.lines))]
    contents = [content_of(claim, ()) for claim in claims]
    space = known.space
    return replace(
        known,
        phrases=tuple(one for content in contents for one in content.phrases),
        secrets=tuple(one for content in contents for one in content.secrets),
        tombstones=()
        if space is None
        else tuple(hit for claim in claims for hit in tombstones_met(draft, claim, space.n)),
    )


def _texts(operations: Iterable[Operation], lines: Iterable[Line]) -> tuple[str, ...]:
    texts = (*(one.text for one in operations), *(one.text for one in lines))
    return tuple(text for text in texts if text)


def _shown_entries(led: Applied | Fault | None, verdict: Verdict, found: _Found) -> _Found:
    """Return what was found with the entries that help whoever is refused."""
    if isinstance(led, Fault) and led.entries and REASONS[led.kind] is verdict.reason:
        return replace(found, shown=led.entries)
    return replace(found, shown=found.entries if verdict.reason in _SHOWN_WITH else ())


def _refused(draft: Draft, asked: EditBlock, verdict: Verdict, *, found: _Found) -> BlockReceipt:
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


def _may_see(draft: Draft, asked: EditBlock, found: _Found) -> bool:
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


def _landed(draft: Draft, asked: EditBlock, verdict: Verdict, *, found: _Found, led: Applied) -> BlockReceipt:
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
