"""Does every store let rows go the same way, with all that hangs on them, and keep what is put back?"""

from dataclasses import replace

import pytest

from muniment.domain.changes import Gone, NewTombstone, NewVersion, Page, Sealed
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Version
from muniment.domain.timeline import to_micros
from muniment.domain.trust import Trust
from muniment.recall.eligibility import Sort
from tests.contract.builders import MODEL, Draft, Scribe, asked, digest, lanes, lexical, vector, words
from tests.contract.histories import UndoneError

EVERY = Page(after=-1, limit=1000)
EVERY_TRUST = tuple(Trust)


def gone(scribe: Scribe, *rows: Gone) -> None:
    """Take rows away in a transaction of their own."""
    with scribe.writing() as draft:
        for row in rows:
            draft.go(row)


def version_gone(version: Version) -> Gone:
    return Gone(RowCode.VERSION, n=version.n)


def counts(scribe: Scribe) -> dict[str, int]:
    with scribe.store.snapshot() as snapshot:
        return dict(snapshot.counts())


def test_a_memory_that_goes_is_nowhere_any_more(scribe: Scribe) -> None:
    kept = scribe.remember("common kept", vector=vector(1, 2))
    version = scribe.remember("common gone", vector=vector(1, 3))
    gone(scribe, version_gone(version))
    assert lexical(scribe.store, "gone") == set()
    assert lexical(scribe.store, "common") == {kept.n}
    found = lanes(scribe.store, asked(), near=vector(1, 2))
    assert found == {"lexical": [kept.n], "recent": [kept.n], "nearest": [kept.n]}
    with scribe.store.snapshot() as snapshot:
        assert snapshot.currents((version.memory,)) == []
        assert snapshot.history(version.memory) == []
        assert snapshot.head_seals((version.memory,)) == []
        assert snapshot.versions_at((version.n,)) == []
        assert snapshot.odd_heads(10) == []
        assert snapshot.same_value(1, version.digests.value) == []
        assert [one.row.n for _, one in snapshot.sealed_rows(RowCode.VERSION, EVERY)] == [kept.n]
        counted = snapshot.statistics((1,), Sort.MEMORY, ("common", "gone"))
        assert (counted.items, counted.words) == (1, 2)
        assert {term: rows for term, rows in counted.rows_with.items() if rows} == {"common": 1}


def test_every_state_of_a_memory_goes_from_both_shelves(scribe: Scribe) -> None:
    first = scribe.remember("common old")
    second = scribe.follow(first, "common new")
    assert lexical(scribe.store, "old", then=True, known_at=to_micros(first.recorded)) == {first.n}
    gone(scribe, version_gone(first), version_gone(second))
    for term in ("old", "new", "common"):
        assert lexical(scribe.store, term) == set()
        assert lexical(scribe.store, term, then=True, show_rejected=True, trusts=EVERY_TRUST) == set()
    assert (counts(scribe)["version"], counts(scribe)["memory"]) == (0, 0)


def test_an_older_state_goes_and_the_newest_goes_on(scribe: Scribe) -> None:
    first = scribe.remember("common old")
    second = scribe.follow(first, "common new")
    gone(scribe, version_gone(first))
    assert lexical(scribe.store, "common") == {second.n}
    assert lexical(scribe.store, "old", then=True, known_at=to_micros(first.recorded)) == set()
    third = scribe.follow(second, "common newest")
    with scribe.store.snapshot() as snapshot:
        assert [one.row.number for one in snapshot.history(first.memory)] == [2, 3]
        assert [one.version.n for one in snapshot.currents((first.memory,))] == [third.n]
        assert snapshot.odd_heads(10) == []


@pytest.mark.parametrize("trust", list(Trust))
def test_a_memory_goes_in_whatever_state_it_is(scribe: Scribe, trust: Trust) -> None:
    version = scribe.remember("common", trust=trust)
    gone(scribe, version_gone(version))
    assert lexical(scribe.store, "common", trusts=EVERY_TRUST, then=True, show_rejected=True) == set()
    with scribe.store.snapshot() as snapshot:
        assert snapshot.memories((1,), [one.value for one in Trust], EVERY) == []
        assert not snapshot.withheld_in((1,))
        assert snapshot.statistics((1,), Sort.MEMORY, ("common",)).items == 0


def again(draft: Draft, version: Version, *, past: bool, **fields: object) -> Version:
    """Put a state back under its number."""
    row = replace(version, n=draft.n(), **fields)
    seal = draft.seal(RowCode.VERSION, version.memory)
    draft._add_version(row, terms=None, vector=b"")
    new = draft.rows["versions"].pop()
    assert isinstance(new, NewVersion)
    draft.rows["versions"].append(replace(new, seal=seal, past=past))
    return row


def test_an_older_state_comes_back_without_a_part(scribe: Scribe) -> None:
    first = scribe.remember("common old", reason="a reason")
    second = scribe.follow(first, "common new")
    with scribe.writing() as draft:
        draft.go(version_gone(first))
        back = again(draft, first, past=True, reason="")
    with scribe.store.snapshot() as snapshot:
        history = [(one.row.number, one.row.n, one.row.reason) for one in snapshot.history(first.memory)]
        assert history == [(1, back.n, ""), (2, second.n, second.reason)]
        assert [one.version.n for one in snapshot.currents((first.memory,))] == [second.n]
        assert snapshot.odd_heads(10) == []
    assert lexical(scribe.store, "old") == set()
    assert lexical(scribe.store, "old", then=True, known_at=to_micros(first.recorded)) == {back.n}
    assert lexical(scribe.store, "common") == {second.n}


def test_the_newest_state_comes_back_with_its_memorys_head(scribe: Scribe) -> None:
    first = scribe.remember("common old")
    second = scribe.follow(first, "common new", reason="a reason")
    with scribe.writing() as draft:
        draft.go(version_gone(second))
        back = again(draft, second, past=False, reason="")
    assert lexical(scribe.store, "new") == {back.n}
    with scribe.store.snapshot() as snapshot:
        assert [one.version for one in snapshot.currents((first.memory,))] == [back]
        assert snapshot.odd_heads(10) == []
        counted = snapshot.statistics((1,), Sort.MEMORY, ())
        assert (counted.items, counted.words) == (1, 2)
    third = scribe.follow(back, "common newest")
    assert lexical(scribe.store, "common") == {third.n}


def test_an_item_that_goes_is_nowhere_any_more(scribe: Scribe) -> None:
    kept = scribe.turn("common kept", session=7, sequence=1)
    item = scribe.turn("common gone", session=7, sequence=2, origin=digest("o"), vector=vector(3))
    gone(scribe, Gone(RowCode.EVIDENCE, n=item.n))
    assert lexical(scribe.store, "common", sort=Sort.EVIDENCE) == {kept.n}
    with scribe.store.snapshot() as snapshot:
        assert snapshot.evidence((item.id,)) == []
        assert snapshot.evidence_at((item.n,)) == []
        assert [one.row.id for one in snapshot.turns(7, EVERY)] == [kept.id]
        assert snapshot.known_origins((item.origin,)) == {}
        assert snapshot.cosines([item.n], vector(3), model=MODEL) == {}
        assert snapshot.statistics((1,), Sort.EVIDENCE, ()).items == 1


def test_an_item_comes_back_under_its_id_with_other_words(scribe: Scribe) -> None:
    item = scribe.turn("common secret", session=7, sequence=2, origin=digest("o"))
    with scribe.writing() as draft:
        draft.go(Gone(RowCode.EVIDENCE, n=item.n))
        back = draft.turn("common [erased]", id=item.id, session=7, sequence=2, origin=digest("o"))
    assert lexical(scribe.store, "secret", sort=Sort.EVIDENCE) == set()
    assert lexical(scribe.store, "common", sort=Sort.EVIDENCE) == {back.n}
    with scribe.store.snapshot() as snapshot:
        assert [one.row.text for one in snapshot.evidence((item.id,))] == ["common [erased]"]
        assert snapshot.known_origins((digest("o"),)) == {digest("o"): item.id}


def test_the_origin_of_an_erased_item_is_known_and_has_no_id(scribe: Scribe) -> None:
    item = scribe.turn("common", origin=digest("o"))
    with scribe.store.snapshot() as snapshot:
        ((_, sealed),) = snapshot.sealed_rows(RowCode.EVIDENCE, EVERY)
    with scribe.writing() as draft:
        draft.go(Gone(RowCode.EVIDENCE, n=item.n))
        stub = draft.stub(item, sealed.seal)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.known_origins((digest("o"), digest("p"))) == {digest("o"): ""}
        assert [one.row for _, one in snapshot.sealed_rows(RowCode.STUB, EVERY)] == [stub]


def test_jobs_of_a_row_go_with_it_and_others_stay(scribe: Scribe) -> None:
    one, two = scribe.remember("common one"), scribe.remember("common two")
    with scribe.writing() as draft:
        draft.job("embed", due=0, target=one.n)
        other = draft.job("embed", due=0, target=two.n)
    gone(scribe, version_gone(one))
    with scribe.store.snapshot() as snapshot:
        assert [job.n for job in snapshot.jobs()] == [other.n]


def test_rows_beside_go_one_by_one(scribe: Scribe) -> None:
    memory = scribe.remember("common").memory
    with scribe.writing() as draft:
        links = [draft.link(memory, memory) for _ in range(2)]
        sessions = [draft.session(name) for name in ("one", "two")]
        recalls = [draft.recall(query) for query in ("one", "two")]
        actors = [draft.actor(name) for name in ("one", "two")]
        matters = [draft.matter() for _ in range(2)]
    gone(
        scribe,
        Gone(RowCode.LINK, id=links[0].id),
        Gone(RowCode.SESSION, n=sessions[0].n),
        Gone(RowCode.RECALL, n=recalls[0].n),
        Gone(RowCode.ACTOR, n=actors[0].n),
        Gone(RowCode.MATTER, n=matters[0].n),
    )
    with scribe.store.snapshot() as snapshot:
        assert [one.row for one in snapshot.links_of((memory,))] == [links[1]]
        assert snapshot.sessions((1,), EVERY) == [sessions[1]]
        assert snapshot.recalls(EVERY) == [recalls[1]]
        assert snapshot.actors() == (actors[1],)
        assert [one.row for _, one in snapshot.sealed_rows(RowCode.MATTER, EVERY)] == [matters[1]]


def test_rows_that_others_name_come_back_under_their_number(scribe: Scribe) -> None:
    with scribe.writing() as draft:
        session, actor, matter = draft.session("one"), draft.actor("one"), draft.matter(reason="so")
    with scribe.writing() as draft:
        for code, row in ((RowCode.SESSION, session), (RowCode.ACTOR, actor), (RowCode.MATTER, matter)):
            draft.go(Gone(code, n=row.n))
        draft._add("sessions", Sealed(replace(session, title="[erased]"), draft.seal(RowCode.SESSION)))
        draft._add("actors", Sealed(replace(actor, name="[erased]"), draft.seal(RowCode.ACTOR)))
        draft._add("matters", Sealed(replace(matter, reason=""), draft.seal(RowCode.MATTER)))
    with scribe.store.snapshot() as snapshot:
        assert [one.title for one in snapshot.sessions_at((session.n,))] == ["[erased]"]
        assert [one.name for one in snapshot.actors()] == ["[erased]"]
        assert [(one.n, one.reason) for one in snapshot.matters((matter.id,))] == [(matter.n, "")]


def test_a_space_and_a_key_come_back_under_their_number_and_other_names(scribe: Scribe) -> None:
    with scribe.writing() as draft:
        space, other, key = draft.space("acme/one"), draft.space("acme/two"), draft.credential("one")
    with scribe.writing() as draft:
        draft.go(Gone(RowCode.SPACE, n=space.n))
        draft.go(Gone(RowCode.CREDENTIAL, n=key.n))
        draft._add("spaces", Sealed(replace(space, path="acme/[erased]"), draft.seal(RowCode.SPACE)))
        draft._add("credentials", Sealed(replace(key, actor="[erased]"), draft.seal(RowCode.CREDENTIAL)))
    with scribe.store.snapshot() as snapshot:
        found = {row.n: row.path for row in snapshot.spaces()}
        assert (found[space.n], found[other.n]) == ("acme/[erased]", "acme/two")
        assert [one.row.actor for one in snapshot.credential(key.public_id)] == ["[erased]"]
    gone(scribe, Gone(RowCode.SPACE, n=other.n), Gone(RowCode.CREDENTIAL, n=key.n))
    with scribe.store.snapshot() as snapshot:
        assert other.n not in {row.n for row in snapshot.spaces()}
        assert snapshot.credential(key.public_id) == []


def test_a_tombstone_comes_back_without_its_reason_and_is_still_found(scribe: Scribe) -> None:
    memory = scribe.remember("common").memory
    with scribe.writing() as draft:
        tombstone = draft.tombstone(memory, "value", reason="it names somebody")
    with scribe.writing() as draft:
        draft.go(Gone(RowCode.TOMBSTONE, id=tombstone.id))
        row = replace(tombstone, reason="[erased]")
        draft._add("tombstones", NewTombstone(row, draft.seal(RowCode.TOMBSTONE, row.id), ()))
    with scribe.store.snapshot() as snapshot:
        assert [one.reason for one in snapshot.tombstones_for(1, tombstone.keys.all)] == ["[erased]"]
        assert set(snapshot.tombstone_digests((row.id,))[row.id]) >= set(tombstone.keys.all)


def test_what_is_not_there_is_passed_over(scribe: Scribe) -> None:
    version = scribe.remember("common")
    before = counts(scribe)
    gone(
        scribe,
        Gone(RowCode.VERSION, n=version.n + 99),
        Gone(RowCode.EVIDENCE, n=version.n + 99),
        Gone(RowCode.LINK, id=scribe.draft().id("l")),
        Gone(RowCode.SESSION, n=version.n + 99),
    )
    after = counts(scribe)
    assert after.pop("record") == before.pop("record") + 1
    assert after == before
    assert lexical(scribe.store, "common") == {version.n}


def test_an_erasure_that_is_undone_took_nothing(scribe: Scribe) -> None:
    version = scribe.remember("common", vector=vector(1))
    item = scribe.turn("common")
    before = counts(scribe)
    draft = scribe.draft()
    draft.go(version_gone(version))
    draft.go(Gone(RowCode.EVIDENCE, n=item.n))
    with pytest.raises(UndoneError), scribe.store.transaction() as transaction:
        transaction.apply(draft.changes())
        assert transaction.currents((version.memory,)) == []
        raise UndoneError
    assert counts(scribe) == before
    assert lexical(scribe.store, "common") == {version.n}
    assert lexical(scribe.store, "common", sort=Sort.EVIDENCE) == {item.n}


def test_a_rebuild_after_an_erasure_brings_nothing_back(scribe: Scribe) -> None:
    version, kept = scribe.remember("common gone"), scribe.remember("common kept")
    gone(scribe, version_gone(version))
    with scribe.store.transaction() as transaction:
        transaction.rebuild(words)
    assert lexical(scribe.store, "gone") == set()
    assert lexical(scribe.store, "common") == {kept.n}
