"""Are the names that callers rely on there, with the arguments that they were promised?

A signature may grow and may not change: these lists are a promise to other people's programs.
"""

import ast
import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import muniment
from muniment import wiring
from muniment.recall.question import Answer, AnswerOutcome, Hit
from muniment.service.receipt import Receipt
from muniment.service.session import Session
from muniment.service.vault import Vault
from tests.conftest import ROOT

VERBS: dict[str, set[str]] = {
    "remember": {"text"},
    "recall": {"text"},
    "read": {"id", "when", "known_at"},
    "history": {"id"},
    "why": {"id"},
    "revise": {"id"},
    "succeed": {"id"},
    "retract": {"id", "reason"},
    "reject": {"id", "reason"},
    "lift": {"tombstone", "reason"},
    "retire": {"id"},
    "revive": {"id"},
    "session": {"name", "agent", "space"},
    "acting_as": {"actor", "role", "space"},
    "ingest": {"document", "source"},
    "settle": set(),
    "run_jobs": set(),
    "log": set(),
    "verify": set(),
    "checkpoint": set(),
    "export": {"path"},
    "import_": {"path"},
    "restore": {"path"},
    "link": {"type", "weight"},
    "close": set(),
}
REMEMBERED = {
    "kind", "about", "attribute", "value", "valid_from", "evidence", "tags", "space", "strict",
}  # fmt: skip
ASKED = {"k", "budget_tokens", "as_of", "known_at", "include"}
SESSION = {"append", "append_all", "label", "remember", "recall"}


def named(function: object) -> set[str]:
    """Return the arguments of a function by name, those of an unpacked dictionary included."""
    signature = inspect.signature(function)  # type: ignore[arg-type]  # any callable
    found = set()
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            # Only this annotation is read: others may name what is imported late.
            fields = parameter.annotation
            if isinstance(fields, str):
                fields = eval(fields, function.__globals__)  # type: ignore[attr-defined]  # a function
            found |= set(typing.get_args(fields)[0].__annotations__)
        else:
            found.add(parameter.name)
    return found


@pytest.mark.parametrize("verb", VERBS)
def test_a_vault_has_every_verb_with_its_arguments(verb: str) -> None:
    assert named(getattr(Vault, verb)) >= VERBS[verb]


def test_what_is_remembered_can_be_said_in_full() -> None:
    assert named(Vault.remember) >= REMEMBERED
    assert named(Session.remember) >= REMEMBERED - {"space"}


def test_a_question_has_its_bounds_and_both_times() -> None:
    assert named(Vault.recall) >= ASKED
    assert named(Session.recall) >= ASKED


def test_a_session_has_its_verbs() -> None:
    assert set(dir(Session)) >= SESSION
    assert named(Session.append) >= {"role", "text", "at", "data_class", "untrusted"}


def test_a_receipt_says_verdict_and_what_next() -> None:
    assert set(dir(Receipt)) >= {"verdict", "reason", "id", "version", "record", "conflict", "next"}


def test_an_answer_says_what_was_found_and_what_was_not() -> None:
    assert set(dir(Answer)) >= {"hits", "label", "withheld", "outcome", "render"}
    assert {"found", "nothing", "degraded"} <= {each.value for each in AnswerOutcome}


def test_a_hit_carries_where_it_comes_from() -> None:
    assert set(dir(Hit)) >= {
        "id", "text", "source", "tag", "trust", "valid", "recorded", "label", "strength", "evidence",
    }  # fmt: skip


def test_the_package_opens_a_vault() -> None:
    assert muniment.open is wiring.open_vault
    assert named(muniment.open) >= {"address", "key"}
    assert set(muniment.__all__) == {
        "MunimentError",
        "__version__",
        "hints",
        "open",
        "project",
        "reference_vault",
    }


def test_every_public_name_is_there_and_listed() -> None:
    for name in muniment.__all__:
        assert getattr(muniment, name) is not None
        assert name in dir(muniment)


def test_a_name_that_does_not_exist_is_said_to_be_absent() -> None:
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        muniment.opne  # type: ignore[attr-defined]  # the point of the test
    assert not hasattr(muniment, "wiring_")


def test_importing_the_package_loads_nothing_that_it_does_not_need() -> None:
    program = (
        "import sys, muniment\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in "
        "{'apsw', 'click', 'cryptography', 'regex', 'mcp', 'psycopg', 'muniment'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src")},
        check=True,
    )
    assert ast.literal_eval(done.stdout) == ["muniment"]


def test_opening_an_embedded_vault_loads_no_server_and_no_surface(tmp_path: Path) -> None:
    program = (
        "import sys, muniment\n"
        f"muniment.open({str(tmp_path / 'vault.db')!r}).close()\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & "
        "{'apsw', 'click', 'mcp', 'psycopg', 'rich', 'numpy', 'socketserver', 'http'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src"), "MUNIMENT_HOME": str(tmp_path)},
        check=True,
    )
    assert ast.literal_eval(done.stdout) == ["apsw"]


def test_a_vault_is_a_context(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        assert isinstance(vault, Vault)
        vault.remember("The ferry leaves at dawn")
    with pytest.raises(muniment.MunimentError, match="closed"):
        vault.remember("after")
    vault.close()


def test_a_refusal_is_a_receipt_unless_the_caller_is_strict(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        receipt = vault.remember("")
        assert receipt.refused
        assert receipt.reason and receipt.next
        with pytest.raises(muniment.MunimentError):
            vault.remember("", strict=True)
