"""Does what we hand out work on its own?  Built, looked into, installed alone and used."""

import email
import json
import re
import tarfile
import tomllib
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.packaging.conftest import Built, Run, built, ran, well

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MATERIAL = (
    "muniment/py.typed",
    "muniment/data/demo.jsonl",
    "muniment/data/soul.md",
    "muniment/data/embedder/NOTICE",
    "muniment/data/embedder/table.i8",
    "muniment/data/embedder/vocabulary.txt",
    "muniment/store/sqlite/queries.sql",
    "muniment/store/sqlite/schema.sql",
    "muniment/store/sqlite/migrations/0001_first.sql",
    "muniment/store/postgres/queries.sql",
    "muniment/store/postgres/schema.sql",
    "muniment/store/postgres/migrations/0001_first.sql",
)


def in_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def in_sdist(sdist: Path) -> set[str]:
    """Return the files of a source distribution, without its one top directory."""
    with tarfile.open(sdist) as archive:
        return {member.name.split("/", 1)[1] for member in archive.getmembers() if member.isfile()}


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def source_files() -> set[str]:
    """Return every file of the package in the tree, as a wheel names it."""
    return {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src" / "muniment").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_the_wheel_holds_the_whole_package_and_nothing_else(distributions: Built) -> None:
    held = {name for name in in_wheel(distributions.wheel) if ".dist-info/" not in name}
    assert held == source_files()


@pytest.mark.parametrize("name", MATERIAL)
def test_the_wheel_carries_what_the_code_reads(distributions: Built, name: str) -> None:
    with zipfile.ZipFile(distributions.wheel) as archive:
        assert archive.read(name) == (ROOT / "src" / name).read_bytes()


def test_the_wheel_carries_the_licence_and_the_notices(distributions: Built) -> None:
    names = {Path(name).name for name in in_wheel(distributions.wheel) if "/licenses/" in name}
    assert names == set(PROJECT["license-files"])
    assert {"LICENSE", "NOTICE"} <= names


def test_the_wheel_is_for_every_platform(distributions: Built) -> None:
    assert distributions.wheel.name == f"muniment-{PROJECT['version']}-py3-none-any.whl"


def test_the_metadata_name_licence_python_and_extras(distributions: Built) -> None:
    found = metadata(distributions.wheel)
    assert found["Name"] == "muniment"
    assert found["Version"] == PROJECT["version"]
    assert found["License-Expression"] == "Apache-2.0"
    assert found["Requires-Python"] == ">=3.11"
    assert set(found.get_all("Provides-Extra", [])) == set(PROJECT["optional-dependencies"])


def test_an_embedded_vault_needs_no_server_and_no_model(distributions: Built) -> None:
    """What is not an extra is installed by everyone."""
    always = [
        re.split(r"[<>=!~ \[;]", each)[0].lower()
        for each in metadata(distributions.wheel).get_all("Requires-Dist", [])
        if "extra ==" not in each
    ]
    declared = [re.split(r"[<>=!~ \[;]", each)[0].lower() for each in PROJECT["dependencies"]]
    assert sorted(always) == sorted(declared)
    assert not set(always) & {"mcp", "rich", "psycopg", "fastapi", "onnxruntime", "numpy", "torch"}


def test_the_readme_is_the_description(distributions: Built) -> None:
    found = metadata(distributions.wheel)
    assert found["Description-Content-Type"] == "text/markdown"
    description = found.get_payload(decode=True)
    assert isinstance(description, bytes)
    assert description.decode("utf-8").strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()


def test_the_source_distribution_holds_what_a_change_needs(distributions: Built) -> None:
    held = in_sdist(distributions.sdist)
    assert {f"src/{name}" for name in source_files()} <= held
    for name in ("Makefile", "pyproject.toml", ".ci/run", "requirements/test.txt", "tests/conftest.py"):
        assert name in held, name
    assert any(name.startswith("docs/") for name in held)
    assert any(name.startswith("bench/") for name in held)


def test_the_source_distribution_holds_nothing_that_a_machine_made(distributions: Built) -> None:
    made = re.compile(
        r"(^|/)(\.venv|\.ci-venv|__pycache__|\.mypy_cache|\.hypothesis|dist|build)/|\.(db|pyc)$"
    )
    assert [name for name in in_sdist(distributions.sdist) if made.search(name)] == []


def test_the_wheel_of_the_tree_and_of_the_source_distribution_are_the_same(
    distributions: Built, tmp_path: Path
) -> None:
    (direct,) = built(ROOT, tmp_path, "--wheel")
    with zipfile.ZipFile(direct) as one, zipfile.ZipFile(distributions.wheel) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        differing = [name for name in one.namelist() if one.read(name) != other.read(name)]
    assert differing == []


def test_the_clean_environment_sees_nothing_of_the_source_tree(clean_python: Path, tmp_path: Path) -> None:
    asked = "import json, sys, muniment; print(json.dumps([muniment.__file__, sys.path]))"
    home, path = json.loads(well(ran(clean_python, "-c", asked, cwd=tmp_path)).out)
    assert Path(home).is_relative_to(clean_python.parent.parent)
    assert not any(Path(each).is_relative_to(ROOT) for each in path if each)


def test_no_extra_was_installed(clean_python: Path, tmp_path: Path) -> None:
    for name in ("mcp", "rich", "psycopg", "pytest"):
        assert ran(clean_python, "-c", f"import {name}", cwd=tmp_path).code == 1, name
    assert ran(clean_python, "-c", "import click, apsw", cwd=tmp_path).code == 0


def test_the_installed_command_says_its_version(installed: Run) -> None:
    assert PROJECT["version"] in well(installed("--version")).out


def test_the_module_runs_like_the_command(clean_python: Path, tmp_path: Path) -> None:
    ended = well(ran(clean_python, "-m", "muniment", "--version", cwd=tmp_path))
    assert PROJECT["version"] in ended.out


def test_a_vault_is_made_written_asked_and_proven_with_the_wheel_alone(installed: Run) -> None:
    assert "Made a vault" in well(installed("init")).out
    receipt = json.loads(well(installed("--json", "remember", "The deploy key rotates on Mondays")).out)
    assert receipt["verdict"] == "stored"
    answer = json.loads(well(installed("--json", "recall", "when does the deploy key rotate?")).out)
    assert [hit["id"] for hit in answer["hits"]] == [receipt["id"]]
    assert "All holds" in well(installed("verify")).out


def test_meaning_is_found_with_the_table_in_the_wheel(installed: Run) -> None:
    well(installed("init"))
    well(installed("remember", "Our physician prescribed antibiotics for the infection"))
    document = json.loads(well(installed("--json", "status")).out)
    assert document["embedder"] not in {"", "off"}
    off = json.loads(well(installed("--json", "status", MUNIMENT_EMBEDDER="off")).out)
    assert off["embedder"] == "off"


def test_the_library_works_with_the_wheel_alone(clean_python: Path, tmp_path: Path) -> None:
    program = (
        "import muniment\n"
        "with muniment.open('vault.db') as vault:\n"
        "    kept = vault.remember('The ferry leaves at dawn')\n"
        "    assert vault.recall('ferry').hits[0].id == kept.id\n"
        "    assert not vault.verify().findings\n"
        "    print(kept.verdict)\n"
    )
    ended = well(ran(clean_python, "-c", program, cwd=tmp_path))
    assert ended.out.strip() == "stored"
    assert ended.errors == ""


def test_the_library_guards_data_with_assertions_switched_off(clean_python: Path, tmp_path: Path) -> None:
    program = (
        "import muniment\n"
        "assert False, 'assertions are on'\n"
        "with muniment.open('vault.db') as vault:\n"
        "    kept = vault.remember('The ferry leaves at dawn')\n"
        "    vault.reject(kept.id, reason='it sank')\n"
        "    print(vault.remember('The ferry leaves at dawn').reason)\n"
    )
    ended = well(ran(clean_python, "-O", "-c", program, cwd=tmp_path))
    assert ended.out.strip() == "rejected-value"


def test_the_demo_runs_with_the_wheel_alone(installed: Run) -> None:
    ended = well(installed("demo"))
    assert len(ended.out.splitlines()) > 10


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("serve", "--mcp"), "muniment[mcp]"),
        (("--vault", "postgresql://localhost/nowhere", "status"), "muniment[pg]"),
    ],
)
def test_what_needs_an_extra_names_it(installed: Run, arguments: tuple[str, ...], extra: str) -> None:
    ended = installed(*arguments)
    assert ended.code not in {0, 70}
    assert extra in ended.errors
    assert "Traceback" not in ended.errors


def test_the_package_says_that_it_is_typed(clean_python: Path, tmp_path: Path) -> None:
    asked = "import pathlib, muniment; print((pathlib.Path(muniment.__file__).parent / 'py.typed').exists())"
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert well(ran(clean_python, "-c", asked, cwd=tmp_path)).out.strip() == "True"
