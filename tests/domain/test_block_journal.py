"""Does a line of the journal come back from its row as it was, and is each name given once?"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from muniment.domain.block import Block
from muniment.domain.block_edit import Action
from muniment.domain.block_journal import KINDS, Edit, edit_of, next_name, row_of, without
from muniment.domain.label import DataClass, Label
from muniment.domain.matter import CASES, MatterKind

AT = datetime(2026, 1, 5, 23, 59, tzinfo=UTC)
EDIT = Edit(
    name="2026-01-05-0007",
    block=Block.USER,
    action=Action.CONSOLIDATE,
    before=("tea \u00a7 \u2028", "line\nbreak"),
    after=("caf\u00e9",),
    space=3,
    actor=4,
    recorded=AT,
    label=Label(DataClass.SECRET, True),
    session=9,
    call="call-1",
    undoes="2026-01-05-0006",
    notes=("e_1", "e_2"),
)


@pytest.mark.parametrize(
    "edit",
    [
        EDIT,
        replace(EDIT, before=(), notes=(), undoes="", call="", session=0),
        replace(EDIT, after=(), block=Block.SOUL, action=Action.UNDO),
    ],
)
def test_a_line_comes_back_from_its_row(edit: Edit) -> None:
    row = row_of(edit, n=12, id="b_x")
    assert (row.n, row.id, row.kind) == (12, "b_x", KINDS[edit.block])
    assert edit_of(row) == edit


def test_the_texts_lie_in_the_row_as_they_are() -> None:
    """An escaped word would hide from whoever looks for it to erase it."""
    body = row_of(EDIT, n=1, id="b_x").body
    assert all(text in body for text in (*EDIT.before, *EDIT.after))


def test_a_row_of_another_kind_is_no_line() -> None:
    with pytest.raises((KeyError, ValueError)):
        edit_of(replace(row_of(EDIT, n=1, id="b_x"), kind=MatterKind.DISPUTE))


def test_no_line_is_taken_for_a_case() -> None:
    assert not set(KINDS.values()) & {*CASES, MatterKind.PROPOSAL, MatterKind.DIAL}
    assert set(KINDS) == set(Block)


def test_names_count_within_their_day() -> None:
    newest = (EDIT, replace(EDIT, name="2026-01-05-0012"), replace(EDIT, name="2026-01-04-0400"))
    assert next_name(AT, newest) == "2026-01-05-0013"
    assert next_name(AT, ()) == "2026-01-05-0001"
    assert next_name(AT.replace(day=6), newest) == "2026-01-06-0001"
    assert next_name(AT, (replace(EDIT, name="2026-01-05-9999"),)) == "2026-01-05-10000"


@pytest.mark.parametrize(
    ("gone", "before", "after"),
    [
        ("tea", ("line\nbreak",), ("caf\u00e9",)),
        ("break", ("tea \u00a7 \u2028",), ("caf\u00e9",)),
        ("caf", ("tea \u00a7 \u2028", "line\nbreak"), ()),
        ("beer", EDIT.before, EDIT.after),
    ],
)
def test_an_erased_entry_goes_from_both_sides_of_a_line_and_the_rest_stays(
    gone: str, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    row = row_of(EDIT, n=12, id="b_x")
    cleaned = without(row, lambda text: gone in text)
    assert edit_of(cleaned) == replace(EDIT, before=before, after=after)
    assert (cleaned.n, cleaned.id, cleaned.recorded) == (row.n, row.id, row.recorded)


def test_an_erased_name_of_a_call_goes_too() -> None:
    cleaned = without(row_of(EDIT, n=1, id="b_x"), lambda text: text == "call-1")
    assert edit_of(cleaned) == replace(EDIT, call="")


def test_a_row_that_is_no_line_stays_as_it_is() -> None:
    row = replace(row_of(EDIT, n=1, id="b_x"), kind=MatterKind.PROPOSAL)
    assert without(row, lambda text: True) is row
