"""Does each condition of the trust table look at exactly the facts it names? (I3)"""

from dataclasses import fields, replace
from itertools import product

import pytest

from muniment.domain.trust import MOVES, Act, By, Standing, Trust, moved
from muniment.errors import ForbiddenMove

FLAGS = tuple(one.name for one in fields(Standing) if one.name != "evidence")

# Every fact that a condition looks at, written down a second time.  A fact beside these
# must change nothing, in whatever standing it is switched.
LOOKS_AT = {
    By.ANYONE: {"person", "evidence"},
    By.INDEPENDENT: {"person", "evidence", "untrusted_claim", "untrusted_session"},
    By.TRUSTED: {"person", "evidence", "untrusted_session"},
    By.AUTHOR_OR_PERSON: {"person", "author"},
    By.DISPUTANT: {"person", "author", "gate"},
    By.SAME_SLOT: {"rank_not_lower", "author", "same_slot", "person"},
    By.PERSON: {"person"},
    By.JUDGE: {"person", "gate"},
    By.KEEPER: {"person", "hygiene"},
    By.SAME_ACT: {"same_act"},
}
ALL = [
    Standing(**dict(zip(FLAGS, switches, strict=True)), evidence=evidence)
    for switches in product((False, True), repeat=len(FLAGS))
    for evidence in (0, 1)
]


def switched(standing: Standing, fact: str) -> Standing:
    if fact == "evidence":
        return replace(standing, evidence=0 if standing.evidence else 1)
    return replace(standing, **{fact: not getattr(standing, fact)})


def test_every_condition_and_every_fact_is_in_the_table() -> None:
    assert set(LOOKS_AT) == set(By)
    assert set().union(*LOOKS_AT.values()) == {one.name for one in fields(Standing)}


@pytest.mark.parametrize("by", By)
def test_a_condition_looks_at_its_facts_and_at_no_other(by: By) -> None:
    decides = {
        fact
        for fact in (*FLAGS, "evidence")
        if any(one.meets(by) is not switched(one, fact).meets(by) for one in ALL)
    }
    assert decides == LOOKS_AT[by]


# Per condition: the least that meets it, fact by fact.
ENOUGH = [
    (By.ANYONE, Standing(person=True)),
    (By.ANYONE, Standing(evidence=1)),
    (By.INDEPENDENT, Standing(person=True)),
    (By.INDEPENDENT, Standing(evidence=1)),
    (By.TRUSTED, Standing(person=True)),
    (By.TRUSTED, Standing(evidence=1)),
    (By.AUTHOR_OR_PERSON, Standing(person=True)),
    (By.AUTHOR_OR_PERSON, Standing(author=True)),
    (By.DISPUTANT, Standing(person=True)),
    (By.DISPUTANT, Standing(author=True)),
    (By.DISPUTANT, Standing(gate=True)),
    (By.SAME_SLOT, Standing(rank_not_lower=True, author=True)),
    (By.SAME_SLOT, Standing(rank_not_lower=True, same_slot=True)),
    (By.SAME_SLOT, Standing(rank_not_lower=True, person=True)),
    (By.PERSON, Standing(person=True)),
    (By.JUDGE, Standing(person=True)),
    (By.JUDGE, Standing(gate=True)),
    (By.KEEPER, Standing(person=True)),
    (By.KEEPER, Standing(hygiene=True)),
    (By.SAME_ACT, Standing(same_act=True)),
]


@pytest.mark.parametrize(("by", "standing"), ENOUGH)
def test_the_least_that_is_enough_is_enough_and_less_is_not(by: By, standing: Standing) -> None:
    assert standing.meets(by)
    for fact in (*FLAGS, "evidence"):
        if getattr(standing, fact):
            assert not switched(standing, fact).meets(by), f"without {fact}"


@pytest.mark.parametrize("by", By)
def test_nothing_at_all_is_never_enough(by: By) -> None:
    assert not Standing().meets(by)


@pytest.mark.parametrize("by", By)
def test_being_untrusted_never_helps(by: By) -> None:
    for standing in ALL:
        clean = replace(standing, untrusted_session=False, untrusted_claim=False)
        assert clean.meets(by) or not standing.meets(by)


@pytest.mark.parametrize("by", [one for one in By if one not in (By.SAME_SLOT, By.SAME_ACT)])
def test_a_person_is_enough_where_a_fact_of_the_rows_is_not_asked_for(by: By) -> None:
    assert all(replace(standing, person=True).meets(by) for standing in ALL)


@pytest.mark.parametrize("by", [By.ANYONE, By.INDEPENDENT, By.TRUSTED])
def test_one_item_of_evidence_is_as_good_as_many(by: By) -> None:
    assert [Standing(evidence=count).meets(by) for count in (0, 1, 2, 100)] == [False, True, True, True]


@pytest.mark.parametrize(("trust", "act"), sorted(MOVES))
def test_a_move_is_made_by_exactly_those_who_meet_its_condition(trust: Trust, act: Act) -> None:
    by = MOVES[trust, act].by
    for standing in ALL[::7]:
        if standing.meets(by):
            moved(trust, act, standing, before=Trust.BELIEVED, hypothesis=False)
            continue
        with pytest.raises(ForbiddenMove, match="takes"):
            moved(trust, act, standing, before=Trust.BELIEVED, hypothesis=False)
