"""Where does a matter stand?  As its newest row says, on every store."""

from dataclasses import replace

from muniment.domain.changes import Page
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import RowCode
from muniment.domain.matter import Matter, MatterKind, MatterState
from tests.contract.builders import Scribe

DISPUTES = (MatterKind.DISPUTE,)
OPEN = (MatterState.OPEN,)
EVERY_STATE = tuple(MatterState)


def closing(row: Matter, state: MatterState = MatterState.DECIDED) -> dict[str, object]:
    """Return the fields of a later row of the same matter."""
    kept = {"id": row.id, "kind": row.kind, "space": row.space, "new": row.new, "old": row.old}
    return {**kept, "state": state, "decision": "keep-old"}


def test_every_column_of_a_matter_comes_back(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        sides = rows.remember("one").memory, rows.remember("two").memory
        row = rows.matter(
            MatterKind.PROPOSAL,
            space=7,
            state=MatterState.DECLINED,
            why="look-alike",
            label=Label(DataClass.SECRET, untrusted=True),
            actor=3,
            new=sides[0],
            new_version=4,
            old=sides[1],
            old_version=2,
            decision="merge",
            body='{"text": "na\u00efve \U0001f600"}',
            digest=b"\x00\xff",
            reason="it is so",
        )
    with scribe.store.snapshot() as snapshot:
        assert snapshot.matters([row.id]) == [row]
        assert [sealed.row for _, sealed in snapshot.sealed_rows(RowCode.MATTER, Page())] == [row]
        assert snapshot.matters([]) == []


def test_the_newest_row_says_where_a_matter_stands(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        first, other = rows.matter(), rows.matter()
    with scribe.writing() as rows:
        decided = rows.matter(**closing(first))
    with scribe.store.snapshot() as snapshot:
        assert snapshot.matters([first.id]) == [first, decided]
        assert snapshot.matters_in([1], DISPUTES, OPEN, page=Page()) == [other]
        assert snapshot.matters_in([1], DISPUTES, (MatterState.DECIDED,), page=Page()) == [decided]
        assert snapshot.matters_in([1], DISPUTES, EVERY_STATE, page=Page()) == [other, decided]


def test_matters_are_listed_by_space_kind_and_page(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        made = [rows.matter(space=1 + number % 2) for number in range(6)]
        found = rows.matter(MatterKind.FINDING)
    with scribe.store.snapshot() as snapshot:
        here = [row for row in made if row.space == 1]
        assert snapshot.matters_in([1], DISPUTES, OPEN, page=Page()) == here
        assert snapshot.matters_in([1, 2], DISPUTES, OPEN, page=Page()) == made
        assert snapshot.matters_in([], DISPUTES, OPEN, page=Page()) == []
        assert snapshot.matters_in([1, 2], (MatterKind.FINDING,), OPEN, page=Page()) == [found]
        newest = Page(limit=2, newest_first=True)
        assert snapshot.matters_in([1, 2], DISPUTES, OPEN, page=newest) == [made[5], made[4]]
        onward = Page(after=made[1].n, limit=2)
        assert snapshot.matters_in([1, 2], DISPUTES, OPEN, page=onward) == made[2:4]


def test_an_open_matter_is_found_by_either_side_and_a_closed_one_is_not(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        one, two, three = (rows.remember(text).memory for text in ("one", "two", "three"))
        first = rows.matter(new=one, old=two)
        second = rows.matter(new=three, old=two)
        rows.matter()
    with scribe.store.snapshot() as snapshot:
        assert snapshot.matters_about([one]) == [first]
        assert snapshot.matters_about([two]) == [first, second]
        assert snapshot.matters_about([one, two, three]) == [first, second]
        assert snapshot.matters_about([]) == []
    with scribe.writing() as rows:
        rows.matter(**closing(replace(first), MatterState.MOOT))
    with scribe.store.snapshot() as snapshot:
        assert snapshot.matters_about([one]) == []
        assert snapshot.matters_about([two]) == [second]


def test_matters_are_counted(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        first = rows.matter()
        rows.matter(**closing(first))
    with scribe.store.snapshot() as snapshot:
        assert snapshot.counts()["matter"] == 2
