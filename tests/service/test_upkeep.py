"""What do status, doctor, log, checkpoint and a new epoch say, and to whom?"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.changes import Job, Page
from muniment.domain.checkpoint import parsed
from muniment.domain.timeline import to_micros
from muniment.errors import BadInput, MunimentError, Refusal, RolledBack
from muniment.service import upkeep
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.upkeep import Check
from muniment.service.vault import Vault
from tests.builders import FakeClock, FlakyEmbedder, World, acts, stored

MakeVault = Callable[..., Vault]
TEXT = "The ferry leaves at dawn"


def check(vault: Vault, name: str) -> Check:
    (found,) = (each for each in vault.doctor() if each.name == name)
    return found


def with_outside(vault: Vault, **changed: object) -> Ground:
    ground = vault.ground
    return Ground(ground.store, replace(ground.outside, **changed), ground.tenant)


def test_an_empty_vault_has_a_status(vault: Vault) -> None:
    found = vault.status()
    assert (found.records, found.witnessed, found.epoch) == (0, 0, 1)
    assert set(found.counts.values()) == {0}
    assert found.writable
    assert found.embedder == "off"


def test_status_counts_rows_and_records(vault: Vault) -> None:
    first = stored(vault.remember(TEXT))
    stored(vault.revise(first.id, text="The ferry leaves at noon", reason="it moved"))
    vault.session("s-1").append("user", "When?")
    vault.checkpoint()
    found = vault.status()
    assert found.records == found.witnessed
    assert found.counts["version"] == 2
    assert found.counts["evidence"] == 1
    assert found.counts["session"] == 1
    assert len(found.root) == 64


def test_status_names_the_embedder(make_vault: MakeVault) -> None:
    assert make_vault(embedder=FlakyEmbedder("letters/7")).status().embedder == "letters/7"


def test_a_vault_in_good_health_says_so_check_by_check(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    checks = vault.doctor()
    names = [each.name for each in checks]
    assert names[:10] == [
        "log", "index", "analyser", "embedder", "judge", "jobs", "waiting", "keys", "files", "blocks",
    ]  # fmt: skip
    # A store that keeps files of its own looks them over too.
    assert names[10:-1] in ([], ["neighbours"], ["full text", "file", "terms", "wal", "reserve"])
    assert names[-1] == "kept"
    assert all(each.well for each in checks), checks
    assert all(each.sentence.endswith(".") for each in checks)


def test_doctor_finds_an_altered_head(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    with vault.ground.store.transaction() as transaction:
        transaction.set_analyser(replace(transaction.head(), size=transaction.head().size, generation=7))
    assert not check(vault, "log").well
    assert check(vault, "index").well, "each check is done, whatever another finds"


def test_doctor_finds_an_index_of_another_analyser(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    with vault.ground.store.transaction() as transaction:
        head = replace(transaction.head(), analyser="a0:older")
        transaction.set_analyser(replace(head, mac=upkeep.head_mac(vault.ground.vault_key, head)))
    found = check(vault, "analyser")
    assert not found.well and "reindex" in found.sentence
    with pytest.raises(MunimentError) as caught:
        vault.remember("anything")
    assert caught.value.code == "other-analyser"
    assert vault.reindex() == 1
    assert check(vault, "analyser").well
    stored(vault.remember("anything"))


@pytest.mark.parametrize(("mode", "is_well"), [("well", True), ("raises", False), ("empty", False)])
def test_doctor_asks_the_embedder(make_vault: MakeVault, mode: str, is_well: bool) -> None:
    embedder = FlakyEmbedder()
    vault = make_vault(embedder=embedder)
    embedder.mode = mode
    assert check(vault, "embedder").well is is_well


def test_an_embedder_that_is_off_is_no_fault(vault: Vault) -> None:
    assert check(vault, "embedder") == Check("embedder", True, "Off; memories are found by words only.")


def test_doctor_counts_jobs_and_names_those_given_up(vault: Vault) -> None:
    with vault.ground.store.transaction() as transaction:
        draft = Draft.begun(vault.ground, transaction)
        due = to_micros(draft.recorded)
        draft.jobs.append(Job(draft.number(), "embed", 5, due))
        draft.jobs.append(
            Job(draft.number(), "embed", 6, due, attempts=limits.job_attempts_max, error="OSError")
        )
        draft.commit("take", items=0)
    found = check(vault, "jobs")
    assert not found.well
    assert "1 of 2" in found.sentence and "OSError" in found.sentence


def test_doctor_says_why_a_vault_takes_no_writes(vault: Vault) -> None:
    ground = with_outside(vault, writable=False, why_read_only="The keys are missing.")
    (found,) = (each for each in upkeep.doctor(ground) if each.name == "keys")
    assert found == Check("keys", False, "The keys are missing.")
    assert check(vault, "keys").well


def test_the_log_is_read_from_either_end(vault: Vault) -> None:
    for number in range(5):
        stored(vault.remember(f"Fact number {number}"))
    forward = vault.log(newest_first=False)
    assert [row.position for row in forward] == [0, 1, 2, 3, 4]
    assert [row.position for row in vault.log()] == [4, 3, 2, 1, 0]
    assert [row.act for row in forward] == ["remember"] * 5


def test_the_log_is_read_page_by_page(vault: Vault) -> None:
    for number in range(5):
        stored(vault.remember(f"Fact number {number}"))
    first = vault.log(limit=2)
    assert [row.position for row in first] == [4, 3]
    assert [row.position for row in vault.log(limit=2, after=first[-1].position)] == [2, 1]
    forward = vault.log(limit=2, newest_first=False)
    assert [row.position for row in forward] == [0, 1]
    again = vault.log(limit=2, newest_first=False, after=forward[-1].position + 1)
    assert [row.position for row in again] == [2, 3]


def test_the_log_holds_no_word_of_what_was_remembered(vault: Vault) -> None:
    first = stored(
        vault.remember("The xylophone is blue", tags=["secret-tag"], about="xylophone", attribute="colour")
    )
    stored(vault.revise(first.id, text="The xylophone is red", reason="it was painted"))
    stored(vault.reject(first.id, reason="an ugly colour"))
    vault.acting_as(actor="quentin", space="hidden/place").session("s-9").append("user", "zither")
    with vault.ground.store.snapshot() as snapshot:
        held = b"".join(record.head + record.rows for record in snapshot.records(Page(-1, 1000)))
    for word in (b"xylophone", b"blue", b"painted", b"ugly", b"secret-tag", b"quentin", b"hidden", b"zither"):
        assert word not in held, word
    assert b"remember" in held, "the act is there, so the words would have been found"


def test_a_refusal_is_in_the_log_with_its_reason(vault: Vault) -> None:
    assert vault.remember("").refused
    row = vault.log(limit=1)[0]
    assert row.fields["outcome"] == "refused"
    assert row.rows >= 0


def test_an_agent_does_not_read_the_log(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    with pytest.raises(BadInput, match="Agents"):
        vault.acting_as(actor="coder").log()
    assert vault.acting_as(actor="eve", role="auditor").log()


@pytest.mark.parametrize("limit", [-1, limits.page_rows_max + 1, True, 2.5, "10"])
def test_a_page_of_the_log_is_bounded(vault: Vault, limit: object) -> None:
    with pytest.raises(BadInput):
        vault.log(limit=limit)


def test_a_checkpoint_names_size_and_root_and_is_kept(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    note = parsed(vault.checkpoint())
    assert (note.size, note.root.hex()) == (1, vault.status().root)
    assert vault.status().witnessed == 1


def test_a_checkpoint_of_an_altered_log_is_not_signed(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    with vault.ground.store.transaction() as transaction:
        transaction.set_analyser(replace(transaction.head(), generation=7))
    with pytest.raises(MunimentError) as caught:
        vault.checkpoint()
    assert caught.value.code == "tampered"


def rolled_back(world: World) -> Vault:
    """Return a vault whose witness has seen more records than its log holds."""
    stored(world.vault.remember(TEXT))
    witness = world.vault.ground.outside.witness
    witness.add(9, b"\x07" * 32, world.clock.now())
    return world.vault


def test_a_log_older_than_its_witness_is_neither_read_nor_written(world: World) -> None:
    vault = rolled_back(world)
    for act in (lambda: vault.recall("ferry"), lambda: vault.remember("more"), vault.checkpoint):
        with pytest.raises(RolledBack):
            act()
    assert not check(vault, "log").well


def test_a_person_begins_a_new_epoch_on_record_and_the_vault_goes_on(world: World) -> None:
    vault = rolled_back(world)
    note = parsed(vault.checkpoint(new_epoch="rolled-back"))
    assert note.follows is not None and note.follows.size == 9
    assert note.why == "rolled-back"
    assert vault.status().epoch == 2
    assert vault.recall("ferry").hits
    assert acts(vault)[-1] == "new-epoch"
    stored(vault.remember("more"))
    assert vault.verify().findings == ()


def test_an_agent_begins_no_new_epoch(world: World) -> None:
    vault = rolled_back(world)
    with pytest.raises((Refusal, RolledBack)):
        vault.acting_as(actor="coder").checkpoint(new_epoch="rolled-back")
    assert vault.status().epoch == 1


def test_a_new_epoch_without_a_checkpoint_to_leave_is_a_callers_mistake_and_no_tampering(
    vault: Vault,
) -> None:
    stored(vault.remember(TEXT))
    with pytest.raises(BadInput) as mistake:
        vault.checkpoint(new_epoch="curious")
    assert "muniment checkpoint" in mistake.value.advice
    assert vault.status().epoch == 1 and vault.verify().ok
    vault.checkpoint()
    assert parsed(vault.checkpoint(new_epoch="curious")).why == "curious"
    assert vault.status().epoch == 2 and vault.verify().ok


@pytest.mark.parametrize("why", ["Two Words", "with space", "x" * 500, "ünïcode", "line\nbreak"])
def test_the_reason_of_a_new_epoch_is_one_plain_word(world: World, why: str) -> None:
    """Notes are never erased, so nothing of a person goes in."""
    vault = rolled_back(world)
    with pytest.raises(MunimentError):
        vault.checkpoint(new_epoch=why)
    assert vault.status().epoch == 1


def test_reindexing_finds_every_row_again(world: World) -> None:
    vault = world.vault
    stored(vault.remember(TEXT))
    vault.session("s-1").append("user", "When does the ferry leave?")
    before = [hit.id for hit in vault.recall("ferry").hits]
    assert vault.reindex() == 2
    assert [hit.id for hit in vault.recall("ferry").hits] == before
    assert "reindex" in acts(vault)


def test_reindexing_fills_in_vectors_that_are_missing(make_vault: MakeVault, clock: FakeClock) -> None:
    embedder = FlakyEmbedder()
    vault = make_vault(embedder=embedder)
    embedder.mode = "raises"
    stored(vault.remember(TEXT))
    embedder.mode = "well"
    vault.reindex()
    (memory,) = vault.memories()
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.cosines((memory.n,), embedder.embed(TEXT), model=embedder.model)


def test_an_agent_does_not_reindex(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    with pytest.raises(Refusal):
        vault.acting_as(actor="coder").reindex()
    assert vault.reindex() == 1


def test_doctor_counts_answers_that_could_not_be_put_on_record(vault: Vault) -> None:
    assert next(each for each in vault.doctor() if each.name == "kept").well
    vault._recalls.failures += 2
    kept = next(each for each in vault.doctor() if each.name == "kept")
    assert (kept.well, kept.sentence.split()[0]) == (False, "2")
