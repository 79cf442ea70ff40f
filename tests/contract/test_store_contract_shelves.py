"""Where does a row lie, and what moves it?  Live and past shelf, both times, and a rebuild."""

from dataclasses import replace

import pytest

from muniment.domain.changes import Page
from muniment.domain.evidence import TurnState
from muniment.domain.memory import Claim, Version
from muniment.domain.timeline import to_micros
from muniment.domain.trust import LIVE, Trust
from muniment.recall.eligibility import Sort
from tests.contract import histories
from tests.contract.builders import MODEL, START, Scribe, asked, lanes, lexical, vector, words
from tests.contract.histories import History

EVERY_TRUST = tuple(Trust)
WITHHELD = [trust for trust in Trust if trust not in LIVE]


def known_at(version: Version) -> int:
    return to_micros(version.recorded)


@pytest.mark.parametrize("trust", list(Trust))
def test_only_believed_and_candidate_memories_lie_on_the_live_shelf(scribe: Scribe, trust: Trust) -> None:
    version = scribe.remember("common", trust=trust)
    live = {version.n} if trust in LIVE else set()
    assert lexical(scribe.store, "common", trusts=EVERY_TRUST) == live
    assert lexical(scribe.store, "common", trusts=EVERY_TRUST, then=True, show_rejected=True) == {version.n}
    with scribe.store.snapshot() as snapshot:
        assert snapshot.statistics((1,), Sort.MEMORY, ("common",)).items == len(live)


def test_a_revised_memory_is_found_by_its_new_words_only(scribe: Scribe) -> None:
    first = scribe.remember("common old")
    assert lexical(scribe.store, "old") == {first.n}
    second = scribe.follow(first, "common new")
    assert lexical(scribe.store, "old") == set()
    assert lexical(scribe.store, "new") == {second.n}
    assert lexical(scribe.store, "common") == {second.n}
    assert lexical(scribe.store, "old", then=True, known_at=known_at(first)) == {first.n}


@pytest.mark.parametrize("trust", WITHHELD)
def test_a_memory_leaves_the_live_shelf_and_comes_back_when_revived(scribe: Scribe, trust: Trust) -> None:
    first = scribe.remember("common", vector=vector(1, 2))
    withheld = scribe.follow(first, trust=trust)
    assert lexical(scribe.store, "common", trusts=EVERY_TRUST) == set()
    with scribe.store.snapshot() as snapshot:
        gone = snapshot.statistics((1,), Sort.MEMORY, ("common",))
        assert snapshot.cosines([first.n, withheld.n], vector(1, 2), model=MODEL) == {}
    revived = scribe.follow(withheld, trust=Trust.BELIEVED, vector=vector(1, 2))
    assert lexical(scribe.store, "common", trusts=EVERY_TRUST) == {revived.n}
    with scribe.store.snapshot() as snapshot:
        back = snapshot.statistics((1,), Sort.MEMORY, ("common",))
        assert set(snapshot.cosines([first.n, withheld.n, revived.n], vector(1, 2), model=MODEL)) == {
            revived.n
        }
    assert (gone.items, gone.words, back.items, back.words) == (0, 0, 1, 1)


def test_two_versions_of_one_memory_may_land_together(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        first = rows.remember("common one")
        second = rows.follow(first, "common two")
    assert lexical(scribe.store, "common") == {second.n}
    with scribe.store.snapshot() as snapshot:
        assert [sealed.row for sealed in snapshot.history(first.memory)] == [first, second]
        assert snapshot.statistics((1,), Sort.MEMORY, ("one", "two")).items == 1


def test_a_memory_that_moves_to_another_space_is_counted_there(scribe: Scribe) -> None:
    first = scribe.remember("common", vector=vector(1))
    second = scribe.follow(first, space=2, vector=vector(1))
    assert lexical(scribe.store, "common", 1) == set()
    assert lexical(scribe.store, "common", 2) == {second.n}
    with scribe.store.snapshot() as snapshot:
        assert snapshot.statistics((1,), Sort.MEMORY, ("common",)).items == 0
        assert snapshot.statistics((2,), Sort.MEMORY, ("common",)).items == 1
        nearest = snapshot.view(asked(1, 2), model=MODEL).nearest(vector(1), Sort.MEMORY, rows_max=9)
    assert [one.n for one in nearest] == [second.n]


def test_evidence_is_found_unless_it_was_rewound_or_has_no_terms(scribe: Scribe) -> None:
    states = {state: scribe.turn("common", state=state, vector=vector(1)).n for state in TurnState}
    bare = scribe.turn("common", terms=(), vector=vector(1))
    expected = {states[TurnState.LIVE], states[TurnState.ARCHIVED]}
    found = lanes(scribe.store, asked(), sort=Sort.EVIDENCE, near=vector(1))
    assert {lane: set(ns) for lane, ns in found.items()} == dict.fromkeys(found, expected)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.statistics((1,), Sort.EVIDENCE, ("common",)).items == 2
        assert len(snapshot.evidence_at([*states.values(), bare.n])) == 4


def test_the_past_is_read_as_it_was_known(scribe: Scribe) -> None:
    first = scribe.remember("common one")
    second = scribe.follow(first, "common two")
    third = scribe.follow(second, "common three", trust=Trust.RETIRED)
    before = known_at(first) - 1
    seen = {
        moment: lexical(scribe.store, "common", then=True, known_at=moment)
        for moment in (before, known_at(first), known_at(second) - 1, known_at(second), known_at(third))
    }
    assert list(seen.values()) == [set(), {first.n}, {first.n}, {second.n}, set()]
    retired = lexical(scribe.store, "common", then=True, known_at=known_at(third), trusts=(Trust.RETIRED,))
    assert retired == {third.n}


def test_the_past_is_judged_by_the_trust_of_then(scribe: Scribe) -> None:
    first = scribe.remember("common", trust=Trust.DISPUTED)
    second = scribe.follow(first, trust=Trust.BELIEVED)
    then = {"then": True, "known_at": known_at(first)}
    assert lexical(scribe.store, "common", **then) == set()
    assert lexical(scribe.store, "common", **then, trusts=(Trust.DISPUTED,)) == {first.n}
    assert lexical(scribe.store, "common", then=True) == {second.n}


def test_what_is_rejected_now_is_withheld_at_every_moment(scribe: Scribe) -> None:
    first = scribe.remember("common")
    other = scribe.remember("common")
    scribe.follow(first, trust=Trust.REJECTED)
    scribe.follow(other, trust=Trust.RETIRED)
    then = {"then": True, "known_at": known_at(other)}
    assert lexical(scribe.store, "common", **then) == {other.n}
    assert lexical(scribe.store, "common", **then, show_rejected=True) == {first.n, other.n}


def test_a_memory_whose_rejection_was_lifted_is_shown_in_the_past_again(scribe: Scribe) -> None:
    first = scribe.remember("common")
    rejected = scribe.follow(first, trust=Trust.REJECTED)
    assert lexical(scribe.store, "common", then=True, known_at=known_at(first)) == set()
    scribe.follow(rejected, trust=Trust.CANDIDATE)
    assert lexical(scribe.store, "common", then=True, known_at=known_at(first)) == {first.n}


def test_statistics_count_the_live_shelf_of_each_space_and_sort(scribe: Scribe) -> None:
    scribe.remember("a a b")
    scribe.remember("b c", space=2)
    scribe.follow(scribe.remember("a b c d e"), "a")
    scribe.turn("a b b")
    with scribe.store.snapshot() as snapshot:
        here = snapshot.statistics((1,), Sort.MEMORY, ("a", "b", "c", "none"))
        both = snapshot.statistics((1, 2), Sort.MEMORY, ("a", "b", "c"))
        evidence = snapshot.statistics((1,), Sort.EVIDENCE, ("a", "b"))
        nowhere = snapshot.statistics((3,), Sort.MEMORY, ("a",))
    assert (here.items, here.words) == (2, 4)
    assert {term: here.rows_with.get(term, 0) for term in ("a", "b", "c", "none")} == {
        "a": 2, "b": 1, "c": 0, "none": 0,
    }  # fmt: skip
    assert (both.items, both.words, both.rows_with.get("b"), both.rows_with.get("c")) == (3, 6, 2, 1)
    assert (evidence.items, evidence.words, evidence.rows_with.get("b")) == (1, 3, 1)
    assert (nowhere.items, nowhere.words, nowhere.rows_with.get("a", 0)) == (0, 0, 0)


def test_the_index_kept_step_by_step_is_the_index_of_a_rebuild(scribe: Scribe) -> None:
    history = History(20260105)
    for _ in range(60):
        act, undone = history.step()
        histories.done(scribe.store, act, undone=undone)

    def everything() -> list[object]:
        with scribe.store.snapshot() as snapshot:
            indexed = [histories.reads(snapshot, history.known)]
            for then in (False, True):
                eligibility = asked(
                    1, 2, 3, then=then, trusts=EVERY_TRUST, any_interval=True, show_expired=True
                )
                indexed.append(histories.candidates(snapshot, eligibility, history.known))
        return indexed

    before = everything()
    with scribe.store.transaction() as transaction:
        assert transaction.rebuild(words) > 0
    assert everything() == before


def test_a_rebuild_takes_the_terms_of_the_new_analyser(scribe: Scribe) -> None:
    claim = Claim("text", "about", "attribute", "value")
    first = scribe.remember("", claim=claim, tags=("tag",))
    second = scribe.follow(first, claim=replace(claim, text="newer"))
    item, bare = scribe.turn("text", speaker="Ada"), scribe.turn("text", terms=())

    def reversed_words(text: str) -> tuple[str, ...]:
        return tuple(word[::-1] for word in words(text))

    head = replace(scribe.draft().head, analyser="reversed/1")
    with scribe.store.transaction() as transaction:
        assert transaction.rebuild(reversed_words) == 3
        transaction.set_analyser(head)
    for term in ("rewen", "tuoba", "etubirtta", "eulav", "gat"):
        assert lexical(scribe.store, term) == {second.n}, term
    assert lexical(scribe.store, "newer") == set()
    assert lexical(scribe.store, "txet", then=True, known_at=known_at(first)) == {first.n}
    assert lexical(scribe.store, "txet", sort=Sort.EVIDENCE) == {item.n}
    assert lexical(scribe.store, "ada"[::-1], sort=Sort.EVIDENCE) == set()
    with scribe.store.snapshot() as snapshot:
        assert snapshot.head() == head
        assert snapshot.evidence_at([bare.n])[0].row == bare
        assert snapshot.statistics((1,), Sort.MEMORY, ("rewen",)).rows_with.get("rewen") == 1


def test_a_store_writes_on_after_a_rebuild(scribe: Scribe) -> None:
    first = scribe.remember("common old")
    with scribe.store.transaction() as transaction:
        transaction.rebuild(lambda text: (*words(text), "added"))
    second = scribe.follow(first, "common new")
    assert lexical(scribe.store, "old") == set()
    assert lexical(scribe.store, "added") == set()
    assert lexical(scribe.store, "new") == {second.n}
    with scribe.store.snapshot() as snapshot:
        counted = snapshot.statistics((1,), Sort.MEMORY, ("common", "added"))
    assert (counted.items, counted.words, counted.rows_with.get("common")) == (1, 2, 1)


def test_a_vector_belongs_to_one_model_and_one_live_row(scribe: Scribe) -> None:
    version, item = scribe.remember("one"), scribe.turn("two")
    old = scribe.remember("three")
    newest = scribe.follow(old)
    bare, rewound = scribe.turn("four", terms=()), scribe.turn("five", state=TurnState.REWOUND)
    ns = [version.n, item.n, old.n, newest.n, bare.n, rewound.n]
    with scribe.store.transaction() as transaction:
        waiting = dict(transaction.unembedded(MODEL, Page()))
        for n in ns:
            transaction.set_vector(n, vector(3, 4), model=MODEL)
        transaction.set_vector(item.n, vector(5), model="other/2")
    assert waiting == {version.n: "one", item.n: "two", newest.n: "three"}
    with scribe.store.transaction() as transaction:
        assert set(transaction.cosines(ns, vector(3, 4), model=MODEL)) == {version.n, newest.n}
        assert set(transaction.cosines(ns, vector(3, 4), model="other/2")) == {item.n}
        assert transaction.cosines([], vector(3, 4), model=MODEL) == {}
        assert [n for n, _ in transaction.unembedded(MODEL, Page())] == [item.n]
        other = sorted([version.n, newest.n])
        assert [n for n, _ in transaction.unembedded("other/2", Page())] == other
        assert [n for n, _ in transaction.unembedded("other/2", Page(limit=1))] == other[:1]
        assert [n for n, _ in transaction.unembedded("other/2", Page(after=other[0]))] == other[1:]


def test_a_rebuild_leaves_vectors_alone(scribe: Scribe) -> None:
    version = scribe.remember("one", vector=vector(1))
    with scribe.store.transaction() as transaction:
        transaction.rebuild(words)
        assert set(transaction.cosines([version.n], vector(1), model=MODEL)) == {version.n}


def test_times_of_a_candidate_are_those_of_its_row(scribe: Scribe) -> None:
    version = scribe.remember("common")
    plain = scribe.turn("common")
    dated = scribe.turn("common", occurred_at=START)
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(asked(), model=MODEL)
        memory = view.recent(Sort.MEMORY, rows_max=1)[0]
        evidence = {one.n: one for one in view.recent(Sort.EVIDENCE, rows_max=2)}
    assert (memory.recorded, memory.moment) == (known_at(version), to_micros(version.valid.start))
    assert evidence[plain.n].moment == to_micros(plain.recorded)
    assert evidence[dated.n].moment == to_micros(START)
    assert evidence[dated.n].recorded == to_micros(dated.recorded)
