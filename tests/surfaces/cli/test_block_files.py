"""Do the commands lay the blocks out as files, take a person's edit in, and mend what is none?"""

from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.service.vault import Vault
from tests.surfaces.cli.conftest import Home, Run


def blocks_of(place: Home) -> Path:
    return place.vault.with_name(f"{place.vault.name}.blocks")


def test_a_person_edits_a_block_in_an_editor(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "add", "user", "Prefers tea")
    made = quick(*place.owner, "memory", "files")
    assert (made.code, made.errors) == (0, "")
    assert str(blocks_of(place).name) in made.out.replace("\n", "").replace(" ", "")
    assert "written: user.md says what the block says." in made.out
    file = blocks_of(place) / "user.md"
    file.write_text(file.read_text() + "\n\u00a7\nWorks in Bern\n")
    shown = quick(*place.owner, "memory", "show", "user")
    assert shown.out.splitlines()[1:] == ["  - Prefers tea", "  - Works in Bern"]
    journal = quick(*place.owner, "log", "--edits").out
    assert "  file  user  by owner" in journal.splitlines()[0]


def test_what_is_no_edit_is_named_with_its_copy_and_mended(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "add", "user", "Prefers tea")
    quick(*place.owner, "memory", "files")
    file = blocks_of(place) / "user.md"
    file.write_text("Prefers milk \n\n")
    refused = quick(*place.owner, "memory", "add", "user", "Works in Bern")
    assert (refused.code, refused.code_shown) == (1, "drifted-file")
    assert "user.md.bak." in refused.errors.replace("\n", "").replace(" ", "")
    asked = quick(*place.owner, "--json", "memory", "files")
    assert asked.code == 5
    states = {one["block"]: one["state"] for one in asked.document["files"]}
    assert states == {"soul": "in-step", "memory": "in-step", "user": "refused"}
    assert "user.md" in quick(*place.owner, "status").out
    sick = quick(*place.owner, "doctor")
    assert sick.code == 5 and "NOT WELL: user.md was changed and not taken in." in sick.out
    mended = quick(*place.owner, "memory", "repair", "user")
    assert mended.code == 0 and mended.out.startswith("user.md was written from its block.")
    assert file.read_text() == "Prefers tea"
    as_json = quick(*place.owner, "--json", "memory", "repair", "user").document
    assert (as_json["state"], as_json["copy"]) == ("in-step", "")
    assert quick(*place.owner, "memory", "add", "user", "Works in Bern").code == 0
    assert quick(*place.owner, "doctor").code == 0


def test_an_unreadable_file_refuses_a_new_prompt_with_its_code(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "files")
    (blocks_of(place) / "soul.md").write_bytes(b"\xff")
    refused = quick(*place.owner, "prompt", "show")
    assert (refused.code, refused.code_shown) == (5, "unusable-block")
    assert "soul.md is no text in UTF-8" in refused.errors
    assert quick(*place.owner, "memory", "add", "soul", "x").code_shown == "unreadable-file"
    assert quick(*place.owner, "memory", "add", "user", "x").code == 0


def test_a_script_without_a_key_gets_no_files(quick: Run, place: Home) -> None:
    for command in (("files",), ("repair", "user")):
        refused = quick(*place.agent, "memory", *command)
        assert (refused.code, refused.code_shown) == (1, "refused")
    assert not blocks_of(place).exists()


def test_an_export_takes_no_block_files_place(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "files")
    refused = quick(*place.owner, "export", str(blocks_of(place) / "memory.md"))
    assert (refused.code, refused.code_shown) == (2, "bad-input")


def test_a_process_of_its_own_takes_the_edit_in(run: Run, place: Home) -> None:
    run(*place.owner, "memory", "files")
    (blocks_of(place) / "memory.md").write_text("The quay is wet\n")
    done = run(*place.owner, "memory", "add", "memory", "Tea is at four")
    assert "2 entries" in done.out
    assert (blocks_of(place) / "memory.md").read_text() == "The quay is wet\n\u00a7\nTea is at four"


Change = Callable[[Vault, Run, Home], object]

CHANGES: dict[str, Change] = {
    "session": lambda vault, quick, place: vault.session("s-1").memory(
        action="add", block="memory", text="Milk is out"
    ),
    "another session": lambda vault, quick, place: vault.session("s-9").memory(
        action="add", block="memory", text="Milk is out"
    ),
    "file": lambda vault, quick, place: (blocks_of(place) / "memory.md").write_text("Milk is out\n"),
    "command": lambda vault, quick, place: quick(*place.owner, "memory", "add", "memory", "Milk is out"),
}


@pytest.mark.parametrize("way", CHANGES)
def test_a_block_changed_in_mid_turn_in_any_way_leaves_the_running_prompt_as_it_was(
    quick: Run, place: Home, way: str
) -> None:
    quick(*place.owner, "memory", "add", "memory", "Tea is at four")
    quick(*place.owner, "memory", "files")
    with muniment.open(place.vault) as vault:
        session = vault.session("s-1")
        before = session.baseline
        session.append("user", "Is there milk?")
        CHANGES[way](vault, quick, place)
        assert session.baseline == before
        assert "Milk is out" in vault.block("memory").entries
        assert session.baseline == before
    with muniment.open(place.vault) as again:
        assert again.session("s-1").baseline == before
        assert "Milk is out" not in before
        assert "Milk is out" in again.session("s-2").baseline
        assert again.session("s-1").baseline == before
        assert again.verify().ok
