"""Who may edit which block, with what, and does the result fit?  The gate's steps for blocks."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from muniment import limits
from muniment.domain.block import Block, splits
from muniment.domain.block_edit import OPERATIONS, Action, Fault, FaultKind, Line, Operation
from muniment.domain.intent import EditBlock
from muniment.domain.principal import ActorRole
from muniment.gate.verdict import Known, Outcome, Reason, Verdict, refuse

AFTER_UNTRUSTED = frozenset({Action.ADD, Action.NOTE})
"""What an agent may still ask for after untrusted content: both end as a note."""


@dataclass(frozen=True, slots=True)
class Call:
    """Hold the parts that an action needs, all of them and no other, and one correct call."""

    needs: frozenset[str]
    example: str


CALLS: Mapping[Action, Call] = MappingProxyType(
    {
        Action.ADD: Call(
            frozenset({"block", "text"}), 'memory(action="add", block="user", text="Prefers short answers")'
        ),
        Action.REPLACE: Call(
            frozenset({"block", "old", "text"}),
            'memory(action="replace", block="user", old="short answers", text="Prefers long answers")',
        ),
        Action.REMOVE: Call(
            frozenset({"block", "old"}), 'memory(action="remove", block="user", old="short answers")'
        ),
        Action.NOTE: Call(frozenset({"text"}), 'memory(action="note", text="The build took nine minutes")'),
        Action.CONSOLIDATE: Call(
            frozenset({"block", "entries"}),
            'memory(action="consolidate", block="memory", entries=[{"old": "first", "keep": true}, '
            '{"old": "second", "text": "second, shorter"}, {"old": "third", "move": true}, '
            '{"old": "fourth", "drop": true}, {"text": "new"}])',
        ),
        Action.BATCH: Call(
            frozenset({"block", "operations"}),
            'memory(block="memory", operations=[{"action": "remove", "old": "stale"}, '
            '{"action": "add", "text": "fresh"}])',
        ),
        Action.UNDO: Call(frozenset({"edit"}), 'undo("2026-01-05-0001")'),
        Action.FILE: Call(frozenset({"block", "entries"}), "muniment memory files"),
    }
)
"""Which action goes with which parts; a part that is not named here does not go with it."""

REASONS: Mapping[FaultKind, Reason] = MappingProxyType(
    {
        FaultKind.NO_MATCH: Reason.NO_ENTRY,
        FaultKind.SEVERAL: Reason.SEVERAL_ENTRIES,
        FaultKind.UNACCOUNTED: Reason.UNACCOUNTED_ENTRY,
        FaultKind.NOT_LATEST: Reason.NOT_LATEST,
        FaultKind.DUPLICATE: Reason.DUPLICATE_ENTRY,
        FaultKind.UNCHANGED: Reason.UNCHANGED,
        FaultKind.EMPTIES: Reason.EMPTIES_BLOCK,
        FaultKind.OVER_LIMIT: Reason.OVER_LIMIT,
    }
)
"""Which reason a fault of the operations gives."""


def refuse_without_right(intent: EditBlock) -> Verdict | None:
    """Refuse the soul to all but the owner, and an edit after untrusted content to an agent.

    A note is evidence and goes through; so does a text to add, which ends as a note.
    """
    principal = intent.principal
    if intent.block is Block.SOUL and principal.role is not ActorRole.OWNER:
        return refuse(Reason.OWNER_ONLY, detail="The block soul is the owner's.")
    if _may_not_edit(intent) and intent.action not in AFTER_UNTRUSTED:
        return refuse(Reason.UNTRUSTED_SESSION)
    return None


def _may_not_edit(intent: EditBlock) -> bool:
    return intent.read.untrusted and not intent.principal.is_person


def ends_as_note(intent: EditBlock) -> bool:
    """Return whether a request is for a note, or for a text that can only become one."""
    return intent.action is Action.NOTE or (intent.action is Action.ADD and _may_not_edit(intent))


def refuse_bad_edit(intent: EditBlock) -> Verdict | None:
    """Refuse a part that is missing, does not belong, is empty or too long; show a correct call."""
    call = CALLS[intent.action]
    missing, unfit = sorted(call.needs - intent.given), sorted(intent.given - call.needs)
    if missing or unfit:
        said = f"needs {_listed(missing)}" if missing else f"takes no {_listed(unfit)}"
        return refuse(
            Reason.BAD_EDIT, detail=f"`{intent.action.value}` {said}; a correct call is {call.example}."
        )
    if ends_as_note(intent):
        return _note(intent.text)
    most = limits.block_operations_max
    # A file brings its whole block along, whose bound is the block's.
    if intent.action is not Action.FILE and max(len(intent.operations), len(intent.lines)) > most:
        return refuse(Reason.TOO_LONG, detail=f"more than {most} in one call")
    return _operations(intent) or _lines(intent)


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _note(text: str) -> Verdict | None:
    if not text.strip():
        return refuse(Reason.EMPTY)
    if len(text) > limits.note_characters_max:
        return refuse(
            Reason.TOO_LONG, detail=f"text: {len(text):,} of {limits.note_characters_max:,} characters"
        )
    return None


def _operations(intent: EditBlock) -> Verdict | None:
    for number, operation in enumerate(intent.operations, start=1):
        where = f"Operation {number}: " if intent.action is Action.BATCH else ""
        verdict = _operation(operation, where) or _entry(operation.text, where)
        if verdict is not None:
            return verdict
    return None


def _operation(operation: Operation, where: str) -> Verdict | None:
    """Refuse an operation of a batch that has not the parts that its own action needs."""
    call = CALLS[operation.action]
    has = {name for name, value in (("text", operation.text), ("old", operation.old)) if value.strip()}
    needs = call.needs - {"block"}
    if operation.action in OPERATIONS and has == needs:
        return None
    missing, unfit = sorted(needs - has), sorted(has - needs)
    said = f"needs {_listed(missing)}" if missing else f"takes no {_listed(unfit)}"
    if operation.action not in OPERATIONS:
        said, call = "does not go into a batch", CALLS[Action.BATCH]
    return refuse(
        Reason.BAD_EDIT,
        detail=f"{where}`{operation.action.value}` {said}; a correct call is {call.example}.",
    )


def _lines(intent: EditBlock) -> Verdict | None:
    for number, line in enumerate(intent.lines, start=1):
        where = f"Line {number}: "
        verdict = _fate(line, where) or _entry(line.text, where)
        if verdict is not None:
            return verdict
    return None


def _fate(line: Line, where: str) -> Verdict | None:
    fates = [line.keep, bool(line.text.strip()), line.move, line.drop]
    if sum(fates) == 1 and (line.old or line.text.strip()):
        return None
    wrong = "a new line has a text alone" if not line.old else "an entry has one of keep, text, move, drop"
    example = CALLS[Action.CONSOLIDATE].example
    return refuse(Reason.BAD_EDIT, detail=f"{where}{wrong}; a correct call is {example}.")


def _entry(text: str, where: str) -> Verdict | None:
    if splits(text):
        detail = (
            f"{where or 'The text: '}a line with a section sign alone parts entries, and may stand in none."
        )
        return refuse(Reason.BAD_EDIT, detail=detail)
    return None


def judge_edit(intent: EditBlock, known: Known) -> Verdict:
    """Return what becomes of an edit that no step stopped: its match, its sameness, its size.

    `known.edit` is where it leads from what the block holds under the lock.
    """
    if intent.action is Action.NOTE:
        return Verdict(Outcome.NOTED, Reason.NOTED)
    if ends_as_note(intent):
        return Verdict(Outcome.NOTED, Reason.NOTED_UNTRUSTED)
    if isinstance(known.edit, Fault):
        return refuse(REASONS[known.edit.kind], detail=known.edit.detail)
    return Verdict(Outcome.STORED, Reason.EDITED)
