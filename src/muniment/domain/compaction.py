"""Are the bytes of what was deleted out of the files, and by which steps?"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compaction:
    """Hold whether no byte of what was erased is left, and which steps were done.

    `uncovered` names what the store cannot reach, each with until when.
    """

    done: bool
    steps: tuple[str, ...]
    uncovered: tuple[str, ...] = ()
