"""Does a correction last?  Through a rebuild in five shapes, and a retraction against its own source."""

from muniment.conformance import contradictions
from muniment.conformance.adapter import Memory
from muniment.conformance.asking import items, unqualified
from muniment.conformance.verdict import Claims


def survives_reindex(memory: Memory, said: Claims) -> None:
    """Five shapes hold after a rebuild, with their history; the right value is answered."""
    for name, holds, answered in contradictions.survives_reindex(memory):
        said.claim(holds, f"The {name} did not hold.")
        said.twin(answered, f"The {name} was not answered.")


def retraction_without_replacement(memory: Memory, said: Claims) -> None:
    """'I misspoke' removes the value; its source, fed again, does not bring it back."""
    source = "I live in Aldermoor. My favourite colour is teal."
    memory.feed(source, name="talk")
    memory.settle()
    said.present("Aldermoor", "\n".join(memory.derived()), "among what was derived, before")
    memory.retract("Aldermoor")
    memory.settle()
    for when in ("after the retraction", "after its source came again"):
        made = "\n".join(memory.derived())
        said.absent("Aldermoor", made, f"among what was derived {when}")
        said.claim(not unqualified(items(memory, "where do I live"), "Aldermoor"), f"It holds {when}.")
        said.present("teal", made, f"among what was derived {when}")
        memory.feed(source, name="talk")
        memory.run_background_jobs()
        memory.settle()
