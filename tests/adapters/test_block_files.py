"""Are the files of the blocks private, whole, read with care, and gone when they go?"""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment import limits
from muniment.adapters import block_files
from muniment.adapters.block_files import FileBlocks
from muniment.errors import Busy, FullDisk, UnusableBlock
from tests.conftest import ROOT

AT = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)
NAME = "memory.md"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "vault.db.blocks"


@pytest.fixture
def blocks(place: Path) -> FileBlocks:
    made = FileBlocks(place)
    made.make()
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_directory_is_private_and_is_made_once(place: Path) -> None:
    blocks = FileBlocks(place)
    assert not blocks.are_there()
    before = os.umask(0o277)
    try:
        blocks.make()
        blocks.make()
    finally:
        os.umask(before)
    assert blocks.are_there() and mode(place) == 0o700
    assert blocks.place == str(place)


def test_a_file_is_private_whole_and_read_back(blocks: FileBlocks, place: Path) -> None:
    assert blocks.read(NAME) is None
    blocks.write(NAME, b"tea")
    os.chmod(place / NAME, 0o644)
    assert blocks.read(NAME) == b"tea", "others may read it, which the next writing mends"
    blocks.write(NAME, b"milk")
    assert (blocks.read(NAME), mode(place / NAME)) == (b"milk", 0o600)
    assert os.listdir(place) == [NAME]


def test_the_bytes_that_went_are_overwritten_on_the_disk(blocks: FileBlocks, place: Path) -> None:
    blocks.write(NAME, b"the code is 4711")
    with open(place / NAME, "rb") as old:
        blocks.write(NAME, b"tea")
        assert old.read() == bytes(len(b"the code is 4711"))
    with open(place / NAME, "rb") as old:
        blocks.drop(NAME)
        assert old.read() == bytes(3)
    assert not (place / NAME).exists()
    blocks.drop(NAME)


def test_a_file_with_another_name_keeps_there_what_it_held(blocks: FileBlocks, place: Path) -> None:
    blocks.write(NAME, b"tea")
    os.link(place / NAME, place.parent / "mine")
    blocks.write(NAME, b"milk")
    assert (place.parent / "mine").read_bytes() == b"tea"


def _linked(path: Path) -> None:
    path.parent.with_name("elsewhere").write_bytes(b"theirs")
    path.symlink_to(path.parent.with_name("elsewhere"))


def _given_away(path: Path) -> None:
    path.write_bytes(b"theirs")
    os.chown(path, 65_534, 65_534)


def _open_to_others(path: Path) -> None:
    path.write_bytes(b"anybody's")
    path.chmod(0o666)


UNREADABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "link": (_linked, "is a link"),
    "link to nothing": (lambda path: path.symlink_to("nowhere"), "is a link"),
    "directory": (lambda path: path.mkdir(), "is no ordinary file"),
    "pipe": (lambda path: os.mkfifo(path), "is no ordinary file"),
    "open to others": (_open_to_others, "may be written by others"),
    "too long": (
        lambda path: path.write_bytes(b"x" * (limits.block_file_bytes_max + 1)),
        "is longer than 1,000,000 bytes",
    ),
}
if os.geteuid() == 0:
    UNREADABLE["another user's"] = (_given_away, "belongs to another user")


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_cannot_be_trusted_is_not_read_and_says_why(blocks: FileBlocks, place: Path, kind: str) -> None:
    make, said = UNREADABLE[kind]
    make(place / NAME)
    with pytest.raises(UnusableBlock, match=said):
        blocks.read(NAME)


@pytest.mark.parametrize("kind", UNREADABLE)
def test_whatever_bears_the_name_is_moved_aside_and_not_followed(
    blocks: FileBlocks, place: Path, kind: str
) -> None:
    UNREADABLE[kind][0](place / NAME)
    name = blocks.aside(NAME, AT)
    assert name == "memory.md.bak.20260105T093000Z"
    assert os.path.lexists(place / name) and not os.path.lexists(place / NAME)
    elsewhere = place.with_name("elsewhere")
    assert not elsewhere.exists() or elsewhere.read_bytes() == b"theirs"
    assert blocks.aside(NAME, AT) == ""


def test_a_file_that_is_exactly_as_long_as_may_be_is_read(blocks: FileBlocks, place: Path) -> None:
    (place / NAME).write_bytes(b"x" * limits.block_file_bytes_max)
    content = blocks.read(NAME)
    assert content is not None and len(content) == limits.block_file_bytes_max


def test_a_file_that_may_not_be_opened_says_so(tmp_path: Path) -> None:
    """A name that is too long stands for whatever the system answers: no right stops the system's root."""
    with pytest.raises(UnusableBlock, match="cannot be read: File name too long"):
        FileBlocks(tmp_path).read("x" * 300)


def test_a_link_is_replaced_and_what_it_points_to_stays(blocks: FileBlocks, place: Path) -> None:
    _linked(place / NAME)
    blocks.write(NAME, b"tea")
    assert not (place / NAME).is_symlink()
    assert place.with_name("elsewhere").read_bytes() == b"theirs"
    again = place / "user.md"
    _linked(again)
    blocks.drop("user.md")
    assert not again.is_symlink()
    assert place.with_name("elsewhere").read_bytes() == b"theirs"


def test_a_file_that_was_saved_meanwhile_is_not_followed_over(blocks: FileBlocks, place: Path) -> None:
    assert blocks.follow(NAME, b"tea", seen=None)
    assert blocks.follow(NAME, b"milk", seen=b"tea")
    assert not blocks.follow(NAME, b"bread", seen=b"tea")
    assert not blocks.follow(NAME, b"bread", seen=None)
    assert (blocks.read(NAME), os.listdir(place)) == (b"milk", [NAME]), "and its bytes are all there"
    os.replace(place / NAME, place / "user.md")
    (place / NAME).symlink_to("user.md")
    assert not blocks.follow(NAME, b"bread", seen=b"milk")
    assert (place / "user.md").read_bytes() == b"milk"


def test_what_went_is_overwritten_when_a_file_follows_too(blocks: FileBlocks, place: Path) -> None:
    blocks.write(NAME, b"the code is 4711")
    with open(place / NAME, "rb") as old:
        assert blocks.follow(NAME, b"tea", seen=b"the code is 4711")
        assert old.read() == bytes(16)


def test_copies_are_private_and_none_takes_the_place_of_another(blocks: FileBlocks, place: Path) -> None:
    names = [blocks.keep(NAME, content, AT) for content in (b"one", b"two", b"three")]
    assert names == [f"memory.md.bak.20260105T093000Z{more}" for more in ("", "-2", "-3")]
    assert [(place / name).read_bytes() for name in names] == [b"one", b"two", b"three"]
    assert {mode(place / name) for name in names} == {0o600}
    assert blocks.copies() == tuple(names)


def test_the_copies_have_a_bound_and_nothing_is_thrown_away_for_a_new_one(blocks: FileBlocks) -> None:
    for _ in range(limits.block_copies_max):
        blocks.keep(NAME, b"x", AT)
    with pytest.raises(FullDisk, match="100 copies") as caught:
        blocks.keep(NAME, b"x", AT)
    assert "Remove the copies" in caught.value.advice
    assert len(blocks.copies()) == limits.block_copies_max


def test_a_draft_that_a_crash_left_counts_as_a_copy(blocks: FileBlocks, place: Path) -> None:
    (place / ".memory.md.1.ab.part").write_bytes(b"half")
    assert blocks.copies() == (".memory.md.1.ab.part",)


@pytest.mark.parametrize("kind", ["link", "file", "open", "theirs"])
def test_a_directory_that_others_may_enter_is_not_used(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "d"
    if kind == "link":
        (tmp_path / "real").mkdir(mode=0o700)
        place.symlink_to(tmp_path / "real")
    elif kind == "file":
        place.write_bytes(b"")
    else:
        place.mkdir(mode=0o700)
        if kind == "open":
            place.chmod(0o750)
        elif os.geteuid() == 0:
            os.chown(place, 65_534, 65_534)
        else:
            place = Path("/")
    blocks = FileBlocks(place)
    assert blocks.are_there()
    with pytest.raises(UnusableBlock, match="link|another user|open to others"), blocks.locked():
        raise AssertionError("it was used")


def test_two_threads_wait_for_each_other(blocks: FileBlocks) -> None:
    order: list[str] = []
    inside, done = threading.Event(), threading.Event()

    def first() -> None:
        with blocks.locked():
            inside.set()
            done.wait(5)
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(5)
    threading.Timer(0.05, done.set).start()
    with blocks.locked():
        order.append("second")
    thread.join()
    assert order == ["first", "second"]


def test_another_process_that_never_lets_go_is_named(blocks: FileBlocks, place: Path) -> None:
    program = (
        "import sys, pathlib\nfrom muniment.adapters.block_files import FileBlocks\n"
        f"with FileBlocks(pathlib.Path({str(place)!r})).locked():\n"
        "    print('held', flush=True); sys.stdin.read()\n"
    )
    held = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert held.stdout is not None and held.stdout.readline() == b"held\n"
    try:
        with pytest.raises(Busy, match="Another process holds .lock"), blocks.locked(wait_ms=50):
            raise AssertionError("it was not held")
    finally:
        held.communicate(timeout=10)
    with blocks.locked(wait_ms=50):
        pass


def test_what_is_behind_a_lost_name_is_not_touched(blocks: FileBlocks, place: Path) -> None:
    (place / NAME).mkdir()
    with block_files._opened(place / NAME) as found:
        assert found is None
    with block_files._opened(place / "absent") as found:
        assert found is None


def test_directories_whose_vaults_are_not_there_are_named_and_no_other(
    blocks: FileBlocks, tmp_path: Path
) -> None:
    for name in ("gone.db.blocks", "open.db.blocks", "here.db.blocks", "served.blocks"):
        FileBlocks(tmp_path / name).make()
    (tmp_path / "here.db").touch()
    (tmp_path / "served.keys").mkdir()
    (tmp_path / "open.db.blocks").chmod(0o755)
    (tmp_path / "linked.db.blocks").symlink_to(tmp_path / "gone.db.blocks")
    (tmp_path / ".blocks").mkdir()
    assert [one.place for one in blocks.strays()] == [str(tmp_path / "gone.db.blocks")]
    assert FileBlocks(tmp_path / "nowhere" / "v.db.blocks").strays() == ()


def test_of_directories_without_a_vault_a_few_are_looked_for_among_so_many_names(
    blocks: FileBlocks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(limits.stray_items_max + 1):
        FileBlocks(tmp_path / f"gone-{number}.blocks").make()
    assert len(blocks.strays()) == limits.stray_items_max
    monkeypatch.setattr(limits, "directory_items_max", 1)
    assert len(blocks.strays()) <= 1
