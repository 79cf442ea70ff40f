"""What does `verify` say?  Findings of named kinds, bounded, and counted beyond the bound."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from muniment import limits

Progress = Callable[[int], None]
"""Called now and then with a count of rows."""


class Kind(StrEnum):
    """Name what was found; the guide says what each means and what to do."""

    ALTERED_ROW = "altered-row"
    DELETED_ROW = "deleted-row"
    INSERTED_ROW = "inserted-row"
    ALTERED_RECORD = "altered-record"
    MISSING_RECORD = "missing-record"
    ALTERED_HEAD = "altered-head"
    TRUNCATED_LOG = "truncated-log"
    ROLLED_BACK = "rolled-back"
    ALTERED_MEMORY_HEAD = "altered-memory-head"
    STALE_MEMORY_HEAD = "stale-memory-head"
    WITNESS_MISMATCH = "witness-mismatch"
    LOOSENED_SESSION = "loosened-session"
    ALTERED_INDEX = "altered-index"
    ERASED_ROW_BACK = "erased-row-back"
    ALTERED_JOURNAL = "altered-journal"


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold one thing that does not hold: its kind, the id, the record's position or -1.

    `sentence` never repeats what is remembered.
    """

    kind: Kind
    id: str
    record: int
    sentence: str


@dataclass(slots=True)
class Findings:
    """Gather findings up to `limits.findings_max` and count all."""

    listed: list[Finding] = field(default_factory=list)
    total: int = 0

    def add(self, kind: Kind, id: str = "", record: int = -1, *, sentence: str) -> None:
        """Add one finding."""
        self.total += 1
        if len(self.listed) < limits.findings_max:
            self.listed.append(Finding(kind, id, record, sentence))


@dataclass(frozen=True, slots=True)
class Report:
    """Hold the result of a walk: is all well, what was walked, what was found.

    `findings` lists the first of `total`; `root` is the head's, in hexadecimal, empty
    when the head cannot be read, and `newest_witness` the size and root that the outside saw last.
    `rights` is the digest of a daemon's built-in rights that is newest on record, empty when there is none.
    """

    ok: bool
    records: int
    rows: int
    findings: tuple[Finding, ...]
    total: int
    root: str
    newest_witness: tuple[int, str] | None
    rights: str = ""
