"""How soon does a command answer?  Against a bare interpreter, started in turns."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bench.measure import ROOT, Figure, Plan, opened, say
from bench.texts import Texts

HELP_BOUND, RECALL_BOUND = 12.0, 20.0
MEMORIES = 1_000


def started(plan: Plan) -> list[Figure]:
    """Measure `--help` and a one-shot recall in a vault of 1,000 memories."""
    say("starting commands")
    home = plan.where / "home"
    home.mkdir()
    texts = Texts()
    held = texts.texts(plan.sized(MEMORIES, quick=100))
    with opened(home / "vault.db", embedder=True) as vault:
        for text in held:
            vault.remember(text)
    ours = [sys.executable, "-m", "muniment"]
    commands = {
        "`--help` to a bare interpreter": ([*ours, "--help"], HELP_BOUND),
        "a one-shot recall to a bare interpreter": ([*ours, "recall", texts.question(held[0])], RECALL_BOUND),
    }
    rounds = plan.sized(15, quick=4)
    return [
        _figure(name, command, rounds, home=home, bound=bound) for name, (command, bound) in commands.items()
    ]


def _figure(name: str, command: list[str], rounds: int, *, home: Path, bound: float) -> Figure:
    bare: list[float] = []
    taken: list[float] = []
    for _ in range(rounds + 1):
        bare.append(_run([sys.executable, "-c", "pass"], home).seconds)
        ran = _run(command, home)
        if ran.code:
            return Figure(name, None, bound, "x", note=f"the command ended with {ran.code}")
        taken.append(ran.seconds)
    # The first start compiles and fills the disk's cache.
    ours, theirs = statistics.median(taken[1:]), statistics.median(bare[1:])
    parts = {"ours_ms": round(ours * 1e3, 1), "bare_ms": round(theirs * 1e3, 1)}
    return Figure(name, round(ours / theirs, 2), bound, "x", parts)


@dataclass(frozen=True, slots=True)
class Ran:
    """Hold how a command ended and how long it took."""

    code: int
    seconds: float


def _run(command: list[str], home: Path) -> Ran:
    # An installed command finds its compiled modules; a setting that forbids them would time the compiler.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"MUNIMENT_HOME": str(home), "PYTHONPATH": str(ROOT / "src")}
    start = time.perf_counter()
    done = subprocess.run(command, env=environ, capture_output=True, check=False, cwd=home)
    return Ran(done.returncode, time.perf_counter() - start)
