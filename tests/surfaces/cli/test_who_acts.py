"""Who acts on the command line?  A key's holder, else the owner at a terminal, else an agent (I15)."""

import json
import stat
import subprocess
from pathlib import Path

import pytest

from tests.surfaces.cli.conftest import Ended, Home, Run, command, environment


def _acting(done: Ended) -> tuple[str, str]:
    acting = json.loads(done.raw)["acting_as"]
    return acting["actor"], acting["role"]


def test_without_a_terminal_and_a_key_the_caller_is_an_agent(run: Run, place: Home) -> None:
    assert _acting(run(*place.agent, "--json", "status")) == ("cli", "agent")


def test_at_a_terminal_the_caller_is_the_owner(at_terminal: Run, place: Home) -> None:
    assert _acting(at_terminal(*place.agent, "--json", "status")) == ("owner", "owner")


def test_a_key_makes_its_holder_the_caller(run: Run, place: Home) -> None:
    assert _acting(run(*place.owner, "--json", "status")) == ("owner", "owner")
    key = Path(place.key[1:]).read_text(encoding="ascii").strip()
    assert _acting(run(*place.agent, "--json", "status", env={"MUNIMENT_KEY": key})) == ("owner", "owner")
    assert _acting(run(*place.agent, "--json", "status", env={"MUNIMENT_KEY": place.key})) == (
        "owner",
        "owner",
    )
    made = run(*place.owner, "--json", "keys", "create", "--name", "bot").document
    assert _acting(run(*place.agent, "--key", str(made["key"]), "--json", "status")) == ("bot", "agent")


def test_a_key_counts_at_a_terminal_too(at_terminal: Run, quick: Run, place: Home) -> None:
    made = quick(*place.owner, "--json", "keys", "create", "--name", "bot").document
    done = at_terminal(*place.agent, "--key", str(made["key"]), "--json", "status")
    assert _acting(done) == ("bot", "agent")


def _served(place: Home, *options: str, name: str) -> str:
    """Let a client of this name remember something over MCP, and return the id."""
    asked = (
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": name, "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {
            "id": 2,
            "method": "tools/call",
            "params": {"name": "remember", "arguments": {"text": f"{name} was here"}},
        },
    )
    process = subprocess.Popen(
        command([*place.agent, *options, "serve", "--mcp"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    answer = ""
    for one in asked:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **one}) + "\n")
        process.stdin.flush()
        if "id" in one:
            answer = process.stdout.readline()
    process.stdin.close()
    assert process.wait(60) == 0
    return str(json.loads(answer)["result"]["structuredContent"]["id"])


def test_a_served_agent_is_never_the_owner(quick: Run, place: Home) -> None:
    """Its name is the client's, its rank that of a conversation, whoever started the server."""
    found = quick(*place.owner, "--json", "read", _served(place, name="tester")).document
    assert (found["author"], found["rank"], found["space"]) == ("tester", "conversation", "home")
    settled = _served(place, "--actor", "coder", "--space", "acme", name="other")
    found = quick(*place.owner, "--json", "read", settled).document
    assert (found["author"], found["rank"], found["space"]) == ("coder", "conversation", "acme")
    keyed = _served(place, "--key", place.key, name="third")
    found = quick(*place.owner, "--json", "read", keyed).document
    assert found["rank"] == "conversation"


def test_an_actor_names_an_agent_even_at_a_terminal(at_terminal: Run, quick: Run, place: Home) -> None:
    assert _acting(at_terminal(*place.agent, "--actor", "coder", "--json", "status")) == ("coder", "agent")
    named = quick(*place.agent, "--json", "status", env={"MUNIMENT_ACTOR": "coder"})
    assert _acting(named) == ("coder", "agent")


def test_an_actor_does_not_go_with_a_key(quick: Run, place: Home) -> None:
    done = quick(*place.owner, "--actor", "somebody", "status")
    assert done.code == 2
    assert done.errors.startswith("bad-input: A key says who acts")


def test_no_option_widens_an_agent(quick: Run, place: Home, remembered: object) -> None:
    """The space of an agent comes from its settings; naming another one is refused."""
    assert quick(*place.owner, "--space", "acme", "remember", "The acme door code is blue").code == 0
    refused = quick(*place.agent, "--space", "acme", "remember", "Something for acme")
    assert refused.code == 1
    assert refused.errors.startswith("not-granted: ")
    settled = quick(
        *place.agent, "--space", "acme", "remember", "Something for acme", env={"MUNIMENT_SPACE": "acme"}
    )
    assert settled.code == 0
    outside = quick(*place.agent, "--space", "acme", "recall", "acme door code")
    assert "blue" not in outside.out
    inside = quick(*place.agent, "recall", "acme door code", env={"MUNIMENT_SPACE": "acme"})
    assert "blue" in inside.out


def test_a_wrong_key_never_falls_back_to_somebody_else(quick: Run, place: Home) -> None:
    for key in ("mun_nonsense", "", "@", "@nowhere.key", "x" * 5000):
        done = quick(*place.agent, "--key", key, "status")
        assert done.code in (2, 4), key
        assert done.out == ""
        assert done.errors.split(":")[0] in ("bad-key", "unreadable-path")
        if len(key) > 4:
            assert key not in done.errors


def test_a_revoked_key_is_refused(quick: Run, place: Home) -> None:
    made = quick(*place.owner, "--json", "keys", "create", "--name", "bot").document
    holder = (*place.agent, "--key", str(made["key"]))
    assert quick(*holder, "status").code == 0
    assert quick(*place.owner, "keys", "revoke", str(made["key_id"])).code == 2, "nobody said yes"
    assert quick(*holder, "status").code == 0
    assert quick(*place.owner, "keys", "revoke", str(made["key_id"]), "--yes").code == 0
    refused = quick(*holder, "status")
    assert (refused.code, refused.errors.split(":")[0]) == (4, "bad-key")


def test_a_revocation_is_asked_for_at_a_terminal(quick: Run, at_terminal: Run, place: Home) -> None:
    made = quick(*place.owner, "--json", "keys", "create", "--name", "bot").document
    public_id = str(made["key_id"])
    kept = at_terminal(*place.agent, "keys", "revoke", public_id, typed="n\n")
    assert kept.code == 1
    assert "1 key is about to be revoked" in kept.out
    assert "Nothing was changed." in kept.out
    assert at_terminal(*place.agent, "keys", "revoke", public_id, typed="y\n").code == 0
    states = {one["public_id"]: one["revoked"] for one in _keys(quick, place)}
    assert states[public_id] is not None


def _keys(quick: Run, place: Home) -> list[dict[str, str]]:
    found = quick(*place.owner, "--json", "keys", "list").document["keys"]
    assert isinstance(found, list)
    return found


def test_keys_are_a_persons_business(quick: Run, place: Home) -> None:
    for arguments in (["keys", "list"], ["keys", "create"], ["keys", "rotate"]):
        done = quick(*place.agent, *arguments)
        assert done.code == 1, arguments
        assert done.out == ""
    assert len(_keys(quick, place)) == 1


def test_a_key_is_written_to_a_file_once_and_privately(quick: Run, place: Home, tmp_path: Path) -> None:
    target = tmp_path / "bot.key"
    done = quick(*place.owner, "keys", "create", "--name", "bot", "--to", str(target))
    assert done.code == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    key = target.read_text(encoding="ascii").strip()
    assert key not in done.out + done.errors
    assert _acting(quick(*place.agent, "--key", f"@{target}", "--json", "status")) == ("bot", "agent")
    again = quick(*place.owner, "keys", "create", "--name", "bot", "--to", str(target))
    assert again.code == 2
    assert target.read_text(encoding="ascii").strip() == key


def test_keys_can_be_rotated_and_the_vault_still_verifies(quick: Run, place: Home) -> None:
    assert quick(*place.owner, "keys", "rotate").code == 0
    assert quick(*place.owner, "verify").code == 0


def test_a_narrower_key_does_not_see_an_id_of_another_space(
    quick: Run, place: Home, remembered: object
) -> None:
    made = quick(*place.owner, "--json", "--space", "acme", "remember", "The vault of acme is red").document
    narrow = quick(*place.owner, "--json", "keys", "create", "--name", "bot", "--home", "other").document
    holder = (*place.agent, "--key", str(narrow["key"]))
    for arguments in (["read"], ["history"], ["why"]):
        done = quick(*holder, *arguments, str(made["id"]))
        assert (done.code, done.errors.split(":")[0]) == (3, "not-found"), arguments
        assert quick(*place.owner, *arguments, str(made["id"])).code == 0
    changed = quick(*holder, "revise", str(made["id"]), "The vault of acme is green")
    assert (changed.code, changed.errors.split(":")[0]) == (1, "no-match")
    assert "red" in quick(*place.owner, "read", str(made["id"])).out


@pytest.mark.parametrize("zone", ["UTC", "Europe/Zurich"])
def test_a_date_begins_in_the_persons_own_zone(quick: Run, place: Home, zone: str) -> None:
    env = {"MUNIMENT_TIMEZONE": zone}
    done = quick(*place.owner, "--json", "remember", "The stall opens", "--from", "2026-03-01", env=env)
    found = quick(*place.owner, "--json", "read", str(done.document["id"])).document["valid"]
    expected = {"UTC": "2026-03-01", "Europe/Zurich": "2026-02-28T23:00:00Z"}[zone]
    assert found == {"from": expected, "until": None}


def test_a_key_in_the_environment_does_not_stand_in_the_way_of_a_restore(
    run: Run, place: Home, tmp_path: Path
) -> None:
    run(*place.owner, "remember", "Tea is at four")
    run(*place.owner, "export", str(tmp_path / "whole.jsonl"))
    held = {"MUNIMENT_KEY": place.key}
    new = str(tmp_path / "new.db")
    assert run("--vault", new, "restore", str(tmp_path / "whole.jsonl"), "--yes", env=held).code == 0
    assert "Tea is at four" in run("--vault", new, "recall", "tea", env=held).out
