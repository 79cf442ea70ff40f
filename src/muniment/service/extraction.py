"""How does evidence become memories?  By rules, through the gate, each derived from its span."""

from collections.abc import Sequence
from dataclasses import replace

from muniment.domain.changes import Extracted
from muniment.domain.evidence import Evidence
from muniment.domain.intent import Path, Remember, Source, Take, Times
from muniment.service.conversations import TakeReport, take
from muniment.service.ground import Ground
from muniment.service.remember import remember


def take_in(ground: Ground, intent: Take) -> TakeReport:
    """Keep evidence, then hand the claims found in it to the gate.

    The claims were made into jobs with the evidence, so that a process killed in between
    leaves them to the next `run_jobs`.
    """
    report = take(ground, intent)
    extracted = sum(extract(ground, intent, item, claims=claims) for item, claims in report.claims)
    return replace(report, extracted=extracted, claims=())


def extract(ground: Ground, intent: Take, item: Evidence, *, claims: Sequence[Extracted]) -> int:
    """Hand an item's claims to the gate and end its job; return how many were taken in."""
    count = 0
    for claim in claims:
        receipt = remember(ground, _extracted_intent(intent, item, claim))
        count += receipt.landed
    with ground.store.transaction() as transaction:
        for job in transaction.jobs():
            if job.kind == "extract" and job.target == item.n:
                transaction.finish_job(job)
    return count


def _extracted_intent(intent: Take, item: Evidence, found: Extracted) -> Remember:
    return Remember(
        principal=intent.principal,
        claim=found.claim,
        kind=found.kind,
        space=intent.space,
        times=Times(valid_from=found.valid_from),
        sources=(Source(item.id, found.span),),
        label=item.label,
        path=Path.EXTRACTOR,
        session=item.session,
    )
