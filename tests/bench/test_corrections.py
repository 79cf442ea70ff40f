"""Are the committed figures on corrections those of the rules as they are, and can they be bad?"""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench import corrections, kept
from bench.corrections import STREAMS, Pair, by_the_rules, in_a_vault, row


def test_what_is_committed_is_what_the_rules_say_now() -> None:
    tables = json.loads((kept.RESULTS / "corrections.json").read_text("utf-8"))
    (table,) = tables
    assert len(table["rows"]) == 2 * len(STREAMS)
    committed = {one["row"]: one["cells"] for one in table["rows"]}
    for stream in STREAMS:
        now = row("rules alone", by_the_rules, stream)
        assert committed[str(now["row"])] == now["cells"]


def test_a_vault_does_what_the_rules_say() -> None:
    pairs = [("I moved to Lisbon", "I live in Berlin"), ("I love Berlin", "I live in Berlin")]
    assert in_a_vault(pairs) == by_the_rules(pairs) == [True, False]


@pytest.mark.parametrize(
    ("answer", "precision", "recall", "made_up"),
    [(True, "0.500", "1.000", "78 of 78"), (False, None, "0.000", "0 of 78")],
)
def test_a_judge_that_always_says_the_same_is_shown_as_bad(
    answer: bool, precision: str | None, recall: str, made_up: str
) -> None:
    def always(pairs: Sequence[Pair]) -> list[bool]:
        return [answer for _ in pairs]

    cells = row("always", always, "written along with the rules")["cells"]
    assert isinstance(cells, dict)
    said = {name: cell["said"] for name, cell in cells.items()}
    assert (said["recall"], said["made up"]) == (recall, made_up)
    assert said["precision"] == (precision or "")


def test_a_quick_look_keeps_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corrections.run(quick=True, where=tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert "rules alone" in capsys.readouterr().out
    corrections.run(quick=False, where=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"corrections.json", "corrections.md"}
