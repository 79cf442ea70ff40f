"""Does the journal of the blocks say who changed what, and is only the latest edit taken back?"""

from collections.abc import Sequence

import pytest

from muniment.service.session import Session
from muniment.service.vault import Vault
from tests.builders import FakeClock
from tests.service.test_blocks import filled, landed


@pytest.fixture
def session(vault: Vault) -> Session:
    return vault.session("s-1", agent="coder")


def names(hand: Vault | Session) -> Sequence[str]:
    return [line.id for line in hand.edits()]


def test_the_journal_says_when_who_where_and_from_what_to_what(vault: Vault, clock: FakeClock) -> None:
    filled(vault, "tea", block="user")
    clock.advance(days=1)
    session = vault.session("s-9", agent="coder")
    session.memory(action="replace", block="user", old="tea", text="milk", call="call-7")
    line, first = vault.edits()
    assert (line.id, first.id) == ("2026-01-06-0001", "2026-01-05-0001")
    assert (line.actor, line.session, line.call) == ("coder", "s-9", "call-7")
    assert (line.block, line.action, line.before, line.after) == ("user", "replace", ("tea",), ("milk",))
    assert (first.actor, first.session, first.untrusted) == ("owner", "", False)
    assert line.at > first.at
    assert [one.id for one in vault.edits(after=line.n)] == [first.id]
    assert vault.edits(block="memory") == ()
    assert [one.id for one in vault.edits(limit=1)] == [line.id]


def test_an_undo_puts_the_block_back_and_is_itself_in_the_journal(session: Session) -> None:
    filled(session, "tea", "milk")
    done = session.memory(action="remove", block="memory", old="tea")
    back = landed(session.undo(done.edit))
    assert (back.added, session.block("memory").entries) == (("tea",), ("tea", "milk"))
    line = session.edits()[0]
    assert (line.action, line.undoes) == ("undo", done.edit)
    again = landed(session.undo(back.edit))
    assert session.block("memory").entries == ("milk",)
    assert again.edit == names(session)[0]


def test_an_undo_leaves_the_notes_where_they_are(session: Session, vault: Vault) -> None:
    filled(session, "the quay is wet", "tea")
    done = session.memory(action="remove", block="memory", old="quay")
    landed(session.undo(done.edit))
    assert vault.read(done.notes[0]).text.endswith("the quay is wet")


def test_only_the_latest_edit_of_a_block_is_taken_back(session: Session) -> None:
    filled(session, "tea", "milk")
    filled(session, "short", block="user")
    first, second, other = "2026-01-05-0001", "2026-01-05-0002", "2026-01-05-0003"
    for edit in (first, "2026-01-04-0001", "nonsense"):
        refused = session.undo(edit)
        assert refused.reason == "not-latest"
        assert refused.detail == f"The latest here: memory {second}, user {other}."
    assert session.undo(" ").reason == "bad-edit"
    landed(session.undo(second))
    assert session.undo(second).reason == "not-latest"
    landed(session.undo(other))


def test_fault_an_undo_of_what_was_erased_says_that_it_was_done(session: Session, vault: Vault) -> None:
    session.memory(action="add", block="user", text="Keeps a heron")
    session.memory(action="remove", block="user", old="heron")
    latest = session.edits()[0]
    assert latest.before == ("Keeps a heron",)
    vault.erase(vault.plan_erasure(text="Keeps a heron"))
    refused = session.undo(latest.id)
    assert (refused.reason, refused.edit) == ("unchanged", "")
    assert session.block("user").entries == ()
    assert session.edits()[0].id == latest.id
