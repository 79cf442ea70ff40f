"""Which commands edit the blocks?  Bounded lists of entries that stand in every prompt."""

import json
from typing import Any

import click

from muniment import limits
from muniment.domain.block import Block
from muniment.errors import BadInput, BrokenData
from muniment.service.block_reading import BlockText
from muniment.service.block_receipt import BlockReceipt
from muniment.surfaces.cli.call import Call, Verb, shared_options, text_given, verb
from muniment.surfaces.cli.screen import arrow, aside, document, sentence, tell
from muniment.surfaces.cli.writing import REFUSED, asked_at_once
from muniment.surfaces.plain import plain
from muniment.surfaces.problems import TABLE

DAMAGED = TABLE[BrokenData].exit_code
"""Exit code when a block's file is not fit to be taken in."""

TEXT_BYTES_MAX = 8 * limits.soul_block_characters_max
"""Longest text that is read from standard input; more fits no block in any script."""

LINES_BYTES_MAX = 16 * TEXT_BYTES_MAX
"""Longest list of a consolidation that is read from standard input."""

NOT_WELL = frozenset({"refused", "unreadable", "behind"})
"""How a block's file stands when something has to be done about it."""

_BLOCKS = click.Choice([block.value for block in Block])


@click.group("memory", params=shared_options())
def memory() -> None:
    """Edit a block, keep a note, or show what a block holds."""


def _edited(call: Call, **given: Any) -> int:
    return answered(call, call.hand().memory(space=call.space, **given))


def answered(call: Call, receipt: BlockReceipt) -> int:
    """Show a receipt and return the exit code; a refusal goes where errors go."""
    if call.json:
        document(plain(receipt))
    elif receipt.refused:
        aside(sentence(f"{receipt.reason}: {receipt.sentence} {receipt.detail}"))
        aside(f"{arrow()} {receipt.next}")
        for entry in receipt.entries:
            aside(f"   - {entry}")
    else:
        _accepted(receipt)
        if receipt.proposal:
            return asked_at_once(call, receipt.proposal)
    return REFUSED if receipt.refused else 0


def _accepted(receipt: BlockReceipt) -> None:
    if receipt.proposal:
        tell(f"{receipt.verdict}  {receipt.proposal}  record {receipt.record}")
    elif receipt.edit:
        head = f"{receipt.verdict}  {receipt.block}  {receipt.usage}, {receipt.held}"
        tell(f"{head}, edit {receipt.edit}, record {receipt.record}")
    else:
        tell(f"{receipt.verdict}  {' '.join(receipt.notes)}  record {receipt.record}")
    if receipt.waiting:
        tell(f"{receipt.unseen} for a person; see `muniment pending`.", indent="  ")
    tell(f"{receipt.reason}: {receipt.sentence}", indent="  ")
    for sign, texts in (("-", receipt.replaced), ("+", receipt.added)):
        for text in texts:
            tell(text, indent="    ", first=f"  {sign} ")
    for how, texts in (("moved to the notes", receipt.moved), ("dropped, kept as a note", receipt.dropped)):
        for text in texts:
            tell(f"{how}: {text}", indent="    ", first="  ")


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


@memory.command("add", cls=Verb)
@click.argument("block", type=_BLOCKS)
@click.argument("text")
@click.pass_obj
def add(call: Call, block: str, text: str) -> int:
    """Add an entry; TEXT `-` reads it from standard input."""
    said = text_given(text, bytes_max=TEXT_BYTES_MAX)
    return _edited(call, action="add", block=block, text=said)


@memory.command("replace", cls=Verb)
@click.argument("block", type=_BLOCKS)
@click.argument("old")
@click.argument("text")
@click.pass_obj
def replace(call: Call, *, block: str, old: str, text: str) -> int:
    """Put TEXT in the place of the entry that OLD names.

    OLD is the whole entry, or a part that only it holds; TEXT takes the place of the whole.
    """
    said = text_given(text, bytes_max=TEXT_BYTES_MAX)
    return _edited(call, action="replace", block=block, old=old, text=said)


@memory.command("remove", cls=Verb)
@click.argument("block", type=_BLOCKS)
@click.argument("old")
@click.pass_obj
def remove(call: Call, block: str, old: str) -> int:
    """Remove the entry that OLD names; it stays as a note."""
    return _edited(call, action="remove", block=block, old=old)


@memory.command("note", cls=Verb)
@click.argument("text")
@click.pass_obj
def note(call: Call, text: str) -> int:
    """Keep a note, which recall finds and no prompt holds.

    TEXT `-` reads it from standard input.
    """
    said = text_given(text, bytes_max=TEXT_BYTES_MAX)
    return _edited(call, action="note", text=said)


@memory.command("consolidate", cls=Verb)
@click.argument("block", type=_BLOCKS)
@click.argument("entries")
@click.pass_obj
def consolidate(call: Call, block: str, entries: str) -> int:
    """Rewrite a block, with every entry accounted for.

    ENTRIES is a JSON list with one line for every entry; `-` reads it from standard input.

    A line is {"old": ..., "keep": true}, or "text", "move" or "drop" in the place of keep; a
    new entry is {"text": ...}.
    """
    return _edited(call, action="consolidate", block=block, entries=_listed(entries))


@memory.command("batch", cls=Verb)
@click.argument("block", type=_BLOCKS)
@click.argument("operations")
@click.pass_obj
def batch(call: Call, block: str, operations: str) -> int:
    """Do several operations, all or nothing.

    OPERATIONS is a JSON list; `-` reads it from standard input.

    An operation is {"action": "add", "text": ...}, or replace with "old" and "text", or
    remove with "old".
    """
    return _edited(call, block=block, operations=_listed(operations))


def _listed(text: str) -> Any:
    try:
        return json.loads(text_given(text, bytes_max=LINES_BYTES_MAX))
    except (ValueError, RecursionError) as error:
        raise BadInput("The list is no JSON.", advice='Give a list such as [{"text": "new"}].') from error


@memory.command("show", cls=Verb)
@click.argument("block", type=_BLOCKS, required=False)
@click.pass_obj
def show(call: Call, block: str | None) -> None:
    """Show what a block holds, or all of them."""
    hand = call.hand()
    found = [hand.block(name, space=call.space) for name in ([block] if block else [*Block])]
    if call.json:
        document({"blocks": plain(found)})
        return
    for one in found:
        _shown(one)


@memory.command("files", cls=Verb)
@click.pass_obj
def files(call: Call) -> int:
    """Keep the blocks as files too, to edit in an editor.

    Says how each file stands.  The owner's act.
    """
    report = call.hand().block_files()
    if call.json:
        document(plain(report))
    else:
        tell(f"The block files lie in {report.place}")
        for one in report.files:
            tell(f"{one.state}: {one.sentence}", indent="    ", first="  ")
    return DAMAGED if any(one.state in NOT_WELL for one in report.files) else 0


@memory.command("repair", cls=Verb)
@click.argument("block", type=_BLOCKS)
@click.pass_obj
def repair(call: Call, block: str) -> None:
    """Write a block's file anew, from the block.

    What is there stays beside it as a copy.  The owner's act.
    """
    done = call.hand().repair_block(block)
    if call.json:
        document(plain(done))
    else:
        tell(done.sentence)


def _shown(one: BlockText) -> None:
    tell(f"{one.block}  {one.usage}, {_entries(len(one.entries))}")
    for entry in one.entries:
        tell(entry, indent="    ", first="  - ")


@verb("undo")
@click.argument("edit")
@click.pass_obj
def undo(call: Call, edit: str) -> int:
    """Take back the latest edit of a block, by its id of `log --edits`; notes that it left stay."""
    return answered(call, call.hand().undo(edit, space=call.space))
