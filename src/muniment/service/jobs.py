"""What is left to do in the background, and how is it done?  Leased, bounded, safe to kill."""

from dataclasses import dataclass, replace

from muniment import limits
from muniment.domain.changes import Job
from muniment.domain.intent import Take
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.timeline import to_micros
from muniment.errors import MunimentError
from muniment.ports import Snapshot
from muniment.service import contradictions, erase_storage
from muniment.service.extraction import extract
from muniment.service.ground import Ground

_SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class JobsReport:
    """Hold how many jobs were done, put back and given up, and how many are left."""

    done: int = 0
    put_back: int = 0
    given_up: int = 0
    left: int = 0


def run_jobs(ground: Ground) -> JobsReport:
    """Work through the due jobs, each under a lease; at most a bounded number a call."""
    if not ground.outside.writable:
        return JobsReport(left=_left(ground))
    report = JobsReport()
    for _ in range(limits.jobs_per_run_max):
        job = _taken(ground)
        if job is None:
            break
        report = _worked(ground, job, report)
    return replace(report, left=_left(ground))


def _left(ground: Ground) -> int:
    with ground.store.snapshot() as snapshot:
        return len(snapshot.jobs())


def _taken(ground: Ground) -> Job | None:
    with ground.store.transaction() as transaction:
        now = _now(ground, transaction)
        return transaction.take_job(now, now + limits.job_lease_seconds * _SECOND)


def _now(ground: Ground, snapshot: Snapshot) -> int:
    """Return the moment that due times and leases are reckoned from, which never steps back (I8)."""
    return max(to_micros(ground.outside.clock.now()), snapshot.head().recorded)


def _worked(ground: Ground, job: Job, report: JobsReport) -> JobsReport:
    try:
        _WORK[job.kind](ground, job)
    except (MunimentError, OSError, ValueError, RuntimeError) as error:
        return _failed(ground, job, report, why=type(error).__name__)
    with ground.store.transaction() as transaction:
        is_ours = transaction.finish_job(job)
    # Whoever took the job over counts it: what was done here too left the same behind.
    return replace(report, done=report.done + is_ours)


def _failed(ground: Ground, job: Job, report: JobsReport, *, why: str) -> JobsReport:
    """Put a job back with a growing pause; after the last attempt it waits for a day."""
    last = job.attempts + 1 >= limits.job_attempts_max
    pause = 24 * 3600 if last else 2**job.attempts
    with ground.store.transaction() as transaction:
        due = _now(ground, transaction) + pause * _SECOND
        transaction.finish_job(job, error=why, due=due)
    if last:
        return replace(report, given_up=report.given_up + 1)
    return replace(report, put_back=report.put_back + 1)


def _embed(ground: Ground, job: Job) -> None:
    """Give a row the vector that its write could not get."""
    embedder = ground.outside.embedder
    with ground.store.snapshot() as snapshot:
        texts = [sealed.row.text for sealed in snapshot.versions_at((job.target,))]
        texts += [sealed.row.text for sealed in snapshot.evidence_at((job.target,))]
    vectors = [embedder.embed(text) for text in texts]
    with ground.store.transaction() as transaction:
        for vector in vectors:
            if len(vector) == embedder.dimension and vector:
                transaction.set_vector(job.target, vector, model=embedder.model)


def _extract(ground: Ground, job: Job) -> None:
    """Hand the claims of an evidence item to the gate, when its own process could not."""
    with ground.store.snapshot() as snapshot:
        for sealed in snapshot.evidence_at((job.target,)):
            item = sealed.row
            path = ground.path_of(snapshot, item.space)
            principal = Principal(
                ground.tenant, ground.name_of(snapshot, item.author), ActorRole.SYSTEM, home=path
            )
            claims = ground.outside.extractor(
                item.text, speaker=item.speaker, role=item.role.value, occurred_at=item.occurred_at
            )
            break
        else:
            return
    extract(ground, Take(principal, path, ()), item, claims=claims)


def _contradict(ground: Ground, job: Job) -> None:
    """Compare new free statements with their neighbours."""
    contradictions.look(ground, job)


_WORK = {"embed": _embed, "extract": _extract, "contradict": _contradict, "storage": erase_storage.work}
"""What each kind of job does; a kind without a row here cannot be made."""
