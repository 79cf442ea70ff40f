"""Do operations on a block do all or nothing, and leave untouched entries byte for byte as they were?"""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.block import BOUNDS, Block, characters
from muniment.domain.block_edit import (
    Action,
    Applied,
    Fault,
    FaultKind,
    Line,
    Operation,
    applied,
    consolidated,
    restored,
)

WORDS = ["tea", "tea at four", "Tea", "coffee", "caf\u00e9", "line\nbreak", " spaced", "\u00a7", "x" * 700]
ENTRIES = st.lists(st.sampled_from(WORDS), unique=True, max_size=5)
OPERATIONS = st.lists(
    st.builds(
        Operation,
        st.sampled_from([Action.ADD, Action.REPLACE, Action.REMOVE]),
        st.sampled_from([*WORDS, "new one", "another"]),
        st.sampled_from([*WORDS, "te", "zzz"]),
    ),
    min_size=1,
    max_size=6,
)


def done(entries: Sequence[str], *operations: Operation, batch: bool = False) -> Applied | Fault:
    return applied(Block.USER, entries, operations, is_batch=batch)


def landed(result: Applied | Fault) -> Applied:
    assert isinstance(result, Applied), result
    return result


def failed(result: Applied | Fault) -> Fault:
    assert isinstance(result, Fault), result
    return result


def add(text: str) -> Operation:
    return Operation(Action.ADD, text)


def put(old: str, text: str) -> Operation:
    return Operation(Action.REPLACE, text, old)


def remove(old: str) -> Operation:
    return Operation(Action.REMOVE, old=old)


@settings(max_examples=300)
@given(ENTRIES, OPERATIONS)
def test_untouched_entries_are_byte_identical_after_any_sequence(
    entries: list[str], operations: list[Operation]
) -> None:
    """Replacing and adding once cut many entries to few; what no operation names stays as it is."""
    before = tuple(entries)
    for operation in operations:
        result = done(before, operation)
        if isinstance(result, Fault):
            continue
        gone = (*result.replaced, *result.dropped)
        assert len(gone) <= 1
        kept = [entry for entry in before if entry not in gone]
        assert [entry for entry in result.after if entry in kept] == kept
        assert len(result.after) == len(kept) + len(result.added)
        before = result.after


@settings(max_examples=300)
@given(ENTRIES, OPERATIONS)
def test_a_batch_equals_its_operations_one_by_one_or_nothing(
    entries: list[str], operations: list[Operation]
) -> None:
    whole = done(entries, *operations, batch=True)
    state: tuple[str, ...] = tuple(entries)
    for number, operation in enumerate(operations, start=1):
        # Without a bound and on its own, since only the end of a batch is measured.
        step = applied(Block.SOUL, state, (operation,))
        if isinstance(step, Fault) and step.kind is not FaultKind.OVER_LIMIT:
            assert failed(whole).number == number
            assert failed(whole).kind is step.kind
            return
        if isinstance(step, Fault):
            return
        state = step.after
    if isinstance(whole, Applied):
        assert whole.after == state
        assert characters(state) <= BOUNDS[Block.USER]
    else:
        too_long = characters(state) > BOUNDS[Block.USER]
        assert whole.kind is (FaultKind.OVER_LIMIT if too_long else FaultKind.EMPTIES)
        assert whole.number == 0


@given(ENTRIES, OPERATIONS)
def test_a_landed_edit_never_leaves_two_entries_that_say_the_same(
    entries: list[str], operations: list[Operation]
) -> None:
    result = done(("tea", "coffee"), *operations)
    if isinstance(result, Applied):
        assert len({entry.casefold() for entry in result.after}) == len(result.after)


def test_a_replacement_sets_the_whole_entry_and_returns_what_it_replaced() -> None:
    """From a part of the old text nothing more of it is kept."""
    result = landed(done(("tea at four, with milk", "coffee"), put("tea at", "tea at five")))
    assert result.after == ("tea at five", "coffee")
    assert result.replaced == ("tea at four, with milk",)
    assert result.added == ("tea at five",)


def test_a_replacement_may_change_only_the_case_of_its_own_entry() -> None:
    assert landed(done(("paris",), put("paris", "Paris"))).after == ("Paris",)
    assert failed(done(("paris",), put("paris", "paris"))).kind is FaultKind.UNCHANGED
    assert failed(done(("paris", "rome"), put("rome", "PARIS"))).kind is FaultKind.DUPLICATE


@pytest.mark.parametrize("operation", [put("tea", "x"), remove("tea")])
def test_no_match_and_several_are_told_apart(operation: Operation) -> None:
    assert failed(done(("coffee",), operation)).kind is FaultKind.NO_MATCH
    several = failed(done(("tea at four", "tea at five"), operation))
    assert several.kind is FaultKind.SEVERAL
    assert several.entries == ("tea at four", "tea at five")
    assert isinstance(done(("tea at four", "coffee"), operation), Applied)


def test_a_fault_of_a_batch_names_the_operation_and_the_reason() -> None:
    fault = failed(done(("tea",), add("coffee"), remove("milk"), add("water"), batch=True))
    assert (fault.kind, fault.number) == (FaultKind.NO_MATCH, 2)
    assert fault.detail == "Operation 2: No entry is or holds 'milk'."
    assert failed(done(("tea",), remove("milk"))).detail == "No entry is or holds 'milk'."


def test_an_operation_of_a_batch_sees_the_earlier_ones() -> None:
    result = landed(done(("tea",), add("milk"), put("milk", "oat milk"), remove("tea"), batch=True))
    assert result.after == ("oat milk",)
    assert result.dropped == ("tea",)


def test_a_batch_that_would_empty_a_block_is_refused_and_one_removal_is_not() -> None:
    fault = failed(done(("tea", "milk"), remove("tea"), remove("milk"), batch=True))
    assert fault.kind is FaultKind.EMPTIES
    assert failed(done(("tea",), remove("tea"), batch=True)).kind is FaultKind.EMPTIES
    assert landed(done(("tea",), remove("tea"))).after == ()
    assert landed(done((), add("a"), remove("a"), batch=True)).after == (), "it was empty before"


def test_exactly_as_long_as_the_bound_fits_and_one_more_does_not() -> None:
    room = BOUNDS[Block.USER] - characters(("tea", ""))
    assert characters(landed(done(("tea",), add("y" * room))).after) == BOUNDS[Block.USER]
    fault = failed(done(("tea",), add("y" * (room + 1))))
    assert fault.kind is FaultKind.OVER_LIMIT
    assert fault.sentence.startswith("user would be 1,376 of 1,375 characters; use consolidate")


def test_the_bound_is_judged_on_the_final_state() -> None:
    full = ("a" * 700, "b" * 600)
    assert failed(done(full, add("c" * 600))).kind is FaultKind.OVER_LIMIT
    assert landed(done(full, add("c" * 600), remove("b" * 600), batch=True)).after == ("a" * 700, "c" * 600)


def lines(*given: Line) -> Applied | Fault:
    return consolidated(Block.MEMORY, ("tea", "coffee at nine", "milk"), given)


KEEP = (Line("tea", keep=True), Line("coffee", keep=True), Line("milk", keep=True))


def test_a_consolidation_gives_each_entry_its_fate_in_the_order_of_the_lines() -> None:
    result = landed(
        lines(
            Line("milk", move=True),
            Line("coffee", text="coffee"),
            Line(text="water"),
            Line("tea", keep=True),
        )
    )
    assert result.after == ("coffee", "water", "tea")
    assert (result.moved, result.replaced) == (("milk",), ("coffee at nine",))
    assert result.added == ("coffee", "water")
    assert landed(lines(Line("tea", drop=True), *KEEP[1:])).dropped == ("tea",)


def test_a_consolidation_that_forgets_an_entry_is_refused_with_the_entry() -> None:
    fault = failed(lines(*KEEP[:2], Line(text="water")))
    assert (fault.kind, fault.entries) == (FaultKind.UNACCOUNTED, ("milk",))


def test_a_consolidation_that_names_an_entry_twice_is_refused_with_the_line() -> None:
    fault = failed(lines(*KEEP, Line("tea", drop=True)))
    assert (fault.kind, fault.number, fault.entries) == (FaultKind.UNACCOUNTED, 4, ("tea",))


def test_a_consolidation_from_an_old_view_fails() -> None:
    """What another session added since is not named, so nothing of it can be lost."""
    assert failed(consolidated(Block.MEMORY, ("tea", "new"), (Line("tea", text="t"),))).entries == ("new",)
    assert failed(consolidated(Block.MEMORY, ("new",), (Line("tea", keep=True),))).kind is FaultKind.NO_MATCH


def test_a_consolidation_that_changes_nothing_empties_or_repeats_is_refused() -> None:
    assert failed(lines(*KEEP)).kind is FaultKind.UNCHANGED
    gone = [Line(entry, move=True) for entry in ("tea", "coffee", "milk")]
    assert failed(lines(*gone)).kind is FaultKind.EMPTIES
    assert failed(lines(*KEEP, Line(text="TEA"))).kind is FaultKind.DUPLICATE
    assert failed(lines(*KEEP[:2], Line("milk", text="tea"))).kind is FaultKind.DUPLICATE
    assert failed(lines(*KEEP, Line(text="z" * 2_200))).kind is FaultKind.OVER_LIMIT


def test_a_rewriting_that_writes_what_is_there_keeps_it() -> None:
    result = landed(lines(Line("tea", text="tea"), Line("coffee", drop=True), KEEP[2]))
    assert (result.after, result.added, result.replaced) == (("tea", "milk"), (), ())


def test_taking_back_puts_the_entries_where_they_were() -> None:
    result = landed(restored(Block.USER, ("tea", "new"), ("tea", "old", "milk")))
    assert result.after == ("tea", "old", "milk")
    assert (result.added, result.replaced) == (("old", "milk"), ("new",))
    assert failed(restored(Block.USER, (), ("y" * 1_376,))).kind is FaultKind.OVER_LIMIT
    assert failed(restored(Block.USER, ("tea", "milk"), ("tea", "milk"))).kind is FaultKind.UNCHANGED
    assert landed(restored(Block.USER, ("tea", "milk"), ("milk", "tea"))).after == ("milk", "tea")


FATES = st.sampled_from(["keep", "move", "drop", "text"])


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(["tea", "milk", "coffee", "water", "two\nlines"]), unique=True, min_size=1),
    st.lists(FATES, min_size=5, max_size=5),
    st.randoms(use_true_random=False),
)
def test_every_entry_of_a_consolidation_ends_in_exactly_one_place(
    entries: list[str], fates: list[str], order: random.Random
) -> None:
    given_lines = []
    for entry, fate in zip(entries, fates, strict=False):
        text = f"{entry}, shorter" if fate == "text" else ""
        chosen = {fate: True} if fate != "text" else {}
        given_lines.append(Line(entry, text=text, **chosen))
    order.shuffle(given_lines)
    result = consolidated(Block.SOUL, entries, given_lines)
    if isinstance(result, Fault):
        assert result.kind in (FaultKind.EMPTIES, FaultKind.UNCHANGED)
        return
    kept = [entry for entry in result.after if entry in entries]
    places = [*kept, *result.moved, *result.dropped, *result.replaced]
    assert sorted(places) == sorted(entries)
    assert result.before == tuple(entries)
    assert set(result.after) == {*kept, *result.added}
    assert list(result.after) == [line.text or line.old for line in given_lines if line.keep or line.text]


@pytest.mark.parametrize("missing", range(3))
def test_a_consolidation_without_one_line_of_a_whole_one_is_refused(missing: int) -> None:
    whole = [Line("tea", text="t"), Line("coffee", keep=True), Line("milk", drop=True)]
    assert isinstance(lines(*whole), Applied)
    part = [line for place, line in enumerate(whole) if place != missing]
    fault = failed(lines(*part))
    assert fault.kind is FaultKind.UNACCOUNTED
    assert fault.entries == (("tea", "coffee at nine", "milk")[missing],)
    assert fault.sentence == "1 of 3 entries are not accounted for."
