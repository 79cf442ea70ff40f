"""Is a value gone from every file once it is erased, where it stood in every place that holds text?"""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from bench import erasing, measure
from bench.texts import Texts


@pytest.fixture
def values() -> tuple[str, str]:
    chance = random.Random(5)
    return erasing.value_of(chance), erasing.value_of(chance)


def test_a_value_goes_from_every_place_and_its_neighbour_stays(
    tmp_path: Path, values: tuple[str, str]
) -> None:
    value, twin = values
    path = tmp_path / "vault.db"
    with measure.opened(path, embedder=True) as vault:
        erasing.filled(vault, Texts(), 300)
        erasing.planted(vault, value, place=tmp_path)
        erasing.planted(vault, twin, place=tmp_path)
        vault.settle()
        before = erasing.said(path, twin)
        assert (
            min(before.values()) > 0
            and min(erasing.said(path, value).values()) > 0
            and erasing.left_of(value, tmp_path)
        )
        note = vault.erase(vault.plan_erasure(text=value))
        assert note.status.value == "storage-complete" and "files searched" in note.steps
        assert erasing.left_of(value, tmp_path) == {}
        assert erasing.said(path, twin) == before
        assert vault.verify().ok
        exported = vault.export(tmp_path / "all.jsonl")
        assert exported and erasing.left_of(value, tmp_path) == {}
    assert erasing.left_of(value, tmp_path) == {}
    assert erasing.left_of(twin, tmp_path)


@pytest.mark.parametrize("spelled", ["as it is", "small", "utf-16-le", "utf-16-be", "part"])
def test_what_is_left_of_a_value_is_seen_in_whatever_file(
    tmp_path: Path, values: tuple[str, str], spelled: str
) -> None:
    value = values[0]
    forms = {"as it is": value.encode(), "small": value.lower().encode(), "part": value[9:17].encode()}
    held = forms.get(spelled) or value.encode(spelled)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(b"." * 4_001 + held + b".")
    (tmp_path / "other").write_bytes(value[3:10].encode())
    assert list(erasing.left_of(value, tmp_path)) == ["file"]


def test_an_erasure_that_fails_is_counted() -> None:
    bad = erasing.Erased(plans=[1.0], deeds=[7.0], merges=[1.0], left=1, lost=0, incomplete=1)
    verdicts = {one.name: one.verdict for one in bad.figures()}
    assert list(verdicts.values()) == ["OVER", "OVER", "ok", "OVER"]
    good = replace(bad, deeds=[6.0], left=0, incomplete=0)
    assert {one.verdict for one in good.figures()} == {"ok"}


def test_a_quick_look_keeps_nothing_and_measures_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing.report, "RESULTS", tmp_path / "results")
    found = erasing.run(measure.Plan(tmp_path, quick=True), sync=1.0)
    assert {one.verdict for one in found[1:]} == {"ok"}
    assert not (tmp_path / "results").exists()


def test_the_kept_results_are_within_their_bounds() -> None:
    kept = json.loads((measure.ROOT / "bench" / "results" / "erasing.json").read_text(encoding="utf-8"))
    assert {one["verdict"] for one in kept["figures"]} == {"ok"}
