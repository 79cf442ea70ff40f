"""Which commands erase?  A plan is shown first; what was done is proven by a certificate."""

from collections.abc import Mapping

import click

from muniment.domain.check import counted
from muniment.domain.erasure import Plan
from muniment.errors import BadInput
from muniment.service.vault import Vault
from muniment.surfaces.cli.call import Call, Verb, confirmed, shared_options, verb
from muniment.surfaces.cli.reading import day
from muniment.surfaces.cli.screen import document, shortened, table, tell
from muniment.surfaces.cli.writing import REFUSED
from muniment.surfaces.plain import plain, plan_fields

_SHOWN_MAX = 20
_KINDS = {
    "version": ("state of a memory", "states of memories"),
    "evidence": ("turn, note or part of a document", "turns, notes or parts of documents"),
    "link": ("link", "links"),
    "tombstone": ("reason of a rejection", "reasons of rejections"),
    "session": ("name or title of a session", "names or titles of sessions"),
    "recall_log": ("question that was asked", "questions that were asked"),
    "recall": ("question that was asked", "questions that were asked"),
    "actor": ("name of an actor", "names of actors"),
    "matter": ("proposal, case, request or edit of a block", "proposals, cases, requests or edits of blocks"),
    "space": ("space's path", "spaces' paths"),
    "credential": ("name or right of a key", "names or rights of keys"),
    "index": ("entry of the text index", "entries of the text index"),
    "put back": ("of them that comes back without it", "of them that come back without it"),
}
"""What a person calls each kind of row that a plan counts, one of it and several."""

_TERM_CHARACTERS_MAX = 80


def _filters(given: tuple[str, ...]) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for one in given:
        name, is_there, value = one.partition("=")
        if not is_there or name in found:
            raise BadInput("`--filter` takes FIELD=VALUE, each field once.")
        found[name] = value
    return found or None


@verb("erase")
@click.option("--id", "id_", help="A memory, an evidence item or a session.")
@click.option("--text", help="Everything that says this.")
@click.option("--source", help="Everything that came from this source.")
@click.option("--person", help="Everything said by, or about, this person.")
@click.option("--filter", "filters", multiple=True, metavar="FIELD=VALUE", help="All conditions must hold.")
@click.option("--add", multiple=True, metavar="TEXT", help="Keep this text out, too.")
@click.option("--leave", multiple=True, metavar="TEXT", help="Leave this term of the plan alone.")
@click.option("--requests", is_flag=True, help="List the erasures that were asked for; erase nothing.")
@click.option("--request", default="", metavar="ID", help="Carry out one that was asked for.")
@click.option("--decline", default="", metavar="ID", help="Decline one that was asked for.")
@click.option("--reason", default="", help="Why it is declined.")
@click.option("--plan-only", is_flag=True, help="Show what would go; erase nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def erase(call: Call, /, id_: str | None, **given: object) -> int:
    """Erase for good: rows, what is derived from them, and their bytes in the files."""
    if given["requests"]:
        return _requests(call)
    if given["decline"]:
        return _declined(call, str(given["decline"]), reason=str(given["reason"]))
    vault = call.hand()
    plan = _planned(vault, id_, given)
    if given["plan_only"]:
        _show_plan(call, plan)
        return 0
    # Whoever may not erase, and who would erase nothing, is told so and not asked.
    is_asked = not plan.empty and vault.principal.is_person
    if is_asked and not confirmed(plan_lines(plan), question="Erase it for good?", yes=bool(given["yes"])):
        return REFUSED
    certificate = vault.erase(plan)
    if call.json:
        document({"erased": plain(certificate)})
        return 0
    gone = sum(store.deleted for store in certificate.stores)
    kept_out = f"{counted(certificate.tombstones, 'term')} kept out"
    tell(f"Erased: {counted(gone, 'row')}; {kept_out}; {certificate.status.value}.")
    if certificate.storage is None:
        tell("Bytes are still in the files; `muniment status` says when the job is done.")
    tell(f"Certificate {certificate.id}; show it with `muniment certificates show {certificate.id}`.")
    return 0


def _planned(vault: Vault, id: str | None, given: Mapping[str, object]) -> Plan:
    means = {"id": id, **{name: _text(given[name]) for name in ("text", "source", "person")}}
    filters, request = _filters(_texts(given["filters"])), str(given["request"])
    if not request:
        return vault.plan_erasure(
            filters=filters, add=_texts(given["add"]), leave=_texts(given["leave"]), **means
        )
    if filters or any(value is not None for value in means.values()):
        raise BadInput("A request says itself what is to go.", advice="Leave the other options out.")
    return vault.requested_erasure(request)


def _requests(call: Call) -> int:
    found = call.hand().erasure_requests()
    if call.json:
        document({"requests": plain(found)})
        return 0
    if not found:
        tell("No erasure was asked for.")
    for one in found:
        read = ", after reading from outside" if one.untrusted else ""
        tell(f"{one.id}  {one.asked.means.value}  by {one.asker}, {day(one.opened)}{read}")
        said = shortened(one.asked.value, characters_max=_TERM_CHARACTERS_MAX)
        tell(said, indent="      ", first="  ")
    return 0


def _declined(call: Call, id: str, *, reason: str) -> int:
    done = call.hand().decline_erasure(id, reason=reason)
    if call.json:
        document(plain(done))
    else:
        tell(f"Declined: {done.id}; nothing went.")
    return 0


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def plan_lines(plan: Plan) -> list[str]:
    """Return what a plan says, for a person to look at."""
    counts = ", ".join(
        f"{plan.counts[name]} {_KINDS[name][plan.counts[name] != 1]}"
        for name in _KINDS
        if name in plan.counts
    )
    lines = [f"Would go: {counts or 'nothing'}."]
    for one in plan.going[:_SHOWN_MAX]:
        how = "loses a part" if one.put_back else "goes"
        lines.append(f"  {_called(one.name)} {how}: {one.why}")
    if len(plan.going) > _SHOWN_MAX:
        lines.append(f"  and {len(plan.going) - _SHOWN_MAX} more")
    lines += ["Kept out from then on:"] if plan.terms else []
    for term in plan.terms[:_SHOWN_MAX]:
        said = shortened(term.text, characters_max=_TERM_CHARACTERS_MAX)
        lines.append(f"  {term.sort.value}: {said}  (held by {counted(term.hits, 'row')})")
    if len(plan.terms) > _SHOWN_MAX:
        lines.append(f"  and {len(plan.terms) - _SHOWN_MAX} more")
    lines += [f"Stays: {_called(one.name)}: {one.why}" for one in plan.stays[:_SHOWN_MAX]]
    return lines


def _called(name: str) -> str:
    """Return an id as it is, and a row that has only a number by its kind."""
    kind, is_numbered, number = name.partition("/")
    return f"{_KINDS[kind][0]} ({number})" if is_numbered and kind in _KINDS else name


def _show_plan(call: Call, plan: Plan) -> None:
    if not call.json:
        for line in plan_lines(plan):
            tell(line)
        return
    document(plan_fields(plan))


certificates = click.Group(
    "certificates",
    help="List the certificates of erasures, or show one.",
    params=shared_options(),
    no_args_is_help=True,
)
"""The commands about certificates."""


@certificates.command("list", cls=Verb)
@click.pass_obj
def list_(call: Call) -> None:
    """List the notes on erasures, the newest first."""
    rows = call.hand().certificates()
    if call.json:
        document({"certificates": plain(rows)})
        return
    shown = [(row.erasure, row.status, day(row.made)) for row in rows]
    table(("certificate", "status", "made"), shown, none="Nothing was erased yet.")


@certificates.command("show", cls=Verb)
@click.argument("id")
@click.pass_obj
def show(call: Call, id: str) -> None:
    """Show the newest signed note on one erasure.

    It proves itself offline.
    """
    note = call.hand().certificate(id)
    if call.json:
        document({"note": note})
    else:
        click.echo(note, nl=False)
