"""Are the questions of one's own demo made from what the material says, and from nothing else?"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.surfaces.cli.demo_own import ITEMS_READ_MAX, QUESTIONS, UNKNOWN, _questions, _texts
from tests.surfaces.cli.conftest import Ended, Run

TALK = [
    "The greenhouse controller lost its calibration after the firmware update.",
    "Then the hygrometer in the greenhouse is what we should look at first.",
    "I replaced the thermocouple of the kiln; it reads 1040 degrees again.",
]


def asked(*texts: str) -> list[str]:
    return _questions(iter(texts))


def written(tmp_path: Path, turns: Sequence[tuple[str, str]]) -> Path:
    path = tmp_path / "talk.jsonl"
    lines = (
        json.dumps({"session": "s", "id": str(n), "role": role, "speaker": "Ada", "text": text})
        for n, (role, text) in enumerate(turns)
    )
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_question_is_words_of_one_item_as_they_stand_there() -> None:
    for question in asked(*TALK):
        assert any(all(word in text for word in question.split()) for text in TALK)


def test_there_are_as_many_questions_as_items_and_five_at_most() -> None:
    assert asked() == []
    assert len(asked(*TALK)) == 3
    assert len(asked(*(f"Wordnumber{chr(97 + n)} othernumber{chr(97 + n)}" for n in range(20)))) == QUESTIONS


@pytest.mark.parametrize("text", ["", "a b c", "1234 5678", "?!", "it is so", "\U0001f375 \U0001f375"])
def test_an_item_of_short_words_gives_no_question(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("firmware", "firmware"),
        ("Firmware FIRMWARE firmware", "firmware"),
        ("ops/rotate.sh", "ops/rotate.sh"),
        ("東京都庁舎 Größenwahn", "Größenwahn 東京都庁舎"),
        ("abc abcd", "abcd"),
        ("x" * 100, "x" * 40 + " " + "x" * 20),
    ],
)
def test_a_word_has_four_characters_or_more_and_no_digit_in_front(text: str, question: str) -> None:
    assert sorted(asked(text)[0].split()) == sorted(question.split())


def test_a_word_that_stands_everywhere_is_not_asked_for() -> None:
    texts = [f"harbour {word}" for word in ("alpha", "bravo", "charlie", "delta", "foxtrot")]
    for question in asked(*texts):
        assert "harbour" not in question


def test_a_word_of_two_items_is_asked_before_a_word_of_one() -> None:
    """What was spoken of twice is what the material is about; a slip of the pen stands once."""
    first = asked("thermocouple extraordinary", "thermocouple remarkable")[0]
    assert first.split()[0] == "thermocouple"


def test_the_same_question_is_asked_once() -> None:
    assert asked("thermocouple", "thermocouple") == ["thermocouple"]


def test_a_question_has_three_words_at_most() -> None:
    assert [len(question.split()) for question in asked("alpha bravo charlie delta foxtrot")] == [3]


WORDS = st.text(alphabet="abcde ", max_size=40)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=8))
def test_any_material_gives_few_short_questions_and_the_same_each_time(texts: list[str]) -> None:
    found = asked(*texts)
    assert found == asked(*texts)
    assert len(found) <= QUESTIONS
    assert len(set(found)) == len(found)
    assert all(1 <= len(question.split()) <= 3 for question in found)


def test_only_what_people_and_documents_said_is_asked_about(tmp_path: Path) -> None:
    roles = ("user", "assistant", "tool_call", "tool_result", "system")
    path = written(tmp_path, [(role, f"said by {role}") for role in roles])
    assert list(_texts(path)) == ["said by user", "said by assistant"]


def test_material_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = written(tmp_path, [("user", f"turn {n}") for n in range(ITEMS_READ_MAX + 5)])
    texts = list(_texts(path))
    assert len(texts) == ITEMS_READ_MAX
    assert texts[-1] == f"turn {ITEMS_READ_MAX - 1}"


@pytest.fixture
def shown(quick: Run, tmp_path: Path) -> Iterator[Ended]:
    yield quick("demo", "--from", str(written(tmp_path, [("user", text) for text in TALK])))


def test_ones_own_demo_has_eight_steps_and_asks_what_nothing_covers(shown: Ended) -> None:
    assert shown.code == 0, shown.errors
    for step in range(1, 9):
        assert f"{step}/8  " in shown.out
    assert UNKNOWN.split()[0] in shown.out
    assert "Nothing covers this." in shown.out


def test_ones_own_demo_says_what_was_taken_in_and_that_twice_adds_nothing(shown: Ended) -> None:
    assert "Taken in a second time: 0 added, 3 skipped." in shown.out


def test_a_statement_is_made_where_no_claim_was_read(shown: Ended) -> None:
    assert "No claim was read from it by the fixed patterns" in shown.out
    assert "It was said: " in shown.out


def test_a_claim_of_the_material_is_shown_where_one_was_read(quick: Run, tmp_path: Path) -> None:
    done = quick("demo", "--from", str(written(tmp_path, [("user", "I live in Lisbon."), ("user", TALK[0])])))
    assert done.code == 0, done.errors
    assert "No claim was read" not in done.out
    assert "Ada lives in Lisbon" in done.out
    assert ">>" in done.out and "<<" in done.out


@pytest.mark.parametrize("name", ["absent.jsonl", "."])
def test_material_that_is_not_there_is_named(quick: Run, tmp_path: Path, name: str) -> None:
    done = quick("demo", "--from", str(tmp_path / name))
    assert done.code == 2
    assert done.code_shown in ("unreadable-path", "bad-input")


def test_material_that_holds_memories_and_no_conversation_is_shown_too(quick: Run, tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text("text\n" + "".join(f'"{text}"\n' for text in TALK), encoding="utf-8")
    done = quick("demo", "--from", str(path))
    assert done.code == 0, done.errors
    assert "stored  3 memories" in done.out
    assert "Nothing covers this." in done.out
    assert "8/8  " in done.out


def test_material_that_holds_nothing_is_said_to(quick: Run, tmp_path: Path) -> None:
    path = written(tmp_path, [("system", "")])
    done = quick("demo", "--from", str(path))
    assert done.code == 2
    assert "bad-input: " in done.errors
