"""How is a note signed, and whose signature is it?  Ed25519, loaded when it is first needed.

A vault is opened and written to thousands of times for each time it signs, so the
cryptography package stays out of the way until then.  This is the one place where a
module is loaded late.
"""

import importlib
from functools import cache, lru_cache
from types import ModuleType
from typing import Protocol

SEED_BYTES = 32
"""Length of a signing key."""


class SigningKeys(Protocol):
    """Sign, and name every key whose signatures count."""

    @property
    def public_key(self) -> bytes:
        """Return the 32 bytes that verify new signatures."""

    @property
    def old_public_keys(self) -> tuple[bytes, ...]:
        """Return the keys that verify older signatures."""

    def sign(self, note: bytes) -> bytes:
        """Return the Ed25519 signature of `note`."""


@cache
def _ed25519() -> ModuleType:
    return importlib.import_module("cryptography.hazmat.primitives.asymmetric.ed25519")


@cache
def _bad_signature() -> type[Exception]:
    found: type[Exception] = importlib.import_module("cryptography.exceptions").InvalidSignature
    return found


def signature(seed: bytes, message: bytes) -> bytes:
    """Return the 64 bytes of the signature of `message` by the key `seed`."""
    signed: bytes = _ed25519().Ed25519PrivateKey.from_private_bytes(seed).sign(message)
    return signed


@lru_cache(maxsize=16)
def public_key_of(seed: bytes) -> bytes:
    """Return the 32 bytes that verify what `seed` signs."""
    public: bytes = _ed25519().Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    return public


def is_signed(public_key: bytes, signed: bytes, message: bytes) -> bool:
    """Return whether `signed` is the signature of `message` by `public_key`."""
    try:
        _ed25519().Ed25519PublicKey.from_public_bytes(public_key).verify(signed, message)
    except (_bad_signature(), ValueError):
        return False
    return True
