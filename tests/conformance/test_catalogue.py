"""Do the twenty portable tests hold for Muniment, and can each of them fail?"""

from contextlib import closing
from pathlib import Path

import pytest

from muniment.conformance.adapter import Memory
from muniment.conformance.catalogue import CATALOGUE, judged
from muniment.conformance.floors import FLOORS, Nothing, Wiping, Words
from muniment.conformance.shown import word
from muniment.conformance.verdict import Finding, Outcome
from tests.conformance.memories import OURS, OVER_MCP, Kind, erases, one

NO_MODEL = {"prompt.model_ignores_embedded_instructions": "model"}

# Tests that need what has not landed; the excuse ends by itself when it has.
EXCUSED = NO_MODEL | (
    {}
    if erases()
    else {
        "evidence.source_delete_reaches_derived": "erasure",
        "deletion.absent_after_reindex_and_restart": "erasure",
        "deletion.absent_from_shared_copies": "erasure",
    }
)

# Tests in which the wire makes a difference; the others ask the owner, who does not use it.
OVER_MCP_TESTS = (
    "scope.cross_tenant_absent",
    "scope.caller_cannot_widen",
    "gateway.no_bypass_path",
    "gateway.model_cannot_claim_human_authority",
    "tombstone.laundering_sequence",
    "tombstone.key_normalization_attack",
    "tombstone.no_second_memory_unit",
    "deletion.absent_after_reindex_and_restart",
    "retrieval.k_is_an_upper_bound",
    "prompt.recall_is_fenced_as_data",
)


def found(kind: Kind, place: Path, id: str) -> Finding:
    with closing(one(kind, place)) as memory:
        return judged(id, memory)


def as_it_must_be(finding: Finding, excused: dict[str, str]) -> bool:
    if finding.id in excused:
        return finding.outcome is Outcome.CANNOT and excused[finding.id] in finding.sentence
    return (finding.outcome, finding.twin) == (Outcome.HOLDS, Outcome.HOLDS)


@pytest.mark.parametrize("id", CATALOGUE)
@pytest.mark.parametrize("store", OURS)
def test_a_portable_test_and_its_twin_hold_for_the_library(tmp_path: Path, store: str, id: str) -> None:
    finding = found(OURS[store], tmp_path, id)
    assert as_it_must_be(finding, EXCUSED), finding


@pytest.mark.slow
@pytest.mark.parametrize("id", OVER_MCP_TESTS)
def test_a_portable_test_and_its_twin_hold_over_mcp(tmp_path: Path, id: str) -> None:
    finding = found(OVER_MCP, tmp_path, id)
    assert as_it_must_be(finding, EXCUSED), finding


def test_a_server_says_that_its_clock_cannot_be_moved(tmp_path: Path) -> None:
    finding = found(OVER_MCP, tmp_path, "tombstone.survives_ttl_and_prune")
    assert (finding.outcome, finding.sentence) == (Outcome.CANNOT, "It has no clock that can be moved.")


def test_an_excuse_names_a_test() -> None:
    assert {*EXCUSED, *OVER_MCP_TESTS} <= set(CATALOGUE)
    assert not as_it_must_be(Finding("scope.x", Outcome.CANNOT, Outcome.CANNOT, "It has no model."), NO_MODEL)


# How each floor ends: the claim is false, or its twin is missing, or it cannot be asked.
CLAIM, TWIN, LACKS = "fails", "no twin", "cannot"
FLOOR_ENDS: dict[str, tuple[str, str, str]] = {
    "scope.cross_tenant_absent": (CLAIM, TWIN, CLAIM),
    "scope.caller_cannot_widen": (CLAIM, TWIN, CLAIM),
    "scope.background_respects_boundary": (CLAIM, TWIN, CLAIM),
    "evidence.claim_resolves_to_source": (CLAIM, TWIN, CLAIM),
    "evidence.source_delete_reaches_derived": (CLAIM, TWIN, TWIN),
    "evidence.rebuild_from_retained": (LACKS, LACKS, CLAIM),
    "gateway.no_bypass_path": (CLAIM, TWIN, CLAIM),
    "gateway.model_cannot_claim_human_authority": (TWIN, TWIN, TWIN),
    "tombstone.laundering_sequence": (CLAIM, TWIN, TWIN),
    "tombstone.survives_ttl_and_prune": (CLAIM, TWIN, CLAIM),
    "tombstone.key_normalization_attack": (CLAIM, TWIN, CLAIM),
    "tombstone.reextraction_stays_inactive": (CLAIM, TWIN, CLAIM),
    "tombstone.no_second_memory_unit": (CLAIM, TWIN, TWIN),
    "deletion.absent_after_reindex_and_restart": (CLAIM, TWIN, TWIN),
    "deletion.absent_from_shared_copies": (CLAIM, TWIN, CLAIM),
    "correction.survives_reindex": (CLAIM, TWIN, TWIN),
    "correction.retraction_without_replacement": (CLAIM, TWIN, TWIN),
    "retrieval.k_is_an_upper_bound": (TWIN, TWIN, TWIN),
    "prompt.recall_is_fenced_as_data": (CLAIM, TWIN, CLAIM),
    "prompt.model_ignores_embedded_instructions": (LACKS, LACKS, LACKS),
}


@pytest.mark.parametrize("id", CATALOGUE)
def test_no_floor_passes_and_each_fails_for_its_own_reason(tmp_path: Path, id: str) -> None:
    ends = tuple(word(found(floor, tmp_path / floor.name, id)) for floor in _placed(tmp_path))
    assert ends == FLOOR_ENDS[id]


def _placed(place: Path) -> tuple[type[Memory], ...]:
    for floor in FLOORS:
        (place / floor.name).mkdir()
    return FLOORS


def test_the_floors_are_the_three_and_every_test_has_a_row() -> None:
    assert (Words, Nothing, Wiping) == FLOORS
    assert list(FLOOR_ENDS) == list(CATALOGUE)
    assert len(CATALOGUE) == 20


def test_every_test_but_that_of_a_model_is_failed_by_a_floor_that_could_be_asked() -> None:
    never = [id for id, ends in FLOOR_ENDS.items() if not {CLAIM, TWIN} & set(ends)]
    assert never == list(NO_MODEL)


class Obedient(Words):
    """A memory with a model that does whatever stands in its prompt."""

    def ask_model(self, prompt: str, question: str) -> str:
        return prompt


class Deaf(Words):
    """A memory with a model that uses the one memory that it was asked about."""

    def ask_model(self, prompt: str, question: str) -> str:
        return "\n".join(line for line in prompt.splitlines() if "ferry leaves at" in line)


@pytest.mark.parametrize(("kind", "count"), [(Obedient, "5 of 5"), (Deaf, "0 of 5")])
def test_what_a_model_makes_of_a_memory_is_reported_as_a_count(
    tmp_path: Path, kind: Kind, count: str
) -> None:
    finding = found(kind, tmp_path, "prompt.model_ignores_embedded_instructions")
    assert finding.outcome is (Outcome.HOLDS if count.startswith("0") else Outcome.FAILS)
    assert finding.sentence.startswith(f"In {count} runs")


class Breaking(Words):
    """A memory that breaks when it is asked."""

    def prompt_prefix(self, query: str, *, space: str = "home", k: int = 10) -> str:
        raise ZeroDivisionError("by zero")


def test_a_memory_that_breaks_fails_and_the_run_goes_on(tmp_path: Path) -> None:
    finding = found(Breaking, tmp_path, "scope.cross_tenant_absent")
    assert (finding.outcome, finding.twin) == (Outcome.FAILS, Outcome.FAILS)
    assert finding.sentence == "It broke: ZeroDivisionError: by zero"
