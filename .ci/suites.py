"""Did every suite that must run, run?  Reads pytest's report and fails on what is absent or skipped."""

import sys
import xml.etree.ElementTree as tree
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Suite(NamedTuple):
    """A directory or file of tests that may not vanish, and what would go unnoticed without it."""

    place: str
    holds: str


SUITES = (
    Suite("tests/house", "the house rules"),
    Suite("tests/test_errors.py", "the tree of errors"),
    Suite("tests/test_later.py", "what is loaded only when it is used"),
    Suite("tests/test_limits.py", "every bound, and what happens at it"),
    Suite("tests/test_limits_held.py", "which test shows the edge of each bound"),
    Suite("tests/test_public_face.py", "the names that callers rely on"),
    Suite("tests/test_settings.py", "what can be set from outside"),
    Suite("tests/test_wiring.py", "which classes stand behind the ports"),
    Suite("tests/domain", "the nouns and their laws"),
    Suite("tests/gate", "every step of the gate"),
    Suite("tests/recall", "eligibility, ranking, packing, envelope"),
    Suite("tests/prompt", "what a prompt is made of"),
    Suite("tests/service", "the use cases"),
    Suite("tests/store", "SQL, migrations' runner, codec"),
    Suite("tests/adapters", "clock, keys, analyser, embedders, importers"),
    Suite("tests/drivers", "retrieval drivers and their conformance kit"),
    Suite("tests/contract", "one suite for every store"),
    Suite("tests/histories", "random histories against the reference store"),
    Suite("tests/concurrency", "many threads and processes at one vault"),
    Suite("tests/crash", "what a killed process and a full disk leave behind"),
    Suite("tests/migrations", "every old schema opens and equals the new one"),
    Suite("tests/erasure", "what is erased, what stays, and what proves it"),
    Suite("tests/attacks", "what an attacker tries, by name"),
    Suite("tests/acceptance", "the portable acceptance tests"),
    Suite("tests/conformance", "the suites that measure any memory, and where the floors fall"),
    Suite("tests/field", "runs over material as people have it"),
    Suite("tests/surfaces/test_problems.py", "one table of errors for every surface"),
    Suite("tests/surfaces/test_plain.py", "one shape for every answer in JSON"),
    Suite("tests/surfaces/test_shapes.py", "what a call may hold, read by one table"),
    Suite("tests/surfaces/test_shapes_units.py", "every coercion of that table, at its edges"),
    Suite("tests/surfaces/cli", "the command line"),
    Suite("tests/surfaces/mcp", "the tools of an agent"),
    Suite("tests/surfaces/http", "the sockets of the daemon, and what each may do"),
    Suite("tests/bench", "the harness that measures"),
    Suite("tests/docs", "the tour: every command and example of the guide"),
    Suite("tests/packaging", "wheel and source distribution in a clean environment"),
)

# A skip with another reason is a failure: a test that did not run proves nothing.
# These name material that is not ours to ship.
ALLOWED_SKIPS = ("shared data absent", "the Unicode data files are not here")


@dataclass
class Outcome:
    """What a report holds: counts, passes by place, failures and skips by name."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    passes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    skips: list[tuple[str, str]] = field(default_factory=list)


def read(report: Path) -> Outcome:
    """Read pytest's JUnit report."""
    outcome = Outcome()
    for case in tree.parse(report).getroot().iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            outcome.failed += 1
            outcome.failures.append(name)
        elif skip is not None:
            outcome.skipped += 1
            outcome.skips.append((name, skip.get("message") or ""))
        else:
            outcome.passed += 1
            outcome.passes.append(f"{case.get('classname')}.")
    return outcome


def faults(outcome: Outcome) -> list[str]:
    """Return why the run does not count, or nothing."""
    found = [f"failed: {name}" for name in outcome.failures]
    for name, reason in outcome.skips:
        if not reason.startswith(ALLOWED_SKIPS):
            found.append(f"skipped without leave: {name}: {reason}")
    for suite in SUITES:
        prefix = suite.place.removesuffix(".py").replace("/", ".") + "."
        if not any(where.startswith(prefix) for where in outcome.passes):
            found.append(f"nothing passed in {suite.place} ({suite.holds})")
    return found


def main(report: str) -> int:
    """Print the faults and, last, one line with the counts; return 1 when there is a fault."""
    outcome = read(Path(report))
    found = faults(outcome)
    for fault in found:
        print(fault)
    print(f"{outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
