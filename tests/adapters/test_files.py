"""Are files beside the database private, whole, durable and locked?"""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from muniment.adapters import files
from muniment.errors import Busy, FullDisk, LooseKeys, MunimentError, ReadOnly, Unreadable


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def odd_umask() -> object:
    before = os.umask(0o277)
    yield
    os.umask(before)


def test_a_new_file_is_private_whatever_the_umask(tmp_path: Path, odd_umask: object) -> None:
    files.write_new(tmp_path / "a", b"content")
    assert mode(tmp_path / "a") == 0o600
    assert (tmp_path / "a").read_bytes() == b"content"


def test_a_new_directory_is_private_whatever_the_umask(tmp_path: Path, odd_umask: object) -> None:
    files.make_private_directory(tmp_path / "d")
    assert mode(tmp_path / "d") == 0o700


def test_a_taken_name_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for name in ("a", "link"):
        with pytest.raises(FileExistsError):
            files.write_new(tmp_path / name, b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert not (tmp_path / "elsewhere").exists()


def test_a_replaced_file_has_the_new_content_and_mode(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    files.replace(tmp_path / "a", b"new", mode=0o644)
    assert (tmp_path / "a").read_bytes() == b"new"
    assert mode(tmp_path / "a") == 0o644
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize(("may", "left"), [(False, b"old"), (True, b"new")])
def test_a_file_that_may_not_take_the_place_any_more_vanishes(
    tmp_path: Path, *, may: bool, left: bytes
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with files.whole(tmp_path / "a", if_still=lambda: may) as file:
        file.write(b"new")
    assert (tmp_path / "a").read_bytes() == left
    assert os.listdir(tmp_path) == ["a"]


def test_a_write_that_fails_leaves_the_old_content_and_no_draft(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(KeyError), files.whole(tmp_path / "a") as file:
        file.write(b"half")
        raise KeyError
    assert (tmp_path / "a").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_an_append_cuts_off_what_a_crash_left(tmp_path: Path) -> None:
    path = tmp_path / "log"
    files.append(path, b"one\n", after=0)
    with path.open("ab") as file:
        file.write(b"torn")
    files.append(path, b"two\n", after=4)
    assert path.read_bytes() == b"one\ntwo\n"
    assert mode(path) == 0o600


def test_an_append_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        files.append(tmp_path / "link", b"x", after=0)
    assert not (tmp_path / "elsewhere").exists()


def test_a_private_file_is_read(tmp_path: Path) -> None:
    files.write_new(tmp_path / "key", b"12345")
    assert files.read_private(tmp_path / "key", bytes_max=5) == b"12345"


@pytest.mark.parametrize("wide", [0o640, 0o604, 0o660, 0o610, 0o601])
def test_a_file_open_to_others_is_refused(tmp_path: Path, wide: int) -> None:
    files.write_new(tmp_path / "key", b"12345")
    (tmp_path / "key").chmod(wide)
    with pytest.raises(LooseKeys, match="open to others"):
        files.read_private(tmp_path / "key", bytes_max=5)


def test_a_link_a_directory_and_a_longer_file_are_refused(tmp_path: Path) -> None:
    files.write_new(tmp_path / "key", b"123456")
    (tmp_path / "link").symlink_to(tmp_path / "key")
    (tmp_path / "directory").mkdir(mode=0o700)
    with pytest.raises(LooseKeys, match="is a link"):
        files.read_private(tmp_path / "link", bytes_max=6)
    with pytest.raises((LooseKeys, IsADirectoryError)):
        files.read_private(tmp_path / "directory", bytes_max=6)
    with pytest.raises(LooseKeys, match="longer"):
        files.read_private(tmp_path / "key", bytes_max=5)


def test_another_users_directory_is_refused(tmp_path: Path) -> None:
    """The test's own directory is given away where that is allowed; else the system's root serves."""
    place = tmp_path / "theirs"
    place.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(place, 65_534, 65_534)
    else:
        place = Path("/")
    with pytest.raises(LooseKeys, match="another user"):
        files.check_private_directory(place)


def test_a_directory_is_private_or_refused(tmp_path: Path) -> None:
    place = tmp_path / "keys"
    place.mkdir(mode=0o700)
    files.check_private_directory(place)
    (tmp_path / "link").symlink_to(place)
    with pytest.raises(LooseKeys, match="link"):
        files.check_private_directory(tmp_path / "link")
    place.chmod(0o750)
    with pytest.raises(LooseKeys, match="open to others"):
        files.check_private_directory(place)
    with pytest.raises(FileNotFoundError):
        files.check_private_directory(tmp_path / "absent")


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.ENOSPC, FullDisk),
        (errno.EDQUOT, FullDisk),
        (errno.EROFS, ReadOnly),
        (errno.EACCES, ReadOnly),
        (errno.EIO, Unreadable),
    ],
)
def test_what_the_system_says_is_named_once(number: int, error: type[MunimentError]) -> None:
    with pytest.raises(error, match="^The file"), files.translated("The file"):
        raise OSError(number, os.strerror(number), "secret-name")


def test_errors_of_ours_pass_through_untouched() -> None:
    with pytest.raises(Busy), files.translated("The file"):
        raise Busy("Held.")


def test_a_lock_is_held_by_one_and_waited_for_a_bounded_time(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with files.locked(lock), pytest.raises(Busy, match="lock"), files.locked(lock, wait_ms=20):
        raise AssertionError("two held the lock")
    with files.locked(lock, wait_ms=20):
        pass


def test_a_waiting_thread_gets_the_lock_when_it_is_free(tmp_path: Path) -> None:
    lock, order = tmp_path / "lock", []
    with files.locked(lock):
        other = threading.Thread(target=lambda: _note_under(lock, order))
        other.start()
        order.append("first")
    other.join(10)
    assert order == ["first", "second"]


def _note_under(lock: Path, order: list[str]) -> None:
    with files.locked(lock, wait_ms=5_000):
        order.append("second")
