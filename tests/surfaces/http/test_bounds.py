"""Is what comes over a socket bounded in size, time and number, and is garbage answered in one shape?"""

import http.client
import json
import socket
import threading
import time
from contextlib import suppress

import pytest

from muniment import limits
from muniment.domain.rights import Peer
from muniment.errors import TooLarge, TooSlow
from muniment.surfaces.http.app import PREFIX
from muniment.surfaces.http.chores import Chores
from muniment.surfaces.http.desk import Desk
from tests.builders import FakeClock, reference_vault
from tests.surfaces.http.served import SECONDS_MAX, At, Reply, connected, sent, served, until

APPEND = PREFIX + "append"


def read(connection: socket.socket) -> bytes:
    """Return what comes until the other side closes; a cut is an end too."""
    found = b""
    try:
        while part := connection.recv(65_536):
            found += part
    except ConnectionError:
        pass
    return found


def reply_of(text: bytes) -> Reply:
    head, _, body = text.partition(b"\r\n\r\n")
    return Reply(int(head.split()[1]), json.loads(body))


def head(length: int, *, target: str = APPEND, more: str = "") -> bytes:
    return f"POST {target} HTTP/1.1\r\nHost: m\r\nContent-Length: {length}\r\n{more}\r\n".encode()


def turn(text: str) -> bytes:
    return json.dumps({"session": "b", "role": "user", "text": text}).encode()


def test_a_body_of_exactly_the_bound_is_taken(plainly: At, monkeypatch: pytest.MonkeyPatch) -> None:
    body = turn("x" * 500)
    monkeypatch.setattr(limits, "request_bytes_max", len(body))
    assert sent(plainly.path(Peer.LOOP), "POST", APPEND, body=body).status == 200
    reply = sent(plainly.path(Peer.LOOP), "POST", APPEND, body=body + b" ")
    assert (reply.status, reply.code) == (413, TooLarge.code)


def test_a_body_that_says_it_is_huge_is_refused_before_it_comes(plainly: At) -> None:
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(head(10**12))
        reply = reply_of(read(connection))
    assert (reply.status, reply.code) == (413, "request-too-large")


def test_a_body_that_does_not_say_its_length_is_cut_at_the_bound(
    plainly: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "request_bytes_max", 4_000)
    chunk = b"3e8\r\n" + b"x" * 1_000 + b"\r\n"
    with connected(plainly.path(Peer.LOOP)) as connection:
        said = f"POST {APPEND} HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(said.encode() + chunk * 5)
        reply = reply_of(read(connection))
    assert (reply.status, reply.code) == (413, "request-too-large")


def test_two_lengths_are_no_way_to_smuggle_a_second_request(plainly: At) -> None:
    inner = b"GET /v1/status HTTP/1.1\r\nHost: m\r\n\r\n"
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(head(2, more=f"Content-Length: {len(inner)}\r\n") + inner)
        assert read(connection).startswith(b"HTTP/1.1 400")
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(
            head(0) + inner + b"GET /v1/about HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n"
        )
        found = read(connection)
    # Requests behind each other on one connection have the same rights each.
    assert found.count(b"other-socket") == 1
    assert b'"role": "agent"' in found


def test_a_body_that_trickles_is_given_up(plainly: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "request_seconds_max", 0.3)
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(head(1_000) + b"{")
        began = time.monotonic()
        reply = reply_of(read(connection))
    assert (reply.status, reply.code) == (408, TooSlow.code)
    assert time.monotonic() - began < SECONDS_MAX / 2


@pytest.mark.parametrize("said", [b"", b"GET /v1/ab", b"GET /v1/about HTTP/1.1\r\nHost: m\r\nX: "])
def test_a_head_that_never_ends_is_cut_off(plainly: At, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(limits, "request_seconds_max", 0.3)
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(said)
        assert read(connection) == b""


def test_a_second_head_on_a_kept_connection_is_cut_off_too(
    plainly: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "request_seconds_max", 0.5)
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(b"GET /v1/about HTTP/1.1\r\nHost: m\r\n\r\n")
        first = http.client.HTTPResponse(connection)
        first.begin()
        assert json.loads(first.read())["socket"] == "loop"
        connection.sendall(b"GET /v1/ab")
        assert read(connection) == b""


def test_a_head_beyond_the_bound_is_refused(plainly: At) -> None:
    """`request_head_bytes_max` is kept by the HTTP library, which answers in its own words."""
    within = {"X-Long": "x" * (limits.request_head_bytes_max // 2)}
    assert sent(plainly.path(Peer.LOOP), "GET", f"{PREFIX}about", headers=within).status == 200
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(b"GET /v1/about HTTP/1.1\r\nHost: m\r\nX-Long: ")
        with suppress(ConnectionError):
            connection.sendall(b"x" * (2 * limits.request_head_bytes_max))
        assert b"HTTP/1.1 200" not in read(connection)


def test_a_connection_too_many_is_cut_off_and_the_owner_still_comes_in(
    plainly: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "connections_max", 3)
    held = [connected(plainly.path(Peer.LOOP)) for _ in range(3)]
    try:
        for one in held:
            one.sendall(b"GET /v1/about HTTP/1.1\r\nHost: m\r\n\r\n")
            assert one.recv(65_536).startswith(b"HTTP/1.1 200")
        with connected(plainly.path(Peer.LOOP)) as further:
            assert read(further) == b""
        assert plainly.owner("status")["writable"]
    finally:
        for one in held:
            one.close()


@pytest.mark.parametrize("ending", ["", "Connection: close\r\n"])
def test_an_answer_that_nobody_takes_away_ends_its_connection(
    plainly: At, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    """Else whoever asks and does not read would keep a place for good, and all places at last."""
    monkeypatch.setattr(limits, "request_seconds_max", 0.5)
    monkeypatch.setattr(limits, "connections_max", 3)
    plainly.loop("append", session="long", role="user", text="heron " * 400_000)
    asked = f"GET /v1/turns?session=long HTTP/1.1\r\nHost: m\r\n{ending}\r\n".encode()
    held = [connected(plainly.path(Peer.LOOP)) for _ in range(3)]
    try:
        for one in held:
            one.sendall(asked)
        until(lambda: is_served(plainly))
        # The first whose time is over makes room; the others may still be read to their end.
        assert min(len(read(one)) for one in held) < 2_400_000, "what was not taken away is not sent any more"
        assert len(plainly.loop("turns", session="long")) == 1
    finally:
        for one in held:
            one.close()


def is_served(at: At) -> bool:
    try:
        return sent(at.path(Peer.LOOP), "GET", f"{PREFIX}about").status == 200
    except OSError:
        return False


def test_a_slow_reader_that_goes_on_reading_gets_its_whole_answer(
    plainly: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "request_seconds_max", 5)
    plainly.loop("append", session="slow", role="user", text="heron " * 100_000)
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(b"GET /v1/turns?session=slow HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n")
        found = b""
        while part := connection.recv(32_768):
            found += part
            time.sleep(0.01)
    assert found.count(b"heron ") == 100_000 and json.loads(found.partition(b"\r\n\r\n")[2])


def test_so_many_requests_are_worked_on_at_once_and_the_others_wait(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`requests_at_once_max` is a socket's own: the loop waits for itself, and the owner does not."""
    monkeypatch.setattr(limits, "requests_at_once_max", 1)
    entered, go_on = threading.Semaphore(0), threading.Event()
    whole = Desk.session

    def slow(desk: Desk, name: str) -> object:
        entered.release()
        assert go_on.wait(SECONDS_MAX)
        return whole(desk, name)

    monkeypatch.setattr(Desk, "session", slow)
    with served(reference_vault(tmp_path, clock=FakeClock())) as at:  # type: ignore[arg-type]  # not used
        asking = [threading.Thread(target=at.loop, args=("turns",), kwargs={"session": "s"}) for _ in "ab"]
        for one in asking:
            one.start()
        assert entered.acquire(timeout=SECONDS_MAX)
        assert not entered.acquire(timeout=0.3)
        assert at.owner("status")["writable"]
        go_on.set()
        for one in asking:
            one.join(SECONDS_MAX)
        assert entered.acquire(timeout=SECONDS_MAX)


def test_sessions_at_hand_are_the_ones_used_last(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "sessions_held_max", 2)
    vault = reference_vault(tmp_path, clock=FakeClock())  # type: ignore[arg-type]  # not used
    desk = Desk(Peer.LOOP, vault.acting_as(actor="coder"), chores=Chores(vault))
    first, second = desk.session("one"), desk.session("two")
    assert desk.session("one") is first
    desk.session("three")
    assert desk.session("one") is first
    assert desk.session("two") is not second


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b'"text"', b"null", b"7", b"NaN", b'{"session": NaN}', b"\xff\xfe", b"[" * 100_000,
        b'{"session": ' + b"9" * 10_000 + b"}", b"{} {}", b"session=s",
    ],
)  # fmt: skip
def test_a_body_that_is_no_object_is_answered_as_any_error(plainly: At, body: bytes) -> None:
    reply = sent(plainly.path(Peer.LOOP), "POST", APPEND, body=body)
    assert (reply.status, reply.code) == (400, "bad-input")
    assert set(reply.data["error"]) == {"code", "sentence", "advice", "exit_code"}


@pytest.mark.parametrize(
    "body",
    [
        b'{"session": "b", "session": "c", "role": "user", "text": "x"}',
        b'{"session": "b", "action": "add", "operations": [{"text": "x", "text": "y"}]}',
    ],
)
def test_a_name_that_stands_twice_in_an_object_is_refused(plainly: At, body: bytes) -> None:
    """Whoever checked the request before may have read the first, and we would take the last."""
    reply = sent(plainly.path(Peer.LOOP), "POST", APPEND, body=body)
    assert (reply.status, reply.code) == (400, "bad-input")
    assert "twice" in reply.data["error"]["sentence"]


def test_a_call_that_needs_nothing_takes_no_body(plainly: At) -> None:
    assert sent(plainly.path(Peer.OWNER), "POST", f"{PREFIX}checkpoint").status == 200
    assert sent(plainly.path(Peer.OWNER), "POST", f"{PREFIX}checkpoint", body=b" ").status == 200


def test_a_call_with_a_body_takes_nothing_in_its_address(plainly: At) -> None:
    """What stands in an address is kept by what looks on; a text of a memory does not belong there."""
    reply = sent(plainly.path(Peer.LOOP), "POST", f"{APPEND}?session=b", body=turn("hello"))
    assert (reply.status, reply.code) == (400, "bad-input")


def test_a_name_that_comes_twice_is_a_list_where_one_is_taken_and_else_refused(plainly: At) -> None:
    for query in ("session=a&session=b", "session=a&session=b&session=c"):
        reply = sent(plainly.path(Peer.LOOP), "GET", f"{PREFIX}session?{query}")
        assert (reply.status, reply.code) == (400, "bad-input")


def test_half_a_pair_of_surrogates_comes_back_as_an_answer(plainly: At) -> None:
    body = b'{"session": "b", "role": "user", "text": "a \\ud800 b"}'
    reply = sent(plainly.path(Peer.LOOP), "POST", APPEND, body=body)
    assert reply.status in (200, 400)
    assert plainly.loop("turns", session="b")["turns"]


def test_what_nobody_foresaw_is_answered_without_what_it_says(
    plainly: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(desk: Desk, name: str) -> object:
        raise RuntimeError("the blue kettle")

    monkeypatch.setattr(Desk, "session", broken)
    reply = plainly.call(Peer.LOOP, "turns", session="s")
    assert (reply.status, reply.code) == (500, "unexpected")
    assert "kettle" not in json.dumps(reply.data)


def test_a_client_that_asks_before_it_sends_is_told_to_go_on_or_refused(plainly: At) -> None:
    body = turn("hello")
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(head(len(body), more="Expect: 100-continue\r\nConnection: close\r\n"))
        assert connection.recv(1_000).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        assert reply_of(read(connection)).status == 200
    with connected(plainly.path(Peer.LOOP)) as connection:
        connection.sendall(head(10**10, more="Expect: 100-continue\r\n"))
        assert reply_of(read(connection)).code == "request-too-large"


def test_a_client_that_leaves_in_mid_request_disturbs_nobody(plainly: At) -> None:
    for _ in range(5):
        with connected(plainly.path(Peer.LOOP)) as connection:
            connection.sendall(head(1_000) + b'{"session"')
    assert plainly.loop("about")["socket"] == "loop"


def test_an_upgrade_to_another_protocol_is_not_made(plainly: At) -> None:
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "x" * 22 + "=="}
    assert sent(plainly.path(Peer.LOOP), "GET", f"{PREFIX}about", headers=headers).status == 200
