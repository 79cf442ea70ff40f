"""Is a block whole, and is its file no edit of it, wherever a kill comes?  Forty children die here."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

import muniment
from tests.conftest import SEED_NAME

KILLS = 40
DELAY_SECONDS_MAX = 0.03


def _editing(path: Path, pipe: int) -> None:
    """Add and take out entries, acknowledging each once the call returned."""
    with muniment.open(path) as vault:
        session = vault.session("s", agent="coder")
        for n in range(10_000):
            text = f"entry {os.getpid()} {n}"
            assert not session.memory(action="add", block="memory", text=text).refused
            os.write(pipe, f"{text}\n".encode())
            entries = session.block("memory").entries
            if len(entries) > 20:
                session.memory(action="remove", block="memory", old=entries[0])


def _killed(path: Path, rng: random.Random) -> list[str]:
    """Return what a child acknowledged before it was killed, whole lines alone."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            _editing(path, write)
        finally:
            os._exit(1)
    os.close(write)
    with open(read, "rb") as pipe:
        first = pipe.readline()
        time.sleep(rng.random() * DELAY_SECONDS_MAX)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said = first + pipe.read()
    return [line.decode() for line in said.split(b"\n")[:-1]]


@pytest.mark.slow
def test_no_kill_makes_an_edit_of_a_file_or_loses_an_acknowledged_entry(tmp_path: Path) -> None:
    seed = f"{os.environ[SEED_NAME]}:block files"
    print(f"random seed of this test: {seed}")
    rng, path = random.Random(seed), tmp_path / "vault.db"
    with muniment.open(path) as vault:
        vault.block_files()
    file, behind = Path(f"{path}.blocks") / "memory.md", 0
    for _ in range(KILLS):
        acknowledged = _killed(path, rng)
        left = file.read_text("utf-8")
        with muniment.open(path) as vault:
            behind += "behind" in vault.status().files
            entries = vault.block("memory").entries
            assert file.read_text("utf-8") == vault.block("memory").text
            assert {line.action for line in vault.edits(limit=200)} <= {"add", "remove"}, left
            assert acknowledged and acknowledged[-1] in entries
            assert not list(file.parent.glob("*.bak.*"))
    with muniment.open(path) as vault:
        assert vault.verify().ok
