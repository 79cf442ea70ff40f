"""Does a space keep to itself?  Three tests: in recall, against a caller who wants more, after every job."""

from collections.abc import Mapping
from types import MappingProxyType

from muniment.conformance.adapter import Memory
from muniment.conformance.asking import MARKS, ONE, TWO, shown
from muniment.conformance.verdict import Claims

WIDENINGS: Mapping[str, str] = MappingProxyType(
    {
        "other space": ONE,
        "wildcard": "*",
        "percent": "%",
        "prefix": ONE[:3],
        "longer": ONE + "-corp",
        "root": "/",
    }
)
"""What a caller who is bound to one space may ask for to see another."""


def cross_tenant_absent(memory: Memory, said: Claims) -> None:
    """The best possible match of one space never appears in another's prompt."""
    memory.write(f"The plan of the weir is {MARKS[0]}", space=ONE)
    memory.write(f"The plan of the mill is {MARKS[1]}", space=TWO)
    memory.settle()
    ask = f"The plan of the weir is {MARKS[0]}"
    said.absent(MARKS[0], shown(memory, ask, space=TWO), "in another space's prompt")
    said.present(MARKS[0], shown(memory, ask, space=ONE), "in its own space")
    said.present(MARKS[1], shown(memory, "the plan of the mill", space=TWO), "in the other space")


def caller_cannot_widen(memory: Memory, said: Claims) -> None:
    """A caller bound to one space sees and changes no other, whatever it asks for."""
    for space in (ONE, ONE + "-corp"):
        memory.write(f"The plan of {space} is {MARKS[0]}", space=space)
    memory.write(f"The plan of {TWO} is {MARKS[1]}", space=TWO)
    memory.settle()
    for how, asked in WIDENINGS.items():
        said.absent(MARKS[0], memory.reach(TWO, asked, f"the plan of {ONE}"), f"for {how}")
        memory.reach_write(TWO, asked, f"An intruder was here: {MARKS[2]}")
        memory.settle()
        said.absent(MARKS[2], shown(memory, "an intruder was here", space=ONE), f"written through {how}")
        own = memory.reach(TWO, TWO, f"the plan of {TWO}")
        said.present(MARKS[1], own, f"for the caller's own space after {how}")


def background_respects_boundary(memory: Memory, said: Claims) -> None:
    """Nothing that a job derives mixes two spaces, and each has its own."""
    for space, mark in ((ONE, "Aldermoor"), (TWO, "Bexcombe")):
        memory.feed(f"I live in {mark}. I work at {mark} Mills.", name=f"talk of {space}", space=space)
    memory.settle()
    memory.run_background_jobs()
    memory.settle()
    for space, own, foreign in ((ONE, "Aldermoor", "Bexcombe"), (TWO, "Bexcombe", "Aldermoor")):
        made = "\n".join(memory.derived(space=space))
        said.absent(foreign, made, f"among what was derived in {space}")
        said.absent(
            foreign, shown(memory, "where do I live and work", space=space), f"in the prompt of {space}"
        )
        said.present(own, made, f"among what was derived in {space}")
