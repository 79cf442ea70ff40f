"""Are the bytes of what was deleted out of the files, by which steps, and what is looked for in them?"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sought:
    """Hold the bytes of what was erased, to be looked for in files: only in memory, and only then.

    Of `texts`, which may not be left in part, every part is looked for; of `rows`, which went
    with them, every longer run.
    """

    texts: tuple[bytes, ...] = ()
    rows: tuple[bytes, ...] = ()

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
