"""What does an erasure leave in a change, and what does it take?  Stubs, certificates, rows that go."""

import random
from datetime import datetime, timedelta
from typing import Protocol

from muniment.domain.changes import Gone, Sealed
from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.evidence import Evidence
from muniment.domain.ids import packed, spelled
from muniment.domain.ledger import RowCode, Seal
from muniment.domain.link import Link

ERASURE = f"x_{spelled(1)}"
HOUR = timedelta(hours=1)


class Erasing:
    """Be the part of a draft that erases."""

    recorded: datetime

    def n(self) -> int:
        raise NotImplementedError

    def seal(self, code: RowCode, id: str = "") -> Seal:
        raise NotImplementedError

    def _add(self, table: str, row: object) -> None:
        raise NotImplementedError

    def stub(self, erased: Evidence | Link, made_by: Seal) -> StubRow:
        """Add the stub of an erased row."""
        code = RowCode.EVIDENCE if isinstance(erased, Evidence) else RowCode.LINK
        origin = erased.origin if isinstance(erased, Evidence) else b""
        place = (made_by.record, made_by.index)
        row = StubRow(self.n(), code, packed(erased.id)[1:], *place, ERASURE, 1, origin)
        self._add("stubs", Sealed(row, self.seal(RowCode.STUB)))
        return row

    def certificate(self, status: str = "logical") -> CertificateRow:
        """Add a note on an erasure."""
        row = CertificateRow(self.n(), ERASURE, status, self.recorded, f"note {status}\n")
        self._add("certificates", Sealed(row, self.seal(RowCode.CERTIFICATE)))
        return row

    def go(self, gone: Gone) -> None:
        """Take one row away."""
        self._add("gone", gone)


class Known(Protocol):
    """Hold what a history has made, as far as it may be erased."""

    newest: dict[str, object]
    ns: dict[str, list[int]]
    evidence: list[Evidence]
    links: list[str]


def erase(chance: random.Random, known: Known, draft: "Drafting") -> None:
    """Now and then take a memory, an item or a link away; an item may come back with another text."""
    if chance.random() > 0.1:
        return
    draft.certificate(chance.choice(("logical", "storage-complete")))
    if known.newest and chance.random() < 0.5:
        memory = chance.choice(list(known.newest))
        for n in known.ns.pop(memory):
            draft.go(Gone(RowCode.VERSION, n=n))
        del known.newest[memory]
    elif known.evidence:
        item = known.evidence.pop(chance.randrange(len(known.evidence)))
        draft.go(Gone(RowCode.EVIDENCE, n=item.n))
        draft.stub(item, Seal(b"", 0, 0))
        if chance.random() < 0.5:
            fields = {each: getattr(item, each) for each in ("id", "space", "session", "sequence")}
            known.evidence.append(draft.turn("[erased]", **fields))
    if known.links:
        draft.go(Gone(RowCode.LINK, id=known.links.pop()))


class Drafting(Protocol):
    """Be a draft that takes rows away and makes turns."""

    def certificate(self, status: str = "logical") -> CertificateRow: ...

    def stub(self, erased: Evidence | Link, made_by: Seal) -> StubRow: ...

    def go(self, gone: Gone) -> None: ...

    def turn(self, text: str, **fields: object) -> Evidence: ...
