"""Is a clause that goes on about the one before it compared by itself, and is the other kept whole?"""

import pytest

from muniment.gate.contradiction import clauses_left, contradicts


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (
            "Ria is an engineer at Acme and plays the cello",
            "Ria does not play the cello",
            "Ria is an engineer at Acme",
        ),
        (
            "I am an engineer at Acme and play the cello",
            "I don't play the cello any more",
            "I am an engineer at Acme",
        ),
        ("Bo lives in Rome and has two cats", "Bo has three cats", "Bo lives in Rome and has three cats"),
        ("Bo lives in Rome, and has two cats", "Bo has no cats", "Bo lives in Rome"),
        ("Ria lives in Rome and is married", "Ria is single", "Ria lives in Rome and is single"),
        (
            "Ria lives in Rome but works at Acme",
            "Ria works at Beta",
            "Ria lives in Rome but works at Beta",
        ),
        ("The user is a nurse and likes jazz", "I hate jazz", "The user is a nurse"),
        (
            "My sister lives in Rome and has two cats",
            "My sister has three cats",
            "My sister lives in Rome and has three cats",
        ),
    ],
)
def test_fault_a_clause_without_its_subject_is_never_corrected(old: str, new: str, left: str) -> None:
    found = contradicts(new, old)
    assert found is not None
    assert clauses_left(old, found) == left
    assert contradicts(new, left) is None


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (
            "Ria is an engineer at Acme and plays the cello",
            "Ria is no longer an engineer",
            "Ria plays the cello",
        ),
        (
            "I'm an engineer at Acme and play the cello",
            "I am no longer an engineer",
            "I play the cello",
        ),
        ("The user is a nurse and likes jazz", "The user is no longer a nurse", "The user likes jazz"),
        ("I love jazz, and my sister plays the cello", "I hate jazz", "My sister plays the cello"),
    ],
)
def test_fault_what_is_left_of_a_statement_no_longer_says_of_whom(old: str, new: str, left: str) -> None:
    found = contradicts(new, old)
    assert found is not None
    assert clauses_left(old, found) == left


@pytest.mark.parametrize(
    ("new", "left"),
    [
        ("Ria was promoted to manager at Acme", "Ria is manager at Acme and plays the cello"),
        ("Ria was promoted to manager at Beta", "Ria is manager at Beta and plays the cello"),
        ("Ria was promoted to manager", "Ria is manager at Acme and plays the cello"),
    ],
)
def test_fault_a_corrected_clause_says_its_place_twice(new: str, left: str) -> None:
    old = "Ria is an engineer at Acme and plays the cello"
    found = contradicts(new, old)
    assert found is not None
    assert clauses_left(old, found) == left


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My sister lives in Rome and has two cats", "I have three cats"),
        ("Bo met Ria and has two cats", "Ria has three cats"),
        ("Ria lives in Rome. Plays the cello.", "Ria does not play the cello"),
        ("Ria lives in Rome and the cat is black", "Ria is white"),
        ("If Ria lives in Rome and has two cats", "Ria has no dogs"),
        ("Ria lives in Rome and plays the cello", "Ria plays the viola"),
        ("Ria lives in Rome and Bo has two cats", "Ria has three cats"),
    ],
)
def test_a_clause_with_a_subject_of_its_own_is_of_nobody_else(old: str, new: str) -> None:
    assert contradicts(new, old) is None


@pytest.mark.parametrize(
    ("old", "new", "differ"),
    [
        ("The budget is $5,000", "The budget is $7,500", True),
        ("The hall seats 1,200 people", "The hall seats 1,400 people", True),
        ("The budget is $5,000", "The budget is $5000", False),
        ("Halls 1,2 are free", "Halls 1,3 are free", False),
        ("We sold 1,200 in May", "We sold 1,300 in June", False),
    ],
)
def test_fault_a_number_with_grouped_digits_is_two_numbers(old: str, new: str, differ: bool) -> None:
    assert (contradicts(new, old) is not None) is differ
