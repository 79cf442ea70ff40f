"""How does a vault come back?  Rows, numbers, times and log as they were, in a new epoch (I4)."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from muniment.domain.changes import Changes, IndexEntry, NewEvidence, NewTombstone, NewVersion, Sealed
from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.evidence import Evidence, EvidenceKind, TurnState
from muniment.domain.exchange import Carried, Header
from muniment.domain.intent import Administer
from muniment.domain.ledger import ROW_NUMBER_BITS, Record, TenantHead, grown, leaf_hash
from muniment.domain.link import Link
from muniment.domain.matter import Matter
from muniment.domain.memory import Version, findable_text
from muniment.domain.principal import Principal
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Tombstone
from muniment.domain.trust import LIVE
from muniment.errors import BadInput
from muniment.gate.judge import judge
from muniment.gate.verdict import Known
from muniment.later import Later
from muniment.ports import Transaction
from muniment.service.conversations import CHUNK_FROM_CHARACTERS, UNINDEXED_ROLES
from muniment.service.export_reading import (
    checked_export,
    header_in,
    read_lines,
    signed_checkpoint,
    vault_keys,
)
from muniment.service.findings import Progress
from muniment.service.ground import Ground, head_mac, memory_mac
from muniment.service.prepare import index_entry
from muniment.service.share import PROGRESS_EVERY, carrier_of, heed

if TYPE_CHECKING:
    from muniment.service import erase_again
else:
    erase_again = Later("muniment.service.erase_again")

R = TypeVar(
    "R",
    Link,
    Conversation,
    SpaceRow,
    ActorRow,
    CredentialRow,
    RecallRow,
    Matter,
    StubRow,
    CertificateRow,
)

_ERASING = b'"act":"erase"'
"""What the record of an erasure says; only there does an older state come after a newer one."""


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """Hold what a restore put back: records, rows, and the epoch that began with it."""

    records: int
    rows: int
    root: str
    epoch: int


@dataclass(slots=True)
class _Group:
    """Gather the rows of one record."""

    record: Record
    rows: list[Carried] = field(default_factory=list)


def restore(
    ground: Ground, principal: Principal, path: Path, *, progress: Progress | None = None
) -> RestoreReport:
    """Put the vault of an export back into this empty one, so that its next export is equal.

    The export is checked whole before anything is written: file, signature, root, every
    row.  This vault takes over the id, the vault key and the tombstone keys of the other,
    keeps its own signing key, and begins an epoch that cites the export's checkpoint.
    Raises Refusal for anyone but the owner, BadInput for a vault that is not empty, and
    Tampered for an export that does not hold.
    """
    ground.refuse_unwritable()
    carrier, now = carrier_of(ground), ground.outside.clock.now()
    intent = Administer(principal, "restore")
    heed(ground, intent, judge(intent, Known(actor=0, recorded=now)))
    signed, keys = signed_checkpoint(carrier, path), vault_keys(carrier, path)
    header = checked_export(carrier, path, signed, keys=keys)
    with ground.store.transaction() as transaction, carrier.reading(path) as file:
        birth = ground.checked_head(transaction)
        _refuse_unfit(birth, header)
        # From here on MACs are made with the other vault's key.
        header_in(file)
        put = _Put(ground, transaction, replace(birth, vault=header.vault), key=keys.vault_key)
        for group in _grouped(read_lines(file)):
            put.group(group)
            if progress is not None and put.records % PROGRESS_EVERY == 0:
                progress(put.rows)
        epoch = signed.checkpoint.epoch + 1
        transaction.set_analyser(put.final(header, epoch))
        adopt = carrier.adoption(keys, public_key=signed.public_key, note=signed.note, at=now)
    # Whoever dies here leaves this to the next who opens the vault.
    keyring, witness = adopt()
    ground.outside = replace(ground.outside, keyring=keyring, witness=witness)
    ground.forget_names()
    erase_again.catch_up(ground)
    return RestoreReport(put.records, put.rows, header.root.hex(), epoch)


def _refuse_unfit(birth: TenantHead, header: Header) -> None:
    if birth.size or birth.generation:
        raise BadInput(
            "The vault is not empty; a restore takes nothing else's place.",
            advice=(
                "Give `--vault` a path where nothing lies: `restore` makes the vault there by itself, "
                "without `init`; or import the export instead."
            ),
        )
    if birth.next_n >> ROW_NUMBER_BITS != header.next_n >> ROW_NUMBER_BITS:
        raise BadInput("The export's row numbers belong to another tenant of a shared file.")


def _grouped(lines: Iterator[Record | Carried]) -> Iterator[_Group]:
    group: _Group | None = None
    for one in lines:
        if isinstance(one, Record):
            if group is not None:
                yield group
            group = _Group(one)
        elif group is not None:
            group.rows.append(one)
    if group is not None:
        yield group


class _Put:
    """Put records back one by one, each with the rows it made."""

    def __init__(self, ground: Ground, transaction: Transaction, head: TenantHead, *, key: bytes) -> None:
        self._ground, self._transaction, self._head, self._key = ground, transaction, head, key
        self.records = self.rows = 0

    def group(self, group: _Group) -> None:
        """Append one record and its rows, with their numbers and seals."""
        record = group.record
        self._head = replace(
            self._head,
            size=record.position + 1,
            frontier=grown(self._head.frontier, record.position, leaf_hash(record.head, record.rows)),
        )
        self._transaction.apply(
            Changes(
                head=self._head,
                record=record,
                versions=tuple(self._versions(group)),
                evidence=tuple(self._evidence(group)),
                tombstones=tuple(
                    NewTombstone(one.row, one.seal, one.digests)
                    for one in group.rows
                    if isinstance(one.row, Tombstone)
                ),
                links=_of(Link, group),
                sessions=_of(Conversation, group),
                spaces=_of(SpaceRow, group),
                actors=_of(ActorRow, group),
                credentials=_of(CredentialRow, group),
                recalls=_of(RecallRow, group),
                matters=_of(Matter, group),
                stubs=_of(StubRow, group),
                certificates=_of(CertificateRow, group),
                model=self._ground.outside.embedder.model,
            )
        )
        self.records += 1
        self.rows += len(group.rows)

    def _versions(self, group: _Group) -> Iterator[NewVersion]:
        newest: dict[str, Version] = {}
        for one in group.rows:
            version = one.row
            if not isinstance(version, Version):
                continue
            follows = version.number > 1 or _ERASING in group.record.head
            found = self._transaction.currents((version.memory,)) if follows else []
            replaced = newest.get(version.memory, found[0].version if found else None)
            text = findable_text(version.claim, version.tags)
            entry = self._index(text, version.text if version.trust in LIVE else "")
            mac = memory_mac(self._key, version)
            if replaced is not None and replaced.number > version.number:
                # An erasure put an older state back, without a part of it.
                yield NewVersion(version, one.seal, mac, entry, None, past=True)
                continue
            newest[version.memory] = version
            yield NewVersion(version, one.seal, mac, entry, replaced)

    def _evidence(self, group: _Group) -> Iterator[NewEvidence]:
        for one in group.rows:
            if isinstance(one.row, Evidence):
                found = self._index(one.row.text, one.row.text) if _findable(one.row) else IndexEntry()
                yield NewEvidence(one.row, one.seal, found)

    def _index(self, text: str, meaning: str) -> IndexEntry:
        """Index a row anew; where the embedder fails, `reindex` fills the vector in later."""
        if not meaning:
            return IndexEntry(self._ground.outside.analyser.indexed(text))
        return index_entry(self._ground, text, meaning)[0]

    def final(self, header: Header, epoch: int) -> TenantHead:
        """Return the head as the export's was, in the new epoch and sealed anew."""
        head = replace(
            self._head,
            recorded=header.recorded,
            next_n=header.next_n,
            generation=header.generation,
            epoch=epoch,
        )
        return replace(head, mac=head_mac(self._key, head))


def _of(kind: type[R], group: _Group) -> tuple[Sealed[R], ...]:
    return tuple(Sealed(one.row, one.seal) for one in group.rows if isinstance(one.row, kind))


def _findable(item: Evidence) -> bool:
    if item.state is TurnState.REWOUND or item.role in UNINDEXED_ROLES:
        return False
    return item.kind is not EvidenceKind.DOCUMENT or len(item.text) <= CHUNK_FROM_CHARACTERS
