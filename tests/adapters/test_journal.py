"""Does a line of the journal of erasures stay, whole and private, whatever happens meanwhile?"""

import os
import stat
import threading
from pathlib import Path

import pytest

from muniment.adapters import files
from muniment.adapters.journal import JOURNAL, FileJournal, MemoryJournal
from muniment.errors import Busy, FullDisk, ReadOnly, Unreadable


@pytest.fixture(params=["file", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> FileJournal | MemoryJournal:
    return FileJournal(tmp_path) if request.param == "file" else MemoryJournal()


@pytest.fixture
def filed(tmp_path: Path) -> FileJournal:
    return FileJournal(tmp_path)


def test_a_journal_begins_with_nothing(journal: FileJournal | MemoryJournal) -> None:
    assert journal.lines() == ()


def test_lines_stay_in_their_order(journal: FileJournal | MemoryJournal) -> None:
    journal.add("x_one said")
    journal.add("x_two said more")
    assert journal.lines() == ("x_one said", "x_two said more")


def test_looking_into_a_journal_makes_no_file(filed: FileJournal, tmp_path: Path) -> None:
    assert filed.lines() == ()
    assert list(tmp_path.iterdir()) == []


def test_another_process_reads_what_was_added(filed: FileJournal, tmp_path: Path) -> None:
    filed.add("x_one")
    assert FileJournal(tmp_path).lines() == ("x_one",)


def test_a_journal_is_closed_to_others(filed: FileJournal, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        filed.add("x_one")
    finally:
        os.umask(before)
    for name in (JOURNAL, f"{JOURNAL}.lock"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_a_torn_line_counts_for_nothing_and_is_written_over(filed: FileJournal, tmp_path: Path) -> None:
    filed.add("x_one")
    with open(tmp_path / JOURNAL, "ab") as file:
        file.write(b"x_two and th")
    assert filed.lines() == ("x_one",)
    filed.add("x_three")
    assert filed.lines() == ("x_one", "x_three")
    assert b"x_two" not in (tmp_path / JOURNAL).read_bytes()


def test_a_file_of_one_torn_line_has_no_line(filed: FileJournal, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b"x_one and")
    assert filed.lines() == ()
    filed.add("x_two")
    assert filed.lines() == ("x_two",)


def test_bytes_that_are_no_text_are_shown_as_such(filed: FileJournal, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b"x_one \xff\n")
    assert filed.lines() == ("x_one \N{REPLACEMENT CHARACTER}",)


def test_threads_lose_no_line(tmp_path: Path) -> None:
    def add(name: str) -> None:
        own = FileJournal(tmp_path)
        for number in range(10):
            own.add(f"{name}{number}")

    threads = [threading.Thread(target=add, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = FileJournal(tmp_path).lines()
    assert sorted(lines) == sorted(f"{name}{number}" for name in "abcd" for number in range(10))


def test_a_line_is_on_the_disk_when_it_was_added(
    filed: FileJournal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    real = os.fsync

    def seen(descriptor: int) -> None:
        real(descriptor)
        if (tmp_path / JOURNAL).exists():
            synced.append((tmp_path / JOURNAL).read_bytes())

    monkeypatch.setattr(files.os, "fsync", seen)
    filed.add("x_one")
    assert synced[0] == b"x_one\n"


def test_a_journal_that_is_a_link_is_not_followed(filed: FileJournal, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.write_bytes(b"x_one\n")
    (tmp_path / JOURNAL).symlink_to(aside)
    with pytest.raises(Unreadable):
        filed.lines()
    with pytest.raises(Unreadable):
        filed.add("x_two")
    assert aside.read_bytes() == b"x_one\n"


def test_a_journal_that_cannot_be_read_is_not_an_empty_one(filed: FileJournal, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).mkdir()
    with pytest.raises(Unreadable):
        filed.lines()


@pytest.mark.parametrize(
    ("number", "error"), [(28, FullDisk), (30, ReadOnly)], ids=["no space", "no writing"]
)
def test_what_the_system_says_is_translated(
    filed: FileJournal, monkeypatch: pytest.MonkeyPatch, number: int, error: type[Exception]
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(number, "no")

    filed.add("x_one")
    with monkeypatch.context() as patched:
        patched.setattr(files, "append", refused)
        with pytest.raises(error):
            filed.add("x_two")
    assert filed.lines() == ("x_one",)


def test_a_journal_that_another_holds_is_busy(
    filed: FileJournal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / f"{JOURNAL}.lock"
    monkeypatch.setattr(files.locked.__wrapped__, "__kwdefaults__", {"wait_ms": 20})
    with files.locked(lock), pytest.raises(Busy):
        filed.add("x_one")
    filed.add("x_two")
    assert filed.lines() == ("x_two",)
