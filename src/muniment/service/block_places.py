"""How do the blocks and their files stand to each other?  Looked at, and written from the rows.

The files are a surface: what the rows say is the truth.  Nothing here takes an edit in.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from muniment.domain.block import Block
from muniment.domain.block_file import LEFT_NAMES, NAMES, Left, entries_in, left_of, noted, spelled
from muniment.domain.block_journal import Edit
from muniment.domain.ids import is_id
from muniment.domain.space import HOME
from muniment.errors import MunimentError, Unavailable, Unreadable, UnusableBlock
from muniment.service.block_reading import NEVER_WRITTEN, newest_lines
from muniment.service.ground import Ground

DRAFT = ".part"
"""How the name of a draft ends that a crash left; it is part of what a file held."""

_UNUSED = "No block files are used."
_READ_ONLY = "A vault that cannot be written looks at no block files."
_DIGESTED = b"block file"
_LEFT_BEHIND = (
    "The block files in {there} were written by this vault before it was renamed, and nobody looks at them: "
    "rename that directory to {here}, or remove it if that is there already."
)


class BlockFiles(Protocol):
    """Keep the files of the blocks, copies of what could not be taken in, and a lock."""

    @property
    def place(self) -> str:
        """Return the path of the directory, for a person."""

    def are_there(self) -> bool:
        """Return whether there is a directory of block files, fit to be used or not."""

    def make(self) -> None:
        """Make the directory unless it is there."""

    def check(self) -> None:
        """Raise UnusableBlock for a directory that is a link, another user's or open to others."""

    def locked(self) -> AbstractContextManager[None]:
        """Check the directory and hold it among threads and processes."""

    def read(self, name: str) -> bytes | None:
        """Return what a file holds, None when there is none; raises UnusableBlock for what cannot be read."""

    def write(self, name: str, content: bytes) -> None:
        """Put `content` in the place of a file, whole and durable; the old bytes are overwritten."""

    def follow(self, name: str, content: bytes, *, seen: bytes | None) -> bool:
        """Do as `write`, unless a person saved since the file held `seen`; return whether it was done."""

    def keep(self, name: str, content: bytes, at: datetime) -> str:
        """Keep a copy of what was found in a file; return its name."""

    def aside(self, name: str, at: datetime) -> str:
        """Move whatever bears a name out of the way, unread; return its new name, empty for nothing."""

    def copies(self) -> tuple[str, ...]:
        """Return the names of the copies that were kept, and of drafts that a crash left."""

    def drop(self, name: str) -> None:
        """Overwrite and remove a file."""

    def strays(self) -> "Sequence[BlockFiles]":
        """Return directories of block files beside this one whose vaults are not there, a few at most."""


class How(StrEnum):
    """Name how a file stands to its block."""

    IN_STEP = "in-step"
    BEHIND = "behind"
    EDITED = "edited"
    REFUSED = "refused"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Standing:
    """Hold a block and its file, both as they are now.

    `entries` are the block's and `edited` those of the file, None when they would not come back;
    `line` is the block's newest, None when it was never edited.  `wrong` says why the file cannot
    be read.
    """

    block: Block
    how: How
    line: Edit | None = None
    content: bytes | None = None
    edited: tuple[str, ...] | None = None
    left: Left | None = None
    wrong: str = ""

    @property
    def entries(self) -> tuple[str, ...]:
        """Return what the block holds."""
        return () if self.line is None else self.line.after

    @property
    def line_id(self) -> str:
        """Return the id of the block's newest line, empty when it was never edited."""
        return "" if self.line is None else self.line.id


def files_of(ground: Ground) -> BlockFiles | None:
    """Return the vault's block files, None where no directory was made or nothing may be written."""
    if ground.block_files is None or not ground.outside.writable:
        return None
    files = ground.block_files()
    return files if files.are_there() else None


def lines_at_home(ground: Ground) -> dict[Block, Edit]:
    """Return the newest line of each block whose file there is: those of the space `home`.

    Raises Tampered as `newest_lines` does, and UnusableBlock for a line that cannot be read.
    """
    try:
        with ground.reading() as snapshot:
            row = ground.space(snapshot, HOME)
            return {} if row is None else newest_lines(ground, snapshot, row.n)
    except (ValueError, KeyError) as error:
        raise UnusableBlock(NEVER_WRITTEN) from error


def digest_of(ground: Ground, content: bytes) -> str:
    """Return the keyed digest of a file's bytes, so that no note tells what a file holds."""
    return ground.digest(_DIGESTED, content.hex()).hex()


def standing(ground: Ground, files: BlockFiles, block: Block, *, line: Edit | None) -> Standing:
    """Return how a block and its file stand to each other; nothing is changed."""
    try:
        content = files.read(NAMES[block])
    except UnusableBlock as error:
        return Standing(block, How.UNREADABLE, line, wrong=error.sentence)
    left = _left(files, block)
    if content is None:
        return Standing(block, How.BEHIND, line, left=left)
    try:
        edited = entries_in(content)
    except UnicodeDecodeError:
        return Standing(block, How.UNREADABLE, line, wrong=f"The file {NAMES[block]} is no text in UTF-8.")
    found = Standing(block, How.EDITED, line, content, edited, left)
    return Standing(block, _how(ground, found, content), line, content, edited, left)


def _how(ground: Ground, found: Standing, content: bytes) -> How:
    if found.edited == found.entries:
        return How.IN_STEP
    if found.left is None:
        return How.EDITED
    digest = digest_of(ground, content)
    # A file that was empty when the block was, and still is, was not emptied; a restore brings another key.
    if digest == found.left.digest or not (content or found.left.line):
        return How.BEHIND
    return How.REFUSED if digest == found.left.refused else How.EDITED


def _left(files: BlockFiles, block: Block) -> Left | None:
    try:
        content = files.read(LEFT_NAMES[block])
    except UnusableBlock:
        return None
    return None if content is None else left_of(content)


def write_left(ground: Ground, files: BlockFiles, block: Block, *, left: Left) -> None:
    """Note what was left in a file.  Raises ReadOnly, FullDisk and Unreadable.

    A directory that bears the note's name is moved aside: nobody's text is in a note, and without
    one no edit of the file could be taken in.
    """
    name = LEFT_NAMES[block]
    try:
        files.write(name, noted(left))
    except Unreadable:
        if not files.aside(name, ground.outside.clock.now()):
            raise
        files.write(name, noted(left))


def put_in_step(ground: Ground, files: BlockFiles, found: Standing) -> None:
    """Write a block's file from its row, where they differ, and note that.

    The file first: a crash between leaves a file that says what the row says.  One that a person
    saved since it was `found` is left for the next time.  Raises ReadOnly, FullDisk and Unreadable.
    """
    content = found.content
    if found.how is not How.IN_STEP or content is None:
        content = spelled(found.entries)
        name = NAMES[found.block]
        if found.how is How.UNREADABLE:
            files.write(name, content)
        elif not files.follow(name, content, seen=found.content):
            return
    left = Left(found.line_id, digest_of(ground, content))
    if found.left != left:
        write_left(ground, files, found.block, left=left)


def written(ground: Ground, files: BlockFiles, seen: Mapping[Block, Standing]) -> None:
    """Write the files of blocks that changed since they were `seen`.

    A file that a person saved meanwhile is left for the next time, and so is one that cannot be
    written: the row says what the block holds.
    """
    lines = lines_at_home(ground)
    for block, before in seen.items():
        if before.how not in (How.IN_STEP, How.BEHIND):
            continue
        if lines.get(block) == before.line and before.how is How.IN_STEP:
            continue
        found = standing(ground, files, block, line=lines.get(block))
        if found.content != before.content:
            continue
        try:
            put_in_step(ground, files, found)
        except (Unavailable, Unreadable):
            continue


def told(ground: Ground) -> tuple[bool, str]:
    """Return whether all is well with the block files, and a sentence that says so; nothing is changed."""
    files, left_behind = files_of(ground), _left_behind(ground)
    if left_behind:
        return False, left_behind
    if files is None:
        return True, _UNUSED if ground.outside.writable else _READ_ONLY
    try:
        files.check()
        lines = lines_at_home(ground)
        found = [standing(ground, files, block, line=lines.get(block)) for block in Block]
    except MunimentError as error:
        return False, error.sentence
    said = [sentence_of(one) for one in found if one.how is not How.IN_STEP]
    well = all(one.how in (How.IN_STEP, How.EDITED) for one in found)
    return well, " ".join(said) or "Every block file says what its block says."


def _left_behind(ground: Ground) -> str:
    """Return a sentence on block files that this vault wrote when it had another name, empty for none.

    What lies there is looked at by nobody but an erasure.
    """
    if ground.block_files is None or not ground.outside.writable:
        return ""
    own = ground.block_files()
    for stray in own_strays(ground, own):
        return _LEFT_BEHIND.format(there=stray.place, here=own.place)
    return ""


def own_strays(ground: Ground, own: BlockFiles) -> list[BlockFiles]:
    """Return the directories beside this vault's that it wrote under another name.

    Their notes name lines of its journal, or one of their files is still as its key says it left it.
    """
    return [stray for stray in own.strays() if _is_own(ground, stray)]


def _is_own(ground: Ground, stray: BlockFiles) -> bool:
    notes = [_left(stray, block) for block in Block]
    lines = [note.line for note in notes if note is not None and is_id(note.line)]
    with ground.store.snapshot() as snapshot:
        if lines and snapshot.matters(lines):
            return True
    return any(is_as_left(ground, stray, block) for block in Block)


def is_as_left(ground: Ground, files: BlockFiles, block: Block) -> bool:
    """Return whether a file holds what this vault wrote there last."""
    left = _left(files, block)
    try:
        content = files.read(NAMES[block])
    except UnusableBlock:
        return False
    return left is not None and content is not None and digest_of(ground, content) == left.digest


def sentence_of(found: Standing) -> str:
    """Return how a file stands, as a sentence that names it."""
    name = NAMES[found.block]
    match found.how:
        case How.IN_STEP:
            return f"{name} says what the block says."
        case How.BEHIND:
            return f"{name} is behind its block, and is written at the next use."
        case How.EDITED:
            return f"{name} was changed, and is looked at at the next use."
        case How.REFUSED:
            return f"{name} was changed and not taken in."
        case How.UNREADABLE:
            return found.wrong
