"""Do the floors do what they say: words alone, nothing at all, everything wiped at every change?"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from muniment.conformance.floors import FLOORS, Nothing, Wiping, Words


@pytest.fixture
def words(tmp_path: Path) -> Iterator[Words]:
    with closing(Words(tmp_path)) as memory:
        yield memory


def test_words_are_found_by_any_of_them_the_best_first(words: Words) -> None:
    words.write("The heron nests by the weir")
    words.write("The otter swims by the weir and by the mill")
    assert words.prompt_prefix("heron weir").splitlines()[0] == "The heron nests by the weir"
    assert words.prompt_prefix("mill", k=5) == "The otter swims by the weir and by the mill"
    assert words.prompt_prefix("the", k=1).count("\n") == 0
    assert words.prompt_prefix("", k=5) == words.prompt_prefix("kingfisher") == ""


@pytest.mark.parametrize("query", ['"; DROP TABLE said', "heron* OR (", "NEAR(", "-heron", "'heron'"])
def test_a_question_is_never_read_as_the_engines_language(words: Words, query: str) -> None:
    words.write("The heron nests")
    assert words.prompt_prefix(query) in ("", "The heron nests")
    assert words.prompt_prefix("heron") == "The heron nests"


def test_deleting_reaches_rows_and_not_always_bytes(words: Words) -> None:
    words.write("The heron nests")
    words.write("The otter swims")
    words.forget("HERON")
    assert words.prompt_prefix("heron otter") == "The otter swims"
    assert words.leak_probes("otter") == {"files": True}
    assert words.leak_probes("kingfisher") == {"files": False}


def test_a_source_goes_and_what_came_of_it_stays(words: Words) -> None:
    words.feed("The heron nests. The otter swims.", name="page")
    assert words.derived() == ["The heron nests", "The otter swims"]
    words.forget_source("page")
    assert words.prompt_prefix("heron").splitlines() == ["The heron nests"]


def test_an_export_and_a_backup_bring_everything_back(words: Words, tmp_path: Path) -> None:
    words.write("The heron nests")
    words.export(tmp_path / "export")
    words.backup(tmp_path / "copy")
    words.forget("heron")
    words.bring_back(tmp_path / "export")
    assert words.prompt_prefix("heron") == "The heron nests"
    words.forget("heron")
    words.put_back(tmp_path / "copy")
    assert words.prompt_prefix("heron") == "The heron nests"
    words.restart()
    words.rebuild()
    assert words.prompt_prefix("heron") == "The heron nests"


def test_nothing_takes_everything_and_returns_nothing(tmp_path: Path) -> None:
    with closing(Nothing(tmp_path)) as memory:
        assert memory.write("The heron nests").taken
        memory.feed("The otter swims.", name="page")
        assert memory.prompt_prefix("heron otter") == ""
        assert list(memory.derived()) == []
        assert memory.leak_probes("heron") == {"files": False}


def test_wiping_leaves_only_what_was_written_since(tmp_path: Path) -> None:
    with closing(Wiping(tmp_path)) as memory:
        memory.write("The heron nests")
        memory.write("The otter swims")
        assert "heron" in memory.prompt_prefix("heron")
        memory.correct("The heron nests", "The heron left")
        assert memory.prompt_prefix("heron otter") == "The heron left"
        memory.reject("anything")
        assert memory.prompt_prefix("heron otter") == ""
        assert memory.leak_probes("heron") == {"files": False}


def test_each_floor_has_a_name_of_its_own() -> None:
    assert [floor.name for floor in FLOORS] == ["words", "nothing", "wiping"]
