"""How is a damaged vault brought over into a new file?  By one command, which only reads the old one."""

import click

from muniment.settings import shown_address
from muniment.surfaces.cli.call import Call, refuse_absent, verb
from muniment.surfaces.cli.care import DAMAGED
from muniment.surfaces.cli.screen import document, tell
from muniment.surfaces.plain import plain


@verb("salvage")
@click.argument("copy", metavar="COPY")
@click.pass_obj
def salvage(call: Call, copy: str) -> int:
    """Copy every row that can be read of a damaged vault, and its keys, to COPY; exit 5 when some are lost.

    The damaged vault is not touched.  `muniment --vault COPY verify` names what is missing.
    """
    from muniment.looking import salvage_vault

    refuse_absent(call.address)
    found = salvage_vault(call.address, copy)
    if call.json:
        shaped = plain(found)
        document({**shaped, "whole": found.whole, "copy": copy} if isinstance(shaped, dict) else shaped)
        return 0 if found.whole else DAMAGED
    tell(f"Copied what can be read of {shown_address(call.address)} to {copy}")
    for name, count in found.kept.items():
        lost = found.records_lost if name == "record" else found.lost.get(name, 0)
        if count or lost:
            tell(f"  {name}: {count} kept" + (f", {lost} lost" if lost else ""))
    if found.heads_made:
        tell(f"  {found.heads_made} heads of memories were made anew from their whole history.")
    if not found.indexed:
        tell("  Some rows could not be indexed; verify names them.")
    tell(f"Look at it next: muniment --vault {copy} verify")
    return 0 if found.whole else DAMAGED
