"""Does what is remembered rest on something?  It has a source, goes with it and comes back from it."""

from muniment.conformance.adapter import Memory
from muniment.conformance.asking import MARKS, shown
from muniment.conformance.verdict import Claims


def claim_resolves_to_source(memory: Memory, said: Claims) -> None:
    """Every item that reached a prompt leads to surviving evidence."""
    memory.feed("I live in Aldermoor. My favourite colour is teal.", name="talk")
    memory.settle()
    found = memory.sources("where do I live and which colour do I like")
    for item, evidence in found.items():
        said.claim(bool(evidence), f"Nothing lies under: {item[:60]}")
    reached = [text for evidence in found.values() for text in evidence]
    said.claim(any("Aldermoor" in text for text in reached), "The words themselves were not reached.")
    said.twin(bool(found), "No item reached the prompt.")


def source_delete_reaches_derived(memory: Memory, said: Claims) -> None:
    """What came of a deleted source is gone in every place; a sibling source keeps its own."""
    memory.feed("I live in Aldermoor. I work at Corbel Mills.", name="first talk")
    memory.feed("My favourite colour is teal. My dog's name is Bexley.", name="second talk")
    memory.settle()
    before = "\n".join(memory.derived())
    said.present("Aldermoor", before, "among what was derived, before")
    memory.forget_source("first talk")
    memory.settle()
    for mark in ("Aldermoor", "Corbel"):
        for place, holds in memory.leak_probes(mark).items():
            said.claim(not holds, f"It was still in {place}.")
        said.absent(mark, "\n".join(memory.derived()), "among what was derived")
    said.present("teal", "\n".join(memory.derived()), "among what the sibling derived")
    said.present("teal", shown(memory, "which colour do I like"), "in the prompt")


def rebuild_from_retained(memory: Memory, said: Claims) -> None:
    """After every index is dropped and rebuilt, the tokens are back in the prompt."""
    for number, mark in enumerate(MARKS[:3]):
        memory.write(f"The mark number {number} is {mark}")
    memory.settle()
    memory.drop_indexes()
    bare = shown(memory, "which mark is it")
    said.twin(not any(mark in bare for mark in MARKS[:3]), "Nothing was lost, so nothing was shown.")
    memory.rebuild()
    memory.settle()
    back = shown(memory, "which mark is it")
    for mark in MARKS[:3]:
        said.claim(mark in back, f"{mark} did not come back.")
