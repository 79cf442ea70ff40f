"""Does an erasure reach every line of a block's journal, and leave the other entries where they are?"""

import pytest

from muniment.service.session import Session
from muniment.service.vault import Vault
from tests.builders import World
from tests.erasure.planting import CODE, TWIN
from tests.service.test_blocks import filled, landed


def said(vault: Vault) -> str:
    """Return all that the blocks, their journal and the notes say."""
    blocks = [str(vault.block(name)) for name in ("soul", "memory", "user")]
    return "\n".join([*blocks, str(vault.edits(limit=1_000)), str(vault.recall("locker code", k=50).hits)])


def lived_in(vault: Vault) -> Session:
    """Let a value and its twin stand in each block, leave it, and come back."""
    session = vault.session("s-1", agent="coder")
    for text in (f"The locker code is {CODE}", f"The spare one is {TWIN}", "Tea is at four"):
        filled(session, text)
        filled(session, text, block="user")
        filled(vault, text, block="soul")
    landed(session.memory(action="remove", block="user", old=CODE))
    landed(session.memory(action="replace", block="memory", old="Tea", text="Tea is at five"))
    landed(session.memory(action="note", text=f"Ria asked for {CODE} and {TWIN}"))
    return session


def test_an_erased_value_stands_in_no_block_no_line_and_no_note(vault: Vault) -> None:
    lived_in(vault)
    assert said(vault).count(CODE) > 10
    twins = said(vault).count(TWIN)
    vault.erase(vault.plan_erasure(text=CODE))
    assert CODE not in said(vault)
    assert said(vault).count(TWIN) == twins
    assert vault.verify().ok


def test_what_stands_beside_an_erased_entry_stays_where_it_was(vault: Vault) -> None:
    """A line that only went would have put the block back to what it held days before."""
    lived_in(vault)
    vault.erase(vault.plan_erasure(text=CODE))
    assert vault.block("memory").entries == (f"The spare one is {TWIN}", "Tea is at five")
    assert vault.block("user").entries == (f"The spare one is {TWIN}", "Tea is at four")
    lines = vault.edits(block="memory")
    for later, earlier in zip(lines, lines[1:], strict=False):
        assert later.before == earlier.after


def test_the_journal_goes_on_after_an_erasure(world: World) -> None:
    session = lived_in(world.vault)
    world.vault.erase(world.vault.plan_erasure(text=CODE))
    latest = world.vault.block("memory").edit
    done = landed(session.memory(action="add", block="memory", text="Milk is out"))
    assert done.edit > latest
    again = world.restarted()
    assert again.block("memory").entries[-1] == "Milk is out"
    assert landed(again.undo(done.edit)).count == 2
    assert again.verify().ok


def test_an_erased_value_comes_back_into_no_block_by_any_operation(vault: Vault) -> None:
    session = lived_in(vault)
    vault.erase(vault.plan_erasure(text=CODE))
    text = f"the code was {CODE.lower()}"
    for fields in (
        {"action": "add", "text": text},
        {"action": "replace", "old": "Tea", "text": text},
        {"operations": [{"action": "add", "text": text}]},
    ):
        for hand in (session, vault):
            assert hand.memory(block="memory", **fields).refused  # type: ignore[arg-type]  # a table of calls
    assert CODE.lower() not in said(vault).lower()


def test_an_undo_brings_no_erased_entry_back(vault: Vault) -> None:
    session = vault.session("s-1", agent="coder")
    filled(session, f"The locker code is {CODE}", "Tea is at four")
    done = landed(session.memory(action="remove", block="memory", old=CODE))
    vault.erase(vault.plan_erasure(text=CODE))
    session.undo(done.edit)
    assert vault.block("memory").entries == ("Tea is at four",)
    assert CODE not in said(vault)


@pytest.mark.parametrize("text", [f"line one\n{CODE}\nline three", f"\u00a7 {CODE} \u00a7", f'"{CODE}"'])
def test_no_mark_beside_a_value_hides_it_from_an_erasure(vault: Vault, text: str) -> None:
    filled(vault, text, "Tea is at four")
    vault.erase(vault.plan_erasure(text=CODE))
    assert vault.block("memory").entries == ("Tea is at four",)
    assert CODE not in said(vault)


def test_a_plan_counts_the_lines_and_says_why_they_change(vault: Vault) -> None:
    lived_in(vault)
    plan = vault.plan_erasure(text=CODE)
    assert "says it" in str(plan)
    assert CODE in said(vault), "a plan changes nothing"


@pytest.mark.parametrize("text", ["Straße 7 in Zürich, zweiter Stock", "first line\nand a second one of it"])
def test_an_erasure_reaches_what_waits_in_any_script(vault: Vault, text: str) -> None:
    """A waiting change is spelled with escapes, which must not hide it from who looks for it."""
    vault.set_dial("review", "agent")
    session = vault.session("s-1", agent="coder")
    session.memory(action="add", block="memory", text=text)
    session.remember(f"{text}!")
    session.memory(action="add", block="memory", text="Tea is at four")
    assert len(vault.pending()) == 3
    vault.erase(vault.plan_erasure(text=text))
    assert [one.text for one in vault.pending()] == ["Tea is at four"]
    assert vault.verify().ok


def test_an_erasure_takes_what_was_declined_and_its_text_stays_out(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    session = vault.session("s-1", agent="coder")
    filled(vault, f"The locker code is {CODE}")
    waits = session.memory(action="remove", block="memory", old="locker")
    vault.decline(waits.proposal, reason=f"{CODE} is right")
    vault.erase(vault.plan_erasure(text=CODE))
    assert CODE not in str(vault.pending(state="all"))
    assert vault.block("memory").entries == ()
    assert vault.verify().ok
