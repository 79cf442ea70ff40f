"""What do the tests of packaging stand on?  One build and one clean environment a session.

Everything runs as a process of its own, away from the source tree and from this
environment: what is found there was in the wheel.
"""

import os
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT


@dataclass(frozen=True)
class Built:
    """Hold the paths of the two distributions of one build."""

    wheel: Path
    sdist: Path


@dataclass(frozen=True)
class Ended:
    """Hold how a process ended."""

    code: int
    out: str
    errors: str


def ran(*command: str | Path, cwd: Path, env: Mapping[str, str] | None = None, given: str = "") -> Ended:
    """Run a command without anything of this environment that could lend it a module."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "MUNIMENT_", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env=inherited | dict(env or {}),
        input=given,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def well(ended: Ended) -> Ended:
    """Return how a process ended, having made sure that it ended well."""
    assert ended.code == 0, f"{ended.out}\n{ended.errors}"
    return ended


def built(tree: Path, place: Path, *kinds: str) -> list[Path]:
    """Build distributions of a tree; without `kinds` the source one, and the wheel from it."""
    command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", place, *kinds, ".")
    well(ran(*command, cwd=tree))
    return sorted(place.iterdir())


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return a source distribution of the tree, and the wheel that was built from it."""
    sdist, wheel = sorted(
        built(ROOT, tmp_path_factory.mktemp("dist")), key=lambda path: path.suffix == ".whl"
    )
    return Built(wheel=wheel, sdist=sdist)


@pytest.fixture(scope="session")
def clean_python(distributions: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of a new environment that holds the wheel, no extras, nothing else."""
    place = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    well(ran(python, "-m", "pip", "install", *quiet, distributions.wheel, cwd=place.parent))
    return python


Run = Callable[..., Ended]


@pytest.fixture
def installed(clean_python: Path, tmp_path: Path) -> Run:
    """Return a function that runs the installed command in an empty directory with a home of its own."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    def run(*arguments: str, given: str = "", **more: str) -> Ended:
        env = {"MUNIMENT_HOME": str(tmp_path / "home"), "COLUMNS": "80", **more}
        return ran(clean_python.parent / "muniment", *arguments, cwd=scratch, env=env, given=given)

    return run
