"""Does everything that is stored still say what the log committed to?  A walk over all of it (I6).

Memory stays flat: 16 bytes a record, one bit a row entry and a row a session; rows and
records are read in pages of one snapshot.  No finding repeats a remembered text.
"""

from collections.abc import Callable

from muniment import limits
from muniment.domain import session_log
from muniment.domain.changes import Page, Row, Sealed
from muniment.domain.erased_rows import StubRow
from muniment.domain.evidence import Evidence
from muniment.domain.journal import entry_of
from muniment.domain.label import PUBLIC, Label
from muniment.domain.ledger import RowCode, Seal, TenantHead, same_bytes
from muniment.domain.matter import Matter
from muniment.domain.memory import Version
from muniment.domain.rows import RecallRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Tombstone, sum_of
from muniment.domain.trust import LIVE
from muniment.errors import BrokenData, MissingKey, Tampered
from muniment.ports import Snapshot
from muniment.recall.eligibility import Sort
from muniment.service import granting
from muniment.service.findings import Finding, Findings, Kind, Progress, Report
from muniment.service.ground import Ground, head_mac, memory_mac
from muniment.service.log_walk import Entries, seen_notes, walked_log
from muniment.service.paging import walked_pages
from muniment.service.seals import committed, holds, is_bound, named


def verify(ground: Ground, *, progress: Progress | None = None) -> Report:
    """Return what does not hold, of all records, rows, heads, sessions and witness notes.

    `progress` is called with the number of rows walked.  Raises MissingKey when the
    vault's keys are not there: without them nothing can be checked.
    """
    if not ground.outside.verifiable:
        raise MissingKey(ground.outside.why_read_only)
    with ground.store.snapshot() as snapshot:
        head = _head(snapshot)
    if head is not None:
        ground.follow(head)
    # The notes are read first: a note of this moment is never newer than a later snapshot.
    findings = Findings()
    notes = seen_notes(ground, findings)
    _journal(ground, findings)
    with ground.store.snapshot() as snapshot:
        head = _head(snapshot)
        if head is None:
            findings.add(Kind.ALTERED_HEAD, sentence="The head of the log holds what was never written.")
        elif not same_bytes(head.mac, head_mac(ground.vault_key, head)):
            findings.add(Kind.ALTERED_HEAD, sentence="The head of the log does not match its seal.")
        entries = walked_log(snapshot, head, notes, findings=findings)
        walk = _Walk(ground, snapshot, findings, entries=entries, progress=progress)
        for code in RowCode:
            walk.rows_of(code)
        walk.missing_rows()
        walk.sessions()
        walk.heads()
        rights = _rights(snapshot)
    newest = notes[-1] if notes else None
    return Report(
        ok=findings.total == 0,
        records=len(entries.positions),
        rows=walk.count,
        findings=tuple(findings.listed),
        total=findings.total,
        root="" if head is None else head.root.hex(),
        newest_witness=None if newest is None else (newest.size, newest.root.hex()),
        rights=rights,
    )


def _head(snapshot: Snapshot) -> TenantHead | None:
    """Return the tenant's head, None where it holds what was never written."""
    try:
        return snapshot.head()
    except Tampered:
        return None


def _journal(ground: Ground, findings: Findings) -> None:
    """Check every line of the journal of erasures: one that is altered takes nothing out of an older copy."""
    for line in ground.outside.journal.lines():
        try:
            entry_of(line, ground.vault_key)
        except Tampered as error:
            findings.add(Kind.ALTERED_JOURNAL, sentence=error.sentence)


def _rights(snapshot: Snapshot) -> str:
    """Return the digest of the rights on record; a log that cannot be read holds none and is a finding."""
    try:
        found = granting.recorded(snapshot)
    except Tampered:
        return ""
    return "" if found is None else found.digest


class _Walk:
    """Walk rows and heads of one snapshot."""

    def __init__(
        self,
        ground: Ground,
        snapshot: Snapshot,
        findings: Findings,
        *,
        entries: Entries,
        progress: Progress | None,
    ) -> None:
        self._ground = ground
        self._snapshot = snapshot
        self._findings = findings
        self._entries = entries
        self._progress = progress
        self._labels: dict[int, Label] = {}
        self._sessions: dict[str, Conversation] = {}
        self.count = 0

    def rows_of(self, code: RowCode) -> None:
        """Check every row of one kind against its record's entry."""

        def fetch(page: Page) -> list[tuple[int, Sealed[Row]]]:
            return self._snapshot.sealed_rows(code, page)

        said = self._unreadable(f"{code.name.lower()}/?")
        for rows in walked_pages(fetch, first=0, unreadable=said):
            found = self._snapshot.entries_of([sealed.seal for sealed in rows])
            for sealed, entry in zip(rows, found, strict=True):
                self._row(sealed, entry)
            self._beside(code, rows)
            self.count += len(rows)
            if self._progress is not None:
                self._progress(self.count)

    def _unreadable(self, what: str) -> Callable[[], None]:
        def said() -> None:
            sentence = "A row holds what was never written."
            self._findings.add(Kind.ALTERED_ROW, what, sentence=sentence)

        return said

    def _row(self, sealed: Sealed[Row], entry: bytes) -> None:
        made = code, id, _ = committed(sealed.row)
        seal, name = sealed.seal, named(code, id)
        is_named = entry[:17] == bytes((code,)) + id
        is_first = is_named and self._entries.mark(seal.record, seal.index)
        if is_first and is_bound(self._ground.vault_key, made, seal, entry=entry):
            return
        if is_first:
            sentence = "The row differs from what its record committed to."
            self._findings.add(Kind.ALTERED_ROW, name, seal.record, sentence=sentence)
            return
        sentence = "No record commits to this row."
        self._findings.add(Kind.INSERTED_ROW, name, seal.record, sentence=sentence)

    def _beside(self, code: RowCode, rows: list[Sealed[Row]]) -> None:
        """Check what stands beside the committed columns of some kinds."""
        for sealed in rows:
            self._read(sealed.row)
        if code is RowCode.STUB:
            self._erased(rows)
        elif code is RowCode.TOMBSTONE:
            self._digests([sealed.row for sealed in rows if isinstance(sealed.row, Tombstone)])

    def _erased(self, rows: list[Sealed[Row]]) -> None:
        """Account for what a record made and an erasure took: its stub says so, under a seal of its own."""
        found = self._snapshot.entries_of([Seal(b"", one.row.record, one.row.index) for one in _stubs(rows)])
        sealed = self._snapshot.entries_of([one.seal for one in rows])
        for one, own, entry in zip(_stubs(rows), sealed, found, strict=True):
            stub = one.row
            if not holds(self._ground.vault_key, stub, one.seal, entry=own):
                continue
            if entry[:17] == bytes((stub.code,)) + stub.entry_id and self._entries.mark(
                stub.record, stub.index
            ):
                continue
            sentence = "An erased row is there again; it was put back past the gate."
            name = named(stub.code, stub.entry_id)
            self._findings.add(Kind.ERASED_ROW_BACK, name, stub.record, sentence=sentence)

    def _read(self, row: Row) -> None:
        """Keep what a session has read: turns, answers that it was served, and what its log says."""
        if isinstance(row, Conversation):
            self._sessions[session_log.log_id(row.id)] = row
        elif isinstance(row, Evidence | RecallRow) and row.session:
            known = self._labels.get(row.session, PUBLIC)
            self._labels[row.session] = known.joined(row.label)
        elif isinstance(row, Matter) and row.id in self._sessions:
            n = self._sessions[row.id].n
            self._labels[n] = self._labels.get(n, PUBLIC).joined(row.label)

    def sessions(self) -> None:
        """Work every session's label out again from what it has read: it only gets stricter (I10)."""
        for session in self._sessions.values():
            if session.label.joined(self._labels.get(session.n, PUBLIC)) != session.label:
                sentence = "The session's label is looser than what it has read."
                self._findings.add(Kind.LOOSENED_SESSION, session.id, sentence=sentence)

    def _digests(self, rows: list[Tombstone]) -> None:
        """A tombstone that cannot be found by its digests is as good as deleted (I4)."""
        made = [row for row in rows if not row.lifted]
        for row in made:
            if sum_of(self._found_by(row)) != row.found_by:
                sentence = "What the tombstone is found by is not what its row commits to."
                self._findings.add(Kind.DELETED_ROW, row.id, sentence=sentence)

    def _found_by(self, row: Tombstone) -> tuple[bytes, ...]:
        """Return what finds a tombstone where it is looked for; none, where that was never written."""
        try:
            return self._snapshot.tombstone_digests([row.id]).get(row.id, ())
        except Tampered:
            return ()

    def missing_rows(self) -> None:
        """Name every row that a record made and that no table holds."""
        for record, entry in self._entries.unseen(self._snapshot):
            sentence = "A record made this row, and it is gone."
            self._findings.add(Kind.DELETED_ROW, named(entry.code, entry.id), record, sentence=sentence)

    def heads(self) -> None:
        """Check every memory's sealed head, and that the index counts as many as are live."""
        live = 0
        for page in walked_pages(self._snapshot.heads, first=0, unreadable=self._unreadable("memory/?")):
            for current in page:
                version = current.version
                live += version.trust in LIVE
                if not same_bytes(current.head_mac, memory_mac(self._ground.vault_key, version)):
                    self._odd(version.memory, Kind.ALTERED_MEMORY_HEAD)
        self._unless_unreadable(self._odd_heads)
        self._unless_unreadable(lambda: self._counted(live))

    def _unless_unreadable(self, check: Callable[[], None]) -> None:
        """Go on behind a check that meets what was never written."""
        try:
            check()
        except Tampered:
            self._unreadable("memory/?")()

    def _odd_heads(self) -> None:
        for memory in self._snapshot.odd_heads(limits.findings_max):
            self._odd(memory, self._how_odd(memory))

    def _counted(self, live: int) -> None:
        spaces = tuple(space.n for space in self._snapshot.spaces())
        if self._items(spaces) != live:
            sentence = "The index counts another number of memories than are live; reindex."
            self._findings.add(Kind.ALTERED_INDEX, sentence=sentence)

    def _items(self, spaces: tuple[int, ...]) -> int:
        """Return how many memories the index counts, -1 where its counts spell nothing."""
        try:
            return self._snapshot.statistics(spaces, Sort.MEMORY, ()).items
        except Tampered:
            raise
        except BrokenData:
            return -1

    def _how_odd(self, memory: str) -> Kind:
        try:
            versions: list[Version] = [sealed.row for sealed in self._snapshot.history(memory)]
        except Tampered:
            return Kind.ALTERED_MEMORY_HEAD
        if not versions:
            return Kind.ALTERED_MEMORY_HEAD
        named_by_head = [current.version.number for current in self._snapshot.currents((memory,))]
        if not named_by_head or named_by_head[0] < versions[-1].number:
            return Kind.STALE_MEMORY_HEAD
        return Kind.ALTERED_MEMORY_HEAD

    def _odd(self, memory: str, kind: Kind) -> None:
        sentence = "The memory's head is not its newest version's, or not sealed."
        if not any(one.kind is kind and one.id == memory for one in self._findings.listed):
            self._findings.add(kind, memory, sentence=sentence)


def _stubs(rows: list[Sealed[Row]]) -> list[Sealed[StubRow]]:
    return [Sealed(one.row, one.seal) for one in rows if isinstance(one.row, StubRow)]


__all__ = ["Finding", "Kind", "Report", "verify"]
