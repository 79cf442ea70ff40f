"""How is an API key spelled, and what of it is stored?  Only its public id and a digest.

`mun_<env>_<public id>_<secret>_<checksum>`: the checksum tells a mistyped key from an
unknown one without asking the store, and lets a scanner recognise a leaked key.
"""

import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass, field
from math import ceil, log2

from muniment.errors import BadCredential, BadInput

SECRET_BYTES = 32
"""Length of a key's secret."""

PUBLIC_BYTES = 9
"""Length of the random part that makes a public id."""

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_CHECKSUM_CHARACTERS = 6
_ENV = re.compile(r"[a-z]{1,12}")
_KEY = re.compile(
    r"mun_(?P<env>[a-z]{1,12})_(?P<public>[0-9A-Za-z]{8,24})_(?P<secret>[0-9A-Za-z]{43})_(?P<sum>[0-9A-Za-z]{6})"
)


@dataclass(frozen=True, slots=True)
class ParsedKey:
    """Hold what a key says: its environment, the public id to look up, its secret's digest."""

    env: str
    public_id: str
    secret_digest: bytes = field(repr=False)


def minted(public: bytes, secret: bytes, env: str) -> str:
    """Return the key of a public id and a secret, both random; shown once, never stored.

    Raises BadInput for a secret that is not 32 bytes, a public part outside 6 to 16 bytes,
    or an environment that is not a short lower-case word.
    """
    if len(secret) != SECRET_BYTES or not 6 <= len(public) <= 16 or not _ENV.fullmatch(env):
        raise BadInput("A key takes 32 secret bytes, 6 to 16 public ones and a short word.")
    unsigned = f"mun_{env}_{_spelled(public)}_{_spelled(secret)}"
    return f"{unsigned}_{_checksum(unsigned)}"


def parsed(key: str) -> ParsedKey:
    """Return what a key says, without asking whether it is known.

    Raises BadCredential for a malformed key or a wrong checksum, in words that repeat no
    part of it.
    """
    found = _KEY.fullmatch(key) if isinstance(key, str) else None
    if found is None:
        raise BadCredential("The key is malformed: it is cut, or not a key of Muniment.")
    if _checksum(key.rpartition("_")[0]) != found["sum"]:
        raise BadCredential("The key's checksum is wrong: a character is missing or mistyped.")
    number = 0
    for digit in found["secret"]:
        number = number * len(_DIGITS) + _VALUES[digit]
    if number >> (8 * SECRET_BYTES):
        raise BadCredential("The key is malformed: its secret is too large.")
    return ParsedKey(found["env"], found["public"], digest(number.to_bytes(SECRET_BYTES, "big")))


def digest(secret: bytes) -> bytes:
    """Return the SHA-256 of a secret, which is what is stored.

    A slow hash would protect a guessable password; 32 random bytes need none.
    """
    return hashlib.sha256(secret).digest()


def opens(key: ParsedKey, stored_digest: bytes) -> bool:
    """Return whether a key's secret is the stored one; takes as long whatever the answer."""
    return hmac.compare_digest(key.secret_digest, stored_digest)


def _spelled(content: bytes) -> str:
    width = ceil(8 * len(content) / log2(len(_DIGITS)))
    return _digits(int.from_bytes(content, "big"), width)


def _digits(number: int, width: int) -> str:
    digits = []
    for _ in range(width):
        number, digit = divmod(number, len(_DIGITS))
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))


def _checksum(unsigned: str) -> str:
    return _digits(binascii.crc32(unsigned.encode("ascii")), _CHECKSUM_CHARACTERS)
