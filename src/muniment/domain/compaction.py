"""Are the bytes of what was deleted out of the files, by which steps, and what is looked for in them?"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sought:
    """Hold the bytes of what was erased, to be looked for in files: only in memory, and only then.

    Of `texts`, which may not be left in part, every part is looked for; of `rows`, which went
    with them, every longer run.  `holds` says of a file's text whether what was erased stands in it;
    None where only rows were named, so that any text might.
    """

    texts: tuple[bytes, ...] = ()
    rows: tuple[bytes, ...] = ()
    holds: Callable[[str], bool] | None = field(default=None, compare=False)

    @property
    def empty(self) -> bool:
        """Return whether nothing is looked for."""
        return not self.texts and not self.rows


@dataclass(frozen=True, slots=True)
class Compaction:
    """Hold whether no byte of what was erased is left, and which steps were done.

    `uncovered` names what the store cannot reach, each with until when.
    """

    done: bool
    steps: tuple[str, ...]
    uncovered: tuple[str, ...] = ()
