"""Which commands show and decide cases?  Two statements that disagree, and what a person makes of them."""

from typing import Any

import click

from muniment.domain.matter import Decision
from muniment.domain.timeline import shown
from muniment.errors import BadInput
from muniment.service.cases import Case, Side
from muniment.surfaces.cli.call import WHEN, Call, Verb, shared_options
from muniment.surfaces.cli.screen import document, pairs, shortened, tell
from muniment.surfaces.cli.writing import answered
from muniment.surfaces.plain import plain

_PREVIEW_CHARACTERS_MAX = 200


@click.group("cases", invoke_without_command=True, params=shared_options())
@click.option("--state", default="open", show_default=True, help="open, decided, moot, all.")
@click.option("--limit", type=int, default=20, show_default=True, help="Most cases shown.")
@click.pass_context
def cases(context: click.Context, /, state: str, limit: int, **_: Any) -> None:
    """List the cases that wait for a decision, show one, and decide it."""
    if context.invoked_subcommand is None:
        _listed(context.obj, state=state, limit=limit)


def _listed(call: Call, *, state: str, limit: int) -> None:
    found = call.hand().cases(state=state, space=call.space, limit=limit)
    if call.json:
        document({"cases": plain(found)})
    elif not found:
        tell("No case waits." if state == "open" else "There is no such case.")
    for case in found if not call.json else ():
        tell(f"{case.id}  {case.state}  {case.why}  opened {shown(case.opened)} by {case.opened_by}")
        for name, side in (("new", case.new), ("old", case.old)):
            if side is not None:
                tell(f"{name}: {_said(side)}", indent="      ", first="  ")


def _said(side: Side) -> str:
    if side.trust is None:
        return f"{side.id} (not shown)"
    return shortened(side.text, characters_max=_PREVIEW_CHARACTERS_MAX)


@cases.command("show", cls=Verb)
@click.argument("id")
@click.pass_obj
def show(call: Call, id: str) -> None:
    """Show one case, with both sides as they are now.

    It says why the case was opened, and what was decided.
    """
    found = call.hand().case(id)
    if call.json:
        document(plain(found))
        return
    pairs([*_head(found), *_of_side("new", found.new), *_of_side("old", found.old)])


def _head(case: Case) -> list[tuple[str, str]]:
    rows = [
        ("case", f"{case.id}  {case.kind}, {case.state}, version {case.version}"),
        ("why", case.why),
        ("space", case.space),
        ("opened", f"{shown(case.opened)} by {case.opened_by}"),
    ]
    if case.decided is not None:
        said = case.decision or "nothing was left to decide"
        rows.append(("decided", f"{shown(case.decided)} by {case.decided_by}: {said}"))
    if case.reason:
        rows.append(("reason", case.reason))
    return rows


def _of_side(name: str, side: Side | None) -> list[tuple[str, str]]:
    if side is None:
        return []
    if side.trust is None or side.rank is None or side.valid is None:
        return [(name, f"{side.id} (not shown)")]
    marks = f"{side.trust.value}, {side.rank.name.lower()}, by {side.author}, valid {side.valid.shown()}"
    return [(name, f"{side.id} version {side.version}"), ("", side.text), ("", marks)]


@cases.command("decide", cls=Verb)
@click.argument("id")
@click.option(
    "--uphold-new", is_flag=True, help="The newer statement is true; the older ended where it begins."
)
@click.option("--keep-old", is_flag=True, help="The older statement is true.")
@click.option("--edit", metavar="TEXT", help="Neither is: TEXT is true.")
@click.option("--both-valid", is_flag=True, help="Both are true; --from says since when the newer is.")
@click.option("--merge", is_flag=True, help="Both say the same; the older one stays.")
@click.option("--value", default="", help="The value of an edited keyed claim.")
@click.option("--from", "valid_from", type=WHEN, help="Since when the newer, or the edited, is true.")
@click.option("--until", "valid_until", type=WHEN, help="Until when the newer, or the edited, is true.")
@click.option("--reason", default="", help="Why.")
@click.option("--expected-version", type=int, help="Refuse when a side was changed after this version.")
@click.pass_obj
def decide(call: Call, /, id: str, edit: str | None, **given: Any) -> int:
    """Decide a case; a person's act."""
    flags = {
        Decision.UPHOLD_NEW: given.pop("uphold_new"),
        Decision.KEEP_OLD: given.pop("keep_old"),
        Decision.EDIT: edit is not None,
        Decision.BOTH_VALID: given.pop("both_valid"),
        Decision.MERGE: given.pop("merge"),
    }
    chosen = [decision for decision, is_given in flags.items() if is_given]
    if len(chosen) != 1:
        raise BadInput("Give one decision: --uphold-new, --keep-old, --edit, --both-valid or --merge.")
    return answered(call, call.hand().decide(id, chosen[0].value, text=edit or "", **_known(given)))


def _known(given: dict[str, Any]) -> dict[str, Any]:
    names = ("value", "valid_from", "valid_until", "reason", "expected_version")
    return {name: given[name] for name in names}
