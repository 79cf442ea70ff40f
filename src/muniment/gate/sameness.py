"""Does a memory here say the same already?"""

from muniment.domain.intent import Intent, Remember
from muniment.domain.memory import Version
from muniment.domain.trust import LIVE, Rank, Trust
from muniment.gate.birth import born
from muniment.gate.verdict import Birth, Closing, Known, Outcome, Reason, Verdict


def merge_same(intent: Intent, known: Known) -> Verdict | None:
    """Take a restatement in instead of storing it twice.

    Looks at live memories of the same space whose interval touches the new one.  A
    restatement of higher rank is support: a new version with that rank.  One of equal or
    lower rank adds its evidence.  What is disputed or refuted stays so, unless a person
    states it in his own words.
    """
    if not isinstance(intent, Remember) or not known.same:
        return None
    birth = born(intent, known)
    for version in known.same:
        if (version.trust in LIVE and _touching(version, birth, intent)) or _said_then(version, birth):
            return _merged(version, birth)
    for version in known.same if birth.rank is not Rank.MANUAL else ():
        if version.trust in _IN_DOUBT and _touching(version, birth, intent):
            # Said again it would be another memory, believed at once, beside the one that is doubted.
            detail = f"It is {version.trust.value} and stays so until it is judged."
            return Verdict(
                Outcome.MERGED,
                Reason.ALREADY_KNOWN,
                rests_on=version.memory,
                detail=detail,
                merged=version,
            )
    return None


_IN_DOUBT = frozenset({Trust.DISPUTED, Trust.REFUTED})
"""States that a restatement does not lift a memory out of; only a judgement does (I3)."""


def _said_then(version: Version, birth: Birth) -> bool:
    """Return whether a superseded value is stated again for the time in which it held.

    Restated as true now it is a new memory; a source that is fed again says nothing new.
    """
    if version.trust is not Trust.SUPERSEDED or not version.valid.holds(birth.valid.start):
        return False
    until, end = birth.valid.end, version.valid.end
    return until is None or end is None or until <= end


def _touching(version: Version, birth: Birth, intent: Remember) -> bool:
    if intent.times.valid_from is None and intent.times.valid_until is None:
        return version.valid.end is None or version.valid.holds(birth.valid.start)
    if version.valid == birth.valid or version.valid.holds(birth.valid.start):
        return True
    # An earlier beginning of a slot's value is news: it is put in front.  Free text has no
    # place in front of itself, so there one statement is enough.
    single = intent.claim.keyed and not intent.claim.many
    return not single and version.valid.overlaps(birth.valid)


def _merged(version: Version, birth: Birth) -> Verdict:
    if birth.rank.weight <= version.rank.weight and not _promotes(version, birth):
        return Verdict(Outcome.MERGED, Reason.ALREADY_KNOWN, rests_on=version.memory, merged=version)
    trust = birth.trust if _promotes(version, birth) else version.trust
    closing = Closing(version, trust, version.valid, birth.rank, "support")
    return Verdict(
        Outcome.MERGED,
        Reason.SUPPORTED,
        rests_on=version.memory,
        merged=version,
        closings=(closing,),
    )


def _promotes(version: Version, birth: Birth) -> bool:
    return version.trust is Trust.CANDIDATE and birth.trust is Trust.BELIEVED and birth.rank.weight >= 40
