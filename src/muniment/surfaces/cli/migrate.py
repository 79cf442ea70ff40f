"""How is a vault of an earlier release brought up to date?  By one command, which a server's owner runs."""

import click

from muniment.settings import shown_address
from muniment.surfaces.cli.call import Call, refuse_absent, verb
from muniment.surfaces.cli.screen import document, tell


@verb("migrate")
@click.pass_obj
def migrate(call: Call) -> None:
    """Bring the vault's schema up to date; on a server, as the role that owns the tables."""
    from muniment.wiring import migrate_vault

    refuse_absent(call.address)
    number = migrate_vault(call.address, call.settings)
    if call.json:
        document({"schema": number, "vault": shown_address(call.address)})
        return
    tell(f"{shown_address(call.address)} has schema {number}.")
