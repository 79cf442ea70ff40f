"""Does anything rest on a row of a case, a proposal, a dial or a block that was altered in the file?"""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

import muniment
from muniment.errors import Tampered
from muniment.service.vault import Vault

Deed = Callable[[Vault], object]


def a_block(vault: Vault) -> Deed:
    vault.memory(action="add", block="memory", text="the heron nests at the weir")
    return lambda again: again.memory(action="add", block="memory", text="another entry")


def a_block_in_a_prompt(vault: Vault) -> Deed:
    vault.memory(action="add", block="memory", text="the heron nests at the weir")
    return lambda again: again.session("s", agent="coder").open()


def a_block_that_is_read(vault: Vault) -> Deed:
    vault.memory(action="add", block="memory", text="the heron nests at the weir")
    return lambda again: again.block("memory")


def a_proposal(vault: Vault) -> Deed:
    vault.set_dial("review", "all")
    vault.acting_as(actor="coder").remember("the heron nests at the weir")
    (waiting,) = vault.pending()
    return lambda again: again.approve(waiting.id, digest=waiting.digest, reason="seen")


def a_declined_proposal(vault: Vault) -> Deed:
    vault.set_dial("review", "all")
    vault.acting_as(actor="coder").remember("the heron nests at the weir")
    (waiting,) = vault.pending()
    return lambda again: again.decline(waiting.id, reason="seen")


def a_request_to_erase(vault: Vault) -> Deed:
    vault.remember("the heron nests at the weir")
    id, _ = vault.acting_as(actor="coder").ask_erasure(text="the heron nests at the weir")
    return lambda again: again.decline_erasure(id, reason="seen")


KINDS = (
    a_block, a_block_in_a_prompt, a_block_that_is_read, a_proposal, a_declined_proposal, a_request_to_erase,
)  # fmt: skip


def _altered(path: Path, column: str, said: str, forged: str) -> None:
    db = apsw.Connection(str(path))
    db.execute(f"UPDATE matter SET {column} = replace({column}, ?, ?)", (said, forged))
    assert db.changes()
    db.close()


@pytest.mark.parametrize("made", KINDS)
def test_nothing_rests_on_a_row_that_was_altered(tmp_path: Path, made: Callable[[Vault], Deed]) -> None:
    """An edit once put on record, as what it left, the text that somebody had slipped into a block."""
    path = tmp_path / "v.db"
    with muniment.open(path) as vault:
        deed = made(vault)
    _altered(path, "body", "weir", "dock")
    with muniment.open(path) as vault:
        before = vault.status().records
        with pytest.raises(Tampered):
            deed(vault)
        assert vault.status().records == before
        assert "altered-row" in {finding.kind for finding in vault.verify().findings}


@pytest.mark.parametrize("made", KINDS)
def test_the_same_deed_is_done_where_nothing_was_altered(
    tmp_path: Path, made: Callable[[Vault], Deed]
) -> None:
    path = tmp_path / "v.db"
    with muniment.open(path) as vault:
        deed = made(vault)
    with muniment.open(path) as vault:
        deed(vault)
        assert vault.verify().ok


def test_a_dial_that_was_turned_in_the_file_lets_nothing_be_written(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    with muniment.open(path) as vault:
        vault.set_dial("review", "all")
    _altered(path, "decision", "all", "off")
    with muniment.open(path) as vault, pytest.raises(Tampered):
        vault.acting_as(actor="coder").remember("the heron nests at the weir")


def test_a_dial_that_nobody_touched_makes_a_change_wait(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    with muniment.open(path) as vault:
        vault.set_dial("review", "all")
    with muniment.open(path) as vault:
        assert vault.acting_as(actor="coder").remember("the heron nests at the weir").verdict == "staged"
