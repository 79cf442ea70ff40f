"""Can a whole vault live in a database: opened by its address, with its keys on this machine?"""

import shutil
import stat
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import muniment
from muniment import wiring
from muniment.errors import BadStore, MissingKey, MunimentError
from muniment.settings import settings_from, shown_address
from tests import postgres


@pytest.fixture
def database() -> postgres.Database:
    return postgres.migrated_database()


def test_a_vault_opened_by_its_address_is_there_for_the_next_process(database: postgres.Database) -> None:
    with muniment.open(database.application) as vault:
        receipt = vault.remember("The deploy key rotates on Mondays")
        assert receipt.verdict == "stored"
    with muniment.open(database.application) as vault:
        (hit,) = vault.recall("When does the deploy key rotate?").hits
        assert hit.id == receipt.id
        assert vault.verify().ok


def test_a_credential_of_the_vault_opens_it_and_another_does_not(database: postgres.Database) -> None:
    with muniment.open(database.application) as vault:
        key, _ = vault.make_key(actor="coder", role="agent", space="home")
    with muniment.open(database.application, key=key) as agent:
        assert agent.principal.actor == "coder"
    with pytest.raises(MunimentError, match="key"):
        muniment.open(database.application, key=key[:-6] + "000000")


def test_the_keys_lie_in_the_home_under_the_databases_name(database: postgres.Database, home: Path) -> None:
    muniment.open(database.application).close()
    directory = home / f"{database.name}.keys"
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert (directory / "vault.key").exists()


def test_the_keys_lie_where_the_setting_says(
    database: postgres.Database, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "secrets"))
    muniment.open(database.application).close()
    assert (tmp_path / "secrets" / "vault.key").exists()
    assert not (home / f"{database.name}.keys").exists()


def test_the_block_files_lie_beside_the_keys_of_this_machine(
    database: postgres.Database, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with muniment.open(database.application) as vault:
        vault.memory(action="add", block="memory", text="tea")
        file = Path(vault.block_files().place) / "memory.md"
        assert file == home / f"{database.name}.blocks" / "memory.md"
        file.write_text("milk\n", "utf-8")
        assert vault.block("memory").entries == ("milk",)
    # The second machine has the same keys elsewhere, and files of its own.
    shutil.copytree(home / f"{database.name}.keys", tmp_path / "secrets")
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "secrets"))
    with muniment.open(database.application) as other:
        other.block_files()
        other.memory(action="add", block="memory", text="bread")
    assert (tmp_path / "secrets.blocks" / "memory.md").read_text("utf-8") == "milk\n\u00a7\nbread"
    monkeypatch.delenv("MUNIMENT_KEYS")
    with muniment.open(database.application) as vault:
        file.write_text("milk at six\n", "utf-8")
        assert vault.block("memory").entries == ("bread", "milk at six")


def test_a_machine_without_the_keys_reads_and_never_mints_new_ones(
    database: postgres.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with muniment.open(database.application) as vault:
        vault.remember("The deploy key rotates on Mondays")
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "elsewhere"))
    with muniment.open(database.application) as vault, pytest.raises(MissingKey):
        vault.remember("The deploy key rotates on Fridays")
    assert not (tmp_path / "elsewhere").exists()


def test_a_database_that_nobody_migrated_is_left_alone() -> None:
    database = postgres.empty_database()
    with pytest.raises(BadStore, match="schema 0"):
        muniment.open(database.application)
    assert postgres.run(database.superuser, "SELECT to_regnamespace('muniment')") == [(None,)]


def test_for_development_any_role_makes_and_opens_a_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    database = postgres.empty_database()
    with pytest.raises(BadStore):
        muniment.open(database.superuser)
    monkeypatch.setenv("MUNIMENT_DATABASE_ROLE", "any")
    with muniment.open(database.superuser) as vault:
        assert vault.remember("The deploy key rotates on Mondays").verdict == "stored"


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> ModuleType:
        if name.startswith("muniment.store.postgres"):
            raise ModuleNotFoundError(name)
        return import_module(name)

    monkeypatch.setattr(wiring, "import_module", absent)
    with pytest.raises(BadStore) as caught:
        muniment.open("postgresql://host/name")
    assert "muniment[pg]" in caught.value.advice


def test_another_databases_address_is_refused_by_its_scheme() -> None:
    with pytest.raises(BadStore, match="mysql"):
        muniment.open("mysql://host/name")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("postgresql://host/acme", "acme.keys"),
        ("postgres://host/../up", ".._up.keys"),
        ("postgresql://host", "vault.keys"),
        ("postgresql://host/a%2Fb?sslmode=require", "a_2Fb.keys"),
    ],
)
def test_a_databases_name_never_leads_its_keys_out_of_the_home(address: str, name: str, home: Path) -> None:
    settings = settings_from({"MUNIMENT_HOME": str(home)})
    assert wiring.keys_at(address, settings) == home / name


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:p@ss@host:5432/acme?password=x", "postgresql://host:5432/acme"),
        ("postgresql://host/acme", "postgresql://host/acme"),
        ("~/vault.db", "~/vault.db"),
        ("a@b/vault?.db", "a@b/vault?.db"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address: str, shown: str) -> None:
    assert shown_address(address) == shown


def test_settings_that_are_printed_hold_no_address() -> None:
    found = settings_from({"MUNIMENT_VAULT": "postgresql://me:secret@host/acme"})
    assert found.vault.endswith("acme")
    assert "secret" not in repr(found)


def test_a_vault_moves_from_a_file_into_a_database_and_back(
    database: postgres.Database, tmp_path: Path
) -> None:
    with muniment.open(tmp_path / "first.db") as first:
        id = first.remember("The deploy key rotates on Mondays").id
        first.export(tmp_path / "out.jsonl")
    with muniment.open(database.application) as middle:
        middle.restore(tmp_path / "out.jsonl")
        assert middle.recall("When does the deploy key rotate?").hits[0].id == id
        assert middle.verify().ok
        middle.export(tmp_path / "back.jsonl")
    with muniment.open(tmp_path / "last.db") as last:
        last.restore(tmp_path / "back.jsonl")
        assert last.recall("When does the deploy key rotate?").hits[0].id == id
        assert last.verify().ok
