"""Which commands show what waits for a person, and let a person approve or decline it?"""

from typing import Any

import click

from muniment.domain.timeline import shown
from muniment.errors import BadInput
from muniment.service.proposals import Proposal
from muniment.surfaces.cli.call import Call, Verb, confirmed, shared_options, verb
from muniment.surfaces.cli.screen import document, pairs, person_is_here, shortened, tell
from muniment.surfaces.cli.writing import REFUSED, answered
from muniment.surfaces.plain import plain

_PREVIEW_CHARACTERS_MAX = 200


@click.group("pending", invoke_without_command=True, params=shared_options())
@click.option("--state", default="open", show_default=True, help="open, approved, declined, all.")
@click.option("--limit", type=int, default=20, show_default=True, help="Most proposals shown.")
@click.pass_context
def pending(context: click.Context, /, state: str, limit: int, **_: Any) -> None:
    """List the changes that wait for a person, and show one whole."""
    if context.invoked_subcommand is None:
        _listed(context.obj, state=state, limit=limit)


def _listed(call: Call, *, state: str, limit: int) -> None:
    found = call.hand().pending(state=state, space=call.space, limit=limit)
    if call.json:
        document({"pending": plain(found)})
        return
    if not found:
        tell("Nothing waits." if state == "open" else "There is no such proposal.")
    for one in found:
        tell(f"{one.id}  {one.state}  {one.act}  {one.why}  by {one.proposer}, {shown(one.opened)}")
        if _said(one):
            tell(shortened(_said(one), characters_max=_PREVIEW_CHARACTERS_MAX), indent="      ", first="  ")


def _said(one: Proposal) -> str:
    """Return what a listing shows of a change: the text that comes, else what goes or is changed."""
    changes = [line for line in one.today or one.then if not line.startswith("  ")]
    return one.text or "\n".join(changes) or one.target


@pending.command("show", cls=Verb)
@click.argument("id")
@click.pass_obj
def show(call: Call, id: str) -> None:
    """Show one proposal whole, and what it would change now.

    An approval is bound to every byte of it.
    """
    found = call.hand().proposal(id)
    if call.json:
        document(plain(found))
    else:
        pairs(_rows(found))


def _rows(found: Proposal) -> list[tuple[str, str]]:
    rows = [
        ("proposal", f"{found.id}  {found.state}"),
        ("act", found.act),
        ("why", found.why),
        ("space", found.space),
        ("by", f"{found.proposer}, {shown(found.opened)}"),
    ]
    rows += [("changes", found.target), ("- now", found.now)] if found.target else []
    if found.block:
        rows.append(("block", found.block))
        rows += [("then" if at == 0 else "", line) for at, line in enumerate(found.then)]
        rows += [("now" if at == 0 else "", line) for at, line in enumerate(found.today)]
    elif found.text:
        rows.append(("+ text", found.text))
    if found.decided is not None:
        rows.append((found.state, f"{shown(found.decided)} by {found.decided_by}"))
    rows += [("approved as", found.edited)] if found.edited else []
    rows += [("reason", found.reason)] if found.reason else []
    return [*rows, ("whole", found.body), ("digest", found.digest)]


@verb("approve")
@click.argument("id")
@click.option("--digest", default="", help="The digest that `pending show` gave; without it you are asked.")
@click.option("--edit", metavar="TEXT", default="", help="Let it say TEXT instead, as your own statement.")
@click.option("--value", default="", help="The value of an edited keyed claim.")
@click.option("--reason", default="", help="Why.")
@click.pass_obj
def approve(call: Call, /, id: str, *, digest: str, edit: str, **given: Any) -> int:
    """Approve what waits, or what you make of it: it passes the gate again, as things are now."""
    vault = call.hand()
    if not digest:
        found = vault.proposal(id)
        if found.decided is not None:
            # Nothing is asked about what was decided; the gate says so.
            return answered(call, vault.approve(id, digest=found.digest, text=edit, **given))
        preview = ["This is about to be approved:", *(f"  {name}: {text}" for name, text in _rows(found))]
        edits = (("text", edit), ("value", given["value"]))
        preview += [f"  edited {name}: {text}" for name, text in edits if text]
        if not _asked(preview):
            return REFUSED
        digest = found.digest
    return answered(call, vault.approve(id, digest=digest, text=edit, **given))


def decided_here(call: Call, id: str) -> int:
    """Show a change that was just asked for and approve it, if the person who sits here says so.

    Without a terminal, with `--json`, for an agent, and on any other answer than yes it waits.
    Returns the exit code.
    """
    if call.json or not person_is_here():
        return 0
    vault = call.hand()
    if not vault.principal.is_person:
        return 0
    found = vault.proposal(id)
    for name, text in _rows(found):
        tell(f"{name}: {text}", indent="    ", first="  ")
    try:
        if click.confirm("Approve it now?", err=True):
            return answered(call, vault.approve(id, digest=found.digest))
    except click.Abort:
        tell("")
    tell(f"It waits: `muniment approve {id}` or `muniment decline {id} --reason WHY`.")
    return 0


def _asked(preview: list[str]) -> bool:
    try:
        return confirmed(preview, question="Approve it?", yes=False)
    except BadInput as error:
        advice = "Look at it with `muniment pending show`, and give its `--digest`."
        raise BadInput("Nobody is there to look at it.", advice=advice) from error


@verb("decline")
@click.argument("id")
@click.option("--reason", required=True, help="Why.")
@click.pass_obj
def decline(call: Call, id: str, reason: str) -> int:
    """Decline what waits: it is kept with the reason, and its text is refused from now on."""
    done = call.hand().decline(id, reason=reason)
    if call.json or done.refused:
        return answered(call, done)
    tell(f"declined  {done.proposal}  record {done.record}")
    tell("It is kept with the reason, and may not come back as it is.", indent="  ")
    return 0
