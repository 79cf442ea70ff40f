"""Does an edit that waits name the whole of what it takes out, so that nothing else can be meant later?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.block import Block, found
from muniment.domain.block_edit import (
    Action,
    Applied,
    Fault,
    FaultKind,
    Line,
    Operation,
    applied,
    consolidated,
    pinned_lines,
    pinned_operations,
)

ENTRIES = ("tea at four", "the quay is wet", "tea")
WORDS = ("tea", "tea at four", "Tea", "milk", "line\nbreak", "\u00a7", "caf\u00e9")
OPERATIONS = st.lists(
    st.one_of(
        st.builds(Operation, st.just(Action.ADD), st.sampled_from([*WORDS, "new"])),
        st.builds(
            Operation, st.just(Action.REPLACE), st.sampled_from([*WORDS, "new"]), st.sampled_from(WORDS)
        ),
        st.builds(Operation, st.just(Action.REMOVE), st.just(""), st.sampled_from(WORDS)),
    ),
    min_size=1,
    max_size=5,
)


def test_a_whole_name_names_no_entry_that_only_holds_it() -> None:
    assert found(ENTRIES, "quay").places == (1,)
    assert found(ENTRIES, "quay", whole=True).places == ()
    assert found(ENTRIES, "tea", whole=True).places == (2,)
    assert found(ENTRIES, "", whole=True).places == ()


@pytest.mark.parametrize(
    ("operation", "old"),
    [
        (Operation(Action.REMOVE, old="quay"), "the quay is wet"),
        (Operation(Action.REPLACE, "milk", "four"), "tea at four"),
        (Operation(Action.REMOVE, old="tea"), "tea"),
    ],
)
def test_a_pin_is_the_whole_entry(operation: Operation, old: str) -> None:
    (pin,) = pinned_operations(ENTRIES, [operation])
    assert (pin.old, pin.pinned, pin.action, pin.text) == (old, True, operation.action, operation.text)


def test_a_new_entry_has_nothing_to_pin() -> None:
    operation = Operation(Action.ADD, "milk")
    assert pinned_operations(ENTRIES, [operation]) == (operation,)
    assert pinned_lines(ENTRIES, [Line(text="milk")]) == (Line(text="milk"),)


def test_a_later_operation_is_pinned_to_what_an_earlier_one_made() -> None:
    operations = [Operation(Action.REPLACE, "milk at five", "four"), Operation(Action.REMOVE, old="milk")]
    assert [one.old for one in pinned_operations(ENTRIES, operations)] == ["tea at four", "milk at five"]


@pytest.mark.parametrize(
    "grown", ["the quay is wet and cold", "Is the quay is wet a lie?", "The quay is wet"]
)
@pytest.mark.parametrize(
    "operation", [Operation(Action.REMOVE, old="quay"), Operation(Action.REPLACE, "x", "quay")]
)
def test_what_grew_since_is_not_meant(operation: Operation, grown: str) -> None:
    pins = pinned_operations(ENTRIES, [operation])
    later = ("tea at four", grown, "tea")
    fault = applied(Block.MEMORY, later, pins)
    assert isinstance(fault, Fault) and fault.kind is FaultKind.NO_MATCH
    assert isinstance(applied(Block.MEMORY, ENTRIES, pins), Applied)


def test_operations_that_cannot_be_carried_out_are_not_pinned() -> None:
    twice = [Operation(Action.ADD, "milk"), Operation(Action.ADD, "Milk")]
    with pytest.raises(ValueError, match="carried out"):
        pinned_operations(ENTRIES, twice)


def test_the_lines_of_a_consolidation_are_pinned_and_say_the_same() -> None:
    lines = [Line(old="quay", keep=True), Line(old="four", move=True), Line(old="tea", text="tea, often")]
    pins = pinned_lines(ENTRIES, lines)
    assert [one.old for one in pins] == ["the quay is wet", "tea at four", "tea"]
    assert consolidated(Block.MEMORY, ENTRIES, pins) == consolidated(Block.MEMORY, ENTRIES, lines)
    later = ("tea at four, and cake", "the quay is wet", "tea")
    fault = consolidated(Block.MEMORY, later, pins)
    assert isinstance(fault, Fault) and (fault.kind, fault.number) == (FaultKind.NO_MATCH, 2)


@given(st.lists(st.sampled_from(WORDS), unique=True, max_size=5), OPERATIONS)
def test_pinned_operations_lead_where_the_others_led(entries: list[str], operations: list[Operation]) -> None:
    led = applied(Block.MEMORY, entries, operations, is_batch=True)
    if isinstance(led, Applied):
        pins = pinned_operations(entries, operations)
        assert applied(Block.MEMORY, entries, pins, is_batch=True) == led
        assert pinned_operations(entries, pins) == pins
        assert all(one.pinned is bool(one.old) for one in pins)


def test_what_is_taken_out_is_whatever_stands_there_no_more() -> None:
    lines = [Line(old="quay", drop=True), Line(old="four", move=True), Line(old="tea", text="tea, often")]
    led = consolidated(Block.MEMORY, ENTRIES, lines)
    assert isinstance(led, Applied)
    assert sorted(led.taken_out) == ["tea", "tea at four", "the quay is wet"]
    kept = applied(Block.MEMORY, ENTRIES, [Operation(Action.ADD, "milk")])
    assert isinstance(kept, Applied) and kept.taken_out == ()
