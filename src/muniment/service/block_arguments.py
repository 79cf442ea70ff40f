"""How do a caller's arguments become an edit of a block?  Aliases are read, wrong types are named."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from muniment import limits
from muniment.domain.block import Block
from muniment.domain.block_edit import Action, Line, Operation
from muniment.domain.intent import EditBlock
from muniment.domain.space import HOME, checked_path
from muniment.errors import BadInput
from muniment.service.arguments import Asker, text_of

ALIASES = {"target": "block", "content": "text", "new_text": "text", "old_text": "old"}
"""Other names that a part may come under; a part may come once."""

Parts = Mapping[str, object]
"""One operation of a batch or one line of a consolidation, as a caller spells it."""


class MemoryFields(TypedDict, total=False):
    """Name what `memory` takes; which action needs which part is one table of the gate."""

    action: str
    block: str
    text: str
    old: str
    operations: Sequence[Parts]
    entries: Sequence[Parts]
    target: str
    content: str
    new_text: str
    old_text: str
    space: str | None
    call: str
    strict: bool


def edit_intent(asker: Asker, fields: Parts) -> EditBlock:
    """Return the request that the arguments spell; raises BadInput for a wrong type or name."""
    given = _parts("the call", fields, allowed=("action", "block", "text", "old", "operations", "entries"))
    operations, lines = _list(given, "operations"), _list(given, "entries")
    action = _action(given, is_batch=bool(operations))
    block = _block(text_of("block", given.get("block")))
    space = text_of("space", fields.get("space"))
    text, old = text_of("text", given.get("text")), text_of("old", given.get("old"))
    named = {"block": block, "text": text.strip(), "old": old, "operations": operations, "entries": lines}
    single = action in (Action.ADD, Action.REPLACE, Action.REMOVE)
    return EditBlock(
        principal=asker.principal,
        # The soul is one for the whole vault, wherever who asks is at home.
        space=HOME if block is Block.SOUL else checked_path(space) if space else asker.principal.home,
        action=action,
        block=block,
        given=frozenset(name for name, value in named.items() if value),
        operations=(Operation(action, text, old),)
        if single
        else tuple(_operation(one) for one in operations),
        lines=tuple(_line(one) for one in lines),
        text=text,
        read=asker.read,
        session=asker.session,
        call=_call(fields.get("call")),
    )


def undo_intent(asker: Asker, edit: str, *, space: str | None, call: str = "") -> EditBlock:
    """Return the request to take an edit back."""
    return EditBlock(
        principal=asker.principal,
        space=checked_path(space) if space else asker.principal.home,
        action=Action.UNDO,
        given=frozenset({"edit"}) if edit.strip() else frozenset(),
        undoes=edit.strip(),
        read=asker.read,
        session=asker.session,
        call=_call(call),
    )


def block_of(name: str) -> Block:
    """Return the block of a name; raises BadInput for another."""
    block = _block(name)
    if block is None:
        raise BadInput("`block` is memory, user or soul.")
    return block


def _block(name: str) -> Block | None:
    if name and name not in Block.__members__.values():
        raise BadInput("`block` is memory, user or soul.")
    return Block(name) if name else None


def _action(given: Parts, *, is_batch: bool) -> Action:
    """Return the action; a list of operations without one is a batch."""
    name = text_of("action", given.get("action"))
    if not name and is_batch:
        return Action.BATCH
    if name not in Action.__members__.values() or name == Action.UNDO.value:
        raise BadInput(
            "`action` is add, replace, remove, note or consolidate.",
            advice='Call it like memory(action="add", block="user", text="Prefers short answers").',
        )
    return Action(name)


def _parts(where: str, fields: Parts, *, allowed: Sequence[str]) -> dict[str, object]:
    """Return the parts under their own names; one that comes twice or is not known is refused."""
    found: dict[str, object] = {}
    for name, value in fields.items():
        own = ALIASES.get(name, name)
        if own not in allowed:
            if where == "the call" and name in ("space", "call", "strict"):
                continue
            raise BadInput(
                f"`{name[:40]}` is no part of {where}.", advice=f"The parts are: {', '.join(allowed)}."
            )
        if value is None or value == "":
            continue
        if own in found:
            raise BadInput(f"`{own}` was given twice in {where}.")
        found[own] = value
    return found


def _list(given: Parts, name: str) -> list[Parts]:
    value = given.get(name)
    if value is None:
        return []
    if not isinstance(value, list | tuple) or not all(isinstance(one, Mapping) for one in value):
        raise BadInput(f"`{name}` is not a list of objects.")
    if len(value) > limits.block_operations_max:
        raise BadInput(f"`{name}` holds more than {limits.block_operations_max}.")
    return list(value)


def _operation(raw: Parts) -> Operation:
    parts = _parts("an operation", raw, allowed=("action", "text", "old"))
    action = _action(parts, is_batch=False)
    return Operation(action, text_of("text", parts.get("text")), text_of("old", parts.get("old")))


def _line(raw: Parts) -> Line:
    parts = _parts("a line", raw, allowed=("old", "text", "keep", "move", "drop"))
    return Line(
        old=text_of("old", parts.get("old")),
        text=text_of("text", parts.get("text")),
        keep=_flag("keep", parts),
        move=_flag("move", parts),
        drop=_flag("drop", parts),
    )


def _flag(name: str, parts: Parts) -> bool:
    value = parts.get(name, False)
    if not isinstance(value, bool):
        raise BadInput(f"`{name}` is not true or false.")
    return value


def _call(value: object) -> str:
    text = text_of("call", value)
    if len(text) > limits.name_characters_max or not text.isprintable():
        raise BadInput(f"`call` has at most {limits.name_characters_max} characters that can be shown.")
    return text
