"""Does the reader hand a file to the importer that fits it, and to none when nothing does?"""

import json
from pathlib import Path

import pytest

from muniment.adapters.importers import IMPORTERS
from muniment.adapters.readers import read_file
from muniment.domain.evidence import Arrival, BadLine
from muniment.errors import BadInput, Unreadable
from muniment.ports import Reader
from tests.conftest import ROOT

DATA = ROOT / "tests" / "data"
OURS = json.dumps({"session": "s", "id": "1", "role": "user", "text": "Good morning"}) + "\n"
KNOWN = {
    "jsonl": OURS,
    "claude-code": (DATA / "claude_code_fork.jsonl").read_text(encoding="utf-8"),
    "locomo": (DATA / "locomo_small.json").read_text(encoding="utf-8"),
}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", KNOWN)
def test_an_empty_format_is_found_out_by_looking(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, KNOWN[name])
    looked, named = list(read_file(path, format="")), list(read_file(path, format=name))
    assert looked == named
    assert any(isinstance(item, Arrival) for item in looked)


@pytest.mark.parametrize("name", sorted(set(KNOWN) - {"jsonl"}))
def test_a_format_that_is_named_wins_over_looking(tmp_path: Path, name: str) -> None:
    items = list(read_file(written(tmp_path, KNOWN[name]), format="jsonl"))
    assert items
    assert not [item for item in items if isinstance(item, Arrival)]


@pytest.mark.parametrize("name", ["JSONL", "json", "claude_code", " jsonl", "jsonl\n", "../jsonl"])
def test_a_format_that_there_is_none_of_is_refused_with_those_that_there_are(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(BadInput) as caught:
        read_file(written(tmp_path, OURS), format=name)
    assert all(known in caught.value.sentence for known in IMPORTERS)


def test_a_path_that_is_not_there_is_told_before_the_first_item(tmp_path: Path) -> None:
    for format in ("", "jsonl"):
        with pytest.raises(Unreadable, match="absent"):
            read_file(tmp_path / "absent", format=format)


def test_a_directory_is_read_file_by_file(tmp_path: Path) -> None:
    for name, text in (("b.jsonl", "second"), ("a.jsonl", "first"), ("c.txt", "never")):
        (tmp_path / name).write_text(OURS.replace("Good morning", text), encoding="utf-8")
    items = list(read_file(tmp_path, format=""))
    assert [item.text for item in items if isinstance(item, Arrival)] == ["first", "second"]


def test_a_broken_line_is_one_item_and_the_next_line_is_read(tmp_path: Path) -> None:
    items = list(read_file(written(tmp_path, f"{OURS}broken\n{OURS.replace('1', '2', 1)}"), format=""))
    assert [type(item) for item in items] == [Arrival, BadLine, Arrival]


def test_items_come_as_they_are_asked_for(tmp_path: Path) -> None:
    """A file is never whole in memory: its later lines may not even be there yet."""
    path = written(tmp_path, OURS * 3)
    stream = iter(read_file(path, format="jsonl"))
    first = next(stream)
    assert isinstance(first, Arrival) and first.text == "Good morning"
    assert iter(stream) is stream


def test_the_reader_is_what_the_service_asks_for() -> None:
    reader: Reader = read_file
    assert reader.__name__ == "read_file"
