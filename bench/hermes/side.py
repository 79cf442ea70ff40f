"""How is Hermes Agent put beside a vault?  Its own environment, one process, lines of JSON."""

import hashlib
import json
import os
import subprocess
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from bench.measure import ROOT, Taken, say

PINS = ROOT / "requirements" / "hermes.txt"
WORKER = Path(__file__).with_name("worker.py")
VERSION = "0.19.0"


def environment(where: Path = ROOT / "build" / "hermes") -> Path:
    """Return the interpreter of an environment with that package, made when it is not there.

    What it needs beside the package is PyYAML alone; all else is for surfaces that are not used
    here.  The pins decide, by their hashes: other pins make the environment anew.
    """
    digest = hashlib.sha256(PINS.read_bytes()).hexdigest()
    stamp, interpreter = where / "stamp", where / "bin" / "python"
    if stamp.exists() and stamp.read_text("utf-8") == digest:
        return interpreter
    say("making the environment of hermes-agent")
    venv.create(where, clear=True, with_pip=True)
    wanted = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(PINS))
    quiet = ("--quiet", "--quiet", "--disable-pip-version-check", "--no-input")
    subprocess.run([str(interpreter), "-m", "pip", "install", *quiet, *wanted], check=True)
    stamp.write_text(digest, "utf-8")
    return interpreter


class Side:
    """Hold the other side: one process that does what it is told and says how long it took."""

    def __init__(self, interpreter: Path, home: Path, *, worker: Path = WORKER) -> None:
        home.mkdir(parents=True)
        self.home = home
        # Nothing of this environment may lend it a module, a home or a key.
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
        self._process = subprocess.Popen(
            [str(interpreter), str(worker), str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=kept | {"HERMES_HOME": str(home), "HOME": str(home), "PYTHONUTF8": "1"},
            text=True,
            encoding="utf-8",
        )

    def timed(self, do: str, each: Sequence[Mapping[str, object]]) -> tuple[list[Taken], object]:
        """Have one act done for each set of fields; return what each took, and the last answer."""
        orders, answers = self._pipes()
        orders.write(json.dumps({"do": do, "each": list(each)}) + "\n")
        orders.flush()
        line = answers.readline()
        if not line:
            raise RuntimeError(f"hermes-agent ended at {do}")
        answer = json.loads(line)
        return [Taken(*one) for one in answer["taken"]], answer["said"]

    def ask(self, do: str, /, **fields: object) -> object:
        """Have one act done; return the answer."""
        return self.timed(do, [fields])[1]

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None and self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def close(self) -> None:
        """Let it close its store, and wait for its end."""
        orders, answers = self._pipes()
        orders.close()
        self._process.wait(60)
        answers.close()

    def __enter__(self) -> "Side":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def size_of(path: Path, *, but: str = "") -> int:
    """Return the bytes of a database with all files beside it that begin with its name."""
    files = [one for one in path.parent.glob(path.name + "*") if one.is_file()]
    return sum(one.stat().st_size for one in files if not (but and one.name.endswith(but)))
