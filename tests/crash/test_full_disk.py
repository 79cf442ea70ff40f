"""What can still be done when the disk is full?  Read, export elsewhere, and take out of use."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import muniment
from muniment import limits
from muniment.domain.check import Check
from muniment.errors import FullDisk
from muniment.service.vault import Vault
from muniment.store.sqlite.reserve import Reserve
from tests.builders import stored
from tests.conftest import ROOT


def _on_a_small_disk(place: Path, kind: str, room: int) -> Mapping[str, Any]:
    disk = place / "disk"
    disk.mkdir()
    driver = Path(__file__).with_name("small_disk.py")
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, str(driver), str(disk / "vault.db"), kind, str(room)],
        env=os.environ | {"PYTHONPATH": path, "MUNIMENT_EMBEDDER": "off"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Return what a vault said on a disk that was filled to the last byte."""
    return _on_a_small_disk(tmp_path_factory.mktemp("full"), "quota", 3_400_000)


def test_a_full_disk_leaves_every_acknowledged_row_readable(full: Mapping[str, Any]) -> None:
    assert full["made"] > 50
    assert full["readable"]
    assert full["recalled"] == 5
    assert full["verified"]


def test_a_full_disk_gives_the_reserve_up_and_the_doctor_counts_it(full: Mapping[str, Any]) -> None:
    assert not full["reserve_after_full"]
    assert full["checks"]["reserve"] is False
    assert all(well for name, well in full["checks"].items() if name not in ("reserve", "kept"))


def test_on_a_full_disk_things_are_taken_out_of_use_and_nothing_new_is_stored(
    full: Mapping[str, Any],
) -> None:
    assert full["retired"] == [""] * 10
    assert full["rejected"] == [""] * 5
    assert full["withdrawn"] == 15
    assert full["still_refused"] == "full-disk"


def test_a_full_disk_does_not_keep_an_export_from_another_disk(full: Mapping[str, Any]) -> None:
    assert full["export"] == ""


def test_with_room_again_writing_goes_on_and_the_reserve_is_made_anew(full: Mapping[str, Any]) -> None:
    assert full["with_room"] == ""
    assert full["reserve_again"]


def test_a_limit_on_the_size_of_files_is_called_a_full_disk(tmp_path: Path) -> None:
    said = _on_a_small_disk(tmp_path, "limit", 1_500_000)
    assert said["made"] > 10
    assert said["readable"] and said["verified"]
    assert said["still_refused"] == "full-disk"


@pytest.fixture(scope="module")
def erased(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Return what erasures said on a disk without a byte to spare."""
    return _on_a_small_disk(tmp_path_factory.mktemp("erased"), "erasing", 0)


def test_on_a_disk_full_to_the_last_byte_an_erasure_takes_the_reserve_and_ends(
    erased: Mapping[str, Any],
) -> None:
    assert erased["reserve_before"]
    assert erased["with_reserve"] == "storage-complete"
    assert erased["lines"] == 1, "the journal's line had room, too"


def test_without_a_reserve_an_erasure_is_refused_as_a_whole(erased: Mapping[str, Any]) -> None:
    assert erased["without_reserve"] == "full-disk"
    assert erased["lines_then"] == 1 and erased["still_there"] >= 2
    assert erased["verified"]


def test_an_erasure_that_a_full_disk_refused_is_done_once_there_is_room(erased: Mapping[str, Any]) -> None:
    assert erased["with_room"] == "storage-complete"
    assert erased["verified_then"] and erased["left"] == []


def _reserve(vault: Vault) -> Check:
    return next(check for check in vault.doctor() if check.name == "reserve")


def test_a_vault_is_born_with_a_private_reserve_of_real_blocks(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        found = (tmp_path / "vault.db.reserve").stat()
        assert found.st_size == limits.reserve_bytes
        assert found.st_blocks * 512 >= limits.reserve_bytes
        assert found.st_mode & 0o777 == 0o600
        assert _reserve(vault).well


def test_a_vault_without_its_reserve_gets_one_with_the_next_write(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        id = stored(vault.remember("the otter sleeps")).id
        (tmp_path / "vault.db.reserve").unlink()
        assert not _reserve(vault).well
        # What takes away does not ask for room, so that it works where there is none.
        stored(vault.retire(id))
        assert not _reserve(vault).well
        stored(vault.remember("the otter wakes"))
        assert _reserve(vault).well


class _NoRoom(Reserve):
    """A reserve on a disk that has no room for it."""

    def make(self) -> bool:
        return False


@pytest.mark.parametrize("act", ["remember", "revise", "append", "succeed"])
def test_without_a_reserve_and_without_room_nothing_that_adds_is_stored(tmp_path: Path, act: str) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        id = stored(vault.remember("the otter sleeps")).id
        size = vault.status().records
        (tmp_path / "vault.db.reserve").unlink()
        beside = vault.ground.store._beside
        object.__setattr__(beside, "room", _NoRoom(tmp_path / "vault.db.reserve", cut_log=lambda: None))
        deeds = {
            "remember": lambda: vault.remember("the otter wakes"),
            "revise": lambda: vault.revise(id, "the otter wakes"),
            "succeed": lambda: vault.succeed(id, "the otter wakes"),
            "append": lambda: vault.session("s", agent="a").append("user", "the otter wakes"),
        }
        with pytest.raises(FullDisk) as refused:
            deeds[act]()
        assert "second try" in refused.value.advice
        assert vault.status().records == size
        for way_out in (vault.retract, vault.reject):
            assert way_out(id).verdict == "stored"


def test_a_reserve_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cuts = tmp_path / "vault.db.reserve", []
    reserve = Reserve(path, cut_log=lambda: cuts.append(1))
    assert not reserve.is_kept()
    assert reserve.make()
    assert reserve.is_kept()
    os.truncate(path, 10)
    assert not reserve.is_kept(), "a file of another size keeps nothing back"
    reserve.give_up()
    assert (path.exists(), cuts) == (False, [1])
    monkeypatch.setattr(limits, "reserve_bytes", 1 << 60)
    assert not reserve.make(), "no disk has as much room"
    assert not path.exists()
