"""Does a vault leave and arrive whole, with its keys, and is nothing half done left behind?"""

import os
import re
import stat
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment.adapters import signing
from muniment.adapters.carrier import FileCarrier
from muniment.adapters.keys import FileKeyring, keys_beside, vault_id_of
from muniment.adapters.witness import FileWitness
from muniment.domain import checkpoint
from muniment.domain.checkpoint import origin_of
from muniment.domain.vault_keys import VaultKeys
from muniment.errors import LooseKeys, MissingKey, MunimentError, Tampered, Unreadable

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
ROOT = bytes(range(32))
NEW, OLD = "v_new", "v_old"


@dataclass(frozen=True)
class Left:
    """What a vault leaves with an export: its keys, its public key and the last note of its witness."""

    keys: VaultKeys
    public_key: bytes
    note: str
    ring: FileKeyring


@pytest.fixture
def left(tmp_path: Path) -> Left:
    directory = keys_beside(tmp_path / "old.db")
    ring = FileKeyring.create(directory, OLD)
    ring.rotate_tombstone()
    note = FileWitness(directory, ring, origin_of(OLD, 4)).add(7, ROOT, AT)
    tombstones = (*ring.old_tombstone_keys, (ring.key_id, ring.tombstone_key))
    return Left(VaultKeys(OLD, ring.vault_key, tombstones), ring.public_key, note, ring)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = keys_beside(tmp_path / "new.db")
    FileKeyring.create(place, NEW)
    return place


@pytest.fixture
def carrier(directory: Path) -> FileCarrier:
    return FileCarrier(directory)


def kept(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def hidden(directory: Path) -> list[str]:
    """Return the names that a half-done move would leave beside the directory."""
    return [name for name in os.listdir(directory.parent) if name.startswith(".")]


def test_an_export_is_whole_and_private_when_its_block_ends(carrier: FileCarrier, tmp_path: Path) -> None:
    path = tmp_path / "export"
    with carrier.writing(path) as file:
        file.write(b"one\n")
        assert not path.exists()
        file.write(b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("before", [None, b"the export of yesterday"])
def test_a_block_that_fails_leaves_what_was_there(
    carrier: FileCarrier, tmp_path: Path, before: bytes | None
) -> None:
    path = tmp_path / "export"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(RuntimeError, match="stopped"), carrier.writing(path) as file:
        file.write(b"half")
        raise RuntimeError("stopped")
    assert (path.read_bytes() if path.exists() else None) == before
    assert hidden(tmp_path / "export") == []


def test_an_export_takes_the_place_of_the_one_before(carrier: FileCarrier, tmp_path: Path) -> None:
    path = tmp_path / "export"
    for content in (b"first, and longer", b"second"):
        with carrier.writing(path) as file:
            file.write(content)
    assert path.read_bytes() == b"second"


@pytest.mark.parametrize("name", ["absent/export", "file/export"])
def test_a_place_that_cannot_be_written_is_named(carrier: FileCarrier, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unreadable, match="The export"), carrier.writing(tmp_path / name) as file:
        file.write(b"x")


def test_an_export_is_read_back(carrier: FileCarrier, tmp_path: Path) -> None:
    (tmp_path / "export").write_bytes(b"lines\n")
    with carrier.reading(tmp_path / "export") as file:
        assert file.read() == b"lines\n"


@pytest.mark.parametrize("name", ["absent", ".", "absent/export"])
def test_an_export_that_is_not_there_is_named(carrier: FileCarrier, tmp_path: Path, name: str) -> None:
    named = f"The export's file {(tmp_path / name).name} "
    with pytest.raises(Unreadable, match=re.escape(named)), carrier.reading(tmp_path / name) as file:
        file.read()


def test_a_signature_holds_for_its_key_and_message_alone(carrier: FileCarrier, left: Left) -> None:
    signed = left.ring.sign(b"note")
    assert carrier.is_signed(left.public_key, signed, b"note")
    assert not carrier.is_signed(left.public_key, signed, b"nota")
    assert not carrier.is_signed(bytes(32), signed, b"note")
    assert not carrier.is_signed(b"", signed, b"note")


def test_an_adopted_vault_has_the_keys_of_the_one_that_was_left(
    carrier: FileCarrier, directory: Path, left: Left
) -> None:
    keyring, _ = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    assert vault_id_of(directory) == OLD
    assert keyring.vault_key == left.keys.vault_key
    assert (keyring.key_id, keyring.tombstone_key) == (2, left.ring.tombstone_key)
    assert keyring.old_tombstone_keys == left.ring.old_tombstone_keys
    again = FileKeyring.load(directory, OLD)
    assert (again.vault_key, again.tombstone_key) == (keyring.vault_key, keyring.tombstone_key)


def test_the_signing_key_stays_this_vaults_own(carrier: FileCarrier, directory: Path, left: Left) -> None:
    """The one who restores an export does not become able to sign as the one who made it."""
    own = (directory / "signing.key").read_bytes()
    keyring, _ = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    assert (directory / "signing.key").read_bytes() == own
    assert keyring.public_key == signing.public_key_of(own) != left.public_key
    assert keyring.old_public_keys == (left.public_key,)


def test_the_new_epoch_follows_the_head_that_was_left(carrier: FileCarrier, left: Left) -> None:
    later = AT + timedelta(hours=1)
    keyring, witness = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=later)()
    (note,) = witness.notes()
    made = checkpoint.verified(note, (keyring.public_key,), check=signing.is_signed)
    assert (made.vault, made.epoch, made.size, made.root, made.why) == (OLD, 5, 7, ROOT, "restored")
    assert made.follows == checkpoint.Head(origin_of(OLD, 4), 7, ROOT)
    assert made.at == later
    assert witness.newest() == (7, ROOT)


def test_the_witness_goes_on_from_there(carrier: FileCarrier, left: Left) -> None:
    _, witness = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    witness.add(8, bytes(32), AT)
    assert witness.newest() == (8, bytes(32))
    with pytest.raises(Tampered):
        witness.add(8, ROOT, AT)


def test_nothing_of_the_old_directory_and_nothing_half_done_stays(
    carrier: FileCarrier, directory: Path, left: Left
) -> None:
    before = kept(directory)
    carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    after = kept(directory)
    assert hidden(directory) == []
    assert set(after) - {"witness", "witness.lock"} == {
        *("signing.key", "signing-0001.pub", "vault.key", "vault.id"),
        *("tombstone-0001.key", "tombstone-0002.key"),
    }
    assert before["vault.key"] not in after.values()
    assert before["tombstone-0001.key"] not in after.values()


def test_everything_that_was_adopted_is_private(carrier: FileCarrier, directory: Path, left: Left) -> None:
    carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()} == {0o600}


# What must be refused before anything is touched: how the adoption is spoiled, and the error.
SPOILED = {
    "another key signed": (lambda left: {"public_key": bytes(32)}, Tampered),
    "no note": (lambda left: {"note": "words"}, Tampered),
    "a note that was altered": (lambda left: {"note": left.note.replace("\n7\n", "\n8\n")}, Tampered),
    "a vault key cut short": (lambda left: {"keys": replace(left.keys, vault_key=b"x" * 31)}, MissingKey),
    "a vault key too long": (lambda left: {"keys": replace(left.keys, vault_key=b"x" * 33)}, LooseKeys),
    "a tombstone key cut short": (
        lambda left: {"keys": replace(left.keys, tombstone_keys=((1, b"x"),))},
        MissingKey,
    ),
    "a gap among tombstone keys": (
        lambda left: {"keys": replace(left.keys, tombstone_keys=((1, b"x" * 32), (3, b"y" * 32)))},
        MissingKey,
    ),
    "no tombstone key": (lambda left: {"keys": replace(left.keys, tombstone_keys=())}, MissingKey),
}


@pytest.mark.parametrize("how", SPOILED)
def test_an_adoption_that_cannot_be_done_changes_nothing(
    carrier: FileCarrier, directory: Path, left: Left, how: str
) -> None:
    spoil, error = SPOILED[how]
    before = kept(directory)
    given = {"keys": left.keys, "public_key": left.public_key, "note": left.note, **spoil(left)}
    with pytest.raises(error):
        carrier.adoption(given["keys"], public_key=given["public_key"], note=given["note"], at=AT)()
    assert kept(directory) == before
    assert hidden(directory) == []
    assert FileKeyring.load(directory, NEW).key_id == 1


@pytest.mark.parametrize("name", ["signing.key"])
def test_without_a_signing_key_of_its_own_nothing_is_adopted(
    carrier: FileCarrier, directory: Path, left: Left, name: str
) -> None:
    (directory / name).unlink()
    before = kept(directory)
    with pytest.raises(MunimentError):
        carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    assert kept(directory) == before
    assert hidden(directory) == []


def test_a_vault_may_be_adopted_again(carrier: FileCarrier, directory: Path, left: Left) -> None:
    first, _ = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    second, witness = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)()
    assert second.public_key == first.public_key
    assert len(list(witness.notes())) == 1


def test_until_they_are_put_in_force_keys_only_lie_ready(
    carrier: FileCarrier, directory: Path, left: Left
) -> None:
    before = kept(directory)
    take_over = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=AT)
    assert kept(directory) == before
    (ready,) = hidden(directory)
    assert stat.S_IMODE((directory.parent / ready).stat().st_mode) == 0o700
    take_over()
    assert (vault_id_of(directory), hidden(directory)) == (OLD, [])


def test_what_an_earlier_restore_laid_ready_is_replaced(
    carrier: FileCarrier, directory: Path, left: Left
) -> None:
    """Whoever had laid it ready finds the later keys in force."""
    for at in (AT, AT + timedelta(hours=1)):
        take_over = carrier.adoption(left.keys, public_key=left.public_key, note=left.note, at=at)
        assert len(hidden(directory)) == 1
    _, witness = take_over()
    again, _ = take_over()
    (note,) = witness.notes()
    assert checkpoint.parsed(note).at == AT + timedelta(hours=1)
    assert again.vault_key == left.keys.vault_key
