"""What must a memory do to be measured here?  Seven methods, and whatever it can do besides."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HOME = "home"
"""The space that a suite writes to when it names no other."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Hold the key and the value of a keyed claim; a memory without keys may ignore it."""

    about: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True)
class Written:
    """Hold what became of a write: taken, or refused with the memory's own reason."""

    taken: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """Hold one item of a prompt as a model would read it.

    `quoted` says that it is shown as somebody's words, with who and when, not as what holds.
    `marked` says that it is shown as disputed, ended, untrusted or merely possible.
    """

    text: str
    quoted: bool = False
    marked: bool = False

    @property
    def unqualified(self) -> bool:
        """Return whether a reader would take it for what holds now."""
        return not self.quoted and not self.marked


class Cannot(Exception):
    """Say that a memory has no such capability; the suites score it `cannot`, not `fails`."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Memory(ABC):
    """Stand between the suites and one memory; each test makes a new one in an empty directory.

    The seven abstract methods are what every memory must have.  The others are capabilities:
    left as they are, a test that needs one is scored `cannot` with the capability's name.
    """

    name = "memory"

    def __init__(self, place: Path) -> None:
        self.place = place

    # The seven.

    @abstractmethod
    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        """Keep a statement of an agent; `since` is a date from which it holds, empty for now."""

    @abstractmethod
    def settle(self) -> None:
        """Return once everything that was written can be read and nothing is still under way."""

    @abstractmethod
    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        """Return what would stand in a prompt for `query`, from at most `k` items."""

    @abstractmethod
    def forget(self, text: str, *, space: str = HOME) -> None:
        """Delete whatever holds `text`, as whoever may: for good, wherever it lies."""

    @abstractmethod
    def run_background_jobs(self) -> None:
        """Run every job that would run by itself at some time."""

    @abstractmethod
    def leak_probes(self, text: str) -> Mapping[str, bool]:
        """Return, for each named place where content may lie, whether it still holds `text`."""

    @abstractmethod
    def audit_entries(self) -> Sequence[str]:
        """Return what is on record about acts, oldest first; empty when nothing is kept."""

    # What a memory may do besides.

    def close(self) -> None:
        """Let go of files and processes; a memory that holds none has nothing to do."""
        return None

    def read_prompt(self, prompt: str) -> tuple[Item, ...]:
        """Return the items of a prompt; each line is one, without any mark, unless told otherwise."""
        return tuple(Item(line) for line in prompt.splitlines() if line.strip())

    def outside_fence(self, prompt: str) -> str:
        """Return what of a prompt stands where instructions stand; all of it when there is no fence."""
        return prompt

    def feed(self, text: str, *, name: str, space: str = HOME) -> None:
        """Hand in an original source, to derive from; it is written like a statement by default."""
        self.write(text, space=space)

    def derived(self, *, space: str = HOME) -> Sequence[str]:
        """Return what the memory made out of its sources by itself and holds as current."""
        raise Cannot("list of derived material")

    def sources(self, query: str, *, space: str = HOME) -> Mapping[str, Sequence[str]]:
        """Return, for each item that reached the prompt, the surviving evidence that it rests on."""
        raise Cannot("way from an item to its evidence")

    def forget_source(self, name: str, *, space: str = HOME) -> None:
        """Delete a source that was fed, and all that came of it."""
        raise Cannot("deletion of a source")

    def correct(self, old: str, new: str, *, slot: Slot | None = None, since: str = "") -> None:
        """Say that the statement `old` has been followed by `new`, from `since` on."""
        raise Cannot("correction")

    def retract(self, text: str) -> None:
        """Take back every statement that holds `text`, with nothing in its place."""
        raise Cannot("retraction")

    def reject(self, text: str) -> None:
        """Reject, as a person, whatever says `text`, so that it stays out."""
        raise Cannot("rejection")

    def history(self, text: str) -> Sequence[str]:
        """Return what was held before and since about the statement that holds `text`, oldest first."""
        raise Cannot("history")

    def prompt_as_of(self, query: str, moment: str, *, k: int = 10) -> str:
        """Return what would have stood in a prompt about the world at a date."""
        raise Cannot("question about a past moment")

    def prompt_within(self, query: str, tokens: int, *, k: int = 10) -> tuple[str, int]:
        """Return a prompt within a budget, and what its items count in the memory's own measure."""
        raise Cannot("budget")

    def advance(self, days: float) -> None:
        """Let time pass."""
        raise Cannot("clock that can be moved")

    def restart(self) -> None:
        """Close the memory and open it again, as a new process would."""
        raise Cannot("restart")

    def drop_indexes(self) -> None:
        """Throw away everything that can be derived again."""
        raise Cannot("index that can be dropped")

    def rebuild(self) -> None:
        """Derive every index anew from what is retained."""
        raise Cannot("rebuild")

    def export(self, path: Path) -> None:
        """Write everything to a file."""
        raise Cannot("export")

    def bring_back(self, path: Path) -> None:
        """Take an earlier export into this memory."""
        raise Cannot("import of an export")

    def backup(self, path: Path) -> None:
        """Copy the memory's files as they lie there."""
        raise Cannot("copy of its files")

    def put_back(self, path: Path) -> None:
        """Put a copy of `backup` in the place of the memory's files, and open it."""
        raise Cannot("copy of its files")

    def share(self, space: str, *, text: str) -> None:
        """Put a copy of the statement that holds `text` into another space."""
        raise Cannot("sharing of copies")

    def reach(self, held: str, asked: str, query: str) -> str:
        """Return all that a caller bound to `held` is shown who asks `asked` for it, errors included."""
        raise Cannot("callers bound to a space")

    def reach_write(self, held: str, asked: str, text: str) -> None:
        """Let a caller bound to `held` try to write into `asked`."""
        raise Cannot("callers bound to a space")

    def paths(self) -> Mapping[str, Callable[[str, Slot | None, str], Written]]:
        """Return every way in by its name: a text, a slot and a space go in, what became of it comes out."""
        return {"write": lambda text, slot, space: self.write(text, space=space, slot=slot)}

    def authority(self, text: str) -> str:
        """Return with whose authority the statement that holds `text` is held."""
        raise Cannot("authority of a statement")

    def write_as_person(self, text: str) -> Written:
        """Keep a statement of a person."""
        raise Cannot("writes of a person")

    def ask_model(self, prompt: str, question: str) -> str:
        """Return what a model answers that reads the prompt."""
        raise Cannot("model")
