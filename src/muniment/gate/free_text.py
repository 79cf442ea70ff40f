"""Which of two free statements that contradict each other gives way?  Rank and author say, or a person."""

from muniment.domain.matter import MatterKind, Opening, Why
from muniment.domain.memory import Version
from muniment.domain.trust import LIVE, Act, Standing, Trust, moved
from muniment.gate.conflict import ALL, AUTO, LOWER_TRUST, closing_of
from muniment.gate.verdict import Closing, Known, Outcome, Reason, Verdict

_GATE = Standing(gate=True)


def settled_text(new: Version, old: Version, known: Known, *, is_sure: bool = True) -> Verdict:
    """Return what becomes of a newer statement and the older one that it contradicts.

    The same author's word of no lower rank takes the older one's place.  Else the lower-ranked
    side is disputed and a case opened; of equal rank by two authors neither can say, and the
    finding waits for a person.  Where nobody is sure that they do, nothing moves either.
    """
    if not is_sure:
        opens = Opening(Why.FREE_TEXT, old.memory, new.memory, MatterKind.FINDING)
        return Verdict(Outcome.NOTED, Reason.DOUBTED, rests_on=old.memory, opens=opens)
    dial = known.space.dial if known.space is not None else AUTO
    above = new.rank.weight - old.rank.weight
    if above >= 0 and new.valid.end is not None and (old.valid.end is None or new.valid.end < old.valid.end):
        # Who says what was so for a while says nothing about what is so now.
        return _disputed(new, old, new, reason=Reason.CONFLICT_INSIDE, why=Why.INSIDE)
    if new.trust is Trust.CANDIDATE and old.trust is Trust.BELIEVED:
        return _disputed(new, old, new, reason=Reason.CONFLICT_LOWER_RANK, why=Why.FREE_TEXT)
    takes = above > 0 or (above == 0 and dial != LOWER_TRUST)
    if dial != ALL and takes and new.author == old.author:
        standing = Standing(author=True, rank_not_lower=True)
        closing = closing_of(old, new.valid.start, known, standing=standing)
        return Verdict(Outcome.STORED, Reason.SUPERSEDED_OLDER, rests_on=old.memory, closings=(closing,))
    if above == 0 and dial != ALL and new.author != old.author:
        opens = Opening(Why.FREE_TEXT, old.memory, new.memory, MatterKind.FINDING)
        return Verdict(Outcome.NOTED, Reason.CONFLICT_OTHER_AUTHOR, rests_on=old.memory, opens=opens)
    lower = old if above > 0 else new
    return _disputed(lower, old, new, reason=Reason.CONFLICT_LOWER_RANK, why=Why.FREE_TEXT)


def _disputed(lower: Version, old: Version, new: Version, *, reason: Reason, why: Why) -> Verdict:
    trust = moved(lower.trust, Act.DISPUTE, _GATE, before=lower.before, hypothesis=False)
    closing = Closing(lower, trust, lower.valid, lower.rank, Act.DISPUTE.value)
    opens = Opening(why, old.memory, new.memory)
    return Verdict(Outcome.DISPUTED, reason, rests_on=old.memory, closings=(closing,), opens=opens)


def comparable(new: Version, old: Version) -> bool:
    """Return whether two memories that both stand are compared by what they say.

    What holds at different times does not contradict.  Two values of slots are settled by their
    slots.  A free statement is compared with a keyed one, too, unless that slot holds several
    values at once.
    """
    both = (new, old)
    if new.memory == old.memory or any(one.trust not in LIVE or one.claim.many for one in both):
        return False
    return new.valid.overlaps(old.valid) and not all(one.claim.keyed for one in both)


def looks_around(new: Version) -> bool:
    """Return whether a new statement is compared with its neighbours."""
    return new.trust in LIVE
