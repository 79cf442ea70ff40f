"""How is one part of a vault?  Well or not, in one sentence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """Hold one health check: is it well, and what was seen."""

    name: str
    well: bool
    sentence: str


def counted(count: int, one: str) -> str:
    """Return a count with its noun, which takes an `s` for anything but one."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"
