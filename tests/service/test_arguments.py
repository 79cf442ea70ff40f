"""Is every wrong argument named, and is nothing guessed?"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment import limits
from muniment.domain.evidence import Span
from muniment.domain.ids import spelled
from muniment.domain.intent import Source
from muniment.domain.memory import Kind
from muniment.errors import BadInput, BadTime, MunimentError, NotFound
from muniment.service import arguments
from muniment.service.vault import Vault
from tests.builders import START, stored

MEMORY, EVIDENCE = f"m_{spelled(1)}", f"e_{spelled(2)}"
NO_TEXT = (5, 1.5, True, b"bytes", ["a"], {"a": 1}, object())


@pytest.mark.parametrize("value", NO_TEXT)
def test_what_is_no_text_is_named(value: object) -> None:
    with pytest.raises(BadInput, match="`colour`"):
        arguments.text_of("colour", value)


def test_a_text_that_was_not_given_is_the_default() -> None:
    assert arguments.text_of("colour", None) == ""
    assert arguments.text_of("colour", None, default="teal") == "teal"
    assert arguments.text_of("colour", "") == ""


@pytest.mark.parametrize("value", [True, 2.0, "2", None, 0, 4])
def test_what_is_no_whole_number_within_its_bounds_is_named(value: object) -> None:
    with pytest.raises(BadInput, match="`size`"):
        arguments.whole_of("size", value, least=1, most=3)


def test_both_bounds_of_a_whole_number_are_allowed() -> None:
    assert [arguments.whole_of("size", value, least=1, most=3) for value in (1, 3)] == [1, 3]


def test_one_text_is_a_list_of_one() -> None:
    assert arguments.texts_of("tags", "sea") == ("sea",)
    assert arguments.texts_of("tags", ["sea", "sky"]) == ("sea", "sky")
    assert arguments.texts_of("tags", None) == arguments.texts_of("tags", ()) == ()


@pytest.mark.parametrize("value", [5, ["a", 5], {"a": "b"}, b"bytes", {"a"}, object()])
def test_what_is_no_list_of_texts_is_named(value: object) -> None:
    with pytest.raises(BadInput, match="`tags`"):
        arguments.texts_of("tags", value)


def test_a_moment_becomes_utc() -> None:
    local = datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    found = arguments.moment_of("at", local, now=START)
    assert found == local
    assert found is not None and found.tzinfo is UTC
    assert arguments.moment_of("at", "2026-07-01T12:00:00+02:00", now=START) == local
    assert arguments.moment_of("at", "3d", now=START) == START - timedelta(days=3)


@pytest.mark.parametrize("value", [None, ""])
def test_a_moment_that_was_not_given_is_none(value: object) -> None:
    assert arguments.moment_of("at", value, now=START) is None


@pytest.mark.parametrize("value", [5, 1.5, b"2026", ["2026"], True])
def test_what_is_no_moment_is_named(value: object) -> None:
    with pytest.raises(BadTime, match="`at`"):
        arguments.moment_of("at", value, now=START)


def test_a_moment_without_a_zone_is_refused_and_not_guessed() -> None:
    with pytest.raises(BadTime, match="time zone"):
        arguments.moment_of("at", datetime(2026, 7, 1), now=START)
    with pytest.raises(BadTime):
        arguments.moment_of("at", "2026-07-01T12:00:00", now=START)


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_its_name(kind: Kind) -> None:
    assert arguments.kind_of(kind.value) is kind


@pytest.mark.parametrize("value", ["", "Fact", "facts", 5, None, ["fact"]])
def test_a_kind_that_does_not_exist_is_named_with_those_that_do(value: object) -> None:
    with pytest.raises(BadInput, match="fact, preference"):
        arguments.kind_of(value)


@pytest.mark.parametrize("value", ["", "Private", "top", 1, None])
def test_a_class_that_does_not_exist_is_named_with_those_that_do(value: object) -> None:
    assert arguments.class_of("secret").name == "SECRET"
    with pytest.raises(BadInput, match="public, private or secret"):
        arguments.class_of(value)


def test_evidence_is_ids_or_sources_each_once() -> None:
    part = Source(EVIDENCE, Span(3, 9))
    assert arguments.sources_of([MEMORY, part, MEMORY]) == (Source(MEMORY), part)
    assert arguments.sources_of(None) == arguments.sources_of([]) == ()


@pytest.mark.parametrize(
    "value",
    [
        "",
        MEMORY,
        5,
        [5],
        ["nonsense"],
        [""],
        [f"s_{spelled(1)}"],
        [f"t_{spelled(1)}"],
        [MEMORY.upper() + "x"],
    ],
)
def test_evidence_that_is_no_list_of_ids_is_refused(value: object) -> None:
    with pytest.raises(BadInput, match="`evidence`"):
        arguments.sources_of(value)


@pytest.mark.parametrize(("value", "number"), [(None, None), (0, None), (1, 1), (7, 7)])
def test_an_expected_version_is_a_number_from_one(value: object, number: int | None) -> None:
    assert arguments.version_number(value) == number


@pytest.mark.parametrize("value", [-1, True, 1.0, "1", [1]])
def test_what_is_no_version_number_is_refused(value: object) -> None:
    with pytest.raises(BadInput, match="`expected_version`"):
        arguments.version_number(value)


@pytest.mark.parametrize("value", [0, 1, limits.page_rows_max])
def test_a_page_may_be_as_large_as_its_bound(value: int) -> None:
    assert arguments.page_limit(value) == value


Verb = Callable[[Vault, str], object]

WRONG: dict[str, Verb] = {
    "a text of a number": lambda vault, id: vault.remember(5),
    "a kind that does not exist": lambda vault, id: vault.remember("x", kind="thought"),
    "tags of a number": lambda vault, id: vault.remember("x", tags=5),
    "a space of a number": lambda vault, id: vault.remember("x", space=5),
    "a space that cannot be": lambda vault, id: vault.remember("x", space="a//b"),
    "a class that does not exist": lambda vault, id: vault.remember("x", data_class="cosmic"),
    "evidence of a text": lambda vault, id: vault.remember("x", evidence=id),
    "evidence that is no id": lambda vault, id: vault.remember("x", evidence=["it was said"]),
    "a time without a zone": lambda vault, id: vault.remember("x", valid_from=datetime(2026, 1, 1)),
    "a time of words": lambda vault, id: vault.remember("x", expires_at="soonish"),
    "a question of a number": lambda vault, id: vault.recall(5),
    "a k of a text": lambda vault, id: vault.recall("x", k="5"),
    "a budget below nothing": lambda vault, id: vault.recall("x", budget_tokens=-1),
    "a budget of a truth": lambda vault, id: vault.recall("x", budget_tokens=True),
    "a state that does not exist": lambda vault, id: vault.recall("x", include=["forgotten"]),
    "a kind asked that does not exist": lambda vault, id: vault.recall("x", kinds=["thought"]),
    "a source that does not exist": lambda vault, id: vault.recall("x", sources=["rumour"]),
    "a moment asked of a number": lambda vault, id: vault.recall("x", as_of=5),
    "a reason of a number": lambda vault, id: vault.revise(id, text="y", reason=5),
    "a version of a text": lambda vault, id: vault.revise(id, text="y", expected_version="1"),
    "a value of a number": lambda vault, id: vault.succeed(id, text="y", value=5),
    "a verdict that does not exist": lambda vault, id: vault.judge(id, "adore"),
    "a verdict with a verb of its own": lambda vault, id: vault.judge(id, "lift"),
    "a link of no type": lambda vault, id: vault.link(id, id, type="adores"),
    "a weight of a text": lambda vault, id: vault.link(id, id, type="refers_to", weight="1"),
    "a state listed that does not exist": lambda vault, id: vault.memories(states=["forgotten"]),
    "a page beyond its bound": lambda vault, id: vault.memories(limit=limits.page_rows_max + 1),
    "a page of sessions below nothing": lambda vault, id: vault.sessions(limit=-1),
    "a role that does not exist": lambda vault, id: vault.acting_as(actor="x", role="emperor"),
    "the system's own role": lambda vault, id: vault.acting_as(actor="x", role="system"),
    "an actor without a name": lambda vault, id: vault.acting_as(actor="  "),
    "a document of a number": lambda vault, id: vault.ingest(5, source="x"),
    "a document from nowhere": lambda vault, id: vault.ingest("x", source=" "),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_is_the_callers_mistake_and_changes_nothing(vault: Vault, name: str) -> None:
    id = stored(vault.remember("The ferry leaves at dawn")).id
    before = vault.status()
    with pytest.raises(MunimentError) as caught:
        WRONG[name](vault, id)
    assert caught.value.code in {"bad-input", "bad-time", "bad-call"}, caught.value
    assert vault.status() == before


ABSENT: dict[str, Verb] = {
    "read": lambda vault, id: vault.read(id),
    "history": lambda vault, id: vault.history(id),
    "why": lambda vault, id: vault.why(id),
}


@pytest.mark.parametrize("name", ABSENT)
def test_reading_what_is_not_there_is_an_error(vault: Vault, name: str) -> None:
    with pytest.raises(NotFound):
        ABSENT[name](vault, MEMORY)


CHANGES: dict[str, Callable[[Vault, str], object]] = {
    "revise": lambda vault, id: vault.revise(id, text="y", reason="z"),
    "succeed": lambda vault, id: vault.succeed(id, text="y"),
    "retract": lambda vault, id: vault.retract(id, reason="z"),
    "reject": lambda vault, id: vault.reject(id, reason="z"),
    "retire": lambda vault, id: vault.retire(id, reason="z"),
    "revive": lambda vault, id: vault.revive(id, reason="z"),
    "lift": lambda vault, id: vault.lift(id, reason="z"),
    "link": lambda vault, id: vault.link(id, id, type="refers_to"),
}


@pytest.mark.parametrize("verb", CHANGES)
@pytest.mark.parametrize("id", [MEMORY, "", "nonsense", f"t_{spelled(9)}"])
def test_changing_what_is_not_there_changes_nothing(vault: Vault, verb: str, id: str) -> None:
    """A refusal is an answer, with its reason; a wrong id is never a traceback."""
    stored(vault.remember("The ferry leaves at dawn"))
    before = vault.status().counts["version"]
    try:
        receipt = CHANGES[verb](vault, id)
    except MunimentError as error:
        assert error.code in {"not-found", "bad-input", "forbidden-move"}
    else:
        assert receipt.refused and receipt.reason  # type: ignore[attr-defined]  # a receipt
    assert vault.status().counts["version"] == before
