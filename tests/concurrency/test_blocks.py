"""Do two processes that edit one block at once lose nothing of each other's?"""

import multiprocessing
from pathlib import Path

import muniment
from muniment.service.vault import Vault
from tests import postgres
from tests.builders import FakeClock, postgres_vault
from tests.concurrency.sharing import held

EDITS = 12


def _editing(address: str, tenant: str, name: str, start: object, answers: object) -> None:
    vault = held(address, tenant) if tenant else muniment.open(address)
    with vault:
        session = vault.session(name, agent=name)
        start.wait(120)
        for number in range(EDITS):
            assert not session.memory(action="add", block="memory", text=f"{name} {number}").refused
            if number % 3 == 2:
                old = f"{name} {number - 1}"
                assert not session.memory(action="remove", block="memory", old=old).refused
            elif number % 3 == 1:
                text = f"{name} {number - 1} again"
                assert not session.memory(
                    action="replace", block="memory", old=f"{name} {number - 1}", text=text
                ).refused
        answers.put(name)


def _side_by_side(address: str, tenant: str) -> None:
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(2), context.Queue()
    workers = [
        context.Process(target=_editing, args=(address, tenant, name, start, answers))
        for name in ("ada", "bo")
    ]
    for worker in workers:
        worker.start()
    assert {answers.get(timeout=180) for _ in workers} == {"ada", "bo"}
    for worker in workers:
        worker.join(60)


def _left(name: str) -> set[str]:
    third = range(0, EDITS, 3)
    return {f"{name} {n} again" for n in third} | {f"{name} {n + 2}" for n in third}


def _holds_both(vault: Vault) -> None:
    assert set(vault.block("memory").entries) == _left("ada") | _left("bo")
    lines = vault.edits(limit=1_000)
    assert len({line.id for line in lines}) == len(lines) == 2 * (EDITS + 2 * EDITS // 3)
    for later, earlier in zip(lines, lines[1:], strict=False):
        assert later.before == earlier.after, "each edit began where the one before it ended"
    assert vault.verify().ok


def test_two_processes_on_one_file_lose_no_entry(tmp_path: Path) -> None:
    """Several instances on one profile once lost each other's entries."""
    path = tmp_path / "vault.db"
    muniment.open(path).close()
    _side_by_side(str(path), "")
    with muniment.open(path) as vault:
        _holds_both(vault)


def test_two_processes_on_one_server_lose_no_entry(tmp_path: Path, clock: FakeClock) -> None:
    with postgres_vault(tmp_path, clock=clock):
        _side_by_side(postgres.shared_database().application, f"vault of {tmp_path}")
    with held(postgres.shared_database().application, f"vault of {tmp_path}") as vault:
        _holds_both(vault)
