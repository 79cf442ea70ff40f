"""Does an older copy of the database, put back and accepted, serve nothing that was erased since?"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.adapters.journal import JOURNAL
from muniment.adapters.keys import keys_beside
from muniment.domain.certificate import parsed
from muniment.domain.evidence import MARK
from muniment.errors import NotFound, RolledBack, Tampered
from muniment.service.vault import Vault
from tests.builders import stored
from tests.erasure.planting import CODE, TWIN, Planted, planted
from tests.erasure.test_bytes import left_of
from tests.erasure.test_deed import everything


class Home:
    """Hold a vault's file, and the copies of it that a person made."""

    def __init__(self, place: Path) -> None:
        self.path = place / "home" / "vault.db"
        self.path.parent.mkdir()
        self._aside = place / "aside"
        self._aside.mkdir()

    @property
    def keys(self) -> Path:
        return keys_beside(self.path)

    def copied(self, name: str = "older") -> None:
        shutil.copyfile(self.path, self._aside / name)

    def put_back(self, name: str = "older") -> None:
        shutil.copyfile(self._aside / name, self.path)
        for ending in ("-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def opened(self) -> Vault:
        return muniment.open(self.path)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def erased_since(home: Home, **means: str) -> tuple[Planted, str]:
    """Plant, copy the file, erase, and put the copy back; return the ids and the certificate's."""
    with home.opened() as vault:
        things = planted(vault)
    home.copied()
    with home.opened() as vault:
        asked = means or {"id": things.memory}
        certificate = vault.erase(vault.plan_erasure(**asked))
        assert CODE not in everything(vault) and TWIN in everything(vault)
    home.put_back()
    return things, certificate.id


def test_an_older_file_that_is_accepted_serves_nothing_that_was_erased_since(home: Home) -> None:
    things, id = erased_since(home)
    assert left_of(CODE, home.path)
    with home.opened() as vault:
        with pytest.raises(RolledBack):
            vault.recall("locker code")
        vault.checkpoint(new_epoch="older")
        said = everything(vault)
        assert CODE not in said and "HERON" not in said and TWIN in said
        for memory in (things.memory, things.keyed, things.copy):
            with pytest.raises(NotFound):
                vault.read(memory)
        assert vault.read(things.turn).text.startswith(f"My locker code is {MARK}. The spare one is {TWIN}")
        assert vault.remember(f"The locker code is {CODE}").refused
        assert parsed(vault.certificate(id)).basis == "journal"
        assert vault.verify().findings == ()
    assert left_of(CODE, home.path) == set() and left_of(TWIN, home.path)


def test_it_stays_so_after_a_restart_a_reindex_and_the_jobs(home: Home) -> None:
    erased_since(home)
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
    with home.opened() as vault:
        vault.settle()
        vault.reindex()
        said = everything(vault)
        assert CODE not in said and TWIN in said
        rows = [row for row in vault.log(limit=1000) if row.act == "erase"]
        assert [row.fields["replayed"] for row in rows] == [True]
        assert vault.verify().ok


def test_an_older_file_put_back_twice_is_cleared_twice(home: Home) -> None:
    erased_since(home)
    for _ in range(2):
        home.put_back()
        with home.opened() as vault:
            vault.checkpoint(new_epoch="older")
            assert CODE not in everything(vault) and TWIN in everything(vault)
            assert vault.verify().ok
    assert len((home.keys / JOURNAL).read_text().splitlines()) == 1


def test_without_the_journal_the_older_file_would_serve_it(home: Home) -> None:
    """The twin of all of these: it is the journal that keeps it out."""
    erased_since(home)
    (home.keys / JOURNAL).unlink()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        assert CODE in everything(vault) and TWIN in everything(vault)


def test_an_older_file_without_a_witness_is_cleared_when_it_is_opened(home: Home) -> None:
    """Nothing says that the file is older but the journal."""
    erased_since(home)
    (home.keys / "witness").unlink()
    with home.opened() as vault:
        assert CODE not in everything(vault) and TWIN in everything(vault)
        assert vault.verify().ok
    assert left_of(CODE, home.path) == set()


def test_a_file_between_two_erasures_is_cleared_of_the_second(home: Home) -> None:
    with home.opened() as vault:
        things = planted(vault)
        vault.erase(vault.plan_erasure(text=CODE))
    home.copied()
    with home.opened() as vault:
        vault.erase(vault.plan_erasure(text=TWIN))
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        said = everything(vault)
        assert CODE not in said and TWIN not in said
        text = vault.read(things.turn).text
        assert text == f"My locker code is {MARK}. The spare one is {MARK}. Tea is at four."
        marks = [row.fields.get("replayed", False) for row in vault.log(limit=1000) if row.act == "erase"]
        assert marks == [True, False]
        assert vault.verify().ok


def test_a_file_before_two_erasures_is_cleared_of_both_in_their_order(home: Home) -> None:
    with home.opened() as vault:
        things = planted(vault)
    home.copied()
    with home.opened() as vault:
        vault.erase(vault.plan_erasure(text=CODE))
        vault.erase(vault.plan_erasure(text=TWIN))
        wanted = vault.read(things.turn).text
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        assert vault.read(things.turn).text == wanted
        said = everything(vault)
        assert CODE not in said and TWIN not in said and "Plain words" in said
        assert vault.verify().ok


def test_a_file_older_than_a_revision_that_was_erased_loses_the_memory_whole(home: Home) -> None:
    """The state that stayed is not in the older file; the erased one must not be the newest."""
    with home.opened() as vault:
        id = stored(vault.remember(f"The code is {CODE}")).id
        twin = stored(vault.remember(f"The other code is {TWIN}")).id
    home.copied()
    with home.opened() as vault:
        assert not vault.revise(id, "The code is not told").refused
        vault.erase(vault.plan_erasure(text=CODE))
        assert vault.read(id).text == "The code is not told"
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        with pytest.raises(NotFound):
            vault.read(id)
        assert vault.read(twin).text == f"The other code is {TWIN}"
        assert vault.verify().ok


def test_a_memory_whose_newest_state_in_the_older_file_was_erased_goes_with_its_first(home: Home) -> None:
    with home.opened() as vault:
        id = stored(vault.remember("The code is short")).id
        next_to_it = stored(vault.remember("The otter is called Nell")).id
        assert not vault.revise(id, f"The code is {CODE}").refused
        vault.link(id, next_to_it, type="refers_to")
    home.copied()
    with home.opened() as vault:
        assert not vault.revise(id, "The code is long").refused
        vault.erase(vault.plan_erasure(text=CODE))
        assert vault.read(id).text == "The code is long"
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        with pytest.raises(NotFound):
            vault.read(id)
        assert vault.read(next_to_it).text == "The otter is called Nell"
        assert vault.verify().findings == ()


def test_a_file_older_than_what_was_erased_takes_its_tombstones(home: Home) -> None:
    """Nothing of it is in the older file, and it may still not come in."""
    with home.opened() as vault:
        stored(vault.remember("The kettle is called Otto"))
    home.copied()
    with home.opened() as vault:
        id = stored(vault.remember(f"The code is {CODE}")).id
        vault.erase(vault.plan_erasure(id=id))
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        assert vault.remember(f"The code is {CODE}").refused
        assert not vault.remember(f"The code is {TWIN}").refused
        assert vault.verify().ok


def test_tombstones_of_an_earlier_key_are_found_again(home: Home) -> None:
    with home.opened() as vault:
        id = stored(vault.remember(f"The code is {CODE}")).id
    home.copied()
    with home.opened() as vault:
        vault.erase(vault.plan_erasure(id=id))
        vault.rotate_keys()
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        assert vault.remember(f"the code is {CODE}").refused
        assert not vault.remember(f"The code is {TWIN}").refused


def test_numbers_that_were_given_out_again_are_other_rows(home: Home) -> None:
    """A question asked after the older file was accepted has the number of one that was erased."""
    with home.opened() as vault:
        stored(vault.remember(f"The code is {TWIN}"))
    home.copied()
    with home.opened() as vault:
        vault.recall(f"who has {CODE}?")
        vault.settle()
        vault.erase(vault.plan_erasure(text=CODE))
    home.put_back()
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        vault.recall(f"who has {TWIN}?")
        vault.settle()
    with home.opened() as vault:
        assert TWIN in str(vault.recalls()) and CODE not in str(vault.recalls())


def test_an_older_export_restored_into_the_emptied_vault_brings_nothing_back(
    home: Home, tmp_path: Path
) -> None:
    with home.opened() as vault:
        things = planted(vault)
        vault.export(tmp_path / "before.jsonl", keys=True)
        vault.erase(vault.plan_erasure(id=things.memory))
    for file in home.path.parent.glob("vault.db*"):
        if file.is_file():
            file.unlink()
    (home.keys / "witness").unlink()
    with home.opened() as vault:
        vault.restore(tmp_path / "before.jsonl")
        said = everything(vault)
        assert CODE not in said and TWIN in said
        assert vault.verify().ok
    assert (home.keys / JOURNAL).is_file()


def _cut(line: str) -> str:
    return line[:-20] + "\n"


def _swapped(line: str) -> str:
    return line.replace('"requester":"', '"requester":"z', 1)


@pytest.mark.parametrize("change", [_cut, _swapped])
def test_an_altered_journal_opens_no_older_file(home: Home, change: Callable[[str], str]) -> None:
    erased_since(home)
    journal = home.keys / JOURNAL
    whole = journal.read_text()
    journal.write_text(change(whole))
    with home.opened() as vault:
        with pytest.raises(Tampered):
            vault.checkpoint(new_epoch="older")
        with pytest.raises(RolledBack):
            vault.recall("locker code")
    journal.write_text(whole)
    with home.opened() as vault:
        vault.checkpoint(new_epoch="older")
        assert CODE not in everything(vault) and TWIN in everything(vault)


def test_the_journal_lies_beside_the_keys_and_only_its_owner_reads_it(home: Home) -> None:
    erased_since(home)
    journal = home.keys / JOURNAL
    assert journal.stat().st_mode & 0o777 == 0o600
    assert b"HERON" not in journal.read_bytes() and CODE.lower().encode() not in journal.read_bytes()
