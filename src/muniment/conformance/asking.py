"""How do the tests look at a memory?  Through its prompt: what holds there, what stands there at all."""

from collections.abc import Callable
from dataclasses import dataclass

from muniment.conformance.adapter import HOME, Cannot, Item, Memory
from muniment.conformance.verdict import Claims, Finding

ONE, TWO = "acme", "other"
"""Two spaces that may not see each other."""

# High-entropy marks: nothing but the very text can hold them.
MARKS = ("qz7-heron-4417", "vv3-otter-9921", "kk8-lynx-0035", "ww5-raven-7750", "jj2-stoat-6183")


def items(memory: Memory, query: str, *, space: str = HOME, k: int = 20) -> tuple[Item, ...]:
    """Return the items of the prompt for a query."""
    return memory.read_prompt(memory.prompt_prefix(query, space=space, k=k))


def units(memory: Memory, text: str, *, space: str = HOME, query: str = "") -> int:
    """Return how many items would be taken for memories, not for quotations, and hold `text`."""
    return sum(
        text.casefold() in item.text.casefold()
        for item in items(memory, query or text, space=space)
        if not item.quoted
    )


def unqualified(found: tuple[Item, ...], text: str) -> bool:
    """Return whether a text stands among the items as something that simply holds."""
    return any(item.unqualified and text.casefold() in item.text.casefold() for item in found)


def shown(memory: Memory, query: str, *, space: str = HOME) -> str:
    """Return the prompt for a query, with room for everything that fits it."""
    return memory.prompt_prefix(query, space=space, k=50)


@dataclass(frozen=True, slots=True)
class Ended:
    """Hold how an attempt ended: what the memory lacks, or how it broke; both empty when it went well."""

    lacking: str = ""
    broken: str = ""

    @property
    def well(self) -> bool:
        """Return whether the attempt went to its end."""
        return not self.lacking and not self.broken


def tried(deed: Callable[[], object]) -> Ended:
    """Do something with a memory; a foreign one may raise anything, and that is a finding."""
    try:
        deed()
    except Cannot as error:
        return Ended(lacking=error.what)
    except Exception as error:  # noqa: BLE001  the suites answer for a memory that they do not know
        return Ended(broken=f"It broke: {type(error).__name__}: {error}"[:300])
    return Ended()


def ended(id: str, said: Claims, how: Ended) -> Finding:
    """Return the finding of a test that ended in some way."""
    if how.broken:
        return said.broken(id, how.broken)
    return said.lacking(id, how.lacking) if how.lacking else said.finding(id)
