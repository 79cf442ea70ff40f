"""Do a caller's arguments become the edit that was meant, and is everything else named?"""

from datetime import UTC, datetime

import pytest

from muniment import limits
from muniment.domain.block import Block
from muniment.domain.block_edit import Action, Line, Operation
from muniment.domain.intent import EditBlock
from muniment.domain.label import PRIVATE
from muniment.domain.principal import ActorRole, Principal
from muniment.errors import BadInput
from muniment.service.arguments import Asker
from muniment.service.block_arguments import block_of, edit_intent, undo_intent

AGENT = Principal("local", "coder", ActorRole.AGENT, home="acme")
ASKER = Asker(AGENT, datetime(2026, 1, 5, tzinfo=UTC), PRIVATE, 7)


def read(**fields: object) -> EditBlock:
    return edit_intent(ASKER, fields)


def test_who_asks_comes_from_the_hand_and_not_from_the_arguments() -> None:
    intent = read(action="add", block="user", text="tea")
    assert (intent.principal, intent.read, intent.session) == (AGENT, PRIVATE, 7)
    assert intent.space == "acme"
    for name in ("principal", "session", "read", "label", "actor", "given"):
        with pytest.raises(BadInput, match=name):
            read(action="add", block="user", text="tea", **{name: "x"})


@pytest.mark.parametrize(
    ("fields", "action", "given", "operations"),
    [
        (
            {"action": "add", "block": "user", "text": "tea"},
            Action.ADD,
            {"block", "text"},
            (Operation(Action.ADD, "tea"),),
        ),
        (
            {"action": "replace", "block": "user", "old": "tea", "text": "milk"},
            Action.REPLACE,
            {"block", "old", "text"},
            (Operation(Action.REPLACE, "milk", "tea"),),
        ),
        (
            {"action": "remove", "block": "user", "old": "tea"},
            Action.REMOVE,
            {"block", "old"},
            (Operation(Action.REMOVE, old="tea"),),
        ),
        (
            {"action": "note", "text": "tea"},
            Action.NOTE,
            {"text"},
            (),
        ),
        (
            {
                "block": "user",
                "operations": [{"action": "add", "text": "a"}, {"action": "remove", "old": "b"}],
            },
            Action.BATCH,
            {"block", "operations"},
            (Operation(Action.ADD, "a"), Operation(Action.REMOVE, old="b")),
        ),
        (
            {"action": "batch", "block": "user", "operations": ({"action": "add", "content": "a"},)},
            Action.BATCH,
            {"block", "operations"},
            (Operation(Action.ADD, "a"),),
        ),
    ],
)
def test_each_action_is_read_with_the_parts_that_came(
    fields: dict[str, object], action: Action, given: set[str], operations: tuple[Operation, ...]
) -> None:
    intent = read(**fields)
    assert intent.action is action
    assert intent.given == given
    assert intent.operations == operations


def test_the_lines_of_a_consolidation_are_read() -> None:
    intent = read(
        action="consolidate",
        block="memory",
        entries=[
            {"old": "a", "keep": True},
            {"old_text": "b", "new_text": "c"},
            {"old": "d", "move": True, "drop": False},
            {"old": "e", "drop": True},
            {"text": "f"},
        ],
    )
    assert intent.lines == (
        Line("a", keep=True),
        Line("b", text="c"),
        Line("d", move=True),
        Line("e", drop=True),
        Line(text="f"),
    )
    assert intent.given == {"block", "entries"}


@pytest.mark.parametrize(
    "alias", [("target", "block"), ("content", "text"), ("new_text", "text"), ("old_text", "old")]
)
def test_another_name_of_a_part_means_the_same_and_comes_once(alias: tuple[str, str]) -> None:
    other, own = alias
    fields: dict[str, object] = {"action": "replace", "block": "user", "old": "tea", "text": "milk"}
    renamed = {other if name == own else name: value for name, value in fields.items()}
    assert read(**renamed) == read(**fields)
    with pytest.raises(BadInput, match=f"`{own}` was given twice"):
        read(**fields, **{other: "user"})


@pytest.mark.parametrize("nothing", [None, ""])
def test_nothing_is_not_given(nothing: object) -> None:
    intent = read(action="add", block="user", text="tea", old=nothing, operations=nothing, entries=nothing)
    assert intent.given == {"block", "text"}
    assert read(action="add", block="user", text=nothing).given == {"block"}
    assert read(action="add", block=nothing, text="tea").given == {"text"}


def test_white_space_alone_is_no_text() -> None:
    assert read(action="add", block="user", text=" \n").given == {"block"}


def test_an_action_with_operations_beside_it_keeps_both_for_the_gate_to_judge() -> None:
    intent = read(action="add", block="user", text="x", operations=[{"action": "add", "text": "y"}])
    assert intent.action is Action.ADD
    assert intent.given == {"block", "text", "operations"}


@pytest.mark.parametrize("action", ["", "undo", "forget", "ADD", None])
def test_an_action_that_is_none_is_answered_with_the_list(action: object) -> None:
    with pytest.raises(BadInput, match="add, replace, remove, note or consolidate"):
        read(action=action, block="user", text="x")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"action": 4, "block": "user"}, "action"),
        ({"action": "add", "block": "diary"}, "memory, user or soul"),
        ({"action": "add", "block": ["user"]}, "block"),
        ({"action": "add", "block": "user", "text": ["tea"]}, "text"),
        ({"action": "remove", "block": "user", "old": 4}, "old"),
        ({"block": "user", "operations": {"action": "add"}}, "list of objects"),
        ({"block": "user", "operations": ["add tea"]}, "list of objects"),
        ({"block": "user", "operations": [{"text": "tea"}]}, "action"),
        ({"block": "user", "operations": [{"action": "undo"}]}, "action"),
        ({"block": "user", "operations": [{"action": "add", "block": "soul"}]}, "no part of an operation"),
        ({"action": "consolidate", "block": "user", "entries": [{"entry": "a"}]}, "no part of a line"),
        ({"action": "consolidate", "block": "user", "entries": [{"old": "a", "keep": 1}]}, "true or false"),
        ({"action": "consolidate", "block": "user", "entries": "a"}, "list of objects"),
        ({"action": "note", "text": "x", "call": 4}, "call"),
        ({"action": "note", "text": "x", "call": "a\nb"}, "call"),
        ({"action": "note", "text": "x", "space": "a//b"}, ""),
    ],
)
def test_a_wrong_type_or_name_is_named(fields: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read(**fields)


@pytest.mark.parametrize(
    ("name", "one"), [("operations", {"action": "add", "text": "x"}), ("entries", {"text": "x"})]
)
def test_a_list_is_as_long_as_its_bound_at_most(name: str, one: dict[str, object]) -> None:
    most = limits.block_operations_max
    fields: dict[str, object] = {
        "block": "user",
        "action": "batch" if name == "operations" else "consolidate",
    }
    assert read(**fields, **{name: [one] * most}).given == {"block", name}
    with pytest.raises(BadInput, match=f"more than {most}"):
        read(**fields, **{name: [one] * (most + 1)})


def test_a_call_has_a_name_of_its_own_within_a_bound() -> None:
    most = limits.name_characters_max
    assert read(action="note", text="x", call="c" * most).call == "c" * most
    with pytest.raises(BadInput, match=str(most)):
        read(action="note", text="x", call="c" * (most + 1))


def test_the_soul_is_that_of_the_vault_wherever_who_asks_is_at_home() -> None:
    assert read(action="add", block="soul", text="x").space == "home"
    assert read(action="add", block="soul", text="x", space="acme/eng").space == "home"
    assert read(action="add", block="user", text="x", space="acme/eng").space == "acme/eng"
    assert read(action="note", text="x").space == "acme"


def test_an_undo_names_an_edit() -> None:
    intent = undo_intent(ASKER, " 2026-01-05-0001 ", space=None, call="c-1")
    assert (intent.action, intent.undoes, intent.given) == (Action.UNDO, "2026-01-05-0001", {"edit"})
    assert (intent.space, intent.call, intent.block) == ("acme", "c-1", None)
    assert undo_intent(ASKER, " ", space="acme/eng").given == frozenset()
    assert undo_intent(ASKER, "x", space="acme/eng").space == "acme/eng"


def test_a_block_is_named_by_its_name() -> None:
    assert [block_of(block.value) for block in Block] == list(Block)
    for name in ("", "diary", "MEMORY"):
        with pytest.raises(BadInput):
            block_of(name)
