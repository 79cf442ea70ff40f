"""How does what was erased leave the block files, also those that a renamed vault left behind?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from muniment.domain.block import Block, parsed
from muniment.domain.block_file import NAMES
from muniment.errors import Unavailable, Unreadable, UnusableBlock
from muniment.service.block_places import (
    DRAFT,
    BlockFiles,
    How,
    Standing,
    is_as_left,
    lines_at_home,
    own_strays,
    put_in_step,
    standing,
)
from muniment.service.ground import Ground

_STRAYS_CLEARED = "block files left behind by a renaming cleared"
_STRAYS_LEFT = "block files left behind by a renaming: until they are removed"


@dataclass(frozen=True, slots=True)
class Cleared:
    """Hold whether the block files are rid of what was erased, the steps done, and what was not reached."""

    done: bool = True
    steps: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()


def cleared(ground: Ground, holds: Callable[[str], bool] | None) -> Cleared:
    """Take what was erased out of the block files, and out of those left behind by a renaming.

    Files are written from their rows, the old bytes overwritten.  What a person wrote and the gate
    did not take in goes whole where it holds the erased text, and so do copies; without `holds`
    every copy goes, and whatever could not be read.
    """
    files = None if ground.block_files is None else ground.block_files()
    if files is None:
        return Cleared()
    is_done = not files.are_there() or _cleared_here(ground, files, holds)
    steps: tuple[str, ...] = ("block files written anew",) if is_done and files.are_there() else ()
    strays = own_strays(ground, files)
    reached = [_cleared_there(ground, stray, holds) for stray in strays]
    steps += (_STRAYS_CLEARED,) if any(reached) else ()
    return Cleared(is_done, steps, () if all(reached) else (_STRAYS_LEFT,))


def _cleared_here(ground: Ground, files: BlockFiles, holds: Callable[[str], bool] | None) -> bool:
    try:
        with files.locked():
            lines = lines_at_home(ground)
            for block in Block:
                found = standing(ground, files, block, line=lines.get(block))
                _clear(ground, files, found, holds=holds)
            _drop_copies(files, holds)
    except (Unavailable, Unreadable, UnusableBlock):
        return False
    return True


def _cleared_there(ground: Ground, stray: BlockFiles, holds: Callable[[str], bool] | None) -> bool:
    """Take out of files that a renaming left behind what may hold the erased; return whether it is out.

    No row is written there any more: a file goes whole.  One that a person wrote on there stays where
    the erased words are not known.
    """
    is_out = True
    try:
        with stray.locked():
            for block in Block:
                if holds is not None and not _holds(stray, NAMES[block], holds):
                    continue
                if holds is not None or is_as_left(ground, stray, block):
                    stray.drop(NAMES[block])
                else:
                    is_out = is_out and _is_empty(stray, NAMES[block])
            _drop_copies(stray, holds)
    except (Unavailable, Unreadable, UnusableBlock):
        return False
    return is_out


def _drop_copies(files: BlockFiles, holds: Callable[[str], bool] | None) -> None:
    for name in files.copies():
        if holds is None or _holds(files, name, holds):
            files.drop(name)


def _is_empty(files: BlockFiles, name: str) -> bool:
    try:
        return not files.read(name)
    except UnusableBlock:
        return False


def _clear(
    ground: Ground, files: BlockFiles, found: Standing, *, holds: Callable[[str], bool] | None
) -> None:
    is_kept = found.how is How.EDITED or (found.how is How.REFUSED and holds is not None)
    if is_kept and not (holds is not None and _holds(files, NAMES[found.block], holds)):
        return
    put_in_step(ground, files, found)


def _holds(files: BlockFiles, name: str, holds: Callable[[str], bool]) -> bool:
    """Return whether a file may hold what was erased: within its text, as an entry, or unread."""
    try:
        content = files.read(name)
    except UnusableBlock:
        return True
    texts = _readings(content or b"")
    return name.endswith(DRAFT) or any(holds(part) for text in texts for part in (text, *parsed(text)))


def _readings(content: bytes) -> Iterator[str]:
    """Yield what a file may say: an editor that does not write UTF-8 leaves copies in its own letters."""
    yield content.decode("utf-8", "replace")
    if b"\0" in content:
        yield from (content.decode(coding, "replace") for coding in ("utf-16-le", "utf-16-be"))
    elif not content.isascii():
        yield content.decode("cp1252", "replace")
