"""Where does a memory belong?  Paths of exact segments; no wildcard, no prefix match (I7)."""

import re
import unicodedata

from muniment import limits
from muniment.errors import BadInput

HOME = "home"

_DRIVE = re.compile(r"([A-Za-z]):[\\/]")


def checked_path(path: str) -> str:
    """Return `path` in its one form: NFC, segments trimmed, joined by '/'.

    Case is kept, since a path is an exact name.  A directory of Windows that names its drive, such
    as `d:\\work\\v3`, is `D:/work/v3`: either stroke parts its segments.  Raises BadInput for an
    empty path, an empty segment, '.', '..', a wildcard, a control character or too many segments.
    """
    if not isinstance(path, str):
        raise BadInput("The space is not a text.")
    if len(path) > limits.name_characters_max:
        raise BadInput(f"The space is longer than {limits.name_characters_max} characters.")
    drive = _DRIVE.match(path)
    if drive is not None:
        path = f"{drive[1].upper()}:/{path[drive.end() :]}".replace("\\", "/").rstrip("/")
    segments = tuple(part.strip() for part in unicodedata.normalize("NFC", path).split("/"))
    if len(segments) > limits.space_segments_max:
        raise BadInput(f"The space has more than {limits.space_segments_max} segments.")
    for segment in segments:
        if not segment or segment in (".", "..") or "*" in segment or "?" in segment:
            raise BadInput("The space has an empty segment, a dot segment or a wildcard.")
        if not segment.isprintable():
            raise BadInput("The space has a character that cannot be seen.")
    return "/".join(segments)


def ancestors(path: str) -> tuple[str, ...]:
    """Return `path` and every space above it, nearest first."""
    segments = path.split("/")
    return tuple("/".join(segments[:count]) for count in range(len(segments), 0, -1))


def within(path: str, root: str) -> bool:
    """Return whether `path` is `root` or lies below it, by whole segments."""
    return path == root or path.startswith(root + "/")
