"""Is everything that was acknowledged there after a kill, whole and to be found?

Two hundred children die here, at random moments of writing, taking in, indexing and birth.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, SEED_NAME

KILLS = {"write": 80, "batch": 50, "reindex": 30, "birth": 40}


def _killed(place: Path, kind: str, kills: int) -> Mapping[str, Any]:
    seed = f"{os.environ[SEED_NAME]}:{kind}"
    print(f"random seed of this test: {seed}")
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killed.py")), str(place), kind, str(kills), seed],
        env=os.environ | {"PYTHONPATH": path, "MUNIMENT_EMBEDDER": "off"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KILLS)
def test_every_acknowledged_write_outlives_a_kill(tmp_path: Path, kind: str) -> None:
    found = _killed(tmp_path, kind, KILLS[kind])
    assert found["faults"] == []
    assert found["kills"] == KILLS[kind]
    # A child that always came to its end, or never began, would show nothing.
    assert found["unfinished"] > 0
    assert found["acknowledged"] >= KILLS[kind]


def test_a_lost_write_would_be_noticed(tmp_path: Path) -> None:
    """The twin: the same look at a vault from which an acknowledged row was taken."""
    program = (
        "import muniment, sys; from pathlib import Path; from tests.crash import killed;"
        "path = Path(sys.argv[1]);"
        "vault = muniment.open(path); id = vault.remember('the otter sleeps').id;"
        "transaction = vault.ground.store.transaction();"
        "held = transaction.__enter__();"
        "held._session.script('DELETE FROM version');"
        "transaction.__exit__(None, None, None);"
        "print(len(list(killed.whole(vault))))"
    )
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "vault.db")],
        env=os.environ | {"PYTHONPATH": path, "MUNIMENT_EMBEDDER": "off"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert int(done.stdout.splitlines()[-1]) > 0, done.stderr
