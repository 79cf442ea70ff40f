"""What stays of what was erased?  A stub a row, and signed certificates; no value, no text (I6)."""

from dataclasses import dataclass
from datetime import datetime

from muniment.domain.ledger import RowCode, canonical_row
from muniment.domain.members import Fields, moment, number, raw, text
from muniment.domain.timeline import to_micros


@dataclass(frozen=True, slots=True)
class StubRow:
    """Hold that one row went: its kind, and the entry that made it.

    `entry_id` are the 16 bytes that stand for the row in that entry; `record` and `index`
    point at it, so that a walk can tell an erased row from one that somebody deleted.
    `erasure` is the certificate's id, `space` where the row lay (0 for none) and `origin`
    the keyed digest by which its source is known when it comes again.
    """

    n: int
    code: RowCode
    entry_id: bytes
    record: int
    index: int
    erasure: str
    space: int
    origin: bytes = b""


@dataclass(frozen=True, slots=True)
class CertificateRow:
    """Hold one signed note on an erasure; a later one of the same erasure says more."""

    n: int
    erasure: str
    status: str
    made: datetime
    note: str


def stub_bytes(row: StubRow) -> bytes:
    """Return the canonical bytes of a stub."""
    place = (row.code, row.entry_id, row.record, row.index)
    return canonical_row(RowCode.STUB, (row.n, *place, row.erasure, row.space, row.origin))


def certificate_bytes(row: CertificateRow) -> bytes:
    """Return the canonical bytes of a certificate."""
    return canonical_row(RowCode.CERTIFICATE, (row.n, row.erasure, row.status, row.made, row.note))


def erased_members(row: StubRow | CertificateRow) -> tuple[RowCode, dict[str, object]]:
    """Return the kind of a row and its members in an export."""
    if isinstance(row, StubRow):
        return RowCode.STUB, stub_members(row)
    return RowCode.CERTIFICATE, certificate_members(row)


def stub_members(row: StubRow) -> dict[str, object]:
    """Return the members of a stub in an export."""
    return {
        "n": row.n,
        "code": int(row.code),
        "entry_id": row.entry_id.hex(),
        "record": row.record,
        "index": row.index,
        "erasure": row.erasure,
        "space": row.space,
        "origin": row.origin.hex(),
    }


def stub_of(f: Fields) -> StubRow:
    """Return the stub that the members spell; raises KeyError, TypeError or ValueError."""
    place = (RowCode(number(f, "code")), raw(f, "entry_id"), number(f, "record"), number(f, "index"))
    return StubRow(number(f, "n"), *place, text(f, "erasure"), number(f, "space"), raw(f, "origin"))


def certificate_members(row: CertificateRow) -> dict[str, object]:
    """Return the members of a certificate in an export."""
    return {
        "n": row.n,
        "erasure": row.erasure,
        "status": row.status,
        "made": to_micros(row.made),
        "note": row.note,
    }


def certificate_of(f: Fields) -> CertificateRow:
    """Return the certificate that the members spell; raises KeyError, TypeError or ValueError."""
    return CertificateRow(
        number(f, "n"), text(f, "erasure"), text(f, "status"), moment(f, "made"), text(f, "note")
    )
