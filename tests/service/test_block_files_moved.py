"""Do the files follow a vault that is restored, put back from an older copy, or handed to a key's holder?"""

import shutil
from pathlib import Path

import pytest

import muniment
from muniment.errors import Refusal
from muniment.service.vault import Vault
from tests.service.test_blocks import filled, landed


def opened(path: Path) -> Vault:
    return muniment.open(path)


def text(path: Path, block: str = "memory") -> str:
    return (path.with_name(f"{path.name}.blocks") / f"{block}.md").read_text("utf-8")


def test_a_restored_vault_writes_its_blocks_into_files_that_were_there(tmp_path: Path) -> None:
    with opened(tmp_path / "one.db") as vault:
        filled(vault, "tea", "milk")
        vault.export(tmp_path / "export")
    two = tmp_path / "two.db"
    with opened(two) as vault:
        vault.block_files()
        assert text(two) == ""
        vault.restore(tmp_path / "export")
        assert vault.block("memory").entries == ("tea", "milk")
        assert text(two) == "tea\n\u00a7\nmilk"


def test_what_lay_in_a_file_before_a_restore_meets_the_block_by_entries(tmp_path: Path) -> None:
    with opened(tmp_path / "one.db") as vault:
        filled(vault, "tea")
        vault.export(tmp_path / "export")
    two = tmp_path / "two.db"
    with opened(two) as vault:
        vault.block_files()
        (two.with_name("two.db.blocks") / "memory.md").write_text("bread\n")
        vault.restore(tmp_path / "export")
        assert vault.block("memory").entries == ("tea", "bread")


def test_an_older_database_beside_newer_files_keeps_what_they_hold(tmp_path: Path) -> None:
    path, keys = tmp_path / "vault.db", tmp_path / "vault.db.keys"
    with opened(path) as vault:
        filled(vault, "tea")
        vault.block_files()
    shutil.copy(path, tmp_path / "older")
    shutil.copytree(keys, tmp_path / "older.keys")
    with opened(path) as vault:
        filled(vault, "milk")
        assert text(path) == "tea\n\u00a7\nmilk"
    shutil.rmtree(keys)
    shutil.copytree(tmp_path / "older.keys", keys)
    shutil.copy(tmp_path / "older", path)
    with opened(path) as vault:
        report = vault.block_files()
        assert "newer state of the vault" in report.files[1].sentence
        assert vault.block("memory").entries == ("tea",)
    assert text(path) == "tea"
    (copy,) = path.with_name("vault.db.blocks").glob("memory.md.bak.*")
    assert copy.read_text("utf-8") == "tea\n\u00a7\nmilk"


def test_a_file_of_another_vault_is_not_taken_in(tmp_path: Path) -> None:
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    for path, entry in ((one, "tea"), (two, "bread")):
        with opened(path) as vault:
            filled(vault, entry)
            vault.block_files()
    shutil.rmtree(two.with_name("two.db.blocks"))
    shutil.copytree(one.with_name("one.db.blocks"), two.with_name("two.db.blocks"))
    with opened(two) as vault:
        assert vault.block_files().files[1].state == "refused"
        assert vault.block("memory").entries == ("bread",)
        assert vault.repair_block("memory").state == "in-step"


@pytest.mark.parametrize(
    ("role", "may"), [("owner", True), ("admin", False), ("member", False), ("agent", False)]
)
def test_the_files_are_for_a_key_of_the_owner_alone(tmp_path: Path, role: str, *, may: bool) -> None:
    path = tmp_path / "vault.db"
    with opened(path) as vault:
        key, _ = vault.make_key(actor="ada", role=role)
    with muniment.open(path, key) as held:
        if may:
            assert held.block_files().files
            return
        with pytest.raises(Refusal):
            held.block_files()
    assert not path.with_name("vault.db.blocks").exists()


def test_an_agents_use_takes_in_what_the_owner_saved_as_the_owners(tmp_path: Path) -> None:
    """The agent is only who looked first: the edit is of the one who may write the directory."""
    path = tmp_path / "vault.db"
    with opened(path) as vault:
        vault.block_files()
        key, _ = vault.make_key(actor="coder", role="agent")
    (path.with_name("vault.db.blocks") / "soul.md").write_text("I am careful\n")
    with muniment.open(path, key) as agent:
        landed(agent.memory(action="add", block="memory", text="tea"))
    with opened(path) as vault:
        line = vault.edits(block="soul")[0]
        assert (line.actor, line.action, line.after) == ("owner", "file", ("I am careful",))


def test_files_that_a_renamed_vault_left_behind_are_named(tmp_path: Path) -> None:
    """Nobody looks at them, so whoever edits there is told, and what lies there is not forgotten."""
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with opened(old) as vault:
        filled(vault, "tea")
        vault.block_files()
    for ending in ("", ".keys"):
        old.with_name(f"old.db{ending}").rename(new.with_name(f"new.db{ending}"))
    with opened(new) as vault:
        check = next(one for one in vault.doctor() if one.name == "files")
        assert not check.well
        assert str(tmp_path / "old.db.blocks") in check.sentence and "new.db.blocks" in check.sentence
        assert vault.status().files == check.sentence
    (tmp_path / "old.db.blocks").rename(tmp_path / "new.db.blocks")
    with opened(new) as vault:
        assert next(one for one in vault.doctor() if one.name == "files").well
        assert vault.status().files == "Every block file says what its block says."


def test_files_of_another_vault_that_is_gone_are_no_matter_of_this_one(tmp_path: Path) -> None:
    with opened(tmp_path / "other.db") as vault:
        filled(vault, "tea")
        vault.block_files()
    (tmp_path / "other.db").unlink()
    shutil.rmtree(tmp_path / "other.db.keys")
    with opened(tmp_path / "mine.db") as vault:
        filled(vault, "tea")
        assert next(one for one in vault.doctor() if one.name == "files").well
        assert vault.status().files == "No block files are used."
