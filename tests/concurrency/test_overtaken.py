"""What becomes of a writer when others get onto the record between its reads and the log's end?"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from muniment import wiring
from muniment.errors import Tampered
from muniment.service.receipt import Receipt
from muniment.service.vault import Vault
from muniment.store.postgres import opened
from tests import postgres
from tests.builders import CountingIds, FakeClock, FlakyEmbedder, postgres_vault, stored
from tests.concurrency.sharing import newest, other_of, proves_itself

WRITERS = 40
SECONDS_MAX, A_WHILE = 60, 0.5


class MeddledIds(CountingIds):
    """Do something else when the next memory gets its id: after the reads, before the log's end."""

    def __init__(self) -> None:
        super().__init__(seed=7)
        self.meanwhile: Callable[[], object] | None = None

    def new(self, prefix: str) -> str:
        deed, self.meanwhile = (self.meanwhile, None) if prefix == "m" else (None, self.meanwhile)
        if deed is not None:
            deed()
        return super().new(prefix)


@pytest.fixture
def meddled(vault: Vault, tmp_path: Path, clock: FakeClock) -> Iterator[tuple[Vault, MeddledIds]]:
    ids = MeddledIds()
    address = postgres.shared_database().application
    store = opened.open_existing(address, tenant=f"vault of {tmp_path}")
    made = wiring.reference_vault(clock=clock, ids=ids, store=store)
    stored(made.remember("the meddled one is here"))
    yield made, ids
    made.close()


@pytest.mark.parametrize("ahead", [0, 5], ids=["the same clock", "a clock ahead"])
def test_whoever_is_overtaken_is_recorded_after_the_other(
    vault: Vault, meddled: tuple[Vault, MeddledIds], clock: FakeClock, ahead: int
) -> None:
    """A moment is one's own as far as the log allows: the other took it, or had an earlier one."""
    one, ids = meddled
    before = clock.now()
    clock.advance(seconds=ahead)
    found: list[Receipt] = []

    def meanwhile() -> None:
        clock.set(before)
        found.extend(stored(vault.remember(f"meanwhile {n}")) for n in range(3))

    ids.meanwhile = meanwhile
    mine = stored(one.remember("the quay is wet"))
    assert [receipt.record for receipt in found] == [mine.record - 3, mine.record - 2, mine.record - 1]
    version, last = newest(vault, mine.id), newest(vault, found[-1].id)
    assert version.recorded > last.recorded
    assert version.valid.start == version.recorded, "it is valid from when it is recorded"
    assert version.n not in {newest(vault, receipt.id).n for receipt in found}
    assert [hit.id for hit in vault.recall("quay wet").hits] == [mine.id]
    proves_itself(vault)


def test_a_time_that_was_given_stays_when_a_writer_is_overtaken(
    vault: Vault, meddled: tuple[Vault, MeddledIds]
) -> None:
    one, ids = meddled
    ids.meanwhile = lambda: stored(vault.remember("meanwhile"))
    mine = stored(one.remember("the quay was wet", valid_from="2025-12-01"))
    assert newest(vault, mine.id).valid.start.isoformat() == "2025-12-01T00:00:00+00:00"
    proves_itself(vault)


def test_an_overtaken_successor_begins_where_the_old_value_ends(
    vault: Vault, meddled: tuple[Vault, MeddledIds]
) -> None:
    one, ids = meddled
    old = stored(vault.remember("The port is 1", about="api", attribute="port", value="1"))
    ids.meanwhile = lambda: stored(vault.remember("meanwhile"))
    new = stored(one.remember("The port is 2", about="api", attribute="port", value="2"))
    first, second = newest(vault, old.id), newest(vault, new.id)
    assert (first.trust.value, first.valid.end) == ("superseded", second.valid.start)
    assert first.recorded == second.recorded == second.valid.start
    assert [hit.text for hit in vault.recall("port").hits] == ["The port is 2"]
    proves_itself(vault)


def test_an_overtaken_refusal_is_on_record_too(vault: Vault, meddled: tuple[Vault, MeddledIds]) -> None:
    one, _ = meddled
    id = stored(vault.remember("the quay is wet")).id
    vault.reject(id, reason="it is dry")
    before = vault.log(limit=1)[0].position
    receipt = one.remember("the quay is wet")
    assert (receipt.verdict, receipt.record) == ("refused", before + 1)
    proves_itself(vault)


def test_a_head_altered_by_hand_is_not_written_on(vault: Vault, meddled: tuple[Vault, MeddledIds]) -> None:
    """The database's owner takes a record back while a writer is at work."""
    one, ids = meddled
    tenant = vault.ground.store._tenant
    ids.meanwhile = lambda: postgres.run(
        postgres.shared_database().superuser,
        f"UPDATE muniment.tenant_head SET size = size - 1 WHERE tenant = {tenant}",
    )
    with pytest.raises(Tampered):
        one.remember("the quay is wet")


def test_a_new_space_and_a_new_actor_are_made_once(vault: Vault, tmp_path: Path) -> None:
    """They are rare, so whoever makes one comes alone."""
    others = [other_of(tmp_path) for _ in range(4)]
    agents = [one.acting_as(actor="coder", role="agent", space="acme/eng") for one in others]
    with ThreadPoolExecutor(4) as pool:
        receipts = list(pool.map(lambda agent: agent.remember("a note"), agents))
    assert sorted(one.verdict for one in receipts) == ["merged"] * 3 + ["stored"]
    with vault.ground.store.snapshot() as snapshot:
        assert [row.path for row in snapshot.spaces()].count("acme/eng") == 1
        assert [row.name for row in snapshot.actors()].count("coder") == 1
    for one in others:
        one.close()
    proves_itself(vault)


def test_a_model_that_was_never_met_is_numbered_once(tmp_path: Path, clock: FakeClock) -> None:
    vault = postgres_vault(tmp_path, clock=clock, embedder=FlakyEmbedder())
    stored(vault.remember("the first note"))
    stored(vault.remember("the second note"))
    stored(vault.remember("the third note"))
    database = postgres.shared_database().superuser
    tenant = vault.ground.store._tenant
    assert postgres.run(database, f"SELECT count(*) FROM muniment.model WHERE tenant = {tenant}") == [(1,)]
    assert postgres.run(database, f"SELECT count(*) FROM muniment.vector WHERE tenant = {tenant}") == [(3,)]
    vault.close()
