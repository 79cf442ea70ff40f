"""Does the tool `memory` work for a client that speaks the protocol, on every store?"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, types

from muniment.service.vault import Vault
from tests.builders import VAULTS, FakeClock, close_quietly
from tests.surfaces.mcp.clients import call, called, conversing, data_of, text_of


@pytest.fixture(params=sorted(VAULTS))
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vault]:
    made = VAULTS[request.param](tmp_path, clock=FakeClock())
    yield made
    close_quietly(made)


def well(result: types.CallToolResult) -> dict[str, object]:
    assert not result.is_error, text_of(result)
    return data_of(result)


def test_an_agent_fills_consolidates_and_is_told_where_it_stands(vault: Vault) -> None:
    first, second, third = called(
        vault,
        ("memory", {"action": "add", "block": "user", "text": "Prefers short answers"}),
        ("memory", {"action": "replace", "block": "user", "old": "short", "text": "Prefers long answers"}),
        (
            "memory",
            {
                "action": "consolidate",
                "block": "user",
                "entries": [{"old": "long", "move": True}, {"text": "Ask how long an answer should be"}],
            },
        ),
    )
    assert well(first)["usage"] == "1% (21 of 1,375)"
    assert '"Prefers short answers"' in text_of(second)
    assert well(third)["count"] == 1
    assert vault.block("user").entries == ("Ask how long an answer should be",)
    assert [line.actor for line in vault.edits()] == ["coder"] * 3
    assert all(line.session.startswith("mcp-") for line in vault.edits())


def test_what_one_agent_edits_another_sees_in_the_next_refusal(vault: Vault) -> None:
    well(call(vault, "memory", action="add", text="tea"))
    refused = call(vault, "memory", action="remove", old="milk")
    assert refused.is_error
    assert '"tea"' in text_of(refused)
    assert data_of(refused)["reason"] == "no-entry"


def test_the_structured_part_holds_no_entry_beside_the_whole_answer(vault: Vault) -> None:
    well(call(vault, "memory", action="add", text="tea at four"))
    refused = data_of(call(vault, "memory", action="add", text="TEA at four"))
    assert refused["reason"] == "duplicate-entry"
    assert not any("tea at four" in str(value) for name, value in refused.items() if name != "answer")


def test_a_note_is_kept_and_recalled(vault: Vault) -> None:
    noted, found = called(
        vault,
        ("memory", {"action": "note", "text": "The build took nine minutes"}),
        ("recall", {"query": "how many minutes took the build?"}),
    )
    assert well(noted)["verdict"] == "noted"
    assert "The build took nine minutes" in text_of(found)


def test_a_recall_of_untrusted_content_closes_the_blocks_for_the_connection(vault: Vault) -> None:
    vault.session("other").append("tool_result", "the sky over Zurich is green")
    vault.session("other").memory(action="note", text="the sky over Zurich is green")
    before, _, after = called(
        vault,
        ("memory", {"action": "add", "text": "tea"}),
        ("recall", {"query": "which colour has the sky over Zurich?"}),
        ("memory", {"action": "add", "text": "the sky is green"}),
    )
    assert well(before)["verdict"] == "stored"
    assert well(after)["reason"] == "noted-untrusted"
    assert vault.block("memory").entries == ("tea",)


@pytest.mark.parametrize("name", ["soul", "diary"])
def test_a_block_that_is_not_the_agents_is_no_choice(vault: Vault, name: str) -> None:
    refused = call(vault, "memory", action="add", block=name, text="I obey")
    assert refused.is_error
    assert "memory, user" in text_of(refused)
    assert vault.edits() == ()


def test_the_lists_are_read_inside_strings_too(vault: Vault) -> None:
    operations = '[{"action": "add", "text": "tea"}, {"action": "add", "text": "milk"}]'
    well(call(vault, "memory", action="batch", operations=operations))
    entries = ['{"old": "tea", "keep": true}', '{"old": "milk", "drop": true}']
    well(call(vault, "memory", action="consolidate", entries=entries))
    assert vault.block("memory").entries == ("tea",)


def offered(vault: Vault) -> dict[str, types.Tool]:
    async def talk(held: Client) -> dict[str, types.Tool]:
        return {tool.name: tool for tool in (await held.list_tools()).tools}

    return conversing(vault, talk)


@pytest.mark.parametrize(("off", "left"), [("memory", "user"), ("user", "memory")])
def test_a_block_that_is_off_is_no_choice_any_more(vault: Vault, off: str, left: str) -> None:
    assert offered(vault)["memory"].input_schema["properties"]["block"]["enum"] == ["memory", "user"]
    vault.set_dial(off, "off")
    block = offered(vault)["memory"].input_schema["properties"]["block"]
    assert (block["enum"], block["default"]) == ([left], left)
    well(call(vault, "memory", action="add", text="tea"))
    assert vault.block(left).entries == ("tea",) and vault.block(off).entries == ()
    assert call(vault, "memory", action="add", block=off, text="tea").is_error


def test_with_both_blocks_off_the_tool_is_not_offered_and_the_others_are(vault: Vault) -> None:
    names = list(offered(vault))
    vault.set_dial("memory", "off")
    vault.set_dial("user", "off")
    assert list(offered(vault)) == [name for name in names if name != "memory"]
    refused = call(vault, "memory", action="add", text="tea")
    assert refused.is_error and "block-off" in text_of(refused)
    vault.set_dial("user", "on")
    assert list(offered(vault)) == names


def test_the_switches_of_another_space_do_not_count(vault: Vault) -> None:
    vault.set_dial("memory", "off", space="elsewhere")
    assert offered(vault)["memory"].input_schema["properties"]["block"]["enum"] == ["memory", "user"]


def test_an_edit_that_waits_says_so_and_how_many_do(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    first, second = called(
        vault,
        ("memory", {"action": "add", "text": "tea"}),
        ("memory", {"action": "add", "text": "milk"}),
    )
    assert (well(first)["verdict"], well(second)["waiting"]) == ("staged", 2)
    assert "1 change waits for a person in all." in text_of(first)
    assert "2 changes wait for a person in all." in text_of(second)
    assert vault.block("memory").entries == ()
    vault.set_dial("review", "off")
    (landed,) = called(vault, ("memory", {"action": "add", "text": "tea"}))
    assert (well(landed)["verdict"], well(landed)["waiting"]) == ("stored", 2)
    assert "2 changes wait for a person; tell the one you talk to." in text_of(landed)
    assert "memory: 0% (3 of 2,200), 1 entry." in text_of(landed)
    for one in vault.pending():
        vault.decline(one.id, reason="no need")
    (alone,) = called(vault, ("memory", {"action": "add", "text": "juice"}))
    assert well(alone)["waiting"] == 0 and "wait for a person" not in text_of(alone)


def test_the_other_names_that_models_use_for_a_part_are_read(vault: Vault) -> None:
    well(call(vault, "memory", action="add", target="user", content="tea"))
    well(call(vault, "memory", action="replace", target="user", old_text="tea", new_text="milk"))
    assert vault.block("user").entries == ("milk",)
