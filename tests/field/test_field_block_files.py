"""Do texts with signs of YAML and front matter come back from a block's file as they were?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.service.vault import Vault
from tests.builders import CountingIds, FakeClock, World
from tests.filed import Filed, filed

FRONT = "---\ntitle: The weir\ntags: [a, 'b', \"c\"]\n---\n\nIt is low.\n\n---\n\n# Not a comment"


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Filed]:
    with muniment.open(tmp_path / "vault.db") as vault:
        yield filed(World(vault, FakeClock(), CountingIds(), tmp_path, "sqlite"))


def both_ways(held: Filed, text: str) -> None:
    """Bring a text in by a call and by a file, and hold that each shows it byte for byte."""
    assert not held.vault.memory(action="add", block="memory", text=text).refused
    assert held.path().read_bytes() == text.encode()
    held.path("user").write_bytes(text.encode() + b"\n")
    assert held.vault.block("user").entries == (text,)


@pytest.mark.parametrize("text", ["Plan: phase 2 (split: core)", "a: b: c", "- x: |\n  y", "key: {a: [b}"])
def test_field_41_a_colon_in_a_title_breaks_nothing(held: Filed, text: str) -> None:
    both_ways(held, text)


@pytest.mark.parametrize(
    "text",
    ["PR #762 and #800", 'He said "no" and \'yes\' and \\"both\\"', "# a heading", "%TAG ! &a *b", "~"],
)
def test_field_43_signs_quotes_and_numbers_stay_as_they_were(held: Filed, text: str) -> None:
    both_ways(held, text)


def written_back(held: Filed, vault: Vault) -> None:
    """Write every block back as it was read: its text into the file, each entry over itself."""
    for block in ("memory", "user"):
        held.path(block).write_text(vault.block(block).text, "utf-8")
        for entry in vault.block(block).entries:
            done = vault.memory(action="replace", block=block, old=entry, text=entry)
            assert done.reason == "unchanged"


def test_field_44_an_edit_of_what_was_read_changes_nothing_front_matter_too(held: Filed) -> None:
    both_ways(held, FRONT)
    before = [held.vault.block(block) for block in ("memory", "user")]
    written_back(held, held.vault)
    assert [held.vault.block(block) for block in ("memory", "user")] == before
    assert held.entries() == held.entries("user") == (FRONT,)
    assert len(held.vault.edits()) == 2, "no edit was made of it"
