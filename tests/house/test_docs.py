"""Do the pages say what the code does?  Codes, settings, commands, promises and words are compared."""

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator, Mapping

import click
import pytest

from muniment.gate.verdict import Reason
from tests.house import source

DOCS = source.ROOT / "docs"
PROMISED = (
    *(f"H{n}" for n in range(1, 19)),
    *(f"K{n}" for n in range(1, 8)),
    *(f"B{n}" for n in range(1, 15)),
    *(f"F{n}" for n in range(1, 19)),
    *(f"G{n}" for n in range(1, 13)),
    *(f"N{n}" for n in range(1, 7)),
)
SURFACES = {"library", "CLI", "MCP", "HTTP", "console", "files", "host"}
OPEN = "to come"
_HEADING = re.compile(r"^## `?([a-z][a-z0-9-]*)`?$", re.MULTILINE)


def _module(name: str) -> source.Module:
    found = [module for module in source.package() if module.name == name]
    assert found, f"{name} does not exist"
    return found[0]


def error_codes() -> Mapping[str, str]:
    """Return each error class with the code written in it; one that only inherits a code is left out."""
    return {
        node.name: item.value.value
        for node in _module("muniment.errors").tree.body
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "code"
        if isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)
    }


def reasons() -> frozenset[str]:
    """Return the codes of the gate's `Reason`."""
    return frozenset(reason.code for reason in Reason)


def _entries() -> list[str]:
    return _HEADING.findall((DOCS / "runbook.md").read_text(encoding="utf-8"))


def test_every_error_class_has_a_code_of_its_own() -> None:
    module = _module("muniment.errors")
    classes = [node.name for node in module.tree.body if isinstance(node, ast.ClassDef)]
    codes = error_codes()
    assert len(classes) > 10
    assert sorted(codes) == sorted(classes)
    assert len(set(codes.values())) == len(codes), "two errors share a code"


def test_every_code_has_a_runbook_entry() -> None:
    missing = sorted(set(error_codes().values()) - set(_entries()))
    assert not missing, "docs/runbook.md lacks: " + ", ".join(missing)


def test_every_reason_has_a_runbook_entry() -> None:
    assert len(reasons()) == len(Reason) > 5, "two reasons share a code"
    missing = sorted(reasons() - set(_entries()))
    assert not missing, "docs/runbook.md lacks: " + ", ".join(missing)


def test_the_runbook_has_no_entry_that_nothing_raises() -> None:
    entries = _entries()
    assert len(entries) == len(set(entries)), "a code has two entries"
    stale = sorted(set(entries) - set(error_codes().values()) - reasons())
    assert not stale, "nothing says: " + ", ".join(stale)


def test_every_runbook_entry_says_what_happened_and_what_to_do() -> None:
    text = (DOCS / "runbook.md").read_text(encoding="utf-8")
    for entry in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = entry.partition("\n")
        assert "**What happened.**" in body, title
        assert "**What to do.**" in body, title
        assert len(body.split()) >= 15, f"{title} says too little"


def _pages() -> str:
    return "\n".join(text for path, text in source.prose().items() if path.startswith(("docs/", "README")))


def setting_names() -> frozenset[str]:
    """Return what a person can set: fields of the settings' dataclasses and MUNIMENT_* names."""
    module = _module("muniment.settings")
    fields = {
        item.target.id
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
        if not item.target.id.startswith("_")
    }
    variables = {
        node.value
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"MUNIMENT_[A-Z_]*[A-Z]", node.value)
    }
    return frozenset(fields | variables)


def test_every_setting_is_documented() -> None:
    pages = _pages()
    names = setting_names()
    assert names
    missing = sorted(name for name in names if f"`{name}`" not in pages and f"`{name}=" not in pages)
    assert not missing, "no page names: " + ", ".join(missing)


def _commands(command: click.Command, path: str, context: click.Context) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield path
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None, f"{path} {name} is listed and cannot be loaded"
        if not inner.hidden:
            yield from _commands(
                inner, f"{path} {name}", click.Context(inner, info_name=name, parent=context)
            )


def test_every_command_is_documented_and_explains_itself() -> None:
    group = importlib.import_module("muniment.surfaces.cli.main").main
    assert isinstance(group, click.Group)
    names = list(_commands(group, "muniment", click.Context(group, info_name="muniment")))
    assert len(names) > 5
    pages = _pages()
    missing = [name for name in names if not re.search(rf"{re.escape(name)}\b", pages)]
    assert not missing, "no page names: " + ", ".join(missing)


def promise_rows(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield id, title, surface and tests of each row of the table of promises."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 4 and re.fullmatch(r"[A-Z]\d+", cells[0]):
            yield cells[0], cells[1], cells[2], cells[3]


def _known_tests() -> frozenset[str]:
    return frozenset(
        f"{each.path}::{name}" for each in source.modules("tests") for name in source.tests_in(each)
    )


def row_faults(row: tuple[str, str, str, str], known: frozenset[str]) -> list[str]:
    """Return what is wrong with one promise: an unknown test, a surface without a test, or the reverse."""
    key, title, surface, tests = row
    if not title:
        return [f"{key}: no title"]
    if (surface == OPEN) != (tests == OPEN):
        return [f"{key}: a surface and a test come together"]
    if tests == OPEN:
        return []
    strange = {each.strip() for each in surface.split(",")} - SURFACES
    named = re.findall(r"`([^`]+)`", tests)
    faults = [f"{key}: unknown surface {each}" for each in sorted(strange)]
    faults += [f"{key}: there is no test {each}" for each in named if each.split("[")[0] not in known]
    return faults if named else [*faults, f"{key}: no test is named"]


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        (("H1", "bounded blocks", OPEN, OPEN), True),
        (("H1", "bounded blocks", "library, CLI", "`tests/a.py::test_b`"), True),
        (("H1", "bounded blocks", "library", OPEN), False),
        (("H1", "bounded blocks", OPEN, "`tests/a.py::test_b`"), False),
        (("H1", "bounded blocks", "library", "`tests/a.py::test_c`"), False),
        (("H1", "bounded blocks", "telepathy", "`tests/a.py::test_b`"), False),
        (("H1", "bounded blocks", "library", "tests/a.py::test_b"), False),
        (("H1", "", OPEN, OPEN), False),
    ],
)
def test_a_promise_names_a_test_that_exists(row: tuple[str, str, str, str], is_right: bool) -> None:
    assert (row_faults(row, frozenset({"tests/a.py::test_b"})) == []) is is_right


def test_every_promise_is_listed_once_and_its_tests_exist() -> None:
    rows = list(promise_rows((DOCS / "promises.md").read_text(encoding="utf-8")))
    assert tuple(row[0] for row in rows) == PROMISED
    known = _known_tests()
    faults = [fault for row in rows for fault in row_faults(row, known)]
    assert not faults, "\n".join(faults)


MISSING = {
    "README.md": "## What does not work yet",
    "CHANGELOG.md": "### Not yet there",
    "docs/guide/limits.md": "## What it does not do yet",
}
"""Where pages say what is not there."""


def missing_parts(text: str, heading: str) -> list[str]:
    """Return the points under a heading, those that link to a page of results apart."""
    under = text.partition(f"{heading}\n")[2].partition("\n#")[0]
    return [line for line in under.splitlines() if line.startswith("- ") and "results/" not in line]


def stale_parts(points: list[str], waiting: frozenset[str]) -> list[str]:
    """Return the points that name no promise, or one that is kept by now."""
    named = [(point, re.findall(r"\b[HKBFGN]\d+\b", point)) for point in points]
    return [point for point, ids in named if not ids or not waiting.issuperset(ids)]


@pytest.mark.parametrize("page", sorted(MISSING))
def test_no_page_says_of_a_kept_promise_that_it_is_missing(page: str) -> None:
    points = missing_parts(source.prose()[page], MISSING[page])
    assert points, f"{page} says nothing under {MISSING[page]}"
    table = (DOCS / "promises.md").read_text(encoding="utf-8")
    waiting = frozenset(row[0] for row in promise_rows(table) if OPEN in " ".join(row))
    assert not stale_parts(points, waiting)


def test_a_point_without_an_open_promise_is_stale() -> None:
    points = missing_parts(
        "## Not\n\n- Boards (G5).\n- Blocks (H1, G5).\n- Cats.\n\n## More\n- Dogs.\n", "## Not"
    )
    assert stale_parts(points, frozenset({"G5"})) == ["- Blocks (H1, G5).", "- Cats."]
    assert stale_parts(points[:1], frozenset({"G5"})) == []


REPORTED = (
    1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38, 40, 41,
    43, 44, 46, 47, 49, 50, 52, 53, 55, 56, 58, 59, 61, 62, 64, 65, 67, 68, 70, 71, 73, 74, 76, 77, 79, 80,
    82, 83, 85, 86, 88, 89,
)  # fmt: skip
"""Numbers of the faults that users of memory systems reported."""


def fault_rows(text: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield the numbers and the state of each row of the table of reported faults."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and re.fullmatch(r"\d+(?:, \d+)*", cells[0]):
            yield tuple(map(int, cells[0].split(", "))), cells[2]


def reported_faults(text: str, known: frozenset[str]) -> list[str]:
    """Return the reported faults that nothing holds, and rows that say neither a test nor what is awaited."""
    rows = list(fault_rows(text))
    held = {int(found[1]) for name in known if (found := re.search(r"::test_field_(\d+)_", name))}
    spoken_of = held | {number for numbers, _ in rows for number in numbers}
    faults = [f"{number}: no test and no row" for number in REPORTED if number not in spoken_of]
    for numbers, state in rows:
        named = re.findall(r"`([^`]+)`", state)
        faults += [f"{numbers}: there is no test {each}" for each in named if each not in known]
        if not named and not state.startswith(f"{OPEN}, with "):
            faults.append(f"{numbers}: neither a test nor what it waits for")
    return faults


def test_every_reported_fault_has_a_test_or_says_what_it_waits_for() -> None:
    text = (DOCS / "promises.md").read_text(encoding="utf-8")
    faults = reported_faults(text, _known_tests())
    assert not faults, "\n".join(faults)


def test_a_reported_fault_that_nothing_holds_is_noticed() -> None:
    known = frozenset(f"tests/a.py::test_field_{number:02}_is_held" for number in REPORTED if number != 7)
    assert reported_faults("", known) == ["7: no test and no row"]
    assert reported_faults("| 7 | deleted twice | to come, with hosts |", known) == []
    assert reported_faults("| 7 | deleted twice | `tests/a.py::test_field_01_is_held` |", known) == []
    assert reported_faults("| 7 | deleted twice | `tests/a.py::test_gone` |", known) == [
        "(7,): there is no test tests/a.py::test_gone"
    ]
    assert reported_faults("| 7 | deleted twice | soon |", known) == [
        "(7,): neither a test nor what it waits for"
    ]


def test_every_invariant_cited_in_the_code_is_explained() -> None:
    explained = set(re.findall(r"^## (I\d+)\b", (DOCS / "invariants.md").read_text(encoding="utf-8"), re.M))
    assert explained == {f"I{n}" for n in range(1, 16)}
    cited = {name for module in source.package() for name in re.findall(r"\bI\d{1,2}\b", module.text)}
    assert cited <= explained, sorted(cited - explained)


def test_every_decision_has_its_four_parts() -> None:
    pages = {path: text for path, text in source.prose().items() if re.match(r"docs/decisions/\d{4}-", path)}
    assert len(pages) >= 12
    for path, text in pages.items():
        for part in ("## Situation", "## Options", "## Choice", "## Price"):
            assert part in text, f"{path} lacks {part}"
    numbers = [path.split("/")[-1][:4] for path in pages]
    assert len(numbers) == len(set(numbers)), "two decisions share a number"


def test_links_between_pages_lead_somewhere() -> None:
    faults = []
    for path, text in source.prose().items():
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", text):
            if not (source.ROOT / path).parent.joinpath(target).exists():
                faults.append(f"{path} -> {target}")
    assert not faults, "\n".join(faults)


def test_every_runtime_dependency_has_its_sentence() -> None:
    project = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    page = (DOCS / "decisions" / "0013-dependencies.md").read_text(encoding="utf-8").lower()
    names = {re.split(r"[\[<>=!~ ]", each)[0].lower() for each in wanted}
    missing = sorted(name for name in names if f"`{name}`" not in page)
    assert not missing, missing


def test_the_version_is_the_same_everywhere() -> None:
    version = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    assert f"## [{version}]" in (source.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f'"{version}"' in _module("muniment").text
