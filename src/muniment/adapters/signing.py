"""How is a note signed, and whose signature is it?  Ed25519, loaded when it is first needed.

A vault is opened and written to thousands of times for each time it signs, so the
cryptography package stays out of the way until then.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from muniment.later import Later

if TYPE_CHECKING:
    from cryptography import exceptions
    from cryptography.hazmat.primitives.asymmetric import ed25519
else:
    exceptions = Later("cryptography.exceptions")
    ed25519 = Later("cryptography.hazmat.primitives.asymmetric.ed25519")

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


def signature(seed: bytes, message: bytes) -> bytes:
    """Return the 64 bytes of the signature of `message` by the key `seed`."""
    return ed25519.Ed25519PrivateKey.from_private_bytes(seed).sign(message)


@lru_cache(maxsize=16)
def public_key_of(seed: bytes) -> bytes:
    """Return the 32 bytes that verify what `seed` signs."""
    return ed25519.Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def is_signed(public_key: bytes, signed: bytes, message: bytes) -> bool:
    """Return whether `signed` is the signature of `message` by `public_key`."""
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public_key).verify(signed, message)
    except (exceptions.InvalidSignature, ValueError):
        return False
    return True
