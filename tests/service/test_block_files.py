"""Is a block's file taken in when it is a clean edit, and left alone when it is none, on every store?"""

import stat

import pytest

from muniment.adapters.block_files import FileBlocks
from muniment.errors import BadInput, Refusal
from muniment.service.block_files import in_step
from muniment.service.vault import Vault
from tests.builders import World, acts
from tests.filed import Filed, filed, placed
from tests.service.test_blocks import filled, landed

SIGNS = 'title: "Plan: phase 2 (split: core)"\ndescription: PR #762 and #800, \'quoted\' & "inner"'
FRONT = "---\ntitle: Weir\ntags: [a, b]\n---\nThe weir is low."


@pytest.fixture
def held(world: World) -> Filed:
    filled(world.vault, "tea", "milk")
    return filed(world)


def test_nothing_is_made_and_nothing_is_looked_at_before_the_owner_asks(world: World) -> None:
    place = world.place / "vault.db.blocks"
    vault = placed(world.vault, place)
    filled(vault, "tea")
    vault.session("s").open()
    assert not place.exists()
    assert vault.status().files == "No block files are used."


def test_the_owner_gets_a_private_file_of_each_block(held: Filed) -> None:
    assert held.text() == "tea\n\u00a7\nmilk"
    assert (held.text("user"), held.text("soul")) == ("", "")
    modes = {stat.S_IMODE(one.stat().st_mode) for one in held.place.iterdir()}
    assert modes == {0o600} and stat.S_IMODE(held.place.stat().st_mode) == 0o700
    assert held.states() == dict.fromkeys(("soul", "memory", "user"), "in-step")
    assert held.vault.block_files().place == str(held.place)


def test_only_the_owner_asks_for_files(held: Filed) -> None:
    agent = held.vault.acting_as(actor="coder")
    for act in (agent.block_files, lambda: agent.repair_block("memory")):
        with pytest.raises(Refusal, match="Only a person"):
            act()
    assert acts(held.vault)[-2:] == ["block_files", "block_files"]


def test_a_vault_without_a_place_says_so(vault: Vault) -> None:
    with pytest.raises(BadInput, match="no place"):
        vault.block_files()


def test_each_edit_reaches_the_file_at_once(held: Filed) -> None:
    session = held.vault.session("s", agent="coder")
    landed(session.memory(action="replace", block="memory", old="tea", text="tea at four"))
    assert held.entries() == ("tea at four", "milk")
    landed(held.vault.undo(held.vault.block("memory").edit))
    assert held.entries() == ("tea", "milk")
    landed(held.vault.memory(action="add", block="soul", text="I am careful"))
    assert held.text("soul") == "I am careful"


def test_a_clean_edit_is_taken_in_as_the_owners_before_the_next_use(held: Filed) -> None:
    held.write("milk", "coffee")
    session = held.vault.session("s", agent="coder")
    done = landed(session.memory(action="add", block="memory", text="bread"))
    assert done.count == 3
    assert held.vault.block("memory").entries == held.entries() == ("milk", "coffee", "bread")
    line = held.vault.edits(block="memory")[1]
    assert (line.action, line.actor, line.session) == ("file", "owner", "")
    assert (line.before, line.after) == (("tea", "milk"), ("milk", "coffee"))
    assert held.vault.verify().ok


def test_what_vanished_from_a_file_is_kept_as_a_note(held: Filed) -> None:
    held.write("milk")
    assert held.states()["memory"] == "taken-in"
    assert "tea" in held.vault.recall("tea").hits[0].text
    assert len(held.vault.edits(block="memory")[0].notes) == 1


def test_an_edit_of_a_file_is_taken_back_like_any_other(held: Filed) -> None:
    held.write("milk")
    edit = held.vault.block("memory").edit
    landed(held.vault.undo(edit))
    assert held.entries() == held.vault.block("memory").entries == ("tea", "milk")


@pytest.mark.parametrize("use", ["block", "edits", "open", "preview", "plan", "prompt"])
def test_every_use_of_a_block_looks_at_its_file_first(held: Filed, use: str) -> None:
    held.write("tea", "milk", "coffee")
    session = held.vault.session("s", agent="coder")
    uses = {
        "block": lambda: str(held.vault.block("memory")),
        "edits": lambda: str(held.vault.edits()),
        "open": lambda: session.open().text,
        "preview": lambda: session.preview().text,
        "prompt": lambda: session.reopen().text,
        "plan": lambda: str(held.vault.plan_erasure(text="coffee").going[0].sealed.row),
    }
    assert "coffee" in uses[use]()


@pytest.mark.parametrize(
    "entry", [SIGNS, FRONT, "\u5927\u522b\u5c71", "a \u00a7 b", "x\n\n\ny", "\U0001f9a6 #1"]
)
def test_titles_signs_and_front_matter_come_back_byte_for_byte(held: Filed, entry: str) -> None:
    """Written by a file or by a call, read by the other, and written back as it was read: no change."""
    held.write("tea", entry, "milk")
    assert held.vault.block("memory").entries == ("tea", entry, "milk")
    landed(held.vault.memory(action="add", block="user", text=entry))
    assert held.entries("user") == (entry,)
    size = held.vault.status().records
    held.path().write_bytes(held.path().read_bytes())
    held.path("user").write_text(held.vault.block("user").text, "utf-8")
    assert set(held.states().values()) == {"in-step"}
    assert held.vault.status().records == size


@pytest.mark.parametrize(
    "content",
    [b"\xef\xbb\xbftea\n\xc2\xa7\nmilk", b"tea\r\n\xc2\xa7\r\nmilk\r\n", b"tea\n\xc2\xa7\nmilk\n"],
)
def test_a_byte_order_mark_and_line_ends_of_editors_are_no_edit(held: Filed, content: bytes) -> None:
    size = held.vault.status().records
    held.path().write_bytes(content)
    assert held.vault.block("memory").entries == ("tea", "milk")
    assert held.path().read_bytes() == content, "the editor's file is left as it is"
    assert held.vault.status().records == size
    landed(held.vault.memory(action="add", block="memory", text="bread"))
    assert held.entries() == ("tea", "milk", "bread")


def test_invisible_characters_are_cleaned_as_everywhere_and_the_file_follows(held: Filed) -> None:
    held.write("tea\u200b", "milk")
    assert held.vault.block("memory").entries == ("tea", "milk")
    assert held.text() == "tea\n\u00a7\nmilk"
    assert held.states()["memory"] == "in-step"


def test_a_file_that_was_deleted_is_written_again(held: Filed) -> None:
    held.path().unlink()
    assert held.vault.block("memory").entries == ("tea", "milk")
    assert held.text() == "tea\n\u00a7\nmilk"


def test_a_file_that_lay_there_before_the_block_was_used_is_taken_in(world: World) -> None:
    place = world.place / "vault.db.blocks"
    place.mkdir(mode=0o700)
    (place / "user.md").write_text("Prefers tea\n")
    report = placed(world.vault, place).block_files()
    assert [one.state for one in report.files] == ["written", "written", "taken-in"]
    assert world.vault.block("user").entries == ("Prefers tea",)


# Both sides changed.


class Elsewhere:
    """Edit the block where the files are not looked at, as a crash before the writing does."""

    def __init__(self, held: Filed) -> None:
        self._ground = held.vault.ground

    def __enter__(self) -> None:
        self._files, self._ground.block_files = self._ground.block_files, None

    def __exit__(self, *_: object) -> None:
        self._ground.block_files = self._files


def test_a_block_that_moved_is_written_into_an_untouched_file(held: Filed) -> None:
    with Elsewhere(held):
        filled(held.vault, "bread")
    assert held.entries() == ("tea", "milk")
    assert "memory.md is behind" in held.check().sentence
    assert held.vault.block("memory").entries == held.entries() == ("tea", "milk", "bread")


def test_two_sides_meet_by_entries_and_lose_nothing(held: Filed) -> None:
    with Elsewhere(held):
        filled(held.vault, "bread")
        landed(held.vault.memory(action="replace", block="memory", old="milk", text="milk at six"))
    held.write("tea", "milk", "coffee")
    assert held.vault.block("memory").entries == ("tea", "milk at six", "bread", "coffee")
    assert held.entries() == ("tea", "milk at six", "bread", "coffee")
    held.write("tea at four", "milk at six", "bread", "coffee")
    with Elsewhere(held):
        landed(held.vault.memory(action="replace", block="memory", old="tea", text="tea at five"))
    assert held.vault.block("memory").entries == (
        "tea at five",
        "milk at six",
        "bread",
        "coffee",
        "tea at four",
    )


def test_a_crash_before_the_note_is_written_makes_no_edit(held: Filed) -> None:
    """The file is written first: what lies there then says what the row says."""
    note = (held.place / ".memory.left").read_bytes()
    filled(held.vault, "bread")
    (held.place / ".memory.left").write_bytes(note)
    size = held.vault.status().records
    assert held.states()["memory"] == "in-step"
    assert held.vault.status().records == size
    assert (held.place / ".memory.left").read_bytes() != note


def test_what_a_person_saves_in_the_middle_of_an_edit_is_not_overwritten(held: Filed) -> None:
    with in_step(held.vault.ground):
        with Elsewhere(held):
            filled(held.vault, "bread")
        held.write("tea", "milk", "coffee")
    assert held.entries() == ("tea", "milk", "coffee\n")
    assert held.vault.block("memory").entries == ("tea", "milk", "bread", "coffee")
    assert held.entries() == ("tea", "milk", "bread", "coffee")


class Overtaken:
    """Hand everything on, and let another machine edit the block once a file was looked for."""

    def __init__(self, held: Filed, texts: list[str]) -> None:
        self._held, self._files, self._texts = held, FileBlocks(held.place), texts

    def __getattr__(self, name: str) -> object:
        return getattr(self._files, name)

    def read(self, name: str) -> bytes | None:
        if name == "memory.md" and self._texts:
            with Elsewhere(self._held):
                filled(self._held.vault, self._texts.pop())
        return self._files.read(name)


def test_an_edit_of_a_file_that_another_machine_overtakes_meets_what_came(held: Filed) -> None:
    held.write("milk", "coffee")
    overtaken = Overtaken(held, ["bread"])
    held.vault.ground.block_files = lambda: overtaken  # type: ignore[assignment,return-value]  # stands for it
    assert held.vault.block("memory").entries == ("milk", "bread", "coffee")
    assert held.entries() == ("milk", "bread", "coffee")
    assert held.copies() == []
    assert held.vault.verify().ok


# Reviews.


def test_where_all_waits_an_edit_of_a_file_waits_too(held: Filed) -> None:
    held.vault.set_dial("review", "all")
    held.write("tea", "coffee")
    assert held.states()["memory"] == "staged"
    assert held.entries() == held.vault.block("memory").entries == ("tea", "milk")
    (waits,) = held.vault.pending()
    assert waits.today == ("  tea", "- milk", "+ coffee")
    held.vault.approve(waits.id, digest=waits.digest)
    assert held.entries() == held.vault.block("memory").entries == ("tea", "coffee")


def test_an_approval_is_hindered_by_the_file_as_an_edit_is(held: Filed) -> None:
    held.vault.set_dial("review", "agent")
    session = held.vault.session("s", agent="coder")
    session.memory(action="add", block="memory", text="bread")
    (waits,) = held.vault.pending()
    held.path().write_bytes(b"")
    assert held.vault.approve(waits.id, digest=waits.digest).reason == "drifted-file"
    held.vault.repair_block("memory")
    assert held.vault.approve(waits.id, digest=waits.digest).reason == "edited"
    assert held.entries() == ("tea", "milk", "bread")


def test_the_owner_does_not_wait_where_only_agents_do(held: Filed) -> None:
    held.vault.set_dial("review", "agent")
    held.write("coffee")
    assert held.states()["memory"] == "taken-in"


def test_the_files_are_found_again_after_a_restart(held: Filed) -> None:
    held.write("tea", "milk", "coffee")
    assert held.restarted().block("memory").entries == ("tea", "milk", "coffee")
    assert held.vault.verify().ok


def test_blocks_of_another_space_lie_in_no_file(held: Filed) -> None:
    landed(held.vault.memory(action="add", block="user", text="Works in Bern", space="acme"))
    assert held.text("user") == ""
    held.write("Prefers tea", block="user")
    assert held.vault.block("user", space="acme").entries == ("Works in Bern",)
