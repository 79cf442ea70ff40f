"""By what does every store find a tombstone?  Digests of the whole value, anchors within a text."""

from muniment.domain.tombstone import NUMBERED, TombstoneKind
from tests.contract.builders import Scribe, anchor_of, digest


def test_a_tombstone_is_found_by_every_digest_that_is_listed_for_it(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        first, second = rows.tombstone(memory, "one"), rows.tombstone(memory, "other")
    with scribe.writing() as rows:
        rows.lift(first)
    with scribe.store.snapshot() as snapshot:
        listed = snapshot.tombstone_digests([first.id, second.id, "t_" + "0" * 26])
        kept = {one.id: anchor_of(value).packed() for one, value in ((first, "one"), (second, "other"))}
        assert listed == {one.id: tuple(sorted((*one.keys.all, kept[one.id]))) for one in (first, second)}
        assert snapshot.tombstone_digests([]) == {}


def test_an_anchor_is_found_by_its_pair_in_its_space_and_that_of_an_erased_value_everywhere(
    scribe: Scribe,
) -> None:
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        rejected = rows.tombstone(memory, "rejected", space=1)
    with scribe.store.snapshot() as snapshot:
        assert not snapshot.erased_anywhere()
    with scribe.writing() as rows:
        erased = rows.tombstone(memory, "other", space=1, kind=TombstoneKind.ERASED)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.erased_anywhere()
        for one, value, spaces in ((rejected, "rejected", [1]), (erased, "other", [1, 2])):
            anchor = anchor_of(value)
            found = [
                space for space in (1, 2) if (one.id, anchor) in snapshot.anchors_for(space, [anchor.pair])
            ]
            assert found == spaces
            assert [snapshot.any_buried(space, one.keys.all[1:]) for space in (1, 2)] == [
                space in spaces for space in (1, 2)
            ]
            assert not snapshot.any_buried(1, [digest("another")])
            assert (one.id, anchor) not in snapshot.anchors_for(1, [anchor.pair + 1, anchor.pair ^ NUMBERED])
        assert snapshot.anchors_for(1, []) == []


def test_marks_say_what_may_be_buried_and_never_deny_what_is(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        made = [rows.tombstone(memory, value) for value in ("one", "other")]
        rows.lift(made[1])
    with scribe.store.snapshot() as snapshot:
        found = snapshot.marks(1_000)
        assert found is not None
        assert found.generation == snapshot.head().generation
        assert found.hashed_pairs == {anchor_of("one").pair}
        assert found.pairs == {anchor_of("other").pair}
        assert all(found.may_hold([one]) for row in made for one in row.keys.all)
        assert not found.may_hold([digest("another")])
        assert not found.may_hold([])
        assert snapshot.marks(1) is None, "more than asked for are none at all"


def test_the_newest_tombstone_names_its_key(scribe: Scribe) -> None:
    with scribe.store.snapshot() as snapshot:
        assert snapshot.newest_tombstone_key() == 0
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        for number in (1, 2):
            rows.tombstone(memory, f"value {number}", key_id=number)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.newest_tombstone_key() == 2


def test_a_lifting_says_nothing_of_the_newest_key(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        old = rows.tombstone(memory, "old", key_id=1)
        rows.tombstone(memory, "new", key_id=2)
        rows.lift(old)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.newest_tombstone_key() == 2
