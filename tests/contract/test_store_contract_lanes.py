"""What does each lane propose, in which order, and what does a candidate carry?"""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from muniment.domain.changes import Page
from muniment.domain.evidence import Role
from muniment.domain.label import DataClass, Label
from muniment.domain.timeline import to_micros
from muniment.domain.trust import Rank, Trust
from muniment.ports import Store
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import Candidate
from tests.contract.builders import FIRST_HEAD, MODEL, Scribe, asked, digest, lexical, vector

TERMS = (
    "or", "and", "not", "near", "null", "snake_case", "a/b/c.py", "x@y.org", "c++", "c#", "r&d", "1.2.3",
    "naïve", "naive", "東", "東京", "ไท", "🦊", "ß", "ss", "-x", "$5", "a:b",
)  # fmt: skip
HOSTILE = (
    '"',
    "'",
    '" OR "a',
    "a*",
    "^a",
    "live:a",
    "NEAR(a b)",
    "a AND b",
    "(",
    ")",
    "%",
    "",
    " ",
    "\\",
    "a;",
)


def memories(store: Store, eligibility: Eligibility, *, near: bytes = b"") -> list[Candidate]:
    with store.snapshot() as snapshot:
        view = snapshot.view(eligibility, model=MODEL)
        return (
            view.nearest(near, Sort.MEMORY, rows_max=100) if near else view.recent(Sort.MEMORY, rows_max=100)
        )


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_found_exactly_and_only_by_itself(scribe: Scribe, term: str) -> None:
    rows = {one: scribe.remember(one, terms=(one, "filler")).n for one in TERMS}
    assert lexical(scribe.store, term) == {rows[term]}


@pytest.mark.parametrize("term", HOSTILE)
def test_an_operator_in_a_question_is_a_word_like_any_other(scribe: Scribe, term: str) -> None:
    version = scribe.remember("a b or and near")
    assert lexical(scribe.store, term) == set()
    with scribe.store.snapshot() as snapshot:
        both = snapshot.view(asked(), model=MODEL).lexical((term, "near"), Sort.MEMORY, rows_max=9)
        assert snapshot.statistics((1,), Sort.MEMORY, (term,)).rows_with.get(term, 0) == 0
    assert [one.n for one in both] == [version.n]


def test_a_row_holding_any_of_the_terms_is_proposed_and_more_terms_come_first(scribe: Scribe) -> None:
    one = scribe.remember("red filler")
    both = scribe.remember("red blue")
    other = scribe.remember("blue filler")
    none = scribe.remember("filler filler")
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(), model=MODEL)
        found = [row.n for row in view.lexical(("red", "blue"), Sort.MEMORY, rows_max=10)]
        best = view.lexical(("red", "blue"), Sort.MEMORY, rows_max=1)
        assert view.lexical((), Sort.MEMORY, rows_max=10) == []
        assert view.lexical(("red",), Sort.MEMORY, rows_max=0) == []
    assert found[0] == both.n
    assert sorted(found) == [one.n, both.n, other.n]
    assert none.n not in found
    assert [row.n for row in best] == [both.n]


def test_a_rare_term_weighs_more_and_a_long_row_less(scribe: Scribe) -> None:
    for _ in range(6):
        scribe.remember("frequent other")
    rare = scribe.remember("rare other")
    long = scribe.remember("rare " + "filler " * 60)
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(), model=MODEL)
        found = [row.n for row in view.lexical(("rare", "frequent"), Sort.MEMORY, rows_max=10)]
    assert found[0] == rare.n
    assert long.n in found


def test_the_sorts_do_not_meet_in_the_lexical_lane(scribe: Scribe) -> None:
    version, item = scribe.remember("common"), scribe.turn("common")
    assert lexical(scribe.store, "common") == {version.n}
    assert lexical(scribe.store, "common", sort=Sort.EVIDENCE) == {item.n}


def test_terms_of_other_spaces_with_like_numbers_are_not_met(scribe: Scribe) -> None:
    rows = {space: scribe.remember("common", space=space).n for space in (1, 11, 111, 2)}
    for space, n in rows.items():
        assert lexical(scribe.store, "common", space) == {n}
    assert lexical(scribe.store, "common", 1, 2) == {rows[1], rows[2]}


def test_a_row_with_many_terms_comes_back_with_all_of_them(scribe: Scribe) -> None:
    """Long term lists may be kept compressed; a candidate shows them as they were."""
    terms = tuple(f"word{number % 900}é" for number in range(3000))
    version = scribe.remember("long", terms=terms)
    with scribe.store.snapshot() as snapshot:
        found = snapshot.view(asked(), model=MODEL).lexical(("word899é",), Sort.MEMORY, rows_max=2)
    assert [(one.n, one.length) for one in found] == [(version.n, 3000)]
    assert found[0].terms == "".join(f" {term} " for term in terms)


def test_a_memory_without_terms_is_still_recent(scribe: Scribe) -> None:
    version = scribe.remember("...", terms=(), vector=vector(1))
    found = memories(scribe.store, asked())
    assert [(one.n, one.length, one.terms.strip()) for one in found] == [(version.n, 0, "")]
    assert [one.n for one in memories(scribe.store, asked(), near=vector(1))] == [version.n]


def test_a_candidate_carries_what_the_scorer_needs(scribe: Scribe) -> None:
    tainted = Label(DataClass.PRIVATE, untrusted=True)
    version = scribe.remember(
        "Port 8091 port", trust=Trust.CANDIDATE, rank=Rank.LIVE, label=tainted, space=3, session=4
    )
    item = scribe.turn("port", role=Role.TOOL_RESULT, speaker="Ada", space=3, session=4)
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(3), model=MODEL)
        memory = view.lexical(("port",), Sort.MEMORY, rows_max=1)[0]
        evidence = view.lexical(("port",), Sort.EVIDENCE, rows_max=1)[0]
    assert memory._replace(session=0) == Candidate(
        n=version.n,
        sort=Sort.MEMORY,
        space=3,
        terms=" port  8091  port ",
        length=3,
        recorded=to_micros(version.recorded),
        moment=to_micros(version.valid.start),
        rank=40,
        trust=Trust.CANDIDATE,
        untrusted=True,
    )
    assert evidence == Candidate(
        n=item.n,
        sort=Sort.EVIDENCE,
        space=3,
        terms=" port ",
        length=1,
        recorded=to_micros(item.recorded),
        moment=to_micros(item.recorded),
        role="tool_result",
        speaker="Ada",
        session=4,
    )


def test_a_candidate_of_the_past_shows_the_trust_of_then(scribe: Scribe) -> None:
    first = scribe.remember("common", trust=Trust.CANDIDATE)
    scribe.follow(first, trust=Trust.BELIEVED)
    found = memories(scribe.store, asked(then=True, known_at=to_micros(first.recorded)))
    assert [(one.n, one.trust) for one in found] == [(first.n, Trust.CANDIDATE)]
    assert [one.trust for one in memories(scribe.store, asked())] == [Trust.BELIEVED]


def test_the_nearest_come_by_cosine_not_by_length(scribe: Scribe) -> None:
    small = scribe.remember("small", vector=vector(1, 1))
    large = scribe.remember("large", vector=vector(100, 60))
    opposite = scribe.remember("opposite", vector=vector(-100, -100))
    across = scribe.remember("across", vector=vector(1, -1))
    scribe.remember("without")
    found = memories(scribe.store, asked(), near=vector(50, 50))
    assert [one.n for one in found] == [small.n, large.n, across.n, opposite.n]
    expected = [1.0, 160 / math.sqrt(2 * 13600), 0.0, -1.0]
    assert [one.cosine for one in found] == pytest.approx(expected, abs=1e-4)


def test_extreme_lanes_do_not_overflow(scribe: Scribe) -> None:
    low, high = bytes([0x80] * 16), bytes([0x7F] * 16)
    rows = [scribe.remember("low", vector=low), scribe.remember("high", vector=high)]
    found = memories(scribe.store, asked(), near=low)
    assert [one.n for one in found] == [row.n for row in rows]
    assert [one.cosine for one in found] == pytest.approx([1.0, -1.0], abs=1e-4)


def test_equally_near_and_equally_recent_rows_come_newest_number_first(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        made = [rows.remember("same", vector=vector(3, 4)).n for _ in range(5)]
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(), model=MODEL)
        nearest = [one.n for one in view.nearest(vector(3, 4), Sort.MEMORY, rows_max=3)]
        recent = [one.n for one in view.recent(Sort.MEMORY, rows_max=3)]
    assert nearest == recent == made[:-4:-1]


def test_a_vector_of_another_model_is_never_compared(scribe: Scribe) -> None:
    version = scribe.remember("common", vector=vector(1))
    with scribe.store.snapshot() as snapshot:
        for model, found in ((MODEL, [version.n]), ("other/2", []), ("", [])):
            view = snapshot.view(asked(), model=model)
            assert [one.n for one in view.nearest(vector(1), Sort.MEMORY, rows_max=9)] == found
            assert list(snapshot.cosines([version.n], vector(1), model=model)) == found


def two_tenants(make: Callable[..., Store]) -> dict[str, Scribe]:
    """Return who writes to each of two tenants, whose row numbers never meet."""
    return {
        name: Scribe(make(replace(FIRST_HEAD, vault=name, next_n=(number << 40) + 1), name))
        for number, name in ((1, "acme"), (2, "blue"))
    }


def test_near_identical_vectors_of_two_spaces_and_two_tenants_never_mix(make: Callable[..., Store]) -> None:
    """A space's number is a row number, so it is another in each tenant."""
    scribes, rows, spaces = two_tenants(make), {}, {}
    for name, scribe in scribes.items():
        with scribe.writing() as draft:
            spaces[name] = [draft.space(path).n for path in ("one", "two")]
        for space in spaces[name]:
            near = vector(100, 99 - space % 2)
            rows[space] = scribe.remember(f"common {name}", space=space, vector=near).n
    every_space, every_row = tuple(rows), list(rows.values())
    for name, scribe in scribes.items():
        own = {rows[space] for space in spaces[name]}
        for space in spaces[name]:
            for near in (vector(100, 99), vector(100, 98)):
                found = memories(scribe.store, asked(space), near=near)
                assert [one.n for one in found] == [rows[space]]
            assert lexical(scribe.store, "common", space) == {rows[space]}
        assert {one.n for one in memories(scribe.store, asked(*every_space), near=vector(1, 1))} == own
        assert {one.n for one in memories(scribe.store, asked(*every_space))} == own
        assert lexical(scribe.store, "common", *every_space) == own
        with scribe.store.snapshot() as snapshot:
            counted = snapshot.statistics(spaces[name], Sort.MEMORY, ("common", "acme", "blue"))
            assert (counted.items, counted.words) == (2, 4)
            met = {term: counted.rows_with.get(term, 0) for term in ("common", "acme", "blue")}
            assert met == {"common": 2, "acme": 0, "blue": 0} | {name: 2}
            assert set(snapshot.cosines(every_row, vector(1), model=MODEL)) == own
            assert {sealed.row.n for sealed in snapshot.versions_at(every_row)} == own
            assert snapshot.counts()["version"] == 2


def test_a_tenant_is_never_shown_rows_of_another_under_the_same_space_number(
    make: Callable[..., Store],
) -> None:
    for name, scribe in (scribes := two_tenants(make)).items():
        with scribe.writing() as rows:
            a, b = rows.remember(f"common {name}", vector=vector(1)), rows.remember("b")
            rows.link(a.memory, b.memory)
            rows.turn(f"common {name}", vector=vector(1), session=5, sequence=1, origin=b"same")
            rows.tombstone(a.memory, name)
    for name, scribe in scribes.items():
        other = next(one for one in scribes if one != name)
        assert len(lexical(scribe.store, "common")) == 1
        assert lexical(scribe.store, other) == lexical(scribe.store, other, sort=Sort.EVIDENCE) == set()
        assert len(memories(scribe.store, asked(), near=vector(1))) == 1
        assert len(memories(scribe.store, asked(then=True))) == 2
        with scribe.store.snapshot() as snapshot:
            assert len(snapshot.turns(5, Page())) == 1
            assert len(snapshot.known_origins([b"same"])) == 1
            assert snapshot.tombstones_for(1, [digest(other)]) == []
            assert len(snapshot.tombstones_for(1, [digest(name)])) == 1
            assert len(snapshot.records(Page(after=-1))) == 1


def test_a_rebuild_of_one_tenant_leaves_the_others_alone(make: Callable[..., Store]) -> None:
    scribes, firsts = two_tenants(make), {}
    for name, scribe in scribes.items():
        firsts[name] = scribe.remember("common old")
        scribe.follow(firsts[name], "common new")
        scribe.turn("common")
    with scribes["acme"].store.transaction() as transaction:
        assert transaction.rebuild(lambda text: ("rebuilt",)) == 3
    assert len(lexical(scribes["acme"].store, "rebuilt")) == 1
    assert lexical(scribes["acme"].store, "common") == set()
    blue, past = scribes["blue"].store, to_micros(firsts["blue"].recorded)
    assert lexical(blue, "rebuilt") == set()
    for sort in Sort:
        assert len(lexical(blue, "common", sort=sort)) == 1
    assert lexical(blue, "old", then=True, known_at=past) == {firsts["blue"].n}


def test_recent_rows_come_newest_first(scribe: Scribe) -> None:
    made = [scribe.remember("one").n for _ in range(4)]
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(), model=MODEL)
        assert [one.n for one in view.recent(Sort.MEMORY, rows_max=10)] == made[::-1]
        assert [one.n for one in view.recent(Sort.MEMORY, rows_max=2)] == made[:-3:-1]
        assert view.recent(Sort.MEMORY, rows_max=0) == []
        assert view.recent(Sort.EVIDENCE, rows_max=10) == []


def test_linked_memories_lie_one_link_away_in_either_direction(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        a, b, c, d, e = (rows.remember(name) for name in "abcde")
        item = rows.turn("source")
        rows.link(a.memory, b.memory)
        rows.link(c.memory, a.memory)
        rows.link(c.memory, d.memory)
        rows.link(a.memory, item.id)
        rows.link(item.id, e.memory)
        rows.link(a.memory, a.memory)
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(), model=MODEL)

        def beside(*ids: str, rows_max: int = 10) -> list[int]:
            return [one.n for one in view.linked(ids, rows_max=rows_max)]

        assert beside(a.memory) == [c.n, b.n]
        assert beside(a.memory, rows_max=1) == [c.n]
        assert beside(a.memory, c.memory) == [d.n, b.n]
        assert beside(item.id) == [e.n, a.n]
        assert beside() == []
        assert beside("m_" + "0" * 26) == []


def test_a_link_leads_to_the_memory_not_to_the_version_it_was_made_with(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        a, b = rows.remember("a"), rows.remember("b")
        rows.link(a.memory, b.memory)
    newer = scribe.follow(b, "b again")
    with scribe.store.snapshot() as snapshot:
        now = snapshot.view(asked(), model=MODEL).linked((a.memory,), rows_max=5)
        past = asked(then=True, known_at=to_micros(b.recorded))
        before = snapshot.view(past, model=MODEL).linked((a.memory,), rows_max=5)
    assert [one.n for one in now] == [newer.n]
    assert [one.n for one in before] == [b.n]


def test_a_lane_proposes_each_row_once(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        a, b = rows.remember("red red blue"), rows.remember("b")
        for _ in range(3):
            rows.link(a.memory, b.memory)
            rows.link(b.memory, a.memory)
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(1, 1), model=MODEL)
        assert [one.n for one in view.lexical(("red", "blue", "red"), Sort.MEMORY, rows_max=9)] == [a.n]
        assert [one.n for one in view.linked((a.memory, a.memory), rows_max=9)] == [b.n]
        assert snapshot.statistics((1, 1), Sort.MEMORY, ("red", "red")).items == 2
