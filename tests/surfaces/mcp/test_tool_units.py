"""Is one call of a tool answered with a reply, whatever happens inside? (I13)"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from muniment import errors
from muniment.errors import BadInput, MunimentError, Tampered
from muniment.service.vault import Vault
from muniment.surfaces.mcp.connection import Held
from muniment.surfaces.mcp.replies import Reply
from muniment.surfaces.mcp.tool import Tool, answered, no_such_tool
from muniment.surfaces.problems import UNEXPECTED, problem_of
from muniment.surfaces.shapes import Arguments, Case, Field, Form, Type
from tests.builders import CountingIds, FakeClock, reference_vault

SECRET = "the safe is behind the painting"
FORM = Form(
    fields=(
        Field("id", Type.NAME, "An id.", required=True),
        Field("mode", Type.CHOICE, "How.", default="now", choices=("now", "then")),
        Field("when", Type.NAME, "When."),
    ),
    example={"id": "m_1"},
    chooses="mode",
    cases={
        "now": Case(example={"id": "m_1", "mode": "now"}),
        "then": Case(example={"id": "m_1", "mode": "then", "when": "3d"}, needs=("when",)),
    },
    always=("id",),
)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    vault: Vault = reference_vault(tmp_path, clock=FakeClock(), ids=CountingIds())
    yield Held(vault.as_agent(actor="coder"))
    vault.close()


def tool(run: Callable[[Held, Arguments], Reply]) -> Tool:
    return Tool("Look", "Look at a thing.", FORM, run)


def raising(error: BaseException) -> Tool:
    def run(held: Held, arguments: Arguments) -> Reply:
        raise error

    return tool(run)


def test_a_tool_gets_its_hand_and_every_argument(held: Held) -> None:
    seen: list[tuple[Held, Mapping[str, object], frozenset[str]]] = []

    def run(who: Held, arguments: Arguments) -> Reply:
        seen.append((who, dict(arguments.values), arguments.given))
        return Reply("done")

    assert answered(tool(run), held, {"id": "m_9"}) == Reply("done")
    assert seen == [(held, {"id": "m_9", "mode": "now", "when": ""}, frozenset({"id"}))]


def test_a_call_that_does_not_fit_is_answered_and_nothing_runs(held: Held) -> None:
    def run(who: Held, arguments: Arguments) -> Reply:
        raise AssertionError("it ran")

    reply = answered(tool(run), held, {"mode": "then"})
    assert reply.is_error
    assert reply.structured["code"] == "bad-input"
    assert "`id` is missing" in reply.text


@pytest.mark.parametrize(
    ("raw", "example"),
    [
        ({}, {"id": "m_1"}),
        ({"mode": "then"}, {"id": "m_1", "mode": "then", "when": "3d"}),
        ({"id": "m", "mode": "then"}, {"id": "m_1", "mode": "then", "when": "3d"}),
        ({"id": "m", "mode": "sometimes"}, {"id": "m_1"}),
        ({"id": "m", "mode": ["then"]}, {"id": "m_1"}),
        ({"id": "m", "when": "3d"}, {"id": "m_1"}),
    ],
)
def test_an_error_shows_a_correct_call_of_what_was_meant(
    held: Held, raw: dict[str, object], example: dict[str, object]
) -> None:
    reply = answered(tool(lambda who, arguments: Reply("")), held, raw)
    assert reply.is_error
    assert reply.structured["example"] == example
    assert "Example: " in reply.text


ERRORS = [
    found for found in vars(errors).values() if isinstance(found, type) and issubclass(found, MunimentError)
]


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_of_ours_is_a_reply_with_its_code_sentence_and_advice(
    held: Held, kind: type[MunimentError]
) -> None:
    reply = answered(raising(kind("It went wrong.")), held, {"id": "m"})
    assert reply.is_error
    assert reply.structured == {
        "code": kind.code,
        "sentence": "It went wrong.",
        "advice": kind.advice,
        "example": {"id": "m_1"},
    }
    assert reply.text.split("\n")[:2] == [f"{kind.code}: It went wrong.", f"Next: {kind.advice}"]


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError(SECRET),
        KeyError(SECRET),
        ZeroDivisionError(),
        RecursionError(SECRET),
        UnicodeError(SECRET),
    ],
)
def test_what_nobody_foresaw_is_a_reply_without_its_text(held: Held, error: Exception) -> None:
    reply = answered(raising(error), held, {"id": "m"})
    assert reply.is_error
    assert reply.structured["code"] == UNEXPECTED
    assert SECRET not in reply.text + repr(reply.structured)
    assert type(error).__name__ in reply.text
    assert "Example" not in reply.text


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_whoever_ends_the_server_may_end_it(held: Held, error: BaseException) -> None:
    with pytest.raises(type(error)):
        answered(raising(error), held, {"id": "m"})


def test_an_error_of_stored_data_is_no_callers_mistake(held: Held) -> None:
    assert (
        answered(raising(Tampered("A row was altered.")), held, {"id": "m"}).structured["code"] == "tampered"
    )
    assert problem_of(Tampered("x")).http_status == 500
    assert problem_of(BadInput("x")).http_status == 400


def test_a_tool_that_is_not_there_is_answered_with_those_that_are() -> None:
    known = {"look": tool(lambda who, arguments: Reply("")), "find": tool(lambda who, arguments: Reply(""))}
    reply = no_such_tool("lok", known)
    assert reply.is_error
    assert reply.text == "bad-input: There is no tool `lok`.\nNext: The tools are: look, find."
    assert reply.structured["example"] == {}


def test_the_name_of_a_tool_that_is_not_there_is_shown_in_part() -> None:
    reply = no_such_tool("x" * 5_000, {})
    assert "x" * 40 in reply.text
    assert "x" * 41 not in reply.text


def test_a_tool_says_nothing_of_itself_that_was_not_said() -> None:
    plain = tool(lambda who, arguments: Reply(""))
    assert (plain.read_only, plain.destructive, plain.idempotent) == (False, False, False)
