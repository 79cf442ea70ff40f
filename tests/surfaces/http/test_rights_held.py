"""Does each socket answer exactly the calls it has a right to?  Every peer against every call."""

import http.client
import json
from dataclasses import replace

import pytest

from muniment.domain.rights import RIGHTS, Peer, digest_of
from muniment.service.granting import DENIED
from muniment.service.vault import Vault
from muniment.surfaces.http.app import PREFIX, ROUTES
from muniment.surfaces.problems import TABLE
from muniment.surfaces.shapes import arguments_of
from tests.surfaces.http.served import At, connected, sent, served

CALLS = sorted({call for calls in RIGHTS.values() for call in calls})
ALLOWED = [(peer, call) for peer in Peer for call in RIGHTS[peer]]
REFUSED = [(peer, call) for peer in Peer for call in CALLS if call not in RIGHTS[peer]]


@pytest.mark.parametrize("peer", Peer)
def test_the_calls_that_are_there_are_those_of_the_table(peer: Peer) -> None:
    assert set(ROUTES[peer]) == set(RIGHTS[peer])


@pytest.mark.parametrize(("peer", "call"), ALLOWED)
def test_the_example_of_every_call_is_a_correct_one(peer: Peer, call: str) -> None:
    form = ROUTES[peer][call].form
    arguments_of(form, form.example)
    assert ROUTES[peer][call].says.endswith(".")


@pytest.mark.parametrize(("peer", "call"), REFUSED)
def test_a_call_of_another_socket_is_refused(plainly: At, peer: Peer, call: str) -> None:
    for method in ("GET", "POST", "PUT", "DELETE"):
        reply = sent(plainly.path(peer), method, PREFIX + call, body=b"{}")
        assert (reply.status, reply.code) == (403, "other-socket"), method


@pytest.mark.parametrize(("peer", "call"), ALLOWED)
def test_a_call_of_ones_own_is_answered(plainly: At, peer: Peer, call: str) -> None:
    """The twin: with its example every call reaches what it names, if only to say that it is not there."""
    reply = plainly.call(peer, call, **ROUTES[peer][call].form.example)
    assert reply.status in (200, 400, 404, 409), reply
    if reply.status != 200 and "error" in reply.data:
        assert reply.code not in ("other-socket", "no-such-call", "unexpected")


@pytest.mark.parametrize("peer", Peer)
def test_a_socket_says_what_it_may_do_and_as_whom_it_acts(plainly: At, peer: Peer) -> None:
    said = plainly.call(peer, "about").data
    assert said["socket"] == peer.value
    assert said["calls"] == list(RIGHTS[peer])
    assert said["rights"] == said["recorded"]["rights"] == digest_of(RIGHTS)
    role, actor = ("owner", "owner") if peer is Peer.OWNER else ("agent", "coder")
    assert said["acting_as"] == {"actor": actor, "role": role, "space": "home"}


@pytest.mark.parametrize("peer", Peer)
def test_a_socket_describes_its_own_calls_and_no_other(plainly: At, peer: Peer) -> None:
    found = sent(plainly.path(peer), "GET", f"{PREFIX}openapi.json").data
    assert sorted(found["paths"]) == sorted(PREFIX + call for call in RIGHTS[peer])
    for call in RIGHTS[peer]:
        (method,) = found["paths"][PREFIX + call]
        assert (method == "post") is ROUTES[peer][call].changes
    looked = found["paths"][f"{PREFIX}about"]["get"]
    assert looked["parameters"] == []
    told = found["paths"][f"{PREFIX}session_updated"]["post"]["requestBody"]["content"]["application/json"][
        "schema"
    ]
    assert told["required"] == ["session"] and told["additionalProperties"] is False


def test_a_call_by_the_wrong_method_is_told_the_right_one(plainly: At) -> None:
    reply = sent(plainly.path(Peer.LOOP), "GET", f"{PREFIX}recall?query=x")
    assert (reply.status, reply.code) == (404, "no-such-call")
    assert reply.data["error"]["sentence"] == "`recall` is called by POST."
    reply = sent(plainly.path(Peer.OWNER), "POST", f"{PREFIX}status", body=b"{}")
    assert reply.data["error"]["sentence"] == "`status` is called by GET."


@pytest.mark.parametrize(
    "target",
    [
        "/", "/v1", "/v1/", "/v1/nothing", "/v2/recall", "/v1/recall/", "//v1/recall", "/v1/../v1/status",
        "/v1/%2e%2e/v1/status", "/v1/status%00", "/V1/STATUS", "/v1/status;a=b", "/docs", "/openapi.json",
        "/v1/owner/status", "http://owner/v1/nothing",
    ],
)  # fmt: skip
def test_no_spelling_of_a_path_reaches_another_call(plainly: At, target: str) -> None:
    reply = sent(plainly.path(Peer.LOOP), "POST", target, body=b"{}")
    assert (reply.status, reply.code) in ((404, "no-such-call"), (403, "other-socket"))
    assert reply.data["error"]["exit_code"] in {shown.exit_code for shown in TABLE.values()}


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer owner"},
        {"Host": "owner", "X-Forwarded-Host": "owner"},
        {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=owner", "X-Real-IP": "127.0.0.1"},
        {"X-HTTP-Method-Override": "GET", "X-Original-URL": "/v1/status", "X-Rewrite-URL": "/v1/status"},
        {"X-Muniment-Actor": "owner", "X-Muniment-Role": "owner", "Cookie": "role=owner"},
    ],
)
def test_no_header_makes_anybody_more_than_the_socket_does(plainly: At, headers: dict[str, str]) -> None:
    path = plainly.path(Peer.LOOP)
    assert sent(path, "GET", f"{PREFIX}status", headers=headers).code == "other-socket"
    said = sent(path, "GET", f"{PREFIX}about", headers=headers)
    assert said.data["acting_as"]["role"] == "agent"


@pytest.mark.parametrize(
    "fields",
    [
        {"role": "owner"}, {"actor": "owner"}, {"tenant": "other"}, {"rank": "manual"}, {"trust": "believed"},
        {"key": "mun_x"}, {"agent": "owner"}, {"credential": "x"}, {"strict": True},
    ],
)  # fmt: skip
def test_no_field_makes_anybody_more_than_the_socket_does(plainly: At, fields: dict[str, object]) -> None:
    reply = plainly.call(Peer.LOOP, "remember", session="s", text="The kettle is blue", **fields)
    assert (reply.status, reply.code) == (400, "bad-input")
    assert "is no argument of this call" in reply.data["error"]["sentence"]


def test_the_loop_cannot_say_that_a_result_is_clean(plainly: At) -> None:
    reply = plainly.call(Peer.LOOP, "append", session="c", role="tool_result", text="4", clean=True)
    assert (reply.status, reply.code) == (400, "bad-input")
    plainly.loop("append", session="c", role="tool_result", text="4", speaker="calculator", untrusted=False)
    assert plainly.loop("session", session="c")["label"]["untrusted"]


def test_a_space_that_is_not_the_agents_is_not_written(plainly: At) -> None:
    reply = plainly.call(Peer.LOOP, "remember", session="s", text="The kettle is blue", space="acme")
    assert (reply.status, reply.data["reason"]) == (409, "not-granted")
    assert plainly.loop("remember", session="s", text="The kettle is red")["verdict"] == "stored"


def test_a_call_of_another_socket_is_on_record_once_and_says_nothing_that_was_sent(vault: Vault) -> None:
    with served(vault) as at:
        for _ in range(3):
            assert at.call(Peer.LOOP, "erase", text="the blue kettle", plan="x").code == "other-socket"
        assert at.call(Peer.BROKER, "recall", query="kettle").code == "other-socket"
        assert at.call(Peer.LOOP, "no-such-thing").code == "no-such-call"
        denied = [row for row in at.owner("log")["records"] if row["act"] == DENIED]
    assert [(row["fields"]["socket"], row["fields"]["call"]) for row in denied] == [
        ("broker", "recall"),
        ("loop", "erase"),
    ]
    assert all(row["fields"]["reason"] == "other-socket" for row in denied)
    assert "kettle" not in str(denied)
    assert vault.verify().ok


def test_a_call_is_refused_too_where_that_cannot_be_put_on_record(vault: Vault) -> None:
    with served(vault) as at:
        closed = replace(vault.ground.outside, writable=False, why_read_only="The disk is full.")
        opened, vault.ground.outside = vault.ground.outside, closed
        assert at.call(Peer.LOOP, "erase", text="x", plan="x").code == "other-socket"
        vault.ground.outside = opened
        assert not [row for row in vault.log() if row.act == DENIED]
        assert at.call(Peer.LOOP, "erase", text="x", plan="x").code == "other-socket"
        assert len([row for row in vault.log() if row.act == DENIED]) == 1


def test_what_is_no_request_is_answered_as_any_error_and_disturbs_nobody(plainly: At) -> None:
    about = b"GET /v1/about HTTP/1.1\r\nHost: m\r\n\r\n"
    for said in (b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET /v1/about XTTP/1.1\r\n\r\n"):
        with connected(plainly.path(Peer.LOOP)) as connection:
            connection.sendall(said)
            response = http.client.HTTPResponse(connection)
            response.begin()
            found = json.loads(response.read())
        assert (response.status, found["error"]["code"]) == (400, "bad-input"), said
        assert set(found["error"]) == {"code", "sentence", "advice", "exit_code"}
        with connected(plainly.path(Peer.LOOP)) as connection:
            connection.sendall(about)
            first = http.client.HTTPResponse(connection)
            first.begin()
            first.read()
            connection.sendall(said + about)
            while connection.recv(65_536):
                pass
        assert plainly.loop("about")["socket"] == "loop"


def test_a_broken_chunk_ends_its_own_connection_alone(plainly: At) -> None:
    with connected(plainly.path(Peer.LOOP)) as connection:
        said = "POST /v1/append HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n"
        connection.sendall(said.encode())
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert response.status == 400
    assert plainly.loop("about")["socket"] == "loop"
