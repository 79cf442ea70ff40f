"""Do the suites stand alone?  They know the standard library only, and nothing loads them at start."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

ROOM = ROOT / "src" / "muniment" / "conformance"
OURS = {"library", "served", "places"}
"""The modules that put Muniment itself behind the adapter."""


def imported(path: Path) -> set[str]:
    """Return every module that a file names in an import."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("module", sorted(path.stem for path in ROOM.glob("*.py") if path.stem not in OURS))
def test_a_suite_knows_the_standard_library_and_the_suites(module: str) -> None:
    own = {"muniment.conformance", *(f"muniment.conformance.{path.stem}" for path in ROOM.glob("*.py"))}
    own -= {f"muniment.conformance.{name}" for name in OURS}
    foreign = {name for name in imported(ROOM / f"{module}.py") if name not in own}
    assert {name.split(".")[0] for name in foreign} <= sys.stdlib_module_names


def test_an_adapter_of_ours_does_know_muniment() -> None:
    assert any(name.startswith("muniment.service") for name in imported(ROOM / "library.py"))
    assert all((ROOM / f"{name}.py").exists() for name in OURS)


@pytest.mark.parametrize(
    "program",
    [
        "import muniment; muniment.open",
        "import muniment.surfaces.cli.main",
        "import muniment.service.vault",
    ],
)
def test_nothing_loads_the_suites_before_somebody_measures(program: str) -> None:
    ask = f"import sys; {program}; print([name for name in sys.modules if 'conformance' in name])"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_program_above_would_see_them() -> None:
    ask = "import sys; import muniment.conformance.run; print('muniment.conformance.run' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
