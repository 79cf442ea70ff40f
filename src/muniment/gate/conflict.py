"""Does the slot hold another value, and which side gives way?  In the transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from muniment.domain.canonical import plain
from muniment.domain.intent import Intent, Remember
from muniment.domain.matter import Opening, Why
from muniment.domain.memory import Claim, Version
from muniment.domain.timeline import Interval
from muniment.domain.trust import LIVE, Standing, Trust, moved
from muniment.domain.trust import Act as TrustAct
from muniment.gate.birth import born
from muniment.gate.verdict import Birth, Closing, Known, Outcome, Reason, Verdict

AUTO, LOWER_TRUST, ALL = "auto", "lower-trust", "all"

HELD = LIVE | {Trust.SUPERSEDED}
"""States whose interval counts in a slot: a superseded value still answers for its time."""

DIALS: Mapping[str, str] = MappingProxyType(
    {
        AUTO: "higher rank, or equal rank of the same author, takes the slot",
        LOWER_TRUST: "only a higher rank takes the slot; everything else lands disputed",
        ALL: "every contradiction lands disputed",
    }
)
"""Settings of a space for keyed conflicts."""


def settle_slot(intent: Intent, known: Known) -> Verdict | None:
    """Decide between a keyed claim and the unsettled claims of its slot (ARCHITECTURE section 6).

    A claim that begins before the present value's interval is put in front of it and ends
    where that begins: nothing contradicts.  Otherwise the present value gives way or the
    new one lands as disputed, by rank, author and the space's dial.
    """
    if not isinstance(intent, Remember) or not intent.claim.keyed or intent.claim.many:
        return None
    if known.doubted_source:
        # What rests on nothing that stands takes no value's place, and lands as disputed anyway.
        return None
    birth = _placed(born(intent, known), known.slot)
    return settled(birth, rivals_of(birth, intent.claim, known.slot), known)


def rivals_of(birth: Birth, claim: Claim, slot: Sequence[Version]) -> tuple[Version, ...]:
    """Return the versions of a slot that say otherwise at a moment when the new state holds."""
    if not claim.keyed or claim.many:
        return ()
    said = plain(claim.said)
    return tuple(
        version for version in slot if _stands_against(version, birth) and plain(version.claim.said) != said
    )


def settled(birth: Birth, rivals: tuple[Version, ...], known: Known) -> Verdict:
    """Return how a state lands among its rivals: clean, in their place, or disputed."""
    if not rivals:
        return Verdict(Outcome.STORED, Reason.CLEAN, birth=birth)
    if birth.label.untrusted or (birth.trust is Trust.CANDIDATE and _beliefs(rivals)):
        return _beside(birth, rivals)
    closings: list[Closing] = []
    for rival in rivals:
        reason = _ranked_out(birth, rival, known)
        if reason is not None:
            return _disputed(birth, reason, rival)
        closings.append(_closed(rival, birth, known, author=rival.author == known.actor))
    return Verdict(
        Outcome.STORED,
        Reason.SUPERSEDED_OLDER,
        rests_on=rivals[0].memory,
        birth=birth,
        closings=tuple(closings),
    )


def _placed(birth: Birth, slot: tuple[Version, ...]) -> Birth:
    """End an open, backdated claim where the next value of the slot begins, past values too."""
    if birth.valid.end is not None:
        return birth
    later = [
        version.valid.start
        for version in slot
        if version.trust in HELD and not version.valid.empty and version.valid.start > birth.valid.start
    ]
    if not later:
        return birth
    return Birth(birth.trust, birth.rank, Interval(birth.valid.start, min(later)), birth.label)


def _stands_against(version: Version, birth: Birth) -> bool:
    return version.trust in HELD and version.valid.overlaps(birth.valid)


def _beside(birth: Birth, rivals: tuple[Version, ...]) -> Verdict:
    """Let an untrusted claim stand beside candidates; no candidate stands against a belief."""
    beliefs = _beliefs(rivals)
    if beliefs:
        return _disputed(birth, Reason.CONFLICT_LOWER_RANK, beliefs[0])
    return Verdict(Outcome.STORED, Reason.CLEAN, birth=birth)


def _beliefs(rivals: tuple[Version, ...]) -> tuple[Version, ...]:
    return tuple(rival for rival in rivals if _was_believed(rival))


def _was_believed(rival: Version) -> bool:
    """Return whether a value is believed, or was until another took its place."""
    superseded = rival.trust is Trust.SUPERSEDED and rival.before is not Trust.CANDIDATE
    return rival.trust is Trust.BELIEVED or superseded


def _ranked_out(birth: Birth, rival: Version, known: Known) -> Reason | None:
    """Return why the new claim may not take the rival's place, or None when it may."""
    dial = known.space.dial if known.space is not None else AUTO
    if rival.rank.weight > birth.rank.weight:
        return Reason.CONFLICT_LOWER_RANK
    if birth.valid.end is not None and (rival.valid.end is None or birth.valid.end < rival.valid.end):
        return Reason.CONFLICT_INSIDE
    if dial == ALL:
        return Reason.CONFLICT_OTHER_AUTHOR
    if rival.rank.weight < birth.rank.weight:
        return None
    if dial == LOWER_TRUST or rival.author != known.actor:
        return Reason.CONFLICT_OTHER_AUTHOR
    return None


def _disputed(birth: Birth, reason: Reason, rival: Version) -> Verdict:
    landed = Birth(Trust.DISPUTED, birth.rank, birth.valid, birth.label)
    opens = Opening(Why(reason.code), rival.memory)
    return Verdict(Outcome.DISPUTED, reason, rests_on=rival.memory, birth=landed, opens=opens)


def _closed(rival: Version, birth: Birth, known: Known, *, author: bool) -> Closing:
    """Return the rival's closing version: same text, ended where the new claim begins (I2)."""
    standing = Standing(author=author, same_slot=True, rank_not_lower=True)
    return closing_of(rival, birth.valid.start, known, standing=standing)


def closing_of(version: Version, end_at: datetime, known: Known, *, standing: Standing) -> Closing:
    """Return the version that ends `version` at `end_at`, or raise ForbiddenMove.

    A successor that begins in the future leaves the trust as it is: until then the old
    value is true, and its closed interval ends it by itself.
    """
    end = max(end_at, version.valid.start)
    if version.valid.end is not None and version.valid.end < end:
        end = version.valid.end
    trust = version.trust
    if end <= known.recorded and trust is not Trust.SUPERSEDED:
        trust = moved(version.trust, TrustAct.SUPERSEDE, standing, before=version.before, hypothesis=False)
    return Closing(version, trust, Interval(version.valid.start, end), version.rank, "supersede")
