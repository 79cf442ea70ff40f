"""Do LoCoMo conversations arrive with their names, order and times?"""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment.adapters.importers import arrivals, locomo
from muniment.domain.evidence import Arrival, BadLine, Role
from muniment.errors import BadInput

SMALL = Path(__file__).parents[2] / "data" / "locomo_small.json"


def turns() -> list[Arrival]:
    return [item for item in arrivals(SMALL) if isinstance(item, Arrival)]


def test_turns_come_in_the_order_of_their_sessions_numbers() -> None:
    """Session 10 stands after session 2, and the file's own order of keys means nothing."""
    assert [item.origin for item in turns()] == [
        *("talk-1/D1:1", "talk-1/D1:2", "talk-1/D1:3", "talk-1/D2:1", "talk-1/D10:1"),
    ]
    assert [item.session for item in turns()][2:] == [f"talk-1/session_{n}" for n in (1, 2, 10)]


def test_the_speaker_says_who_talks_and_both_are_people() -> None:
    assert [item.speaker for item in turns()][:3] == ["Ilse", "Bram", "Ilse"]
    assert {item.role for item in turns()} == {Role.USER}


def test_a_caption_stands_behind_the_text() -> None:
    assert turns()[2].text == "Here she is. [a photo of a green rowing boat]"
    assert turns()[1].text == "Show me!"


def test_times_follow_the_sessions_clock_a_second_a_turn() -> None:
    began = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert [item.occurred_at for item in turns()] == [
        began,
        began + timedelta(seconds=1),
        began + timedelta(seconds=2),
        datetime(2024, 1, 2, 0, 5, tzinfo=UTC),
        None,
    ]


@pytest.mark.parametrize(
    "said",
    [
        "1:60 am on 8 May, 2023",
        "13:00 pm on 8 May, 2023",
        "1:00 pm on 31 June, 2023",
        "1:00 pm on 8 Mai, 2023",
    ],
)
def test_an_impossible_time_is_no_time(tmp_path: Path, said: str) -> None:
    talk = {"session_1_date_time": said, "session_1": [{"dia_id": "D1:1", "speaker": "I", "text": "t"}]}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps([{"sample_id": "x", "conversation": talk}]))
    (item,) = arrivals(path, format="locomo")
    assert isinstance(item, Arrival)
    assert item.occurred_at is None


def test_a_broken_turn_is_set_aside_with_its_number() -> None:
    assert [item.line for item in arrivals(SMALL) if isinstance(item, BadLine)] == [6, 7]


@pytest.mark.parametrize("text", ["{", "[]", '[{"qa": []}]', "7", "[" * 200_000])
def test_a_document_without_conversations_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(BadInput):
        list(arrivals(path, format="locomo"))


def test_a_file_over_the_bound_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as target:
        target.truncate(locomo.FILE_BYTES_MAX + 1)
    with pytest.raises(BadInput, match="larger"):
        list(arrivals(path, format="locomo"))


def test_the_real_file_is_taken_whole(shared_data: Callable[[str], Path]) -> None:
    path = shared_data("locomo/locomo_dev.json")
    items = list(arrivals(path))
    written = sum(
        len(turns)
        for sample in json.loads(path.read_text())
        for turns in sample["conversation"].values()
        if isinstance(turns, list)
    )
    assert len(items) == written == 3127
    assert len({item.origin for item in items if isinstance(item, Arrival)}) == written
    assert all(item.occurred_at for item in items if isinstance(item, Arrival))
