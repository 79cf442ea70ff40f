"""Who may edit which block, with which parts, and in which order are the reasons given?"""

import itertools
from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.block import Block
from muniment.domain.block_edit import Action, Applied, Fault, FaultKind, Line, Operation
from muniment.domain.block_file import Hindrance
from muniment.domain.intent import EditBlock
from muniment.domain.label import DataClass, Label
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.tombstone import TombstoneHit, TombstoneKind
from muniment.gate.block_rules import CALLS, REASONS, ends_as_note
from muniment.gate.judge import judge
from muniment.gate.verdict import BadCharacter, Known, Outcome, PhraseFound, Reason, SecretFound
from tests.gate.builders import AGENT, HOME, OWNER, known

TAINTED = Label(DataClass.PRIVATE, untrusted=True)
MEMBER = Principal("local", "ada", ActorRole.MEMBER)
FINE = Applied((), ("tea",), added=("tea",))
HIT = TombstoneHit("t_1", TombstoneKind.REJECTED, False)
PARTS = {
    "block": {"block": Block.USER},
    "text": {"text": "tea"},
    "old": {},
    "operations": {"operations": (Operation(Action.ADD, "tea"),)},
    "entries": {"lines": (Line(text="tea"),)},
    "edit": {"undoes": "2026-01-05-0001"},
}


def asked(action: Action = Action.ADD, given: frozenset[str] | None = None, **more: object) -> EditBlock:
    """Return a whole request for an action, or one with other parts."""
    parts = CALLS[action].needs if given is None else given
    fields: dict[str, object] = {"block": Block.USER if "block" in parts else None, "given": parts}
    for part in parts:
        fields |= PARTS[part]
    if action in (Action.ADD, Action.REPLACE, Action.REMOVE):
        old = "milk" if "old" in parts else ""
        fields["operations"] = (Operation(action, "tea" if "text" in parts else "", old),)
    return replace(EditBlock(AGENT, "home", action), **{**fields, **more})


def judged(intent: EditBlock, **seen: object) -> Reason:
    return judge(intent, known(**{"edit": FINE, **seen})).reason


@pytest.mark.parametrize("action", Action)
def test_a_whole_request_passes(action: Action) -> None:
    verdict = judge(asked(action), known(edit=FINE))
    noted = action is Action.NOTE
    assert verdict.outcome is (Outcome.NOTED if noted else Outcome.STORED)
    assert verdict.reason is (Reason.NOTED if noted else Reason.EDITED)


@pytest.mark.parametrize(
    ("action", "part"), [(action, part) for action in Action for part in sorted(CALLS[action].needs)]
)
def test_a_missing_part_is_refused_with_a_correct_call(action: Action, part: str) -> None:
    verdict = judge(asked(action, CALLS[action].needs - {part}), known(edit=FINE))
    assert verdict.reason is Reason.BAD_EDIT
    assert f"needs `{part}`" in verdict.detail
    assert CALLS[action].example in verdict.detail


@pytest.mark.parametrize(
    ("action", "part"),
    [(action, part) for action in Action for part in sorted(set(PARTS) - CALLS[action].needs)],
)
def test_a_part_that_does_not_go_with_the_action_is_refused_with_a_correct_call(
    action: Action, part: str
) -> None:
    verdict = judge(asked(action, CALLS[action].needs | {part}), known(edit=FINE))
    assert verdict.reason is Reason.BAD_EDIT
    assert f"takes no `{part}`" in verdict.detail
    assert CALLS[action].example in verdict.detail


def batch(*operations: Operation) -> EditBlock:
    return asked(Action.BATCH, operations=operations)


@pytest.mark.parametrize(
    "operation",
    [
        Operation(Action.ADD),
        Operation(Action.ADD, "a", "b"),
        Operation(Action.REPLACE, "a"),
        Operation(Action.REPLACE, old="a"),
        Operation(Action.REMOVE, "a", "b"),
        Operation(Action.REMOVE),
        Operation(Action.NOTE, "a"),
        Operation(Action.CONSOLIDATE),
    ],
)
def test_an_operation_of_a_batch_without_its_parts_is_named_by_number(operation: Operation) -> None:
    verdict = judge(batch(Operation(Action.ADD, "x"), operation), known(edit=FINE))
    assert verdict.reason is Reason.BAD_EDIT
    assert verdict.detail.startswith("Operation 2: ")


@pytest.mark.parametrize(
    "line",
    [
        Line("tea"),
        Line("tea", keep=True, drop=True),
        Line("tea", text="x", move=True),
        Line(keep=True),
        Line(),
        Line(text=" "),
    ],
)
def test_a_line_has_exactly_one_fate(line: Line) -> None:
    verdict = judge(asked(Action.CONSOLIDATE, lines=(Line(text="a"), line)), known(edit=FINE))
    assert verdict.reason is Reason.BAD_EDIT
    assert verdict.detail.startswith("Line 2: ")


@pytest.mark.parametrize("text", ["a\n\u00a7\nb", "a\n\u00a7"])
def test_a_text_that_holds_the_delimiter_is_refused(text: str) -> None:
    for intent in (
        asked(operations=(Operation(Action.ADD, text),)),
        batch(Operation(Action.ADD, text)),
        asked(Action.CONSOLIDATE, lines=(Line("a", text=text),)),
    ):
        assert judged(intent) is Reason.BAD_EDIT
    assert judged(asked(operations=(Operation(Action.ADD, "a \u00a7 b"),))) is Reason.EDITED


def test_a_batch_and_a_consolidation_are_bounded() -> None:
    most = limits.block_operations_max
    assert judged(batch(*[Operation(Action.ADD, "x")] * most)) is Reason.EDITED
    assert judged(batch(*[Operation(Action.ADD, "x")] * (most + 1))) is Reason.TOO_LONG
    assert judged(asked(Action.CONSOLIDATE, lines=(Line(text="x"),) * (most + 1))) is Reason.TOO_LONG
    assert judged(asked(Action.FILE, lines=(Line(text="x"),) * (most + 1))) is Reason.EDITED


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (Hindrance("It is a link.", is_unreadable=True), Reason.UNREADABLE_FILE),
        (Hindrance("It is empty.", "memory.md.bak.1"), Reason.DRIFTED_FILE),
    ],
)
def test_a_file_in_the_way_refuses_an_edit_with_what_is_wrong(file: Hindrance, reason: Reason) -> None:
    """After who may and whether the block is on, before anything that the edit says."""
    bad = BadCharacter("text", 0x202E, 0, "direction")
    verdict = judge(asked(), known(edit=FINE, file=file, bad_character=bad))
    assert (verdict.reason, verdict.detail) == (reason, file.sentence)
    assert judged(asked(), file=file, space=None) is reason
    assert judged(asked(), file=file, block_off=True) is Reason.BLOCK_OFF
    assert judged(asked(space="acme"), file=file) is Reason.NOT_GRANTED
    assert judged(asked(), file=None) is Reason.EDITED


@pytest.mark.parametrize("principal", [AGENT, MEMBER])
def test_the_soul_is_the_owners(principal: Principal) -> None:
    intent = asked(block=Block.SOUL)
    assert judged(replace(intent, principal=principal)) is Reason.OWNER_ONLY
    assert judged(replace(intent, principal=OWNER)) is Reason.EDITED
    assert judged(replace(asked(), principal=principal)) is Reason.EDITED


def test_an_auditor_and_a_stranger_edit_nothing() -> None:
    auditor = Principal("local", "eve", ActorRole.AUDITOR)
    assert judged(replace(asked(), principal=auditor)) is Reason.NOT_GRANTED
    assert judged(asked(space="acme")) is Reason.NOT_GRANTED


@pytest.mark.parametrize("action", Action)
def test_after_untrusted_content_an_agent_only_leaves_notes(action: Action) -> None:
    intent = asked(action, read=TAINTED)
    verdict = judge(intent, known(edit=FINE))
    if action in (Action.ADD, Action.NOTE):
        assert verdict.outcome is Outcome.NOTED
        assert verdict.reason is (Reason.NOTED if action is Action.NOTE else Reason.NOTED_UNTRUSTED)
    else:
        assert verdict.reason is Reason.UNTRUSTED_SESSION
    assert judge(replace(intent, principal=OWNER), known(edit=FINE)).reason in (Reason.EDITED, Reason.NOTED)
    assert ends_as_note(intent) is (action in (Action.ADD, Action.NOTE))


def test_a_note_has_one_to_a_thousand_characters() -> None:
    most = limits.note_characters_max
    assert judged(asked(Action.NOTE, text="x" * most)) is Reason.NOTED
    assert judged(asked(Action.NOTE, text="x" * (most + 1))) is Reason.TOO_LONG
    assert judged(asked(Action.NOTE, text=" ")) is Reason.EMPTY
    assert judged(asked(text="x" * (most + 1), read=TAINTED)) is Reason.TOO_LONG


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_of_the_operations_has_its_reason(kind: FaultKind) -> None:
    verdict = judge(asked(), known(edit=Fault(kind, "It is so.", number=3)))
    assert verdict.refused
    assert verdict.reason is REASONS[kind]
    assert verdict.detail == "Operation 3: It is so."


BROKEN: dict[Reason, tuple[dict[str, object], dict[str, object]]] = {
    Reason.NOT_GRANTED: ({"space": "acme"}, {}),
    Reason.OWNER_ONLY: ({"block": Block.SOUL}, {}),
    Reason.BAD_EDIT: ({"given": frozenset({"block"})}, {}),
    Reason.CLASS_TOO_STRICT: ({"read": Label(DataClass.SECRET)}, {"space": replace(HOME, class_max=1)}),
    Reason.CHARACTERS: ({}, {"bad_character": BadCharacter("text", 0x202E, 0, "bidi")}),
    Reason.PHRASE: ({}, {"phrases": (PhraseFound("override", "text", 0),)}),
    Reason.SECRET: ({}, {"secrets": (SecretFound("key", "text", 0),)}),
    Reason.REJECTED_VALUE: ({}, {"tombstones": (HIT,)}),
    Reason.NO_ENTRY: ({}, {"edit": Fault(FaultKind.NO_MATCH, "No.")}),
}


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(BROKEN, 2)))
def test_an_edit_that_breaks_two_rules_gets_the_earlier_reason(first: Reason, second: Reason) -> None:
    order = list(Reason)
    assert order.index(first) < order.index(second)
    for reasons in ((first,), (second,), (first, second)):
        given: dict[str, object] = {}
        seen: dict[str, object] = {"edit": FINE}
        for reason in reversed(reasons):
            given |= BROKEN[reason][0]
            seen |= BROKEN[reason][1]
        assert judge(asked(**given), known(**seen)).reason is reasons[0]


def test_whatever_a_block_would_not_take_a_person_may_not_put_there_either() -> None:
    """What stands in a block stands in every prompt, whoever wrote it."""
    for reason in (Reason.PHRASE, Reason.SECRET, Reason.REJECTED_VALUE):
        seen: Known = known(edit=FINE, **BROKEN[reason][1])
        assert judge(replace(asked(), principal=OWNER), seen).reason is reason


def test_a_look_alike_of_a_rejected_value_is_refused_to_an_agent() -> None:
    near = TombstoneHit("t_1", TombstoneKind.REJECTED, True)
    assert judged(asked(), tombstones=(near,)) is Reason.LOOK_ALIKE
    assert judged(replace(asked(), principal=OWNER), tombstones=(near,)) is Reason.EDITED
