"""Are the keys made once, read only when they are safe, and never minted silently?"""

import base64
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment.adapters.keys import FileKeyring, MemoryKeyring, keys_beside, vault_id_of
from muniment.adapters.signing import is_signed
from muniment.domain import checkpoint
from muniment.errors import BadInput, BadStore, LooseKeys, MissingKey

VAULT = "v_01h2x"
AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
NAMES = ["signing.key", "tombstone-0001.key", "vault.id", "vault.key"]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return keys_beside(tmp_path / "vault.db")


@pytest.fixture
def ring(directory: Path) -> FileKeyring:
    return FileKeyring.create(directory, VAULT)


def test_the_directory_lies_beside_the_vault(tmp_path: Path) -> None:
    assert keys_beside(tmp_path / "vault.db") == tmp_path / "vault.db.keys"


def test_new_keys_are_private_and_different(ring: FileKeyring, directory: Path) -> None:
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert sorted(os.listdir(directory)) == NAMES
    assert {stat.S_IMODE((directory / name).stat().st_mode) for name in NAMES} == {0o600}
    keys = {ring.vault_key, ring.tombstone_key, (directory / "signing.key").read_bytes()}
    assert len(keys) == 3
    assert {len(key) for key in keys} == {32}
    assert not [name for name in os.listdir(directory.parent) if name.endswith(".part")]


def test_loaded_keys_are_the_ones_that_were_made(ring: FileKeyring, directory: Path) -> None:
    again = FileKeyring.load(directory, VAULT)
    assert again.vault_key == ring.vault_key
    assert (again.key_id, again.tombstone_key) == (1, ring.tombstone_key)
    assert again.old_tombstone_keys == ()
    assert again.public_key == ring.public_key
    assert again.sign(b"note") == ring.sign(b"note")
    assert vault_id_of(directory) == VAULT


def test_a_signature_holds_for_its_note_and_no_other(ring: FileKeyring) -> None:
    signed = ring.sign(b"note")
    assert is_signed(ring.public_key, signed, b"note")
    assert not is_signed(ring.public_key, signed, b"Note")
    assert not is_signed(MemoryKeyring().public_key, signed, b"note")
    assert not is_signed(ring.public_key, b"short", b"note")
    assert not is_signed(b"no key", signed, b"note")


def test_the_published_signed_note_verifies() -> None:
    """The example of the form's first implementation, signed by another program."""
    public = base64.b64decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")[1:]
    note = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n\n"
        "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdng"
        "otpRZb6KE6RyyBwJnAM=\n"
    )
    assert checkpoint.is_signed_by(note, "PeterNeumann", public, check=is_signed)
    assert not checkpoint.is_signed_by(note.replace("know", "knew"), "PeterNeumann", public, check=is_signed)


def test_keys_that_are_there_are_never_overwritten(ring: FileKeyring, directory: Path) -> None:
    with pytest.raises(BadStore, match="never overwritten"):
        FileKeyring.create(directory, "another")
    assert FileKeyring.load(directory, VAULT).vault_key == ring.vault_key
    assert not [name for name in os.listdir(directory.parent) if name.endswith(".part")]


def test_a_file_in_the_place_of_the_directory_is_left_alone(directory: Path) -> None:
    directory.write_bytes(b"mine")
    with pytest.raises(BadStore):
        FileKeyring.create(directory, VAULT)
    assert directory.read_bytes() == b"mine"


def test_an_id_that_cannot_stand_in_a_note_makes_no_keys(directory: Path) -> None:
    with pytest.raises(BadInput):
        FileKeyring.create(directory, "two words")
    assert not directory.exists()


def test_keys_of_another_vault_are_refused(ring: FileKeyring, directory: Path) -> None:
    with pytest.raises(MissingKey, match="another vault"):
        FileKeyring.load(directory, "v_other")


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_reported_and_not_minted(ring: FileKeyring, directory: Path, name: str) -> None:
    (directory / name).unlink()
    with pytest.raises(MissingKey, match=name.replace(".", r"\.")):
        FileKeyring.load(directory, VAULT)
    assert not (directory / name).exists()


def test_a_missing_directory_is_reported_and_not_made(directory: Path) -> None:
    assert vault_id_of(directory) is None
    with pytest.raises(MissingKey, match="missing"):
        FileKeyring.load(directory, VAULT)
    assert not directory.exists()


def test_a_key_that_is_cut_short_is_refused(ring: FileKeyring, directory: Path) -> None:
    (directory / "vault.key").write_bytes(ring.vault_key[:31])
    with pytest.raises(MissingKey, match="cut short"):
        FileKeyring.load(directory, VAULT)


@pytest.mark.parametrize("name", [*NAMES, "."])
def test_what_is_open_to_others_is_refused(ring: FileKeyring, directory: Path, name: str) -> None:
    place = directory / name
    place.chmod(place.stat().st_mode | 0o040)
    with pytest.raises(LooseKeys, match="open to others"):
        FileKeyring.load(directory, VAULT)
    place.chmod(place.stat().st_mode & ~0o040)
    FileKeyring.load(directory, VAULT)


@pytest.mark.parametrize("name", NAMES)
def test_a_link_in_the_place_of_a_key_is_refused(ring: FileKeyring, directory: Path, name: str) -> None:
    os.rename(directory / name, directory.parent / "moved")
    (directory / name).symlink_to(directory.parent / "moved")
    with pytest.raises(LooseKeys, match="link"):
        FileKeyring.load(directory, VAULT)


def test_a_linked_directory_is_refused(ring: FileKeyring, directory: Path) -> None:
    other = directory.with_name("other.keys")
    other.symlink_to(directory)
    with pytest.raises(LooseKeys, match="link"):
        FileKeyring.load(other, VAULT)


def test_a_rotated_tombstone_key_leaves_the_old_one_for_matching(ring: FileKeyring, directory: Path) -> None:
    first = ring.tombstone_key
    assert ring.rotate_tombstone() == 2
    assert ring.rotate_tombstone() == 3
    for held in (ring, FileKeyring.load(directory, VAULT)):
        assert held.key_id == 3
        assert [number for number, _ in held.old_tombstone_keys] == [1, 2]
        assert held.old_tombstone_keys[0] == (1, first)
        assert held.tombstone_key not in dict(held.old_tombstone_keys).values()


def test_a_gap_among_the_tombstone_keys_is_reported(ring: FileKeyring, directory: Path) -> None:
    ring.rotate_tombstone()
    (directory / "tombstone-0001.key").unlink()
    with pytest.raises(MissingKey, match="tombstone-0001"):
        FileKeyring.load(directory, VAULT)


def test_a_rotated_signing_key_is_vouched_for_by_both(ring: FileKeyring, directory: Path) -> None:
    old = ring.public_key
    note = ring.rotate_signing(AT)
    new = ring.public_key
    assert new != old
    for key in (old, new):
        assert checkpoint.is_signed_by(note, f"muniment/{VAULT}", key, check=is_signed)
    stranger = MemoryKeyring().public_key
    assert not checkpoint.is_signed_by(note, f"muniment/{VAULT}", stranger, check=is_signed)
    again = FileKeyring.load(directory, VAULT)
    assert again.public_key == new
    assert again.old_public_keys == ring.old_public_keys == (old,)
    assert again.vault_key == ring.vault_key


def test_signing_keys_are_rotated_more_than_once(ring: FileKeyring, directory: Path) -> None:
    publics = [ring.public_key]
    for _ in range(2):
        ring.rotate_signing(AT)
        publics.append(ring.public_key)
    assert FileKeyring.load(directory, VAULT).old_public_keys == tuple(publics[:2])


def test_keys_that_another_holder_rotated_are_taken_in(ring: FileKeyring, directory: Path) -> None:
    other = FileKeyring.load(directory, VAULT)
    first, public = other.tombstone_key, other.public_key
    ring.rotate_tombstone()
    ring.rotate_signing(AT)
    assert (other.key_id, other.public_key) == (1, public)
    other.catch_up()
    assert (other.key_id, other.tombstone_key) == (2, ring.tombstone_key)
    assert other.old_tombstone_keys == ((1, first),)
    assert (other.public_key, other.old_public_keys) == (ring.public_key, (public,))
    assert other.sign(b"note") == ring.sign(b"note")


def test_a_signing_key_that_came_after_its_old_half_was_kept_is_taken_in(
    ring: FileKeyring, directory: Path
) -> None:
    """Whoever looks in the midst of a rotation looks again after it."""
    other = FileKeyring.load(directory, VAULT)
    seed = (directory / "signing.key").read_bytes()
    ring.rotate_signing(AT)
    new = (directory / "signing.key").read_bytes()
    (directory / "signing.key").write_bytes(seed)
    other.catch_up()
    (directory / "signing.key").write_bytes(new)
    other.catch_up()
    assert other.public_key == ring.public_key


def test_keys_that_are_held_stay_when_the_directory_has_fewer_or_is_gone(
    ring: FileKeyring, directory: Path
) -> None:
    number = ring.rotate_tombstone()
    newest = ring.tombstone_key
    (directory / f"tombstone-{number:04}.key").unlink()
    ring.catch_up()
    assert (ring.key_id, ring.tombstone_key) == (number, newest)
    directory.rename(directory.with_name("elsewhere"))
    ring.catch_up()
    assert (ring.key_id, ring.tombstone_key) == (number, newest)


def test_keys_that_others_can_read_are_not_taken_in(ring: FileKeyring, directory: Path) -> None:
    (directory / "signing.key").chmod(0o644)
    with pytest.raises(LooseKeys):
        ring.catch_up()


def test_a_memory_keyring_follows_from_its_seed() -> None:
    one, same, other = MemoryKeyring(b"a"), MemoryKeyring(b"a"), MemoryKeyring(b"b")
    assert (one.vault_key, one.tombstone_key, one.public_key) == (
        same.vault_key,
        same.tombstone_key,
        same.public_key,
    )
    assert one.vault_key != other.vault_key
    assert one.vault_key != one.tombstone_key
    one.catch_up()
    assert (one.key_id, one.old_tombstone_keys, one.old_public_keys) == (1, (), ())
