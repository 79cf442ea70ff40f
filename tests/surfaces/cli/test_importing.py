"""Does `muniment import` say what became of the memories of other tools?"""

import json
from pathlib import Path

from tests.surfaces.cli.conftest import Home, Run


def shown(run: Run, place: Home, *arguments: str) -> str:
    """Return what an import prints, each gap as one space; the widths are the screen's matter."""
    done = run(*place.owner, "import", *arguments)
    assert done.code == 0
    return "\n".join(" ".join(line.split()) for line in done.out.splitlines())


ADA = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea"]}


def test_the_summary_counts_memories_links_and_what_was_set_aside(
    quick: Run, place: Home, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text(f"{json.dumps(ADA)}\nnot json\n", encoding="utf-8")
    first = shown(quick, place, str(path))
    assert first.split("\n") == [
        "stored 2 memories",
        "links 1",
        "bad lines 1",
        "line 2: the line is not JSON",
    ]
    again = shown(quick, place, str(path)).split("\n")
    assert again[:2] == ["stored 0 memories", "merged 2 that were known already"]
    assert "Ada: likes tea" in quick(*place.owner, "recall", "tea").out


def test_the_document_holds_the_counts_and_reasons(quick: Run, place: Home, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,valid_from,valid_until\nRain,2025-01-02,2025-01-01\nSnow,,\n", encoding="utf-8")
    offers = quick(*place.owner, "--json", "import", str(path)).document["offers"]
    assert (offers["stored"], offers["merged"], offers["refused"]) == (1, 0, {"bad-shape": 1})
    assert offers["refusals"][0]["line"] == 2
    again = shown(quick, place, str(path))
    assert "refused 1 bad-shape\nline 2: bad-shape: " in again


def test_a_notice_of_the_whole_file_stands_above_the_counts(quick: Run, place: Home, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("text,id\nZoë,1\n".encode("cp1252"))
    assert shown(quick, place, str(path)).startswith("The file is not UTF-8;")
    assert "Zoë" in quick(*place.owner, "recall", "Zoë").out


def test_a_conversation_shows_no_counts_of_memories(quick: Run, place: Home, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text('{"session": "s", "role": "user", "text": "The mill is red"}\n', encoding="utf-8")
    counted = shown(quick, place, str(path))
    assert counted.startswith("added 1\n")
    assert "stored" not in counted and "memor" not in counted


def test_the_format_can_be_named(quick: Run, place: Home, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("text\nHerons nest\n", encoding="utf-8")
    assert quick(*place.owner, "import", str(path)).code == 2
    assert shown(quick, place, str(path), "--format", "csv") == "stored 1 memory"
