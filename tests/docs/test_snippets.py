"""Do the programs and tables of the guide say what happens?  The ones are run, the others compared."""

import ast
import contextlib
import io
import re
from pathlib import Path

import pytest

from muniment import limits, settings
from muniment.domain.trust import MOVES, Act, Trust
from tests.conftest import ROOT

GUIDE = ROOT / "docs" / "guide"
# A page about a server has its own test, which has a server.
NEEDS_A_SERVER = {"team.md"}
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SAID = re.compile(r"# -> (.*)$", re.MULTILINE)


def pages() -> list[Path]:
    """Return the pages that have a program."""
    found = [ROOT / "README.md", *sorted(GUIDE.glob("*.md"))]
    return [
        page for page in found if page.name not in NEEDS_A_SERVER and _BLOCK.search(page.read_text("utf-8"))
    ]


def ran(page: str, text: str) -> list[str]:
    """Run the programs of a page one after the other; return where they do not print what is said."""
    names: dict[str, object] = {"__name__": "page"}
    faults = []
    for number, program in enumerate(_BLOCK.findall(text), start=1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, f"{page}, program {number}", "exec"), names)
        said = _SAID.findall(program)
        if said and printed.getvalue().splitlines() != said:
            faults.append(f"{page}, program {number}: said {said}, printed {printed.getvalue().splitlines()}")
    return faults


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_program_of_the_guide_prints_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ran(page.name, page.read_text("utf-8")) == []


def test_the_readme_and_the_page_of_the_library_have_programs() -> None:
    assert {page.name for page in pages()} >= {"README.md", "library.md"}


def test_a_program_that_prints_something_else_is_noticed() -> None:
    page = "```python\nx = 1\n```\n```python\nprint(x)  # -> {}\n```\n"
    assert ran("page", page.format("1")) == []
    assert ran("page", page.format("2")) == ["page, program 2: said ['2'], printed ['1']"]
    with pytest.raises(NameError):
        ran("page", "```python\nnobody\n```\n")


def rows(page: str, columns: int) -> list[list[str]]:
    """Return the cells of the rows of a page's tables that have so many columns, headings apart."""
    found = []
    for line in (GUIDE / page).read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == columns and not set(line) <= set("|-"):
            found.append(cells)
    return found


def _target(trust: Trust, act: Act) -> str:
    move = MOVES[trust, act]
    if move.to is None:
        return "as before"
    refuted = (trust, act) == (Trust.BELIEVED, Act.REFUTE)
    return f"{move.to.value}; a hypothesis: refuted" if refuted else move.to.value


def _by(trust: Trust, act: Act) -> str:
    return MOVES[trust, act].by.value


def test_the_table_of_trust_is_the_one_in_the_code() -> None:
    shown = {
        (trust.strip(), act): (to, by)
        for states, act, to, by in rows("trust.md", 4)
        if act in Act.__members__.values()
        for trust in states.split(",")
    }
    settled = {key: _by(*key) for key in MOVES if key[1] is Act.INCONCLUSIVE}
    wanted = {
        (trust.value, act.value): (
            _target(trust, act),
            "see below" if act is Act.INCONCLUSIVE else _by(trust, act),
        )
        for trust, act in MOVES
    }
    assert shown == wanted
    page = (GUIDE / "trust.md").read_text("utf-8")
    assert all(by.split(";")[0] in page for by in settled.values())


def test_every_bound_that_the_guide_names_is_the_one_in_the_code() -> None:
    shown = {cells[0].strip("`"): cells[1] for cells in rows("limits.md", 3) if cells[0].startswith("`")}
    assert len(shown) > 15
    for name, value in shown.items():
        assert float(ast.literal_eval(value.replace(",", ""))) == getattr(limits, name), name


def test_the_settings_of_the_guide_are_those_that_are_read_in_their_order() -> None:
    named = [cells[0].strip("`") for cells in rows("settings.md", 3) if cells[0].startswith("`MUNIMENT")]
    assert named == [setting.name for setting in settings.SETTINGS]


def test_every_test_that_a_page_names_exists() -> None:
    named = {
        (path, name)
        for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text("utf-8"))
    }
    assert len(named) > 50
    missing = [
        f"{path}::{name}" for path, name in named if f"def {name}(" not in (ROOT / path).read_text("utf-8")
    ]
    assert not missing, sorted(missing)
