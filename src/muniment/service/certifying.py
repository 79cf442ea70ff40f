"""How does an erasure get its certificate?  Signed over the log that holds it, and kept on record."""

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

STORAGE = "storage"
"""Kind of the job that takes the bytes of an erasure out of the files."""


def certificates_in(
    snapshot: Snapshot, erasure: str = "", *, after: int = 0, until: int = 0
) -> list[CertificateRow]:
    """Return the notes on erasures, or on one, the oldest first.

    Only those with a row number beyond `after` and up to `until`; 0 is no bound.
    """
    found: list[CertificateRow] = []
    while page := snapshot.sealed_rows(RowCode.CERTIFICATE, Page(after, limits.walk_rows_max)):
        rows = (sealed.row for _, sealed in page)
        found += (row for row in rows if isinstance(row, CertificateRow))
        after = page[-1][0]
        if until and after >= until:
            break
    return [row for row in found if erasure in ("", row.erasure) and (not until or row.n <= until)]


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
