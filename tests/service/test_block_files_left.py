"""Is a file that is no edit, or cannot be read or written, left alone, with a reason and nothing lost?"""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from muniment import limits
from muniment.adapters.block_files import FileBlocks
from muniment.domain.block import Block
from muniment.errors import FullDisk, MunimentError, ReadOnly, UnusableBlock
from muniment.service.block_places import BlockFiles
from tests.builders import World
from tests.filed import Filed, filed, placed
from tests.service.test_baselines import plant
from tests.service.test_blocks import filled, landed


@pytest.fixture
def held(world: World) -> Filed:
    filled(world.vault, "tea", "milk")
    return filed(world)


# What is no edit.

NO_EDITS: dict[str, tuple[bytes, str]] = {
    "emptied": (b"", "it is empty, and the block is not"),
    "only a line break": (b"\n", "it is empty, and the block is not"),
    "an empty entry": ("tea\n\u00a7\n\n\u00a7\nmilk".encode(), "an entry in it is empty"),
    "half a delimiter": ("tea\n\u00a7".encode(), "an entry in it is empty, or has blanks"),
    "blanks around": (b"tea  \n\n", "has blanks or line breaks around it"),
    "a huge entry": (b"x" * (limits.memory_block_characters_max + 1), "longer than the block may be"),
    "a delimiter in a text": ("tea\n\u00a7\ntea".encode(), "duplicate-entry"),
    "a hidden sign": ("tea \u202e4".encode(), "characters: A character in it is not allowed"),
    "a secret": (b"key AKIAIOSFODNN7EXAMPLX", "secret: It holds a secret"),
}


@pytest.mark.parametrize("kind", NO_EDITS)
def test_what_is_no_edit_is_copied_and_left_alone_and_nothing_is_lost(held: Filed, kind: str) -> None:
    content, said = NO_EDITS[kind]
    held.path().write_bytes(content)
    session = held.vault.session("s", agent="coder")
    for _ in range(2):
        refused = session.memory(action="add", block="memory", text="bread")
        assert (refused.verdict, refused.reason) == ("refused", "drifted-file")
        assert said in refused.detail and "memory.md.bak.20260105T090000Z" in refused.detail
    assert held.path().read_bytes() == content
    assert held.copies() == [content.decode()], "one copy of the same bytes"
    assert {stat.S_IMODE(one.stat().st_mode) for one in held.place.glob("*.bak.*")} == {0o600}
    assert held.vault.block("memory").entries == ("tea", "milk")
    landed(session.memory(action="add", block="user", text="another block goes on"))
    assert not held.check().well and "memory.md" in held.vault.status().files


def test_a_refused_file_hinders_no_prompt_no_note_and_no_other_space(held: Filed) -> None:
    held.path().write_bytes(b"")
    session = held.vault.session("s", agent="coder")
    assert "milk" in session.open().text
    assert session.memory(action="note", text="a note").verdict == "noted"
    landed(held.vault.memory(action="add", block="memory", text="bread", space="acme"))
    assert held.vault.undo(held.vault.block("memory").edit).reason == "drifted-file"


def test_a_file_that_was_mended_is_taken_in(held: Filed) -> None:
    held.path().write_bytes(b"")
    held.vault.memory(action="add", block="memory", text="bread")
    held.write("tea")
    landed(held.vault.memory(action="add", block="memory", text="bread"))
    assert held.entries() == ("tea", "bread")
    assert held.copies() == [""]


def test_a_value_that_was_rejected_comes_in_by_no_file(held: Filed) -> None:
    held.vault.reject(held.vault.remember("The door code is 4711").id, reason="it is wrong")
    held.write("tea", "milk", "the door  CODE is 4711")
    assert held.vault.block("memory").entries == ("tea", "milk")
    refused = held.vault.memory(action="add", block="memory", text="bread")
    assert refused.reason == "drifted-file" and "rejected-value" in refused.detail


def test_the_owner_asks_again_once_what_was_wrong_is_right(held: Filed) -> None:
    held.vault.set_dial("user", "off")
    held.write("Prefers tea", block="user")
    assert held.states()["user"] == "refused"
    held.vault.set_dial("user", "on")
    assert held.vault.memory(action="add", block="user", text="x").reason == "drifted-file"
    assert held.states()["user"] == "taken-in"
    assert held.vault.block("user").entries == ("Prefers tea",)


def test_a_file_edited_from_a_state_that_nobody_knows_is_left_alone(held: Filed) -> None:
    for note in (b"", b"{", b'{"copy": "", "digest": "", "line": "b_0", "refused": "", "why": ""}'):
        (held.place / ".memory.left").write_bytes(note)
        held.write("tea", "coffee")
        refused = held.vault.memory(action="add", block="memory", text="bread")
        assert "not known from which state" in refused.detail
        held.vault.repair_block("memory")
    (held.place / ".memory.left").unlink()
    (held.place / ".memory.left").symlink_to("nowhere")
    held.write("tea", "coffee")
    assert held.states()["memory"] == "refused"
    assert held.vault.block("memory").entries == ("tea", "milk")


def test_a_note_of_another_block_is_no_base(held: Filed) -> None:
    filled(held.vault, "Prefers tea", block="user")
    (held.place / ".memory.left").write_bytes((held.place / ".user.left").read_bytes())
    held.write("tea", "coffee")
    assert held.states()["memory"] == "refused"


def test_a_repair_writes_the_file_and_keeps_what_was_there(held: Filed) -> None:
    held.write("something", "else")
    held.path().write_bytes(held.path().read_bytes() + b"\n\n")
    refused = held.vault.memory(action="add", block="memory", text="bread")
    done = held.vault.repair_block("memory")
    assert (done.state, done.copy) == ("in-step", refused.detail.split()[-1].removesuffix("."))
    assert held.text() == "tea\n\u00a7\nmilk"
    assert held.copies() == ["something\n\u00a7\nelse\n\n\n"]
    landed(held.vault.memory(action="add", block="memory", text="bread"))
    assert held.vault.repair_block("memory").copy == "", "nothing was wrong"


def test_a_repair_keeps_an_edit_that_nobody_looked_at_yet(held: Filed) -> None:
    held.write("tea", "coffee")
    assert held.vault.repair_block("memory").copy.startswith("memory.md.bak.")
    assert held.copies() == ["tea\n\u00a7\ncoffee\n"]
    assert held.vault.block("memory").entries == ("tea", "milk")


@pytest.mark.parametrize("kind", ["directory", "directory that holds something", "link", "pipe"])
def test_whatever_bears_the_name_of_the_note_gives_way_to_it(held: Filed, kind: str) -> None:
    """Without a note no edit of the file would ever be taken in, however often the file is mended."""
    note = held.place / ".memory.left"
    note.unlink()
    match kind:
        case "link":
            note.symlink_to(held.place / "elsewhere")
        case "pipe":
            os.mkfifo(note)
        case _:
            note.mkdir()
            if "holds" in kind:
                (note / "kept").write_text("by the owner")
    landed(held.vault.memory(action="add", block="memory", text="bread"))
    assert note.is_file() and not note.is_symlink()
    assert held.states()["memory"] == "in-step"
    held.write("tea", "bread")
    assert held.vault.block("memory").entries == ("tea", "bread")
    aside = list(held.place.glob(".memory.left.bak.*/kept"))
    assert len(aside) == ("holds" in kind) and held.check().well


def test_an_edit_beside_a_note_that_is_none_is_kept_and_the_file_is_mended(held: Filed) -> None:
    note = held.place / ".memory.left"
    note.unlink()
    note.mkdir()
    held.write("tea", "coffee")
    refused = held.vault.memory(action="add", block="memory", text="bread")
    assert refused.reason == "drifted-file" and "not known" in refused.detail
    held.vault.memory(action="add", block="memory", text="bread")
    assert len(held.copies()) == 1, "it is noted once, and not copied at every use"
    assert held.vault.repair_block("memory").state == "in-step"
    landed(held.vault.memory(action="add", block="memory", text="bread"))


# What cannot be read.


def bad_utf_8(path: Path) -> None:
    path.write_bytes(b"tea\xff")


def link(path: Path) -> None:
    path.with_name("theirs").write_text("tea")
    path.unlink()
    path.symlink_to("theirs")


def directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


UNREADABLE = {
    "bad UTF-8": (bad_utf_8, "memory.md is no text in UTF-8"),
    "link": (link, "memory.md is a link"),
    "directory": (directory, "memory.md is no ordinary file"),
    "open to others": (lambda path: path.chmod(0o622), "memory.md may be written by others"),
    "too long": (
        lambda path: path.write_bytes(b"x" * (limits.block_file_bytes_max + 1)),
        "memory.md is longer than 1,000,000 bytes",
    ),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_unreadable_file_changes_nothing_and_refuses_edits_and_new_sessions(
    held: Filed, kind: str
) -> None:
    running = held.vault.session("running", agent="coder")
    frozen = running.open().text
    harm, said = UNREADABLE[kind]
    harm(held.path())
    refused = held.vault.memory(action="add", block="memory", text="bread")
    assert refused.reason == "unreadable-file" and said in refused.detail
    with pytest.raises(UnusableBlock, match=said) as caught:
        held.vault.session("new", agent="coder").open()
    assert "runbook" in caught.value.advice
    assert running.open().text == frozen, "a session that runs keeps its prompt"
    assert held.vault.block("memory").entries == ("tea", "milk"), "it was never taken for empty"
    assert held.copies() == [], "nothing was touched"
    landed(held.vault.memory(action="add", block="user", text="another block goes on"))
    assert not held.check().well and said in held.check().sentence
    assert held.states()["memory"] == "unreadable"
    done = held.vault.repair_block("memory")
    assert (done.state, held.text()) == ("in-step", "tea\n\u00a7\nmilk")
    assert os.path.lexists(held.place / done.copy)
    held.vault.session("new", agent="coder").open()


def test_an_unreadable_file_of_a_block_that_is_off_hinders_nobody(held: Filed) -> None:
    bad_utf_8(held.path())
    held.vault.set_dial("memory", "off")
    held.vault.session("s", agent="coder").open()


def test_a_session_elsewhere_needs_the_soul_alone(held: Filed) -> None:
    bad_utf_8(held.path())
    session = held.vault.session("s", agent="coder", space="acme")
    session.open()
    held.path("soul").write_bytes(b"\xff")
    with pytest.raises(UnusableBlock, match=r"soul\.md"):
        session.reopen()


@pytest.mark.parametrize("harm", ["link", "open"])
def test_a_directory_that_is_not_private_refuses_every_block(held: Filed, harm: str) -> None:
    if harm == "open":
        held.place.chmod(0o755)
    else:
        held.place.rename(held.place.with_name("moved"))
        held.place.symlink_to("moved")
    for block in ("memory", "user", "soul"):
        assert held.vault.memory(action="add", block=block, text="x").reason == "unreadable-file"
    with pytest.raises(UnusableBlock):
        held.vault.session("s", agent="coder").open()
    with pytest.raises(UnusableBlock):
        held.vault.block_files()
    assert not held.check().well


# What cannot be written.


class Full:
    """Hand everything on but the writing: no right stops the system's root, and a full disk is rare."""

    def __init__(self, files: BlockFiles, error: type[Exception]) -> None:
        self._files, self._error = files, error

    def __getattr__(self, name: str) -> object:
        if name in ("write", "follow", "keep", "aside"):
            raise self._error(f"The file may not be written: {name}.")
        return getattr(self._files, name)


def hurt(held: Filed, error: type[Exception]) -> None:
    files = FileBlocks(held.place)
    held.vault.ground.block_files = lambda: Full(files, error)  # type: ignore[assignment,return-value]  # stands for it


@pytest.mark.parametrize("error", [ReadOnly, FullDisk])
def test_an_edit_lands_though_its_file_cannot_be_written(held: Filed, error: type[Exception]) -> None:
    hurt(held, error)
    landed(held.vault.memory(action="add", block="memory", text="bread"))
    assert held.entries() == ("tea", "milk")
    assert held.states()["memory"] == "behind"
    assert not held.check().well and "behind" in held.check().sentence
    placed(held.vault, held.place)
    assert held.vault.block("memory").entries == held.entries() == ("tea", "milk", "bread")


@pytest.mark.parametrize("error", [ReadOnly, FullDisk])
def test_what_cannot_be_copied_is_left_alone_and_says_so(held: Filed, error: type[Exception]) -> None:
    held.path().write_bytes(b"")
    hurt(held, error)
    refused = held.vault.memory(action="add", block="memory", text="bread")
    assert refused.reason == "drifted-file" and "may not be written" in refused.detail
    assert held.path().read_bytes() == b"" and held.vault.block("memory").entries == ("tea", "milk")


def test_a_vault_that_is_read_only_touches_no_file(held: Filed) -> None:
    held.write("coffee")
    outside = held.vault.ground.outside
    held.vault.ground.outside = replace(outside, writable=False, why_read_only="For a test.")
    assert held.vault.block("memory").entries == ("tea", "milk")
    with pytest.raises(MunimentError):
        held.vault.block_files()
    assert held.entries() == ("coffee\n",)
    assert held.check().well and "looks at no block files" in held.check().sentence


class Locked:
    """Hand everything on but the lock, as a directory does that was mounted to be read."""

    def __init__(self, files: BlockFiles, error: type[Exception]) -> None:
        self._files, self._error = files, error

    def __getattr__(self, name: str) -> object:
        if name == "locked":
            raise self._error("The directory of the block files may not be written or opened by this user.")
        return getattr(self._files, name)


@pytest.mark.parametrize("error", [ReadOnly, FullDisk])
def test_a_directory_without_a_lock_refuses_edits_and_new_sessions(
    held: Filed, error: type[Exception]
) -> None:
    files = FileBlocks(held.place)
    held.vault.ground.block_files = lambda: Locked(files, error)  # type: ignore[assignment,return-value]  # stands for it
    refused = held.vault.memory(action="add", block="memory", text="bread")
    assert refused.reason == "unreadable-file" and "may not be written" in refused.detail
    with pytest.raises(UnusableBlock, match="may not be written"):
        held.vault.session("s", agent="coder").open()
    assert held.vault.block("memory").entries == ("tea", "milk")


def test_a_line_that_was_never_written_refuses_every_use_of_the_files(held: Filed) -> None:
    plant(held.vault, Block.MEMORY, "fine", "a\x1db")
    for use in (
        lambda: held.vault.memory(action="add", block="user", text="x"),
        lambda: held.vault.session("s", agent="coder").open(),
        held.vault.block_files,
    ):
        with pytest.raises(UnusableBlock, match="never written"):
            use()
    assert held.text() == "tea\n\u00a7\nmilk"
    assert not held.check().well and "never written" in held.check().sentence


def test_a_draft_that_a_crash_left_goes_when_the_owner_looks(held: Filed) -> None:
    draft = held.place / ".memory.md.1.ab.part"
    draft.write_bytes(b"half")
    held.vault.block("memory")
    assert draft.exists()
    held.states()
    assert not draft.exists()
