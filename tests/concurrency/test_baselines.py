"""Do two processes that open one session at once get the same prompt, whatever is written meanwhile?"""

import multiprocessing
from pathlib import Path

import muniment
from tests import postgres
from tests.builders import FakeClock, postgres_vault
from tests.concurrency.sharing import held

ROUNDS = 6


def _opening(address: str, tenant: str, name: str, start: object, answers: object) -> None:
    """Write to a block, then open each session, in a race with another process."""
    vault = held(address, tenant) if tenant else muniment.open(address)
    with vault:
        texts = []
        start.wait(120)
        for number in range(ROUNDS):
            session = vault.session(f"s-{number}", agent=name)
            session.memory(action="add", block="memory", text=f"{name} wrote {number}")
            texts.append((session.open(system=f"by {name}").text, session.open().epoch))
        answers.put((name, texts))


def _raced(address: str, tenant: str) -> dict[str, list[tuple[str, int]]]:
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(2), context.Queue()
    workers = [
        context.Process(target=_opening, args=(address, tenant, name, start, answers))
        for name in ("ada", "bo")
    ]
    for worker in workers:
        worker.start()
    found = dict(answers.get(timeout=180) for _ in workers)
    for worker in workers:
        worker.join(60)
    return found


def _is_one(found: dict[str, list[tuple[str, int]]]) -> None:
    assert found["ada"] == found["bo"]
    assert all(epoch == 1 for _, epoch in found["ada"])
    assert len({text for text, _ in found["ada"]}) == ROUNDS


def test_two_processes_on_one_file_get_one_baseline_a_session(tmp_path: Path) -> None:
    path = str(tmp_path / "v.db")
    muniment.open(path).close()
    _is_one(_raced(path, ""))
    with muniment.open(path) as vault:
        assert [row.act for row in vault.log(limit=1_000)].count("epoch") == ROUNDS
        assert vault.verify().ok


def test_two_processes_on_one_server_get_one_baseline_a_session(tmp_path: Path) -> None:
    vault = postgres_vault(tmp_path, clock=FakeClock())
    vault.remember("something", strict=True)
    vault.close()
    _is_one(_raced(postgres.shared_database().application, f"vault of {tmp_path}"))
