"""Does a vault that many agents use at once lose a write, or keep one of them waiting?"""

import json
from collections import Counter
from pathlib import Path

import pytest

import muniment
from bench import load
from bench.load import Driven, Load
from tests import postgres


def test_four_agents_for_three_seconds_lose_nothing_and_none_is_kept_out(tmp_path: Path) -> None:
    found = load.run(Load(str(tmp_path / "vault.db"), agents=4, seconds=3.0))
    assert (found.lost, found.errors, found.holds) == (0, {}, True)
    assert found.writes > 40
    assert found.recalls > 10
    assert 0 < found.write_p50 <= found.write_p99 <= found.write_longest
    # Without a queue one agent of four got two writes in while another got three hundred.
    assert found.fairness < 3, found.writes_by_agent


def test_writers_alone_take_turns(tmp_path: Path) -> None:
    found = load.run(Load(str(tmp_path / "vault.db"), agents=3, seconds=1.5, writes_only=True))
    assert (found.lost, found.recalls, found.holds) == (0, 0, True)
    # On a busy machine one may begin half a second late; without a queue it was a hundred to one.
    assert found.fairness < 3, found.writes_by_agent


def test_a_write_that_is_not_there_is_counted_as_lost() -> None:
    driven = [Driven(acknowledged=["m_1", "m_2"], errors=Counter(busy=2), writes=[0.002, 0.004])]
    summary = load._summary(Load("x"), [*driven, Driven(writes=[0.001])], there={"m_2"}, holds=True)
    assert (summary.lost, summary.errors) == (1, {"busy": 2})
    assert (summary.writes_by_agent, summary.fairness) == ([1, 2], 2.0)
    assert (summary.write_p50, summary.recall_p99) == (2.0, 0.0)


def test_an_error_is_counted_by_its_code_and_nothing_is_taken_for_acknowledged(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        driven = Driven()
        load._once(vault, driven, lambda held, mark: [held.read("m_" + "0" * 26).id], mark="a-1")
        assert driven.errors == Counter({"not-found": 1})
        assert (driven.acknowledged, driven.writes) == ([], [])
        load._once(vault, driven, lambda held, mark: [held.remember(mark).id], mark="a-2")
        assert (len(driven.acknowledged), len(driven.writes)) == (1, 1)


@pytest.mark.parametrize(("lost", "holds", "code"), [(0, True, 0), (1, True, 1), (0, False, 1)])
def test_a_loss_or_a_broken_row_fails_the_run(
    lost: int, holds: bool, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = set() if lost else {"m_1"}
    found = load._summary(Load("x"), [Driven(acknowledged=["m_1"])], there=there, holds=holds)
    monkeypatch.setattr(load, "run", lambda _: found)
    assert load.main(["vault.db", "--agents", "2"]) == code


def test_the_answer_of_a_run_is_one_document_on_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = load._summary(Load("x"), [Driven(acknowledged=["m_1"])], there={"m_1"}, holds=True)
    monkeypatch.setattr(load, "run", lambda _: found)
    assert load.main(["vault.db"]) == 0
    assert json.loads(capsys.readouterr().out)["lost"] == 0


def test_four_agents_on_a_server_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    found = load.run(Load(postgres.migrated_database().application, agents=4, seconds=3.0))
    assert (found.lost, found.errors, found.holds) == (0, {}, True)
    assert found.writes > 40
    assert found.recalls > 10
