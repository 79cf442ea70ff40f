"""Can a path that is wrong, taken or hostile cost somebody a file, a vault or a traceback?"""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import muniment
from muniment.errors import BadInput, BadStore, MunimentError
from muniment.service.vault import Vault
from tests.builders import stored, texts

ASK = "what is the gate code"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "vault.db"
    with muniment.open(path) as owner:
        stored(owner.remember("The gate code is maple leaf"))
    return path


def _still_there(path: Path) -> None:
    with muniment.open(path) as owner:
        assert texts(owner, ASK) == ["The gate code is maple leaf"]
        assert owner.verify().ok


@pytest.mark.parametrize(
    "name",
    [
        "vault.db",
        "vault.db-wal",
        "vault.db-shm",
        "vault.db.lock",
        "vault.db.reserve",
        "vault.db.keys/vault.key",
        "vault.db.keys/new",
        "./vault.db",
        "other/../vault.db",
    ],
)
def test_an_export_does_not_take_the_place_of_the_vault_it_comes_from(place: Path, name: str) -> None:
    (place.parent / "other").mkdir()
    with muniment.open(place) as owner, pytest.raises(BadInput):
        owner.export(place.parent / name)
    _still_there(place)


def test_an_export_does_not_take_the_place_of_another_vault(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with muniment.open(other) as another:
        stored(another.remember("Something else"))
    with muniment.open(place) as owner, pytest.raises(BadInput):
        owner.export(other)
    with muniment.open(other) as another:
        assert another.verify().ok
    _still_there(place)


@pytest.mark.parametrize("taken", ["", ".checkpoint", ".keys"])
@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_an_export_replaces_no_directory_and_no_pipe_and_nothing_before_it_knows(
    place: Path, tmp_path: Path, taken: str, kind: str
) -> None:
    out = tmp_path / "out.jsonl"
    if taken:
        out.write_text("an older export")
    there = tmp_path / f"out.jsonl{taken}"
    there.mkdir() if kind == "directory" else os.mkfifo(there)
    with muniment.open(place) as owner, pytest.raises(BadInput):
        owner.export(out)
    mode = there.lstat().st_mode
    assert stat.S_ISDIR(mode) if kind == "directory" else stat.S_ISFIFO(mode)
    if taken:
        assert out.read_text() == "an older export"


def test_an_export_replaces_an_older_one_and_a_link_but_not_what_the_link_names(
    place: Path, tmp_path: Path
) -> None:
    precious, out = tmp_path / "precious", tmp_path / "out.jsonl"
    precious.write_text("precious")
    out.symlink_to(precious)
    with muniment.open(place) as owner:
        first = owner.export(out)
        assert owner.export(out).lines >= first.lines
    assert precious.read_text() == "precious"
    assert not out.is_symlink()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_a_vault_is_made_in_no_pipe_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadStore):
        muniment.open(tmp_path / "pipe")
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith("pipe")] == ["pipe"]


@pytest.mark.parametrize("path", ["", " ", "a\0b", "\ud800", 5, None, b"", object()])
@pytest.mark.parametrize("verb", ["export", "import_", "restore", "take_file"])
def test_what_is_no_path_is_a_wrong_call_and_no_crash(vault: Vault, verb: str, path: Any) -> None:
    with pytest.raises(MunimentError):
        getattr(vault, verb)(path)


@pytest.mark.parametrize("path", [" ", "a\0b", "\ud800", 5, b"x", object()])
def test_what_is_no_address_is_a_wrong_call_and_no_crash(path: Any) -> None:
    with pytest.raises(MunimentError):
        muniment.open(path)


@pytest.mark.parametrize("key", [5, b"x", ["x"], "mun_", "\ud800", True])
def test_what_is_no_key_is_refused_without_repeating_it(place: Path, key: Any) -> None:
    with pytest.raises(MunimentError) as refused:
        muniment.open(place, key=key)
    assert refused.value.code == "bad-key"


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_a_write_into_a_file_that_is_gone_is_not_called_stored(place: Path, tmp_path: Path, how: str) -> None:
    with muniment.open(place) as owner:
        assert stored(owner.remember("While it is there"))
        if how == "deleted":
            place.unlink()
        else:
            place.rename(tmp_path / "moved.db")
        if how == "replaced":
            place.write_bytes((tmp_path / "moved.db").read_bytes())
        with pytest.raises(MunimentError) as refused:
            owner.remember("Into nothing")
        assert refused.value.code == "unreadable-path"


def test_many_processes_may_make_one_vault_at_once(tmp_path: Path) -> None:
    """Twice in thirty-six times one of them was told that the keys are there already."""
    program = (
        "import sys, muniment\n"
        "with muniment.open(sys.argv[1]) as vault:\n"
        "    print(vault.remember('From ' + sys.argv[2]).verdict)\n"
    )
    for turn in range(3):
        path = tmp_path / f"{turn}.db"
        running = [
            subprocess.Popen(
                [sys.executable, "-c", program, str(path), str(number)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for number in range(4)
        ]
        assert [one.communicate(timeout=120)[0].strip() for one in running] == ["stored"] * 4
        with muniment.open(path) as owner:
            assert len(owner.memories()) == 4
            assert owner.verify().ok
