"""Does the demo show what it claims, in eight readable steps, and again the same?"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.surfaces.cli.demo_acts import disguises
from tests.conftest import ROOT
from tests.surfaces.cli.conftest import Ended, Home, Run


@pytest.fixture(scope="module")
def facts_of() -> Callable[[Ended], dict[str, dict[str, object]]]:
    def found(done: Ended) -> dict[str, dict[str, object]]:
        assert done.code == 0, done.errors
        shaped = json.loads(done.raw)
        assert isinstance(shaped, dict)
        return shaped

    return found


def test_the_story_shows_what_it_claims(
    quick: Run, facts_of: Callable[[Ended], dict[str, dict[str, object]]]
) -> None:
    facts = facts_of(quick("--json", "demo"))
    assert facts["taken"] == {"added": 89, "again": 0, "sessions": 9}
    assert facts["answers"] == {
        "Where does Zoë live?": "Zoë Lindqvist lives in Lisbon",
        "On which day does the deploy key rotate?": "The deploy key rotates on Mondays",
        "When is the launch?": "The launch is on 14 September",
        "What is Zoë allergic to?": "Zoë Lindqvist is allergic to hazelnuts",
        "Wann kommt Jördis nach Lissabon?": (
            "Meine Schwester Jördis kommt vom 12. bis 16. Juni nach Lissabon. Da arbeite ich nur vormittags."
        ),
        "Who won the football match?": "Nothing covers this.",
    }
    assert facts["then"] == "Zoë Lindqvist lives in Berlin"
    assert facts["corrected"] == {
        "now": "The staging server is on port 8091",
        "then": "The staging server is on port 8090",
        "versions": 2,
    }
    assert facts["rejected"] == {"agent": "person-only", "person": "stored"}
    _refused(facts["restated"])
    assert facts["verified"]["ok"] is True
    assert facts["tampered"] == {"ok": False, "findings": ["altered-row"], "served": False}


def _refused(restated: dict[str, object]) -> None:
    assert len(restated) == 4
    for how, outcome in restated.items():
        verdict, reason = str(outcome).split(": ")
        assert verdict == "refused", how
        assert reason in ("rejected-value", "look-alike-of-rejected", "characters")


def test_the_demo_reads_as_eight_short_screens_of_eighty_columns(run: Run) -> None:
    done = run("demo", env={"PYTHONIOENCODING": "utf-8"})
    assert done.code == 0
    assert re.findall(r"^(\d)/8  ", done.out, re.MULTILINE) == list("12345678")
    assert max(len(line) for line in done.out.splitlines()) <= 80
    screens = re.split(r"^\d/8  ", done.out, flags=re.MULTILINE)[1:]
    assert max(len(screen.splitlines()) for screen in screens) <= 45
    assert "\x1b" not in done.out
    for said in ("Tomáš Havel, 2026-06-22", "heron-5", "Nothing covers this.", "altered-row", "mcpServers"):
        assert said in done.out
    assert "claude mcp add muniment -- muniment serve --mcp" in done.out


def test_the_page_that_shows_the_demo_shows_what_it_prints(run: Run) -> None:
    """The README once said one superseded memory where the demo had come to print two."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (excerpt,) = re.findall(r"^## What you will see$.*?^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    printed, shown = _nameless(run("demo", env={"PYTHONIOENCODING": "utf-8"}).out), _nameless(excerpt)
    answers = re.findall(r"^\? .*\n(?: .*\n)+", shown, re.MULTILINE)
    assert len(answers) == 2
    # An answer is shown whole; of the rest some lines are left out.
    assert [answer for answer in answers if answer not in printed] == []
    lines = printed.splitlines()
    assert [line for line in shown.splitlines() if line and line not in lines] == []


def _nameless(text: str) -> str:
    return re.sub(r"\bm_[0-9a-v]{26}\b", "m_", text)


def test_the_demo_leaves_nothing_and_touches_nothing(quick: Run, home: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    first, second = quick("demo"), quick("demo")
    assert sorted(tmp_path.rglob("*")) == before
    assert not home.exists()
    nameless = [
        re.sub(r"[me]_[0-9a-v]{26}|[0-9a-f]{64}|\d{4}-11-\S+", "", done.out) for done in (first, second)
    ]
    assert _without_times(nameless[0]) == _without_times(nameless[1])


def _without_times(text: str) -> str:
    return " ".join(re.sub(r"\d{4}-\d\d-\d\dT\S+", "", text).split())


def test_a_demo_that_is_kept_can_be_looked_at_and_is_not_overwritten(quick: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert quick("demo", "--keep", str(kept)).code == 0
    vault = kept / "demo.db"
    assert quick("--vault", str(vault), "verify").code == 0
    assert quick("--vault", str(kept / "copy-demo.db"), "verify").code == 5
    content = vault.read_bytes()
    again = quick("demo", "--keep", str(kept))
    assert (again.code, again.code_shown) == (2, "bad-input")
    assert vault.read_bytes() == content


def _own(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    texts = (
        "The greenhouse controller lost its calibration after the firmware update.",
        "Then the hygrometer in the greenhouse is what we should look at first.",
        "I replaced the thermocouple of the kiln; it reads 1040 degrees again.",
        "Remember that the apprentice, Wilhelmina, has the key to the glazing room.",
    )
    turns = [
        {"session": "s", "id": str(n), "role": "user", "speaker": "Ada", "text": text}
        for n, text in enumerate(texts)
    ]
    path.write_text("\n".join(json.dumps(turn) for turn in turns), encoding="utf-8")
    return path


def test_ones_own_material_goes_through_the_same_steps(
    quick: Run, tmp_path: Path, facts_of: Callable[[Ended], dict[str, dict[str, object]]]
) -> None:
    facts = facts_of(quick("--json", "demo", "--from", str(_own(tmp_path))))
    assert facts["taken"] == {"added": 4, "again": 0, "sessions": 1}
    *found, unknown = facts["answers"].values()
    assert unknown == "Nothing covers this."
    assert len(found) == 4
    assert all(text != "Nothing covers this." for text in found)
    assert str(facts["corrected"]["now"]).startswith("On second thoughts: ")
    assert not str(facts["corrected"]["then"]).startswith("On second thoughts: ")
    assert facts["rejected"] == {"person": "stored"}
    _refused(facts["restated"])
    assert facts["verified"]["ok"] is True
    assert facts["tampered"] == {"ok": False, "findings": ["altered-row"], "served": False}


def test_a_claude_code_session_goes_through_the_same_steps(
    quick: Run, facts_of: Callable[[Ended], dict[str, dict[str, object]]]
) -> None:
    path = Path(__file__).parents[2] / "data" / "claude_code_fork.jsonl"
    facts = facts_of(quick("--json", "demo", "--from", str(path)))
    assert facts["taken"]["again"] == 0
    assert int(str(facts["taken"]["added"])) > 0
    _refused(facts["restated"])
    assert facts["tampered"]["ok"] is False


@pytest.mark.parametrize(
    "content", ["", "no conversation at all", '{"session": "s", "id": "1", "role": "user", "text": ""}']
)
def test_material_that_holds_nothing_is_named(quick: Run, tmp_path: Path, content: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(content, encoding="utf-8")
    done = quick("demo", "--from", str(path))
    assert (done.code, done.code_shown) == (2, "bad-input")


def test_every_disguise_is_another_text_and_reads_alike() -> None:
    for text in ("The office is in Paris", "ALL OF IT", "\u4e8b\u52d9\u6240\u306f\u6771\u4eac", "x"):
        shown = disguises(text)
        assert len({text, *shown.values()}) == 4, text


def test_the_demo_runs_under_a_narrow_encoding(run: Run, place: Home) -> None:
    done = run("demo", env={"PYTHONIOENCODING": "cp1252"})
    assert done.code == 0
    done.raw.decode("cp1252")
