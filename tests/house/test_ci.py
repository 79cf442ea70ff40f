"""Can a suite vanish unseen?  The table of suites is compared with the tests that exist."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.house import source

SCRIPT = source.ROOT / ".ci" / "suites.py"


@pytest.fixture(scope="module")
def suites() -> ModuleType:
    spec = importlib.util.spec_from_file_location("suites", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["suites"] = module
    spec.loader.exec_module(module)
    return module


def _report(tmp_path: Path, *cases: str) -> Path:
    place = tmp_path / "report.xml"
    place.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>", encoding="utf-8")
    return place


def _case(where: str, inner: str = "") -> str:
    return f'<testcase classname="{where}" name="test_x" time="0">{inner}</testcase>'


def test_every_directory_of_tests_is_in_the_table(suites: ModuleType) -> None:
    listed = {suite.place for suite in suites.SUITES}
    held = {
        module.path
        for module in source.modules("tests")
        if source.tests_in(module)
        if not any(module.path.startswith(f"{place}/") or module.path == place for place in listed)
    }
    assert not held, f"no suite covers: {sorted(held)}"


def test_every_suite_of_the_table_has_tests(suites: ModuleType) -> None:
    paths = [module.path for module in source.modules("tests") if source.tests_in(module)]
    empty = [
        suite.place
        for suite in suites.SUITES
        if not any(path.startswith(f"{suite.place}/") or path == suite.place for path in paths)
    ]
    assert not empty, f"no tests in: {empty}"


def test_a_full_report_passes_and_is_counted(suites: ModuleType, tmp_path: Path) -> None:
    report = _report(
        tmp_path,
        *(_case(suite.place.replace("/", ".").removesuffix(".py") + ".test_a") for suite in suites.SUITES),
        _case("tests.house.test_a", '<skipped message="shared data absent: locomo"/>'),
    )
    found = subprocess.run(
        [sys.executable, str(SCRIPT), str(report)], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout
    assert found.stdout.splitlines()[-1] == f"{len(suites.SUITES)} passed, 0 failed, 1 skipped"


def test_an_absent_suite_fails_the_run(suites: ModuleType, tmp_path: Path) -> None:
    report = _report(tmp_path, _case("tests.house.test_a"))
    faults = suites.faults(suites.read(report))
    assert any("tests/contract" in fault for fault in faults)
    assert not any("tests/house" in fault for fault in faults)


def test_a_suite_that_was_only_skipped_fails_the_run(suites: ModuleType, tmp_path: Path) -> None:
    skipped = _case("tests.contract.test_a", '<skipped message="shared data absent: locomo"/>')
    faults = suites.faults(suites.read(_report(tmp_path, skipped)))
    assert any("tests/contract" in fault for fault in faults)


def test_a_skip_for_another_reason_fails_the_run(suites: ModuleType, tmp_path: Path) -> None:
    skipped = _case("tests.house.test_a", '<skipped message="did not feel like it"/>')
    faults = suites.faults(suites.read(_report(tmp_path, skipped)))
    assert any("did not feel like it" in fault for fault in faults)


def test_a_failure_or_an_error_fails_the_run(suites: ModuleType, tmp_path: Path) -> None:
    report = _report(
        tmp_path,
        _case("tests.house.test_a", '<failure message="no"/>'),
        _case("tests.house.test_b", '<error message="no"/>'),
    )
    outcome = suites.read(report)
    assert (outcome.passed, outcome.failed, outcome.skipped) == (0, 2, 0)
    assert sum("tests.house" in fault for fault in suites.faults(outcome)) == 2
