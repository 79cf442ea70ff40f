"""Which commands change a memory?  Each asks the gate once and shows its receipt."""

from typing import TYPE_CHECKING, Any

import click

from muniment import limits
from muniment.domain.link import LinkType
from muniment.domain.memory import Kind
from muniment.domain.timeline import shown
from muniment.errors import Refusal
from muniment.gate.verdict import Outcome
from muniment.service.receipt import Receipt
from muniment.surfaces.cli.call import WHEN, Call, confirmed, text_given, verb
from muniment.surfaces.cli.screen import arrow, aside, document, sentence, shortened, tell
from muniment.surfaces.plain import plain
from muniment.surfaces.problems import TABLE

if TYPE_CHECKING:
    from muniment.service.contradictions import Foreseen

TEXT_BYTES_MAX = 4 * limits.memory_text_characters_max
"""Longest text that is read from standard input; one more byte is too long in any script."""

REFUSED = TABLE[Refusal].exit_code
_PREVIEW_CHARACTERS_MAX = 300


def answered(call: Call, receipt: Receipt) -> int:
    """Show a receipt and return the exit code; a refusal goes where errors go."""
    if call.json:
        document(plain(receipt))
    elif receipt.refused:
        aside(sentence(f"{receipt.reason}: {receipt.sentence} {receipt.detail}"))
        aside(f"{arrow()} {receipt.next}")
        if receipt.rests_on:
            aside(f"   It rests on {receipt.rests_on}.")
    else:
        _accepted(receipt)
        if receipt.proposal and receipt.verdict == Outcome.STAGED.value:
            return asked_at_once(call, receipt.proposal)
    return REFUSED if receipt.refused else 0


def asked_at_once(call: Call, proposal: str) -> int:
    """Ask the person who typed a change whether to approve it now; elsewhere it only waits (H17)."""
    from muniment.surfaces.cli.pending import decided_here

    return decided_here(call, proposal)


def _accepted(receipt: Receipt) -> None:
    # What waits has no version yet, and a lifting makes no memory.
    version = f"version {receipt.version}, " if receipt.version else ""
    tell("  ".join(filter(None, (receipt.verdict, receipt.id, f"{version}record {receipt.record}"))))
    tell(f"{receipt.reason}: {receipt.sentence}", indent="  ")
    if receipt.verdict != "stored" or receipt.conflict != "none" or not receipt.version:
        tell(receipt.next, indent="  ")
    if receipt.case:
        tell(f"case {receipt.case}", indent="  ")
    for other in receipt.also:
        tell(f"also changed {other}", indent="  ")


def _foreseen(call: Call, found: "tuple[Foreseen, ...]") -> int:
    if call.json:
        document({"stored": False, "contradicts": plain(found)})
        return 0
    tell("It would contradict nothing." if not found else "Nothing was stored.  It would contradict:")
    for one in found:
        tell(f"{one.id}  {one.kind}, {one.becomes}", indent="      ", first="  ")
        tell(shortened(one.text, characters_max=_PREVIEW_CHARACTERS_MAX), indent="      ")
    return 0


@verb("remember")
@click.argument("text")
@click.option("--kind", default=Kind.FACT.value, show_default=True, help="What sort of memory it is.")
@click.option("--about", default="", help="What the claim is about; goes with --attribute.")
@click.option("--attribute", default="", help="Which attribute of it; two values of one slot can conflict.")
@click.option("--value", default="", help="The attribute's value; else the text is.")
@click.option("--many", is_flag=True, help="The slot holds several values at once.")
@click.option("--from", "valid_from", type=WHEN, help="Since when it is true.")
@click.option("--until", "valid_until", type=WHEN, help="Until when it is true.")
@click.option("--occurred", "occurred_at", type=WHEN, help="When it happened.")
@click.option("--expires", "expires_at", type=WHEN, help="When to stop recalling it.")
@click.option("--evidence", multiple=True, metavar="ID", help="What it rests on; may be repeated.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@click.option("--class", "data_class", default="private", show_default=True, help="public, private, secret.")
@click.option("--dry-run", is_flag=True, help="Store nothing; say what it would contradict.")
@click.pass_obj
def remember(call: Call, /, text: str, dry_run: bool, **given: Any) -> int:
    """Remember a statement; TEXT `-` reads it from standard input."""
    said = text_given(text, bytes_max=TEXT_BYTES_MAX)
    vault = call.hand()
    if dry_run:
        return _foreseen(call, vault.contradictions(said, space=call.destination(vault)))
    # Nobody works on in the background once a command has ended.
    return answered(call, vault.remember(said, space=call.destination(vault), wait=True, **given))


def _change_options(command: Any) -> Any:
    for option in (
        click.option("--reason", default="", help="Why."),
        click.option("--expected-version", type=int, help="Refuse when it was changed after this version."),
        click.option("--value", default="", help="The new value of a keyed claim."),
        click.option("--until", "valid_until", type=WHEN, help="Until when it is true."),
        click.option("--evidence", multiple=True, metavar="ID", help="What it rests on."),
    ):
        command = option(command)
    return command


@verb("revise")
@click.argument("id")
@click.argument("text")
@click.option("--from", "valid_from", type=WHEN, help="Since when it is true; else as before.")
@_change_options
@click.pass_obj
def revise(call: Call, /, id: str, text: str, **given: Any) -> int:
    """Say that a memory was wrong: a new version, and the old one stays in the history."""
    said = text_given(text, bytes_max=TEXT_BYTES_MAX)
    return answered(call, call.hand().revise(id, said, **given))


@verb("succeed")
@click.argument("id")
@click.argument("text")
@click.option("--from", "valid_from", type=WHEN, help="Since when the new statement is true; else now.")
@_change_options
@click.pass_obj
def succeed(call: Call, /, id: str, text: str, **given: Any) -> int:
    """Say that the world has changed: TEXT holds from now on, the old one held until then."""
    said = text_given(text, bytes_max=TEXT_BYTES_MAX)
    return answered(call, call.hand().succeed(id, said, **given))


@verb("retract")
@click.argument("id")
@click.option("--reason", default="", help="Why.")
@click.option("--expected-version", type=int, help="Refuse when it was changed after this version.")
@click.pass_obj
def retract(call: Call, id: str, *, reason: str, expected_version: int | None) -> int:
    """Take a statement back, with nothing in its place."""
    return answered(call, call.hand().retract(id, reason=reason, expected_version=expected_version))


@verb("reject")
@click.argument("id")
@click.option("--reason", default="", help="Why.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def reject(call: Call, id: str, *, reason: str, yes: bool) -> int:
    """Reject a memory's value: it is refused from now on, in any disguise, until a person lifts it."""
    vault = call.hand()
    if not yes:
        found = vault.read(id)
        preview = [
            "1 memory is about to be rejected, with its value:",
            f"  {shortened(found.text, characters_max=_PREVIEW_CHARACTERS_MAX)}",
            f"  {found.state}, recorded {shown(found.recorded)} by {found.author}, in {found.space}",
            "The same value will be refused, in any spelling, until a person lifts the rejection.",
        ]
        if not confirmed(preview, question="Reject it?", yes=False):
            return REFUSED
    return answered(call, vault.reject(id, reason=reason))


@verb("lift")
@click.argument("id")
@click.option("--reason", default="", help="Why.")
@click.pass_obj
def lift(call: Call, id: str, reason: str) -> int:
    """End a rejection; ID is the rejected memory's or the tombstone's."""
    return answered(call, call.hand().lift(id, reason=reason))


@verb("retire")
@click.argument("id")
@click.option("--reason", default="", help="Why.")
@click.pass_obj
def retire(call: Call, id: str, reason: str) -> int:
    """Put a memory out of use; `revive` brings it back as it was."""
    return answered(call, call.hand().retire(id, reason=reason))


@verb("revive")
@click.argument("id")
@click.option("--reason", default="", help="Why.")
@click.pass_obj
def revive(call: Call, id: str, reason: str) -> int:
    """Bring a retired memory back as it was."""
    return answered(call, call.hand().revive(id, reason=reason))


@verb("link")
@click.argument("a")
@click.argument("b")
@click.option("--type", "kind", required=True, help=", ".join(one.value for one in LinkType) + ".")
@click.option("--weight", type=float, default=1.0, show_default=True, help="From 0 to 1.")
@click.pass_obj
def link(call: Call, a: str, b: str, *, kind: str, weight: float) -> int:
    """Link two things, the newer one first."""
    return answered(call, call.hand().link(a, b, type=kind, weight=weight))
