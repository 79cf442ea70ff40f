"""Do two processes that edit one block at once lose nothing of each other's?"""

import multiprocessing
from collections.abc import Callable
from pathlib import Path

import muniment
from muniment.service.vault import Vault
from tests import postgres
from tests.builders import FakeClock, postgres_vault
from tests.concurrency.sharing import held

EDITS = 12
ROUNDS = 40
ADDED = 30


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


def _consolidating(address: str, tenant: str, name: str, start: object, answers: object) -> None:
    """Rewrite what was seen again and again, and count how often the view was too old for it."""
    vault = held(address, tenant) if tenant else muniment.open(address)
    with vault:
        session = vault.session(name, agent=name)
        start.wait(120)
        stale = 0
        for number in range(ROUNDS):
            first, *rest = session.block("memory").entries
            entries = [{"old": first, "text": f"the first, in round {number}"}]
            entries += [{"old": entry, "keep": True} for entry in rest]
            done = session.memory(action="consolidate", block="memory", entries=entries)
            assert not done.refused or done.reason == "unaccounted-entry", done
            stale += done.refused
            session.append("user", "go on")
        answers.put(f"{name} {stale}")


def _adding(address: str, tenant: str, name: str, start: object, answers: object) -> None:
    vault = held(address, tenant) if tenant else muniment.open(address)
    with vault:
        session = vault.session(name, agent=name)
        start.wait(120)
        for number in range(ADDED):
            assert not session.memory(action="add", block="memory", text=f"entry {number}.").refused
        answers.put(name)


def _both(address: str, tenant: str, deeds: dict[str, Callable[..., None]]) -> set[str]:
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(2), context.Queue()
    workers = [
        context.Process(target=deed, args=(address, tenant, name, start, answers))
        for name, deed in deeds.items()
    ]
    for worker in workers:
        worker.start()
    answered = {answers.get(timeout=180) for _ in workers}
    for worker in workers:
        worker.join(60)
    return answered


def _side_by_side(address: str, tenant: str) -> None:
    assert _both(address, tenant, {"ada": _editing, "bo": _editing}) == {"ada", "bo"}


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


def _consolidate_beside_another(address: str, tenant: str) -> None:
    """A consolidation from an old view is refused, whatever came between stays, and both go on."""
    vault = held(address, tenant) if tenant else muniment.open(address)
    with vault:
        assert not vault.memory(action="add", block="memory", text="the first").refused
    answered = _both(address, tenant, {"ada": _consolidating, "bo": _adding})
    assert "bo" in answered
    vault = held(address, tenant) if tenant else muniment.open(address)
    with vault:
        first, *added = vault.block("memory").entries
        assert added == [f"entry {number}." for number in range(ADDED)]
        assert first.startswith("the first, in round"), "consolidations from a present view went through"
        lines = vault.edits(limit=1_000)
        for later, earlier in zip(lines, lines[1:], strict=False):
            assert later.before == earlier.after, "each edit began where the one before it ended"
        assert vault.verify().ok


def test_a_consolidation_beside_another_process_loses_no_entry_of_one_file(tmp_path: Path) -> None:
    muniment.open(tmp_path / "vault.db").close()
    _consolidate_beside_another(str(tmp_path / "vault.db"), "")


def test_a_consolidation_beside_another_process_loses_no_entry_of_one_server(
    tmp_path: Path, clock: FakeClock
) -> None:
    with postgres_vault(tmp_path, clock=clock):
        _consolidate_beside_another(postgres.shared_database().application, f"vault of {tmp_path}")
