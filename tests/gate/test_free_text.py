"""Which of two free statements gives way, by rank, author and the dial?"""

from dataclasses import replace

import pytest

from muniment.domain.matter import MatterKind, Opening, Why
from muniment.domain.memory import Version
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.gate.conflict import ALL, AUTO, LOWER_TRUST
from muniment.gate.free_text import comparable, looks_around, settled_text
from muniment.gate.verdict import Known, Outcome, Reason, Verdict
from tests.gate.builders import DAY, HOME, ME, NOW, OTHER, keyed, known, version

OLD = version("I live in Berlin", memory="m_old")
NEW = replace(version("I moved to Lisbon", memory="m_new"), valid=Interval(NOW - DAY), n=2)


def settled(dial: str = AUTO, *, above: int = 0, author: int = ME) -> Verdict:
    """Return what follows when the newer ranks `above` the older, by `author`."""
    ranks = {
        -1: (Rank.CONVERSATION, Rank.MANUAL),
        0: (Rank.IMPORT, Rank.IMPORT),
        1: (Rank.MANUAL, Rank.IMPORT),
    }
    new_rank, old_rank = ranks[above]
    where: Known = known(space=replace(HOME, dial=dial))
    return settled_text(replace(NEW, rank=new_rank, author=author), replace(OLD, rank=old_rank), where)


def lower(verdict: Verdict) -> tuple[str, Trust]:
    (closing,) = verdict.closings
    return closing.version.memory, closing.trust


@pytest.mark.parametrize(("dial", "above"), [(AUTO, 0), (AUTO, 1), (LOWER_TRUST, 1)])
def test_the_same_authors_word_takes_the_place(dial: str, above: int) -> None:
    verdict = settled(dial, above=above)
    assert (verdict.outcome, verdict.opens) == (Outcome.STORED, None)
    assert lower(verdict) == ("m_old", Trust.SUPERSEDED)
    assert verdict.closings[0].valid == Interval(OLD.valid.start, NEW.valid.start)


@pytest.mark.parametrize(
    ("dial", "above", "author", "side"),
    [
        (AUTO, -1, ME, "m_new"),
        (AUTO, -1, OTHER, "m_new"),
        (AUTO, 1, OTHER, "m_old"),
        (LOWER_TRUST, 0, ME, "m_new"),
        (ALL, 0, ME, "m_new"),
        (ALL, 1, ME, "m_old"),
        (ALL, 0, OTHER, "m_new"),
    ],
)
def test_else_the_lower_side_is_disputed_and_a_case_opened(
    dial: str, above: int, author: int, side: str
) -> None:
    verdict = settled(dial, above=above, author=author)
    assert lower(verdict) == (side, Trust.DISPUTED)
    assert verdict.opens == Opening(Why.FREE_TEXT, "m_old", "m_new")


@pytest.mark.parametrize("dial", [AUTO, LOWER_TRUST])
def test_of_two_authors_of_one_rank_neither_can_say(dial: str) -> None:
    verdict = settled(dial, author=OTHER)
    assert (verdict.outcome, verdict.closings) == (Outcome.NOTED, ())
    assert verdict.opens == Opening(Why.FREE_TEXT, "m_old", "m_new", MatterKind.FINDING)


@pytest.mark.parametrize("trust", Trust, ids=lambda trust: trust.value)
def test_only_statements_that_stand_are_compared_and_two_of_slots_are_not(trust: Trust) -> None:
    other: Version = replace(OLD, trust=trust)
    stands = trust in (Trust.CANDIDATE, Trust.BELIEVED)
    assert comparable(NEW, other) is stands
    of_slot = replace(other, claim=keyed())
    assert (comparable(NEW, of_slot), comparable(of_slot, NEW)) == (stands, stands)
    assert not comparable(replace(NEW, claim=keyed()), of_slot)
    assert not comparable(NEW, replace(of_slot, claim=replace(keyed(), many=True)))
    assert not comparable(NEW, replace(NEW, number=2))


@pytest.mark.parametrize("trust", Trust, ids=lambda trust: trust.value)
def test_what_stands_looks_around_with_a_slot_or_without(trust: Trust) -> None:
    free, of_slot = replace(NEW, trust=trust), replace(NEW, trust=trust, claim=keyed())
    stands = trust in (Trust.CANDIDATE, Trust.BELIEVED)
    assert (looks_around(free), looks_around(of_slot)) == (stands, stands)


def test_fault_a_mere_candidate_holds_up_what_its_author_believes_since() -> None:
    guess = replace(OLD, trust=Trust.CANDIDATE, rank=Rank.IMPORT)
    verdict = settled_text(replace(NEW, rank=Rank.IMPORT), guess, known(space=HOME))
    assert (verdict.outcome, verdict.opens) == (Outcome.STORED, None)
    assert lower(verdict) == ("m_old", Trust.SUPERSEDED)


@pytest.mark.parametrize("rank", [Rank.IMPORT, Rank.MANUAL])
def test_a_candidate_takes_the_place_of_no_belief(rank: Rank) -> None:
    guess = replace(NEW, trust=Trust.CANDIDATE, rank=rank)
    verdict = settled_text(guess, replace(OLD, rank=Rank.IMPORT), known(space=HOME))
    assert lower(verdict) == ("m_new", Trust.DISPUTED)
    assert verdict.opens == Opening(Why.FREE_TEXT, "m_old", "m_new")


def test_what_holds_at_other_times_is_not_compared() -> None:
    past = replace(NEW, valid=Interval(OLD.valid.start - 2 * DAY, OLD.valid.start - DAY))
    assert not comparable(past, OLD)
    assert comparable(replace(past, valid=Interval(OLD.valid.start - DAY)), OLD)


@pytest.mark.parametrize("above", [0, 1])
def test_a_stretch_within_the_others_time_never_takes_its_place(above: int) -> None:
    ranks = (Rank.MANUAL, Rank.IMPORT) if above else (Rank.IMPORT, Rank.IMPORT)
    stretch = replace(NEW, rank=ranks[0], valid=Interval(NEW.valid.start, NEW.valid.start + DAY))
    verdict = settled_text(stretch, replace(OLD, rank=ranks[1]), known(space=HOME))
    assert (verdict.outcome, verdict.reason) == (Outcome.DISPUTED, Reason.CONFLICT_INSIDE)
    assert lower(verdict) == ("m_new", Trust.DISPUTED)
