"""Who may act on this vault without a terminal?  Keys are made, listed, revoked and rotated."""

from pathlib import Path

import click

from muniment.adapters import files
from muniment.errors import BadInput, NotFound
from muniment.surfaces.cli.call import PLACE, Call, Verb, confirmed, shared_options
from muniment.surfaces.cli.reading import day
from muniment.surfaces.cli.screen import document, table, tell
from muniment.surfaces.cli.writing import REFUSED
from muniment.surfaces.plain import plain

keys = click.Group(
    "keys",
    help="Make, list, revoke and rotate keys; a person's acts.",
    params=shared_options(),
    no_args_is_help=True,
)
"""The commands about keys."""


@keys.command("list", cls=Verb)
@click.pass_obj
def list_(call: Call) -> None:
    """List the keys: whose they are, never their secrets."""
    found = call.hand().keys()
    if call.json:
        document({"keys": plain(found)})
        return
    rows = [
        (
            one.public_id,
            one.actor,
            one.role.value,
            one.home,
            day(one.made),
            f"revoked {day(one.revoked)}" if one.revoked else "live",
        )
        for one in found
    ]
    table(("key", "actor", "role", "home", "made", "state"), rows)


def _spaces(given: tuple[str, ...] | str | bool) -> tuple[str, ...]:
    return given if isinstance(given, tuple) else ()


@keys.command("create", cls=Verb)
@click.option("--name", default="", help="The actor who holds it.")
@click.option("--role", default="agent", show_default=True, help="owner, admin, member, auditor or agent.")
@click.option("--home", default="home", show_default=True, help="The space that it writes to.")
@click.option("--reads", multiple=True, help="A space to read with all below it; may be repeated.")
@click.option("--writes", multiple=True, help="A further space to write to; may be repeated.")
@click.option("--secrets", is_flag=True, help="Its holder may store text with a secret, as class secret.")
@click.option("--to", "place", type=PLACE, help="Write the key to this new file instead of showing it.")
@click.pass_obj
def create(call: Call, /, role: str, place: Path | None, **given: tuple[str, ...] | str | bool) -> None:
    """Make a key; it is shown once and never stored."""
    actor = str(given["name"]) or role
    if place is not None and place.exists():
        raise BadInput("The key's file is there already; keys are never overwritten.")
    key, public_id = call.hand().make_key(
        actor=actor,
        role=role,
        space=str(given["home"]),
        reads=_spaces(given["reads"]),
        writes=_spaces(given["writes"]),
        secrets=bool(given["secrets"]),
    )
    if place is not None:
        with files.translated("The key's file"):
            files.write_new(place, f"{key}\n".encode("ascii"))
    if call.json:
        shown = {"key_file": str(place)} if place is not None else {"key": key}
        document({"key_id": public_id, "actor": actor, "role": role, **shown})
        return
    tell(f"Made a key for {actor}, {role}: {public_id}")
    if place is not None:
        tell(f"It is in {place}; use it with --key @{place}")
    else:
        tell("Keep it now; it is shown this once:")
        tell(key)


@keys.command("revoke", cls=Verb)
@click.argument("public_id")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def revoke(call: Call, public_id: str, yes: bool) -> int:
    """Revoke a key; whoever holds it is refused from now on."""
    vault = call.hand()
    if not yes:
        known = vault.keys()
        found = [one for one in known if one.public_id == public_id and one.revoked is None]
        if not found:
            raise NotFound("No live key has this public id.", advice="List the keys.")
        preview = [
            "1 key is about to be revoked for good:",
            f"  {public_id} of {found[0].actor}, {found[0].role.value}, made {day(found[0].made)}",
        ]
        if not confirmed(preview, question="Revoke it?", yes=False):
            return REFUSED
    record = vault.revoke_key(public_id)
    if call.json:
        document({"key_id": public_id, "revoked": True, "record": plain(record)})
    else:
        tell(f"Revoked {public_id}.")
    return 0


@keys.command("rotate", cls=Verb)
@click.pass_obj
def rotate(call: Call) -> None:
    """Take new signing and tombstone keys.

    What the old ones signed still verifies, and what they keep out stays out.
    """
    done = call.hand().rotate_keys()
    if call.json:
        document({"rotated": plain(done)})
    else:
        tell("New keys are in force; the old ones still verify what they signed.")
