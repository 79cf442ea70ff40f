"""What ends a database server whose starter was killed?  A process that waits for the starter's end.

A server is no child of who started it, and nothing that runs at an ordinary end runs after a kill.
So a process of its own waits at one end of a pipe.  The other end is the starter's, and the system
closes it however the starter ends: then a server that still runs is stopped, and its directory goes.

Runs as `python ending.py DIRECTORY`, with the pipe as its standard input.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

STOP_SECONDS_MAX = 10.0
"""Longest time that a server is waited for once it was told to stop."""

_STEP_SECONDS = 0.05

_PIPES: "list[subprocess.Popen[bytes]]" = []
"""Watchers whose pipe is held: one that nobody holds is closed, and that is the end of its server."""


def ends_with_us(directory: Path) -> "subprocess.Popen[bytes]":
    """See to it that the server in a directory ends when this process does, however that is.

    The watcher has a session of its own, so that what is sent to this process's group spares it.
    """
    watcher = subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(__file__).resolve()), str(directory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _PIPES.append(watcher)
    return watcher


def server_of(directory: Path) -> int:
    """Return the number of the process whose server lies in a directory, 0 for none."""
    try:
        first = (directory / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0]
        number = int(first)
        # Another process may have the number by now.
        is_it = str(directory).encode() in Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return 0
    return number if is_it else 0


def ended(directory: Path) -> None:
    """Stop the server in a directory, if there is one, and take the directory away."""
    deadline = time.monotonic() + STOP_SECONDS_MAX
    while (number := server_of(directory)) and time.monotonic() < deadline:
        with suppress(ProcessLookupError):
            # At once, without writing anything down: nobody reads it again.
            os.kill(number, signal.SIGQUIT)
        time.sleep(_STEP_SECONDS)
    shutil.rmtree(directory, ignore_errors=True)


def main(directory: str) -> None:
    """Wait until whoever holds the pipe has ended, then end the server."""
    sys.stdin.buffer.read()
    ended(Path(directory))


if __name__ == "__main__":
    main(*sys.argv[1:])
