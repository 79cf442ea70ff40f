"""How is shown that one record stands in the log, to whoever holds no vault?  A path to a signed root."""

import base64

from muniment.domain.ledger import inclusion_proof, leaf_hash
from muniment.errors import NotFound
from muniment.service.ground import Ground
from muniment.service.log_walk import records_of


def proof_of(ground: Ground, position: int) -> str:
    """Return what shows that the record at `position` stands in the log, with a checkpoint of now.

    Lines of a word and what it says, then an empty line and the signed note of the head: the
    record's exact head and entries, and the hashes that lead from it to the root (RFC 6962).  The
    whole log is read, as `verify` does.  Raises NotFound where no record stands, and Tampered
    where the head does not hold.
    """
    with ground.store.snapshot() as snapshot:
        head = ground.checked_head(snapshot)
        if not 0 <= position < head.size:
            raise NotFound(
                f"The log has no record {position}.", advice=f"It has {head.size}; `muniment log` lists them."
            )
        leaves: list[bytes] = []
        for record in records_of(snapshot):
            leaves.append(leaf_hash(record.head, record.rows))
            if record.position == position:
                said, entries = record.head, record.rows
    ground.store.harden()
    note = ground.outside.witness.add(head.size, head.root, ground.outside.clock.now())
    lines = [
        f"{note.partition(chr(10))[0]}/record/v1",
        f"record {position}",
        f"head {said.decode('ascii')}",
        f"entries {entries.hex()}",
        *(f"path {_text(step)}" for step in inclusion_proof(leaves, position)),
        f"key {_text(ground.outside.keyring.public_key)}",
    ]
    return "".join(f"{line}\n" for line in lines) + "\n" + note


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
