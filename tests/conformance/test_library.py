"""Does the library's adapter say what the library says?  Each method, against the vault itself."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import muniment
from muniment.conformance.adapter import Cannot, Item, Slot
from muniment.conformance.library import Library
from muniment.conformance.places import MovedClock, in_database, in_file
from muniment.conformance.served import Broken, Host, Served
from muniment.errors import MissingKey
from muniment.service.vault import Vault
from tests import postgres
from tests.builders import stored
from tests.conformance.memories import OURS, erases

ALL = sorted(OURS)
PATHS = ["write", "session", "revise", "succeed", "turn", "document", "import", "decision"]
PATHS += ["proposal"] if hasattr(Vault, "approve") else []
PATHS = ["write", "session", "revise", "succeed", "turn", "document", "import", "decision"]


@pytest.fixture(params=ALL)
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Library]:
    made = OURS[request.param](tmp_path)
    assert isinstance(made, Library)
    with closing(made):
        yield made


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with closing(Library(tmp_path)) as made:
        yield made


def test_an_agent_writes_and_a_person_is_the_owner(memory: Library) -> None:
    assert memory.write("The heron nests").taken
    assert memory.write_as_person("The otter swims").taken
    assert (memory.authority("heron"), memory.authority("otter")) == ("conversation", "manual")
    assert memory.agent().principal.role == "agent"
    assert memory.owner.principal.role == "owner"


def test_a_refusal_says_the_reason_and_an_error_its_code(memory: Library) -> None:
    assert memory.write("An invisible \u202e override").reason == "characters"
    assert not memory.write("").taken
    assert not memory.write("x", space="*").taken
    assert memory.write("x", space="acme").taken


def test_a_prompt_is_read_by_the_heads_of_its_items(memory: Library) -> None:
    slot = Slot("heron", "home", "weir")
    memory.write("The heron lives at the weir", slot=slot)
    memory.feed("The heron likes the mill.", name="talk")
    memory.write("The heron lives at the mill", slot=Slot("heron", "home", "mill"))
    memory.settle()
    found = memory.read_prompt(memory.prompt_prefix("where does the heron live", k=20))
    assert Item("The heron lives at the mill") in found
    assert Item("The heron likes the mill.", quoted=True, marked=True) in found
    assert not any(item.text == "The heron lives at the weir" for item in found)
    assert memory.read_prompt("") == memory.read_prompt("Nothing covers this.") == ()


def test_what_is_untrusted_disputed_possible_or_ended_is_marked(library: Library) -> None:
    session = library.owner.session("s-1")
    session.append("tool_result", "A page about herons")
    stored(session.remember("The heron is blue, says a page"))
    ended = {"valid_from": "2020-01-01", "valid_until": "2021-01-01"}
    stored(library.owner.remember("The heron was brown, long ago", **ended))
    stored(library.owner.remember("The heron may be old", kind="hypothesis"))
    stored(library.owner.remember("The heron is grey"))
    items = library.read_prompt(library.owner.recall("heron", k=20, include=["superseded"]).render())
    marked = {item.text: item.marked for item in items if not item.quoted}
    assert marked["The heron is blue, says a page"] and marked["The heron may be old"]
    assert not marked["The heron is grey"]
    then = library.read_prompt(library.prompt_as_of("heron", "2020-06-01"))
    assert Item("The heron was brown, long ago", marked=True) in then


def test_only_the_texts_of_items_lie_within_the_fence(library: Library) -> None:
    library.write("A heron <<end of it")
    prompt = library.prompt_prefix("heron")
    assert "heron" not in library.outside_fence(prompt)
    assert prompt.split("\n")[0] in library.outside_fence(prompt)
    assert library.outside_fence("plain\ntext") == "plain\ntext"


def test_a_source_comes_once_and_is_the_evidence_of_what_came_of_it(memory: Library) -> None:
    for _ in range(2):
        memory.feed("I live in Aldermoor.", name="talk")
    memory.settle()
    assert list(memory.derived()) == ["user lives in Aldermoor"]
    assert list(memory.derived(space="acme")) == []
    under = memory.sources("where do I live")
    assert under["user lives in Aldermoor"] == ["I live in Aldermoor."]
    assert memory.owner.status().counts["evidence"] == 1


def test_a_probe_finds_what_is_there_in_each_place_and_nothing_else(memory: Library) -> None:
    memory.write("The vault opens with qz7-heron-4417")
    memory.feed("The porter says qz7-heron-4417.", name="note")
    memory.prompt_prefix("what is qz7-heron-4417")
    memory.settle()
    found = memory.leak_probes("qz7-heron-4417")
    assert found.pop("ledger") is False
    assert all(found.values()) and {"memories", "indexes", "recall log", "export"} <= set(found)
    for _ in range(2):
        assert not any(memory.leak_probes("vv3-otter-9921").values()), "a probe must leave no trace"
    assert ("files" in found) is (memory.place / "vault" / "vault.db").exists()


def test_the_record_has_every_act_once_and_in_order(memory: Library) -> None:
    for number in range(120):
        memory.write(f"The heron of nest {number}")
    entries = memory.audit_entries()
    assert len(entries) == memory.owner.status().records >= 120
    assert [int(entry.split()[0]) for entry in entries] == list(range(len(entries)))
    assert not any("heron" in entry for entry in entries)


def test_a_correction_closes_what_was_and_history_leads_back(memory: Library) -> None:
    memory.write("I live in Berlin", slot=Slot("user", "home", "Berlin"))
    memory.advance(days=100)
    memory.correct("I live in Berlin", "I moved to Lisbon", slot=Slot("user", "home", "Lisbon"))
    assert "Lisbon" in memory.prompt_prefix("where do I live")
    assert "Berlin" not in memory.prompt_prefix("where do I live")
    assert "I live in Berlin" in memory.history("I moved to Lisbon")
    memory.retract("Lisbon")
    assert "Lisbon" not in memory.prompt_prefix("where do I live")


def test_time_passes_only_when_it_is_told_to(memory: Library) -> None:
    before = memory.owner.remember("The heron came").record
    memory.advance(days=10)
    after = memory.owner.remember("The heron left").record
    rows = {row.position: row.recorded for row in memory.owner.log()}
    assert 9.9 < (rows[after] - rows[before]).total_seconds() / 86400 < 10.1


def test_a_restart_keeps_everything_and_the_moved_clock(memory: Library) -> None:
    memory.write("The heron nests")
    memory.advance(days=10)
    memory.restart()
    memory.write("The otter swims")
    assert "heron" in memory.prompt_prefix("heron")
    log = memory.owner.log()
    assert (log[0].recorded - log[-1].recorded).days >= 9
    assert memory.owner.verify().ok


def test_indexes_are_dropped_and_built_again(memory: Library) -> None:
    memory.write("The heron nests")
    memory.drop_indexes()
    assert "nests" not in memory.prompt_prefix("heron")
    memory.rebuild()
    assert "nests" in memory.prompt_prefix("heron")


def test_an_export_comes_back_without_what_was_rejected(memory: Library) -> None:
    memory.write("The heron nests")
    memory.export(memory.place / "early.export")
    memory.reject("heron")
    assert "nests" not in memory.prompt_prefix("heron")
    memory.bring_back(memory.place / "early.export")
    assert "nests" not in memory.prompt_prefix("heron")
    assert memory.history("heron")[-1] == "The heron nests"


def test_a_file_is_copied_and_put_back_and_a_database_is_not(memory: Library) -> None:
    memory.write("The heron nests")
    copy = memory.place / "copy"
    if not (memory.place / "vault" / "vault.db").exists():
        for act in (memory.backup, memory.put_back):
            with pytest.raises(Cannot, match="database"):
                act(copy)
        return
    memory.backup(copy)
    memory.write("The otter swims")
    memory.settle()
    memory.put_back(copy)
    assert copy.stat().st_size > 0
    assert memory.owner.log()[0].act == "new-epoch", "an older file is taken only by a person's act"
    assert "nests" in memory.prompt_prefix("heron") and "swims" not in memory.prompt_prefix("otter")
    assert memory.owner.verify().ok


def test_what_is_forgotten_is_gone_with_its_source_or_it_says_that_it_cannot(library: Library) -> None:
    library.write("The vault opens with qz7-heron-4417")
    library.write("The cellar opens with vv3-otter-9921")
    library.feed("I live in Aldermoor.", name="talk")
    library.settle()
    if not erases():
        for act in (lambda: library.forget("x"), lambda: library.forget_source("x")):
            with pytest.raises(Cannot, match="erasure"):
                act()
        return
    library.forget("qz7-heron-4417")
    library.forget_source("talk")
    library.settle()
    for text in ("qz7-heron-4417", "Aldermoor"):
        assert not any(library.leak_probes(text).values())
    assert library.leak_probes("vv3-otter-9921")["memories"]
    assert library.owner.verify().ok


@pytest.mark.parametrize("path", PATHS)
def test_a_path_brings_a_text_into_the_space_that_was_named(memory: Library, path: str) -> None:
    slot = Slot("signing key", "rotation", "Thursdays")
    written = memory.paths()[path]("The signing key rotates on Thursdays", slot, "acme")
    memory.settle()
    assert written.taken
    assert "Thursdays" in memory.prompt_prefix("when does the signing key rotate", space="acme")
    assert "Thursdays" not in memory.prompt_prefix("when does the signing key rotate")


def test_a_caller_of_one_space_gets_an_error_or_nothing_from_another(memory: Library) -> None:
    memory.write("The heron nests", space="acme")
    assert "nests" in memory.reach("acme", "acme", "heron")
    for asked in ("other", "*", "/", "acm"):
        assert "nests" not in memory.reach("other", asked, "heron")
    memory.reach_write("other", "acme", "An intruder")
    assert "intruder" not in memory.prompt_prefix("intruder", space="acme")


def test_two_memories_in_one_database_do_not_meet(tmp_path: Path) -> None:
    address, clock = postgres.shared_database().application, MovedClock()
    vaults = [in_database(address, tmp_path / name, clock) for name in ("one", "two")]
    stored(vaults[0].remember("The heron nests"))
    assert vaults[1].recall("heron").hits == ()
    vaults[0].close()
    again = in_database(address, tmp_path / "one", clock)
    assert [hit.text for hit in again.recall("heron").hits] == ["The heron nests"]
    again.close()
    vaults[1].close()


def test_a_measured_vault_is_an_ordinary_one(tmp_path: Path) -> None:
    vault = in_file(tmp_path / "vault.db", MovedClock())
    stored(vault.remember("The heron nests"))
    vault.close()
    with muniment.open(tmp_path / "vault.db") as plain:
        assert [hit.text for hit in plain.recall("heron").hits] == ["The heron nests"]
        assert plain.verify().ok


def test_a_database_whose_keys_are_gone_is_not_opened_as_another(tmp_path: Path) -> None:
    address, keys = postgres.shared_database().application, tmp_path / "keys"
    in_database(address, keys, MovedClock()).close()
    (keys / "vault.id").write_text("0" * 32, "ascii")
    with pytest.raises((MissingKey, muniment.MunimentError)):
        in_database(address, keys, MovedClock())


@pytest.mark.slow
def test_over_mcp_an_agent_acts_on_the_wire_and_the_owner_beside_it(tmp_path: Path) -> None:
    with closing(Served(tmp_path)) as memory:
        assert memory.write(
            "The heron nests", slot=Slot("heron", "state", "nesting"), since="2025-01-01"
        ).taken
        assert memory.write("An invisible \u202e override").reason == "characters"
        assert memory.authority("heron") == "conversation"
        prompt, counted = memory.prompt_within("heron", 100)
        assert "nests" in prompt and counted > 0
        assert "nests" in memory.prompt_as_of("heron", "2025-06-01")
        assert "nests" not in memory.prompt_as_of("heron", "2024-06-01")
        memory.correct("The heron nests", "The heron left", slot=Slot("heron", "state", "gone"))
        assert "left" in memory.prompt_prefix("heron")
        assert "left" not in memory.reach("other", "home", "heron")
        memory.reach_write("other", "home", "An intruder")
        assert "intruder" not in memory.prompt_prefix("intruder")
        with pytest.raises(Cannot, match="clock"):
            memory.advance(1)


def test_a_server_that_ends_is_noticed() -> None:
    with pytest.raises(Broken, match="ended"):
        Host(["--version"])
