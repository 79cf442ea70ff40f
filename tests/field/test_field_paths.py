"""Is a directory of Windows a space, and a source, however its path is written?"""

from pathlib import PureWindowsPath

import pytest

from muniment.service.vault import Vault
from tests.builders import stored, texts


@pytest.mark.parametrize(
    "written", [r"D:\work\v3_26", "d:/work/v3_26", str(PureWindowsPath("D:/work", "v3_26"))]
)
def test_field_88_a_directory_of_windows_is_one_space_however_its_path_is_written(
    vault: Vault, written: str
) -> None:
    kept = stored(vault.remember("The pump room is on deck nine", space=r"D:\work\v3_26"))
    there = vault.acting_as(actor="coder", space=written)
    assert there.principal.home == "D:/work/v3_26"
    assert texts(there, "which deck is the pump room on") == [there.read(kept.id).text]
    stored(vault.remember("The pump runs at noon", space=written))
    assert [row.path for row in vault.spaces() if "v3" in row.path] == ["D:/work/v3_26"]


@pytest.mark.parametrize("beside", [r"D:\work\v3_2", r"D:\work\v3_27\sub", r"E:\work\v3_26", "D--work-v3_26"])
def test_field_88_a_directory_beside_it_is_another_space(vault: Vault, beside: str) -> None:
    stored(vault.remember("The pump room is on deck nine", space=r"D:\work\v3_26"))
    assert texts(vault.acting_as(actor="coder", space=beside), "pump room deck") == []


def test_field_88_a_source_with_a_drive_and_backslashes_is_found_by_itself(vault: Vault) -> None:
    source = r"D:\work\v3_26\notes.md"
    vault.ingest("The pump room is on deck nine.", source=source)
    vault.ingest("The galley is on deck two.", source=source + ".old")
    assert [hit.text for hit in vault.recall("pump room").hits] == ["The pump room is on deck nine."]
    vault.erase(vault.plan_erasure(source=source))
    assert not vault.recall("pump room").hits
    assert [hit.text for hit in vault.recall("galley").hits] == ["The galley is on deck two."]
