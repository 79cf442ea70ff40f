"""How much was a language model used?  Calls and tokens, never a word of what was asked."""

import json
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, fields
from enum import StrEnum


class Purpose(StrEnum):
    """Name what a model was asked for: a job's look, a dry run of a statement, a probe of its health."""

    LOOK = "look"
    DRY_RUN = "dry-run"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Use:
    """Hold the use of a model, as sums.

    `calls` counts what was sent, whatever came of it, and `answered` what could be used.  Tokens are
    those that the server told of, for `counted` of the calls; no server has to tell.
    """

    calls: int = 0
    answered: int = 0
    counted: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "Use") -> "Use":
        """Return both together."""
        return Use(*(mine + more for mine, more in zip(astuple(self), astuple(other), strict=True)))

    def members(self) -> dict[str, int]:
        """Return each sum by its name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def spelled(self) -> str:
        """Return the sums as a JSON object on one line, in the order of the fields."""
        return json.dumps(self.members(), separators=(",", ":"))


Note = Callable[[Use], None]
"""Take down a part of the use of a model, as soon as it is known."""

SENT = Use(calls=1)
"""A call, taken down before it is made: what is sent is used, whatever comes back."""

ANSWERED = Use(answered=1)
"""An answer that could be used."""


def use_of(text: str) -> Use:
    """Return the use that a JSON object spells; raises ValueError for anything else."""
    found = json.loads(text)
    wanted = {one.name for one in fields(Use)}
    if not isinstance(found, Mapping) or set(found) != wanted:
        raise ValueError("This is no use of a model.")
    if not all(type(value) is int and value >= 0 for value in found.values()):
        raise ValueError("A use is counted in whole numbers from 0 on.")
    return Use(**found)
