"""Do the keys of a vault travel whole, and is none of them ever shown?"""

from dataclasses import FrozenInstanceError, replace

import pytest

from muniment.domain.exchange import keys_line, keys_of
from muniment.domain.vault_keys import VaultKeys
from muniment.errors import BadInput

KEYS = VaultKeys("v-1", bytes(range(32)), ((1, b"\x11" * 32), (2, b"\x22" * 32)))


@pytest.mark.parametrize("shown", [repr, str, "{}".format, "{!r}".format], ids=["repr", "str", "{}", "{!r}"])
def test_no_key_is_shown_and_the_vault_is(shown: object) -> None:
    text = shown(KEYS)
    assert "v-1" in text
    for secret in (KEYS.vault_key, *(key for _, key in KEYS.tombstone_keys)):
        assert repr(secret)[2:-1] not in text
        assert secret.hex() not in text
    assert "tombstone" not in text


def test_an_error_about_keys_shows_none() -> None:
    with pytest.raises(BadInput) as caught:
        keys_of(keys_line(KEYS).replace(b'"1"', b'"3"'))
    assert "11" * 8 not in f"{caught.value!r} {caught.value.sentence} {caught.value.advice}"


@pytest.mark.parametrize(
    "keys",
    [
        KEYS,
        replace(KEYS, tombstone_keys=KEYS.tombstone_keys[:1]),
        replace(KEYS, vault_key=b""),
        replace(KEYS, tombstone_keys=tuple((n, bytes((n,)) * 32) for n in range(1, 13))),
    ],
)
def test_keys_come_back_whole_and_in_their_order(keys: VaultKeys) -> None:
    """Twelve of them: numbers that are texts in the file would sort 10 before 2."""
    assert keys_of(keys_line(keys)) == keys


@pytest.mark.parametrize(
    "change",
    [{"vault": "v-2"}, {"vault_key": bytes(32)}, {"tombstone_keys": ((1, b"\x11" * 32), (2, b"\x23" * 32))}],
)
def test_another_key_is_other_keys(change: dict[str, object]) -> None:
    other = replace(KEYS, **change)
    assert other != KEYS
    assert keys_line(other) != keys_line(KEYS)


def test_keys_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        KEYS.vault_key = b""
