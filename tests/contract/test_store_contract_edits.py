"""Does every store keep the journal's lines apart by block and space, and give the newest first?"""

import pytest

from muniment.domain.block import Block
from muniment.domain.block_edit import Action
from muniment.domain.block_journal import KINDS, LANDED, Edit, edit_of, row_of
from muniment.domain.changes import Page
from muniment.domain.label import PRIVATE
from muniment.domain.ledger import RowCode
from muniment.domain.matter import Matter
from tests.contract.builders import Draft, Scribe

NEWEST = Page(limit=1, newest_first=True)
ODD = ("\u00a7", "line\nbreak", "\U0001f9a6", "caf\u00e9", '{"a": 1}', "'; DROP TABLE matter; --")


def kept(
    rows: Draft, name: str, block: Block, *, space: int = 1, after: tuple[str, ...] = ("tea",)
) -> Matter:
    """Append a line of the journal and return its row."""
    edit = Edit(name, block, Action.ADD, (), after, space, 1, rows.recorded, PRIVATE)
    made = row_of(edit, n=1, id="")
    return rows.matter(made.kind, space=space, state=LANDED, why=made.why, label=made.label, body=made.body)


def newest(scribe: Scribe, block: Block, space: int = 1) -> list[str]:
    with scribe.store.snapshot() as snapshot:
        rows = snapshot.matters_in((space,), (KINDS[block].value,), (LANDED.value,), page=NEWEST)
    return [edit_of(row).name for row in rows]


def test_the_newest_line_of_each_block_of_a_space_is_found(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        kept(rows, "a", Block.MEMORY)
        kept(rows, "b", Block.USER)
        kept(rows, "c", Block.MEMORY, space=2)
    with scribe.writing() as rows:
        kept(rows, "d", Block.MEMORY)
    assert newest(scribe, Block.MEMORY) == ["d"]
    assert newest(scribe, Block.USER) == ["b"]
    assert newest(scribe, Block.MEMORY, space=2) == ["c"]
    assert newest(scribe, Block.SOUL) == []
    assert newest(scribe, Block.USER, space=2) == []


@pytest.mark.parametrize("text", ODD)
def test_an_entry_comes_back_code_point_for_code_point(scribe: Scribe, text: str) -> None:
    with scribe.writing() as rows:
        row = kept(rows, "a", Block.USER, after=(text, "tea"))
    with scribe.store.snapshot() as snapshot:
        (found,) = snapshot.matters([row.id])
        sealed = [one.row for _, one in snapshot.sealed_rows(RowCode.MATTER, Page())]
    assert edit_of(found).after == (text, "tea")
    assert found in sealed


def test_lines_are_never_among_the_cases(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        kept(rows, "a", Block.MEMORY)
        case = rows.matter()
    with scribe.store.snapshot() as snapshot:
        assert snapshot.matters_in([1], ["dispute", "finding"], ["open", "decided"], page=Page()) == [case]
        assert snapshot.matters_in([1], ["proposal", "dial"], ["open", "decided"], page=Page()) == []


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_one_block_is_read_as_it_is_read_among_others(scribe: Scribe, limit: int) -> None:
    """The newest line of one block has a statement of its own, which must say what the general one says."""
    with scribe.writing() as rows:
        for name in "abcde":
            kept(rows, name, Block.MEMORY)
            kept(rows, name, Block.USER, space=2)
    kind, state = KINDS[Block.MEMORY].value, LANDED.value
    with scribe.store.snapshot() as snapshot:
        newest_first = Page(limit=limit, newest_first=True)
        alone = snapshot.matters_in((1,), (kind,), (state,), page=newest_first)
        among = snapshot.matters_in((1, 7), (kind,), (state,), page=newest_first)
        later = Page(alone[0].n, limit, newest_first=True)
        assert snapshot.matters_in((1,), (kind,), (state,), page=later) == snapshot.matters_in(
            (1, 7), (kind,), (state,), page=later
        )
    assert alone == among
    assert [edit_of(row).name for row in alone] == list("edcba")[:limit]


def test_a_matter_that_moved_on_is_read_once_in_its_newest_state(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        case = rows.matter()
    page = Page(limit=5, newest_first=True)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.matters_in((case.space,), (case.kind.value,), ("open",), page=page) == [case]
        assert snapshot.matters_in((case.space,), (case.kind.value,), ("decided",), page=page) == []
