"""How do tests hold one tenant twice, name what is claimed, and look whether the log is whole?"""

from pathlib import Path

from muniment import limits, wiring
from muniment.adapters.system import SystemClock, SystemIds
from muniment.domain.changes import Claims, Page
from muniment.domain.memory import Version
from muniment.service.vault import Vault
from muniment.store.postgres import opened
from tests import postgres


def other_of(tmp_path: Path) -> Vault:
    """Return the vault as another process holds it."""
    return held(postgres.shared_database().application, f"vault of {tmp_path}")


def held(address: str, tenant: str) -> Vault:
    store = opened.open_existing(address, tenant=tenant)
    return wiring.reference_vault(clock=SystemClock(), ids=SystemIds(), store=store)


def claims_of(vault: Vault, text: str) -> Claims:
    return Claims(next(iter(vault.ground.spaces.values())).n, vault.ground.digest(b"value", text))


def proves_itself(vault: Vault) -> None:
    """Look whether the log is whole, in the order of its moments, and says what the rows say."""
    report = vault.verify()
    assert report.ok, report.findings
    with vault.ground.store.snapshot() as snapshot:
        records = snapshot.records(Page(after=-1, limit=limits.page_rows_max))
        size = snapshot.head().size
    moments = [record.recorded for record in records]
    assert len(records) == size
    assert moments == sorted(set(moments))


def newest(vault: Vault, id: str) -> Version:
    """Return a memory's newest version."""
    with vault.ground.store.snapshot() as snapshot:
        return snapshot.currents((id,))[0].version
