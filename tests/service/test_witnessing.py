"""Is the head signed for the outside often enough, at shutdown, and never at a write's cost?"""

from dataclasses import replace
from datetime import datetime

import pytest

from muniment import limits
from muniment.adapters.witness import MemoryWitness
from muniment.domain.checkpoint import origin_of
from muniment.errors import FullDisk, RolledBack, Tampered
from muniment.service.ground import Ground
from muniment.service.vault import Vault
from muniment.service.witnessing import Witnessing
from tests.builders import VAULT_ID, FakeClock, World, stored


class Counting(MemoryWitness):
    """Count the signatures, and refuse when told to."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground.outside.keyring, origin_of(VAULT_ID, 1))
        self.signed: list[int] = []
        self.refuses = False

    def add(self, size: int, root: bytes, at: datetime) -> str:
        if self.refuses:
            raise FullDisk("The disk is full.")
        self.signed.append(size)
        return super().add(size, root, at)


@pytest.fixture
def witness(vault: Vault) -> Counting:
    return Counting(vault.ground)


@pytest.fixture
def ground(vault: Vault, witness: Counting) -> Ground:
    found = vault.ground
    return Ground(found.store, replace(found.outside, witness=witness), found.tenant)


@pytest.fixture
def witnessing(ground: Ground) -> Witnessing:
    return Witnessing(ground)


def test_nothing_is_signed_before_there_is_a_record(witnessing: Witnessing, witness: Counting) -> None:
    witnessing.now()
    witnessing.last()
    assert witness.signed == []


def test_a_write_soon_after_the_last_signature_is_not_signed(
    vault: Vault, witnessing: Witnessing, witness: Counting
) -> None:
    witnessing.after(stored(vault.remember("One")).record)
    assert witness.signed == []


def test_the_head_is_signed_when_enough_records_were_made(
    vault: Vault, witnessing: Witnessing, witness: Counting
) -> None:
    stored(vault.remember("One"))
    witnessing.after(limits.checkpoint_records_max - 2)
    assert witness.signed == []
    witnessing.after(limits.checkpoint_records_max - 1)
    assert witness.signed == [1]


def test_the_head_is_signed_when_enough_time_has_passed(
    vault: Vault, witnessing: Witnessing, witness: Counting, clock: FakeClock
) -> None:
    record = stored(vault.remember("One")).record
    clock.advance(seconds=limits.checkpoint_seconds_max - 1)
    witnessing.after(record)
    assert witness.signed == []
    clock.advance(seconds=1)
    witnessing.after(record)
    assert witness.signed == [1]
    witnessing.after(record)
    assert witness.signed == [1], "the time begins again"


def test_an_act_without_a_record_signs_nothing(
    vault: Vault, witnessing: Witnessing, witness: Counting, clock: FakeClock
) -> None:
    stored(vault.remember("One"))
    clock.advance(hours=1)
    witnessing.after(-1)
    assert witness.signed == []
    witnessing.after(0)
    assert witness.signed == [1]


def test_what_was_recorded_is_signed_at_shutdown(
    vault: Vault, witnessing: Witnessing, witness: Counting
) -> None:
    stored(vault.remember("One"))
    stored(vault.remember("Two"))
    witnessing.last()
    assert witness.signed == [2]


def test_a_witness_that_cannot_be_written_costs_no_write(
    vault: Vault, witnessing: Witnessing, witness: Counting
) -> None:
    witness.refuses = True
    stored(vault.remember("One"))
    witnessing.now()
    assert witnessing.failures == 1
    witness.refuses = False
    witnessing.now()
    assert (witnessing.failures, witness.signed) == (1, [1])


def test_a_signature_that_failed_is_tried_again_by_the_next_write(
    vault: Vault, witnessing: Witnessing, witness: Counting, clock: FakeClock
) -> None:
    witness.refuses = True
    clock.advance(seconds=limits.checkpoint_seconds_max)
    witnessing.after(stored(vault.remember("One")).record)
    witness.refuses = False
    witnessing.after(stored(vault.remember("Two")).record)
    assert witness.signed == [2]


def test_a_vault_that_cannot_write_signs_nothing(ground: Ground, vault: Vault, witness: Counting) -> None:
    stored(vault.remember("One"))
    outside = replace(ground.outside, writable=False, why_read_only="a test")
    Witnessing(Ground(ground.store, outside, ground.tenant)).now()
    assert witness.signed == []


def test_an_altered_head_is_never_signed(
    vault: Vault, ground: Ground, witnessing: Witnessing, witness: Counting
) -> None:
    stored(vault.remember("One"))
    with ground.store.transaction() as transaction:
        transaction.set_analyser(replace(transaction.head(), generation=9))
    witnessing.now()
    assert (witness.signed, witnessing.failures) == ([], 1)
    with pytest.raises(Tampered):
        vault.recall("One")


def test_a_log_that_is_older_than_its_witness_is_refused(
    vault: Vault, ground: Ground, witness: Counting
) -> None:
    stored(vault.remember("One"))
    witness.add(5, b"r" * 32, ground.outside.clock.now())
    with ground.store.snapshot() as snapshot, pytest.raises(RolledBack, match="5"):
        ground.checked_head(snapshot)


def test_answers_on_record_count_towards_the_next_signature(world: World) -> None:
    """A reading agent makes records too; a rollback of them must not go unseen for long (I6)."""
    vault = world.vault
    stored(vault.remember("The ferry leaves at dawn"))
    vault.session("s-1").recall("ferry")
    world.clock.advance(seconds=limits.checkpoint_seconds_max)
    vault.session("s-1").recall("ferry")
    assert vault.status().witnessed == vault.status().records


def test_a_closed_vault_leaves_its_whole_log_signed(world: World) -> None:
    world.vault.remember("One")
    world.vault.recall("One")
    before = world.vault.ground.outside.witness
    world.vault.close()
    newest = before.newest()
    assert newest is not None
    assert newest[0] == 2, "the memory's record and the recall's"


def test_a_view_that_is_older_than_a_signature_made_since_is_no_older_log(
    vault: Vault, ground: Ground, witnessing: Witnessing
) -> None:
    stored(vault.remember("One"))
    with ground.store.snapshot() as view:
        before = view.head()
        stored(vault.remember("Two"))
        witnessing.now()
        assert ground.checked_head(view) == before
    newest = ground.outside.witness.newest()
    assert newest is not None and newest[0] > before.size
