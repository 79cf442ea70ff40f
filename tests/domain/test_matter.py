"""What does a row of a matter say of its sides, and which kinds, states and reasons are there?"""

from dataclasses import replace

import pytest

from muniment.domain.ledger import RowCode
from muniment.domain.matter import (
    CASES,
    DOUBTS,
    Decision,
    Matter,
    MatterKind,
    MatterState,
    Opening,
    Why,
    matter_bytes,
)
from tests.domain.samples import EVIDENCE, MEMORY, ROWS


def sample() -> Matter:
    row = ROWS[RowCode.MATTER]
    assert isinstance(row, Matter)
    return row


def test_the_sides_are_those_that_are_there_the_newer_first() -> None:
    assert sample().sides == (MEMORY, EVIDENCE)
    assert replace(sample(), new="").sides == (EVIDENCE,)
    assert replace(sample(), old="").sides == (MEMORY,)
    assert replace(sample(), new="", old="").sides == ()


@pytest.mark.parametrize("side", ["new_version", "old_version"])
def test_the_version_grows_whenever_either_side_does(side: str) -> None:
    row = sample()
    later = replace(row, **{side: getattr(row, side) + 1})
    assert later.version == row.version + 1


def test_a_proposal_a_dial_and_an_edit_are_no_cases() -> None:
    edits = {MatterKind.SOUL, MatterKind.MEMORY, MatterKind.USER}
    lived = {MatterKind.SESSION, MatterKind.BASELINE, MatterKind.USE}
    staged = {MatterKind.PROPOSAL, MatterKind.ERASURE, MatterKind.DIAL}
    assert set(MatterKind) - set(CASES) == staged | edits | lived


def test_a_doubt_is_about_one_statement_and_a_conflict_about_two() -> None:
    assert set(Why) > DOUBTS
    assert not {Why.LOWER_RANK, Why.OTHER_AUTHOR, Why.FREE_TEXT, Why.CONTRADICTS} & DOUBTS


def test_an_opening_is_a_dispute_unless_it_says_otherwise() -> None:
    assert Opening(Why.DOUBTED, MEMORY).kind is MatterKind.DISPUTE
    assert Opening(Why.FREE_TEXT, MEMORY, EVIDENCE, MatterKind.FINDING).new == EVIDENCE


@pytest.mark.parametrize("state", MatterState, ids=lambda state: state.value)
def test_another_state_is_another_row(state: MatterState) -> None:
    row = replace(sample(), state=MatterState.OPEN)
    assert (matter_bytes(replace(row, state=state)) == matter_bytes(row)) is (state is MatterState.OPEN)


def test_every_decision_and_reason_is_spelled_for_a_command_line() -> None:
    for word in (*Decision, *Why):
        assert word.value == word.value.lower() and " " not in word.value and "_" not in word.value
