"""Does a rejected value come back in another dress, by another path?  Every cell, each with its twin."""

from collections.abc import Iterable
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from muniment.conformance.floors import Nothing, Wiping, Words
from muniment.conformance.laundering import Became, Cell, Place, cell, matrix, pairs
from muniment.conformance.library import Library
from muniment.conformance.tombstones import DISGUISES, MUST_STAY_OUT, undressed
from muniment.conformance.verdict import Outcome
from muniment.service.session import Session
from muniment.service.vault import Vault
from tests.conformance.memories import OURS, OVER_MCP, Kind, maker, one

PATHS = (
    "proposal", "edited proposal", "write", "session", "revise", "succeed", "turn", "document", "import",
    "decision", "restore",
)  # fmt: skip
"""Every way in that the library has today."""

# A value is rejected for its slot and its space, so it may stand elsewhere.  Of the same slot,
# what writes the same letters another way stays out; another wording is another statement.
IN_ANOTHER_SPACE = ("write", "session", "revise", "succeed", "import")


def found(kind: Kind, place: Path, path: str, *, where: Place, disguise: str) -> Cell:
    with closing(one(kind, place)) as memory:
        return cell(memory, path, where, disguise=disguise)


def became(cells: Iterable[Cell]) -> set[tuple[Became, bool]]:
    return {(one.became, one.twin) for one in cells}


@pytest.mark.parametrize("path", PATHS)
def test_no_dress_carries_a_rejected_value_into_its_slot(tmp_path: Path, path: str) -> None:
    make = maker(Library, tmp_path)
    for disguise in MUST_STAY_OUT:
        with closing(make()) as memory:
            measured = cell(memory, path, Place.SAME_SLOT, disguise=disguise)
        assert (measured.became, measured.twin, measured.outcome) == (Became.OUT, True, Outcome.HOLDS), (
            measured
        )


@pytest.mark.parametrize(("path", "place", "disguise"), list(pairs(PATHS)))
def test_a_path_behaves_alike_on_the_other_store(
    tmp_path: Path, path: str, place: Place, disguise: str
) -> None:
    """In pairs: every path meets every place and every dress."""
    measured = found(OURS["postgres"], tmp_path, path, where=place, disguise=disguise)
    assert measured.twin and measured.outcome is Outcome.HOLDS, measured
    if place is Place.SAME_SLOT and disguise in MUST_STAY_OUT:
        assert measured.became is Became.OUT, measured


def test_pairs_leave_no_two_sides_of_the_matrix_apart() -> None:
    chosen = set(pairs(PATHS))
    assert len(chosen) == len(PATHS) * len(DISGUISES)
    assert {one[:2] for one in chosen} == set(product(PATHS, Place))
    assert {(one[0], one[2]) for one in chosen} == set(product(PATHS, DISGUISES))
    assert {one[1:] for one in chosen} == set(product(Place, DISGUISES))


@pytest.mark.parametrize("path", IN_ANOTHER_SPACE)
def test_a_value_that_is_rejected_here_may_be_held_in_another_space(tmp_path: Path, path: str) -> None:
    measured = found(Library, tmp_path, path, where=Place.OTHER_SPACE, disguise="exact")
    assert (measured.became, measured.twin) == (Became.IN, True)


def test_a_value_that_is_rejected_for_its_slot_may_be_held_for_another(tmp_path: Path) -> None:
    measured = found(Library, tmp_path, "write", where=Place.OTHER_SLOT, disguise="paraphrase")
    assert (measured.became, measured.twin) == (Became.IN, True)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "disguise"), [("remember", "zero width"), ("revise", "look-alike")])
def test_no_tool_of_an_agent_carries_a_rejected_value_in(tmp_path: Path, path: str, disguise: str) -> None:
    measured = found(OVER_MCP, tmp_path, path, where=Place.SAME_SLOT, disguise=disguise)
    assert (measured.became, measured.twin) == (Became.OUT, True), measured


@pytest.mark.parametrize(("floor", "ends"), [(Words, (Became.IN, True)), (Nothing, (Became.OUT, False))])
def test_the_floors_let_every_dress_in_or_take_nothing_at_all(
    tmp_path: Path, floor: Kind, ends: tuple[Became, bool]
) -> None:
    cells = list(matrix(maker(floor, tmp_path)))
    assert became(cells) == {ends}
    assert len(cells) == len(Place) * len(DISGUISES)
    failing = [one for one in cells if one.outcome is Outcome.FAILS]
    assert len(failing) == (len(MUST_STAY_OUT) if ends[1] else len(cells))


def test_a_memory_that_wipes_at_a_rejection_still_takes_the_value_again(tmp_path: Path) -> None:
    measured = found(Wiping, tmp_path, "write", where=Place.SAME_SLOT, disguise="exact")
    assert (measured.became, measured.outcome) == (Became.IN, Outcome.FAILS)


def test_the_library_has_the_paths_that_are_tried_here(tmp_path: Path) -> None:
    with closing(one(Library, tmp_path)) as memory:
        assert tuple(memory.paths()) == PATHS


# Every verb that can put a text before an agent, and the path that tries it.
VERBS: dict[str, str] = {
    "remember": "write",
    "revise": "revise",
    "succeed": "succeed",
    "ingest": "document",
    "take_file": "document",
    "import_": "import",
    "decide": "decision",
    "approve": "edited proposal",
    "restore": "restore",
    "session.remember": "session",
    "session.append": "turn",
    "session.append_all": "turn",
}

# Verbs that change something, and bring no text in that was not judged before.
BRING_NOTHING = {
    "retract", "reject", "retire", "revive", "judge", "lift", "link", "reindex",
    "make_key", "revoke_key", "rotate_keys", "plan_erasure", "erase",
    "decline", "set_dial", "ask_erasure", "decline_erasure",
}  # fmt: skip
"""`lift` is a person's act that ends the rejection."""

# A block has no slots, and its entries stand in prompts instead of being recalled: every operation of
# it is tried by tests/service/test_blocks.py::test_a_rejected_value_comes_into_no_block_by_any_operation,
# and its file by tests/service/test_block_files_left.py::test_a_value_that_was_rejected_comes_in_by_no_file.
OF_BLOCKS = {"memory", "undo", "block_files", "repair_block"}

# A summary is kept as evidence, like a turn, and no claim is read out of it.  What was erased is taken out:
# tests/service/test_sitting.py::test_a_summary_brings_nothing_back_that_was_erased.
OF_EVIDENCE = {"compact"}

# What begins, moves or follows turns that came in by `append`, or hands out what a person's files say.
OF_SESSIONS = {
    "baseline",
    "child",
    "follow",
    "frozen",
    "hint",
    "open",
    "preview",
    "reopen",
    "retry",
    "rewind",
}

READ_OR_KEEP = {
    "recall", "recall_durably", "read", "history", "why", "spaces", "sessions", "memories", "recalls",
    "status", "doctor", "log", "verify", "keys", "export", "checkpoint", "settle", "run_jobs",
    "ground", "principal", "label", "close", "acting_as", "as_agent", "session", "turns", "name",
    "on_record", "pending", "cases", "case", "proposal", "settings", "show", "certificate",
    "certificates", "proposals", "contradictions", "block", "blocks_off", "edits", "erasure_requests",
    "requested_erasure", "search", "prove",
}  # fmt: skip

# Paths still to come, by the verb that will bring each; the row comes with the verb.
TO_COME = {"consolidate": "consolidation", "pull": "remote pull"}


def unknown(cls: type, prefix: str = "") -> set[str]:
    named = {name for name in dir(cls) if not name.startswith("_")}
    return (
        {
            prefix + name
            for name in named - READ_OR_KEEP - BRING_NOTHING - OF_BLOCKS - OF_SESSIONS - OF_EVIDENCE
        }
        - set(VERBS)
        - {prefix + name for name in VERBS}
    )


def test_every_verb_that_brings_a_text_in_has_a_row_in_the_matrix() -> None:
    """A new verb fails here until it is said which path of the matrix tries it, or why none does."""
    assert unknown(Vault) == set()
    assert unknown(Session, "session.") == set()
    assert {*VERBS.values(), "proposal"} == {*PATHS, "proposal"}


def test_a_path_that_is_still_to_come_has_no_row_yet_and_no_verb() -> None:
    assert not set(TO_COME) & {name for name in dir(Vault) if not name.startswith("_")}
    assert not set(TO_COME.values()) & set(PATHS)


def test_a_verb_without_a_row_is_noticed() -> None:
    class Grown(Vault):
        """A vault with one more way in."""

        def pull(self) -> None:
            """Bring something in from elsewhere."""

    assert unknown(Grown) == {"pull"}


def test_the_dresses_are_all_of_one_value_and_no_two_are_alike() -> None:
    texts = [text for text, _ in DISGUISES.values()]
    assert len(set(texts)) == len(texts) == 9
    assert all("mondays" in undressed(text) for text in texts)
    same = {undressed(DISGUISES[name][0]).split() == undressed(texts[0]).split() for name in MUST_STAY_OUT}
    assert same == {True}
    assert undressed("The deploy key rotates on Sundays") != undressed(texts[0])


def test_a_cell_fails_only_where_the_same_value_must_stay_out_or_its_twin_is_missing() -> None:
    ends = {}
    for where, disguise, now, twin in product(Place, ("case", "paraphrase"), Became, (True, False)):
        ends[where, disguise, now, twin] = Cell("write", where, disguise, now, "", twin).outcome
    assert ends[Place.SAME_SLOT, "case", Became.IN, True] is Outcome.FAILS
    assert ends[Place.SAME_SLOT, "case", Became.OUT, True] is Outcome.HOLDS
    assert ends[Place.SAME_SLOT, "paraphrase", Became.IN, True] is Outcome.HOLDS
    assert ends[Place.OTHER_SPACE, "case", Became.IN, True] is Outcome.HOLDS
    assert ends[Place.OTHER_SPACE, "case", Became.IN, False] is Outcome.FAILS
    assert ends[Place.SAME_SLOT, "case", Became.CANNOT, True] is Outcome.CANNOT
