"""Which clauses are read out of a text, with whose subject, and where does each stand?"""

import pytest

from muniment.gate.clause_reading import read
from muniment.gate.contradiction import Kind, clauses_left, contradicts


def clauses(text: str) -> list[str]:
    return [" ".join(word.text for word in clause.words) for clause in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She is a nurse and plays the cello", ["she is a nurse", "she plays the cello"]),
        (
            "The app is written in Go and deployed on Fly",
            ["the app is written in go", "the app is deployed on fly"],
        ),
        ("I own a horse, speak Danish and swim", ["i own a horse", "i speak danish", "swim"]),
        (
            "The project has been upgraded and uses 3.12",
            ["the project has been upgraded", "the project uses 3.12"],
        ),
        ("My manager is Robert, Helen moved to Oslo", ["my manager is robert", "helen moved to oslo"]),
        ("I was wrong about Ottoline, she is Dutch", ["about ottoline", "ottoline is dutch"]),
        ("The app left Heroku, it runs on Fly", ["the app left heroku", "the app runs on fly"]),
        ("I left Vim, don't use it", ["i left vim", "i do not use it"]),
        ("My boss is Mr. Novak. I like him.", ["my boss is mr novak", "i like him"]),
        ("After parallelising, tests take 6 minutes", ["tests take 6 minutes"]),
        ("I like films and plays", ["i like films", "plays"]),
        ("I eat apples, pears and plums", ["i eat apples pears", "plums"]),
        ("Do I live in Rome?", []),
        ("I might move", []),
        ("I am going to the gym", ["i am going to the gym"]),
        ("I am going to move", []),
        ("?!", []),
        ("", []),
    ],
)
def test_a_clause_without_a_subject_has_that_of_the_one_before(text: str, expected: list[str]) -> None:
    assert clauses(text) == expected


@pytest.mark.parametrize("many", ["it changed from ", "from ", "we moved the ", "x, "])
def test_fault_a_clause_of_a_whole_page_is_rewritten_in_the_square_of_its_words(many: str) -> None:
    assert clauses(f"{many * 4_000} end. I swim.")[-1] == "i swim"
    long = [clause for clause in clauses(many * 4_000) if len(clause) > 400]
    assert long == []
    assert clauses("I swim and " + "x" * 390) == ["i swim", "x" * 390]


def test_two_people_leave_open_who_she_is() -> None:
    assert clauses("Ann met Eva in Rome, she is Dutch")[-1] == "she is dutch"
    assert clauses("Ann is tired, she is Dutch")[-1] == "ann is dutch"
    assert clauses("We met Ann and Eva in Rome, she is Dutch")[-1] == "she is dutch"


@pytest.mark.parametrize(
    ("new", "old", "left"),
    [
        ("She stopped playing the cello", "She is a nurse and plays the cello", "She is a nurse"),
        ("She left Acme", "She is a nurse at Acme and plays the cello", "She plays the cello"),
        ("It is no longer written in Go", "It is written in Go and stored on Fly.", "It is stored on Fly."),
        ("I sold the horse", "Ann is kind. I own a horse and speak Danish.", "Ann is kind. I speak Danish."),
        ("I don't speak Danish", "I own a horse, speak Danish and swim", "I own a horse and swim"),
        ("I no longer swim", "I play the cello, I eat olives and I swim.", "I play the cello, I eat olives"),
        ("I do not have a sister", "Momo is a cat. I have a sister. I swim.", "Momo is a cat. I swim."),
    ],
)  # fmt: skip
def test_fault_a_clause_with_the_subject_of_another_can_be_corrected_alone(
    new: str, old: str, left: str
) -> None:
    found = contradicts(new, old)
    assert found is not None and found.kind in (Kind.POLARITY, Kind.BOUNDED)
    assert clauses_left(old, found) == left
