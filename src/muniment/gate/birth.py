"""In which state does a new memory land when nothing stands against it?"""

from muniment.domain.intent import Change, Path, Remember, rank_of
from muniment.domain.matter import Opening, Why
from muniment.domain.memory import Kind
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.gate.verdict import Birth, Known, Outcome, Reason, Verdict


def born(intent: Remember, known: Known) -> Birth:
    """Return how a new memory is born (ARCHITECTURE section 5).

    A clean write of a principal is believed; a hypothesis, and anything untrusted, from a
    background pass or from an extractor is a candidate.  What rests on memories has the lowest
    rank and trust of them (I10).
    """
    label = intent.label.joined(known.source_label)
    rank = _no_higher(rank_of(intent.path, intent.principal, label), known)
    doubtful = (
        label.untrusted
        or known.source_is_candidate
        or intent.kind is Kind.HYPOTHESIS
        or intent.path in (Path.EXTRACTOR, Path.BACKGROUND)
    )
    start = intent.times.valid_from or known.occurred or known.recorded
    return Birth(
        trust=Trust.CANDIDATE if doubtful else Trust.BELIEVED,
        rank=rank,
        valid=Interval(start, intent.times.valid_until),
        label=label,
    )


def _no_higher(rank: Rank, known: Known) -> Rank:
    """Return a rank, or the lowest of the sources when that is lower."""
    lowest = known.source_rank
    return rank if lowest is None or lowest.weight >= rank.weight else lowest


def landed(intent: Remember, known: Known) -> Verdict:
    """Return the verdict that stores a new memory; on a source that does not stand it lands as disputed."""
    birth = born(intent, known)
    source = known.doubted_source
    if not source:
        return stored(birth)
    opens = Opening(Why.SOURCE_CHANGED, "", source)
    doubted = Birth(Trust.DISPUTED, birth.rank, birth.valid, birth.label)
    return Verdict(Outcome.DISPUTED, Reason.SOURCE_DOUBTED, rests_on=source, birth=doubted, opens=opens)


def changed(intent: Change, known: Known) -> Birth | None:
    """Return how the changed text is born: revised in place, or as a successor.

    Its trust is the target's: another wording is no move along the table (I3).
    """
    target = known.target
    if target is None:
        return None
    label = target.label.joined(known.source_label).joined(intent.read)
    own = _no_higher(rank_of(Path.DIRECT, intent.principal, known.source_label), known)
    rank = own if own.weight >= target.rank.weight else target.rank
    if label.untrusted and not intent.principal.is_person:
        rank = Rank.UNTRUSTED
    times = intent.times
    if intent.act == "revise":
        start = times.valid_from or target.valid.start
        end = times.valid_until if times.valid_until is not None else target.valid.end
        if end is not None and end < start:
            end = start
    else:
        start = times.valid_from or known.occurred or known.recorded
        end = times.valid_until
    return Birth(trust=target.trust, rank=rank, valid=Interval(start, end), label=label)


def stored(birth: Birth, reason: Reason = Reason.CLEAN) -> Verdict:
    """Return the verdict that stores a version in the state `birth`."""
    return Verdict(Outcome.STORED, reason, birth=birth)
