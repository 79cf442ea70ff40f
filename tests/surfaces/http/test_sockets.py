"""Are the sockets private, one daemon's at a time, and is nothing followed or removed that is not ours?"""

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.domain.rights import Peer
from muniment.errors import DaemonRunning, ReadOnly, Unavailable, UnfitSocket, Unreadable
from muniment.surfaces.http import peers
from muniment.surfaces.http.peers import question_of, user_of
from muniment.surfaces.http.sockets import LOCK, claimed, listening, path_of
from tests.builders import FakeClock, reference_vault
from tests.surfaces.http.served import connected, served

AS_ROOT = os.geteuid() == 0


def mode(path: Path) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def names(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_directories_are_0700_and_sockets_0600_whatever_the_umask(place: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with claimed(place / "run"), listening(place / "run", Peer.LOOP):
            assert mode(place / "run") == mode(place / "run" / "loop") == 0o700
            assert mode(path_of(place / "run", Peer.LOOP)) == 0o600
            assert mode(place / "run" / LOCK) == 0o600
    finally:
        os.umask(before)


def test_each_peer_has_a_directory_of_its_own(place: Path) -> None:
    found = {path_of(place, peer).parent for peer in Peer}
    assert len(found) == len(Peer)
    assert all(path.parent == place for path in found)


def test_a_clean_end_takes_the_sockets_away_and_keeps_the_lock(place: Path) -> None:
    with claimed(place), listening(place, Peer.OWNER):
        assert "owner/muniment.sock" in names(place)
    assert names(place) == [LOCK, "owner"]


def test_a_second_daemon_is_refused_until_the_first_ends(place: Path) -> None:
    with claimed(place), pytest.raises(DaemonRunning, match="Another daemon"), claimed(place):
        pass
    with claimed(place):
        pass


def test_a_stale_socket_is_removed_and_made_anew(place: Path) -> None:
    path = path_of(place, Peer.LOOP)
    path.parent.mkdir(mode=0o700)
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(os.fspath(path))
    dead.close()
    with pytest.raises(ConnectionRefusedError):
        connected(path)
    with claimed(place), listening(place, Peer.LOOP):
        connected(path).close()


def test_a_socket_that_is_answered_is_not_taken_for_a_stale_one(place: Path) -> None:
    """Whoever takes the lock's file away while a daemon runs gets no second one in its place."""
    with claimed(place), listening(place, Peer.LOOP):
        (place / LOCK).unlink()
        with claimed(place), pytest.raises(DaemonRunning) as caught, listening(place, Peer.LOOP):
            pass
        assert "lock" in caught.value.sentence
        connected(path_of(place, Peer.LOOP)).close()
    with claimed(place), listening(place, Peer.LOOP):
        connected(path_of(place, Peer.LOOP)).close()


def test_a_socket_whose_daemon_is_too_busy_to_answer_is_not_removed(place: Path) -> None:
    path = path_of(place, Peer.LOOP)
    path.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as busy:
        busy.bind(os.fspath(path))
        busy.listen(0)
        asking = [connected(path)]
        try:
            with claimed(place), pytest.raises(DaemonRunning), listening(place, Peer.LOOP):
                pass
            assert path.exists()
        finally:
            for one in asking:
                one.close()


@pytest.mark.parametrize("what", ["file", "directory", "link", "dangling"])
def test_what_is_no_socket_is_refused_and_left_alone(place: Path, what: str) -> None:
    path = path_of(place, Peer.LOOP)
    path.parent.mkdir(mode=0o700)
    kept = place / "kept"
    kept.write_text("kept")
    if what == "file":
        path.write_text("mine")
    elif what == "directory":
        path.mkdir()
    else:
        path.symlink_to(kept if what == "link" else place / "nowhere")
    with claimed(place), pytest.raises(UnfitSocket), listening(place, Peer.LOOP):
        pass
    assert os.path.lexists(path)
    assert kept.read_text() == "kept"


@pytest.mark.parametrize("bits", [0o750, 0o701, 0o777, 0o720])
def test_a_directory_that_is_open_to_others_is_refused_and_not_narrowed(place: Path, bits: int) -> None:
    run = place / "run"
    run.mkdir()
    run.chmod(bits)
    with pytest.raises(UnfitSocket, match="open to others"), claimed(run):
        pass
    assert mode(run) == bits
    run.chmod(0o700)
    with claimed(run):
        pass


@pytest.mark.parametrize("bits", [0o750, 0o777])
def test_a_peers_directory_that_is_open_to_others_is_refused(place: Path, bits: int) -> None:
    inner = path_of(place, Peer.BROKER).parent
    inner.mkdir()
    inner.chmod(bits)
    with claimed(place), pytest.raises(UnfitSocket), listening(place, Peer.BROKER):
        pass


def test_a_directory_that_is_a_link_is_refused(place: Path) -> None:
    (place / "real").mkdir(mode=0o700)
    (place / "run").symlink_to(place / "real")
    with pytest.raises(UnfitSocket, match="link"), claimed(place / "run"):
        pass
    assert names(place / "real") == []


def test_a_peers_directory_that_is_a_link_is_refused(place: Path) -> None:
    (place / "real").mkdir(mode=0o700)
    (place / "run").mkdir(mode=0o700)
    path_of(place / "run", Peer.LOOP).parent.symlink_to(place / "real")
    with claimed(place / "run"), pytest.raises(UnfitSocket), listening(place / "run", Peer.LOOP):
        pass
    assert names(place / "real") == []


def test_a_lock_that_is_a_link_is_refused(place: Path) -> None:
    (place / LOCK).symlink_to(place / "victim")
    with pytest.raises(UnfitSocket, match="link"), claimed(place):
        pass
    assert not (place / "victim").exists()


def test_a_directory_of_another_user_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    with pytest.raises(UnfitSocket, match="another user"), claimed(place):
        pass


def test_a_file_in_the_place_of_the_directory_is_refused(place: Path) -> None:
    (place / "run").write_text("mine")
    with pytest.raises(UnfitSocket, match="no directory"), claimed(place / "run"):
        pass
    with pytest.raises((Unreadable, ReadOnly)), claimed(place / "run" / "below"):
        pass


def test_a_path_that_is_too_long_for_a_socket_says_so_in_one_sentence(place: Path) -> None:
    deep = place / ("x" * 90)
    with claimed(deep), pytest.raises(UnfitSocket, match="too long") as caught, listening(deep, Peer.LOOP):
        pass
    assert "--sockets" in caught.value.advice


def test_the_kernel_says_who_is_at_the_other_end() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert user_of(one) == os.geteuid()


class Answering:
    """Answer as a kernel does, for a system that is not this one."""

    def __init__(self, answer: bytes | OSError) -> None:
        self.answer = answer
        self.asked: list[tuple[int, int, int]] = []

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        self.asked.append((level, optname, buflen))
        if isinstance(self.answer, OSError):
            raise self.answer
        return self.answer


def test_each_system_is_asked_in_its_own_way() -> None:
    linux = Answering(b"\x01\0\0\0" + (70_000).to_bytes(4, sys.byteorder) + b"\x02\0\0\0")
    assert user_of(linux, platform="linux") == 70_000
    assert linux.asked == [(socket.SOL_SOCKET, 17, 12)]
    mac = Answering(b"\0\0\0\0" + (501).to_bytes(4, sys.byteorder) + bytes(68))
    assert user_of(mac, platform="darwin") == 501
    assert mac.asked == [(0, 1, 76)]


@pytest.mark.parametrize("answer", [OSError(22, "no"), b"", b"\0" * 7])
def test_a_kernel_that_does_not_say_it_names_nobody(answer: bytes | OSError) -> None:
    assert user_of(Answering(answer), platform="linux") is None


def test_a_system_that_cannot_be_asked_is_not_served_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert question_of("linux") and question_of("darwin")
    with pytest.raises(Unavailable, match="does not say who"):
        question_of("plan9")
    monkeypatch.setattr(peers, "_QUESTIONS", {})
    vault = reference_vault(Path("unused"), clock=FakeClock())
    with pytest.raises(Unavailable), served(vault):
        pass


def test_another_user_is_cut_off_before_a_byte_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    vault = reference_vault(Path("unused"), clock=FakeClock())
    with served(vault) as at:
        assert at.loop("about")["socket"] == "loop"
        monkeypatch.setattr("muniment.surfaces.http.protocol.user_of", lambda connected: os.geteuid() + 1)
        with pytest.raises((ConnectionError, OSError)):
            at.loop("about")
        monkeypatch.setattr("muniment.surfaces.http.protocol.user_of", lambda connected: None)
        with pytest.raises((ConnectionError, OSError)):
            at.loop("about")
        monkeypatch.undo()
        assert at.loop("about")["socket"] == "loop"


CLIENT = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
found = socket.socket(socket.AF_UNIX); found.settimeout(30)
try:
    found.connect(sys.argv[1])
    found.sendall(b"GET /v1/about HTTP/1.1\\r\\nHost: m\\r\\nConnection: close\\r\\n\\r\\n")
    print(len(found.recv(1000)))
except OSError as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize("is_opened", [False, True])
def test_a_process_of_another_user_gets_nothing_even_through_an_opened_door(is_opened: bool) -> None:
    """Needs the right to become another user; the test above shows the same without it."""
    if not AS_ROOT:
        return
    vault = reference_vault(Path("unused"), clock=FakeClock())
    with served(vault) as at:
        path = at.path(Peer.LOOP)
        if is_opened:
            for one in (at.directory.parent, at.directory, path.parent):
                one.chmod(0o711)
            path.chmod(0o666)
        program = [sys.executable, "-I", "-c", CLIENT, str(path)]
        done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=True)
        said = done.stdout.strip()
        assert (
            said in ("0", "BrokenPipeError", "ConnectionResetError")
            if is_opened
            else said == "PermissionError"
        )
        assert at.loop("about")["socket"] == "loop"
