"""Do processes that edit one block and save its file at once lose nothing of each other's?"""

import multiprocessing
import os
import time
from pathlib import Path

import muniment
from muniment.domain.block import DELIMITER
from muniment.service.vault import Vault
from tests.concurrency.test_blocks import _editing, _left

SAVES = 12


def _saving(address: str, start: object, answers: object) -> None:
    """Save the file as an editor does: read it, add a line, write it anew beside and move it there."""
    file = Path(f"{address}.blocks") / "memory.md"
    start.wait(120)
    for number in range(SAVES):
        text = file.read_text("utf-8").removesuffix("\n")
        draft = file.with_name("editor.tmp")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as saved:
            saved.write(f"{text}{DELIMITER}saved {number}" if text else f"saved {number}")
        os.replace(draft, file)
        time.sleep(0.05)
    answers.put("person")


def made(tmp_path: Path) -> str:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        vault.block_files()
    return str(path)


def side_by_side(address: str, *, person: bool) -> None:
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(3 if person else 2), context.Queue()
    agents = ("ada", "bo")
    workers = [context.Process(target=_editing, args=(address, "", name, start, answers)) for name in agents]
    workers += [context.Process(target=_saving, args=(address, start, answers))] if person else []
    for worker in workers:
        worker.start()
    assert {answers.get(timeout=180) for _ in workers} == {*agents, *(["person"] if person else [])}
    for worker in workers:
        worker.join(60)


def chained(vault: Vault) -> None:
    lines = vault.edits(block="memory", limit=1_000)
    for later, earlier in zip(lines, lines[1:], strict=False):
        assert later.before == earlier.after, "each edit began where the one before it ended"
    assert vault.verify().ok


def test_fault_two_processes_lose_each_others_entries(tmp_path: Path) -> None:
    address = made(tmp_path)
    side_by_side(address, person=False)
    with muniment.open(address) as vault:
        entries = vault.block("memory").entries
        assert set(entries) == _left("ada") | _left("bo")
        assert {one.state for one in vault.block_files().files} == {"in-step"}
        assert (Path(f"{address}.blocks") / "memory.md").read_text("utf-8") == DELIMITER.join(entries)
        assert "file" not in {line.action for line in vault.edits(limit=1_000)}, "nobody saved anything"
        chained(vault)


def test_what_a_person_saves_beside_two_agents_stands_in_the_block_or_in_the_journal(tmp_path: Path) -> None:
    """A save of an old text takes out what came since, as a person's removal would: into the notes."""
    address = made(tmp_path)
    with muniment.open(address) as vault:
        vault.memory(action="add", block="memory", text="the first")
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(2), context.Queue()
    workers = [
        context.Process(target=_adding, args=(address, start, answers)),
        context.Process(target=_saving, args=(address, start, answers)),
    ]
    for worker in workers:
        worker.start()
    assert {answers.get(timeout=180) for _ in workers} == {"agent", "person"}
    for worker in workers:
        worker.join(60)
    with muniment.open(address) as vault:
        assert "refused" not in {one.state for one in vault.block_files().files}
        lines = vault.edits(block="memory", limit=1_000)
        kept = "\n".join(vault.read(note).text for line in lines for note in line.notes)
        for entry in (*(f"added {number}" for number in range(SAVES)), "the first"):
            assert entry in vault.block("memory").entries or entry in kept, entry
        seen = {entry for line in lines for entry in line.after}
        assert any(f"saved {number}" in seen for number in range(SAVES - 3, SAVES)), "saves were taken in"
        chained(vault)


def _adding(address: str, start: object, answers: object) -> None:
    with muniment.open(address) as vault:
        session = vault.session("agent", agent="agent")
        start.wait(120)
        for number in range(SAVES):
            assert not session.memory(action="add", block="memory", text=f"added {number}").refused
            time.sleep(0.03)
    answers.put("agent")
