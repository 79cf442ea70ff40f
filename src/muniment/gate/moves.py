"""Where does an act on an existing memory lead?"""

from dataclasses import replace
from datetime import datetime

from muniment.domain.intent import Change, Connect, Judge, Path, rank_of
from muniment.domain.link import LinkType
from muniment.domain.matter import Opening, Why
from muniment.domain.memory import Claim, Kind, Version
from muniment.domain.trust import IN_USE, LIVE, Act, Rank, Standing, Trust, moved
from muniment.errors import ForbiddenMove
from muniment.gate.birth import changed, stored
from muniment.gate.conflict import closing_of, rivals_of, settled
from muniment.gate.verdict import Birth, Closing, Known, Outcome, Reason, Verdict, refuse

ENDS_A_SUCCESSOR = frozenset({Act.RETRACT, Act.REJECT, Act.REFUTE})
"""Acts on a successor that reopen what it had superseded."""


def judge_change(intent: Change, known: Known) -> Verdict:
    """Decide a revision or a succession of the target."""
    target, birth = known.target, changed(intent, known)
    if target is None or birth is None:
        return refuse(Reason.NO_MATCH)
    if target.trust not in (Trust.CANDIDATE, Trust.BELIEVED, Trust.DISPUTED):
        return refuse(Reason.FORBIDDEN_MOVE, rests_on=target.memory, detail=f"It is {target.trust.value}.")
    if intent.act == "revise" and not _outranks(intent, known, target):
        return refuse(Reason.FORBIDDEN_MOVE, rests_on=target.memory, detail=_why_not(known))
    if _says_the_same(intent, target):
        return refuse(Reason.UNCHANGED, rests_on=target.memory)
    if intent.act == "revise":
        verdict = replace(stored(birth), closings=_moved_ends(intent, known, birth.valid.start))
        return _among_rivals(verdict, birth, whole_claim(intent.claim, target.claim), known=known)
    return _succeeded(intent, known, target, birth=birth)


def _succeeded(intent: Change, known: Known, target: Version, *, birth: Birth) -> Verdict:
    if birth.valid.start < target.valid.start:
        return refuse(Reason.BAD_SHAPE, detail="The successor begins before what it succeeds.")
    if not _outranks(intent, known, target):
        if birth.label.untrusted:
            # What rests on untrusted material supersedes nothing; it may be stated by itself.
            return refuse(Reason.FORBIDDEN_MOVE, rests_on=target.memory, detail="It ranks above you.")
        return _beside(intent, target, birth)
    try:
        closing = closing_of(target, birth.valid.start, known, standing=known.standing)
    except ForbiddenMove as error:
        return refuse(Reason.FORBIDDEN_MOVE, rests_on=target.memory, detail=error.sentence)
    verdict = Verdict(
        Outcome.STORED, Reason.SUPERSEDED_OLDER, rests_on=target.memory, birth=birth, closings=(closing,)
    )
    return _among_rivals(verdict, birth, whole_claim(intent.claim, target.claim), known=known)


def _beside(intent: Change, target: Version, birth: Birth) -> Verdict:
    """Let a successor that may not end the other land as disputed beside it, with a case."""
    own = rank_of(Path.DIRECT, intent.principal, birth.label)
    return Verdict(
        Outcome.DISPUTED,
        Reason.MAY_NOT_SUPERSEDE,
        rests_on=target.memory,
        birth=Birth(Trust.DISPUTED, own, birth.valid, birth.label),
        opens=Opening(Why.MAY_NOT_SUPERSEDE, target.memory),
    )


def connected(intent: Connect, known: Known) -> Verdict:
    """Let a link land; that one memory contradicts another opens a case, and moves no trust.

    Of two memories of which one is out of use there is nothing to decide.
    """
    sides = (known.target, known.old_side)
    opens = None
    if intent.type is LinkType.CONTRADICTS and all(one and one.trust in IN_USE for one in sides):
        opens = Opening(Why.CONTRADICTS, intent.target, intent.source)
    return Verdict(Outcome.STORED, Reason.CLEAN, opens=opens)


def _among_rivals(verdict: Verdict, birth: Birth, claim: Claim, *, known: Known) -> Verdict:
    """Settle the slot for a changed claim: two values never answer for one day."""
    handled = {closing.version.memory for closing in verdict.closings}
    handled |= {known.target.memory} if known.target is not None else set()
    others = [version for version in known.slot if version.memory not in handled]
    landed = settled(birth, rivals_of(birth, claim, others), known)
    if landed.reason is Reason.CLEAN:
        return verdict
    return replace(landed, closings=(*verdict.closings, *landed.closings))


def whole_claim(given: Claim, old: Claim) -> Claim:
    """Return a claim as it will stand: parts that were not given stay.

    A value that the old text named and the new one does not would contradict the text.
    """
    stale = bool(given.text) and old.value in old.text and old.value not in given.text
    return Claim(
        text=given.text or old.text,
        about=given.about or old.about,
        attribute=given.attribute or old.attribute,
        value=given.value or ("" if stale else old.value),
        many=old.many,
    )


def _moved_ends(intent: Change, known: Known, start: datetime) -> tuple[Closing, ...]:
    """Move the end of what the target superseded to where the target begins now.

    Else two values of one slot would answer for the days between.
    """
    if intent.times.valid_from is None:
        return ()
    followed = Standing(same_slot=True, rank_not_lower=True)
    return tuple(
        closing_of(replace(version, trust=version.before), start, known, standing=followed)
        for version in known.earlier
    )


def _outranks(intent: Change, known: Known, target: Version) -> bool:
    return intent.principal.is_person or (known.standing.author and known.standing.rank_not_lower)


def _why_not(known: Known) -> str:
    """Return why somebody may not revise: the weight of what stands, or else whose words they are."""
    if not known.standing.rank_not_lower:
        return "It ranks above you."
    return "Another author said it: what changed in the world is a successor, what you doubt a dispute."


def _says_the_same(intent: Change, target: Version) -> bool:
    times, claim = intent.times, intent.claim
    if times.valid_from is not None or times.valid_until is not None or times.expires_at is not None:
        return False
    same_text = not claim.text or claim.text == target.claim.text
    return same_text and (not claim.value or claim.value == target.claim.value)


def judge_move(intent: Judge, known: Known) -> Verdict:
    """Decide a move along the table of trust, and what it reopens (I3)."""
    target = known.target
    if target is None:
        return refuse(Reason.NO_MATCH)
    try:
        trust = moved(
            target.trust,
            intent.act,
            known.standing,
            before=target.before,
            hypothesis=target.kind is Kind.HYPOTHESIS,
        )
    except ForbiddenMove as error:
        return _doubted(intent, target) or refuse(
            Reason.FORBIDDEN_MOVE, rests_on=target.memory, detail=error.sentence
        )
    rank = Rank.MANUAL if intent.act in (Act.SUPPORT, Act.UPHOLD) and known.standing.person else target.rank
    rivals: tuple[Version, ...] = ()
    if trust is Trust.BELIEVED:
        landing = Birth(trust, rank, target.valid, target.label)
        rivals = rivals_of(landing, target.claim, [one for one in known.slot if one.memory != target.memory])
    if rivals and not known.standing.person:
        closing = Closing(target, Trust.DISPUTED, target.valid, target.rank, Act.DISPUTE.value)
        return Verdict(
            Outcome.DISPUTED,
            Reason.CONFLICT_OTHER_AUTHOR,
            rests_on=rivals[0].memory,
            closings=(closing,),
            opens=Opening(Why.OTHER_AUTHOR, rivals[0].memory, target.memory),
        )
    followed = Standing(person=True, same_slot=True, rank_not_lower=True)
    closings = [Closing(target, trust, target.valid, rank, intent.act.value)]
    closings += [closing_of(rival, target.valid.start, known, standing=followed) for rival in rivals]
    if intent.act is Act.REJECT:
        # The value is rejected, so whatever else says it here goes with it (I4).
        closings += [
            Closing(version, Trust.REJECTED, version.valid, version.rank, Act.REJECT.value)
            for version in known.same
        ]
    if intent.act in ENDS_A_SUCCESSOR:
        closings += [
            Closing(version, version.before, version.valid, version.rank, Act.REOPEN.value)
            for version in known.earlier
        ]
    return Verdict(
        Outcome.STORED,
        Reason.CLEAN,
        rests_on=target.memory,
        closings=tuple(closings),
        opens=_doubt(intent, target) if trust is Trust.DISPUTED else None,
    )


def _doubt(intent: Judge, target: Version) -> Opening:
    """Return the case that a refuted or disputed belief opens: what speaks against it, and it."""
    why = Why.REFUTED if intent.act is Act.REFUTE else Why.DOUBTED
    against = next((source.id for source in intent.sources if source.id != target.memory), "")
    return Opening(why, target.memory, against)


def _doubted(intent: Judge, target: Version) -> Verdict | None:
    """Take down the doubt of someone who may not dispute: it opens a case and moves nothing."""
    if intent.act is not Act.DISPUTE or target.trust not in LIVE:
        return None
    return Verdict(Outcome.NOTED, Reason.DOUBTED, rests_on=target.memory, opens=_doubt(intent, target))
