"""Is a key whole or refused, and does nothing of its secret get out?"""

import binascii
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.credential import digest, minted, opens, parsed
from muniment.errors import BadCredential, BadInput

PUBLIC, SECRET = bytes(range(9)), bytes(range(100, 132))
KEY = minted(PUBLIC, SECRET, "live")


def test_a_key_has_five_parts() -> None:
    assert re.fullmatch(r"mun_live_[0-9A-Za-z]{13}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}", KEY)


def test_a_key_says_where_to_look_and_what_to_compare() -> None:
    found = parsed(KEY)
    assert found.env == "live"
    assert found.public_id == KEY.split("_")[2]
    assert found.secret_digest == hashlib.sha256(SECRET).digest() == digest(SECRET)


@given(
    st.binary(min_size=6, max_size=16),
    st.binary(min_size=32, max_size=32),
    st.from_regex(r"[a-z]{1,12}", fullmatch=True),
)
def test_every_key_that_is_minted_is_understood(public: bytes, secret: bytes, env: str) -> None:
    found = parsed(minted(public, secret, env))
    assert (found.env, found.secret_digest) == (env, digest(secret))


@pytest.mark.parametrize("secret", [b"\0" * 32, b"\xff" * 32])
def test_the_least_and_the_greatest_secret_come_back(secret: bytes) -> None:
    assert parsed(minted(PUBLIC, secret, "test")).secret_digest == digest(secret)


def test_public_parts_give_different_ids() -> None:
    ids = {parsed(minted(number.to_bytes(9, "big"), SECRET, "live")).public_id for number in range(200)}
    assert len(ids) == 200
    assert {len(each) for each in ids} == {13}


def test_every_single_mistyped_character_is_noticed() -> None:
    for at, char in enumerate(KEY):
        for other in ("a" if char != "a" else "b", "0" if char != "0" else "1"):
            with pytest.raises(BadCredential):
                parsed(KEY[:at] + other + KEY[at + 1 :])


@pytest.mark.parametrize(
    "key",
    [
        "",
        "mun_",
        KEY[:-1],
        KEY + "0",
        KEY + "\n",
        " " + KEY,
        KEY.upper(),
        KEY.replace("mun_", "sk_"),
        KEY.replace("_live_", "_LIVE_"),
        KEY.replace("_", "-"),
        KEY.rpartition("_")[0],
        "\u0661".join(KEY.split("0")) + "\u0661",
    ],
)
def test_a_malformed_key_is_refused_in_words_that_repeat_none_of_it(key: str) -> None:
    with pytest.raises(BadCredential) as caught:
        parsed(key)
    for part in KEY.split("_")[2:]:
        assert part not in caught.value.sentence + caught.value.advice + repr(caught.value)


def test_a_secret_beyond_thirty_two_bytes_is_refused() -> None:
    """43 digits reach a little further than 32 bytes; two keys may not mean one secret."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    unsigned = f"mun_live_{KEY.split('_')[2]}_{'z' * 43}"
    number, checksum = binascii.crc32(unsigned.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        checksum = digits[digit] + checksum
    with pytest.raises(BadCredential, match="too large"):
        parsed(f"{unsigned}_{checksum}")


@pytest.mark.parametrize(
    ("public", "secret", "env"),
    [
        (PUBLIC, SECRET[:31], "live"),
        (PUBLIC, SECRET + b"x", "live"),
        (b"short", SECRET, "live"),
        (b"x" * 17, SECRET, "live"),
        (PUBLIC, SECRET, ""),
        (PUBLIC, SECRET, "Live"),
        (PUBLIC, SECRET, "a_b"),
    ],
)
def test_a_key_is_not_minted_from_other_parts(public: bytes, secret: bytes, env: str) -> None:
    with pytest.raises(BadInput):
        minted(public, secret, env)


def test_a_key_opens_its_own_digest_only() -> None:
    found = parsed(KEY)
    assert opens(found, digest(SECRET))
    assert not opens(found, digest(SECRET[::-1]))
    assert not opens(found, b"")


def test_a_parsed_key_does_not_print_its_digest() -> None:
    assert "digest" not in repr(parsed(KEY))
    assert parsed(KEY).public_id in repr(parsed(KEY))
