"""Is a block, or a name, of an older copy of the database cleared of all that was erased since?"""

from pathlib import Path

import pytest

from muniment.service.vault import Vault
from tests.builders import stored
from tests.erasure.planting import CODE, TWIN
from tests.erasure.test_bytes import left_of
from tests.erasure.test_older_copy import Home

KEPT = "Tea is at four"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def filled(vault: Vault) -> None:
    """Edit a block so that several lines of its journal hold two values and a third entry."""
    for text in (f"The locker is {CODE}", f"The spare one is {TWIN}", KEPT):
        assert not vault.memory(action="add", block="memory", text=text, call=f"call {CODE}").refused
    assert not vault.memory(action="replace", block="memory", old=KEPT, text=f"{KEPT}, always").refused
    vault.memory(action="add", block="user", text=f"{CODE} and {TWIN}")
    vault.acting_as(actor=f"agent {CODE} {TWIN}", space=f"acme/{CODE}/{TWIN}").remember("The ferry is late")
    vault.session("talk", agent="coder").append("user", "Tea?")
    vault.settle()


def said(vault: Vault) -> str:
    """Return all that blocks, their journal, prompts and names say."""
    return "\n".join(
        [
            *(str(vault.block(name)) for name in ("memory", "user")),
            *map(str, vault.edits(limit=100)),
            *map(str, vault.log(limit=100)),
            *map(str, vault.spaces()),
            str(vault.session("after", agent="coder").open().text),
        ]
    )


def cleared(home: Home, *values: str, before: int = 0) -> Vault:
    """Fill, erase the values one by one, put back the copy from before one of these, and accept it."""
    with home.opened() as vault:
        filled(vault)
    for at, value in enumerate(values):
        if at == before:
            home.copied()
        with home.opened() as vault:
            vault.erase(vault.plan_erasure(text=value))
            assert value not in said(vault)
    home.put_back()
    vault = home.opened()
    vault.checkpoint(new_epoch="older")
    return vault


def test_fault_a_block_of_an_older_file_goes_on_saying_what_was_erased(home: Home) -> None:
    """The journal of erasures did not say which entries went, so a line came back with all of them."""
    with cleared(home, CODE) as vault:
        text = said(vault)
        assert CODE not in text and TWIN in text
        assert vault.block("memory").entries == (f"The spare one is {TWIN}", f"{KEPT}, always")
        assert not [line.call for line in vault.edits() if "HERON" in line.call]
        assert not vault.undo(vault.edits(block="memory")[0].id).refused
        assert CODE not in said(vault) and vault.verify().findings == ()
    assert left_of(CODE, home.path) == set() and left_of(TWIN, home.path)


@pytest.mark.parametrize("before", [0, 1])
def test_fault_only_the_first_of_two_erasures_is_done_again_on_a_line_or_a_name(
    home: Home, before: int
) -> None:
    """What the first one put back has another record than the second one knew it by."""
    with cleared(home, CODE, TWIN, before=before) as vault:
        text = said(vault)
        assert CODE not in text and TWIN not in text and "HERON" not in text
        assert vault.block("memory").entries == (f"{KEPT}, always",)
        assert vault.block("user").entries == ()
        assert vault.verify().findings == ()
    assert left_of(CODE, home.path) == left_of(TWIN, home.path) == set()


def test_an_entry_of_a_later_line_with_the_same_number_stays(home: Home) -> None:
    """The edge: what took a number again after an older file was accepted is another line."""
    with home.opened() as vault:
        filled(vault)
    home.copied()
    with home.opened() as vault:
        vault.memory(action="add", block="memory", text=f"Once more {CODE}")
        vault.erase(vault.plan_erasure(text=CODE))
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        assert not vault.memory(action="add", block="memory", text="Cake is at five").refused
        stored(vault.remember("The otter is called Nell"))
    with home.opened() as vault:
        assert vault.block("memory").entries[-1] == "Cake is at five"
        assert CODE not in said(vault) and vault.verify().ok
