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
    monkeypatch.setattr(bench, "PROCESSES", {"one": 3})
    runs = [bench._measured("one", Plan(tmp_path), at=at)[0] for at in range(2)]
    assert len({one.value for one in runs} | {float(os.getpid())}) == 3
    assert [one.unit for one in runs] == [str(tmp_path / "one-0"), str(tmp_path / "one-1")]


def test_the_middle_of_several_processes_counts_and_tells_the_spread() -> None:
    figures = [Figure("write", value, 3.0, "x", note="kept") for value in (3.4, 2.9, 3.1)]
    assert bench.middle(figures) == Figure(
        "write", 3.1, 3.0, "x", note="kept; middle of 3 processes, 2.9 to 3.4"
    )
    assert bench.middle(figures[:1]) == figures[0]
    assert bench.middle([Figure("bytes", 5.0, 9.0, "bytes")] * 3) == Figure("bytes", 5.0, 9.0, "bytes")


def test_a_quick_look_takes_one_process_and_a_measurement_as_many_as_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def told(name: str, plan: Plan, *, at: int) -> list[Figure]:
        asked.append(at)
        return [Figure(name, float(at), 3.0, "x")]

    monkeypatch.setattr(bench, "_measured", told)
    assert bench.alone("write", Plan(tmp_path))[0].value == 2.0
    assert bench.alone("grow", Plan(tmp_path))[0].value == 0.0
    assert bench.alone("write", Plan(tmp_path, quick=True))[0].value == 0.0
    assert asked == [0, 1, 2, 3, 4, 0, 0]
