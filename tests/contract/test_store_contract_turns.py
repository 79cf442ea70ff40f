"""Do turns that are archived or rewound leave what they must, on every store alike?"""

import pytest

from muniment.domain.changes import Page, TurnsMoved
from muniment.domain.evidence import Evidence, TurnState
from muniment.domain.session import Conversation
from muniment.ports import Store
from muniment.recall.eligibility import Sort
from tests.contract.builders import MODEL, Draft, Scribe, asked, lanes, lexical, vector


def sitting(scribe: Scribe, name: str, turns: int) -> tuple[Conversation, list[Evidence]]:
    """Write a session with some turns that share a word and a vector."""
    with scribe.writing() as rows:
        session = rows.session(name)
        items = [
            rows.turn(f"common turn{number}", session=session.n, sequence=number, vector=vector(number, 1))
            for number in range(1, turns + 1)
        ]
    return session, items


def move(rows: Draft, session: Conversation, first: int, last: int, *, to: TurnState) -> None:
    rows.rows.setdefault("turns_moved", []).append(TurnsMoved(session.n, first, last, to))


def moved(scribe: Scribe, session: Conversation, first: int, last: int, *, to: TurnState) -> None:
    with scribe.writing() as rows:
        move(rows, session, first, last, to=to)


def states(store: Store, session: Conversation) -> list[str]:
    with store.snapshot() as snapshot:
        return [sealed.row.state.value for sealed in snapshot.turns(session.n, Page())]


def found(scribe: Scribe) -> set[int]:
    return lexical(scribe.store, "common", sort=Sort.EVIDENCE)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (1, 1, ["archived", "live", "live", "live"]),
        (2, 3, ["live", "archived", "archived", "live"]),
        (1, 4, ["archived"] * 4),
        (4, 9, ["live", "live", "live", "archived"]),
        (5, 9, ["live"] * 4),
        (3, 2, ["live"] * 4),
    ],
)
def test_the_turns_between_two_places_are_archived_and_no_other(
    scribe: Scribe, first: int, last: int, expected: list[str]
) -> None:
    session, items = sitting(scribe, "s-1", 4)
    moved(scribe, session, first, last, to=TurnState.ARCHIVED)
    assert states(scribe.store, session) == expected
    assert found(scribe) == {item.n for item in items}


def test_a_rewound_turn_leaves_every_lane_and_the_counts(scribe: Scribe) -> None:
    session, items = sitting(scribe, "s-1", 3)
    moved(scribe, session, 2, 3, to=TurnState.REWOUND)
    assert states(scribe.store, session) == ["live", "rewound", "rewound"]
    assert found(scribe) == {items[0].n}
    for lane in lanes(scribe.store, asked(1), sort=Sort.EVIDENCE, near=vector(1, 1)).values():
        assert lane == [items[0].n]
    with scribe.store.snapshot() as snapshot:
        counted = snapshot.statistics((1,), Sort.EVIDENCE, ("common",))
        near = snapshot.cosines([item.n for item in items], vector(1, 1), model=MODEL)
    assert (counted.items, counted.words) == (1, 2)
    assert set(near) == {items[0].n}


def test_a_rewound_turn_stays_rewound_and_an_archived_one_may_be_rewound(scribe: Scribe) -> None:
    session, items = sitting(scribe, "s-1", 3)
    moved(scribe, session, 1, 1, to=TurnState.REWOUND)
    moved(scribe, session, 1, 2, to=TurnState.ARCHIVED)
    assert states(scribe.store, session) == ["rewound", "archived", "live"]
    moved(scribe, session, 1, 2, to=TurnState.REWOUND)
    assert states(scribe.store, session) == ["rewound", "rewound", "live"]
    assert found(scribe) == {items[2].n}


def test_the_turns_of_another_session_are_left_alone(scribe: Scribe) -> None:
    one, _ = sitting(scribe, "s-1", 2)
    other, items = sitting(scribe, "s-2", 2)
    moved(scribe, one, 1, 2, to=TurnState.REWOUND)
    assert states(scribe.store, other) == ["live", "live"]
    assert found(scribe) == {item.n for item in items}


def test_a_turn_without_terms_is_rewound_like_any_other(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        session = rows.session("s-1")
        rows.turn("common", terms=(), session=session.n, sequence=1)
    moved(scribe, session, 1, 1, to=TurnState.REWOUND)
    assert states(scribe.store, session) == ["rewound"]
    with scribe.store.snapshot() as snapshot:
        assert snapshot.statistics((1,), Sort.EVIDENCE, ()).items == 0


def test_a_rebuild_leaves_rewound_turns_out_and_keeps_archived_ones(scribe: Scribe) -> None:
    session, items = sitting(scribe, "s-1", 3)
    moved(scribe, session, 1, 1, to=TurnState.REWOUND)
    moved(scribe, session, 2, 2, to=TurnState.ARCHIVED)
    with scribe.store.transaction() as transaction:
        assert transaction.rebuild(lambda text: tuple(text.split())) == 2
    assert found(scribe) == {items[1].n, items[2].n}
    with scribe.store.snapshot() as snapshot:
        assert snapshot.statistics((1,), Sort.EVIDENCE, ("common",)).items == 2


def test_a_turn_moved_in_the_transaction_that_writes_it_is_moved(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        session = rows.session("s-1")
        rows.turn("common", session=session.n, sequence=1)
        move(rows, session, 1, 1, to=TurnState.REWOUND)
    assert states(scribe.store, session) == ["rewound"]
    assert found(scribe) == set()
