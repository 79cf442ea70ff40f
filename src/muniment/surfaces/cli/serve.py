"""How is an agent let in?  Over MCP, or over the sockets of a local daemon; never as a person (I15)."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muniment.errors import BadInput, Unavailable
from muniment.settings import SOCKETS
from muniment.surfaces.cli.call import PLACE, Call, verb
from muniment.surfaces.cli.screen import aside, document, hush, pairs, person_is_here, tell

if TYPE_CHECKING:
    from muniment.domain.rights import Peer

ENVIRONMENT = "daemon.env"
"""Name of the file beside the vault's home that tells a unit the address of a server."""


@verb("serve")
@click.option("--mcp", is_flag=True, help="Speak MCP on standard input and output; so without --local, too.")
@click.option("--tools", default="core", show_default=True, help="Toolsets over MCP, separated by commas.")
@click.option("--local", is_flag=True, help="Serve over private sockets of this machine until stopped.")
@click.option("--sockets", type=PLACE, help="Directory of the sockets; else MUNIMENT_SOCKETS.")
@click.option("--unit", is_flag=True, help="With --local: print a unit for systemd, and serve nothing.")
@click.pass_obj
def serve(call: Call, /, *, local: bool, unit: bool, **given: object) -> None:
    """Let an agent in: over MCP, or over the sockets of a daemon."""
    sockets = given["sockets"] if isinstance(given["sockets"], Path) else None
    if given["mcp"] and local:
        raise BadInput("`--mcp` and `--local` are two ways; give one.")
    if not local and (unit or sockets):
        raise BadInput("`--unit` and `--sockets` go with `--local`.")
    if not local:
        _serve_mcp(call, str(given["tools"]))
        return
    directory = (sockets or call.settings.sockets or call.settings.home / SOCKETS).absolute()
    if unit:
        _unit_shown(call, directory)
    else:
        _serve_local(call, directory)


@contextmanager
def _extra(name: str, what: str) -> Iterator[None]:
    """Say which extra is not installed, in one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("muniment"):
            raise
        raise Unavailable(
            f"The package that {what} is not installed.", advice=f"Install `muniment[{name}]`."
        ) from error


def _serve_mcp(call: Call, tools: str) -> None:
    """Serve one client; without a key it acts as an agent, whoever started it."""
    with _extra("mcp", "speaks MCP"):
        from muniment.surfaces.mcp.server import serve as serve_mcp
    wanted = tuple(name.strip() for name in tools.split(",") if name.strip())
    if person_is_here():
        aside("Speaking MCP here; mostly an agent's host starts this.  Ctrl+C ends it.")
    serve_mcp(call.hand(make=True, driven=True), tools=wanted)


def _serve_local(call: Call, directory: Path) -> None:
    with _extra("server", "serves HTTP"):
        from muniment.surfaces.http.daemon import Daemon, Place
    settings = call.settings
    place = Place(directory, settings.actor or "agent", call.space or settings.space)

    def announce(paths: "Mapping[Peer, Path]") -> None:
        try:
            if call.json:
                document({"sockets": {peer.value: str(path) for peer, path in paths.items()}})
            else:
                pairs([(peer.value, str(path)) for peer, path in paths.items()])
            sys.stdout.flush()
        except BrokenPipeError:
            # Who started it does not listen; those at the sockets are served all the same.
            hush()
        if "owner" not in paths:
            aside("There is no socket of the owner: serve with an owner's key, or from a terminal.")

    Daemon(call.hand(make=True), place, announce=announce).run()


def _unit_shown(call: Call, directory: Path) -> None:
    """Print a unit for this vault; a key stands in it by its file alone."""
    from muniment.surfaces.http.unit import unit_of

    command = [sys.executable, "-m", "muniment", "serve", "--local", "--sockets", str(directory)]
    key = call.settings.key if call.key is None else call.key
    if key and not key.startswith("@"):
        raise BadInput("A unit holds no key.", advice="Give `--key @<path of a file>`.")
    if key:
        command += ["--key", f"@{Path(key[1:]).expanduser().absolute()}"]
    writes, environment = [call.key_directory().absolute().parent, directory.parent], None
    if "://" in call.address:
        # An address may hold a password, which everybody could read in a unit.
        environment = call.settings.home.absolute() / ENVIRONMENT
        aside(f"Write MUNIMENT_VAULT=<address> into {environment}, a file of mode 0600.")
    else:
        command += ["--vault", str(Path(call.address).expanduser().absolute())]
    if not key:
        aside("Without `--key @FILE` the daemon serves no socket of the owner.")
    tell(unit_of(command, writes=writes, environment=environment).rstrip("\n"))
