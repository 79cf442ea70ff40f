"""Does an erasure reach the files of the blocks, their copies and what a crash left, byte for byte?"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.adapters.block_files import FileBlocks
from muniment.domain.certificate import Certificate, Status, parsed
from muniment.errors import ReadOnly, StalePlan
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN
from tests.filed import Filed, filed, placed
from tests.service.test_blocks import filled

SAID = f"The locker code is {CODE}"


@pytest.fixture
def held(world: World) -> Filed:
    filled(world.vault, SAID, f"The spare one is {TWIN}")
    filled(world.vault, SAID, "Tea is at four", block="user")
    return filed(world)


def found(place: Path, code: str = CODE) -> list[str]:
    """Return which files of a directory hold a text, in whatever case."""
    return sorted(one.name for one in place.iterdir() if code.encode() in one.read_bytes())


def by_text(vault: Vault) -> Certificate:
    return vault.erase(vault.plan_erasure(text=CODE))


def by_id(vault: Vault, text: str = "Something else") -> Certificate:
    """Erase what says the code under another name: the words are nobody's but the row's."""
    return vault.erase(vault.plan_erasure(id=stored(vault.remember(text)).id))


def test_the_files_hold_the_text_before_and_nothing_of_it_after(held: Filed) -> None:
    assert found(held.place) == ["memory.md", "user.md"]
    certificate = by_text(held.vault)
    assert found(held.place) == []
    assert held.entries() == (f"The spare one is {TWIN}",)
    assert held.entries("user") == ("Tea is at four",)
    assert certificate.status is Status.STORAGE_COMPLETE
    assert "block files written anew" in certificate.steps
    assert set(held.states().values()) == {"in-step"}
    assert held.vault.verify().ok


def test_the_old_bytes_are_overwritten_where_they_lay(held: Filed) -> None:
    with open(held.path(), "rb") as old:
        by_text(held.vault)
        assert not old.read().strip(b"\0")


def test_copies_that_hold_the_text_go_whole_and_others_stay(held: Filed) -> None:
    files = FileBlocks(held.place)
    at = held.world.clock.now()
    files.keep("memory.md", f"My note: {SAID}  ".encode(), at)
    files.keep("memory.md", f"My note: {TWIN}  ".encode(), at)
    assert len(found(held.place, TWIN)) == 2
    by_text(held.vault)
    assert found(held.place) == []
    assert held.copies() == [f"My note: {TWIN}  "]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_fault_a_copy_in_another_encoding_keeps_what_was_erased(held: Filed, encoding: str) -> None:
    """What an editor saves so is no text to us, is copied, and was never looked into again."""
    files, at = FileBlocks(held.place), held.world.clock.now()
    said, other = "Zoë's locker is by the quay", "Zoë's boat is by the quay"
    files.keep("user.md", f"é {said}".encode(encoding), at)
    files.keep("user.md", f"é {other}".encode(encoding), at)
    held.vault.remember(said)
    held.vault.erase(held.vault.plan_erasure(text=said))
    left = [path.read_bytes() for path in held.place.iterdir() if ".bak" in path.name]
    assert left == [f"é {other}".encode(encoding)]


def test_every_copy_goes_where_the_words_are_not_known(held: Filed) -> None:
    files = FileBlocks(held.place)
    files.keep("memory.md", b"anything", held.world.clock.now())
    (held.place / ".memory.md.1.ab.part").write_bytes(b"half of it")
    by_id(held.vault)
    assert held.copies() == [] and not list(held.place.glob("*.part"))
    assert held.entries()[0] == SAID, "what was not named stays"


def test_a_draft_that_a_crash_left_goes_with_every_erasure(held: Filed) -> None:
    (held.place / ".memory.md.1.ab.part").write_bytes(CODE.encode()[:3])
    by_text(held.vault)
    assert not list(held.place.glob("*.part"))


def test_a_short_text_is_found_as_an_entry_of_a_copy(held: Filed) -> None:
    filled(held.vault, "otters")
    files = FileBlocks(held.place)
    files.keep("memory.md", "tea\n\u00a7\notters\n\u00a7\n\n".encode(), held.world.clock.now())
    held.vault.erase(held.vault.plan_erasure(text="otters"))
    assert held.copies() == []


def test_what_was_not_taken_in_goes_where_it_holds_the_text(held: Filed) -> None:
    held.path().write_text(f"{SAID}  \n\n")
    held.path("user").write_text("Something else  \n\n")
    assert held.states()["memory"] == held.states()["user"] == "refused"
    by_text(held.vault)
    assert found(held.place) == []
    assert held.entries() == (f"The spare one is {TWIN}",)
    assert held.text("user") == "Something else  \n\n", "what does not hold it is the person's"
    assert held.copies() == ["Something else  \n\n"]


def test_what_a_person_just_wrote_is_part_of_the_plan(held: Filed) -> None:
    held.write(SAID, f"It is {CODE}, again", f"The spare one is {TWIN}")
    plan = held.vault.plan_erasure(text=CODE)
    held.vault.erase(plan)
    assert found(held.place) == []
    assert held.vault.block("memory").entries == (f"The spare one is {TWIN}",)


def test_what_is_written_after_the_plan_was_shown_makes_it_stale(held: Filed) -> None:
    plan = held.vault.plan_erasure(text=CODE)
    held.write(SAID, f"It is {CODE}, again", f"The spare one is {TWIN}")
    with pytest.raises(StalePlan):
        held.vault.erase(plan)
    by_text(held.vault)
    assert found(held.place) == []


def _unlink(path: Path) -> None:
    path.with_name("theirs").write_text("theirs")
    path.unlink()
    path.symlink_to("theirs")


@pytest.mark.parametrize(
    "harm", [lambda path: path.write_bytes(SAID.encode() + b"\xff"), _unlink, lambda path: path.chmod(0o622)]
)
def test_what_cannot_be_read_may_hold_it_and_is_written_anew(
    held: Filed, harm: Callable[[Path], object]
) -> None:
    harm(held.path())
    certificate = by_text(held.vault)
    assert certificate.status is Status.STORAGE_COMPLETE
    assert held.entries() == (f"The spare one is {TWIN}",)
    assert found(held.place) == []
    theirs = held.place / "theirs"
    assert not theirs.exists() or theirs.read_text() == "theirs"


def test_a_directory_that_cannot_be_used_leaves_it_to_a_job(held: Filed) -> None:
    held.place.chmod(0o755)
    certificate = by_text(held.vault)
    assert certificate.status is Status.LOGICAL
    assert found(held.place) == ["memory.md", "user.md"]
    assert held.vault.run_jobs().put_back == 1
    held.place.chmod(0o700)
    held.world.clock.advance(hours=1)
    assert held.vault.run_jobs().done >= 1
    assert parsed(held.vault.certificate(certificate.id)).status is Status.STORAGE_COMPLETE
    assert found(held.place) == []


def test_a_name_that_someone_else_gave_a_file_is_not_emptied(held: Filed) -> None:
    """An older copy outside is the person's to destroy; the certificate says that of all of them."""
    os.link(held.path(), held.place.with_name("mine"))
    certificate = by_text(held.vault)
    assert CODE in held.place.with_name("mine").read_text()
    assert any("older copies" in one for one in certificate.uncovered)


def test_an_erased_text_comes_back_by_no_file(held: Filed) -> None:
    by_text(held.vault)
    held.write(f"the code was {CODE.lower()}", f"The spare one is {TWIN}")
    refused = held.vault.memory(action="add", block="memory", text="bread")
    assert refused.reason == "drifted-file" and "rejected-value" in refused.detail
    assert held.vault.block("memory").entries == (f"The spare one is {TWIN}",)


def test_a_vault_without_files_erases_as_before(vault: Vault) -> None:
    filled(vault, SAID)
    assert "block files written anew" not in by_text(vault).steps


# Files that a renamed vault left behind.


def renamed(held: Filed) -> Path:
    """Give the vault another place for its block files, as if it had been renamed; return the old one."""
    old = held.place.rename(held.place.with_name("earlier.db.blocks"))
    held.place = old.with_name("renamed.db.blocks")
    placed(held.vault, held.place)
    return old


def test_fault_files_that_a_renamed_vault_left_behind_keep_what_was_erased(held: Filed) -> None:
    files = FileBlocks(held.place)
    files.keep("memory.md", f"My note: {SAID}  ".encode(), held.world.clock.now())
    old = renamed(held)
    (old / ".memory.md.1.ab.part").write_bytes(CODE.encode()[:3])
    assert len(found(old)) == 3
    certificate = by_text(held.vault)
    assert found(old) == [] and not list(old.glob("*.part"))
    assert certificate.status is Status.STORAGE_COMPLETE
    assert "block files left behind by a renaming cleared" in certificate.steps
    assert not any("renaming" in one for one in certificate.uncovered)
    # The new name has files of its own, where somebody made them.
    held.vault.block_files()
    assert found(held.place) == []
    assert held.entries() == (f"The spare one is {TWIN}",)


def test_a_file_left_behind_that_does_not_say_it_stays(held: Filed) -> None:
    old = renamed(held)
    (old / "user.md").write_text("I drink tea\n", "utf-8")
    by_text(held.vault)
    assert sorted(one.name for one in old.glob("*.md")) == ["soul.md", "user.md"]
    assert (old / "user.md").read_text("utf-8") == "I drink tea\n"


def test_where_the_words_are_not_known_what_a_person_wrote_on_stays_and_the_certificate_says_so(
    held: Filed,
) -> None:
    old = renamed(held)
    (old / "user.md").write_text("I drink tea\n", "utf-8")
    certificate = by_id(held.vault)
    assert not (old / "memory.md").exists(), "it is as the vault left it"
    assert (old / "user.md").exists()
    assert "block files left behind by a renaming: until they are removed" in certificate.uncovered
    (old / "user.md").unlink()
    assert not any("renaming" in one for one in by_id(held.vault, "Another thing").uncovered)


def test_files_left_behind_that_cannot_be_reached_are_said_on_the_certificate(
    held: Filed, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = renamed(held)

    def broken(self: FileBlocks, name: str) -> None:
        raise ReadOnly(f"The file {name} cannot be written.")

    monkeypatch.setattr(FileBlocks, "drop", broken)
    certificate = by_text(held.vault)
    assert found(old) == ["memory.md", "user.md"]
    assert "block files left behind by a renaming: until they are removed" in certificate.uncovered
    assert certificate.status is Status.STORAGE_COMPLETE, "the vault's own bytes are out"


def test_the_files_of_another_vault_that_is_gone_are_left_alone(held: Filed) -> None:
    other = held.place.with_name("other.db.blocks")
    other.mkdir(mode=0o700)
    (other / "memory.md").write_text(SAID, "utf-8")
    (other / ".memory.left").write_bytes((held.place / ".memory.left").read_bytes()[:-40] + b'"}')
    certificate = by_text(held.vault)
    assert found(other) == ["memory.md"]
    assert not any("renaming" in one for one in (*certificate.steps, *certificate.uncovered))
