"""Do new keys hold what comes, and the old ones what was?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.adapters.keys import keys_beside
from muniment.errors import BadInput, MunimentError, Refusal
from muniment.service.vault import Vault
from tests.builders import FakeClock, acts, clocked_vault, stored

TEXT = "The ferry leaves at dawn"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vault.db"


@pytest.fixture
def kept(path: Path) -> Iterator[Vault]:
    """Return a vault with its keys in files."""
    made = clocked_vault(path, FakeClock())
    yield made
    made.close()


def test_keys_in_memory_cannot_be_rotated(vault: Vault) -> None:
    with pytest.raises(BadInput, match="memory"):
        vault.rotate_keys()
    assert acts(vault) == []


def test_a_rotation_is_on_record_with_the_digest_of_its_note(kept: Vault) -> None:
    rotated = kept.rotate_keys()
    row = kept.log(limit=1)[0]
    assert (row.act, row.position) == ("rotate-keys", rotated.record)
    assert row.fields["tombstone_key"] == rotated.tombstone_key == 2
    assert len(str(row.fields["note"])) == 64
    assert rotated.note not in str(row.fields)


def test_the_note_of_a_rotation_is_signed_by_both_keys(kept: Vault) -> None:
    old = kept.ground.outside.keyring.public_key
    note = kept.rotate_keys().note
    new = kept.ground.outside.keyring.public_key
    assert old != new
    assert kept.ground.outside.keyring.old_public_keys == (old,)
    assert sum(line.startswith("\N{EM DASH} ") for line in note.splitlines()) == 2


def test_a_value_that_was_rejected_before_a_rotation_stays_out(kept: Vault) -> None:
    """Old tombstone keys stay for matching (I4)."""
    first = stored(kept.remember(TEXT))
    stored(kept.reject(first.id, reason="it sank"))
    kept.rotate_keys()
    assert kept.remember(TEXT).reason == "rejected-value"
    assert kept.remember(TEXT.upper()).reason == "rejected-value"


def test_a_value_that_was_rejected_after_a_rotation_stays_out_too(kept: Vault) -> None:
    kept.rotate_keys()
    first = stored(kept.remember(TEXT))
    stored(kept.reject(first.id, reason="it sank"))
    assert kept.remember(TEXT).reason == "rejected-value"
    kept.rotate_keys()
    assert kept.remember(TEXT).reason == "rejected-value"


def test_a_rejection_from_before_a_rotation_can_be_lifted_after_it(kept: Vault) -> None:
    first = stored(kept.remember(TEXT))
    stored(kept.reject(first.id, reason="it sank"))
    kept.rotate_keys()
    stored(kept.lift(first.id, reason="it was raised"))
    assert kept.remember(TEXT).reason != "rejected-value"


def test_checkpoints_of_both_keys_are_proven(kept: Vault) -> None:
    stored(kept.remember(TEXT))
    kept.checkpoint()
    kept.rotate_keys()
    stored(kept.remember("The ferry is blue"))
    kept.checkpoint()
    assert kept.verify().findings == ()


def test_a_rotated_vault_opens_again_with_everything_in_force(kept: Vault, path: Path) -> None:
    first = stored(kept.remember(TEXT))
    stored(kept.reject(first.id, reason="it sank"))
    kept.rotate_keys()
    kept.checkpoint()
    kept.close()
    with muniment.open(path) as again:
        assert again.remember(TEXT).reason == "rejected-value"
        assert again.verify().findings == ()
        assert again.ground.outside.keyring.key_id == 2


def test_rotating_again_and_again_keeps_every_old_key(kept: Vault, path: Path) -> None:
    texts = [f"{TEXT} on day {number}" for number in range(3)]
    for text in texts:
        stored(kept.reject(stored(kept.remember(text)).id, reason="no"))
        kept.rotate_keys()
    assert kept.ground.outside.keyring.key_id == 4
    assert len(kept.ground.outside.keyring.old_public_keys) == 3
    assert [kept.remember(text).reason for text in texts] == ["rejected-value"] * 3


def test_an_old_tombstone_key_that_is_lost_is_missed_at_once(kept: Vault, path: Path) -> None:
    """A gap among the keys would be a rejection forgotten."""
    kept.rotate_keys()
    kept.close()
    (keys_beside(path) / "tombstone-0001.key").unlink()
    with muniment.open(path) as again, pytest.raises(MunimentError, match="tombstone-0001"):
        again.remember(TEXT)


@pytest.mark.parametrize("role", ["agent", "member", "auditor"])
def test_only_who_owns_the_vault_rotates_its_keys(kept: Vault, role: str) -> None:
    with pytest.raises(Refusal):
        kept.acting_as(actor="eve", role=role).rotate_keys()
    assert kept.ground.outside.keyring.key_id == 1
    assert kept.rotate_keys().tombstone_key == 2
