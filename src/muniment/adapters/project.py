"""What do the files of a project on the disk say to an agent?  Found in order, read within bounds."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from muniment import limits
from muniment.errors import Unreadable
from muniment.prompt.context_files import (
    FAMILIES,
    HINT_LEVELS_MAX,
    HINT_NAMES,
    ContextFile,
    Family,
    Project,
    Reach,
    once,
)


def read_project(directory: str | os.PathLike[str] = ".") -> Project:
    """Return what the first family of files that is there says, from the root of the repository inward.

    Outside a repository only the directory itself is looked in.  What cannot be read, and what has
    such a name and is no file, is passed over and named.  Raises Unreadable when the directory is
    not there.
    """
    here = _directory(directory)
    root = _root_of(here)
    notices: list[str] = []
    for family in FAMILIES:
        files = [_read(path, root, notices) for path in _paths(family, here, root, notices=notices)]
        found = once(file for file in files if file is not None)
        if found:
            return _project(found, notices)
    return _project((), notices)


def _project(files: Sequence[ContextFile], notices: Sequence[str]) -> Project:
    """Return what was found, each notice once: a place may have been looked at for several families."""
    return Project(tuple(files), tuple(dict.fromkeys(notices)))


def read_hints(touched: str | os.PathLike[str], directory: str | os.PathLike[str] = ".") -> Project:
    """Return what the directories around a touched file say of themselves, the outermost first.

    Only directories inside the project are looked in, at most five levels up, and none that the
    prompt of `directory` speaks of already.
    """
    here = _directory(directory)
    root = _root_of(here)
    path = Path(os.path.abspath(here / touched))
    start = path if path.is_dir() else path.parent
    told = {here, *_between(root, here)}
    notices: list[str] = []
    found: list[ContextFile] = []
    for one in [start, *start.parents][:HINT_LEVELS_MAX]:
        if not one.is_relative_to(root) or one in told:
            continue
        first = _first(one, HINT_NAMES, root, notices=notices)
        file = None if first is None else _read(first, root, notices)
        found += [] if file is None else [file]
    return _project(once(reversed(found)), notices)


def _directory(given: str | os.PathLike[str]) -> Path:
    path = Path(os.path.realpath(given))
    if not path.is_dir():
        raise Unreadable("There is no such directory.", advice="Name the directory that the agent works in.")
    return path


def _root_of(here: Path) -> Path:
    """Return the root of the repository that a directory lies in, or itself outside one."""
    return next((one for one in (here, *here.parents) if (one / ".git").exists()), here)


def _between(root: Path, here: Path) -> list[Path]:
    """Return the directories from the root down to where one is, both included."""
    return [one for one in (*reversed(here.parents), here) if one.is_relative_to(root)]


def _paths(family: Family, here: Path, root: Path, *, notices: list[str]) -> Iterator[Path]:
    def first_of(place: Path) -> Path | None:
        return _first(place, family.names, root, notices=notices)

    match family.reach:
        case Reach.CHAIN:
            places = _between(root, here)
        case Reach.NEAREST:
            nearest = (one for one in reversed(_between(root, here)) if first_of(one) is not None)
            places = [next(nearest, here)]
        case Reach.HERE:
            places = [here]
    for place in places:
        first = first_of(place)
        if first is not None:
            yield first
        for pattern in family.all_of:
            yield from (path for path in sorted(place.glob(pattern)) if _is_file(path, root, notices))


def _first(place: Path, names: Sequence[str], root: Path, *, notices: list[str]) -> Path | None:
    """Return the first of these files of a directory; what is met before it and is none is named."""
    return next((place / name for name in names if _is_file(place / name, root, notices)), None)


def _is_file(path: Path, root: Path, notices: list[str]) -> bool:
    """Return whether there is a file; a pipe or a device is not opened, since it might never end."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path.is_symlink():
            notices.append(f"{_shown(path, root)} is passed over: it is a link to nothing.")
        return False
    except OSError as error:
        # A part of the way that is no directory is no file that somebody meant.
        if not isinstance(error, NotADirectoryError):
            notices.append(_unread(path, root, error))
        return False
    if not stat.S_ISREG(mode):
        what = "a directory" if stat.S_ISDIR(mode) else "no file"
        notices.append(f"{_shown(path, root)} is passed over: it is {what}.")
    return stat.S_ISREG(mode)


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _unread(path: Path, root: Path, error: OSError) -> str:
    return f"{_shown(path, root)} is passed over: {error.strerror or 'it cannot be read'}."


def _read(path: Path, root: Path, notices: list[str]) -> ContextFile | None:
    """Return a file, or say why it is passed over; a link may not lead out of the project."""
    name = _shown(path, root)
    if not Path(os.path.realpath(path)).is_relative_to(root):
        notices.append(f"{name} is passed over: it is a link that leads out of the project.")
        return None
    try:
        with path.open("rb") as file:
            content = file.read(limits.context_file_bytes_max + 1)
        if len(content) > limits.context_file_bytes_max:
            notices.append(
                f"{name} is passed over: it has more than {limits.context_file_bytes_max:,} bytes."
            )
            return None
        return ContextFile(name, content.decode("utf-8-sig").replace("\r\n", "\n"))
    except OSError as error:
        notices.append(_unread(path, root, error))
    except UnicodeDecodeError:
        notices.append(f"{name} is passed over: it is no text in UTF-8.")
    return None
