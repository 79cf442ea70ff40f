"""What was done to a block, by whom, and from what to what?  One line of the journal.

The newest line of a block says what the block holds now.  A line is a row among the
matters, sealed to its ledger record like any other; its text is what erasure looks through.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from muniment.domain.block import Block
from muniment.domain.block_edit import Action
from muniment.domain.label import Label
from muniment.domain.matter import Matter, MatterKind, MatterState

KINDS = MappingProxyType(
    {Block.SOUL: MatterKind.SOUL, Block.MEMORY: MatterKind.MEMORY, Block.USER: MatterKind.USER}
)
"""Under which kind of matter the lines of each block lie."""

LANDED = MatterState.DECIDED
"""The state of every line: nothing of it waits."""

_BLOCKS = MappingProxyType({kind: block for block, kind in KINDS.items()})

# Between parts and between texts stand separators that the gate lets into no entry, so that the
# texts lie in the row as they are: an escape would hide a word from whoever looks for it.
_PART, _TEXT = "\x1d", "\x1f"


@dataclass(frozen=True, slots=True)
class Edit:
    """Hold one edit of a block.

    `name` is `YYYY-MM-DD-NNNN`, unique in its space, and `id` that of its row, empty before it
    has one; `session` the number of the session it
    came from, 0 for none, and `call` the caller's own name of the call.  `undoes` names the
    edit that it takes back, and `notes` the ids of the notes that it left.
    """

    name: str
    block: Block
    action: Action
    before: tuple[str, ...]
    after: tuple[str, ...]
    space: int
    actor: int
    recorded: datetime
    label: Label
    session: int = 0
    call: str = ""
    undoes: str = ""
    notes: tuple[str, ...] = ()
    id: str = field(default="", compare=False)


def next_name(recorded: datetime, lines: Sequence[Edit]) -> str:
    """Return the name of the next edit; `lines` are the newest of each block of the space."""
    day = f"{recorded:%Y-%m-%d}"
    today = [int(line.name[len(day) + 1 :]) for line in lines if line.name.startswith(day)]
    return f"{day}-{max(today, default=0) + 1:04}"


def row_of(edit: Edit, *, n: int, id: str) -> Matter:
    """Return the row of a line of the journal."""
    return Matter(
        n=n,
        id=id,
        kind=KINDS[edit.block],
        space=edit.space,
        state=LANDED,
        why=edit.action.value,
        label=edit.label,
        actor=edit.actor,
        recorded=edit.recorded,
        body=_PART.join(
            (
                edit.name,
                str(edit.session),
                edit.call,
                edit.undoes,
                *(_TEXT.join(texts) for texts in (edit.notes, edit.before, edit.after)),
            )
        ),
    )


def edit_of(row: Matter) -> Edit:
    """Return the line that a row holds; raises KeyError or ValueError for another row."""
    name, session, call, undoes, notes, before, after = row.body.split(_PART)
    return Edit(
        name=name,
        block=_BLOCKS[row.kind],
        action=Action(row.why),
        before=_texts(before),
        after=_texts(after),
        space=row.space,
        actor=row.actor,
        recorded=row.recorded,
        label=row.label,
        session=int(session),
        call=call,
        undoes=undoes,
        notes=_texts(notes),
        id=row.id,
    )


def without(row: Matter, holds: Callable[[str], bool]) -> Matter:
    """Return a line's row without the entries that hold what is erased; other rows as they are.

    Taken out of every line alike, the entries of a line still begin where the line before ended.
    """
    if row.kind not in _BLOCKS:
        return row
    edit = edit_of(row)
    before, after = (
        tuple(entry for entry in entries if not holds(entry)) for entries in (edit.before, edit.after)
    )
    call = "" if edit.call and holds(edit.call) else edit.call
    return row_of(replace(edit, before=before, after=after, call=call), n=row.n, id=row.id)


def _texts(part: str) -> tuple[str, ...]:
    return tuple(part.split(_TEXT)) if part else ()
