"""Is every bound a number with a unit, and does something happen exactly at it? (I12)"""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import limits
from muniment.domain.changes import IndexEntry
from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Take
from muniment.domain.memory import Claim
from muniment.errors import BadInput
from muniment.service.conversations import take
from muniment.service.prepare import prepared
from muniment.service.vault import Vault
from tests.builders import CountingIds, FakeClock, sqlite_vault, stored

TREE = ast.parse(inspect.getsource(limits))
UNITS = {
    "characters", "bytes", "ms", "seconds", "items", "rows", "terms", "spaces", "segments", "tags",
    "references", "hits", "lane", "candidates", "records", "attempts", "run", "words", "keys", "findings",
    "readers", "writers", "batch", "question", "lease", "vectors", "neighbours", "folds", "operations",
    "failures", "requests", "turns", "sessions", "connections", "copies", "tokens",
}  # fmt: skip


def bounds() -> dict[str, object]:
    names = [node.target.id for node in TREE.body if isinstance(node, ast.AnnAssign)]  # type: ignore[union-attr]  # all are names
    return {name: getattr(limits, name) for name in names}


@pytest.mark.parametrize(("name", "value"), bounds().items())
def test_a_bound_is_a_positive_number(name: str, value: object) -> None:
    assert isinstance(value, int | float) and not isinstance(value, bool)
    assert value > 0


@pytest.mark.parametrize("name", bounds())
def test_a_bound_ends_in_its_unit_and_max(name: str) -> None:
    words = name.split("_")
    assert words[-1] == "max" or words[-1] in UNITS, name
    assert UNITS & set(words), f"{name} has no unit"


def test_every_bound_says_what_it_bounds() -> None:
    for node, following in zip(TREE.body, [*TREE.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign):
            assert isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant), ast.unparse(
                node
            )


def test_bounds_that_hold_others_are_the_larger_ones() -> None:
    assert limits.memory_text_characters_max <= limits.evidence_text_characters_max
    assert limits.reason_characters_max <= limits.memory_text_characters_max
    assert limits.candidates_per_lane_max * 4 <= limits.candidates_max
    assert limits.question_terms_max <= limits.query_characters_max
    assert limits.walk_rows_max <= limits.page_rows_max
    assert limits.recall_log_delay_seconds_max < 1, "a plain recall is durable within a second"
    assert limits.job_lease_seconds * 1000 > limits.busy_wait_ms_max, "a waiting worker keeps its lease"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = sqlite_vault(tmp_path, clock=FakeClock(), ids=CountingIds())
    yield made
    made.close()


def test_a_memory_of_the_longest_text_is_kept_whole_and_a_longer_one_refused(vault: Vault) -> None:
    longest = "a" * limits.memory_text_characters_max
    receipt = stored(vault.remember(longest))
    assert len(vault.read(receipt.id).text) == limits.memory_text_characters_max
    assert vault.remember(longest + "b").refused


def test_as_many_tags_as_allowed_are_kept_and_one_more_refused(vault: Vault) -> None:
    tags = [f"tag{number}" for number in range(limits.tags_max)]
    receipt = stored(vault.remember("The ferry leaves at dawn", tags=tags))
    assert len(vault.read(receipt.id).tags) == limits.tags_max
    assert vault.remember("The ferry leaves at noon", tags=[*tags, "more"]).refused


@pytest.mark.parametrize("field", ["about", "attribute", "value"])
def test_a_name_of_the_longest_length_is_kept_and_a_longer_one_refused(vault: Vault, field: str) -> None:
    slot = {"about": "ferry", "attribute": "time", "value": "dawn"}
    stored(vault.remember("One", **slot | {field: "x" * limits.name_characters_max}))
    assert vault.remember("Two", **slot | {field: "y" * (limits.name_characters_max + 1)}).refused


def test_a_reason_of_the_longest_length_is_kept_and_a_longer_one_refused(vault: Vault) -> None:
    first = stored(vault.remember("The ferry leaves at dawn"))
    longest = "r" * limits.reason_characters_max
    assert vault.revise(first.id, text="The ferry leaves at noon", reason=longest + "r").refused
    stored(vault.revise(first.id, text="The ferry leaves at noon", reason=longest))
    assert vault.history(first.id)[-1].reason == longest


def test_a_space_of_the_deepest_path_is_made_and_a_deeper_one_is_not(vault: Vault) -> None:
    deepest = "/".join("abcdefghijklmnopqrstuvwxyz"[: limits.space_segments_max])
    assert deepest.count("/") == limits.space_segments_max - 1
    stored(vault.remember("Deep down", space=deepest))
    with pytest.raises(BadInput):
        vault.remember("Deeper", space=f"{deepest}/more")


@pytest.mark.parametrize("k", [0, limits.hits_max])
def test_the_ends_of_k_are_allowed(vault: Vault, k: int) -> None:
    stored(vault.remember("The ferry leaves at dawn"))
    assert len(vault.recall("ferry", k=k).hits) == min(k, 1)


@pytest.mark.parametrize("k", [-1, limits.hits_max + 1, True, 2.0, "5", None])
def test_a_k_beyond_its_ends_is_the_callers_mistake(vault: Vault, k: object) -> None:
    with pytest.raises(BadInput):
        vault.recall("ferry", k=k)


def test_a_question_that_is_too_long_is_cut_and_the_answer_says_so(vault: Vault) -> None:
    stored(vault.remember("The ferry leaves at dawn"))
    longest = "ferry " + "x" * (limits.query_characters_max - 6)
    assert len(longest) == limits.query_characters_max
    assert vault.recall(longest).notes == ()
    cut = vault.recall(longest + " dawn")
    assert any(str(limits.query_characters_max) in note for note in cut.notes)


def test_a_batch_is_bounded(vault: Vault) -> None:
    def arrivals(count: int) -> tuple[Arrival, ...]:
        return tuple(Arrival("s", f"{number}", Role.USER, "ada", "hm") for number in range(count))

    owner = vault.ground, vault.session("s")
    intent = Take(owner[1].principal, "home", arrivals(limits.batch_items_max))
    assert take(vault.ground, intent).added == limits.batch_items_max
    with pytest.raises(BadInput, match="batch"):
        take(vault.ground, Take(intent.principal, "home", arrivals(limits.batch_items_max + 1)))


@pytest.mark.parametrize("limit", [-1, limits.page_rows_max + 1])
def test_a_page_beyond_its_bound_is_the_callers_mistake(vault: Vault, limit: int) -> None:
    session = vault.session("s-1")
    session.append("user", "hm")
    assert len(session.turns(limit=limits.page_rows_max)) == 1
    with pytest.raises(BadInput):
        session.turns(limit=limit)


def test_a_text_beyond_the_bound_is_refused_before_anything_is_worked_out_of_it(vault: Vault) -> None:
    """Terms, a vector and marks of ten million characters took a minute, to be told that it is too long."""
    longest = "a" * limits.memory_text_characters_max
    assert prepared(vault.ground, Claim(longest), ()).index.terms
    ready = prepared(vault.ground, Claim(longest + "b"), ())
    assert (ready.index, ready.digests.value) == (IndexEntry(), b"")
    assert vault.remember(longest + "b").reason == "too-long"
    assert vault.memories() == ()
