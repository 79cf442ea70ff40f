"""How is an agent let in?  Over MCP on standard input and output, and never as a person (I15)."""

import click

from muniment.errors import Unavailable
from muniment.surfaces.cli.call import Call, verb


@verb("serve")
@click.option("--mcp", is_flag=True, default=True, help="Speak MCP on standard input and output.")
@click.option("--tools", default="core", show_default=True, help="Toolsets, separated by commas.")
@click.pass_obj
def serve(call: Call, mcp: bool, tools: str) -> None:
    """Let an agent in over MCP; without a key it acts as an agent, whoever started it."""
    try:
        from muniment.surfaces.mcp.server import serve as serve_mcp
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("muniment"):
            raise
        raise Unavailable(
            "The package that speaks MCP is not installed.", advice="Install `muniment[mcp]`."
        ) from error
    wanted = tuple(name.strip() for name in tools.split(",") if name.strip())
    serve_mcp(call.hand(make=True, driven=True), tools=wanted)
