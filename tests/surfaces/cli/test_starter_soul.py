"""Does a vault begin with a soul, and is the owner's own never written over?"""

from importlib import resources
from pathlib import Path

import muniment
from muniment.domain.block import BOUNDS, Block, characters, parsed
from muniment.domain.block_file import entries_in
from muniment.prompt.standing import GUIDANCE
from tests.surfaces.cli.conftest import Home, Run

SHIPPED = resources.files("muniment").joinpath("data/soul.md").read_bytes()


def soul(quick: Run, place: Home) -> list[str]:
    found = quick(*place.owner, "--json", "memory", "show", "soul").document
    return list(found["blocks"][0]["entries"])


def test_a_vault_begins_with_a_soul_that_stands_in_every_prompt(quick: Run, place: Home) -> None:
    entries = parsed(SHIPPED.decode())
    assert soul(quick, place) == [entry.strip() for entry in entries] != []
    shown = quick(*place.owner, "--json", "prompt", "show").document
    first = shown["parts"][0]
    assert (first["name"], first["tier"]) == ("soul", "stable")
    assert shown["text"].index(entries[0]) < shown["text"].index(GUIDANCE.splitlines()[0])
    line = quick(*place.owner, "--json", "log", "--edits").document["edits"][0]
    assert (line["actor"], line["block"], line["action"]) == ("muniment", "soul", "batch")
    assert line["call"] == "starter-soul", "nobody is taken for who wrote it"


def test_making_a_vault_says_that_it_has_a_soul(quick: Run, place: Home) -> None:
    made = quick("--vault", str(place.vault.with_name("w.db")), "init")
    assert "muniment memory show soul" in made.out.replace("\n", " ")


def test_a_soul_of_ones_own_is_never_written_over(quick: Run, place: Home) -> None:
    for number, entry in enumerate(soul(quick, place)):
        if number:
            quick(*place.owner, "memory", "remove", "soul", entry)
        else:
            quick(*place.owner, "memory", "replace", "soul", entry, "I am my own")
    assert quick(*place.owner, "init").code == 0
    assert soul(quick, place) == ["I am my own"]
    quick(*place.owner, "memory", "remove", "soul", "I am my own")
    assert quick(*place.owner, "init").code == 0
    assert soul(quick, place) == [], "what the owner took out stays out"


def test_fault_something_built_in_that_was_taken_out_comes_back_as_if_learned(
    quick: Run, place: Home, tmp_path: Path
) -> None:
    """Not by a second `init`, a new index, a migration, another process, or an export that is restored."""
    built_in = soul(quick, place)
    gone, kept = built_in[0], built_in[1]
    quick(*place.owner, "memory", "remove", "soul", gone)
    left = soul(quick, place)
    assert gone not in left and kept in left
    copy, second = tmp_path / "vault.jsonl", tmp_path / "second.db"
    for arguments in (["init"], ["reindex"], ["migrate"], ["doctor"]):
        assert quick(*place.owner, *arguments).code == 0, arguments
        assert soul(quick, place) == left, arguments
    assert quick(*place.owner, "export", str(copy)).code == 0
    assert quick("--vault", str(second), "restore", str(copy), "--yes").code == 0
    with muniment.open(second) as vault:
        assert list(vault.block("soul").entries) == left
        lines = [line for line in vault.edits(block="soul") if gone in line.after]
        assert {line.actor for line in lines} == {"muniment"}, "what is left of it is still marked"
    shown = quick(*place.owner, "--json", "log", "--edits").document["edits"]
    assert [line["actor"] for line in shown] == ["owner", "muniment"], "taken out by a person, once"


def test_a_vault_that_is_there_already_is_left_as_it_is(quick: Run, place: Home) -> None:
    path = place.vault.with_name("own.db")
    with muniment.open(path) as vault:
        vault.remember("The quay is wet")
    assert quick("--vault", str(path), "init").code == 0
    with muniment.open(path) as vault:
        assert vault.block("soul").entries == ()


def test_what_ships_fits_its_block_and_is_a_file_like_any_other() -> None:
    entries = entries_in(SHIPPED)
    assert entries is not None and len(entries) > 3
    assert characters(entries) < BOUNDS[Block.SOUL] / 2, "most of the room is the owner's"
