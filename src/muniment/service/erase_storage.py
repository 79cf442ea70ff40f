"""How do the bytes of an erasure leave the files?  At once where that is possible, else by a job."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from muniment import limits
from muniment.domain.certificate import Certificate, Status, parsed
from muniment.domain.changes import Job
from muniment.domain.compaction import Compaction, Sought
from muniment.domain.erasure import Means, Plan, TermSort
from muniment.domain.evidence import Evidence
from muniment.domain.memory import Version
from muniment.errors import Unavailable
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.service.certifying import STORAGE, certificates_in, certify, signed
from muniment.service.draft import Draft
from muniment.service.erase_terms import holding_of
from muniment.service.ground import Ground

NOTHING = Sought()
"""What a job looks for: the texts were known only to the process that erased them."""

if TYPE_CHECKING:
    from muniment.service import block_clearing
else:
    block_clearing = Later("muniment.service.block_clearing")

_SAID = (Means.TEXT, Means.PERSON)
"""By which means a person says the very words that go."""


@runtime_checkable
class Compacting(Protocol):
    """Be a store that keeps files, and can take what was deleted out of them."""

    def compact(self, sought: Sought, *, wait_ms: int) -> Compaction:
        """Rewrite what may still hold deleted bytes, and look for what was erased in the files."""


def sought_of(ground: Ground, plan: Plan) -> Sought:
    """Return what was erased, to look for in the files: only in memory, and only now."""
    asked = [term.text for term in plan.terms if term.sort is not TermSort.SENTENCE]
    found = [term.text for term in plan.terms if term.sort is TermSort.SENTENCE]
    for one in plan.going:
        row = one.sealed.row
        if isinstance(row, Version) and not one.put_back:
            found += [row.claim.text, row.claim.value]
        elif isinstance(row, Evidence):
            whole = () if one.put_back else (row.text,)
            found += [*whole, *(row.text[span.start : span.end] for span in one.spans)]
    texts = _spelled(ground, asked)
    holds = holding_of(plan).holds if plan.asked.means in _SAID else None
    rows = tuple(one for one in _spelled(ground, found) if one not in texts)
    return Sought(tuple(texts), rows, holds)


def _spelled(ground: Ground, texts: Sequence[str]) -> dict[bytes, None]:
    """Return texts as they lie in a file, and in the index."""
    terms = ground.outside.analyser.terms
    wanted: dict[bytes, None] = {}
    for text in texts:
        part = text[: limits.erasure_scan_bytes_max]
        spelled = (part.encode("utf-8", "surrogatepass"), *(term.encode() for term in terms(part)))
        wanted.update(dict.fromkeys(one for one in spelled if one))
    return wanted


def completed(ground: Ground, certificate: Certificate, *, sought: Sought = NOTHING) -> Certificate:
    """Take the bytes out of the files now; return the later certificate, or this one when it must wait.

    A reader of an older state, a full disk or a server's role can be in the way: then the
    job that was made with the erasure does it.
    """
    try:
        found = _compacted(ground, sought)
    except (Unavailable, OSError):
        return certificate
    return _completed(ground, certificate, found, ends_job=True) if found.done else certificate


def _compacted(ground: Ground, sought: Sought) -> Compaction:
    """Take the bytes out of the block files, and out of the store's own."""
    files = block_clearing.cleared(ground, sought.holds)
    found = Compaction(True, ("held in memory only",))
    if isinstance(ground.store, Compacting):
        found = ground.store.compact(sought, wait_ms=limits.erasure_wait_ms_max)
    return replace(
        found,
        done=found.done and files.done,
        steps=(*found.steps, *files.steps),
        uncovered=(*found.uncovered, *files.uncovered),
    )


def _completed(
    ground: Ground, certificate: Certificate, found: Compaction, *, ends_job: bool = False
) -> Certificate:
    """Sign and keep the note that says so; end the job unless a worker holds it."""
    with ground.store.transaction() as transaction:
        for job in transaction.jobs() if ends_job else ():
            if job.kind == STORAGE and _erasure_of(transaction, job) == certificate.id:
                transaction.finish_job(job)
        draft = Draft.begun(ground, transaction)
        later = signed(ground, certificate.completed(draft.recorded, found.steps, found.uncovered))
        certify(draft, later)
    return later


def _erasure_of(snapshot: Snapshot, job: Job) -> str:
    """Return the erasure whose bytes a job takes out of the files, empty when its note is not there."""
    found = certificates_in(snapshot, after=job.target - 1, until=job.target)
    return found[0].erasure if found else ""


def work(ground: Ground, job: Job) -> None:
    """Do what an erasure left to a job; raises Unavailable while something is in the way."""
    with ground.store.snapshot() as snapshot:
        erasure = _erasure_of(snapshot, job)
        # A note that it is done comes after the one that made the job.
        notes = certificates_in(snapshot, erasure, after=job.target - 1) if erasure else []
    if not notes or notes[-1].status == Status.STORAGE_COMPLETE.value:
        return
    found = _compacted(ground, NOTHING)
    if not found.done:
        raise Unavailable("Who reads an older state, or a block file, keeps the bytes of an erasure.")
    _completed(ground, parsed(notes[-1].note), found)
