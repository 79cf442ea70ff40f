"""Is what a run holds remembered, within a bound, and asked for once?"""

import pytest

from muniment import limits
from muniment.gate.runs import Runs


def test_a_run_is_looked_at_once() -> None:
    seen: list[str] = []
    runs = Runs(lambda run: bool(seen.append(run)) or run.isupper())
    assert [runs[run] for run in ("quay", "QUAY", "quay", "QUAY")] == [False, True, False, True]
    assert seen == ["quay", "QUAY"]


@pytest.mark.parametrize("run", ["order-4711", "z" * 33])
def test_what_will_hardly_come_again_is_looked_at_each_time(run: str) -> None:
    seen: list[str] = []
    runs = Runs(lambda run: seen.append(run))
    assert [runs[run], runs[run]] == [None, None]
    assert seen == [run, run]
    assert not runs


def test_a_full_memory_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "vocabulary_cache_words_max", 3)
    runs = Runs(len)
    for run in ("a", "bb", "ccc", "dddd", "eeeee"):
        assert runs[run] == len(run)
        assert len(runs) <= 3
