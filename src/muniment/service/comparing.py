"""What became of a statement once it was compared with its neighbours?"""

from dataclasses import replace

from muniment.domain.link import LinkType
from muniment.domain.matter import Why
from muniment.domain.principal import Principal
from muniment.domain.trust import Trust
from muniment.errors import MunimentError
from muniment.gate.verdict import Outcome, Reason
from muniment.ports import Snapshot
from muniment.service.asking_jobs import KIND
from muniment.service.ground import Ground
from muniment.service.jobs import run_jobs
from muniment.service.receipt import PENDING, Receipt
from muniment.service.writing import visible


def compared(ground: Ground, principal: Principal, receipt: Receipt) -> Receipt:
    """Do the comparison that a receipt waits for, and return it as it stands then.

    What was stored stays stored: where the work cannot be done now, it waits as before.
    """
    if receipt.conflict != PENDING:
        return receipt
    try:
        run_jobs(ground)
    except MunimentError:
        return receipt
    with ground.store.snapshot() as snapshot:
        found = snapshot.currents((receipt.id,))
        if not found or any(
            job.kind == KIND and job.target == found[0].version.space for job in snapshot.jobs()
        ):
            return receipt
        about = next(iter(snapshot.matters_about((receipt.id,))), None)
        case = "" if about is None else about.id
        older = _superseded_by(snapshot, receipt.id)
        seen = [id for id in older if visible(ground, snapshot, principal, memory=id) is not None]
    receipt = replace(receipt, also=(*receipt.also, *seen), case=receipt.case or case)
    if found[0].version.trust is Trust.DISPUTED:
        is_inside = about is not None and about.why == Why.INSIDE
        reason = Reason.CONFLICT_INSIDE if is_inside else Reason.CONFLICT_LOWER_RANK
        return _said(replace(receipt, verdict=Outcome.DISPUTED.value), reason)
    if case:
        return replace(receipt, conflict="disputed", next=_WAITS)
    return _said(receipt, Reason.SUPERSEDED_OLDER) if older else replace(receipt, conflict="none")


_WAITS = "Another statement says otherwise; a person decides the case."


def _said(receipt: Receipt, reason: Reason) -> Receipt:
    """Return the receipt with a reason that says what became of the statement."""
    conflict = "superseded" if reason is Reason.SUPERSEDED_OLDER else "disputed"
    said = replace(receipt, reason=reason.code, sentence=reason.sentence, next=reason.advice)
    return replace(said, conflict=conflict)


def _superseded_by(snapshot: Snapshot, memory: str) -> list[str]:
    links = [one.row for one in snapshot.links_of((memory,))]
    return [link.target for link in links if link.type is LinkType.SUPERSEDES and link.source == memory]
