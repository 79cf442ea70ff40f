"""What do the tests of the command line stand on?  Real processes, piped or at a terminal of their own.

`run` is a process of its own.  `quick` is the same call within this one, for what does not
depend on a process: it is a tenth of the time.
"""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muniment.surfaces.cli.main import main
from tests.conftest import ROOT


@dataclass(frozen=True)
class Ended:
    """How a command ended: its code and what it wrote, as bytes and as text."""

    code: int
    raw: bytes
    raw_errors: bytes = b""

    @property
    def out(self) -> str:
        return self.raw.decode("utf-8", "replace")

    @property
    def errors(self) -> str:
        return self.raw_errors.decode("utf-8", "replace")

    @property
    def document(self) -> dict[str, Any]:
        found = json.loads(self.raw)
        assert isinstance(found, dict)
        return found

    @property
    def code_shown(self) -> str:
        """The code at the beginning of an error."""
        return self.errors.split(":", 1)[0]


Run = Callable[..., Ended]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80", **more}


def command(arguments: Sequence[str | bytes]) -> list[str | bytes]:
    return [sys.executable, "-m", "muniment", *arguments]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs a command piped, in a directory of its own."""

    def ran(*arguments: str | bytes, given: bytes = b"", env: Mapping[str, str] | None = None) -> Ended:
        done = subprocess.run(
            command(arguments),
            input=given,
            capture_output=True,
            cwd=tmp_path,
            env=environment(**(env or {})),
            timeout=60,
            check=False,
        )
        assert b"Traceback" not in done.stdout + done.stderr, done.stderr.decode()
        return Ended(done.returncode, done.stdout, done.stderr)

    return ran


@pytest.fixture
def quick() -> Run:
    """Return a function that runs a command in this process."""

    def ran(*arguments: str, given: bytes = b"", env: Mapping[str, str] | None = None) -> Ended:
        done = CliRunner().invoke(
            main, list(arguments), input=given, env=dict(env or {}), prog_name="muniment"
        )
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return Ended(done.exit_code, done.stdout_bytes, done.stderr_bytes)

    return ran


@pytest.fixture
def at_terminal(tmp_path: Path) -> Run:
    """Return a function that runs a command at a pseudo-terminal and types into it."""

    def ran(*arguments: str, typed: str = "", env: Mapping[str, str] | None = None) -> Ended:
        pid, screen = pty.fork()
        if pid == 0:
            os.chdir(tmp_path)
            os.execve(sys.executable, [str(part) for part in command(arguments)], environment(**(env or {})))
        if typed:
            os.write(screen, typed.encode())
        content = _read_all(screen)
        _, status = os.waitpid(pid, 0)
        os.close(screen)
        assert b"Traceback" not in content, content.decode()
        return Ended(os.waitstatus_to_exitcode(status), content.replace(b"\r\n", b"\n"))

    return ran


def _read_all(screen: int) -> bytes:
    content, until = b"", time.monotonic() + 60
    while time.monotonic() < until:
        if not select.select([screen], [], [], 1)[0]:
            continue
        try:
            part = os.read(screen, 65536)
        except OSError:
            break
        if not part:
            break
        content += part
    return content


@dataclass(frozen=True)
class Home:
    """A vault with its owner key, as `init` makes them."""

    vault: Path
    key: str

    @property
    def owner(self) -> tuple[str, ...]:
        return ("--vault", str(self.vault), "--key", self.key)

    @property
    def agent(self) -> tuple[str, ...]:
        return ("--vault", str(self.vault))


@pytest.fixture
def place(tmp_path: Path, quick: Run) -> Home:
    """Return a vault that `init` has just made."""
    vault = tmp_path / "v.db"
    assert quick("--vault", str(vault), "init").code == 0
    return Home(vault, f"@{vault}.keys/owner.key")


@pytest.fixture
def remembered(quick: Run, place: Home) -> Callable[..., str]:
    """Return a function that remembers a text as the owner and returns its id."""

    def made(text: str, *options: str) -> str:
        done = quick(*place.owner, "--json", "remember", text, *options)
        assert done.code == 0, done.errors + done.out
        return str(done.document["id"])

    return made
