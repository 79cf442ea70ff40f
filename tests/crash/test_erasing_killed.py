"""Is an erasure that a kill cut off either not begun or on its way to its end?  Fifty children die here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, SEED_NAME

KILLS = 50


@pytest.mark.slow
def test_a_killed_erasure_is_not_begun_or_goes_to_its_end(tmp_path: Path) -> None:
    seed = f"{os.environ[SEED_NAME]}:erasing"
    print(f"random seed of this test: {seed}")
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("erasing.py")), str(tmp_path), str(KILLS), seed],
        env=os.environ | {"PYTHONPATH": path, "MUNIMENT_EMBEDDER": "off"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    found = json.loads(done.stdout)
    assert found["faults"] == []
    assert found["kills"] == KILLS == found["not_begun"] + found["pending"] + found["complete"]
    # A child that always came to its end, or never began, would show nothing.
    assert found["not_begun"] > 0 and found["pending"] + found["complete"] > 0
