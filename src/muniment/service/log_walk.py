"""Is the log itself whole?  Every record, its root at each size that a witness saw (I6)."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.checkpoint import Checkpoint, parsed, verified
from muniment.domain.ledger import (
    ENTRY_BYTES,
    Entry,
    Record,
    RowCode,
    TenantHead,
    grown,
    leaf_hash,
    root_of,
    unpacked,
)
from muniment.domain.timeline import to_micros
from muniment.errors import Tampered
from muniment.ports import Snapshot
from muniment.service.findings import Findings, Kind
from muniment.service.ground import Ground
from muniment.service.paging import walked_pages

_CODES = frozenset(RowCode)


class Entries:
    """Remember which row entries were seen: 16 bytes a record and one bit an entry."""

    def __init__(self) -> None:
        self.positions = array("Q")
        self._starts = array("Q")
        self._count = 0
        self._seen = bytearray()

    def add(self, record: Record) -> None:
        """Make room for the entries of the next record."""
        self.positions.append(record.position)
        self._starts.append(self._count)
        self._count += record.count
        self._seen.extend(bytes((self._count + 7) // 8 - len(self._seen)))

    def mark(self, record: int, index: int) -> bool:
        """Mark one entry as seen; False when it is not there or was seen before."""
        at = bisect_left(self.positions, record) if record >= 0 else len(self.positions)
        if at == len(self.positions) or self.positions[at] != record or index < 0:
            return False
        bit = self._starts[at] + index
        end = self._starts[at + 1] if at + 1 < len(self._starts) else self._count
        if bit >= end or self._is_seen(bit):
            return False
        self._seen[bit >> 3] |= 1 << (bit & 7)
        return True

    def _is_seen(self, bit: int) -> bool:
        return bool(self._seen[bit >> 3] & 1 << (bit & 7))

    def unseen(self, snapshot: Snapshot) -> Iterator[tuple[int, Entry]]:
        """Yield the entries that no row was found for, with their record's position."""
        at = 0
        for record in records_of(snapshot, unreadable=_already_said):
            if at == len(self.positions) or self.positions[at] != record.position:
                continue
            for index in range(record.count):
                if not self._is_seen(self._starts[at] + index) and record.rows[index * ENTRY_BYTES] in _CODES:
                    yield record.position, unpacked(record.rows, index)
            at += 1


def records_of(snapshot: Snapshot, *, unreadable: Callable[[], None] | None = None) -> Iterator[Record]:
    """Yield every ledger record by position, read in pages; without `unreadable` a bad one raises."""

    def fetch(page: Page) -> list[tuple[int, Record]]:
        return [(record.position, record) for record in snapshot.records(page)]

    if unreadable is not None:
        for page in walked_pages(fetch, first=-1, unreadable=unreadable):
            yield from page
        return
    after = -1
    while rows := snapshot.records(Page(after, limits.walk_rows_max)):
        yield from rows
        after = rows[-1].position


def _already_said() -> None:
    """Say nothing: the first walk named what cannot be read."""


def seen_notes(ground: Ground, findings: Findings) -> list[Checkpoint]:
    """Return the witness's checkpoints, oldest first; one whose signature fails is a finding."""
    keyring, carrier = ground.outside.keyring, ground.outside.carrier
    keys = (keyring.public_key, *keyring.old_public_keys)
    found = []
    for note in ground.outside.witness.notes():
        try:
            found.append(parsed(note) if carrier is None else verified(note, keys, check=carrier.is_signed))
        except Tampered:
            findings.add(Kind.WITNESS_MISMATCH, sentence="A note of the witness is not signed by this vault.")
    return found


def _binding(notes: list[Checkpoint]) -> dict[int, list[Checkpoint]]:
    """Return the notes that the present log must agree with, by size.

    A new epoch leaves what came after its first size in the epoch before behind.
    """
    wanted: dict[int, list[Checkpoint]] = {}
    start: int | None = None
    for note in reversed(notes):
        if start is None or note.size <= start:
            wanted.setdefault(note.size, []).append(note)
        if note.follows is not None:
            start = note.size if start is None else min(start, note.size)
    return wanted


def walked_log(
    snapshot: Snapshot, head: TenantHead | None, notes: list[Checkpoint], *, findings: Findings
) -> Entries:
    """Check every record, the roots the witness saw and the head, None for one that cannot be read.

    Returns the entries found.
    """
    walk = _LogWalk(head, _binding(notes), findings)
    walk.look()
    for record in records_of(snapshot, unreadable=walk.unreadable):
        walk.step(record)
    walk.end()
    return walk.entries


class _LogWalk:
    """Grow the tree record by record and look at it at every size that a witness saw.

    `whole` holds until a record is missing: from there on no root can be worked out.
    """

    def __init__(
        self, head: TenantHead | None, wanted: dict[int, list[Checkpoint]], findings: Findings
    ) -> None:
        self._head, self._wanted, self._findings = head, wanted, findings
        self._frontier, self._size, self._agreed = b"", 0, 0
        self._whole = self._like_witness = True
        self._beyond = False
        self.entries = Entries()

    def unreadable(self) -> None:
        """Note a record that cannot even be read."""
        sentence = "A record holds what was never written."
        self._findings.add(Kind.ALTERED_RECORD, record=self._size, sentence=sentence)

    def step(self, record: Record) -> None:
        """Take in the next record."""
        self.entries.add(record)
        _check_record(record, self._findings)
        if self._head is not None and record.position >= self._head.size:
            self._step_beyond(record)
            return
        if record.position != self._size:
            sentence = f"Records are missing from position {self._size} on."
            self._findings.add(Kind.MISSING_RECORD, record=self._size, sentence=sentence)
            self._whole = False
        elif self._whole:
            self._frontier = grown(self._frontier, self._size, leaf_hash(record.head, record.rows))
        self._size = record.position + 1
        self.look()

    def _step_beyond(self, record: Record) -> None:
        if not self._beyond:
            sentence = "The log holds more records than its head says: the head was put back."
            self._findings.add(Kind.ALTERED_HEAD, record=record.position, sentence=sentence)
        self._beyond = True

    def look(self) -> None:
        """Compare the root at this size with what the witness saw."""
        notes = self._wanted.get(self._size, [])
        if not notes or not self._whole or not self._like_witness:
            return
        if all(note.root == root_of(self._frontier) for note in notes):
            self._agreed = self._size
            return
        self._like_witness = False
        sentence = f"At {self._size} records the log is not the one that a witness saw."
        self._findings.add(Kind.WITNESS_MISMATCH, record=self._agreed, sentence=sentence)

    def end(self) -> None:
        """Compare the end of the walk with the head, and the head with the newest note."""
        if self._head is None:
            return
        if self._size < self._head.size:
            sentence = f"The head counts {self._head.size} records; the log ends after {self._size}."
            self._findings.add(Kind.TRUNCATED_LOG, record=self._size, sentence=sentence)
        elif self._whole and self._frontier != self._head.frontier:
            sentence = f"A record from position {self._agreed} on was altered: the root is not the head's."
            self._findings.add(Kind.ALTERED_RECORD, record=self._agreed, sentence=sentence)
        newest = max(self._wanted, default=0)
        if newest > self._head.size:
            sentence = f"A witness has seen {newest} records; the head counts {self._head.size}."
            self._findings.add(Kind.ROLLED_BACK, record=self._head.size, sentence=sentence)


def _check_record(record: Record, findings: Findings) -> None:
    """Check what a record says of itself, so that an alteration is named where it stands."""
    try:
        fields = record.fields()
        is_same = fields.get("at") == to_micros(record.recorded) and fields.get("rows") == record.count
    except Tampered:
        is_same = False
    codes = record.rows[::ENTRY_BYTES]
    if not is_same or len(record.rows) % ENTRY_BYTES or not _CODES.issuperset(codes):
        sentence = "The record contradicts itself."
        findings.add(Kind.ALTERED_RECORD, record=record.position, sentence=sentence)
