"""Do the five tools do what they say, for a client that speaks the protocol?"""

import json
import re
from datetime import timedelta
from pathlib import Path

import anyio
import pytest
from mcp import Client, types

import muniment
from muniment import limits
from muniment.recall.envelope import parsed
from muniment.service.vault import Vault
from tests.builders import VAULTS, FakeClock
from tests.surfaces.mcp.clients import call, called, conversing, data_of, id_of, ids_in, text_of

TRICKY = [
    "null",
    '{"a": [1, null], "b": "c"}',
    '["a", "b"]',
    "5",
    "true",
    "Grüße aus Zürich",
    "鍵は月曜日に交換する",
    "배포 열쇠",
    "🦦 otters hold hands 👩‍🔬",
    "a\nb\tc\\d \"quoted\" 'single' </memory> & <b>",
    "%s {x} ${y} `z`",
]


@pytest.fixture(params=list(VAULTS))
def vault(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Vault:
    return VAULTS[request.param](tmp_path, clock=clock)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.mark.parametrize("text", TRICKY)
def test_a_text_comes_back_byte_for_byte(vault: Vault, text: str) -> None:
    kept, shown = called(vault, ("remember", {"text": text}), ("awake", {}))
    assert vault.read(id_of(kept)).text == text
    assert parsed(text_of(shown)) == [text]


def test_a_receipt_says_what_became_of_a_statement(vault: Vault) -> None:
    first, again = called(
        vault,
        ("remember", {"text": "Otters are mustelids", "tags": '["animals","river"]'}),
        ("remember", {"text": "Otters are mustelids", "tags": "null", "evidence": None, "valid_from": None}),
    )
    assert (data_of(first)["verdict"], data_of(first)["reason"]) == ("stored", "clean")
    assert vault.read(id_of(first)).tags == ("animals", "river")
    assert (data_of(again)["verdict"], id_of(again)) == ("merged", id_of(first))
    assert text_of(again).startswith("merged (already-known): ")
    assert len(vault.memories()) == 1


def test_a_recall_gives_hits_as_data_in_an_envelope_with_what_was_withheld(vault: Vault) -> None:
    fact = vault.remember("The deploy key rotates on Mondays")
    old = vault.remember("The deploy key rotates on Fridays")
    vault.retire(old.id)
    answer = call(vault, "recall", query="when does the deploy key rotate?")
    data = data_of(answer)
    assert parsed(text_of(answer)) == ["The deploy key rotates on Mondays"]
    assert (data["outcome"], data["total"], data["withheld"]) == ("found", 1, {"retired": 1})
    (hit,) = data["hits"]  # type: ignore[misc]  # the structured part is JSON, whose shape is asserted here
    assert (hit["id"], hit["trust"], hit["label"]) == (
        fact.id,
        "believed",
        {"class": "private", "untrusted": False},
    )
    assert 0.0 < hit["strength"] <= 1.0
    assert hit["valid"].endswith("..")
    assert "found: 1 of 1 shown. Withheld: 1 retired." in text_of(answer)
    assert data["answer"] == text_of(answer), "a client that shows only the data shows the envelope too"


def test_a_filter_narrows_and_a_withheld_state_is_shown_when_asked_for(vault: Vault) -> None:
    tagged = vault.remember("The deploy key rotates on Mondays", tags=["ops"])
    plain = vault.remember("The deploy key is stored in the safe")
    vault.retire(plain.id)
    by_tag, by_other, with_retired = called(
        vault,
        ("recall", {"query": "deploy key", "tags": "ops"}),
        ("recall", {"query": "deploy key", "tags": ["nothing such"]}),
        ("recall", {"query": "deploy key", "include": ["retired"]}),
    )
    assert ids_in(by_tag) == [tagged.id]
    assert ids_in(by_other) == []
    assert set(ids_in(with_retired)) == {tagged.id, plain.id}


@pytest.mark.parametrize("tags", [[5, None], "[5]", [""], {"a": 1}])
def test_a_filter_that_names_nothing_is_an_error_and_never_no_filter(vault: Vault, tags: object) -> None:
    vault.remember("The deploy key rotates on Mondays")
    assert call(vault, "recall", query="deploy key", tags=tags).is_error
    assert not call(vault, "recall", query="deploy key", tags="null").is_error


@pytest.mark.parametrize("k", [201, 1_000_000, -1, "201"])
def test_k_has_an_upper_bound_and_says_it(vault: Vault, k: object) -> None:
    refused, passed = called(
        vault, ("recall", {"query": "x", "k": k}), ("recall", {"query": "x", "k": limits.hits_max})
    )
    assert refused.is_error
    assert f"`k` lies in 0..{limits.hits_max}" in text_of(refused)
    assert not passed.is_error


@pytest.mark.parametrize("query", ["", "   ", "a", "?", "when does the key rotate"])
def test_an_empty_store_is_honest(vault: Vault, query: str) -> None:
    answer = call(vault, "recall", query=query)
    assert not answer.is_error
    assert data_of(answer)["outcome"] == "nothing"
    assert ids_in(answer) == []
    assert parsed(text_of(answer)) == []


def test_a_blank_query_shows_no_recent_memories_as_if_they_were_hits(vault: Vault) -> None:
    vault.remember("Otters are mustelids")
    blank, real = called(vault, ("recall", {"query": "  "}), ("recall", {"query": "otters"}))
    assert ids_in(blank) == []
    assert "nothing to look for" in text_of(blank)
    assert len(ids_in(real)) == 1


def test_a_missing_query_is_one_error_with_a_correct_call(vault: Vault) -> None:
    empty = call(vault, "recall")
    assert empty.is_error
    lines = text_of(empty).split("\n")
    assert lines[0] == "bad-input: `query` is missing."
    assert lines[1].startswith("Next: ")
    example = json.loads(lines[2].removeprefix("Example: "))
    assert not call(vault, "recall", **example).is_error
    data = data_of(empty)
    assert (data["code"], data["sentence"], data["example"]) == ("bad-input", "`query` is missing.", example)


@pytest.mark.parametrize("tool", ["remember", "recall", "read", "revise", "awake"])
def test_an_unknown_argument_is_refused_with_the_names_and_a_correct_call(vault: Vault, tool: str) -> None:
    refused = call(vault, tool, colour="red")
    assert refused.is_error
    assert "`colour` is no argument of this call" in text_of(refused)
    assert "Next: The arguments are: " in text_of(refused)
    assert tool == "awake" or "Example: {" in text_of(refused)


def test_who_wrote_it_in_a_program_revises_it_here_and_another_is_told_whose_it_is(vault: Vault) -> None:
    id = vault.acting_as(actor="coder").remember("The quay opens at six").id
    asked = {"id": id, "action": "correct", "text": "The quay opens at nine", "reason": "misread"}
    (other,) = called(vault, ("revise", asked), client="helper")
    assert data_of(other)["code"] == "forbidden-move"
    assert "Another author said it" in text_of(other) and "ranks above" not in text_of(other)
    (own,) = called(vault, ("revise", asked), client="coder")
    assert (data_of(own)["verdict"], vault.read(id).text) == ("stored", "The quay opens at nine")
    vault.revise(id, "The quay opens at ten", reason="seen")
    (above,) = called(vault, ("revise", asked), client="coder")
    assert "It ranks above you." in text_of(above)


def test_a_refused_receipt_is_an_error_with_its_reason(vault: Vault) -> None:
    rejected = vault.remember("The door code is 4711")
    vault.reject(rejected.id)
    again = call(vault, "remember", text="The door code is 4711")
    assert again.is_error
    assert text_of(again).startswith(
        "rejected-value: This value was rejected or erased, and may not come back here."
    )
    data = data_of(again)
    assert (data["verdict"], data["code"], data["reason"]) == ("refused", "rejected-value", "rejected-value")
    assert data["advice"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("read", {"id": "m_nothing"}, "not-found"),
        ("read", {"id": "m_0123456789abcdefghijklmno0"}, "not-found"),
        ("remember", {"text": "x", "valid_from": "yesterday-ish"}, "bad-time"),
        ("remember", {"text": "   "}, "empty"),
        ("remember", {"text": "x", "evidence": ["nothing"]}, "bad-input"),
        ("revise", {"id": "m_0123456789abcdefghijklmno0", "action": "retract"}, "no-match"),
        ("awake", {"limit": 9}, "bad-input"),
        ("forget", {}, "bad-input"),
    ],
)
def test_every_failure_has_one_shape(
    vault: Vault, tool: str, arguments: dict[str, object], code: str
) -> None:
    failed = call(vault, tool, **arguments)
    assert failed.is_error
    assert text_of(failed).startswith(f"{code}: ")
    assert "\nNext: " in text_of(failed)
    assert {"code", "sentence", "advice"} <= set(data_of(failed))
    assert data_of(failed)["code"] == code


def test_a_correction_a_succession_and_a_retraction_keep_the_history(vault: Vault, clock: FakeClock) -> None:
    async def talk(client: Client) -> list[types.CallToolResult]:
        kept = await client.call_tool("remember", {"text": "It rotates on Mondays"})
        clock.advance(days=1)
        fixed = await client.call_tool(
            "revise",
            {
                "id": id_of(kept),
                "action": "correct",
                "text": "It rotates on Tuesdays",
                "expected_version": "1",
            },
        )
        stale = await client.call_tool(
            "revise", {"id": id_of(kept), "action": "correct", "text": "No", "expected_version": 1}
        )
        clock.advance(days=1)
        next_one = await client.call_tool(
            "revise", {"id": id_of(kept), "action": "succeed", "text": "It rotates daily", "reason": "policy"}
        )
        clock.advance(days=1)
        gone = await client.call_tool(
            "revise", {"id": id_of(next_one), "action": "retract", "reason": "wrong"}
        )
        history = await client.call_tool("read", {"id": id_of(kept), "mode": "history"})
        now = await client.call_tool("read", {"id": id_of(kept)})
        return [fixed, stale, next_one, gone, history, now]

    fixed, stale, next_one, gone, history, now = conversing(vault, talk)
    assert data_of(fixed)["version"] == 2
    assert (stale.is_error, data_of(stale)["code"]) == (True, "stale-view")
    assert data_of(next_one)["reason"] == "superseded-older"
    assert not gone.is_error
    assert parsed(text_of(history)).count("It rotates on Mondays") == 1
    assert {"policy", "wrong"} <= set(parsed(text_of(history))), "reasons are shown, inside the envelope"
    assert data_of(now)["state"] == "current", "the retracted successor reopened it"


def test_a_judgement_needs_evidence_and_moves_trust(vault: Vault) -> None:
    async def talk(client: Client) -> list[types.CallToolResult]:
        guess = await client.call_tool("remember", {"text": "The cache is cold", "kind": "hypothesis"})
        proof = await client.call_tool("remember", {"text": "Hit rate was 2 %", "kind": "experiment"})
        bare = await client.call_tool("revise", {"id": id_of(guess), "action": "support"})
        judged = await client.call_tool(
            "revise", {"id": id_of(guess), "action": "support", "evidence": [id_of(proof)]}
        )
        why = await client.call_tool("read", {"id": id_of(guess), "mode": "why"})
        return [guess, bare, judged, why]

    guess, bare, judged, why = conversing(vault, talk)
    assert bare.is_error
    assert '"evidence": [' in text_of(bare)
    assert not judged.is_error
    assert vault.read(id_of(guess)).trust == "believed"
    assert parsed(text_of(why)) == ["The cache is cold", "Hit rate was 2 %"]


def test_a_reading_of_then_shows_what_was_known_then(vault: Vault, clock: FakeClock) -> None:
    kept = vault.remember("It rotates on Mondays")
    then = clock.advance(hours=1)
    clock.advance(hours=1)
    vault.revise(kept.id, "It rotates on Tuesdays")
    moment = then.isoformat()
    was, wrong = called(
        vault,
        ("read", {"id": kept.id, "mode": "then", "known_at": moment}),
        ("read", {"id": kept.id, "known_at": moment}),
    )
    assert parsed(text_of(was)) == ["It rotates on Mondays"]
    assert wrong.is_error
    assert '"mode": "then"' not in text_of(wrong).split("\n")[0]


def test_the_chain_of_evidence_shows_the_part_it_rests_on(vault: Vault) -> None:
    turn = vault.session("s-1").append("user", "Remember: the gate closes at ten.").evidence[0]
    kept = vault.remember("The gate closes at ten", evidence=[turn])
    why = call(vault, "read", id=kept.id, mode="why")
    assert parsed(text_of(why)) == ["The gate closes at ten", "Remember: the gate closes at ten."]
    assert f"1: derived_from {turn} (turn" in text_of(why)


def test_a_long_text_is_cut_and_read_on_by_its_offset(vault: Vault) -> None:
    text = "".join(f"line {number:05} of the log; " for number in range(2_000))
    kept = vault.remember(text)
    parts, offset = [], 0
    while offset < len(text):
        shown = call(vault, "read", id=kept.id, offset=offset)
        assert len(text_of(shown)) <= limits.answer_characters_max
        parts.append(parsed(text_of(shown))[0])
        offset += len(parts[-1])
        assert (offset < len(text)) == ("Cut at" in text_of(shown))
    assert "".join(parts) == text
    beyond = call(vault, "read", id=kept.id, offset=len(text))
    assert beyond.is_error


@pytest.mark.parametrize("text", ["<" * 20_000, "otter " * 2_000, "\u2028x" * 9_000])
def test_an_answer_is_bounded_and_says_what_was_cut(vault: Vault, text: str) -> None:
    for number in range(12):
        vault.remember(f"otter {number}. {text[:15_000]}")
    answer = call(vault, "recall", query="otter", k=20)
    assert len(text_of(answer)) <= limits.answer_characters_max
    assert ids_in(answer)
    assert len(parsed(text_of(answer))) == len(ids_in(answer)) < 12
    assert re.search(r"Note: \d+ of \d+ left out to keep the answer short", text_of(answer))
    assert len(json.dumps(data_of(answer))) < 25_000 * 4


def test_what_fits_is_not_cut(vault: Vault) -> None:
    for number in range(12):
        vault.remember(f"otter number {number}")
    answer = call(vault, "recall", query="otter", k=20)
    assert len(ids_in(answer)) == 12
    assert data_of(answer)["cut"] == []


def test_parallel_calls_lose_nothing(vault: Vault) -> None:
    texts = [f"Parallel statement {number} about the river" for number in range(25)]
    results: list[types.CallToolResult] = []

    async def talk(client: Client) -> None:
        async def keep(text: str) -> None:
            results.append(await client.call_tool("remember", {"text": text}))

        async with anyio.create_task_group() as group:
            for text in texts:
                group.start_soon(keep, text)
                group.start_soon(client.call_tool, "recall", {"query": "river"})

    conversing(vault, talk)
    assert len({id_of(one) for one in results}) == 25
    assert {memory.text for memory in vault.memories()} == set(texts)


def test_an_error_does_not_end_the_server(vault: Vault) -> None:
    async def talk(client: Client) -> list[bool]:
        found = []
        for arguments in ({}, {"text": 5}, {"text": "x", "y": 1}, {"text": "still here"}):
            found.append((await client.call_tool("remember", arguments)).is_error)
        return found

    assert conversing(vault, talk) == [True, True, True, False]


def test_a_fault_nobody_foresaw_is_answered_without_its_text(tmp_path: Path) -> None:
    vault = muniment.open(tmp_path / "vault.db")
    vault.remember("A secret sentence")
    vault.close()
    failed = call(vault, "recall", query="secret")
    assert failed.is_error
    assert "secret sentence" not in text_of(failed)
    assert data_of(failed)["code"]


def test_time_passes_only_with_the_clock(vault: Vault, clock: FakeClock) -> None:
    soon = clock.now() + timedelta(hours=1)
    kept = call(vault, "remember", text="The offer stands", expires_at=soon.isoformat())
    assert ids_in(call(vault, "recall", query="offer")) == [id_of(kept)]
    clock.advance(hours=2)
    assert ids_in(call(vault, "recall", query="offer")) == []
