"""What does a clause hold once its short forms are written out and its asides left out?"""

import pytest

from muniment.gate.clause_words import UNTRUE, class_of, is_denied, is_event, plain, stem, words_of


def said(text: str) -> list[str]:
    return [word.text for word in words_of(text, (0, len(text)))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We've moved", ["we", "have", "moved"]),
        ("Actually, I can't swim", ["i", "can", "not", "swim"]),
        ("It is not true that I swim", [UNTRUE, "i", "swim"]),
        ("It is false that I swim", [UNTRUE, "i", "swim"]),
        ("It is not true that I do not swim", []),
        ("The user lives in Rome", ["i", "lives", "in", "rome"]),
        ("Currently the user's cat is old", ["my", "cat", "is", "old"]),
        ("It is not true that the user swims", [UNTRUE, "i", "swims"]),
        ("The users swim", ["the", "users", "swim"]),
        ("The", ["the"]),
        ("It is not true", ["it", "is", "not", "true"]),
        ("It is $1,200,000.50", ["it", "is", "$", "1200000.50"]),
        ("Halls 1,2,3 and 12,3456", ["halls", "1", "2", "3", "and", "12", "3456"]),
    ],
)
def test_the_words_of_a_clause(text: str, words: list[str]) -> None:
    assert said(text) == words


def test_a_word_says_where_it_stands() -> None:
    text = "Well, Ann can't swim"
    words = words_of(text, (0, len(text)))
    assert [text[word.start : word.end] for word in words] == ["Ann", "can't", "can't", "swim"]
    assert [word.is_name for word in words] == [True, False, False, False]


@pytest.mark.parametrize(
    ("text", "carrying"),
    [
        ("The lamp is really blue", ["lamp", "is", "blue"]),
        ("My blood type is A", ["blood", "type", "is", "a"]),
    ],
)
def test_fillers_carry_nothing_and_a_letter_at_the_end_does(text: str, carrying: list[str]) -> None:
    assert [word.text for word in plain(words_of(text, (0, len(text))))] == carrying


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("We slept 6 hours", True),
        ("We painted 3 doors", True),
        ("Jobs are limited to 5", False),
        ("The hall seats 200", False),
        ("The lamp is red", False),
    ],
)
def test_what_happened_once_is_told_from_what_is_so(text: str, event: bool) -> None:
    assert is_event(words_of(text, (0, len(text)))) is event


@pytest.mark.parametrize(
    ("text", "denied"), [("I never swim", True), ("I swim", False), ("A nothing", False)]
)
def test_a_denial_is_a_word(text: str, denied: bool) -> None:
    assert is_denied(words_of(text, (0, len(text)))) is denied


@pytest.mark.parametrize(
    ("word", "name"), [("may", "month"), ("7", "number"), ("weekly", "frequency"), ("otter", "")]
)
def test_a_class_is_named(word: str, name: str) -> None:
    assert class_of(word) == name


@pytest.mark.parametrize(("word", "short"), [("swims", "swim"), ("being", "being"), ("swimming", "swimm")])
def test_a_common_ending_is_cut_and_three_letters_stay(word: str, short: str) -> None:
    assert stem(word) == short
