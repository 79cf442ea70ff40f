"""Which edits of a vault's file does the suite `agent-memory-integrity` make, and who notices them?"""

import shutil
import tempfile
from pathlib import Path

from agmi.adapters.base import MemoryAdapter, Record
from agmi.attacks.at_rest import AT_REST_ATTACKS_WITH_SNAPSHOT

from bench.outside.hand import CONTENT, FIRST, SECOND, Hand, neighbour


class Muniment(MemoryAdapter):
    """Put a vault's file behind the suite's own adapter; `point` says who looks afterwards."""

    supports_replay = True
    supports_metadata = True
    supports_snapshot = True
    with_keys = False
    point = "audit"

    def __init__(self, name: str, *, point: str, with_keys: bool = False) -> None:
        self.name, self.point, self.with_keys = name, point, with_keys

    def setup(self) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="muniment-outside-"))
        self._hand = Hand(self._root)

    def teardown(self) -> None:
        shutil.rmtree(self._root, ignore_errors=True)

    def seed(self, n: int) -> None:
        self._hand.seed(n)

    def seed_other(self, n: int) -> None:
        self._hand.seed(n, space=SECOND, mark="foreign")

    def append_genuine(self) -> None:
        self._hand.seed(1, mark="late")

    def read_all_raw(self) -> list[Record]:
        return [Record(at, row) for at, row in enumerate(self._hand.rows(FIRST))]

    def read_other_raw(self) -> list[Record]:
        return [Record(at, row) for at, row in enumerate(self._hand.rows(SECOND))]

    def _at(self, seq: int) -> int | None:
        rows = self._hand.rows(FIRST)
        return int(str(rows[seq]["n"])) if seq < len(rows) else None

    def write_raw(self, record: Record) -> None:
        n = self._at(record.seq)
        if n is None:
            self._hand.insert(record.fields, like=int(str(self._hand.rows(FIRST)[-1]["n"])))
        else:
            self._hand.overwrite(n, {name: record.fields[name] for name in CONTENT})

    def delete_raw(self, seq: int) -> None:
        n = self._at(seq)
        if n is not None:
            self._hand.delete(n)

    def reload(self) -> None:
        """Do nothing: each look opens the vault anew."""

    def verify(self) -> bool:
        look = self._hand.noticed_by_reading if self.point == "read" else self._hand.noticed_by_verifying
        self.verify_detail = look() or None
        return self.verify_detail is None

    def mutate_payload(self, record: Record) -> Record:
        record.fields["text"] = str(record.fields["text"]).replace("is what it was", "is what I say")
        return record

    def forge_record(self, template: Record) -> Record:
        fields = dict(template.fields)
        fields["n"] = int(str(fields["n"])) + 1_000_000
        fields["memory"] = neighbour(bytes(fields["memory"]))
        return self.mutate_payload(Record(template.seq + 1, fields))

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        n = self._at(victim_seq)
        if n is not None:
            self._hand.overwrite(n, {name: donor.fields[name] for name in CONTENT})

    def read_meta(self, seq: int) -> dict[str, object]:
        row = self._hand.rows(FIRST)[seq]
        return {"rank": row["rank"], "valid_from": row["valid_from"]}

    def write_meta(self, seq: int, meta: dict[str, object]) -> None:
        n = self._at(seq)
        if n is not None:
            self._hand.overwrite(n, {"rank": 50, "valid_from": int(str(meta["valid_from"])) - 1})

    def snapshot_store(self) -> object:
        where = self._root / "older"
        self._hand.copy(where, with_keys=self.with_keys)
        return where

    def restore_store(self, token: object) -> None:
        self._hand.put_back(Path(str(token)))

    def identity_of(self, record: Record) -> str:
        return f"{record.fields['space']}/{bytes(record.fields['memory']).hex()}"

    def payload_of(self, record: Record) -> str:
        return str(record.fields["text"])

    def owner_of(self, record: Record) -> str:
        return str(record.fields["space"])


ROWS = (
    ("read path; the file is the attacker's", "read", False),
    ("verify; the file is the attacker's", "audit", False),
    ("read path; the key directory is the attacker's too", "read", True),
    ("verify; the key directory is the attacker's too", "audit", True),
)


def measured() -> list[dict[str, object]]:
    """Return a row for each position of the attacker and each place that looks: the nine edits' cells."""
    found = []
    for name, point, with_keys in ROWS:
        cells = {}
        for edit in AT_REST_ATTACKS_WITH_SNAPSHOT:
            result = edit().run(Muniment(name, point=point, with_keys=with_keys))
            known = {"safe": "rejected" if point == "read" else "reported", "VULNERABLE": "accepted"}
            cells[result.attack] = {
                "said": known.get(result.status, result.status),
                "detail": result.guard or result.error or result.detail,
            }
        found.append({"row": name, "cells": cells})
    return found
