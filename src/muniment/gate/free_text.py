"""Which of two free statements that contradict each other gives way?  Rank and author say, or a person."""

from muniment.domain.matter import MatterKind, Opening, Why
from muniment.domain.memory import Version
from muniment.domain.trust import LIVE, Act, Standing, moved
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
    takes = above > 0 or (above == 0 and dial != LOWER_TRUST)
    if dial != ALL and takes and new.author == old.author and new.trust is old.trust:
        standing = Standing(author=True, rank_not_lower=True)
        closing = closing_of(old, new.valid.start, known, standing=standing)
        return Verdict(Outcome.STORED, Reason.SUPERSEDED_OLDER, rests_on=old.memory, closings=(closing,))
    if above == 0 and dial != ALL and new.author != old.author:
        opens = Opening(Why.FREE_TEXT, old.memory, new.memory, MatterKind.FINDING)
        return Verdict(Outcome.NOTED, Reason.CONFLICT_OTHER_AUTHOR, rests_on=old.memory, opens=opens)
    lower = old if above > 0 else new
    trust = moved(lower.trust, Act.DISPUTE, _GATE, before=lower.before, hypothesis=False)
    closing = Closing(lower, trust, lower.valid, lower.rank, Act.DISPUTE.value)
    opens = Opening(Why.FREE_TEXT, old.memory, new.memory)
    reason = Reason.CONFLICT_LOWER_RANK
    return Verdict(Outcome.DISPUTED, reason, rests_on=old.memory, closings=(closing,), opens=opens)


def comparable(new: Version, old: Version) -> bool:
    """Return whether two memories are free statements that both stand."""
    both = (new, old)
    return new.memory != old.memory and all(one.trust in LIVE and not one.claim.keyed for one in both)
