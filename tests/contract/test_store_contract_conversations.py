"""Which turns does a store find for a search in conversations?  The same on every store, in every order."""

import pytest

from muniment.domain.evidence import EvidenceKind, Role, TurnState
from muniment.domain.label import DataClass, Label
from muniment.ports import Store
from muniment.recall.turns import Order, TurnsAsked
from tests.contract.builders import MODEL, Scribe, asked


def found(store: Store, *terms: str, spaces: tuple[int, ...] = (1,), **fields: object) -> list[int]:
    """Return the sequence numbers of what is found; every test numbers its turns from 1."""
    with store.snapshot() as snapshot:
        view = snapshot.view(asked(*spaces, class_max=DataClass.PRIVATE), model=MODEL)
        return [one.sequence for one in view.turns(TurnsAsked(terms, **fields))]


def said(scribe: Scribe, *texts: str, session: int = 7, **fields: object) -> None:
    for number, text in enumerate(texts, start=1):
        scribe.turn(text, session=session, sequence=number, **fields)


def test_all_terms_have_to_be_there_or_any_as_is_asked(scribe: Scribe) -> None:
    said(scribe, "heron weir", "heron", "weir", "quay")
    assert found(scribe.store, "heron", "weir") == [1]
    assert set(found(scribe.store, "heron", "weir", every=False)) == {1, 2, 3}
    assert found(scribe.store, "heron", "otter") == []
    assert set(found(scribe.store, "heron", "otter", every=False)) == {1, 2}


def test_the_terms_of_one_turn_may_not_come_from_two_spaces(scribe: Scribe) -> None:
    scribe.turn("heron", session=7, sequence=1, space=1)
    scribe.turn("weir", session=7, sequence=2, space=2)
    scribe.turn("heron weir", session=7, sequence=3, space=2)
    assert found(scribe.store, "heron", "weir", spaces=(1, 2)) == [3]
    assert found(scribe.store, "heron", "weir", spaces=(1,)) == []
    assert found(scribe.store, "heron", "weir", spaces=()) == []


@pytest.mark.parametrize(
    ("order", "expected"), [(Order.NEWEST, [4, 3, 1]), (Order.OLDEST, [1, 3, 4]), (Order.BEST, [4, 3, 1])]
)
def test_turns_come_in_the_asked_order_and_of_equals_the_newest_first(
    scribe: Scribe, order: Order, expected: list[int]
) -> None:
    said(scribe, "heron", "quay", "heron", "heron")
    assert found(scribe.store, "heron", order=order) == expected
    assert found(scribe.store, "heron", order=order, rows_max=2) == expected[:2]
    assert found(scribe.store, "heron", order=order, rows_max=0) == []


def test_the_best_is_what_says_the_rarer_word_more_often(scribe: Scribe) -> None:
    rest = "quay boat rope mast sail"
    said(scribe, f"heron heron heron {rest}", f"heron otter eel {rest}", *[f"weir otter eel {rest}"] * 8)
    assert found(scribe.store, "heron", order=Order.BEST) == [1, 2]


def test_without_terms_every_turn_is_found_the_newest_first(scribe: Scribe) -> None:
    said(scribe, "heron", "weir")
    scribe.turn("printed", session=7, sequence=3, terms=(), role=Role.TOOL_RESULT)
    assert found(scribe.store) == [3, 2, 1]
    assert found(scribe.store, rows_max=1) == [3]


@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize(
    "hidden",
    [
        {"state": TurnState.REWOUND},
        {"label": Label(DataClass.SECRET)},
        {"space": 2},
        {"session": 0, "sequence": 0},
        {"role": Role.SYSTEM},
    ],
    ids=["rewound", "too secret", "another space", "of no session", "another role"],
)
def test_what_may_not_be_seen_is_not_found_in_any_order(
    scribe: Scribe, order: Order, hidden: dict[str, object]
) -> None:
    scribe.turn("heron", session=7, sequence=1)
    scribe.turn("heron", **{"session": 7, "sequence": 2, **hidden})
    roles = tuple(role for role in Role if role is not Role.SYSTEM)
    assert found(scribe.store, "heron", order=order, roles=roles) == [1]
    assert found(scribe.store, order=order, roles=roles) == [1]


@pytest.mark.parametrize("order", list(Order))
def test_sessions_are_looked_in_or_left_out_by_number(scribe: Scribe, order: Order) -> None:
    for session in (7, 8, 9):
        scribe.turn("heron", session=session, sequence=session)
    assert set(found(scribe.store, "heron", order=order, sessions=(7, 9))) == {7, 9}
    assert set(found(scribe.store, "heron", order=order, without=(7, 9))) == {8}
    assert found(scribe.store, "heron", order=order, sessions=(7,), without=(7,)) == []
    assert set(found(scribe.store, "heron", order=order)) == {7, 8, 9}
    assert set(found(scribe.store, without=(8,))) == {7, 9}


@pytest.mark.parametrize("order", list(Order))
def test_of_the_session_that_asks_only_what_left_its_context_is_found(scribe: Scribe, order: Order) -> None:
    scribe.turn("heron", session=7, sequence=1, state=TurnState.ARCHIVED)
    scribe.turn("heron", session=7, sequence=2)
    scribe.turn("heron", session=8, sequence=3)
    assert set(found(scribe.store, "heron", order=order, live_of=7)) == {1, 3}
    assert set(found(scribe.store, "heron", order=order)) == {1, 2, 3}


def test_notes_and_documents_are_no_turns_of_a_session(scribe: Scribe) -> None:
    scribe.turn("heron", kind=EvidenceKind.NOTE)
    scribe.turn("heron", kind=EvidenceKind.DOCUMENT)
    scribe.turn("heron", session=7, sequence=1)
    assert found(scribe.store, "heron") == [1]
    assert found(scribe.store) == [1]


def test_a_thousand_better_turns_that_may_not_be_seen_hide_none_that_may(scribe: Scribe) -> None:
    scribe.turn("heron by the weir", session=7, sequence=1)
    with scribe.writing() as rows:
        for number in range(1_000):
            rows.turn("heron heron", session=8, sequence=number + 2, label=Label(DataClass.SECRET))
    for order in Order:
        assert found(scribe.store, "heron", order=order, rows_max=4) == [1]


@pytest.mark.parametrize("term", ['heron" OR "weir', "heron AND", "(heron", "heron*", "{1,2}", "", "-heron"])
def test_a_term_is_never_syntax(scribe: Scribe, term: str) -> None:
    said(scribe, "heron", "weir")
    assert found(scribe.store, term) == []
    assert found(scribe.store, term, every=False) == []
    assert found(scribe.store, "heron") == [1]


def test_what_a_session_has_read_is_its_turns_and_the_answers_served_to_it(scribe: Scribe) -> None:
    public, secret = Label(DataClass.PUBLIC), Label(DataClass.SECRET)
    outside = Label(DataClass.PRIVATE, untrusted=True)
    with scribe.writing() as rows:
        here, there, new = rows.session("chat"), rows.session("other"), rows.session("new")
        rows.turn("one", session=here.n, sequence=1, label=public)
        rows.turn("two", session=here.n, sequence=2, label=public)
        rows.turn("three", session=there.n, sequence=1, label=secret)
        rows.turn("four", label=secret)
        rows.recall("what did the page say?", session=here.n, label=outside)
        rows.recall("and who asks?", label=secret)
    with scribe.store.snapshot() as snapshot:
        read = {session.name: snapshot.labels_read(session.n) for session in (here, there, new)}
        assert snapshot.labels_read(0) == []
    assert sorted(read["chat"], key=str) == sorted([public, outside], key=str)
    assert (read["other"], read["new"]) == ([secret], [])
