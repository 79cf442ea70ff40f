"""What follows from a person's decision of a case?  Moves along the table, one version a side (I3)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from muniment.domain.intent import Decide, Intent
from muniment.domain.matter import DOUBTS, Decision, Matter, MatterState
from muniment.domain.memory import Version
from muniment.domain.timeline import Interval
from muniment.domain.trust import IN_USE, Act, Rank, Standing, Trust, moved
from muniment.errors import ForbiddenMove
from muniment.gate.conflict import closing_of, rivals_of
from muniment.gate.verdict import Birth, Closing, Known, Outcome, Reason, Verdict, refuse

_PERSON = Standing(person=True, same_slot=True, rank_not_lower=True)


def refuse_closed_case(intent: Intent, known: Known) -> Verdict | None:
    """Refuse to decide a case that is not there, is closed, or whose sides have changed since.

    Without an expected version the decision rests on what the sides said when the case
    was opened.
    """
    if not isinstance(intent, Decide):
        return None
    case = known.case
    if case is None:
        return refuse(Reason.NO_MATCH)
    if case.state is not MatterState.OPEN:
        return refuse(Reason.CLOSED_CASE, rests_on=case.id)
    expected = case.version if intent.expected_version is None else intent.expected_version
    if expected != stamp(known):
        return refuse(Reason.STALE_VIEW, rests_on=case.id, detail=f"The present version is {stamp(known)}.")
    return None


def stamp(known: Known) -> int:
    """Return the version of a case: it grows whenever either side says something else."""
    return sum(side.number for side in (known.new_side, known.old_side) if side is not None)


def judge_case(intent: Decide, known: Known) -> Verdict:
    """Return the moves that a decision makes; refused when the table has no such move."""
    case, old = known.case, known.old_side
    if case is None or old is None:
        return refuse(Reason.NO_MATCH)
    try:
        return _DECISIONS[intent.decision](intent, _At(case, known.new_side, old, known))
    except ForbiddenMove as error:
        return refuse(Reason.FORBIDDEN_MOVE, rests_on=case.id, detail=error.sentence)


@dataclass(frozen=True, slots=True)
class _At:
    """Hold the case that is decided: its sides as they are now, and what else is known."""

    case: Matter
    new: Version | None
    old: Version
    known: Known

    @property
    def beaten(self) -> Closing | None:
        """Return the version in which the newer side goes; what only speaks against a doubted one stays."""
        if self.new is None or self.case.why in DOUBTS or self.new.trust not in IN_USE:
            return None
        return _out(self.new)


def _stored(old: Version, *closings: Closing | None, birth: Birth | None = None) -> Verdict:
    made = tuple(closing for closing in closings if closing is not None)
    return Verdict(Outcome.STORED, Reason.CLEAN, rests_on=old.memory, birth=birth, closings=made)


def _uphold_new(intent: Decide, at: _At) -> Verdict:
    if at.case.why in DOUBTS:
        return _stored(at.old, _out(at.old))
    if at.new is None:
        return refuse(Reason.BAD_SHAPE, rests_on=at.case.id, detail="The case has no newer side to uphold.")
    upheld = _in(at.new, _interval(intent, at.new))
    return _stored(at.new, upheld, *_ended(upheld, at.new, at))


def _ended(upheld: Closing, new: Version, at: _At) -> list[Closing]:
    """End the older side, and whatever else of the slot says otherwise, where the newer begins."""
    landing = Birth(upheld.trust, upheld.rank, upheld.valid, new.label)
    others = [one for one in at.known.slot if one.memory not in (new.memory, at.old.memory)]
    ending = [*rivals_of(landing, new.claim, others), at.old]
    start = upheld.valid.start
    return [closing_of(one, start, at.known, standing=_PERSON) for one in ending if _may_end(one, landing)]


def _may_end(one: Version, landing: Birth) -> bool:
    """Return whether a value gives way: one in use does, and a past one that held at the same time."""
    return one.trust in IN_USE or (one.trust is Trust.SUPERSEDED and one.valid.overlaps(landing.valid))


def _keep_old(intent: Decide, at: _At) -> Verdict:
    return _stored(at.old, _kept(at.old), at.beaten)


def _edit(intent: Decide, at: _At) -> Verdict:
    """The older memory says the person's words from now on, of its own time; the newer side goes."""
    if at.old.trust not in IN_USE | {Trust.SUPERSEDED}:
        raise ForbiddenMove(f"There is no way to edit a {at.old.trust.value} memory.")
    trust = Trust.SUPERSEDED if at.old.trust is Trust.SUPERSEDED else Trust.BELIEVED
    birth = Birth(trust, Rank.MANUAL, _interval(intent, at.old), at.old.label)
    return _stored(at.old, at.beaten, birth=birth)


def _both_valid(intent: Decide, at: _At) -> Verdict:
    new, old, start = at.new, at.old, intent.times.valid_from
    kept = _kept(old)
    if new is None or at.case.why in DOUBTS:
        return _stored(old, kept)
    upheld = _in(new, _interval(intent, new))
    if start is not None and old.valid.holds(start):
        # A moment at which the older one already held is where it ends.
        ended = closing_of(replace(old, trust=kept.trust), start, at.known, standing=_PERSON)
        kept = replace(ended, rank=kept.rank)
    single = new.claim.keyed and not new.claim.many and new.digests.slot == old.digests.slot
    if single and upheld.valid.overlaps(kept.valid):
        detail = "One slot holds one value a day: say from when the newer one holds."
        return refuse(Reason.BAD_SHAPE, rests_on=at.case.id, detail=detail)
    return _stored(old, upheld, kept)


def _merge(intent: Decide, at: _At) -> Verdict:
    """Both say the same: the older memory stays and takes the newer one's evidence."""
    if at.new is None:
        return refuse(Reason.BAD_SHAPE, rests_on=at.case.id, detail="The case has one memory only.")
    return _stored(at.old, _kept(at.old), _out(at.new))


Decided = Callable[[Decide, _At], Verdict]

_DECISIONS: Mapping[Decision, Decided] = MappingProxyType(
    {
        Decision.UPHOLD_NEW: _uphold_new,
        Decision.KEEP_OLD: _keep_old,
        Decision.EDIT: _edit,
        Decision.BOTH_VALID: _both_valid,
        Decision.MERGE: _merge,
    }
)

_WAYS_IN = MappingProxyType(
    {Trust.DISPUTED: Act.UPHOLD, Trust.CANDIDATE: Act.SUPPORT, Trust.REFUTED: Act.SUPPORT}
)
_WAYS_OUT = MappingProxyType({Trust.DISPUTED: Act.OVERRULE})


def _in(version: Version, valid: Interval) -> Closing:
    """Return the version in which a side is believed, with the weight of the person who says so."""
    if version.trust is Trust.BELIEVED:
        return Closing(version, version.trust, valid, Rank.MANUAL, "decide")
    act = _WAYS_IN.get(version.trust, Act.UPHOLD)
    trust = moved(version.trust, act, _PERSON, before=version.before, hypothesis=False)
    return Closing(version, trust, valid, Rank.MANUAL, act.value)


def _kept(old: Version) -> Closing:
    """Return the version in which the older side stands; a past value stays one, and stands for its time."""
    if old.trust is Trust.SUPERSEDED:
        return Closing(old, old.trust, old.valid, Rank.MANUAL, "decide")
    return _in(old, old.valid)


def _out(version: Version) -> Closing:
    """Return the version in which a side is put out of use."""
    act = _WAYS_OUT.get(version.trust, Act.RETIRE)
    trust = moved(version.trust, act, _PERSON, before=version.before, hypothesis=False)
    return Closing(version, trust, version.valid, version.rank, act.value)


def _interval(intent: Decide, side: Version) -> Interval:
    """Return the validity of a side as the person gives it; what is not given stays."""
    start = intent.times.valid_from or side.valid.start
    end = intent.times.valid_until or side.valid.end
    return Interval(start, max(start, end) if end is not None else None)
