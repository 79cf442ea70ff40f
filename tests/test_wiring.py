"""Which vault does an address open, with which keys, and when is it made or only read?"""

import os
from pathlib import Path

import pytest

import muniment
from muniment import wiring
from muniment.adapters.embedders import AbsentEmbedder, StaticEmbedder
from muniment.adapters.keys import FileKeyring, MemoryKeyring, blocks_beside, keys_beside
from muniment.domain.credential import minted
from muniment.domain.principal import ActorRole
from muniment.errors import (
    BadCredential,
    BadInput,
    BadStore,
    BrokenData,
    LooseKeys,
    MissingKey,
    MunimentError,
    NotFound,
    Tampered,
    Unavailable,
)
from muniment.settings import database_name, settings_from
from muniment.store.memory import MemoryStore
from muniment.store.sqlite import opened
from tests.builders import CountingIds, FakeClock, stored

TEXT = "The ferry leaves at dawn"


def made(path: Path) -> str:
    """Make a vault with one memory and return the memory's id."""
    with muniment.open(path) as vault:
        return stored(vault.remember(TEXT)).id


@pytest.mark.parametrize("as_text", [True, False])
def test_a_path_opens_a_file_and_makes_it_with_its_directory(tmp_path: Path, as_text: bool) -> None:
    path = tmp_path / "deep" / "down" / "vault.db"
    id = made(path)
    with muniment.open(str(path) if as_text else path) as vault:
        assert vault.read(id).text == TEXT


def test_a_tilde_is_the_persons_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    muniment.open("~/vault.db").close()
    assert (tmp_path / "vault.db").exists()


def test_without_an_address_the_vault_of_the_home_directory_opens(home: Path) -> None:
    muniment.open().close()
    assert (home / "vault.db").exists()
    assert (home / "vault.db.keys").is_dir()


def test_the_variable_names_the_vault_when_the_call_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_VAULT", str(tmp_path / "named.db"))
    muniment.open().close()
    assert (tmp_path / "named.db").exists()
    muniment.open(tmp_path / "given.db").close()
    assert (tmp_path / "given.db").exists()


@pytest.mark.parametrize("address", ["", "  ", "a\x00b"])
def test_an_empty_address_is_the_callers_mistake(address: str) -> None:
    with pytest.raises(BadInput):
        muniment.open(address)


@pytest.mark.parametrize("address", [5, b"vault.db", ["vault.db"], 1.5])
def test_an_address_that_is_no_path_is_the_callers_mistake(address: object) -> None:
    with pytest.raises(BadInput):
        muniment.open(address)


@pytest.mark.parametrize("scheme", ["mysql", "https", "file", "sqlite", "POSTGRESQL"])
def test_an_address_of_another_scheme_is_not_taken_for_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadStore, match=scheme[:20]):
        muniment.open(f"{scheme}://host/database")
    assert list(tmp_path.iterdir()) == []


def test_a_directory_is_no_vault(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="directory"):
        muniment.open(tmp_path)


def test_a_server_that_does_not_answer_is_for_another_time(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        muniment.open(f"postgresql:///nowhere?host={tmp_path}")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("postgresql://host/team", "team"),
        ("postgresql://host/te%20am", "te_20am"),
        ("postgresql://host/../etc", ".._etc"),
        ("postgresql://host", "vault"),
        ("postgresql://host/", "vault"),
        ("postgresql://[host/team", "vault"),
    ],
)
def test_the_keys_of_a_database_are_named_after_it_within_the_home(address: str, name: str) -> None:
    assert database_name(address) == name
    assert "/" not in name


def test_the_keys_of_a_database_lie_where_the_setting_says(tmp_path: Path) -> None:
    given = {"MUNIMENT_HOME": str(tmp_path)}
    assert wiring.place_at("postgresql:///team", settings_from(given)).keys == tmp_path / "team.keys"
    given["MUNIMENT_KEYS"] = str(tmp_path / "elsewhere")
    assert wiring.place_at("postgresql:///team", settings_from(given)).keys == tmp_path / "elsewhere"


@pytest.mark.parametrize(
    ("keys", "name"),
    [("vault.db.keys", "vault.db.blocks"), ("team.v1", "team.v1.blocks"), (".keys", ".blocks")],
)
def test_the_block_files_lie_beside_the_keys_under_a_name_of_their_own(
    tmp_path: Path, keys: str, name: str
) -> None:
    assert blocks_beside(tmp_path / keys) == tmp_path / name


def test_the_block_files_of_a_file_lie_beside_it(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        assert vault.block_files().place == str(tmp_path / "vault.db.blocks")


def test_without_a_key_the_local_owner_holds_an_embedded_vault(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        assert vault.principal.role is ActorRole.OWNER
        assert vault.principal.tenant == wiring.TENANT


def test_a_key_that_fits_nothing_opens_nothing(tmp_path: Path) -> None:
    made(tmp_path / "vault.db")
    for key in ("nonsense", minted(b"public id", b"s" * 32, "live")):
        with pytest.raises(BadCredential):
            muniment.open(tmp_path / "vault.db", key=key)


def test_an_empty_key_is_no_key(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db", key="") as vault:
        assert vault.principal.role is ActorRole.OWNER


def test_a_vault_without_its_keys_is_read_and_never_written(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    id = made(path)
    keys_beside(path).rename(tmp_path / "moved away")
    with muniment.open(path) as vault:
        assert vault.read(id).text == TEXT
        assert not vault.read(id).verified
        with pytest.raises(MunimentError) as caught:
            vault.remember("anything")
        assert "key" in caught.value.sentence
    assert not keys_beside(path).exists(), "keys are never minted silently"
    (tmp_path / "moved away").rename(keys_beside(path))
    with muniment.open(path) as vault:
        assert not vault.remember("anything").refused


def test_a_vault_with_another_vaults_keys_is_read_and_never_written(tmp_path: Path) -> None:
    id = made(tmp_path / "one.db")
    made(tmp_path / "two.db")
    keys_beside(tmp_path / "one.db").rename(tmp_path / "away")
    keys_beside(tmp_path / "two.db").rename(keys_beside(tmp_path / "one.db"))
    with muniment.open(tmp_path / "one.db") as vault:
        assert vault.read(id).text == TEXT
        with pytest.raises(MunimentError, match="another vault"):
            vault.remember("anything")


def test_keys_that_others_can_read_open_nothing(tmp_path: Path) -> None:
    made(tmp_path / "vault.db")
    keys_beside(tmp_path / "vault.db").chmod(0o755)
    with pytest.raises(LooseKeys):
        muniment.open(tmp_path / "vault.db")


def test_a_new_vault_takes_keys_that_wait_for_it(tmp_path: Path) -> None:
    """A making that was interrupted after the keys goes on with them."""
    path = tmp_path / "vault.db"
    waiting = FileKeyring.create(keys_beside(path), "ab" * 16)
    made(path)
    with muniment.open(path) as vault:
        assert vault.status().vault == "ab" * 16
        assert vault.ground.vault_key == waiting.vault_key


def test_a_file_of_other_tenants_is_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    clock = FakeClock()
    head = wiring.first_head("00" * 16, MemoryKeyring(), now=clock.now(), analyser="x")
    opened.create(path, head, tenant="somebody else").close()
    with pytest.raises(Tampered, match="no vault of ours"):
        muniment.open(path)


def test_a_file_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    """Whoever runs the tests as root may write anyway, so the place is asked, not the file."""
    path = tmp_path / "vault.db"
    made(path)
    path.chmod(0o400)
    place = wiring.place_at(path, wiring.current_settings())
    assert bool(place.unwritable) is not os.access(path, os.W_OK)


@pytest.mark.parametrize(("name", "kind"), [("static", StaticEmbedder), ("off", AbsentEmbedder)])
def test_the_setting_chooses_the_embedder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: type
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDER", name)
    with muniment.open(tmp_path / "vault.db") as vault:
        assert isinstance(vault.ground.outside.embedder, kind)


def test_a_vault_written_without_an_embedder_is_found_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDER", "off")
    id = made(tmp_path / "vault.db")
    monkeypatch.setenv("MUNIMENT_EMBEDDER", "static")
    with muniment.open(tmp_path / "vault.db") as vault:
        assert [hit.id for hit in vault.recall("ferry").hits] == [id]


def test_two_vaults_of_one_process_are_strangers(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "one.db") as one, muniment.open(tmp_path / "two.db") as two:
        id = stored(one.remember(TEXT)).id
        assert two.recall("ferry").hits == ()
        with pytest.raises(NotFound):
            two.read(id)
        assert one.status().vault != two.status().vault
        assert one.ground.vault_key != two.ground.vault_key


def test_two_holders_of_one_file_see_each_others_writes(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as one, muniment.open(tmp_path / "vault.db") as two:
        id = stored(one.remember(TEXT)).id
        assert two.read(id).text == TEXT
        stored(two.revise(id, text="The ferry leaves at noon", reason="it moved"))
        assert one.read(id).text == "The ferry leaves at noon"


def test_a_vault_that_was_cut_off_in_the_middle_is_damaged_and_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    made(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(BrokenData), muniment.open(path) as vault:
        vault.recall("ferry")
        vault.verify()
        vault.remember("anything")


def test_the_reference_vault_lies_in_memory_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    vault = muniment.reference_vault(clock=FakeClock(), ids=CountingIds())
    stored(vault.remember(TEXT))
    assert isinstance(vault.ground.store, MemoryStore)
    assert vault.verify().findings == ()
    vault.close()
    assert list(tmp_path.iterdir()) == []


def test_the_first_head_of_a_tenant_is_sealed_and_empty() -> None:
    clock = FakeClock()
    head = wiring.first_head("00" * 16, MemoryKeyring(), now=clock.now(), analyser="words/1", tenant=3)
    assert (head.size, head.frontier, head.generation, head.epoch) == (0, b"", 0, 1)
    assert head.next_n == opened.first_row_number(3)
    other = wiring.first_head("00" * 16, MemoryKeyring(b"x"), now=clock.now(), analyser="words/1", tenant=3)
    assert head.mac and head.mac != other.mac


def test_a_missing_key_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    made(path)
    (keys_beside(path) / "tombstone-0001.key").unlink()
    with muniment.open(path) as vault:
        with pytest.raises(MunimentError, match=r"tombstone-0001\.key") as caught:
            vault.remember("anything")
        assert caught.value.code in {"read-only", MissingKey.code}
        assert any("tombstone-0001.key" in check.sentence for check in vault.doctor())


@pytest.mark.parametrize("deed", ["reject", "erase"])
def test_a_copy_of_the_keys_from_before_a_rotation_opens_for_reading_only(tmp_path: Path, deed: str) -> None:
    """Without the newest key nobody would meet what was rejected or erased since."""
    path = tmp_path / "vault.db"
    id = made(path)
    with muniment.open(path) as vault:
        vault.rotate_keys()
    lost = keys_beside(path) / "tombstone-0002.key"
    kept = lost.read_bytes()
    with muniment.open(path) as vault:
        if deed == "reject":
            stored(vault.reject(id, reason="it sails at noon"))
        else:
            vault.erase(vault.plan_erasure(id=id))
    lost.unlink()
    with muniment.open(path) as vault:
        with pytest.raises(MissingKey, match="number 2 is missing"):
            vault.remember(TEXT)
        assert not vault.status().writable
        assert not next(check for check in vault.doctor() if check.name == "keys").well
    lost.write_bytes(kept)
    lost.chmod(0o600)
    with muniment.open(path) as vault:
        assert vault.remember(TEXT).reason == "rejected-value"


def test_a_copy_of_the_keys_that_nothing_was_buried_with_since_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    made(path)
    with muniment.open(path) as vault:
        stored(vault.reject(stored(vault.remember("The ferry leaves at noon")).id, reason="no"))
        vault.rotate_keys()
    (keys_beside(path) / "tombstone-0002.key").unlink()
    with muniment.open(path) as vault:
        assert vault.remember("The ferry leaves at noon").reason == "rejected-value"
        assert vault.status().writable
