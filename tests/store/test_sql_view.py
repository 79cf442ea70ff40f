"""Does a view say exactly what is eligible, and ask the database for no more than it needs?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from muniment.domain.evidence import EvidenceKind
from muniment.domain.label import DataClass, Label
from muniment.domain.memory import Kind
from muniment.domain.trust import LIVE, Trust
from muniment.ports import Store
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.turns import TurnsAsked
from muniment.store.codec import Columns, Value, trust_numbers
from muniment.store.sql_view import EVERY, SqlView, mask
from tests.contract.builders import FIRST_HEAD, MODEL, Scribe, asked, lexical, vector
from tests.contract.conftest import STORES


class Noting:
    """Note which statements are run with which values, and answer with given rows."""

    def __init__(self, *answers: list[Columns]) -> None:
        self.asked: list[tuple[str, dict[str, Value]]] = []
        self._answers = iter(answers)
        self.vectors_loaded = 0

    def run(self, name: str, /, **values: Value) -> list[Columns]:
        self.asked.append((name, values))
        return next(self._answers, [])

    def put(self, name: str, values: Sequence[object]) -> None:
        raise AssertionError("a view changes nothing")

    put_many = put

    def begin(self, *, writing: bool) -> None:
        raise AssertionError("a view begins nothing")

    commit = roll_back = close = begin

    def load_vectors(self) -> None:
        self.vectors_loaded += 1

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


def view(session: Noting, eligibility: Eligibility, *, model: int = 1, match: str = "match") -> SqlView:
    return SqlView(
        session, tenant=1, eligibility=eligibility, matching=lambda spaces, sort, terms: match, model=model
    )


def test_a_mask_has_a_bit_for_each_number_and_none_for_what_is_unknown() -> None:
    assert mask([0, 1]) == 0b11
    assert mask([3, -1]) == 0b1000
    assert mask([-1]) == mask([]) == 0
    assert all(EVERY >> number & 1 for number in range(16))


@pytest.mark.parametrize(
    ("eligibility", "terms", "rows_max", "match"),
    [
        (asked(1), (), 10, "match"),
        (asked(1), ("a",), 0, "match"),
        (asked(1), ("a",), -1, "match"),
        (replace(asked(1), spaces=()), ("a",), 10, "match"),
        (asked(1, sorts=(Sort.EVIDENCE,)), ("a",), 10, "match"),
        (asked(1), ("'",), 10, ""),
    ],
    ids=["no terms", "no rows", "fewer than none", "no space", "no such sort", "no term that is kept"],
)
def test_nothing_is_asked_when_nothing_can_be_found_by_words(
    eligibility: Eligibility, terms: tuple[str, ...], rows_max: int, match: str
) -> None:
    session = Noting()
    assert view(session, eligibility, match=match).lexical(terms, Sort.MEMORY, rows_max=rows_max) == []
    assert session.asked == []


@pytest.mark.parametrize(
    ("eligibility", "near", "rows_max", "model"),
    [
        (asked(1), b"", 10, 1),
        (asked(1), b"v", 0, 1),
        (asked(1), b"v", 10, 0),
        (asked(1, sorts=(Sort.EVIDENCE,)), b"v", 10, 1),
    ],
    ids=["no vector", "no rows", "no model", "no such sort"],
)
def test_nothing_is_compared_and_nothing_loaded_when_nothing_can_be_near(
    eligibility: Eligibility, near: bytes, rows_max: int, model: int
) -> None:
    session = Noting()
    found = view(session, eligibility, model=model).nearest(near, Sort.MEMORY, rows_max=rows_max)
    assert (found, session.asked, session.vectors_loaded) == ([], [], 0)


def test_the_vector_functions_are_loaded_before_they_are_asked_for() -> None:
    session = Noting()
    view(session, asked(1)).nearest(b"v", Sort.MEMORY, rows_max=3)
    assert session.vectors_loaded == 1
    assert set(session.names) == {"nearest_memories"}


def row(n: int) -> Columns:
    return (n, 1, b"\x00a", 1, 1, 20, 1, 0, 0, "", 0)


def test_a_full_answer_of_the_best_few_is_not_asked_again() -> None:
    session = Noting([row(1), row(2)])
    assert len(view(session, asked(1)).lexical(("a",), Sort.MEMORY, rows_max=2)) == 2
    assert [values["looked_at"] for _, values in session.asked] == [4]


def test_a_short_answer_is_asked_again_over_all_rows() -> None:
    """Otherwise an eligible row behind many others would be missed (I7)."""
    session = Noting([row(1)], [row(1), row(9)])
    assert [one.n for one in view(session, asked(1)).lexical(("a",), Sort.MEMORY, rows_max=2)] == [1, 9]
    assert [values["looked_at"] for _, values in session.asked] == [4, -1]


@pytest.mark.parametrize(
    ("eligibility", "sort", "names"),
    [
        (asked(1), Sort.MEMORY, {"lexical_memories"}),
        (asked(1, then=True), Sort.MEMORY, {"lexical_memories_then_live", "lexical_memories_then_past"}),
        (asked(1, then=True, withheld_only=True), Sort.MEMORY, {"lexical_memories_then_past"}),
        (asked(1), Sort.EVIDENCE, {"lexical_evidence"}),
        (asked(1, then=True), Sort.EVIDENCE, {"lexical_evidence"}),
    ],
)
def test_each_question_by_words_asks_the_shelves_that_can_answer(
    eligibility: Eligibility, sort: Sort, names: set[str]
) -> None:
    session = Noting()
    view(session, eligibility).lexical(("a",), sort, rows_max=1)
    assert set(session.names) == names


@pytest.mark.parametrize("then", [False, True])
def test_each_other_door_asks_for_now_or_then(then: bool) -> None:
    session = Noting()
    looked = view(session, asked(1, then=then))
    looked.recent(Sort.MEMORY, rows_max=1)
    looked.recent(Sort.EVIDENCE, rows_max=1)
    looked.linked(("m_" + "0" * 26,), rows_max=1)
    looked.nearest(b"v", Sort.MEMORY, rows_max=1)
    suffix = "_then" if then else ""
    assert set(session.names) == {
        f"recent_memories{suffix}",
        "recent_evidence",
        f"linked_memories{suffix}",
        f"nearest_memories{suffix}",
    }


def test_nothing_is_linked_to_nothing() -> None:
    session = Noting()
    assert view(session, asked(1)).linked((), rows_max=5) == []
    assert session.asked == []


def test_a_negative_bound_asks_for_no_row_and_not_for_all() -> None:
    """SQLite reads a negative limit as none."""
    session = Noting()
    looked = view(session, asked(1))
    looked.recent(Sort.MEMORY, rows_max=-5)
    looked.recent(Sort.EVIDENCE, rows_max=-5)
    looked.linked(("m_" + "0" * 26,), rows_max=-5)
    assert [values["rows_max"] for _, values in session.asked] == [0, 0, 0]


def test_every_predicate_of_the_eligibility_reaches_the_statement() -> None:
    session = Noting()
    eligibility = asked(
        3, 4, class_max=DataClass.PRIVATE, known_at=77, tags=("größe",), kinds=("fact", "turn"),
        any_interval=True, show_expired=True,
    )  # fmt: skip
    view(session, eligibility).recent(Sort.MEMORY, rows_max=5)
    ((_, values),) = session.asked
    assert values["spaces"] == "[3, 4]"
    assert values["class_max"] == int(DataClass.PRIVATE)
    assert (values["known_at"], values["as_of"]) == (77, eligibility.as_of)
    assert values["tags"] == '["größe"]'
    assert (values["any_interval"], values["show_expired"]) == (1, 1)
    assert values["trust_mask"] == mask(trust_numbers(sorted(LIVE)))
    assert values["kind_mask"] == 1
    assert values["tenant"] == 1


def test_without_a_filter_every_kind_passes_and_with_an_unknown_one_none() -> None:
    session = Noting()
    view(session, asked(1)).recent(Sort.MEMORY, rows_max=5)
    view(session, asked(1, kinds=("turn",))).recent(Sort.MEMORY, rows_max=5)
    assert [values["kind_mask"] for _, values in session.asked] == [EVERY, 0]


@pytest.fixture(params=sorted(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = STORES[request.param](tmp_path, FIRST_HEAD, "local")
    yield made
    made.close()


@pytest.fixture
def scribe(store: Store) -> Scribe:
    return Scribe(store)


def test_an_eligible_row_behind_hundreds_of_others_is_found(store: Store, scribe: Scribe) -> None:
    """A filter after the limit would never see it (I7)."""
    with scribe.writing() as rows:
        for number in range(300):
            rows.remember(
                f"harbour {number}", label=Label(DataClass.SECRET), vector=vector(100, number % 100)
            )
    wanted = scribe.remember("a harbour among many other words that make it weak", vector=vector(0, 0, 100))
    narrow = asked(1, class_max=DataClass.PRIVATE)
    with store.snapshot() as snapshot:
        looked = snapshot.view(narrow, model=MODEL)
        assert [one.n for one in looked.lexical(("harbour",), Sort.MEMORY, rows_max=1)] == [wanted.n]
        assert [one.n for one in looked.nearest(vector(100, 1), Sort.MEMORY, rows_max=1)] == [wanted.n]
        assert [one.n for one in looked.recent(Sort.MEMORY, rows_max=1)] == [wanted.n]
        wide = snapshot.view(asked(1), model=MODEL)
        assert wide.lexical(("harbour",), Sort.MEMORY, rows_max=1)[0].n != wanted.n


@pytest.mark.parametrize("trust", list(Trust))
def test_a_row_of_each_trust_is_found_exactly_when_it_is_asked_for(
    store: Store, scribe: Scribe, trust: Trust
) -> None:
    first = scribe.remember("harbour", trust=Trust.CANDIDATE)
    row = scribe.follow(first, trust=trust)
    assert lexical(store, "harbour", trusts=(trust,), then=True, show_rejected=True) == {row.n}
    others = tuple(each for each in Trust if each is not trust)
    assert lexical(store, "harbour", trusts=others, then=True, show_rejected=True) == set()


@pytest.mark.parametrize("kind", list(Kind))
def test_a_filter_of_kinds_lets_that_kind_through_alone(store: Store, scribe: Scribe, kind: Kind) -> None:
    other = Kind.FACT if kind is not Kind.FACT else Kind.TASK
    rows = {each: scribe.remember(f"harbour {each.value}", kind=each).n for each in (kind, other)}
    assert lexical(store, "harbour", kinds=(kind.value,)) == {rows[kind]}
    assert lexical(store, "harbour") == set(rows.values())


@pytest.mark.parametrize("kind", list(EvidenceKind))
def test_a_filter_of_sources_lets_that_sort_of_evidence_through_alone(
    store: Store, scribe: Scribe, kind: EvidenceKind
) -> None:
    rows = {each: scribe.turn(f"harbour {each.value}", kind=each).n for each in EvidenceKind}
    assert lexical(store, "harbour", sort=Sort.EVIDENCE, kinds=(kind.value,)) == {rows[kind]}


def test_a_memory_without_words_counts_none_when_it_is_shelved(store: Store, scribe: Scribe) -> None:
    """Counting one word out that never was in shifts every strength of its space."""
    wordless = scribe.remember("!!!", terms=())
    scribe.remember("harbour")

    def words() -> int:
        with store.snapshot() as snapshot:
            return snapshot.statistics((1,), Sort.MEMORY, ("harbour",)).words

    assert words() == 1
    scribe.follow(wordless, "???", terms=())
    assert words() == 1
    scribe.follow(scribe.remember("ferry dawn"), "ferry")
    assert words() == 2


@pytest.mark.parametrize(
    ("first", "looks"),
    [
        # The last column says how many were looked at; twenty are at most.
        ([(1, 5, 1, 0, 1)], 1),
        ([(number, 5, 1, 0, 19) for number in range(9)], 1),
        ([(number, 5, 1, 0, 20) for number in range(9)], 2),
        ([(number, 5, 1, 0, 20) for number in range(10)], 1),
        ([], 2),
    ],
    ids=["all of one", "all but one of the most", "maybe more", "a full page", "none that may be seen"],
)
def test_a_second_look_for_turns_is_taken_only_where_more_may_be_there(
    first: list[Columns], looks: int
) -> None:
    session = Noting(first, [(7, 5, 2, 1, 40)])
    found = view(session, asked(1)).turns(TurnsAsked(("a",), rows_max=10))
    assert session.names == ["turns_best"] * looks
    assert [values["looked_at"] for _, values in session.asked] == [20, -1][:looks]
    assert [one.n for one in found] == ([7] if looks == 2 else [row[0] for row in first])
