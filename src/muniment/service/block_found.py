"""What is known of an edit of a block under the lock: what stands, where it leads, what its texts hold?"""

from dataclasses import dataclass, replace

from muniment.domain.block import Block
from muniment.domain.block_edit import (
    OPERATIONS,
    Action,
    Applied,
    Fault,
    FaultKind,
    applied,
    consolidated,
    restored,
)
from muniment.domain.block_journal import Edit
from muniment.domain.intent import EditBlock
from muniment.domain.memory import Claim
from muniment.domain.rows import SpaceRow
from muniment.domain.space import HOME
from muniment.gate.block_rules import ends_as_note
from muniment.gate.characters import checked
from muniment.gate.verdict import BadCharacter, Known
from muniment.service.block_declined import removal_declined
from muniment.service.block_reading import newest_lines
from muniment.service.contents import content_of
from muniment.service.draft import Draft
from muniment.service.writing import tombstones_met


@dataclass(frozen=True, slots=True)
class Found:
    """Hold what stands under the lock: the space, the newest line of each block, this one's entries.

    `shown` are the entries that a refusal shows.
    """

    space: SpaceRow | None
    lines: dict[Block, Edit]
    entries: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


def cleaned(intent: EditBlock) -> tuple[EditBlock, BadCharacter | None]:
    """Return a request with its texts as they would be stored, and the first bad character."""
    bad: list[BadCharacter] = []

    def clean(text: str) -> str:
        result = checked(text)
        if result.refused is not None:
            refused = result.refused
            bad.append(BadCharacter("text", refused.code_point, refused.offset, refused.rule))
        return result.text.strip()

    operations = tuple(
        replace(one, text=clean(one.text), old=_plain_lines(one.old)) for one in intent.operations
    )
    lines = tuple(replace(one, text=clean(one.text), old=_plain_lines(one.old)) for one in intent.lines)
    return replace(intent, operations=operations, lines=lines), bad[0] if bad else None


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def found(draft: Draft, asked: EditBlock) -> tuple[Found, EditBlock]:
    """Return what stands now; an undo learns here which block its edit was of."""
    space = draft.ground.space(draft.transaction, asked.space)
    lines = {} if space is None else newest_lines(draft.ground, draft.transaction, space.n)
    if asked.action is Action.UNDO:
        named = [line.block for line in lines.values() if line.name == asked.undoes]
        asked = replace(asked, block=named[0] if named else None)
    line = None if asked.block is None else lines.get(asked.block)
    return Found(space, lines, () if line is None else line.after), asked


def led(asked: EditBlock, found: Found) -> Applied | Fault | None:
    """Return where the request leads from what the block holds."""
    if asked.action is Action.UNDO:
        return _undone(asked, found)
    if asked.block is None:
        return None
    if asked.action in (Action.CONSOLIDATE, Action.FILE):
        return consolidated(asked.block, found.entries, asked.lines)
    if any(one.action not in OPERATIONS for one in asked.operations):
        return None
    batch = asked.action is Action.BATCH
    return applied(asked.block, found.entries, asked.operations, is_batch=batch)


def _undone(asked: EditBlock, found: Found) -> Applied | Fault:
    if asked.block is None:
        latest = ", ".join(f"{block.value} {line.name}" for block, line in found.lines.items())
        return Fault(FaultKind.NOT_LATEST, f"The latest here: {latest or 'no block was ever edited'}.")
    return restored(asked.block, found.entries, found.lines[asked.block].before)


def known_of(draft: Draft, asked: EditBlock, found: Found, *, bad: BadCharacter | None) -> Known:
    """Return all that the gate looks at, with what was found in the texts that would come in."""
    space, ground = found.space, draft.ground
    known = Known(
        actor=draft.actor(asked.principal),
        recorded=draft.recorded,
        space=space,
        review="off" if space is None else ground.reviews.get(space.n, "off"),
        approved=bool(draft.proposal),
        edit=led(asked, found),
        block_off=space is not None
        and asked.block is not None
        and (space.n, asked.block.value) in ground.blocks_off,
    )
    if ends_as_note(asked):
        return known
    # Only the blocks at home lie in files; what is taken in from a file is not hindered by it.
    at_home = asked.block is not None and asked.space == HOME and asked.action is not Action.FILE
    file = draft.hindered.get(asked.block) if at_home and asked.block is not None else None
    return _looked_at(draft, asked, replace(known, file=file), bad=bad)


def _looked_at(draft: Draft, asked: EditBlock, known: Known, *, bad: BadCharacter | None) -> Known:
    if bad is not None:
        return replace(known, bad_character=bad)
    edit = known.edit if isinstance(known.edit, Applied) else None
    undone = edit.added if edit is not None and asked.action is Action.UNDO else ()
    claims = [Claim(text) for text in (*undone, *asked.texts)]
    contents = [content_of(claim, (), draft.ground.outside.sieve) for claim in claims]
    space = known.space
    known = replace(
        known,
        phrases=tuple(one for content in contents for one in content.phrases),
        secrets=tuple(one for content in contents for one in content.secrets),
    )
    if space is None:
        return known
    return replace(
        known,
        tombstones=tuple(hit for claim in claims for hit in tombstones_met(draft, claim, space.n)),
        declined=""
        if edit is None or asked.block is None or asked.principal.is_person
        else removal_declined(draft, asked.block, edit, space=space.n),
    )
