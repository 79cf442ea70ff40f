"""Which of two free statements gives way, by rank, author and the dial?"""

from dataclasses import replace

import pytest

from muniment.domain.matter import MatterKind, Opening, Why
from muniment.domain.memory import Version
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.gate.conflict import ALL, AUTO, LOWER_TRUST
from muniment.gate.free_text import comparable, settled_text
from muniment.gate.verdict import Known, Outcome, Verdict
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
def test_only_free_statements_that_stand_are_compared(trust: Trust) -> None:
    other: Version = replace(OLD, trust=trust)
    assert comparable(NEW, other) is (trust in (Trust.CANDIDATE, Trust.BELIEVED))
    assert not comparable(NEW, replace(other, claim=keyed()))
    assert not comparable(NEW, replace(NEW, number=2))
