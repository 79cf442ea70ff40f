"""Do holders of one vault that are open already learn of the keys that another has rotated?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.adapters.keys import FileKeyring
from muniment.errors import MissingKey
from muniment.service.vault import Vault
from tests import postgres
from tests.builders import stored

WRONG = "The staging database lives at Copper Lane 7"
CODE = "quartz-9f3k-7710"


@pytest.fixture(params=["file", "server"])
def pair(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Vault, Vault]]:
    """Yield two holders of one vault that both have looked at it, as two processes have."""
    address = str(tmp_path / "vault.db")
    if request.param == "server":
        monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
        address = postgres.migrated_database().application
    with muniment.open(address) as one, muniment.open(address) as other:
        stored(one.remember("Tea is at four"))
        stored(other.remember("Milk is in the cellar"))
        yield one, other


def _rejects_and_erases(vault: Vault) -> None:
    stored(vault.reject(stored(vault.remember(WRONG)).id, reason="it moved"))
    vault.erase(vault.plan_erasure(id=stored(vault.remember(f"The code is {CODE}")).id))


def _keeps_it_out(vault: Vault) -> None:
    assert vault.remember(WRONG).reason == "rejected-value"
    assert vault.remember(f"It says: the code is {CODE}").reason == "rejected-value"
    vault.session("s-1").append("user", f"It was {CODE}, I think")
    assert CODE not in vault.session("s-1").turns()[-1].text
    assert not vault.remember("Something else").refused


def test_what_is_rejected_under_a_new_key_stays_out_where_the_old_one_is_held(
    pair: tuple[Vault, Vault],
) -> None:
    one, other = pair
    one.rotate_keys()
    _rejects_and_erases(one)
    _keeps_it_out(other)
    assert other.verify().ok


def test_what_was_rejected_under_an_old_key_stays_out_after_another_rotates(
    pair: tuple[Vault, Vault],
) -> None:
    one, other = pair
    _rejects_and_erases(one)
    for _ in range(2):
        one.rotate_keys()
    _keeps_it_out(other)


def test_a_new_key_is_met_also_when_no_rotation_was_recorded(pair: tuple[Vault, Vault]) -> None:
    """A rotation that failed at its end leaves a key that this holder goes on with."""
    one, other = pair
    keyring = one.ground.outside.keyring
    assert isinstance(keyring, FileKeyring)
    keyring.rotate_tombstone()
    _rejects_and_erases(one)
    _keeps_it_out(other)


def test_whoever_is_open_goes_on_behind_a_checkpoint_under_a_new_key(pair: tuple[Vault, Vault]) -> None:
    """A signature of a key that it has not read yet is no tampering."""
    one, other = pair
    one.rotate_keys()
    one.checkpoint()
    assert other.recall("where is the milk?").hits
    stored(other.remember("Bread is at the baker's"))
    assert other.verify().ok


def test_whoever_is_open_signs_with_the_new_key(pair: tuple[Vault, Vault]) -> None:
    one, other = pair
    old = other.ground.outside.keyring.public_key
    one.rotate_keys()
    stored(other.remember("Bread is at the baker's"))
    held = other.ground.outside.keyring
    assert held.public_key == one.ground.outside.keyring.public_key != old
    assert held.old_public_keys == (old,)


def test_a_holder_that_cannot_get_the_new_key_says_so_and_keeps_nothing(
    pair: tuple[Vault, Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys of another machine are a copy, and nobody has copied the new one yet."""
    one, other = pair
    with monkeypatch.context() as patched:
        patched.setattr(FileKeyring, "catch_up", lambda self: None)
        one.rotate_keys()
        stored(other.remember("Bread is at the baker's"))
        _rejects_and_erases(one)
        for _ in range(2):
            with pytest.raises(MissingKey, match="number 2"):
                other.remember(WRONG)
    _keeps_it_out(other)
