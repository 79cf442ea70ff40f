"""Does trust move along the table and nowhere else, and by those who may?"""

from itertools import product

import pytest

from muniment.domain.trust import LIVE, MOVES, Act, By, Rank, Standing, Trust, moved
from muniment.errors import ForbiddenMove

C, B, D, F = Trust.CANDIDATE, Trust.BELIEVED, Trust.DISPUTED, Trust.REFUTED
J, S, R = Trust.REJECTED, Trust.SUPERSEDED, Trust.RETIRED
BEFORE = "as before"

PERSON = Standing(person=True)
NOBODY = Standing()
WITNESSED = Standing(evidence=1)

# Written out a second time on purpose: the guide's table, row by row, against the code's.
TABLE = {
    (C, Act.SUPPORT): (B, By.INDEPENDENT),
    (C, Act.REFUTE): (F, By.ANYONE),
    (C, Act.INCONCLUSIVE): (C, By.ANYONE),
    (B, Act.REFUTE): (D, By.TRUSTED),
    **{(each, Act.DISPUTE): (D, By.DISPUTANT) for each in (B, C)},
    **{(each, Act.SUPERSEDE): (S, By.SAME_SLOT) for each in (B, C, D)},
    (D, Act.UPHOLD): (B, By.JUDGE),
    (D, Act.OVERRULE): (R, By.JUDGE),
    (S, Act.REOPEN): (BEFORE, By.SAME_ACT),
    (F, Act.SUPPORT): (B, By.INDEPENDENT),
    (F, Act.INCONCLUSIVE): (C, By.INDEPENDENT),
    **{(each, Act.RETRACT): (R, By.AUTHOR_OR_PERSON) for each in (B, C, D, F)},
    **{(each, Act.REJECT): (J, By.PERSON) for each in (C, B, D, F, S, R)},
    **{(each, Act.RETIRE): (R, By.KEEPER) for each in (C, B, D, F)},
    (R, Act.REVIVE): (BEFORE, By.KEEPER),
    (J, Act.LIFT): (C, By.PERSON),
}

# Each condition with standings that meet it and standings that just do not.
MEETS = {
    By.ANYONE: ([PERSON, WITNESSED], [NOBODY, Standing(author=True)]),
    By.INDEPENDENT: (
        [PERSON, WITNESSED, Standing(person=True, untrusted_claim=True)],
        [
            NOBODY,
            Standing(evidence=3, untrusted_claim=True),
            Standing(evidence=3, untrusted_session=True),
            Standing(author=True),
        ],
    ),
    By.TRUSTED: (
        [PERSON, WITNESSED],
        [NOBODY, Standing(evidence=3, untrusted_session=True), Standing(author=True)],
    ),
    By.AUTHOR_OR_PERSON: ([PERSON, Standing(author=True)], [NOBODY, Standing(evidence=5, gate=True)]),
    By.DISPUTANT: ([PERSON, Standing(author=True), Standing(gate=True)], [NOBODY, WITNESSED]),
    By.SAME_SLOT: (
        [
            Standing(rank_not_lower=True, author=True),
            Standing(rank_not_lower=True, same_slot=True),
            Standing(rank_not_lower=True, person=True),
        ],
        [
            NOBODY,
            PERSON,
            Standing(rank_not_lower=True),
            Standing(author=True, same_slot=True),
            Standing(rank_not_lower=True, evidence=9),
        ],
    ),
    By.PERSON: (
        [PERSON],
        [NOBODY, Standing(author=True, evidence=9, gate=True, hygiene=True, same_act=True, same_slot=True)],
    ),
    By.JUDGE: ([PERSON, Standing(gate=True)], [NOBODY, Standing(author=True, evidence=9)]),
    By.KEEPER: ([PERSON, Standing(hygiene=True)], [NOBODY, Standing(author=True, evidence=9)]),
    By.SAME_ACT: ([Standing(same_act=True)], [NOBODY, PERSON, Standing(gate=True)]),
}
ALL_POWERS = Standing(
    person=True,
    author=True,
    evidence=9,
    same_slot=True,
    rank_not_lower=True,
    gate=True,
    hygiene=True,
    same_act=True,
)


def test_the_code_has_the_rows_of_the_table_and_no_other() -> None:
    assert set(MOVES) == set(TABLE)
    for key, (to, by) in TABLE.items():
        assert (MOVES[key].to or BEFORE, MOVES[key].by) == (to, by), key


def test_every_condition_is_exercised() -> None:
    assert set(MEETS) == set(By)
    assert {by for _, by in TABLE.values()} == set(By)


@pytest.mark.parametrize(("trust", "act"), sorted(TABLE))
def test_whoever_may_moves_it_to_where_the_row_says(trust: Trust, act: Act) -> None:
    to, by = TABLE[trust, act]
    for standing in MEETS[by][0]:
        for before in (C, B):
            found = moved(trust, act, standing, before=before, hypothesis=False)
            assert found is (before if to == BEFORE else to)


@pytest.mark.parametrize(("trust", "act"), sorted(TABLE))
def test_whoever_may_not_is_told_what_it_takes(trust: Trust, act: Act) -> None:
    by = TABLE[trust, act][1]
    for standing in MEETS[by][1]:
        with pytest.raises(ForbiddenMove) as caught:
            moved(trust, act, standing, before=B, hypothesis=False)
        assert by.value in caught.value.sentence


@pytest.mark.parametrize(("trust", "act"), sorted(set(product(Trust, Act)) - set(TABLE)))
def test_a_move_without_a_row_does_not_exist_for_anyone(trust: Trust, act: Act) -> None:
    with pytest.raises(ForbiddenMove, match="There is no way"):
        moved(trust, act, ALL_POWERS, before=B, hypothesis=False)


def test_nothing_leaves_rejected_but_by_lift() -> None:
    assert [act for trust, act in MOVES if trust is J] == [Act.LIFT]
    assert MOVES[J, Act.LIFT].by is By.PERSON
    assert MOVES[J, Act.LIFT].to is C


def test_only_a_person_rejects() -> None:
    assert {move.by for (_, act), move in MOVES.items() if act is Act.REJECT} == {By.PERSON}
    assert {key for key, move in MOVES.items() if move.to is J} == {(each, Act.REJECT) for each in Trust} - {
        (J, Act.REJECT)
    }


def test_a_believed_hypothesis_that_is_refuted_becomes_refuted() -> None:
    assert moved(B, Act.REFUTE, WITNESSED, before=C, hypothesis=True) is F
    assert moved(B, Act.REFUTE, WITNESSED, before=C, hypothesis=False) is D
    assert moved(B, Act.DISPUTE, PERSON, before=C, hypothesis=True) is D


def test_a_refused_hypothesis_still_needs_the_standing() -> None:
    with pytest.raises(ForbiddenMove):
        moved(B, Act.REFUTE, NOBODY, before=C, hypothesis=True)


@pytest.mark.parametrize("trust", list(Trust))
def test_every_state_is_reached_by_some_move_or_restored(trust: Trust) -> None:
    assert trust in {move.to for move in MOVES.values()}


def test_what_is_recalled_unasked_is_candidate_and_believed() -> None:
    assert {C, B} == LIVE


def test_document_and_live_weigh_the_same_and_the_rest_in_order() -> None:
    assert Rank.DOCUMENT.weight == Rank.LIVE.weight == 40
    assert Rank.DOCUMENT is not Rank.LIVE
    order = [Rank.UNTRUSTED, Rank.CONVERSATION, Rank.IMPORT, Rank.CONSOLIDATION, Rank.DOCUMENT, Rank.MANUAL]
    assert [rank.weight for rank in order] == [0, 10, 20, 30, 40, 50]
