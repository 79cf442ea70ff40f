"""What users of bounded memory reported elsewhere, tried here: each kind of fault by its name.

Every test holds a vault as an agent's host does, through sessions, and looks at what is left.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.service.session import Session
from muniment.service.vault import Vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with muniment.open(tmp_path / "vault.db") as made:
        yield made


def full(session: Session) -> tuple[str, ...]:
    """Fill the block `memory` to its last character with eleven entries; return them."""
    entries = [f"entry {number:02} {'x' * 188}" for number in range(11)]
    room = limits.memory_block_characters_max - sum(map(len, entries)) - 3 * 10
    entries[-1] += "y" * room
    for entry in entries:
        assert not session.memory(action="add", block="memory", text=entry).refused
    assert session.block("memory").used == limits.memory_block_characters_max
    return tuple(entries)


def test_fault_stale_session_rewrites_what_another_writer_had_grown(vault: Vault) -> None:
    stale, growing = vault.session("stale"), vault.session("growing")
    stale.memory(action="add", block="memory", text="tea")
    for number in range(5):
        growing.memory(action="add", block="memory", text=f"grown {number}")
    stale.memory(action="replace", block="memory", old="tea", text="milk")
    assert vault.block("memory").entries == ("milk", *(f"grown {number}" for number in range(5)))


def test_fault_replace_at_capacity_loops_and_the_turn_ends_without_a_reply(vault: Vault) -> None:
    session = vault.session("s")
    entries = full(session)
    session.append("user", "remember that the quay is wet")
    answers = [
        session.memory(action="replace", block="memory", old="quay", text="the quay is wet") for _ in "123"
    ]
    assert [one.reason for one in answers] == ["no-entry"] * 3
    assert answers[0].entries == entries
    assert answers[2].stop and "Answer the person now" in answers[2].next
    both = [{"action": "remove", "old": "entry 03"}, {"action": "add", "text": "the quay is wet"}]
    assert not session.memory(block="memory", operations=both).refused


def test_fault_a_partial_old_text_drops_the_rest_of_a_long_entry(vault: Vault) -> None:
    session = vault.session("s")
    long = "The deploy key rotates on Mondays; the staging one on Tuesdays; ask Ria for both."
    session.memory(action="add", block="memory", text=long)
    done = session.memory(action="replace", block="memory", old="on Mondays", text="The key rotates daily")
    assert done.replaced == (long,)
    assert not session.undo(done.edit).refused
    assert session.block("memory").entries == (long,)


def test_fault_a_background_batch_removes_every_entry_about_the_person(vault: Vault) -> None:
    session = vault.session("background")
    for text in ("one", "two", "three"):
        session.memory(action="add", block="user", text=text)
    gone = [{"action": "remove", "old": text} for text in ("one", "two", "three")]
    assert session.memory(block="user", operations=gone).reason == "empties-block"
    drop = [{"old": text, "drop": True} for text in ("one", "two", "three")]
    assert session.memory(action="consolidate", block="user", entries=drop).reason == "empties-block"
    assert len(session.block("user").entries) == 3


def test_fault_many_entries_become_few(vault: Vault) -> None:
    session = vault.session("s")
    entries = [f"note {number}" for number in range(28)]
    for entry in entries:
        session.memory(action="add", block="memory", text=entry)
    session.memory(action="replace", block="memory", old="note 13", text="thirteen")
    session.memory(action="remove", block="memory", old="note 20")
    session.memory(action="add", block="memory", text="note 28")
    expected = [entry.replace("note 13", "thirteen") for entry in entries if entry != "note 20"]
    assert session.block("memory").entries == (*expected, "note 28")


def test_fault_a_byte_order_mark_sticks_to_the_first_entry(vault: Vault) -> None:
    session = vault.session("s")
    session.memory(action="add", block="memory", text="\ufefftea\r\nat four")
    assert session.block("memory").entries == ("tea\nat four",)
    assert session.memory(action="add", block="memory", text="tea\nat four").reason == "duplicate-entry"


def test_fault_memory_is_believed_full_and_consolidated_away(vault: Vault) -> None:
    session = vault.session("s")
    done = session.memory(action="add", block="memory", text="x" * 1_408)
    assert done.usage == "64% (1,408 of 2,200)"
    drop = [{"old": "xx", "drop": True}, {"text": "it was full"}]
    done = session.memory(action="consolidate", block="memory", entries=drop)
    assert vault.read(done.notes[0]).text.endswith("x" * 1_408)
    assert not session.undo(done.edit).refused


def test_fault_a_batch_fails_four_of_five_times_without_a_reason(vault: Vault) -> None:
    session = vault.session("s")
    session.memory(action="add", block="memory", text="tea")
    good = {"action": "add", "text": "milk"}
    for number, bad in enumerate(
        (
            {"action": "remove", "old": "beer"},
            {"action": "add", "text": "TEA"},
            {"action": "replace", "old": "tea", "text": "tea"},
            {"action": "add", "text": "ok", "old": "x"},
        )
    ):
        refused = session.memory(block="memory", operations=[good, bad])
        assert refused.detail.startswith("Operation 2: "), number
    assert session.block("memory").entries == ("tea",)


def test_fault_one_block_about_the_person_serves_everybody_at_a_gateway(vault: Vault) -> None:
    for person in ("ada", "bo"):
        session = vault.session("chat", agent="gateway", space=f"people/{person}")
        session.memory(action="add", block="user", text=f"The person is {person}")
    for person in ("ada", "bo"):
        hand = vault.acting_as(actor="gateway", space=f"people/{person}")
        assert hand.block("user").entries == (f"The person is {person}",)


def test_fault_a_search_without_an_answer_for_scripts_without_spaces(vault: Vault) -> None:
    """What leaves a block is found again in any script."""
    session = vault.session("s")
    for text, part in (
        ("\u5927\u522b\u5c71\u5728\u5b89\u5fbd", "\u5927\u522b\u5c71"),
        ("Gr\u00fc\u00dfe aus Z\u00fcrich", "Z\u00fcrich"),
    ):
        session.memory(action="add", block="memory", text=text)
        session.memory(action="remove", block="memory", old=part)
        assert text in vault.recall(part).hits[0].text


def test_fault_short_words_without_spaces_turn_and_into_or_and_return_what_was_taken_back(
    vault: Vault,
) -> None:
    """Two words of two characters have to be there both, as longer ones have."""
    session = vault.session("s")
    for text in ("広西の桂林へ行く", "広西だけ", "桂林だけ", "広西と桂林の地図"):
        session.append("user", text)
    session.rewind()
    (one,) = vault.search("広西 桂林", window=0).sessions
    assert [hit.text for hit in one.turns] == ["広西の桂林へ行く"] and one.more == ()
    assert vault.search("広西 桂林", window=0).notes == ()
    for order in ("best", "newest", "oldest"):
        assert vault.search("地図", sort=order).sessions == ()


def test_fault_changes_wait_for_a_person_for_weeks_and_nobody_sees_them(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    session = vault.session("s")
    first = session.memory(action="add", block="memory", text="The gate is green")
    assert (first.verdict, first.waiting) == ("staged", 1)
    assert session.remember("The weir is low").verdict == "staged"
    vault.set_dial("review", "off")
    # Also an answer that has nothing to do with them says how many wait.
    assert session.memory(action="add", block="user", text="Likes tea").waiting == 2
    assert vault.status().pending == len(vault.pending()) == 2
    # In a space of its own an agent hears of none.
    other = vault.session("t", space="elsewhere")
    assert other.memory(action="add", block="user", text="Likes milk").waiting == 0
