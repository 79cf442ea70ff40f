"""What does a block hold, and what was done to it?  Read from the newest line of its journal."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.block import BOUNDS, Block, characters, rendered, usage
from muniment.domain.block_journal import KINDS, LANDED, Edit, edit_of
from muniment.domain.changes import Page
from muniment.domain.matter import Matter
from muniment.domain.principal import Principal
from muniment.errors import NotFound
from muniment.ports import Snapshot
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered
from muniment.service.writing import readable

_BLOCKS = "The blocks are `soul`, `memory` and `user`, each of a space that you may read."
"""What to do about a block that is not there."""

NEVER_WRITTEN = "A block cannot be read: its newest line holds what was never written."
"""What is said of a line whose row is what its record commits to, and no edit."""


@dataclass(frozen=True, slots=True)
class BlockText:
    """Hold a block as it stands: its entries, the joined text, how full it is, its latest edit.

    `used` and `bound` count code points of the joined text.
    """

    block: str
    space: str
    entries: tuple[str, ...]
    text: str
    usage: str
    used: int
    bound: int
    edit: str


@dataclass(frozen=True, slots=True)
class EditLine:
    """Hold one line of the journal as it is shown; `n` is where a further page goes on.

    `session` is a name, empty for an edit outside a session, and `untrusted` says whether
    the session had read untrusted content.
    """

    id: str
    n: int
    at: datetime
    space: str
    block: str
    action: str
    actor: str
    session: str
    call: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    notes: tuple[str, ...]
    undoes: str
    untrusted: bool


def newest_lines(ground: Ground, snapshot: Snapshot, space: int) -> dict[Block, Edit]:
    """Return the newest line of each block of a space that was ever edited.

    Raises Tampered for one that does not match its record: an edit would put what was slipped
    into it on record as what it left (I6).
    """
    newest = Page(limit=1, newest_first=True)
    rows: dict[Block, Matter] = {}
    for block, kind in KINDS.items():
        for row in snapshot.matters_in((space,), (kind.value,), (LANDED.value,), page=newest):
            rows[block] = row
    refuse_altered(ground, snapshot, tuple(rows.values()))
    return {block: edit_of(row) for block, row in rows.items()}


def block_text(ground: Ground, principal: Principal, *, block: Block, space: str) -> BlockText:
    """Return a block as it stands now, empty when it was never edited.

    Raises NotFound for a block of a space that the principal may not read (I7).
    """
    if not principal.may_read(space):
        raise NotFound("There is no such block for you.", advice=_BLOCKS)
    with ground.reading() as snapshot:
        row = ground.space(snapshot, space)
        line = None if row is None else newest_lines(ground, snapshot, row.n).get(block)
        if line is not None and not readable(ground, snapshot, principal, space=line.space, label=line.label):
            raise NotFound("There is no such block for you.", advice=_BLOCKS)
    entries = () if line is None else line.after
    return BlockText(
        block=block.value,
        space=space,
        entries=entries,
        text=rendered(entries),
        usage=usage(block, entries),
        used=characters(entries),
        bound=BOUNDS[block],
        edit="" if line is None else line.name,
    )


def edits(
    ground: Ground, principal: Principal, *, blocks: Sequence[Block], spaces: Sequence[int], page: Page
) -> tuple[EditLine, ...]:
    """Return lines of the journal that the principal may see, in the page's direction (I7).

    Raises Tampered when one of them does not match its record.
    """
    kinds = [KINDS[block].value for block in blocks]
    with ground.reading() as snapshot:
        rows = snapshot.matters_in(spaces, kinds, (LANDED.value,), page=page)
        refuse_altered(ground, snapshot, rows)
        seen = [
            (row.n, edit_of(row))
            for row in rows
            if readable(ground, snapshot, principal, space=row.space, label=row.label)
        ]
        numbers = sorted({line.session for _, line in seen if line.session})
        sessions = {one.n: one.name for one in snapshot.sessions_at(numbers)}
        return tuple(
            _shown(ground, snapshot, line, n=n, session=sessions.get(line.session, "")) for n, line in seen
        )


def _shown(ground: Ground, snapshot: Snapshot, line: Edit, *, n: int, session: str) -> EditLine:
    return EditLine(
        id=line.name,
        n=n,
        at=line.recorded,
        space=ground.path_of(snapshot, line.space),
        block=line.block.value,
        action=line.action.value,
        actor=ground.name_of(snapshot, line.actor),
        session=session,
        call=line.call,
        before=line.before,
        after=line.after,
        notes=line.notes,
        undoes=line.undoes,
        untrusted=line.label.untrusted,
    )
