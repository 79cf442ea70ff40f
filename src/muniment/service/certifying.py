"""How does an erasure get its certificate?  Signed over the log that holds it, and kept on record."""

from collections.abc import Iterator
from dataclasses import replace

from muniment import limits
from muniment.domain.certificate import Certificate, Status, body, note_of
from muniment.domain.changes import Job, Page
from muniment.domain.erased_rows import CertificateRow
from muniment.domain.ledger import RowCode
from muniment.domain.timeline import to_micros
from muniment.ports import Snapshot
from muniment.service.draft import Draft
from muniment.service.ground import Ground

_FIRST_STRETCH = 1_024
"""How many row numbers are looked at first; an erasure takes a few for each row."""

STORAGE = "storage"
"""Kind of the job that takes the bytes of an erasure out of the files."""


def certificates_in(
    snapshot: Snapshot, erasure: str = "", *, after: int = 0, until: int = 0
) -> list[CertificateRow]:
    """Return the notes on erasures, or on one, the oldest first.

    Only those with a row number beyond `after` and up to `until`; 0 is no bound.
    """
    found: list[CertificateRow] = []
    most = limits.walk_rows_max if not until else min(limits.walk_rows_max, max(1, until - after))
    while page := snapshot.sealed_rows(RowCode.CERTIFICATE, Page(after, most)):
        rows = (sealed.row for _, sealed in page)
        found += (row for row in rows if isinstance(row, CertificateRow))
        after = page[-1][0]
        if until and after >= until:
            break
    return [row for row in found if erasure in ("", row.erasure) and (not until or row.n <= until)]


def newest_first(snapshot: Snapshot, *, before: int = 0) -> Iterator[CertificateRow]:
    """Yield the notes on erasures, the newest first, with row numbers below `before`; 0 is no bound.

    Reads no further back than it is asked for: each stretch of row numbers is twice as long as the last.
    """
    until, step = before - 1, _FIRST_STRETCH
    low = max(0, (before or snapshot.head().next_n) - step)
    while until:
        yield from reversed(certificates_in(snapshot, after=low, until=max(0, until)))
        until, step = low, step * 2
        low = max(0, low - step)


def signed(ground: Ground, certificate: Certificate) -> Certificate:
    """Return a certificate with its signed note."""
    keyring = ground.outside.keyring
    note = note_of(certificate, keyring.public_key, keyring.sign(body(certificate).encode()))
    return replace(certificate, note=note)


def certify(draft: Draft, certificate: Certificate) -> int:
    """Keep a signed note on record; while bytes may be left, with the job that takes them out."""
    status = certificate.status.value
    row = CertificateRow(draft.number(), certificate.id, status, draft.recorded, certificate.note)
    draft.add_certificate(row)
    if certificate.status is Status.LOGICAL:
        draft.jobs.append(Job(draft.number(), STORAGE, row.n, to_micros(draft.recorded)))
    return draft.commit(
        "certify", outcome="stored", erasure=certificate.id, status=certificate.status.value, note=row.n
    )
