"""Do the blocks go out and come in with a vault, word for word, and survive what a vault survives?"""

from pathlib import Path

import pytest

import muniment
from muniment.domain.block import DELIMITER, parsed
from muniment.errors import MissingKey
from muniment.service.vault import Vault
from tests.service.test_blocks import filled, landed

TEXTS = ("tea \u00a7 four", "two\nlines", "\U0001f9a6 otters", "caf\u00e9 and cafe\u0301", "\u00a7")


@pytest.fixture
def lived(tmp_path: Path) -> Vault:
    """Return a vault in a file whose blocks were edited in every way."""
    vault = muniment.open(tmp_path / "home.db")
    session = vault.session("s-1", agent="coder")
    filled(vault, "I am careful", block="soul")
    filled(session, *TEXTS)
    filled(session, "Prefers short answers", block="user")
    landed(session.memory(action="remove", block="memory", old="otters", call="call-1"))
    done = landed(session.memory(action="replace", block="user", old="short", text="Prefers long answers"))
    landed(session.undo(done.edit))
    return vault


def held(vault: Vault) -> dict[str, tuple[str, ...]]:
    return {name: vault.block(name).entries for name in ("soul", "memory", "user")}


def test_a_restored_vault_has_the_same_blocks_and_the_same_journal(lived: Vault, tmp_path: Path) -> None:
    with lived:
        lived.export(tmp_path / "out.jsonl")
        blocks, journal = held(lived), lived.edits(limit=1_000)
    assert len(journal) == 10
    with muniment.open(tmp_path / "again.db") as again:
        again.restore(tmp_path / "out.jsonl")
        assert held(again) == blocks
        assert again.edits(limit=1_000) == journal
        assert again.verify().ok


def test_a_restored_journal_goes_on_and_its_latest_edit_is_taken_back(lived: Vault, tmp_path: Path) -> None:
    with lived:
        lived.export(tmp_path / "out.jsonl")
        latest = lived.block("memory").edit
    with muniment.open(tmp_path / "again.db") as again:
        again.restore(tmp_path / "out.jsonl")
        back = landed(again.undo(latest))
        assert back.added == ("\U0001f9a6 otters",)
        assert back.edit not in {line.id for line in again.edits(limit=1_000)[1:]}
        assert again.verify().ok


def test_an_export_of_a_restored_vault_holds_the_same_lines(lived: Vault, tmp_path: Path) -> None:
    with lived:
        lived.export(tmp_path / "one.jsonl")
    with muniment.open(tmp_path / "again.db") as again:
        again.restore(tmp_path / "one.jsonl")
        again.export(tmp_path / "two.jsonl")

    def lines(name: str) -> list[str]:
        text = (tmp_path / name).read_text(encoding="utf-8")
        return [line for line in text.splitlines() if '"block-' in line]

    assert len(lines("one.jsonl")) == 10
    assert lines("two.jsonl") == lines("one.jsonl")


def test_an_import_takes_notes_in_and_leaves_the_blocks_alone(lived: Vault, tmp_path: Path) -> None:
    """What stands in every prompt is not set by a file that somebody hands over."""
    with lived:
        lived.export(tmp_path / "out.jsonl")
    with muniment.open(tmp_path / "other.db") as other:
        filled(other, "mine")
        other.import_(tmp_path / "out.jsonl")
        assert held(other) == {"soul": (), "memory": ("mine",), "user": ()}
        assert any("otters" in hit.text for hit in other.recall("otters").hits)


def test_the_index_made_anew_finds_no_entry_and_every_note(lived: Vault) -> None:
    with lived:
        before = held(lived)
        lived.reindex()
        assert held(lived) == before
        assert [hit.text.splitlines()[-1] for hit in lived.recall("otters").hits] == ["\U0001f9a6 otters"]
        assert lived.recall("who prefers short answers?").hits == ()


def test_a_vault_without_its_keys_shows_its_blocks_and_takes_no_edit(lived: Vault, tmp_path: Path) -> None:
    with lived:
        blocks = held(lived)
    for file in (tmp_path / "home.db.keys").iterdir():
        if file.name != "witness.jsonl" and file.is_file():
            file.rename(tmp_path / f"away-{file.name}")
    with pytest.raises(MissingKey), muniment.open(tmp_path / "home.db") as bare:
        assert held(bare) == blocks
        bare.memory(action="add", block="memory", text="x")


def test_the_joined_text_of_a_block_comes_apart_again(lived: Vault) -> None:
    with lived:
        shown = lived.block("memory")
        assert shown.text == DELIMITER.join(shown.entries)
        assert parsed(shown.text) == shown.entries
        assert shown.used == len(shown.text)


def test_doctor_and_status_are_well_with_blocks(lived: Vault) -> None:
    with lived:
        assert all(check.well for check in lived.doctor())
        assert lived.status() is not None
