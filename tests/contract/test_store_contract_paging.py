"""Does a listing come in pages that leave nothing out and show nothing twice?"""

from collections.abc import Callable, Sequence

import pytest

from muniment.domain.changes import Page
from muniment.domain.ledger import RowCode, Seal
from muniment.domain.trust import Trust
from muniment.ports import Snapshot
from tests.contract.builders import Scribe

Listing = Callable[[Snapshot, Page], Sequence[tuple[int, object]]]

TRUSTS = [trust.value for trust in Trust]
LISTINGS: dict[str, Listing] = {
    "memories": lambda s, page: [(row.n, row) for row in s.memories((1,), TRUSTS, page)],
    "sessions": lambda s, page: [(row.n, row) for row in s.sessions((1,), page)],
    "recalls": lambda s, page: [(row.n, row) for row in s.recalls(page)],
    "records": lambda s, page: [(row.position, row) for row in s.records(page)],
    "turns": lambda s, page: [(one.row.sequence, one.row) for one in s.turns(77, page)],
}
KEYED: dict[str, Listing] = {
    "heads": lambda s, page: s.heads(page),
    **{
        f"sealed {code.name.lower()}": (lambda s, page, code=code: s.sealed_rows(code, page))
        for code in RowCode
    },
}
COUNT = 5


@pytest.fixture
def filled(scribe: Scribe) -> Scribe:
    """Return a store with five rows of each kind, and others beside them."""
    for number in range(COUNT):
        with scribe.writing() as rows:
            memory = rows.remember(f"memory {number}").memory
            rows.turn(f"turn {number}", session=77, sequence=number + 1)
            link = rows.link(memory, memory)
            rows.tombstone(memory, f"value {number}")
            rows.session(f"chat {number}")
            rows.recall(f"question {number}")
            rows.credential(f"pk{number}")
            rows.space(f"space/{number}")
            rows.matter()
            rows.actor(f"actor {number}")
            rows.stub(link, Seal(b"", number, 0))
            rows.certificate()
    return scribe


@pytest.mark.parametrize("name", [*LISTINGS, *KEYED])
@pytest.mark.parametrize("limit", [1, 2, COUNT, COUNT + 1])
def test_pages_put_together_are_the_listing(filled: Scribe, name: str, limit: int) -> None:
    listing = {**LISTINGS, **KEYED}[name]
    with filled.store.snapshot() as snapshot:
        whole = list(listing(snapshot, Page(after=-1, limit=1000)))
        pages, after = [], -1
        for _ in range(COUNT + 2):
            page = list(listing(snapshot, Page(after=after, limit=limit)))
            assert len(page) <= limit
            if not page:
                break
            pages += page
            after = page[-1][0]
    keys = [key for key, _ in whole]
    assert len(whole) == COUNT
    assert keys == sorted(set(keys))
    assert pages == whole


@pytest.mark.parametrize("name", LISTINGS)
def test_the_newest_come_first_when_asked_for(filled: Scribe, name: str) -> None:
    listing = LISTINGS[name]
    with filled.store.snapshot() as snapshot:
        whole = list(listing(snapshot, Page(after=-1, limit=1000)))
        newest = list(listing(snapshot, Page(limit=2, newest_first=True)))
        older = list(listing(snapshot, Page(after=newest[-1][0], limit=2, newest_first=True)))
    assert newest == whole[:-3:-1]
    assert older == whole[-3:-5:-1]


@pytest.mark.parametrize("name", [*LISTINGS, *KEYED])
def test_an_empty_page_is_empty(filled: Scribe, name: str) -> None:
    listing = {**LISTINGS, **KEYED}[name]
    with filled.store.snapshot() as snapshot:
        assert list(listing(snapshot, Page(after=-1, limit=0))) == []
        assert list(listing(snapshot, Page(after=2**40, limit=10))) == []
        assert len(listing(snapshot, Page(after=-1, limit=1))) == 1


def test_records_begin_at_position_0_and_after_names_the_last_one_seen(filled: Scribe) -> None:
    with filled.store.snapshot() as snapshot:
        assert [row.position for row in snapshot.records(Page(after=-1))] == [0, 1, 2, 3, 4]
        assert [row.position for row in snapshot.records(Page(after=0))] == [1, 2, 3, 4]


def test_a_listing_keeps_to_its_spaces_states_and_session(filled: Scribe) -> None:
    with filled.writing() as rows:
        elsewhere = rows.remember("elsewhere", space=2)
        retired = rows.remember("retired", trust=Trust.RETIRED)
        rows.session("elsewhere", space=2)
        rows.turn("another session", session=78, sequence=1)
        rows.turn("no session", session=0, sequence=1)
    everything = Page(after=-1, limit=1000)
    with filled.store.snapshot() as snapshot:
        assert snapshot.memories((2,), TRUSTS, everything) == [elsewhere]
        assert snapshot.memories((1,), ["retired"], everything) == [retired]
        assert len(snapshot.memories((1, 2), ["believed"], everything)) == COUNT + 1
        assert [row.name for row in snapshot.sessions((2,), everything)] == ["elsewhere"]
        assert len(snapshot.sessions((1, 2), everything)) == COUNT + 1
        assert [one.row.text for one in snapshot.turns(78, everything)] == ["another session"]
        assert snapshot.turns(0, everything) == []


@pytest.mark.parametrize("newest_first", [False, True])
def test_turns_of_one_place_come_by_their_numbers(scribe: Scribe, newest_first: bool) -> None:
    for number in range(8):
        scribe.turn(f"version {number}", session=77, sequence=1 + number % 2)
    with scribe.store.snapshot() as snapshot:
        found = [one.row for one in snapshot.turns(77, Page(after=-1, limit=100, newest_first=newest_first))]
    places = [(row.sequence, row.n) for row in found]
    assert places == sorted(places, reverse=newest_first)
    assert len(places) == 8


def test_a_listing_of_memories_shows_newest_versions_only(filled: Scribe) -> None:
    first = filled.remember("first", space=3)
    second = filled.follow(first, "second", trust=Trust.DISPUTED)
    with filled.store.snapshot() as snapshot:
        assert snapshot.memories((3,), TRUSTS, Page()) == [second]
        assert snapshot.memories((3,), ["believed"], Page()) == []


@pytest.mark.parametrize("code", [one for one in RowCode if one not in (RowCode.LINK, RowCode.TOMBSTONE)])
def test_a_row_that_has_a_number_is_paged_by_it(filled: Scribe, code: RowCode) -> None:
    with filled.store.snapshot() as snapshot:
        rows = snapshot.sealed_rows(code, Page(after=-1, limit=1000))
        assert len(rows) >= COUNT and [key for key, _ in rows] == [sealed.row.n for _, sealed in rows]
        _, last = rows[-1]
        assert snapshot.sealed_rows(code, Page(after=last.row.n - 1, limit=1000)) == rows[-1:]


def test_a_sealed_row_carries_the_seal_it_was_given(filled: Scribe) -> None:
    with filled.store.snapshot() as snapshot:
        seals = [
            (sealed.seal.record, sealed.seal.index)
            for code in RowCode
            for _, sealed in snapshot.sealed_rows(code, Page(after=-1, limit=1000))
        ]
        entries = snapshot.records(Page(after=-1, limit=1000))
    expected = {(record.position, index) for record in entries for index in range(record.count)}
    assert len(seals) == len(expected)
    assert set(seals) == expected
