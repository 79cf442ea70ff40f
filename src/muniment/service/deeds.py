"""May this person do this to the vault itself?  The gate's answer, as an exception."""

from muniment.domain.intent import Administer
from muniment.domain.principal import Principal
from muniment.errors import Refusal
from muniment.gate.judge import judge
from muniment.gate.verdict import Known
from muniment.service.draft import Draft
from muniment.service.ground import Ground


def allowed(ground: Ground, draft: Draft, principal: Principal, *, deed: str) -> int:
    """Return the actor's number, or raise Refusal when the gate does not allow the deed."""
    actor = draft.actor(principal)
    verdict = judge(Administer(principal, deed), Known(actor=actor, recorded=draft.recorded))
    if verdict.refused:
        raise Refusal(verdict.reason.sentence, advice=verdict.reason.advice)
    return actor


def refuse_on_record(ground: Ground, principal: Principal, *, deed: str) -> None:
    """Put a deed that the gate does not allow on record and raise Refusal; else do nothing.

    It comes before the deed's own transaction, which a refusal would roll back.
    """
    verdict = judge(Administer(principal, deed), Known(actor=0, recorded=ground.outside.clock.now()))
    if not verdict.refused:
        return
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        draft.commit(deed, actor=draft.actor(principal), outcome="refused", reason=verdict.reason.code)
    raise Refusal(verdict.reason.sentence, advice=verdict.reason.advice)
