"""Do turns that were compacted or taken back leave replay, and which of them are found?"""

from pathlib import Path

import pytest

from muniment import limits
from muniment.errors import BadInput
from muniment.service.session import Session
from muniment.service.vault import Vault
from tests.builders import World, file_vault, texts
from tests.service.test_blocks import landed


@pytest.fixture
def session(vault: Vault) -> Session:
    return vault.session("s-1", agent="coder")


def talk(session: Session, *words: str) -> None:
    for number, word in enumerate(words):
        session.append("user" if number % 2 == 0 else "assistant", f"zebra {word}")


def replay(session: Session) -> list[str]:
    return [turn.text for turn in session.turns()]


def states(session: Session) -> list[str]:
    return [turn.state for turn in session.turns(every=True)]


def test_compaction_shrinks_replay_and_search_still_finds_what_was_archived(world: World) -> None:
    session = world.vault.session("s-1")
    talk(session, "one", "two", "three", "four")
    assert session.compact("They counted.", keep=1) == 3
    assert replay(session) == ["zebra four", "They counted."]
    assert states(session) == ["archived", "archived", "archived", "live", "live"]
    again = world.restarted()
    assert sorted(texts(again, "zebra", k=10)) == ["zebra four", "zebra one", "zebra three", "zebra two"]
    again.reindex()
    assert len(texts(again, "zebra", k=10)) == 4
    assert again.verify().ok


def test_a_second_compaction_stands_for_the_first_one_too(session: Session) -> None:
    talk(session, "one", "two")
    session.compact("They said one and two.")
    talk(session, "three", "four")
    assert session.compact("They counted to four.") == 2
    assert replay(session) == ["They counted to four."]


def test_a_summary_is_as_closely_held_as_what_it_sums_up(session: Session) -> None:
    session.append("tool_result", "a page")
    session.compact("They read a page.")
    (summary,) = session.turns()
    assert summary.label.untrusted
    assert (summary.role, summary.speaker) == ("system", "summary")


@pytest.mark.parametrize("wrong", [{"summary": ""}, {"summary": " "}, {"summary": 5}])
def test_a_compaction_without_a_summary_archives_nothing(session: Session, wrong: dict[str, object]) -> None:
    talk(session, "one")
    with pytest.raises(BadInput):
        session.compact(**wrong)
    assert replay(session) == ["zebra one"]


@pytest.mark.parametrize("keep", [-1, 1.5, True, "2"])
def test_how_many_turns_are_kept_is_a_number(session: Session, keep: object) -> None:
    talk(session, "one", "two")
    with pytest.raises(BadInput):
        session.compact("They counted.", keep=keep)
    assert session.compact("They counted.", keep=1) == 1


def test_nothing_is_compacted_where_all_is_kept_or_nothing_was_said(vault: Vault, session: Session) -> None:
    with pytest.raises(BadInput):
        session.compact("Nothing was said.")
    talk(session, "one")
    with pytest.raises(BadInput):
        session.compact("One.", keep=1)
    assert replay(session) == ["zebra one"]


def test_turns_taken_back_leave_replay_and_every_search_and_stay_for_the_audit(world: World) -> None:
    vault = world.vault
    session = vault.session("s-1")
    talk(session, "one", "two", "three")
    assert len(texts(vault, "zebra", k=10)) == 3
    assert session.rewind(2) == 2
    assert replay(session) == ["zebra one"]
    assert states(session) == ["live", "rewound", "rewound"]
    again = world.restarted()
    for _ in ("as it was", "made anew"):
        assert texts(again, "zebra", k=10) == ["zebra one"]
        assert again.recall("two", k=10).hits == ()
        again.reindex()
    assert [turn.text for turn in again.session("s-1").turns(every=True)] == [
        "zebra one",
        "zebra two",
        "zebra three",
    ]
    assert again.verify().ok


def test_no_more_is_taken_back_than_there_is(session: Session) -> None:
    talk(session, "one", "two")
    assert session.rewind(50) == 2
    with pytest.raises(BadInput):
        session.rewind()
    talk(session, "three")
    assert session.rewind() == 1


@pytest.mark.parametrize("turns", [0, -1, 1.0, True, "1"])
def test_how_many_turns_are_taken_back_is_a_number(session: Session, turns: object) -> None:
    talk(session, "one")
    with pytest.raises(BadInput):
        session.rewind(turns)
    assert replay(session) == ["zebra one"]


def test_a_rewind_takes_no_summary_back(session: Session) -> None:
    talk(session, "one", "two", "three")
    session.compact("They counted.", keep=1)
    talk(session, "four")
    assert session.rewind(5) == 2
    assert replay(session) == ["They counted."]


def test_a_retry_hands_back_what_the_person_said(session: Session) -> None:
    talk(session, "one", "two", "three", "four")
    assert session.retry() == "zebra three"
    assert replay(session) == ["zebra one", "zebra two"]
    session.append("user", session.retry())
    assert replay(session) == ["zebra one"]


def test_there_is_nothing_to_retry_where_no_person_spoke(session: Session) -> None:
    session.append("assistant", "Hello?")
    with pytest.raises(BadInput):
        session.retry()
    assert replay(session) == ["Hello?"]


def test_what_a_session_has_read_stays_read_after_a_rewind(session: Session) -> None:
    session.append("tool_result", "a page")
    assert session.label.untrusted
    session.rewind()
    assert session.label.untrusted
    assert session.memory(action="add", block="user", text="Reads pages").verdict == "noted"


def test_turns_after_a_rewind_go_on_behind_those_taken_back(session: Session) -> None:
    talk(session, "one", "two")
    session.rewind()
    session.append("assistant", "zebra three")
    assert [(turn.sequence, turn.text) for turn in session.turns()] == [(1, "zebra one"), (3, "zebra three")]


def test_a_page_of_replay_is_filled_past_what_is_not_shown(session: Session) -> None:
    talk(session, *(str(number) for number in range(9)))
    session.rewind(3)
    session.append("user", "zebra last")
    assert [turn.text for turn in session.turns(after=5, limit=2)] == ["zebra 5", "zebra last"]
    assert session.turns(limit=0) == ()


def test_the_tool_of_a_clean_result_is_registered_and_not_said(vault: Vault) -> None:
    clean = vault.session("s-1", clean_tools=("calculator",))
    clean.append("tool_result", "4", speaker="calculator")
    assert not clean.label.untrusted
    clean.append("tool_result", "5", speaker="calculator", untrusted=True)
    assert clean.label.untrusted
    other = vault.session("s-2", clean_tools=("calculator",))
    other.append("tool_result", "4", speaker="browser")
    assert other.label.untrusted


def test_a_child_reads_memory_and_writes_none(vault: Vault, session: Session) -> None:
    landed(session.memory(action="add", block="user", text="Reads Greek"))
    child = session.child("s-1/1", agent="helper")
    assert "Reads Greek" in child.baseline
    assert child.block("user").entries == ("Reads Greek",)
    for refused in (
        child.memory(action="add", block="user", text="Reads Latin"),
        child.memory(action="note", text="Reads Latin"),
        child.memory(action="remove", block="user", old="Greek"),
        child.remember("The quay is wet"),
    ):
        assert refused.reason == "not-granted"
    assert vault.block("user").entries == ("Reads Greek",)
    assert vault.recall("quay Latin").hits == ()
    assert child.append("assistant", "I looked.").added == 1
    assert child.recall("Greek").label.data_class == 1


def test_fault_a_child_that_is_held_again_writes(world: World) -> None:
    mine = world.vault.remember("The weir is low").id
    world.vault.memory(action="add", block="user", text="Reads Greek")
    world.vault.session("s-1", agent="coder").child("s-1/1", agent="helper")
    vault = world.restarted()
    again, parent = vault.session("s-1/1", agent="helper"), vault.session("s-1", agent="coder")
    for refused in (
        again.memory(action="add", block="user", text="Reads Latin"),
        again.memory(action="note", text="Reads Latin"),
        again.remember("The quay is wet"),
        again.revise(mine, text="The weir is high"),
        again.retract(mine, reason="no"),
        again.link(mine, mine, type="precedes"),
        again.undo(vault.edits()[0].id),
        again.child("s-1/1/1").remember("The quay is wet"),
    ):
        assert refused.reason == "not-granted"
    assert again.append("assistant", "I looked.").added == 1
    assert parent.remember("The quay is dry").verdict == "stored"
    assert parent.memory(action="add", block="user", text="Reads Norse").verdict == "stored"


def test_a_child_begins_with_what_its_parent_has_read(session: Session) -> None:
    assert not session.child("s-1/1").label.untrusted
    session.append("tool_result", "a page")
    assert session.child("s-1/2").label.untrusted


def test_a_grandchild_writes_no_more_than_a_child(session: Session) -> None:
    grandchild = session.child("s-1/1").child("s-1/1/1")
    assert grandchild.memory(action="add", block="user", text="Reads Latin").reason == "not-granted"


def test_a_session_follows_one_other_of_its_space(vault: Vault, session: Session) -> None:
    vault.session("s-0").append("user", "before")
    session.follow("s-0")
    session.follow("s-0")
    with pytest.raises(BadInput):
        session.follow("s-7")
    vault.session("s-7").append("user", "elsewhere")
    with pytest.raises(BadInput):
        session.follow("s-7")
    with pytest.raises(BadInput):
        vault.session("s-8").follow("s-8")


def test_a_compacted_session_is_carried_by_an_export(tmp_path: Path) -> None:
    with file_vault(tmp_path / "one.db") as one, file_vault(tmp_path / "two.db") as two:
        session = one.session("s-1", agent="coder")
        talk(session, "one", "two", "three")
        session.compact("They counted.", keep=1)
        session.rewind()
        baseline = session.baseline
        one.export(tmp_path / "all.jsonl")
        two.restore(tmp_path / "all.jsonl")
        again = two.session("s-1", agent="coder")
        assert [turn.state for turn in again.turns(every=True)] == ["archived", "archived", "rewound", "live"]
        assert again.baseline == baseline
        assert sorted(texts(two, "zebra", k=9)) == ["zebra one", "zebra two"]
        assert two.verify().ok


def test_a_long_session_is_compacted_whole(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns are read page by page; none is left behind at the end of a page."""
    monkeypatch.setattr(limits, "page_rows_max", 4)
    session = vault.session("s-1")
    talk(session, *(str(number) for number in range(11)))
    assert session.compact("They counted.", keep=2) == 9
    assert [turn.text for turn in session.turns(limit=4)][:2] == ["zebra 9", "zebra 10"]


def test_a_summary_brings_nothing_back_that_was_erased(vault: Vault, session: Session) -> None:
    """It was made of a prompt from before; what else it says stays."""
    kept = vault.remember("Quintus keeps the spare lantern upstairs")
    assert kept.landed
    vault.erase(vault.plan_erasure(text="Quintus keeps the spare lantern upstairs"))
    talk(session, "one", "two")
    session.compact("They counted. Quintus keeps the spare lantern UPSTAIRS, they said.")
    (summary,) = session.turns()
    assert "antern" not in summary.text
    assert summary.text.startswith("They counted.") and summary.text.endswith("they said.")
