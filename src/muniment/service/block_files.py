"""How does what a person changed in a block's file get into the block?  Through the gate, as the owner's.

Before each use of a block its file is looked at: one that only the block outran is written again,
a clean edit is taken in, and what is none is copied and left alone, with a refusal that names the
copy.  The lock of the files lies outside, the transaction inside, and files are written after it.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from muniment.domain.block import BOUNDS, Block, characters
from muniment.domain.block_edit import Action
from muniment.domain.block_file import (
    EMPTIED,
    NAMES,
    NOT_ENTRIES,
    NOTHING,
    OVER_LIMIT,
    REFUSED,
    UNKNOWN_BASE,
    Hindrance,
    Left,
    lines_for,
    merged,
)
from muniment.domain.block_journal import edit_of
from muniment.domain.ids import is_id
from muniment.domain.intent import EditBlock
from muniment.domain.principal import Principal, local_owner
from muniment.domain.space import HOME
from muniment.errors import (
    BadInput,
    FullDisk,
    MunimentError,
    ReadOnly,
    Unavailable,
    Unreadable,
    UnusableBlock,
)
from muniment.gate.verdict import Outcome, Reason
from muniment.service import blocks
from muniment.service.block_places import (
    DRAFT,
    BlockFiles,
    How,
    Standing,
    digest_of,
    files_of,
    lines_at_home,
    put_in_step,
    sentence_of,
    standing,
    write_left,
    written,
)
from muniment.service.deeds import refuse_on_record
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered

_UNKNOWN_LINE = "unknown"
_SENTENCES = {reason.code: reason.sentence for reason in Reason}


@dataclass(frozen=True, slots=True)
class FileState:
    """Hold how one block's file stands now.

    `state` is in-step, written, taken-in, staged, behind, refused or unreadable; `sentence` says it
    in words, and `copy` names the copy that was kept of a file that was not taken in.
    """

    block: str
    file: str
    state: str
    sentence: str
    copy: str = ""


@dataclass(frozen=True, slots=True)
class FilesReport:
    """Hold where the block files lie, and how each stands."""

    place: str
    files: tuple[FileState, ...]


@contextmanager
def in_step(ground: Ground) -> Iterator[Mapping[Block, Hindrance]]:
    """Bring blocks and files together, hold the files meanwhile, and write what changed at the end.

    Yields which blocks' files stand in the way of an edit.  Without a directory of block files
    nothing is looked at.  Raises Busy when another holds the files for long, and Tampered for a
    block that was altered.
    """
    files = files_of(ground)
    if files is None:
        yield NOTHING
        return
    with ExitStack() as held:
        try:
            held.enter_context(files.locked())
        except (UnusableBlock, Unreadable, ReadOnly, FullDisk) as error:
            yield {block: Hindrance(error.sentence, is_unreadable=True) for block in Block}
            return
        met = _Meeting(ground, files)
        met.all_blocks()
        yield met.hindered
        written(ground, files, met.seen)


class _Meeting:
    """Bring each block and its file together, once, under the lock of the files.

    With `anew` a file that was refused before is judged again.
    """

    def __init__(self, ground: Ground, files: BlockFiles, *, anew: bool = False) -> None:
        self._ground, self._files, self._anew = ground, files, anew
        self.hindered: dict[Block, Hindrance] = {}
        self.states: dict[Block, FileState] = {}
        self.seen: dict[Block, Standing] = {}

    def all_blocks(self) -> None:
        """Bring every block and its file together."""
        lines = lines_at_home(self._ground)
        for block in Block:
            found = standing(self._ground, self._files, block, line=lines.get(block))
            try:
                self._meet(found)
            except (Unavailable, Unreadable) as error:
                self._behind(found, error)

    def _meet(self, found: Standing) -> None:
        if found.how is How.UNREADABLE:
            self._hinder(found, Hindrance(found.wrong, is_unreadable=True))
        elif found.how is How.REFUSED and not self._anew:
            assert found.left is not None
            self._hinder(found, _hindrance(found, found.left.why, found.left.copy))
        elif found.how in (How.EDITED, How.REFUSED):
            self._take_in(found)
        elif found.how is How.BEHIND and found.content and _base(self._ground, found) is None:
            # Written from a line that is not there: an older database was put back beside the files.
            copy = self._files.keep(NAMES[found.block], found.content, self._ground.outside.clock.now())
            said = f"{NAMES[found.block]} was written by a newer state of the vault, and is kept as {copy}."
            self._settle(found, "written", said)
        else:
            self._settle(found, "in-step" if found.how is How.IN_STEP else "written")

    def _behind(self, found: Standing, error: MunimentError) -> None:
        """Note that nothing could be written; an edit that waits in the file may not be passed over."""
        if found.how in (How.EDITED, How.REFUSED):
            self._hinder(found, Hindrance(f"{sentence_of(found)} {error.sentence}"))
        else:
            self.seen[found.block] = found
            self._state(found, "behind", f"{sentence_of(found)} {error.sentence}")

    def _state(self, found: Standing, state: str, sentence: str, *, copy: str = "") -> None:
        name = NAMES[found.block]
        self.states[found.block] = FileState(found.block.value, name, state, sentence, copy)

    def _hinder(self, found: Standing, hindrance: Hindrance) -> None:
        self.hindered[found.block] = hindrance
        state = How.UNREADABLE if hindrance.is_unreadable else How.REFUSED
        self._state(found, state.value, hindrance.sentence, copy=hindrance.copy)

    def _settle(self, found: Standing, state: str, said: str = "") -> None:
        """Write a file from its block, and look at it as it is then."""
        put_in_step(self._ground, self._files, found)
        now = standing(self._ground, self._files, found.block, line=found.line)
        self.seen[found.block] = now
        self._state(now, state, said or sentence_of(now))

    def _take_in(self, found: Standing) -> None:
        """Offer an edit to the gate as the owner's, or keep a copy of what is no edit.

        Again when the block moved meanwhile: each time another's edit landed, so this one does too.
        """
        base = _base(self._ground, found)
        why = _no_edit(found, base)
        if why or base is None or found.edited is None:
            self._refuse(found, why)
            return
        is_newest = found.left is None or found.left.line == found.line_id
        wanted = found.edited if is_newest else merged(base, found.entries, found.edited)
        done = blocks.edit(self._ground, _asked(self._ground, found, wanted))
        line = lines_at_home(self._ground).get(found.block)
        if done.refused and line != found.line:
            # Another machine edited the block meanwhile, and holds no lock of these files.
            self._take_in(replace(found, line=line))
            return
        if done.refused and done.reason != Reason.UNCHANGED.code:
            self._refuse(found, done.reason, done.detail)
            return
        now = replace(found, line=line, how=How.BEHIND)
        name = NAMES[found.block]
        if done.verdict == Outcome.STAGED.value:
            said = f"The edit of {name} waits for a person as {done.proposal}; the block is as it was."
            self._settle(now, "staged", said)
        elif done.refused:
            self._settle(now, "written")
        else:
            self._settle(now, "taken-in", f"The edit of {name} was taken in as {done.edit}.")

    def _refuse(self, found: Standing, why: str, detail: str = "") -> None:
        assert found.content is not None
        left = found.left or Left(_UNKNOWN_LINE, "")
        digest = digest_of(self._ground, found.content)
        copy = left.copy if left.refused == digest and left.copy in self._files.copies() else ""
        if not copy:
            copy = self._files.keep(NAMES[found.block], found.content, self._ground.outside.clock.now())
        now = replace(left, refused=digest, why=why, copy=copy)
        write_left(self._ground, self._files, found.block, left=now)
        self._hinder(found, _hindrance(found, why, copy, detail=detail))


def _asked(ground: Ground, found: Standing, wanted: tuple[str, ...]) -> EditBlock:
    return EditBlock(
        principal=local_owner(ground.tenant),
        space=HOME,
        action=Action.FILE,
        block=found.block,
        given=frozenset({"block", "entries"}),
        lines=lines_for(found.entries, wanted),
    )


def _base(ground: Ground, found: Standing) -> tuple[str, ...] | None:
    """Return the entries that a file was edited from, None when they are not known."""
    left = found.left
    if left is None:
        return () if found.line is None else None
    if left.line == found.line_id:
        return found.entries
    if not left.line:
        return ()
    with ground.store.snapshot() as snapshot:
        rows = snapshot.matters((left.line,)) if is_id(left.line) else []
        refuse_altered(ground, snapshot, rows)
        edit = edit_of(rows[-1]) if rows else None
        if edit is None or edit.block is not found.block or ground.path_of(snapshot, edit.space) != HOME:
            return None
    return edit.after


def _no_edit(found: Standing, base: tuple[str, ...] | None) -> str:
    """Return why what a file holds is no edit of its block, empty when the gate is to judge it."""
    if found.edited is None:
        return NOT_ENTRIES
    if not found.edited and found.entries:
        return EMPTIED
    if characters(found.edited) > BOUNDS[found.block]:
        return OVER_LIMIT
    return UNKNOWN_BASE if base is None else ""


def _hindrance(found: Standing, why: str, copy: str, *, detail: str = "") -> Hindrance:
    said = REFUSED.get(why) or f"{why}: {_SENTENCES.get(why, '')} {detail}".strip().removesuffix(".")
    sentence = f"{NAMES[found.block]} was changed and not taken in: {said}. A copy is kept as {copy}."
    return Hindrance(sentence, copy)


def brought(ground: Ground, principal: Principal) -> FilesReport:
    """Make the directory where there is none, bring every file together with its block, and say how each is.

    The owner's act.  A file that was refused is judged again, and a draft that a crash left goes.
    Raises Refusal for anyone else, BadInput for a vault without a place for files, UnusableBlock
    for a directory that is not private, ReadOnly and FullDisk.
    """
    files = _owned(ground, principal)
    files.make()
    with files.locked():
        for name in files.copies():
            if name.endswith(DRAFT):
                files.drop(name)
        met = _Meeting(ground, files, anew=True)
        met.all_blocks()
    return FilesReport(files.place, tuple(met.states[block] for block in Block))


def repaired(ground: Ground, principal: Principal, block: Block) -> FileState:
    """Write a block's file from its row, whatever is there; that is kept as a copy, unread.

    The owner's act; it changes no block.  Raises what `brought` raises.
    """
    files = _owned(ground, principal)
    files.make()
    with files.locked():
        line = lines_at_home(ground).get(block)
        found = standing(ground, files, block, line=line)
        copy = _kept_already(files, found)
        if found.how in (How.EDITED, How.REFUSED, How.UNREADABLE) and not copy:
            copy = files.aside(NAMES[block], ground.outside.clock.now())
            found = replace(found, how=How.BEHIND, content=None)
        put_in_step(ground, files, found)
        now = standing(ground, files, block, line=line)
    said = f"{NAMES[block]} was written from its block." + (f" What was there is {copy}." if copy else "")
    return FileState(block.value, NAMES[block], now.how.value, said, copy)


def _kept_already(files: BlockFiles, found: Standing) -> str:
    if found.how is not How.REFUSED or found.left is None:
        return ""
    return found.left.copy if found.left.copy in files.copies() else ""


def _owned(ground: Ground, principal: Principal) -> BlockFiles:
    ground.refuse_unwritable()
    refuse_on_record(ground, principal, deed="block_files")
    if ground.block_files is None:
        raise BadInput("This vault has no place for block files.", advice="Use a vault in a file.")
    return ground.block_files()
