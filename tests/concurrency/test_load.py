"""Does a vault that many agents use at once lose a write, or keep one of them waiting?"""

import json
from collections import Counter
from pathlib import Path

import pytest

import muniment
from bench import load
from bench.deeds import Deed, Step
from bench.load import Driven, Load
from tests import postgres


def _step(id: str) -> Step:
    return Step(Deed("remember", ("a note",)), "stored", "", id, 1, 0)


def test_four_agents_for_three_seconds_lose_nothing_and_none_is_kept_out(tmp_path: Path) -> None:
    found = load.run(Load(str(tmp_path / "vault.db"), agents=4, seconds=3.0))
    assert (found.lost, found.errors, found.holds) == (0, {}, True)
    assert (found.different, found.differences) == (0, [])
    assert found.writes > 40
    assert found.recalls > 10
    assert 0 < found.write_p50 <= found.write_p99 <= found.write_longest
    # Without a queue one agent of four got two writes in while another got three hundred.
    assert found.fairness < 3, found.writes_by_agent


def test_writers_alone_take_turns(tmp_path: Path) -> None:
    found = load.run(Load(str(tmp_path / "vault.db"), agents=3, seconds=1.5, writes_only=True))
    assert (found.lost, found.different, found.recalls, found.holds) == (0, 0, 0, True)
    # On a busy machine one may begin half a second late; without a queue it was a hundred to one.
    assert found.fairness < 3, found.writes_by_agent


def test_a_write_that_is_not_there_is_counted_as_lost() -> None:
    driven = [
        Driven(acknowledged=[_step("m_1"), _step("m_2")], errors=Counter(busy=2), writes=[0.002, 0.004])
    ]
    driven.append(Driven(writes=[0.001]))
    summary = load._summary(Load("x"), driven, there={"m_2"}, apart=[], holds=True)
    assert (summary.lost, summary.errors) == (1, {"busy": 2})
    assert (summary.writes_by_agent, summary.fairness) == ([1, 2], 2.0)
    assert (summary.write_p50, summary.recall_p99) == (2.0, 0.0)


def test_an_error_is_counted_by_its_code_and_nothing_is_taken_for_acknowledged(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        driven = Driven()
        assert load._once(vault, driven, Deed("append", ("", "coder", "a turn"))) is None
        assert driven.errors == Counter({"bad-input": 1})
        assert (driven.acknowledged, driven.writes) == ([], [])
        step = load._once(vault, driven, Deed("remember", ("a note",)))
        assert step is not None and step.id
        assert (driven.acknowledged, len(driven.writes)) == ([step], 1)
        assert load._once(vault, driven, "what does the note say?") is None
        assert (len(driven.recalls), len(driven.writes)) == (1, 1)


def test_a_run_on_a_vault_with_a_past_looks_at_its_own_writes_alone(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    for _ in range(2):
        found = load.run(Load(str(path), agents=1, seconds=0.3, writes_only=True))
        assert (found.lost, found.different, found.holds) == (0, 0, True)


def test_a_write_behind_the_agents_backs_is_a_difference(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        told = load.done(vault, Deed("remember", ("a note",)))
        whole = load._looked_at(vault, Load("x"), [Driven([told])], since=0)
        assert (whole.lost, whole.different) == (0, 0)
        vault.revise(told.id, "another note")
        vault.remember("a third note")
        found = load._looked_at(vault, Load("x"), [Driven([told])], since=0)
    assert (found.lost, found.different, len(found.differences)) == (0, 2, 2)


@pytest.mark.parametrize(
    ("lost", "apart", "holds", "code"),
    [(0, [], True, 0), (1, [], True, 1), (0, ["one"], True, 1), (0, [], False, 1)],
)
def test_a_loss_a_difference_or_a_broken_row_fails_the_run(
    lost: int, apart: list[str], holds: bool, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = set() if lost else {"m_1"}
    driven = [Driven(acknowledged=[_step("m_1")])]
    found = load._summary(Load("x"), driven, there=there, apart=apart, holds=holds)
    monkeypatch.setattr(load, "run", lambda _: found)
    assert load.main(["vault.db", "--agents", "2"]) == code


def test_the_answer_of_a_run_is_one_document_on_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    many = [f"difference {number}" for number in range(load.SHOWN_MAX + 1)]
    found = load._summary(Load("x"), [Driven([_step("m_1")])], there={"m_1"}, apart=many, holds=True)
    monkeypatch.setattr(load, "run", lambda _: found)
    assert load.main(["vault.db"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert (shown["lost"], shown["different"]) == (0, load.SHOWN_MAX + 1)
    assert shown["differences"] == many[: load.SHOWN_MAX], "all are counted, some are shown"


def test_four_agents_on_a_server_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    found = load.run(Load(postgres.migrated_database().application, agents=4, seconds=3.0))
    assert (found.lost, found.errors, found.holds) == (0, {}, True)
    assert (found.different, found.differences) == (0, [])
    assert found.writes > 40
    assert found.recalls > 10
