"""Does a server end with the process that started it, and does nothing else?"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import ending
from bench.ending import ended, ends_with_us, server_of
from tests.conftest import ROOT

STARTER = """
import sys, time
from tests import postgres
directory, _ = postgres.started()
print(directory, flush=True)
time.sleep(600 if sys.argv[1] == "waits" else 0)
"""
SECONDS_MAX = 30.0


def comes_true(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SECONDS_MAX
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def is_there(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text(encoding="ascii").split()[2] != "Z"
    except OSError:
        return False


def starter(how: str) -> "tuple[subprocess.Popen[str], Path, int]":
    """Start a server in a process of its own; return the process, the directory and the server's number."""
    run = subprocess.Popen(
        [sys.executable, "-c", STARTER, how],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert run.stdout is not None
    directory = Path(run.stdout.readline().strip())
    return run, directory, server_of(directory)


def test_fault_a_server_outlives_the_killed_run_that_started_it() -> None:
    run, directory, number = starter("waits")
    try:
        assert number and is_there(number)
        # The whole group, as whoever loses patience with a run does.
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        assert comes_true(lambda: not is_there(number))
        assert comes_true(lambda: not directory.exists())
    finally:
        run.kill()
        ended(directory)


def test_a_run_that_ends_by_itself_leaves_no_server_either() -> None:
    run, directory, number = starter("ends")
    assert run.wait(SECONDS_MAX) == 0
    assert number
    assert comes_true(lambda: not is_there(number))
    assert comes_true(lambda: not directory.exists())


@pytest.fixture
def process() -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


def test_a_process_that_is_no_server_of_the_directory_is_left_alone(
    tmp_path: Path, process: "subprocess.Popen[bytes]"
) -> None:
    """A number that a server had may be another program's by now."""
    place = tmp_path / "pg"
    place.mkdir()
    (place / "postmaster.pid").write_text(f"{process.pid}\n{place}\n", encoding="utf-8")
    assert server_of(place) == 0
    ended(place)
    assert process.poll() is None and not place.exists()
    process.communicate(b"\n")


@pytest.mark.parametrize("said", ["", "none\n", "999999999\n"])
def test_where_no_server_is_named_there_is_none(tmp_path: Path, said: str) -> None:
    assert server_of(tmp_path) == 0
    (tmp_path / "postmaster.pid").write_text(said, encoding="utf-8")
    assert server_of(tmp_path) == 0


def test_a_server_that_does_not_stop_is_not_waited_for_longer_than_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(ending, "STOP_SECONDS_MAX", 0.2)
    monkeypatch.setattr(ending, "server_of", lambda directory: 4711)
    monkeypatch.setattr(os, "kill", lambda number, sign: asked.append(number))
    ended(tmp_path / "none")
    assert set(asked) == {4711}


def test_the_watcher_goes_when_nothing_is_left_to_watch(tmp_path: Path) -> None:
    place = tmp_path / "pg"
    place.mkdir()
    watcher = ends_with_us(place)
    assert watcher.stdin is not None and place.exists()
    watcher.stdin.close()
    assert watcher.wait(SECONDS_MAX) == 0
    assert not place.exists()
