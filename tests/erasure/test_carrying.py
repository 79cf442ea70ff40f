"""Does an erased vault go out and come in whole, and does an older copy bring nothing back?"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment import looking
from muniment.domain.evidence import MARK
from muniment.errors import RolledBack
from muniment.service.vault import Vault
from tests.builders import stored
from tests.carrying import lines
from tests.erasure.planting import CODE, TWIN, Planted, planted


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Vault]:
    """Return a vault in a file."""
    with muniment.open(tmp_path / "home.db") as vault:
        yield vault


@pytest.fixture
def things(home: Vault) -> Planted:
    return planted(home)


def every(vault: Vault) -> str:
    """Return all that is said anywhere."""
    states = ["believed", "candidate", "disputed", "refuted", "superseded", "retired", "rejected"]
    said = [str(vault.memories(states=states)), str(vault.recalls()), str(vault.sessions())]
    for question in ("locker code", "spare", "handbook", "tea"):
        said += [hit.text for hit in vault.recall(question, k=50).hits]
    return "\n".join(said)


def restored(vault: Vault, place: Path, name: str) -> Vault:
    """Return a new vault filled from an export of another."""
    vault.export(place / f"{name}.jsonl")
    other = muniment.open(place / f"{name}.db")
    other.restore(place / f"{name}.jsonl")
    return other


def test_an_export_after_an_erasure_is_the_same_bytes_twice(
    home: Vault, things: Planted, tmp_path: Path
) -> None:
    home.erase(home.plan_erasure(id=things.memory))
    home.export(tmp_path / "first.jsonl", keys=False)
    other = restored(home, tmp_path, "again")
    first = [line for line in lines(tmp_path / "first.jsonl")[1:] if line["row"] != "record"]
    second = [line for line in lines(tmp_path / "again.jsonl")[1:] if line["row"] != "record"]
    assert [json.dumps(one, sort_keys=True) for one in first] == [
        json.dumps(one, sort_keys=True) for one in second
    ]
    assert other.verify().ok
    other.close()


def test_a_restored_vault_has_what_stayed_and_keeps_out_what_went(
    home: Vault, things: Planted, tmp_path: Path
) -> None:
    home.erase(home.plan_erasure(id=things.memory))
    other = restored(home, tmp_path, "again")
    assert CODE not in every(other) and TWIN in every(other)
    assert other.read(things.turn).text == home.read(things.turn).text
    assert other.read(things.tagged).tags == ("lockers",)
    assert other.remember(f"It is {CODE} again").refused
    report = other.session("new", agent="coder").append("user", f"It is {CODE}.")
    assert other.read(report.evidence[0]).text == f"It is {MARK}."
    other.erase(other.plan_erasure(text=TWIN))
    assert TWIN not in every(other) and other.verify().ok
    other.close()


def test_every_older_state_of_an_erased_vault_restores(home: Vault, things: Planted, tmp_path: Path) -> None:
    """After each of several erasures the vault goes out and comes back, put-back rows and all."""
    id = stored(home.remember("The lamp is blue", tags=["lamp", CODE])).id
    stored(home.revise(id, "The lamp is green", reason=f"{TWIN} said so"))
    stored(home.revise(id, "The lamp is red"))
    for number, value in enumerate((CODE, TWIN, "the lamp is green")):
        home.erase(home.plan_erasure(text=value))
        other = restored(home, tmp_path, f"copy-{number}")
        assert other.verify().findings == ()
        assert [one.text for one in other.history(id)] == [one.text for one in home.history(id)]
        stored(other.revise(id, "The lamp is black"))
        assert other.verify().ok
        other.close()


def test_an_older_export_joins_without_what_was_erased(home: Vault, things: Planted, tmp_path: Path) -> None:
    home.export(tmp_path / "before.jsonl")
    home.erase(home.plan_erasure(id=things.memory))
    before = every(home)
    report = home.import_(tmp_path / "before.jsonl")
    after = every(home)
    assert CODE not in after and TWIN in after
    assert dict(report.refused)["rejected-value"] >= 3
    assert len(after) >= len(before)
    assert home.verify().ok


def test_an_older_export_joins_whole_where_nothing_was_erased(
    home: Vault, things: Planted, tmp_path: Path
) -> None:
    """The twin: it is the erasure that keeps it out."""
    home.export(tmp_path / "before.jsonl")
    with muniment.open(tmp_path / "other.db") as other:
        report = other.import_(tmp_path / "before.jsonl")
        assert report.refused == ()
        assert CODE in every(other) and TWIN in every(other)


def test_an_older_file_in_the_place_of_the_vault_serves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        id = stored(vault.remember(f"The code is {CODE}")).id
    shutil.copyfile(path, tmp_path / "backup.db")
    with muniment.open(path) as vault:
        vault.erase(vault.plan_erasure(id=id))
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    shutil.copyfile(tmp_path / "backup.db", path)
    with muniment.open(path) as vault:
        for look in (lambda: vault.read(id), lambda: vault.recall("code"), lambda: vault.history(id)):
            with pytest.raises(RolledBack):
                look()
        with pytest.raises(RolledBack):
            vault.remember("Anything")


def test_a_salvaged_copy_of_an_erased_vault_verifies(home: Vault, things: Planted, tmp_path: Path) -> None:
    home.erase(home.plan_erasure(id=things.memory))
    home.close()
    found = looking.salvage_vault(str(tmp_path / "home.db"), str(tmp_path / "saved.db"))
    assert found.whole
    with muniment.open(tmp_path / "saved.db") as saved:
        assert CODE not in every(saved) and TWIN in every(saved)
        assert saved.verify().ok
