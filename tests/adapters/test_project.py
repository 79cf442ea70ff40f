"""Are the files of a project found in their order, and is nothing read that lies outside it?"""

import os
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.adapters.project import read_hints, read_project
from muniment.errors import Unreadable


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with a directory in a directory."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "a" / "b").mkdir(parents=True)
    return root


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def paths(directory: Path) -> list[str]:
    return [file.path for file in read_project(directory).files]


def test_in_a_repository_the_chain_goes_from_its_root_inward(project: Path) -> None:
    for place in ("", "a/", "a/b/"):
        write(project / f"{place}AGENTS.md", f"in {place or 'root'}")
    assert paths(project / "a" / "b") == ["AGENTS.md", "a/AGENTS.md", "a/b/AGENTS.md"]
    assert paths(project / "a") == ["AGENTS.md", "a/AGENTS.md"]
    assert paths(project) == ["AGENTS.md"]


def test_outside_a_repository_only_the_directory_itself_is_looked_in(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "outer")
    write(tmp_path / "a" / "AGENTS.md", "inner")
    assert paths(tmp_path / "a") == ["AGENTS.md"]
    assert read_project(tmp_path / "a").files[0].text == "inner"
    (tmp_path / ".git").mkdir()
    assert paths(tmp_path / "a") == ["AGENTS.md", "a/AGENTS.md"]


def test_an_override_takes_the_place_of_the_file_beside_it(project: Path) -> None:
    write(project / "AGENTS.md", "root")
    write(project / "a" / "AGENTS.md", "plain")
    write(project / "a" / "AGENTS.override.md", "mine")
    assert paths(project / "a") == ["AGENTS.md", "a/AGENTS.override.md"]


def test_the_first_family_that_says_something_is_taken_and_no_other(project: Path) -> None:
    write(project / ".cursor" / "rules" / "b.mdc", "second rule")
    write(project / ".cursor" / "rules" / "a.mdc", "first rule")
    write(project / ".cursorrules", "rules")
    assert paths(project) == [".cursorrules", ".cursor/rules/a.mdc", ".cursor/rules/b.mdc"]
    write(project / "CLAUDE.md", "claude")
    assert paths(project) == ["CLAUDE.md"]
    write(project / "AGENTS.md", "agents")
    assert paths(project) == ["AGENTS.md"]
    write(project / "HERMES.md", "hermes")
    assert paths(project) == ["HERMES.md"]
    write(project / ".hermes.md", " \n")
    assert paths(project) == ["AGENTS.md"]


def test_the_nearest_of_the_first_family_counts_up_to_the_root(project: Path) -> None:
    write(project / "HERMES.md", "root")
    assert paths(project / "a" / "b") == ["HERMES.md"]
    write(project / "a" / ".hermes.md", "nearer")
    assert paths(project / "a" / "b") == ["a/.hermes.md"]


def test_nothing_above_the_root_is_read(project: Path) -> None:
    write(project.parent / "AGENTS.md", "not ours")
    write(project.parent / "HERMES.md", "not ours")
    assert paths(project / "a") == []
    write(project / "AGENTS.md", "ours")
    assert paths(project / "a") == ["AGENTS.md"]


def test_the_same_text_twice_stands_once(project: Path) -> None:
    write(project / "AGENTS.md", "be kind")
    write(project / "a" / "AGENTS.md", "be kind\n")
    assert paths(project / "a") == ["AGENTS.md"]


def test_a_byte_order_mark_and_windows_lines_are_normalised(project: Path) -> None:
    (project / "AGENTS.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert read_project(project).files[0].text == "one\ntwo"


def test_a_file_that_is_no_text_or_too_long_is_passed_over_and_named(project: Path) -> None:
    (project / "AGENTS.md").write_bytes(b"\xff\xfe\xfa")
    write(project / "a" / "AGENTS.md", "fine")
    found = read_project(project / "a")
    assert [file.path for file in found.files] == ["a/AGENTS.md"]
    assert found.notices == ("AGENTS.md is passed over: it is no text in UTF-8.",)
    (project / "AGENTS.md").write_bytes(b"x" * (limits.context_file_bytes_max + 1))
    assert "more than 4,000,000 bytes" in read_project(project).notices[0]
    (project / "AGENTS.md").write_bytes(b"x" * limits.context_file_bytes_max)
    assert read_project(project).notices == ()


def test_a_link_may_stay_inside_the_project_and_not_lead_out_of_it(project: Path) -> None:
    write(project.parent / "secret.txt", "not ours")
    (project / "AGENTS.md").symlink_to(project.parent / "secret.txt")
    found = read_project(project)
    assert found.files == ()
    assert found.notices == ("AGENTS.md is passed over: it is a link that leads out of the project.",)
    (project / "AGENTS.md").unlink()
    write(project / "docs" / "agents.md", "ours")
    (project / "AGENTS.md").symlink_to(project / "docs" / "agents.md")
    assert read_project(project).files[0].text == "ours"


@pytest.mark.parametrize(
    "name", ["AGENTS.md", ".hermes.md", "CLAUDE.md", ".cursorrules", ".cursor/rules/a.mdc"]
)
@pytest.mark.parametrize("kind", ["directory", "pipe", "link to nothing", "link in a circle"])
def test_what_has_the_name_of_such_a_file_and_is_none_is_passed_over_and_named(
    project: Path, name: str, kind: str
) -> None:
    odd, said = project / name, {"directory": "a directory", "pipe": "no file"}.get(kind, "a link to nothing")
    odd.parent.mkdir(parents=True, exist_ok=True)
    match kind:
        case "directory":
            odd.mkdir()
        case "pipe":
            os.mkfifo(odd)
        case "link to nothing":
            odd.symlink_to(project / "nowhere")
        case _:
            odd.symlink_to(odd)
    (notice,) = read_project(project).notices
    assert notice.startswith(f"{name} is passed over: ")
    assert notice == f"{name} is passed over: it is {said}." or kind == "link in a circle"
    write(project / "a" / "AGENTS.md", "in a")
    assert paths(project / "a") == ["a/AGENTS.md"], "the other files speak all the same"


def test_an_override_that_is_no_file_leaves_its_place_to_the_file_beside_it(project: Path) -> None:
    (project / "a" / "AGENTS.override.md").mkdir()
    write(project / "a" / "AGENTS.md", "in a")
    found = read_project(project / "a")
    assert [file.text for file in found.files] == ["in a"]
    assert found.notices == ("a/AGENTS.override.md is passed over: it is a directory.",)


def test_a_hint_that_is_no_file_is_named_and_the_next_name_speaks(project: Path) -> None:
    os.mkfifo(project / "a" / "AGENTS.md")
    write(project / "a" / "CLAUDE.md", "in a")
    found = read_hints(project / "a" / "x.py", project)
    assert [file.text for file in found.files] == ["in a"]
    assert found.notices == ("a/AGENTS.md is passed over: it is no file.",)


def test_a_name_below_what_is_no_directory_is_nothing_to_speak_of(project: Path) -> None:
    write(project / ".cursor", "a file of that name")
    assert read_project(project).notices == ()


def test_a_directory_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read_project(tmp_path / "none")
    assert read_project(tmp_path).files == ()


def test_a_touched_file_brings_what_its_directories_say_the_outermost_first(project: Path) -> None:
    write(project / "AGENTS.md", "root")
    write(project / "a" / "AGENTS.md", "of a")
    write(project / "a" / "b" / "CLAUDE.md", "of b")
    write(project / "a" / "b" / "c.py", "x = 1")
    assert [file.path for file in read_hints("a/b/c.py", project).files] == ["a/AGENTS.md", "a/b/CLAUDE.md"]
    assert [file.path for file in read_hints("b/c.py", project / "a").files] == ["a/b/CLAUDE.md"]
    assert read_hints("x.py", project).files == ()


def test_hints_go_five_levels_up_and_never_out_of_the_project(project: Path) -> None:
    deep = project / "1/2/3/4/5/6/7"
    for place in (project.parent, *(project.joinpath(*"1234567"[:depth]) for depth in range(1, 8))):
        write(place / "AGENTS.md", f"of {place.name}")
    found = [file.path for file in read_hints(deep / "x.py", project).files]
    assert found == [f"{'/'.join('1234567'[:depth])}/AGENTS.md" for depth in range(3, 8)]
    assert read_hints(project.parent / "x.py", project).files == ()
    assert read_hints("../x.py", project).files == ()


def test_the_public_names_read_what_these_do(project: Path) -> None:
    write(project / "AGENTS.md", "root")
    write(project / "a" / "AGENTS.md", "of a")
    assert muniment.project(project) == read_project(project)
    assert muniment.hints("a/x.py", project) == read_hints("a/x.py", project)
