"""What does it look like at work?  Eight steps on a scratch vault, each shown on one screen."""

import io
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muniment.errors import BadInput, Unreadable
from muniment.surfaces.cli.call import PLACE, Call, verb
from muniment.surfaces.cli.screen import ALWAYS_WRAP, document, say, tell
from muniment.surfaces.plain import plain

if TYPE_CHECKING:
    from muniment.service.vault import Vault

STEPS = 8
"""How many steps a demo has."""

VAULT_FILE = "demo.db"
"""Name of the demo's vault in its directory."""

CONNECT = """\
{
  "mcpServers": {
    "muniment": {"command": "muniment", "args": ["serve", "--mcp"]}
  }
}"""
"""What an MCP client is told."""


@dataclass
class Stage:
    """Hold the demo's vault, what the viewer has seen so far, and what it has shown."""

    vault: "Vault"
    path: Path
    facts: dict[str, object] = field(default_factory=dict)
    step: int = 0

    def begin(self, title: str) -> None:
        """Begin the next step."""
        self.step += 1
        say("", f"{self.step}/{STEPS}  {title}", "-" * (len(title) + 5))

    def note(self, name: str, value: object) -> None:
        """Keep what a step has shown, for `--json`."""
        self.facts[name] = plain(value)


@verb("demo")
@click.option("--from", "source", type=PLACE, metavar="PATH", help="Use your own session or JSONL.")
@click.option("--keep", "keep", type=PLACE, metavar="DIR", help="Keep the vault in this directory.")
@click.pass_obj
def demo(call: Call, source: Path | None, keep: Path | None) -> None:
    """See it at work: answers with their evidence, a correction, a rejection, and what tampering does."""
    from muniment.surfaces.cli import demo_own, demo_story

    click.get_current_context().meta[ALWAYS_WRAP] = True
    steps: Callable[[Stage], None] = demo_story.play
    if source is not None:
        steps = demo_own.playing(source)
    with ExitStack() as stack:
        place = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="muniment-demo-")))
        path = place / VAULT_FILE
        if path.exists():
            raise BadInput(
                "There is a demo vault in this directory already; nothing was changed.",
                advice="Look at it with `muniment --vault`, or name another directory.",
            )
        stage = Stage(stack.enter_context(_owned(path)), path)
        if call.json:
            stack.enter_context(redirect_stdout(io.StringIO()))
        steps(stage)
        _connect(stage, kept=keep is not None)
    if call.json:
        document(stage.facts)


def _owned(path: Path) -> "Vault":
    """Return a new vault in the hands of its owner's key, as a script would hold it (I15)."""
    from muniment.wiring import open_vault

    try:
        with open_vault(path) as made:
            key, _ = made.make_key(actor="you", role="owner", space=made.principal.home)
        return open_vault(path, key)
    except OSError as error:
        raise Unreadable(f"The demo's vault cannot be made: {error.strerror}.") from error


def _connect(stage: Stage, *, kept: bool) -> None:
    stage.begin("Connect an agent")
    tell("For an MCP client, in its configuration:")
    say(*("  " + line for line in CONNECT.split("\n")))
    tell("For Claude Code:")
    say("  claude mcp add muniment -- muniment serve --mcp")
    tell(
        "The agent acts as an agent: it can remember and correct itself, and it can never reject or "
        "lift as a person does.  Begin with `muniment init`."
    )
    if kept:
        tell("This demo's vault stays here:")
        say(f"  muniment --vault {stage.path} status")
    else:
        tell("This demo's vault is gone now; nothing of yours was touched.")
