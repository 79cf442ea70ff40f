"""Does a daemon start whole, catch up, end with nothing half done, and is nothing lost by a kill?"""

import json
import os
import random
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.domain.rights import RIGHTS, Peer, digest_of
from muniment.errors import DaemonRunning
from muniment.service.vault import Vault
from muniment.surfaces.http import daemon as daemons
from muniment.surfaces.http.daemon import tell_ready
from muniment.surfaces.http.desk import Desk
from tests import postgres
from tests.builders import FakeClock, World, reference_vault, stored
from tests.conftest import ROOT
from tests.surfaces.http.served import (
    SECONDS_MAX,
    At,
    Process,
    process,
    ran,
    served,
    until,
)


def key_of(place: Path) -> str:
    """Make the vault of a place; return the option that acts as its owner."""
    made = ran(place, "--json", "init")
    assert made.returncode == 0, made.stderr
    return f"@{json.loads(made.stdout)['key_file']}"


def test_a_daemon_of_its_own_process_announces_serves_and_ends_on_sigterm(place: Path) -> None:
    with process(place, "--key", key_of(place)) as found:
        assert sorted(found.announced) == ["broker", "loop", "owner"]
        assert found.announced["loop"] == str(found.at.path(Peer.LOOP))
        found.at.loop("append", session="s-1", role="user", text="The kettle is blue")
        assert found.at.owner("status")["counts"]
        found.running.send_signal(signal.SIGTERM)
        assert found.ended() == (0, "")
    assert not found.at.path(Peer.LOOP).exists()
    verified = ran(place, "--json", "--key", f"@{place}/h/vault.db.keys/owner.key", "verify")
    report = json.loads(verified.stdout)
    assert report["ok"]
    assert report["rights"] == digest_of(RIGHTS)
    shown = ran(place, "--key", f"@{place}/h/vault.db.keys/owner.key", "verify").stdout
    assert f"are those of this release: {digest_of(RIGHTS)[:16]}" in shown


def test_without_the_owner_there_is_no_socket_of_the_owner(place: Path) -> None:
    """A daemon gives nobody more than whoever started it has (I15)."""
    key_of(place)
    with process(place) as found:
        assert sorted(found.announced) == ["broker", "loop"]
        assert not found.at.path(Peer.OWNER).exists()
        assert found.at.loop("about")["acting_as"]["role"] == "agent"
        found.running.send_signal(signal.SIGINT)
        code, said = found.ended()
    assert code == 0
    assert "no socket of the owner" in said


def test_a_second_daemon_says_so_in_one_sentence_and_the_first_goes_on(place: Path) -> None:
    key = key_of(place)
    with process(place, "--key", key) as found:
        second = ran(place, "--key", key, "serve", "--local")
        assert second.returncode == 6
        assert second.stderr.startswith("daemon-running: Another daemon serves in this directory.")
        assert found.at.loop("about")["socket"] == "loop"


@pytest.mark.slow
def test_what_was_answered_outlives_a_kill_and_the_next_daemon_starts(
    place: Path, rng: random.Random
) -> None:
    key, answered = key_of(place), list[str]()
    for turn in range(4):
        with process(place, "--key", key) as found:
            assert found.announced
            writers = [
                threading.Thread(target=_writing, args=(found.at, f"s-{turn}-{n}", answered)) for n in "ab"
            ]
            for one in writers:
                one.start()
            before = len(answered)
            until(lambda seen=before: len(answered) > seen + 3)
            time.sleep(rng.uniform(0, 0.05))
            os.kill(found.running.pid, signal.SIGKILL)
            for one in writers:
                one.join(SECONDS_MAX)
    with muniment.open(place / "h" / "vault.db") as vault:
        assert vault.verify().ok
        kept = {
            turn.text
            for session in vault.sessions(limit=1_000)
            for turn in vault.session(session.name).turns(limit=1_000)
        }
    assert len(answered) > 12
    assert set(answered) <= kept


def _writing(at: At, session: str, answered: list[str]) -> None:
    """Append turns until the daemon is gone, noting each that was answered."""
    for number in range(10_000):
        text = f"{session} turn {number}"
        try:
            reply = at.call(Peer.LOOP, "append", session=session, role="user", text=text)
        except (OSError, ValueError):
            return
        assert reply.status == 200
        answered.append(text)


def test_an_open_request_is_answered_before_the_daemon_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, go_on, whole = threading.Event(), threading.Event(), Desk.session

    def slow(desk: Desk, name: str) -> object:
        entered.set()
        assert go_on.wait(SECONDS_MAX)
        return whole(desk, name)

    monkeypatch.setattr(Desk, "session", slow)
    vault, got = reference_vault(tmp_path, clock=FakeClock()), list[object]()
    with served(vault) as at:
        fields = {"session": "s", "role": "user", "text": "hello"}
        asking = threading.Thread(target=lambda: got.append(at.loop("append", **fields)))
        asking.start()
        assert entered.wait(SECONDS_MAX)
        # The end begins while the request is open, and it goes on a moment later.
        threading.Timer(0.5, go_on.set).start()
    asking.join(SECONDS_MAX)
    assert len(got) == 1
    assert [turn.text for turn in vault.session("s", agent="coder").turns()] == ["hello"]


def test_the_end_waits_no_longer_than_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`drain_seconds_max` bounds the wait for a client that never finishes its request."""
    monkeypatch.setattr(limits, "drain_seconds_max", 1)
    with served(reference_vault(tmp_path, clock=FakeClock())) as at:
        hanging = socket.socket(socket.AF_UNIX)
        hanging.connect(os.fspath(at.path(Peer.LOOP)))
        hanging.sendall(b"POST /v1/append HTTP/1.1\r\nHost: m\r\nContent-Length: 100\r\n\r\n{")
        assert at.loop("about")
        began = time.monotonic()
    assert 0.5 < time.monotonic() - began < SECONDS_MAX / 2
    hanging.close()


def test_who_waits_for_news_is_answered_at_once_when_the_end_comes(tmp_path: Path) -> None:
    got: list[object] = []
    began = time.monotonic()
    with served(reference_vault(tmp_path, clock=FakeClock())) as at:
        asking = threading.Thread(target=lambda: got.append(at.broker("updates", wait=30)))
        asking.start()
        time.sleep(0.5)
        assert not got
    asking.join(SECONDS_MAX)
    assert got == [{"position": 0, "more": False, "sessions": []}]
    assert time.monotonic() - began < limits.update_wait_seconds_max / 2


def test_news_come_while_one_waits_and_the_wait_is_bounded(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "update_wait_seconds_max", 1)
    began = time.monotonic()
    assert at.broker("updates", wait=1_000)["sessions"] == []
    assert 0.9 < time.monotonic() - began < SECONDS_MAX / 2
    monkeypatch.undo()
    got: list[dict[str, object]] = []
    asking = threading.Thread(target=lambda: got.append(at.owner("updates", wait=30)))
    asking.start()
    at.loop("append", session="s-1", role="user", text="hello")
    asking.join(SECONDS_MAX)
    ((found,),) = [one["sessions"] for one in got]
    assert (found["session"], found["turns"]) == ("s-1", 1)


def test_news_that_came_while_no_daemon_ran_are_told_after_a_restart(world: World) -> None:
    with served(world.vault) as at:
        at.loop("append", session="s-1", role="user", text="hello")
        seen = at.broker("updates")
        assert [one["session"] for one in seen["sessions"]] == ["s-1"]
    world.vault.session("s-2", agent="coder").append("user", "by another way")
    with served(world.restarted()) as at:
        found = at.broker("updates", after=seen["position"])
        assert [one["session"] for one in found["sessions"]] == ["s-2"]


def test_a_vault_that_takes_no_writes_is_served_and_says_so(vault: Vault) -> None:
    stored(vault.remember("The kettle is blue"))
    vault.ground.outside = replace(
        vault.ground.outside, writable=False, why_read_only="The file cannot be written."
    )
    with served(vault) as at:
        assert at.loop("about")["recorded"] is None
        found = at.loop("recall", session="s-1", query="kettle")
        assert [hit["text"] for hit in found["hits"]] == ["The kettle is blue"]
        assert not found["logged"]
        reply = at.call(Peer.LOOP, "append", session="s-1", role="user", text="hello")
        assert (reply.status, reply.code) == (500, "missing-key")


def test_a_daemon_that_may_not_start_serves_nothing(vault: Vault, place: Path) -> None:
    found = daemons.Place(place / "run", "coder", "home")
    with daemons.claimed(found.directory), pytest.raises(DaemonRunning):
        daemons.Daemon(vault, found, announce=lambda paths: pytest.fail("it serves")).run()
    assert not (place / "run" / "loop").exists()


def test_what_a_first_start_makes_is_private(place: Path) -> None:
    key_of(place)
    with process(place) as found:
        found.at.loop("append", session="s-1", role="user", text="hello")
        wide = [
            path
            for path in [place / "h", *(place / "h").rglob("*")]
            if stat.S_IMODE(path.lstat().st_mode) & 0o077
        ]
        assert wide == []
        assert len(list((place / "h").rglob("*"))) > 5


def ports_of(pid: int | str) -> set[str]:
    """Return the network sockets that a process holds, as this system lists them."""
    held = set()
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            held.add(os.readlink(each))
    found = set()
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
            found.add(f"socket:[{line.split()[9]}]")
    return held & found


def test_a_daemon_has_no_network_of_its_own(place: Path) -> None:
    if sys.platform != "linux":
        # Other systems do not list a process's sockets where a test could read them.
        return
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert ports_of("self"), "a socket of the network would be seen"
    key_of(place)
    with process(place) as found:
        assert found.at.loop("about")
        assert ports_of(found.running.pid) == set()


CLIENT = """
import json, sys
path, session = sys.argv[1:]
connection = Muniment(path)
for number in range(25):
    turn = {"session": session, "role": "user", "text": f"{session} {number}"}
    connection.request("POST", "/v1/append", body=json.dumps(turn))
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    answer.read()
"""


def test_programs_beside_each_other_lose_nothing_with_the_client_of_the_guide(place: Path) -> None:
    page = (ROOT / "docs" / "guide" / "daemon.md").read_text("utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with process(place, "--key", key_of(place)) as found:
        path = str(found.at.path(Peer.LOOP))
        clients = [
            subprocess.Popen([sys.executable, "-I", "-c", program + CLIENT, path, f"s-{n}"]) for n in range(4)
        ]
        assert [client.wait(SECONDS_MAX) for client in clients] == [0, 0, 0, 0]
        for n in range(4):
            turns = found.at.loop("turns", session=f"s-{n}")["turns"]
            assert [turn["text"] for turn in turns] == [f"s-{n} {number}" for number in range(25)]
        assert len(found.at.broker("updates")["sessions"]) == 4
        assert found.at.owner("verify")["ok"]


@pytest.mark.parametrize("is_abstract", [False, True])
def test_the_service_manager_is_told_when_the_sockets_are_there(
    place: Path, monkeypatch: pytest.MonkeyPatch, is_abstract: bool
) -> None:
    name = f"@mun-{os.getpid()}" if is_abstract else str(place / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.settimeout(SECONDS_MAX)
        told.bind("\0" + name[1:] if is_abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        tell_ready()
        assert told.recv(100) == b"READY=1"


def test_without_a_service_manager_nobody_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as somebody:
        somebody.bind(str(place / "somebody"))
        somebody.setblocking(False)
        for name in (None, "", str(place / "nobody")):
            if name is None:
                monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
            else:
                monkeypatch.setenv("NOTIFY_SOCKET", name)
            tell_ready()
        with pytest.raises(BlockingIOError):
            somebody.recv(100)
    assert not (place / "nobody").exists()


def test_a_vault_on_a_server_is_served_as_one_in_a_file(place: Path) -> None:
    database = postgres.empty_database().owner
    options = {"MUNIMENT_VAULT": database, "MUNIMENT_DATABASE_ROLE": "any"}
    made = ran(place, "--json", "init", **options)
    assert made.returncode == 0, made.stderr
    key = f"@{json.loads(made.stdout)['key_file']}"
    with process(place, "--key", key, **options) as found:
        _lives(found)
        os.kill(found.running.pid, signal.SIGKILL)
        found.ended()
    with process(place, "--key", key, **options) as found:
        assert [turn["text"] for turn in found.at.loop("turns", session="s-1")["turns"]] == ["hello"]
        assert found.at.owner("verify")["ok"]


def _lives(found: Process) -> None:
    found.at.loop("append", session="s-1", role="user", text="hello")
    assert found.at.broker("session", session="s-1")["turns"] == 1
    assert found.at.owner("verify")["rights"] == digest_of(RIGHTS)
