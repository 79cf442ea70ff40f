"""Is each format recognised, and a whole directory taken?"""

import json
import os
from pathlib import Path

import pytest

from muniment.adapters.importers import IMPORTERS, arrivals, detected
from muniment.domain.evidence import Arrival, BadLine
from muniment.errors import BadInput, Unreadable

DATA = Path(__file__).parents[2] / "data"
OURS = json.dumps({"session": "s", "role": "user", "text": "hello"}) + "\n"


def test_each_format_is_told_by_its_content_not_its_name(tmp_path: Path) -> None:
    for name, text in {
        "jsonl": OURS,
        "claude-code": (DATA / "claude_code_fork.jsonl").read_text(),
        "locomo": (DATA / "locomo_small.json").read_text(),
        "mcp-memory": '{"type": "entity", "name": "Ada", "entityType": "person", "observations": []}\n',
        "csv": "id,text\n1,Herons nest in spring\n",
    }.items():
        path = tmp_path / "file.bin"
        path.write_text(text)
        assert detected(path) == name
        assert name in IMPORTERS


def test_broken_first_lines_do_not_hide_a_format(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("not json\n42\n\n" + OURS)
    assert detected(path) == "jsonl"


@pytest.mark.parametrize("text", ["", "plain words\n", '{"type": "message"}\n', "[1, 2]", '{"session": 1}'])
def test_what_fits_no_format_is_refused_with_their_names(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(BadInput, match="jsonl, claude-code, locomo, mcp-memory, csv"):
        detected(path)


def test_a_format_that_is_named_is_not_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("plain words\n")
    assert list(arrivals(path, format="jsonl")) == [BadLine(1, "the line is not JSON")]


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="regular"):
        detected(tmp_path / "pipe")


def test_a_directory_gives_its_files_in_order_and_names_the_bad_one(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(OURS.replace("hello", "second") + "broken\n")
    (tmp_path / "a.jsonl").write_text(OURS.replace("hello", "first"))
    (tmp_path / "c.jsonl").write_text("nothing known\n")
    (tmp_path / "d.jsonl").mkdir()
    (tmp_path / "e.jsonl").write_text((DATA / "claude_code_fork.jsonl").read_text())
    (tmp_path / "notes.txt").write_text(OURS)
    items = list(arrivals(tmp_path))
    assert [item.text for item in items if isinstance(item, Arrival)][:2] == ["first", "second"]
    assert sum(isinstance(item, Arrival) for item in items) == 2 + 15
    bad = [(item.line, item.why.split(":")[0]) for item in items if isinstance(item, BadLine)]
    assert bad == [(2, "b.jsonl"), (1, "c.jsonl"), (1, "d.jsonl")]


def test_a_directory_without_files_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no file"):
        arrivals(tmp_path)
