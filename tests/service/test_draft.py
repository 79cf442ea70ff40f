"""Do the rows of one act land together, sealed to one record, at a moment that never steps back? (I5, I8)"""

from dataclasses import replace
from datetime import timedelta

import pytest

from muniment import limits
from muniment.domain import rows as canonical
from muniment.domain.changes import Page
from muniment.domain.label import PRIVATE
from muniment.domain.ledger import SALT_BYTES, Entry, RowCode, commitment
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.rows import RecallRow
from muniment.errors import BadInput, MunimentError, OtherAnalyser, Tampered
from muniment.service.draft import Draft, numbered_id
from muniment.service.ground import Ground, head_mac
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, micros, stored


def begun(vault: Vault, transaction: object) -> Draft:
    return Draft.begun(vault.ground, transaction)


def counts(vault: Vault) -> dict[str, int]:
    with vault.ground.store.snapshot() as snapshot:
        return dict(snapshot.counts())


def someone(name: str = "ada", role: ActorRole = ActorRole.AGENT) -> Principal:
    return Principal("local", name, role, home="home")


def recalled(draft: Draft, query: str = "ferry") -> RecallRow:
    return RecallRow(draft.number(), draft.recorded, 0, 1, query, "found", PRIVATE, ())


def test_everything_of_a_draft_lands_together(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        draft.space("acme/eng")
        draft.actor(someone())
        draft.add_recall(recalled(draft))
        assert draft.commit("recall", answers=1) == 0
    found = counts(vault)
    assert (found["space"], found["actor"], found["recall_log"], found["record"]) == (1, 1, 1, 1)


def test_a_draft_that_is_not_committed_leaves_nothing(vault: Vault) -> None:
    before = counts(vault)
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        draft.space("acme/eng")
        draft.add_recall(recalled(draft))
    assert counts(vault) == before


def test_a_draft_whose_transaction_fails_leaves_nothing(vault: Vault) -> None:
    before = counts(vault)
    with pytest.raises(ZeroDivisionError), vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        draft.add_recall(recalled(draft))
        draft.commit("recall", answers=1)
        raise ZeroDivisionError
    assert counts(vault) == before
    stored(vault.remember("and the next act lands"))


def test_every_row_is_sealed_to_the_one_record(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        rows = [recalled(draft, f"question {number}") for number in range(3)]
        for row in rows:
            draft.add_recall(row)
        draft.commit("recall", answers=3)
    seals = [sealed.seal for sealed in draft.recalls]
    assert [seal.index for seal in seals] == [0, 1, 2]
    assert {seal.record for seal in seals} == {0}
    assert len({seal.salt for seal in seals}) == 3, "the same row twice is not seen to be the same"
    with vault.ground.store.snapshot() as snapshot:
        (record,) = snapshot.records(Page(-1, 10))
        assert record.count == 3
        entries = snapshot.entries_of(seals)
    for row, seal, entry in zip(rows, seals, entries, strict=True):
        expected = commitment(vault.ground.vault_key, seal.salt, canonical.recall_bytes(row))
        assert entry == Entry(RowCode.RECALL, numbered_id(row.n), expected).packed()
        assert len(seal.salt) == SALT_BYTES


def test_a_row_number_is_never_given_twice(vault: Vault) -> None:
    seen = []
    for _ in range(3):
        with vault.ground.store.transaction() as transaction:
            draft = begun(vault, transaction)
            seen += [draft.number() for _ in range(4)]
            draft.commit("recall", answers=0)
    assert seen == list(range(seen[0], seen[0] + 12))


def test_numbers_of_a_draft_that_was_given_up_are_given_again(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        first = begun(vault, transaction).number()
    with vault.ground.store.transaction() as transaction:
        assert begun(vault, transaction).number() == first


def test_each_act_is_recorded_after_the_one_before_though_the_clock_stands_still(
    vault: Vault, clock: FakeClock
) -> None:
    for number in range(5):
        stored(vault.remember(f"Fact number {number}"))
    moments = [row.recorded for row in vault.log(newest_first=False)]
    assert all(
        later - earlier == timedelta(microseconds=1)
        for earlier, later in zip(moments, moments[1:], strict=False)
    )
    assert moments[0] == clock.now()


def test_a_clock_that_steps_back_never_takes_the_log_with_it(vault: Vault, clock: FakeClock) -> None:
    stored(vault.remember("Before"))
    before = vault.log(limit=1)[0].recorded
    clock.step_back(days=400)
    stored(vault.remember("After"))
    assert vault.log(limit=1)[0].recorded == before + timedelta(microseconds=1)
    clock.advance(days=500)
    stored(vault.remember("Later"))
    assert vault.log(limit=1)[0].recorded == clock.now()


def test_a_space_and_an_actor_are_made_once(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        assert draft.space("acme/eng") is draft.space("acme/eng")
        assert draft.actor(someone()) == draft.actor(someone())
        draft.commit("recall", answers=0)
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        draft.space("acme/eng")
        draft.actor(someone())
        assert (draft.spaces, draft.actors) == ([], [])


def test_one_name_in_two_roles_is_two_actors(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        assert draft.actor(someone()) != draft.actor(someone(role=ActorRole.OWNER))


@pytest.mark.parametrize("name", ["", "   ", "x" * (limits.name_characters_max + 1)])
def test_an_actor_without_a_proper_name_is_not_made(vault: Vault, name: str) -> None:
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        with pytest.raises(BadInput):
            draft.actor(replace(someone(), actor=name))
        assert draft.actor(someone("x" * limits.name_characters_max))


def test_a_vault_that_cannot_write_begins_nothing(vault: Vault) -> None:
    ground = vault.ground
    blind = Ground(
        ground.store, replace(ground.outside, writable=False, why_read_only="Its keys are gone."), "local"
    )
    with ground.store.transaction() as transaction, pytest.raises(MunimentError, match="Its keys are gone"):
        Draft.begun(blind, transaction)


def test_an_index_of_another_analyser_is_not_written_to(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        head = replace(transaction.head(), analyser="a0:older")
        transaction.set_analyser(replace(head, mac=head_mac(vault.ground.vault_key, head)))
    with vault.ground.store.transaction() as transaction, pytest.raises(OtherAnalyser):
        begun(vault, transaction)


@pytest.mark.parametrize(
    "changed",
    [{"size": 5}, {"generation": 3}, {"recorded": 0}, {"next_n": 1}, {"epoch": 2}, {"vault": "ff" * 16}],
)
def test_nothing_is_written_onto_a_head_that_was_altered(vault: Vault, changed: dict[str, object]) -> None:
    with vault.ground.store.transaction() as transaction:
        transaction.set_analyser(replace(transaction.head(), **changed))
    with vault.ground.store.transaction() as transaction, pytest.raises(Tampered):
        begun(vault, transaction)


def test_the_head_names_the_record_and_is_sealed_anew(vault: Vault) -> None:
    with vault.ground.store.snapshot() as snapshot:
        before = snapshot.head()
    stored(vault.remember("The ferry leaves at dawn"))
    with vault.ground.store.snapshot() as snapshot:
        after = snapshot.head()
    assert (after.size, after.recorded) == (1, micros(vault.log(limit=1)[0].recorded))
    assert after.next_n > before.next_n
    assert after.root != before.root
    assert after.mac == head_mac(vault.ground.vault_key, after) != before.mac


def test_a_record_takes_codes_and_counts(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        draft.commit("reindex", outcome="stored", items=3, is_whole=True, nothing=None)
    row = vault.log(limit=1)[0]
    assert row.act == "reindex"
    assert (row.fields["outcome"], row.fields["items"]) == ("stored", 3)
    assert row.rows == 0


def test_a_row_without_a_vector_asks_for_one_in_the_same_transaction(world: World) -> None:
    vault = world.vault
    with vault.ground.store.transaction() as transaction:
        draft = begun(vault, transaction)
        draft.want_vector(17)
        draft.commit("remember", items=0)
    with vault.ground.store.snapshot() as snapshot:
        (job,) = snapshot.jobs()
    assert (job.kind, job.target, job.due) == ("embed", 17, micros(draft.recorded))


def test_two_drafts_of_one_transaction_are_two_records(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        first = begun(vault, transaction)
        first.commit("recall", answers=0)
        second = begun(vault, transaction)
        assert second.commit("recall", answers=0) == 1
        assert second.recorded > first.recorded
    assert vault.verify().findings == ()


def test_what_a_draft_wrote_is_proven(vault: Vault) -> None:
    stored(vault.remember("The ferry leaves at dawn", evidence=[], tags=["sea"]))
    vault.session("s-1").append("user", "When?")
    vault.session("s-1").recall("ferry")
    report = vault.verify()
    assert report.findings == ()
    assert report.rows > 5


def test_a_stale_draft_cannot_land_on_a_log_that_has_moved_on(world: World) -> None:
    """A draft is begun under the lock; one that was kept too long is refused, not mixed in."""
    vault = world.vault
    with vault.ground.store.transaction() as transaction:
        old = begun(vault, transaction)
    stored(vault.remember("Meanwhile"))
    with pytest.raises((MunimentError, ValueError)), vault.ground.store.transaction() as transaction:
        stale = replace(old, transaction=transaction)
        stale.add_recall(recalled(stale))
        stale.commit("recall", answers=1)
    assert vault.verify().findings == ()
