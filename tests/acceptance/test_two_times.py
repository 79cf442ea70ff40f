"""Are the twelve questions of two times answered right, on every store and surface?"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import muniment
from muniment.recall.envelope import parsed as parsed_texts
from muniment.service.vault import Vault
from tests.acceptance.two_times import NOTHING, ROWS, Row, at, lived
from tests.builders import FakeClock, clocked_vault
from tests.surfaces.mcp.clients import call, text_of

NAMES = [row.name for row in ROWS]


def _fields(row: Row) -> dict[str, str]:
    given = {"as_of": row.as_of, "known_at": row.known_at}
    return {name: at(day).isoformat() for name, day in given.items() if day is not None}


def _answered(hits: list[str]) -> str:
    memories = [text for text in hits if text.startswith("Ria")]
    assert len(memories) <= 1, f"two answers to one question: {memories}"
    return memories[0] if memories else NOTHING


def test_there_are_twelve_questions_of_different_kinds() -> None:
    assert len(ROWS) == len(set(NAMES)) == 12
    assert sum(row.expected == NOTHING for row in ROWS) >= 3
    assert len({(row.as_of is None, row.known_at is None) for row in ROWS}) == 3


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_library_answers_at_both_times(vault: Vault, clock: FakeClock, row: Row) -> None:
    lived(vault, clock)
    answer = vault.recall(row.question, k=1, kinds=["fact"], **_fields(row))
    assert _answered([hit.text for hit in answer.hits]) == row.expected
    assert vault.status().counts["evidence"] >= 200


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a vault in which the story was told; its keys lie beside it."""
    clock = FakeClock(at("2026-01-01"))
    path = tmp_path_factory.mktemp("story") / "vault.db"
    vault = clocked_vault(path, clock)
    lived(vault, clock)
    vault.close()
    return path


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_command_line_answers_the_same(told: Path, row: Row) -> None:
    command = [sys.executable, "-m", "muniment", "recall", row.question, "--vault", str(told), "--json"]
    for name, moment in _fields(row).items():
        command += [f"--{name.replace('_', '-')}", moment]
    done = subprocess.run(
        [*command, "--kind", "fact", "-k", "1"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    answer = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert _answered([hit["text"] for hit in answer["hits"]]) == row.expected


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_tool_call_answers_the_same(told: Path, row: Row) -> None:
    with muniment.open(told) as vault:
        result = call(vault, "recall", query=row.question, k=1, **_fields(row))
    assert not result.is_error, text_of(result)
    assert _answered(parsed_texts(text_of(result))) == row.expected
