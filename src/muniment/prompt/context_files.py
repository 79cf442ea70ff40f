"""Which files of a project speak to an agent, and how much of each goes into a prompt?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from muniment import limits
from muniment.domain.evidence import Span
from muniment.prompt.parts import TOKEN_CHARACTERS, Part, Tier
from muniment.prompt.standing import BLOCKED


class Reach(Enum):
    """Name where the files of a family are looked for."""

    NEAREST = "the nearest from the working directory up to the root of the repository"
    CHAIN = "every directory from the root of the repository down to the working directory"
    HERE = "the working directory alone"


@dataclass(frozen=True, slots=True)
class Family:
    """Hold the files of one convention: in a directory the first of `names`, or every one of `all_of`."""

    reach: Reach
    names: tuple[str, ...]
    all_of: tuple[str, ...] = ()


FAMILIES = (
    Family(Reach.NEAREST, (".hermes.md", "HERMES.md")),
    Family(Reach.CHAIN, ("AGENTS.override.md", "AGENTS.md")),
    Family(Reach.HERE, ("CLAUDE.md",)),
    Family(Reach.HERE, (".cursorrules",), (".cursor/rules/*.mdc",)),
)
"""The families in their order: the first that has a file with a text is taken, and no other."""

HINT_NAMES = ("AGENTS.override.md", "AGENTS.md", "CLAUDE.md", ".cursorrules")
"""Which file of a subdirectory speaks of it: the first that is there."""

HINT_LEVELS_MAX = 5
"""How many directories up from a touched file are looked through."""

WINDOW_SHARE = 0.06
"""The part of a model's window that the files of a project may fill."""

HEAD_SHARE, TAIL_SHARE = 0.7, 0.2
"""How much of what is allowed a file that is too long keeps of its beginning and of its end."""

CUT = "[... {left:,} of {size:,} characters of {path} are left out here ...]"
"""What stands where a file was cut."""


@dataclass(frozen=True, slots=True)
class ContextFile:
    """Hold one file as it was found: its path from the project's root, and its text."""

    path: str
    text: str

    @property
    def directory(self) -> str:
        """Return the directory of the file, empty for the root."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Project:
    """Hold what a project's files say, in the order in which they stand in a prompt, and what went wrong."""

    files: tuple[ContextFile, ...] = ()
    notices: tuple[str, ...] = ()


def once(files: Iterable[ContextFile]) -> tuple[ContextFile, ...]:
    """Return the files that say something, each text once: where several say it, the outermost."""
    kept: dict[str, ContextFile] = {}
    for file in files:
        if file.text.strip():
            kept.setdefault(file.text.strip(), file)
    return tuple(kept.values())


def room(window: int) -> int:
    """Return how many characters the files of a project may have, for a model's window in tokens.

    Without a known window it is the least: six of a hundred parts of the window, within bounds.
    """
    share = int(window * TOKEN_CHARACTERS * WINDOW_SHARE)
    least, most = limits.context_least_characters, limits.context_characters_max
    return min(max(share, least), most)


def cut(text: str, most: int, *, path: str) -> str:
    """Return a text that fits, its head and tail with a mark between that says how much is left out."""
    if len(text) <= most:
        return text
    head, tail = int(most * HEAD_SHARE), int(most * TAIL_SHARE)
    mark = CUT.format(left=len(text) - head - tail, size=len(text), path=path)
    return f"{text[:head]}\n{mark}\n{text[len(text) - tail :]}"


def without(text: str, spans: Sequence[tuple[Span, str]]) -> str:
    """Return a text with each span replaced by a placeholder that names the reason; spans are apart."""
    pieces, done = [], 0
    for span, reason in sorted(spans, key=lambda one: one[0].start):
        pieces += [text[done : span.start], BLOCKED.format(reason=reason)]
        done = span.end
    return "".join([*pieces, text[done:]])


def parts_of(files: Sequence[ContextFile], *, most: int) -> tuple[Part, ...]:
    """Return the files as parts of a prompt, each under a heading with its path, within a room.

    The room is shared: what a file leaves is the next one's, the deeper ones first, since they
    say most of where the work is.
    """
    left, kept = most, []
    for number, file in enumerate(reversed(files)):
        share = left // (len(files) - number)
        text = cut(file.text.strip("\n"), share, path=file.path)
        left = max(0, left - len(text))
        kept.append(Part(Tier.CONTEXT, "project", file.path, f"# From {file.path}\n{text}"))
    return tuple(reversed(kept))
