"""Does a signature hold for its key and message alone, and is the package loaded only when needed?"""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.adapters import signing
from tests.conftest import ROOT

SEED = bytes(range(32))
MESSAGE = b"muniment/v-1/1\n7\nroot\n"

# RFC 8032, section 7.1: secret key, public key, message, signature.
KNOWN = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
]


@pytest.mark.parametrize(("seed", "public", "message", "signed"), KNOWN)
def test_the_standards_own_examples_hold(seed: str, public: str, message: str, signed: str) -> None:
    given = bytes.fromhex(seed), bytes.fromhex(message)
    assert signing.public_key_of(given[0]).hex() == public
    assert signing.signature(*given).hex() == signed
    assert signing.is_signed(bytes.fromhex(public), bytes.fromhex(signed), given[1])


def test_a_signature_has_64_bytes_and_is_the_same_each_time() -> None:
    assert len(signing.signature(SEED, MESSAGE)) == 64
    assert signing.signature(SEED, MESSAGE) == signing.signature(SEED, MESSAGE)
    assert len(signing.public_key_of(SEED)) == 32


@settings(max_examples=30)
@given(st.binary(max_size=60), st.integers(0, 63), st.integers(0, 7))
def test_one_changed_bit_of_the_signature_does_not_hold(message: bytes, at: int, bit: int) -> None:
    public, signed = signing.public_key_of(SEED), bytearray(signing.signature(SEED, message))
    assert signing.is_signed(public, bytes(signed), message)
    signed[at] ^= 1 << bit
    assert not signing.is_signed(public, bytes(signed), message)


@settings(max_examples=30)
@given(st.binary(max_size=20), st.binary(max_size=20))
def test_a_signature_is_of_one_message(one: bytes, other: bytes) -> None:
    public = signing.public_key_of(SEED)
    assert signing.is_signed(public, signing.signature(SEED, one), other) is (one == other)


@pytest.mark.parametrize("public_key", [b"", b"x", bytes(31), bytes(33), bytes(32), b"\xff" * 32])
def test_what_is_no_key_has_signed_nothing(public_key: bytes) -> None:
    assert not signing.is_signed(public_key, signing.signature(SEED, MESSAGE), MESSAGE)


@pytest.mark.parametrize("signed", [b"", b"x" * 63, b"x" * 65, bytes(64)])
def test_what_is_no_signature_does_not_hold_and_raises_nothing(signed: bytes) -> None:
    assert not signing.is_signed(signing.public_key_of(SEED), signed, MESSAGE)


def test_another_seed_is_another_key() -> None:
    other = bytes(31) + b"\x01"
    assert signing.public_key_of(other) != signing.public_key_of(SEED)
    signed = signing.signature(other, MESSAGE)
    assert signing.is_signed(signing.public_key_of(other), signed, MESSAGE)
    assert not signing.is_signed(signing.public_key_of(SEED), signed, MESSAGE)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_seed_of_another_length_signs_nothing(size: int) -> None:
    with pytest.raises(ValueError):
        signing.signature(bytes(size), MESSAGE)
    assert size != signing.SEED_BYTES


def _loaded_after(code: str) -> bool:
    """Return whether a new process holds the cryptography package after it has run `code`."""
    script = f"import sys\n{code}\nprint(any(name.startswith('cryptography') for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src")},
        text=True,
    )
    return done.stdout.strip() == "True"


def test_the_package_stays_away_until_something_is_signed() -> None:
    name = "from muniment.adapters import keys, signing, witness"
    assert not _loaded_after(name)
    assert _loaded_after(f"{name}\nsigning.public_key_of(bytes(32))")
