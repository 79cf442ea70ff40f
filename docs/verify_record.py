"""Does a record stand in a signed log?  python verify_record.py PROOF [PUBLIC-KEY]

It needs what `muniment log --prove` printed and the `cryptography` package, and no vault.  Compare the
key that it prints with the one you know: a proof shows only what the holder of that key signed.
"""

import base64
import hashlib
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def verified(proof: str, known: str = "") -> dict[str, str]:
    """Return what the proof says, by word; raise ValueError when it does not hold."""
    shown, note = proof.split("\n\n", 1)
    first, *lines = shown.splitlines()
    path = [base64.b64decode(line[5:]) for line in lines if line.startswith("path ")]
    said = dict((line + " ").split(" ", 1) for line in lines if not line.startswith("path "))
    said = {word: rest.rstrip(" ") for word, rest in said.items()}
    body, gap, signature = note.partition("\n\n")
    origin, size, root = body.splitlines()[:3]
    if not gap or first != f"{origin}/record/v1" or known not in ("", said["key"]):
        raise ValueError("no proof of a record, or another key")
    key, signed = base64.b64decode(said["key"]), base64.b64decode(signature.split()[2])
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed[4:], (body + "\n").encode())
    except InvalidSignature as error:
        raise ValueError("the signature does not hold") from error
    head, entries = said["head"].encode(), bytes.fromhex(said["entries"])
    node = hashlib.sha256(b"\x00" + len(head).to_bytes(4, "big") + head + entries).digest()
    at, last = int(said["record"]), int(size) - 1
    if not 0 <= at <= last:
        raise ValueError("the log has no such record")
    for step in path:
        right = at % 2 == 1 or at == last
        node = hashlib.sha256(b"\x01" + (step + node if right else node + step)).digest()
        while right and at % 2 == 0 and at:
            at, last = at // 2, last // 2
        at, last = at // 2, last // 2
    if last != 0 or base64.b64decode(root) != node:
        raise ValueError("the record does not stand there")
    return said | {"size": size}


if __name__ == "__main__":
    found = verified(Path(sys.argv[1]).read_text("utf-8"), *sys.argv[2:3])
    sys.stdout.write(f"holds: record {found['record']} of {found['size']}, signed by {found['key']}\n")
