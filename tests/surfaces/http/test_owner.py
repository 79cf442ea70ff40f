"""Does the owner review, decide, correct and erase over the socket, as on the command line?"""

import json

import pytest
from click.testing import CliRunner

import muniment
from muniment import wiring
from muniment.domain.rights import Peer
from muniment.service.credentials import principal_of
from muniment.service.vault import Vault
from muniment.surfaces.cli.main import main
from tests.builders import stored
from tests.surfaces.http.served import At, served

KETTLE = "The kettle is blue"


@pytest.fixture
def kettle(at: At) -> tuple[At, str]:
    """Return a daemon and the id of something that the owner said."""
    return at, at.owner("remember", text=KETTLE, tags=["kitchen"])["id"]


def test_what_the_owner_says_has_the_rank_of_a_person(kettle: tuple[At, str]) -> None:
    at, id = kettle
    found = at.owner("read", id=id)
    assert (found["text"], found["rank"], found["trust"], found["author"]) == (
        KETTLE,
        "manual",
        "believed",
        "owner",
    )
    (hit,) = at.owner("recall", query="kettle blue", kinds=["fact"])["hits"]
    assert hit["id"] == id


def test_a_memory_is_corrected_succeeded_and_shown_in_every_version(kettle: tuple[At, str]) -> None:
    at, id = kettle
    at.owner("revise", id=id, text="The kettle is red", reason="misread", expected_version=1)
    new = at.owner("succeed", id=id, text="The kettle is green", valid_from="2026-03-01")["id"]
    assert at.owner("read", id=new)["text"] == "The kettle is green"
    texts = [one["text"] for one in at.owner("history", id=id)["versions"]]
    assert texts[:2] == [KETTLE, "The kettle is red"]
    assert at.owner("why", id=new)["steps"][0]["text"] == "The kettle is green"
    stale = at.call(Peer.OWNER, "revise", id=id, text="The kettle is grey", expected_version=1)
    assert stale.status == 409


@pytest.mark.parametrize(
    ("verb", "state"), [("retract", "retired"), ("retire", "retired"), ("reject", "rejected")]
)
def test_a_memory_is_taken_out_of_use_with_a_reason(kettle: tuple[At, str], verb: str, state: str) -> None:
    at, id = kettle
    assert at.owner(verb, id=id, reason="no longer so")["verdict"] == "stored"
    assert at.owner("recall", query="kettle blue")["hits"] == []
    found = at.owner("read", id=id, rejected=True)
    assert (found["trust"], found["reason"]) == (state, "no longer so")


def test_a_retired_memory_comes_back_and_a_rejected_one_by_a_lift(kettle: tuple[At, str]) -> None:
    at, id = kettle
    at.owner("retire", id=id)
    assert at.owner("revive", id=id)["verdict"] == "stored"
    at.owner("reject", id=id)
    assert at.call(Peer.OWNER, "remember", text=KETTLE).data["reason"] == "rejected-value"
    assert at.owner("lift", id=id, reason="it is blue after all")["verdict"] == "stored"


def test_a_proposal_is_listed_shown_and_approved_by_its_digest(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    with served(vault) as at:
        staged = at.loop("remember", session="s-1", text=KETTLE)
        assert staged["verdict"] == "staged"
        (waiting,) = at.owner("pending")["pending"]
        assert waiting["id"] == staged["proposal"]
        shown = at.owner("proposal", id=waiting["id"])
        other = at.call(Peer.OWNER, "approve", id=waiting["id"], digest="0" * 64)
        assert (other.status, at.owner("status")["pending"]) == (409, 1)
        assert at.owner("approve", id=waiting["id"], digest=shown["digest"])["verdict"] == "stored"
        assert at.owner("pending")["pending"] == []
        assert at.owner("pending", state="approved")["pending"][0]["id"] == waiting["id"]
        assert len(at.owner("recall", query="kettle blue")["hits"]) == 1


def test_a_declined_proposal_stays_out(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    with served(vault) as at:
        staged = at.loop("remember", session="s-1", text=KETTLE)
        at.owner("decline", id=staged["proposal"], reason="it is red")
        again = at.call(Peer.LOOP, "remember", session="s-1", text=KETTLE)
        assert (again.status, again.data["reason"]) == (409, "rejected-value")


def test_a_case_is_listed_shown_and_decided(at: At) -> None:
    at.owner("remember", text="The gate is 5", about="gate", attribute="number", value="5")
    lower = at.loop(
        "remember", session="s-1", text="The gate is 7", about="gate", attribute="number", value="7"
    )
    assert lower["verdict"] == "disputed"
    (case,) = at.owner("cases")["cases"]
    assert at.owner("case", id=case["id"])["old"]["text"] == "The gate is 5"
    assert at.owner("decide", id=case["id"], decision="keep-old", reason="it says so")["verdict"]
    assert at.owner("cases")["cases"] == []
    assert [one["id"] for one in at.owner("cases", state="decided")["cases"]] == [case["id"]]


def test_blocks_are_shown_edited_and_an_edit_is_taken_back(at: At) -> None:
    at.owner("memory", action="add", block="soul", text="You are careful.")
    made = at.owner("memory", action="add", block="memory", text="The build takes nine minutes")
    assert {one["block"]: one["entries"] for one in at.owner("block")["blocks"]} == {
        "soul": ["You are careful."],
        "memory": ["The build takes nine minutes"],
        "user": [],
    }
    (newest, _) = at.owner("edits")["edits"]
    assert newest["id"] == made["edit"]
    at.owner("undo", edit=made["edit"])
    assert at.owner("block", block="memory")["blocks"][0]["entries"] == []


def test_the_soul_is_not_written_by_the_loop(at: At) -> None:
    reply = at.call(Peer.LOOP, "memory", session="s-1", action="add", block="soul", text="You obey me.")
    assert (reply.status, reply.data["reason"]) == (409, "owner-only")


def test_an_erasure_is_bound_to_the_plan_that_was_looked_at(kettle: tuple[At, str]) -> None:
    at, id = kettle
    plan = at.owner("plan-erasure", text=KETTLE)
    assert [one["name"] for one in plan["going"]] and plan["counts"]
    at.owner("remember", text="The kettle is blue and it is mine")
    stale = at.call(Peer.OWNER, "erase", text=KETTLE, plan=plan["plan"])
    assert (stale.status, stale.code) == (400, "stale-plan")
    assert at.owner("read", id=id)["text"] == KETTLE
    plan = at.owner("plan-erasure", text=KETTLE)
    done = at.owner("erase", text=KETTLE, plan=plan["plan"])["erased"]
    assert at.call(Peer.OWNER, "read", id=id).code == "not-found"
    assert [row["erasure"] for row in at.owner("certificates")["certificates"]][:1]
    assert done["id"] in at.owner("certificate", id=done["id"])["note"]


def test_an_erasure_that_an_agent_asked_for_is_carried_out_or_declined(vault: Vault) -> None:
    stored(vault.remember(KETTLE))
    stored(vault.remember("The lamp is green"))
    agent = vault.acting_as(actor="coder")
    for text in (KETTLE, "The lamp is green"):
        agent.ask_erasure(text=text)
    with served(vault) as at:
        by_text = {one["asked"]["value"]: one["id"] for one in at.owner("erasures")["requests"]}
        mixed = at.call(Peer.OWNER, "plan-erasure", request=by_text[KETTLE], text=KETTLE)
        assert (mixed.status, mixed.code) == (400, "bad-input")
        plan = at.owner("plan-erasure", request=by_text[KETTLE])
        assert at.owner("erase", request=by_text[KETTLE], plan=plan["plan"])["erased"]["id"]
        at.owner("decline-erasure", id=by_text["The lamp is green"], reason="still needed")
        assert at.owner("erasures")["requests"] == []
        assert len(at.owner("recall", query="lamp green")["hits"]) == 1


def test_the_vault_is_proven_and_looked_after(at: At) -> None:
    at.loop("append", session="s-1", role="user", text="hello")
    assert at.owner("verify")["ok"]
    assert at.owner("doctor")["checks"]
    assert at.owner("checkpoint")["note"]
    acts = [row["act"] for row in at.owner("log")["records"]]
    assert "take" in acts and "record_rights" in acts
    assert len(at.owner("log", limit=1)["records"]) == 1
    assert [one["name"] for one in at.owner("sessions")["sessions"]] == ["s-1"]
    assert at.owner("status")["acting_as"] == {"actor": "owner", "role": "owner", "space": "home"}


def test_the_dials_of_a_space_are_shown_and_set(at: At) -> None:
    at.owner("remember", text=KETTLE)
    assert at.owner("spaces")["review"] == {"home": "off"}
    assert at.owner("set-dial", dial="review", to="agent")["record"] > 0
    assert at.owner("spaces")["review"] == {"home": "agent"}
    assert at.loop("remember", session="s-1", text="The lamp is green")["verdict"] == "staged"
    at.owner("set-dial", dial="user", to="off", space="home")
    assert at.owner("spaces")["blocks_off"] == {"home": ["user"]}
    assert at.call(Peer.OWNER, "set-dial", dial="volume", to="11").code == "bad-input"


def test_an_id_that_is_not_there_is_said_by_its_code(at: At) -> None:
    reply = at.call(Peer.OWNER, "read", id="m_0123456789abcdefghijklmno0")
    assert (reply.status, reply.code) == (404, "not-found")
    assert reply.data["error"]["exit_code"] == 3


def test_a_revoked_key_ends_what_its_daemon_may_do(vault: Vault) -> None:
    """The key is looked up for every call, so a revocation counts at once."""
    key, public_id = vault.make_key(actor="owner", role="owner")
    holder = wiring.held(vault.ground, principal_of(vault.ground, key))
    with served(holder) as at:
        assert at.owner("status") and at.loop("about")
        vault.revoke_key(public_id)
        for peer in (Peer.OWNER, Peer.LOOP):
            reply = at.call(peer, "about")
            assert (reply.status, reply.code) == (401, "bad-key")
        reply = at.call(Peer.LOOP, "append", session="s-1", role="user", text="hello")
        assert (reply.status, reply.code) == (401, "bad-key")


def test_an_answer_has_the_shape_that_the_command_line_gives(home: object, tmp_path: object) -> None:
    with muniment.open() as vault:
        made = stored(vault.remember(KETTLE))
        key, _ = vault.make_key(actor="owner", role="owner")
        with served(vault) as at:
            for call, arguments in (("read", [made.id]), ("history", [made.id]), ("why", [made.id])):
                shown = CliRunner().invoke(main, ["--json", "--key", key, call, *arguments])
                assert json.loads(shown.stdout) == at.owner(call, id=made.id), call
            refused = CliRunner().invoke(main, ["--json", "--key", key, "read", "m_x"])
            assert json.loads(refused.stdout) == at.call(Peer.OWNER, "read", id="m_x").data
