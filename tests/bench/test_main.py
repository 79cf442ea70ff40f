"""Is every part of the bench measured in a process of its own?"""

import os
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench.measure import Figure, Plan


def _where(plan: Plan) -> list[Figure]:
    """Tell which process measures, and in which directory."""
    return [Figure("process", float(os.getpid()), 0, str(plan.where))]


def test_a_part_is_measured_in_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PARTS", {"one": _where})
    told = [*bench.alone("one", Plan(tmp_path)), *bench.alone("one", Plan(tmp_path))]
    assert len({one.value for one in told} | {float(os.getpid())}) == 3
    assert {one.unit for one in told} == {str(tmp_path)}
