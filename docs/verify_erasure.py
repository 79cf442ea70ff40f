"""Does a certificate of an erasure hold?  python verify_erasure.py CERTIFICATE [PUBLIC-KEY]

It needs the note and the `cryptography` package, and no vault.  Compare the key that it prints
with the one you know: a certificate proves only that whoever holds that key signed it.
"""

import base64
import hashlib
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def verified(note: str, known: str = "") -> dict[str, list[str]]:
    """Return what the certificate says, by word; raise ValueError when it does not hold."""
    body, gap, signatures = note.partition("\n\n")
    first, *lines = body.splitlines()
    said: dict[str, list[str]] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        said.setdefault(word, []).append(rest)
    origin = first.removesuffix("/erasure/v1")
    if not gap or origin == first or known not in ("", said["key"][0]):
        raise ValueError("no certificate of an erasure, or another key")
    key = base64.b64decode(said["key"][0])
    mark, name, content = signatures.split()
    signed = base64.b64decode(content)
    if (mark, name) != ("\u2014", origin) or signed[:4] != hashlib.sha256(
        origin.encode() + b"\n\x01" + key
    ).digest()[:4]:
        raise ValueError("the signature is of another name or key")
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed[4:], (body + "\n").encode())
    except InvalidSignature as error:
        raise ValueError("the signature does not hold") from error
    return said


if __name__ == "__main__":
    found = verified(Path(sys.argv[1]).read_text("utf-8"), *sys.argv[2:3])
    sys.stdout.write(f"holds: {found['id'][0]} {found['status'][0]}, signed by {found['key'][0]}\n")
