"""How does a vault leave?  One file of all rows, a signed checkpoint of it, and its keys apart."""

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from muniment.domain import checkpoint
from muniment.domain.checkpoint import Checkpoint
from muniment.domain.exchange import (
    Header,
    carried_line,
    header_line,
    keys_line,
    record_line,
)
from muniment.domain.intent import Administer
from muniment.domain.ledger import Record, TenantHead
from muniment.domain.principal import Principal
from muniment.domain.timeline import from_micros
from muniment.domain.vault_keys import VaultKeys
from muniment.errors import BadInput, BrokenData, MissingKey, Refusal, Unavailable
from muniment.gate.judge import judge
from muniment.gate.verdict import Known, Verdict
from muniment.ports import Carrier, Snapshot
from muniment.service.burying import all_tombstone_keys
from muniment.service.draft import Draft
from muniment.service.export_rows import exported
from muniment.service.findings import Progress
from muniment.service.ground import Ground

PROGRESS_EVERY = 1_000
"""After how many lines progress is told."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Hold what an export holds: lines after the first, records among them, its SHA-256.

    `record` is the position of the record that says an export was made, -1 when the vault
    takes no writes.
    """

    lines: int
    records: int
    root: str
    sha256: str
    checkpoint: Path
    keys: Path | None
    record: int = -1


def checkpoint_beside(path: Path) -> Path:
    """Return where the signed checkpoint of an export lies."""
    return path.with_name(f"{path.name}.checkpoint")


def keys_beside(path: Path) -> Path:
    """Return where the keys of an export lie."""
    return path.with_name(f"{path.name}.keys")


def carrier_of(ground: Ground) -> Carrier:
    """Return who carries files, or raise BadInput for a vault that has none."""
    if ground.outside.carrier is None:
        raise BadInput("This vault lives in memory and cannot be carried.")
    return ground.outside.carrier


def heed(ground: Ground, intent: Administer, verdict: Verdict) -> None:
    """Raise Refusal for a deed that the gate refused, on record where that is possible."""
    principal, deed = intent.principal, intent.deed
    if not verdict.refused:
        return
    if ground.outside.writable:
        with ground.store.transaction() as transaction:
            draft = Draft.begun(ground, transaction)
            draft.commit(deed, actor=draft.actor(principal), outcome="refused", reason=verdict.reason.code)
    raise Refusal(verdict.reason.sentence, advice=verdict.reason.advice)


def export(
    ground: Ground,
    principal: Principal,
    path: Path,
    *,
    keys: bool = True,
    progress: Progress | None = None,
) -> ExportReport:
    """Write all rows of one moment to `path`, with a signed checkpoint and the keys beside it.

    The same rows are always the same bytes.  The keys are what commitments and tombstones
    were made with: a restore needs them, and whoever holds them holds the vault, so only
    the owner takes them out.  Others may use the vault meanwhile.

    Raises Refusal for who may not, MissingKey without the vault's own keys, BadInput for
    the place of something that is no export, and Unreadable, ReadOnly or FullDisk.
    """
    carrier, now = carrier_of(ground), ground.outside.clock.now()
    for deed in ("export", "export_keys") if keys else ("export",):
        intent = Administer(principal, deed)
        heed(ground, intent, judge(intent, Known(actor=0, recorded=now)))
    if not ground.outside.verifiable:
        raise MissingKey(ground.outside.why_read_only)
    for place in (path, checkpoint_beside(path), *((keys_beside(path),) if keys else ())):
        carrier.refuse_taken(place)
    with ground.reading() as snapshot:
        head = snapshot.head()
        with carrier.writing(path) as file:
            written = _Written(file, progress)
            _write(snapshot, head, written)
    digest = written.sha256.hexdigest()
    note = _note(ground, head, digest, at=now)
    with carrier.writing(checkpoint_beside(path)) as file:
        file.write(note.encode())
    if keys:
        with carrier.writing(keys_beside(path)) as file:
            file.write(keys_line(_keys_of(ground, head)))
    return ExportReport(
        lines=written.lines - 1,
        records=head.size,
        root=head.root.hex(),
        sha256=digest,
        checkpoint=checkpoint_beside(path),
        keys=keys_beside(path) if keys else None,
        record=_on_record(ground, principal, lines=written.lines - 1, keys=keys),
    )


class _Written:
    """Write lines, and remember how many and their digest."""

    def __init__(self, file: BinaryIO, progress: Callable[[int], None] | None) -> None:
        self._file = file
        self._progress = progress
        self.sha256 = hashlib.sha256()
        self.lines = 0

    def line(self, spelled: bytes) -> None:
        self._file.write(spelled)
        self.sha256.update(spelled)
        self.lines += 1
        if self._progress is not None and self.lines % PROGRESS_EVERY == 0:
            self._progress(self.lines)


def _write(snapshot: Snapshot, head: TenantHead, written: _Written) -> None:
    written.line(header_line(header_of_head(head)))
    for one in exported(snapshot):
        written.line(record_line(one) if isinstance(one, Record) else carried_line(one))


def header_of_head(head: TenantHead) -> Header:
    """Return the first line's content for a state of the log."""
    return Header(head.vault, head.size, head.root, head.recorded, head.next_n, head.generation)


def _note(ground: Ground, head: TenantHead, digest: str, *, at: datetime) -> str:
    """Return the checkpoint of an export: also which file it is of, and the key that signed it."""
    keyring = ground.outside.keyring
    origin = checkpoint.origin_of(head.vault, head.epoch)
    body = checkpoint.body(Checkpoint(origin, head.size, head.root, max(at, from_micros(head.recorded))))
    key = base64.b64encode(keyring.public_key).decode("ascii")
    body += f"export sha256:{digest}\nkey {key}\n"
    signature = keyring.sign(body.encode())
    return checkpoint.note(body, (checkpoint.signature_line(origin, keyring.public_key, signature),))


def _keys_of(ground: Ground, head: TenantHead) -> VaultKeys:
    return VaultKeys(head.vault, ground.vault_key, tuple(sorted(all_tombstone_keys(ground))))


def _on_record(ground: Ground, principal: Principal, *, lines: int, keys: bool) -> int:
    if not ground.outside.writable:
        return -1
    try:
        with ground.store.transaction() as transaction:
            draft = Draft.begun(ground, transaction)
            actor = draft.actor(principal)
            return draft.commit("export", actor=actor, outcome="stored", items=lines, keys=keys)
    except (BrokenData, Unavailable):
        # A damaged or rolled back vault takes no record, and is the one that must be exported.
        return -1
