"""Is what was deleted gone?  Two tests and the thirteen steps, each with a twin that was never deleted."""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from muniment.conformance.adapter import Cannot, Memory
from muniment.conformance.asking import MARKS, TWO, Ended, ended, shown, tried, units
from muniment.conformance.verdict import Claims, Finding

GONE, KEPT = MARKS[0], MARKS[1]
FACT, SIBLING = f"The vault door opens with {GONE}", f"The cellar door opens with {KEPT}"
SOURCE = f"A note from the porter. {FACT}. He said so twice."
ASK_GONE, ASK_KEPT = "what opens the vault door", "what opens the cellar door"


def _in_prompt(memory: Memory, said: Claims, when: str) -> None:
    said.absent(GONE, shown(memory, ASK_GONE), when)
    said.present(KEPT, shown(memory, ASK_KEPT), when)


def _in_places(memory: Memory, said: Claims) -> None:
    for place, holds in memory.leak_probes(GONE).items():
        said.claim(not holds, f"It was still in {place}.")
    kept = memory.leak_probes(KEPT)
    said.claim(bool(kept), "No place can be looked into.")
    said.twin(any(kept.values()), "No place holds the sibling, so the probes find nothing at all.")


def _on_record(memory: Memory, said: Claims, before: int) -> None:
    entries = memory.audit_entries()
    said.claim(len(entries) > before, "The deletion is not on record.")
    said.absent(GONE, "\n".join(entries), "in the record itself")
    said.present(KEPT, shown(memory, ASK_KEPT), "after the deletion")


def absent_after_reindex_and_restart(memory: Memory, said: Claims) -> None:
    """Forgotten, then every job, a rebuild, a restart and an export: every probe is empty."""
    memory.write(FACT)
    memory.write(SIBLING)
    memory.settle()
    before = len(memory.audit_entries())
    memory.forget(GONE)
    memory.run_background_jobs()
    memory.rebuild()
    memory.restart()
    memory.settle()
    _in_prompt(memory, said, "after all of it")
    _in_places(memory, said)
    _on_record(memory, said, before)
    place = memory.place / "after.export"
    memory.export(place)
    said.claim(GONE.encode() not in place.read_bytes(), "The export holds it.")


def absent_from_shared_copies(memory: Memory, said: Claims) -> None:
    """Copies that were shared or exported before are gone too; the other side keeps its own."""
    memory.write(FACT)
    memory.write(SIBLING)
    memory.write(f"The attic door opens with {MARKS[2]}", space=TWO)
    memory.settle()
    early = memory.place / "early.export"
    memory.export(early)
    _shared(memory, said)
    memory.forget(GONE)
    memory.settle()
    said.absent(GONE, shown(memory, ASK_GONE, space=TWO), "in the space it was shared to")
    memory.bring_back(early)
    memory.settle()
    _in_prompt(memory, said, "after the earlier export was taken in")
    said.claim(not units(memory, GONE), "The earlier export brought it back.")
    said.present(MARKS[2], shown(memory, "the attic door", space=TWO), "on the other side")


def _shared(memory: Memory, said: Claims) -> None:
    try:
        memory.share(TWO, text=GONE)
    except Cannot:
        said.note("Copies cannot be shared to a space; the export alone was tried.")


def _begun(memory: Memory) -> None:
    memory.feed(SOURCE, name="porter's note")
    memory.write(FACT)
    memory.write(SIBLING)
    memory.settle()


def _retrievable(memory: Memory, said: Claims) -> None:
    said.claim(GONE in shown(memory, ASK_GONE), "It was not retrievable to begin with.")
    said.present(KEPT, shown(memory, ASK_KEPT), "to begin with")


def _forgotten(memory: Memory, said: Claims) -> None:
    memory.forget(GONE)
    memory.settle()
    said.claim(True, "")
    said.present(KEPT, shown(memory, ASK_KEPT), "after the deletion")


def _fed_again(memory: Memory, said: Claims) -> None:
    memory.feed(SOURCE, name="porter's note")
    memory.settle()
    said.claim(True, "")
    said.present(KEPT, shown(memory, ASK_KEPT), "after the source came again")


def _jobs_run(memory: Memory, said: Claims) -> None:
    memory.run_background_jobs()
    memory.settle()
    said.claim(True, "")
    said.present(KEPT, shown(memory, ASK_KEPT), "after the jobs")


Step = Callable[[Memory, Claims], None]


def _walk(memory: Memory) -> Iterator[tuple[str, Step]]:
    """Yield the first ten steps in order; each is walked before the next is named."""

    def written(memory: Memory, said: Claims) -> None:
        _begun(memory)
        _retrievable(memory, said)

    yield "01 write a distinctive fact", written
    yield "02 it is retrievable", _retrievable
    before = len(memory.audit_entries())
    yield "03 forget it", _forgotten
    yield "04 it is not retrievable", partial(_in_prompt, when="after it was forgotten")
    yield "05 feed the original source again", _fed_again
    yield "06 it is not retrievable", partial(_in_prompt, when="after the source came again")
    yield "07 run every background job", _jobs_run
    yield "08 it is not retrievable", partial(_in_prompt, when="after the jobs")
    yield "09 no place holds it", _in_places
    yield "10 the deletion is on record without it", partial(_on_record, before=before)


def _walk_of_copies(memory: Memory) -> Iterator[tuple[str, Step]]:
    """Yield the last three steps: copies are made, the original goes, the copies are gone too."""
    early, copy = memory.place / "early.export", memory.place / "copy"

    def copied(memory: Memory, said: Claims) -> None:
        _begun(memory)
        memory.export(early)
        memory.backup(copy)
        _shared(memory, said)
        said.claim(early.stat().st_size > 0, "The export is empty.")
        _retrievable(memory, said)

    def gone(memory: Memory, said: Claims) -> None:
        _no_copy(memory, said, early=early, copy=copy)

    yield "11 share, export and back up before", copied
    yield "12 delete the original", _forgotten
    yield "13 it is gone there too", gone


def _no_copy(memory: Memory, said: Claims, *, early: Path, copy: Path) -> None:
    said.absent(GONE, shown(memory, ASK_GONE, space=TWO), "in the space it was shared to")
    memory.bring_back(early)
    memory.settle()
    _in_prompt(memory, said, "after the earlier export was taken in")
    memory.put_back(copy)
    memory.settle()
    _in_prompt(memory, said, "after the older backup was put back")


def thirteen_steps(make: Callable[[], Memory]) -> Iterator[Finding]:
    """Yield a finding for each of the thirteen steps; after one that cannot be done, none can."""
    for walk in (_walk, _walk_of_copies):
        with closing(make()) as memory:
            lacking = Ended()
            for name, step in walk(memory):
                said = Claims()
                if not lacking.lacking:
                    lacking = tried(partial(step, memory, said))
                yield ended(name, said, lacking)
