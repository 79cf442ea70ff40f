"""How is something erased?  One transaction after a plan; what stays are stubs and a certificate."""

from muniment.domain.certificate import Certificate
from muniment.domain.erasure import Plan
from muniment.domain.intent import Administer
from muniment.domain.journal import line_of
from muniment.domain.principal import Principal
from muniment.errors import BadInput, Busy, StalePlan
from muniment.ports import Snapshot, Transaction
from muniment.service.burying import Grave, erased_tombstones
from muniment.service.burying import Term as Buried
from muniment.service.certifying import certify, signed
from muniment.service.deeds import allowed, refuse_on_record
from muniment.service.draft import Draft
from muniment.service.erase_deed import Deed
from muniment.service.erase_journal import entry_for
from muniment.service.erase_known import unknown_in
from muniment.service.erase_plan import digest_of, planned
from muniment.service.erase_terms import holding_of
from muniment.service.ground import Ground


def erase(ground: Ground, principal: Principal, plan: Plan) -> Certificate:
    """Carry a plan out: rows, index, vectors, links, jobs and log of questions, all at once (I5).

    Raises StalePlan when something else would go now than the plan says, or when the plan was
    changed since it was made or is another vault's, BadInput for an empty plan and Refusal for
    anyone but the owner and an admin.  The bytes in the files are another step: the certificate
    says `logical` until they are gone.
    """
    if plan.empty:
        raise BadInput("The plan is empty: nothing would go.", advice="Look with `recall` for what is there.")
    ground.refuse_unwritable()
    refuse_on_record(ground, principal, deed="erase")
    # Every row is read where others wrote since the plan, so that is done first while they go on.
    with ground.store.snapshot() as snapshot:
        _refuse_changed(ground, snapshot, plan)
        seen = _refuse_stale(ground, snapshot, principal, plan=plan, seen=plan.size)
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed="erase")
        _refuse_behind(ground, transaction)
        _refuse_stale(ground, transaction, principal, plan=plan, seen=seen)
        deed, holding = Deed(draft, plan, actor=actor), holding_of(plan)
        blocked = erased_tombstones(draft, _buried(plan), Grave(deed.id, 0, actor))
        deed.gather(Administer(principal, "erase"), blocked, lambda _: holding)
        before = dict(transaction.counts())
        deed.commit(**({"request": plan.request} if plan.request else {}))
        certificate = signed(ground, deed.certificate(principal, before))
        certify(Draft.begun(ground, transaction), certificate)
        # The last step before all of it lands: a crash from here on is made good by the journal.
        entry = entry_for(plan, deed.id, certificate.requester, holding=holding, blocked=blocked)
        ground.outside.journal.add(line_of(entry, ground.vault_key))
    ground.forget_names()
    return certificate


def _refuse_changed(ground: Ground, snapshot: Snapshot, plan: Plan) -> None:
    """Only a plan as it was made and shown is carried out: its digest names this vault and all it does."""
    if digest_of(ground, plan, snapshot.head()) != plan.digest:
        raise StalePlan("The plan was changed since it was made, or is another vault's.")


def _refuse_behind(ground: Ground, transaction: Transaction) -> None:
    """Add no line to the journal behind one that a crash left undone: the last ones are looked at only."""
    if unknown_in(ground, transaction):
        raise Busy(
            "Another erasure was cut off just now and has to be finished first.",
            advice="Erase again: that is done first; nothing was erased by this call.",
        )


def _refuse_stale(ground: Ground, snapshot: Snapshot, principal: Principal, *, plan: Plan, seen: int) -> int:
    """Only what the plan shows may go: what came since may not change it.

    `seen` is the size of the log at which the plan was known to hold; returned is the present one.
    """
    size = snapshot.head().size
    if size != seen and planned(ground, snapshot, principal, asked=plan.asked).digest != plan.digest:
        raise StalePlan("Something else would go now than the plan says.")
    return size


def _buried(plan: Plan) -> list[Buried]:
    return [Buried(term.text, term.about, term.attribute) for term in plan.terms]
