"""Does a daemon go on when nobody reads what it says, and when the system gives it no more files?"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muniment.domain.rights import Peer
from muniment.surfaces.http.daemon import SaidOnce
from tests.surfaces.http.served import SECONDS_MAX, At, command, connected, environment, until
from tests.surfaces.http.test_daemon import key_of


def test_a_daemon_whose_announcement_nobody_reads_serves_all_the_same(place: Path) -> None:
    """As in `muniment serve --local | head -1`: those at the sockets never asked for it."""
    key, at = key_of(place), At(place / "h" / "run")
    ear, mouth = os.pipe()
    os.close(ear)
    running = subprocess.Popen(
        command("--key", key, "serve", "--local"),
        env=environment(place),
        stdin=subprocess.DEVNULL,
        stdout=mouth,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(mouth)
    try:
        until(lambda: at.path(Peer.OWNER).exists() or running.poll() is not None)
        assert running.poll() is None
        assert at.loop("about")["socket"] == "loop"
        running.send_signal(signal.SIGTERM)
        said = running.communicate(timeout=SECONDS_MAX)[1]
        assert (running.returncode, said) == (0, "")
    finally:
        running.kill()
        running.communicate(timeout=SECONDS_MAX)


def test_each_kind_of_error_of_the_loop_is_said_once_and_not_what_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said, loop = SaidOnce(), asyncio.new_event_loop()
    for _ in range(3):
        said(loop, {"message": "a task failed", "exception": ValueError("the kettle is blue")})
    said(loop, {"message": "a task failed", "exception": KeyError("the kettle is blue")})
    said(loop, {})
    loop.close()
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(";")[0] for line in lines] == [
        "muniment: a task failed (ValueError)",
        "muniment: a task failed (KeyError)",
        "muniment: an error (NoneType)",
    ]
    assert "kettle" not in "".join(lines)


def test_a_daemon_without_open_files_left_says_so_once_and_goes_on(place: Path) -> None:
    """asyncio's own words are a page for each try: whoever does not read them would stop the daemon."""
    key, at = key_of(place), At(place / "h" / "run")
    few = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48)); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", few, *command("--key", key, "serve", "--local")],
        env=environment(place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until(lambda: at.path(Peer.OWNER).exists() or running.poll() is not None)
        held = [connected(at.path(Peer.LOOP)) for _ in range(60)]
        time.sleep(1.5)
        for one in held:
            one.close()
        assert at.loop("about")["socket"] == "loop"
        running.send_signal(signal.SIGTERM)
        said = running.communicate(timeout=SECONDS_MAX)[1]
        assert running.returncode == 0
        assert said.startswith("muniment: socket.accept() out of system resource (OSError)")
        assert said.count("\n") == 1
    finally:
        running.kill()
        running.communicate(timeout=SECONDS_MAX)
