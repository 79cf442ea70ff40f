"""Does each test notice the fault that it is named after?  Muniment, with one fault each.

A floor fails for many reasons at once.  A saboteur is our own library in which one rule is broken
behind the adapter, so that only the test of that rule may notice.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from muniment.conformance.adapter import HOME, Item, Slot, Written
from muniment.conformance.asking import ONE, TWO
from muniment.conformance.catalogue import CATALOGUE, judged
from muniment.conformance.contradictions import Column, Way
from muniment.conformance.contradictions import row as measured
from muniment.conformance.library import Library
from muniment.conformance.verdict import Outcome
from tests.conformance.memories import one


class Mixing(Library):
    """Answers from every space whoever asks."""

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        return self.owner.recall(query, k=k).render()


class Widening(Library):
    """Takes the caller's word for where it may look."""

    def reach(self, held: str, asked: str, query: str) -> str:
        return super().reach(asked if asked == ONE else held, asked, query)


class WideningByWildcard(Library):
    """Reads a star as everything."""

    def reach(self, held: str, asked: str, query: str) -> str:
        return self.owner.recall(query, k=50).render() if asked == "*" else super().reach(held, asked, query)


class WritingElsewhere(Library):
    """Lets a caller write wherever it says."""

    def reach_write(self, held: str, asked: str, text: str) -> None:
        if asked == ONE:
            self.write(text, space=ONE)


class DerivingAcross(Library):
    """Has a job that copies what one space derived into the other."""

    def run_background_jobs(self) -> None:
        for text in self.derived(space=ONE):
            self.agent(TWO).ingest(text, source="a job")
            self.agent(TWO).remember(text, kind="hypothesis")


class Rootless(Library):
    """Shows items that rest on nothing."""

    def sources(self, query: str, *, space: str = HOME) -> Mapping[str, Sequence[str]]:
        return {**super().sources(query, space=space), "A rumour": []}


class Quoting(Library):
    """Leads to a summary, and not to the words."""

    def sources(self, query: str, *, space: str = HOME) -> Mapping[str, Sequence[str]]:
        return {item: ["They spoke about houses"] for item in super().sources(query, space=space)}


class Losing(Library):
    """Rebuilds from a part of what it has."""

    def rebuild(self) -> None:
        super().rebuild()
        self.reject("mark number 1")


class BackDoor(Library):
    """Has one path that asks no gate: it lifts what a person rejected."""

    def paths(self) -> Mapping[str, Callable[[str, Slot | None, str], Written]]:
        return {**super().paths(), "back door": self._around}

    def _around(self, text: str, slot: Slot | None, space: str) -> Written:
        for row in self._rows(("rejected",)):
            self.owner.lift(row.memory)
        return self.write(text, slot=slot, space=space)


class OffTheRecord(Library):
    """Keeps its refusals to itself."""

    def audit_entries(self) -> Sequence[str]:
        return [entry for entry in super().audit_entries() if "'refused'" not in entry]


class Flattered(Library):
    """Believes a payload that calls itself the owner's."""

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        if "role=owner" in text:
            return self.write_as_person(text)
        return super().write(text, space=space, slot=slot, since=since)


class Persuadable(Library):
    """Lifts a rejection when the value was said often enough."""

    said = 0

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        written = super().write(text, space=space, slot=slot, since=since)
        self.said += not written.taken
        if self.said == 4:
            for row in self._rows(("rejected",)):
                self.owner.lift(row.memory)
        return written


class Pruning(Library):
    """Prunes rejections with everything else that is old."""

    def run_background_jobs(self) -> None:
        super().run_background_jobs()
        for row in self._rows(("rejected",)):
            self.owner.lift(row.memory)
            self.owner.retire(row.memory)


class Literal(Library):
    """Compares a value letter by letter: any dress passes."""

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        written = super().write(text, space=space, slot=slot, since=since)
        if not written.taken and text != "The deploy key rotates on Mondays":
            self.owner.remember("Somebody said MONDAYS about the deploy key, and it rotates")
        return written


class OverEager(Library):
    """Refuses whatever sounds like a rejected value."""

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        if text.startswith("Mondays are"):
            return Written(taken=False, reason="sounds alike")
        return super().write(text, space=space, slot=slot, since=since)


class ReExtracting(Library):
    """Makes a memory out of a source without asking what was rejected."""

    def feed(self, text: str, *, name: str, space: str = HOME) -> None:
        super().feed(text, name=name, space=space)
        if name == "the same talk elsewhere":
            self.agent(space).remember("The user's home is in aldermoor, where they live", kind="hypothesis")


class SecondUnit(Library):
    """Keeps what was refused in a list of its own, and shows it with the rest."""

    def __init__(self, place: Path) -> None:
        self.refused: list[str] = []
        super().__init__(place)

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        written = super().write(text, space=space, slot=slot, since=since)
        self.refused += [] if written.taken else [text]
        return written

    def read_prompt(self, prompt: str) -> tuple[Item, ...]:
        return (*super().read_prompt(prompt), *(Item(text, marked=True) for text in self.refused))


class ForgettingCorrections(Library):
    """Loses a correction when its index is rebuilt."""

    def rebuild(self) -> None:
        super().rebuild()
        self.owner.remember("I live in Berlin, where I live")


class WithoutHistory(Library):
    """Keeps no past."""

    def history(self, text: str) -> Sequence[str]:
        return [text]


class Repeating(Library):
    """Takes a source that comes again as news."""

    times = 0

    def feed(self, text: str, *, name: str, space: str = HOME) -> None:
        self.times += 1
        super().feed(text, name=f"{name} {self.times}", space=space)


class Overfull(Library):
    """Puts one more into the prompt than was asked for."""

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        return super().prompt_prefix(query, space=space, k=k + 1 if k else 0)


class OverBudget(Library):
    """Takes a budget for a hint."""

    def prompt_within(self, query: str, tokens: int, *, k: int = 10) -> tuple[str, int]:
        return super().prompt_within(query, tokens + 20, k=k)


class Unfenced(Library):
    """Repeats the first item above the fence, as advice."""

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        prompt = super().prompt_prefix(query, space=space, k=k)
        texts = [item.text for item in self.read_prompt(prompt)]
        return "\n".join([*texts[:1], prompt])


def named(one: object) -> str | None:
    """Return the name of a saboteur among the parameters of a test."""
    return getattr(one, "__name__", None)


SABOTEURS: Sequence[tuple[type[Library], str, str]] = (
    (Mixing, "scope.cross_tenant_absent", "in another space's prompt"),
    (Widening, "scope.caller_cannot_widen", "for other space"),
    (WideningByWildcard, "scope.caller_cannot_widen", "for wildcard"),
    (WritingElsewhere, "scope.caller_cannot_widen", "written through other space"),
    (DerivingAcross, "scope.background_respects_boundary", f"derived in {TWO}"),
    (Rootless, "evidence.claim_resolves_to_source", "Nothing lies under: A rumour"),
    (Quoting, "evidence.claim_resolves_to_source", "The words themselves were not reached"),
    (Losing, "evidence.rebuild_from_retained", "did not come back"),
    (BackDoor, "gateway.no_bypass_path", "It came in by back door"),
    (OffTheRecord, "gateway.no_bypass_path", "is not on record"),
    (Flattered, "gateway.model_cannot_claim_human_authority", "It was held as manual"),
    (Persuadable, "tombstone.laundering_sequence", "It is believed again"),
    (Pruning, "tombstone.survives_ttl_and_prune", "Time brought it back"),
    (Literal, "tombstone.key_normalization_attack", "It came back as case"),
    (OverEager, "tombstone.key_normalization_attack", "Even the paraphrase was refused"),
    (ReExtracting, "tombstone.reextraction_stays_inactive", "derived from the same talk elsewhere"),
    (SecondUnit, "tombstone.no_second_memory_unit", "A second unit carries it"),
    (ForgettingCorrections, "correction.survives_reindex", "The replacement did not hold"),
    (WithoutHistory, "correction.survives_reindex", "The replacement did not hold"),
    (Repeating, "correction.retraction_without_replacement", "after its source came again"),
    (Overfull, "retrieval.k_is_an_upper_bound", "It held 2 for k = 1"),
    (OverBudget, "retrieval.k_is_an_upper_bound", "of a budget of 40"),
    (Unfenced, "prompt.recall_is_fenced_as_data", "outside the fence"),
)


@pytest.mark.parametrize(("saboteur", "id", "sentence"), SABOTEURS, ids=named)
def test_a_test_notices_the_fault_that_it_is_named_after(
    tmp_path: Path, saboteur: type[Library], id: str, sentence: str
) -> None:
    with closing(one(saboteur, tmp_path)) as memory:
        finding = judged(id, memory)
    assert finding.outcome is Outcome.FAILS
    assert sentence in finding.sentence


NEED_MORE = {
    "evidence.source_delete_reaches_derived",
    "deletion.absent_after_reindex_and_restart",
    "deletion.absent_from_shared_copies",
    "prompt.model_ignores_embedded_instructions",
}
"""Tests whose saboteurs stand beside the parts that they need."""


def test_every_test_has_a_saboteur() -> None:
    assert {id for _, id, _ in SABOTEURS} | NEED_MORE == set(CATALOGUE)


@pytest.mark.parametrize(
    ("saboteur", "id"),
    [
        (Overfull, "scope.cross_tenant_absent"),
        (Unfenced, "scope.cross_tenant_absent"),
        (Persuadable, "retrieval.k_is_an_upper_bound"),
        (WithoutHistory, "tombstone.laundering_sequence"),
        (Flattered, "tombstone.no_second_memory_unit"),
    ],
    ids=named,
)
def test_a_fault_is_not_noticed_by_a_test_of_something_else(
    tmp_path: Path, saboteur: type[Library], id: str
) -> None:
    with closing(one(saboteur, tmp_path)) as memory:
        assert judged(id, memory).outcome is Outcome.HOLDS


class Mute(Library):
    """Answers nothing about where anybody lives."""

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        return "" if "live" in query else super().prompt_prefix(query, space=space, k=k)


class ShowingThePast(Library):
    """Shows what was superseded with the rest, without a word about it."""

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        return self.agent(space).recall(query, k=k, include=["superseded"]).render()

    def read_prompt(self, prompt: str) -> tuple[Item, ...]:
        return tuple(Item(item.text, quoted=item.quoted) for item in super().read_prompt(prompt))


class MarkingThePast(ShowingThePast):
    """Shows what was superseded too, and says so."""

    def read_prompt(self, prompt: str) -> tuple[Item, ...]:
        return Library.read_prompt(self, prompt)


class Relapsing(Library):
    """Has a job that says again what was said first."""

    def run_background_jobs(self) -> None:
        super().run_background_jobs()
        self.owner.remember("As I live in Berlin, I live there")


class Credulous(Library):
    """Believes every source word for word."""

    def feed(self, text: str, *, name: str, space: str = HOME) -> None:
        super().feed(text, name=name, space=space)
        self.owner.remember(f"They say that {text}")


class Deriving(Library):
    """Derives what was held first, though it holds no more."""

    def derived(self, *, space: str = HOME) -> Sequence[str]:
        return [*super().derived(space=space), "Summary: a person of Berlin"]


# A fault, and the columns of a keyed replacement in which it is seen.
COLUMN_FAULTS = (
    (Library, ""),
    (Mute, "ACC'"),
    (ShowingThePast, "BCC'"),
    (MarkingThePast, ""),
    (Relapsing, "CC'"),
    (Credulous, "C'"),
    (WithoutHistory, "D"),
    (Deriving, "E"),
)


@pytest.mark.parametrize(("saboteur", "columns"), COLUMN_FAULTS, ids=named)
def test_a_column_of_the_matrix_notices_its_own_fault(
    tmp_path: Path, saboteur: type[Library], columns: str
) -> None:
    with closing(one(saboteur, tmp_path)) as memory:
        row = measured(memory, "replacement", Way.KEYED, gap="months")
    assert "".join(column for column in Column if row.cells[column] is Outcome.FAILS) == columns
    assert row.twin is Outcome.HOLDS
