"""What can a person or a script type?  One table of commands, each loaded when it is called."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from muniment import __version__
from muniment.surfaces.cli.call import Call, shared_options
from muniment.surfaces.cli.screen import arrow, aside, document, hush, safe, sentence, settle_streams
from muniment.surfaces.problems import Problem, problem_of

INTERRUPTED, READER_GONE = 130, 141
"""Exit codes of a command that was stopped by the person, or whose reader went away."""


class Entry(NamedTuple):
    """Hold where a command lives and what the list says of it."""

    home: str
    says: str


_ROOM = "muniment.surfaces.cli."

COMMANDS: Mapping[str, Entry] = MappingProxyType(
    {
        "init": Entry("care:init", "Make a vault and an owner key."),
        "demo": Entry("demo:demo", "See it at work, on a story or on your own material."),
        "status": Entry("care:status", "Say what the vault holds."),
        "doctor": Entry("care:doctor", "Check the vault's health."),
        "serve": Entry("serve:serve", "Let an agent in, over MCP or local sockets."),
        "remember": Entry("writing:remember", "Remember a statement."),
        "recall": Entry("reading:recall", "Answer a question from memory."),
        "read": Entry("reading:read", "Show one thing, now or then."),
        "history": Entry("reading:history", "Show every version of a memory."),
        "why": Entry("reading:why", "Show what a memory rests on, down to the words."),
        "revise": Entry("writing:revise", "Say that a memory was wrong."),
        "succeed": Entry("writing:succeed", "Say that the world has changed."),
        "retract": Entry("writing:retract", "Take a statement back."),
        "reject": Entry("writing:reject", "Reject a value for good; a person's act."),
        "lift": Entry("writing:lift", "End a rejection; a person's act."),
        "retire": Entry("writing:retire", "Put a memory out of use."),
        "revive": Entry("writing:revive", "Bring a retired memory back."),
        "erase": Entry("erasing:erase", "Erase for good, after a plan; a person's act."),
        "certificates": Entry("erasing:certificates", "List and show certificates of erasures."),
        "link": Entry("writing:link", "Link two things."),
        "memory": Entry("blocks:memory", "Edit the blocks that stand in every prompt."),
        "prompt": Entry("prompt:prompt", "Show the prompt that a session gets."),
        "undo": Entry("blocks:undo", "Take back the latest edit of a block."),
        "cases": Entry("cases:cases", "Show and decide what contradicts."),
        "pending": Entry("pending:pending", "Show what waits for a person."),
        "approve": Entry("pending:approve", "Approve what waits."),
        "decline": Entry("pending:decline", "Decline what waits, for good."),
        "log": Entry("reading:log", "Show the ledger's records."),
        "verify": Entry("care:verify", "Prove the ledger and every row."),
        "checkpoint": Entry("care:checkpoint", "Sign the head for the outside witness."),
        "keys": Entry("keys:keys", "Make, list, revoke and rotate keys."),
        "reindex": Entry("care:reindex", "Rebuild the index from the rows."),
        "salvage": Entry("salvage:salvage", "Copy what can be read of a damaged vault."),
        "migrate": Entry("migrate:migrate", "Bring the vault's schema up to date."),
        "import": Entry("moving:import_", "Take in conversations or an export."),
        "export": Entry("moving:export", "Write everything to a file."),
        "restore": Entry("moving:restore", "Fill an empty vault from an export."),
        "bench": Entry("bench:bench", "Measure a memory, this one or another."),
        "search": Entry("reading:search", "Search the conversations."),
        "sessions": Entry("reading:sessions", "List the conversations."),
        "spaces": Entry("reading:spaces", "List the spaces."),
    }
)


class Commands(click.Group):
    """A group whose commands are loaded when they are called, and whose errors have one shape."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.home.partition(":")
        found: click.Command = getattr(import_module(_ROOM + module), attribute)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list from the table: help loads no command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.says) for name, entry in COMMANDS.items()])

    def main(  # type: ignore[override]  # what is left out is named, never given by position
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run one call and end the process with its code; no traceback reaches a person."""
        if not extra.get("standalone_mode", True) or "_MUNIMENT_COMPLETE" in os.environ:
            return super().main(args, prog_name, **extra)
        given = list(sys.argv[1:] if args is None else args)
        settle_streams()

        def deed() -> object:
            with self.make_context(
                prog_name or "muniment", list(given), **{"obj": Call(), **extra}
            ) as context:
                return self.invoke(context)

        sys.exit(answered(deed, as_json="--json" in given))


def answered(deed: Callable[[], object], *, as_json: bool) -> int:
    """Return the exit code of a deed; everything that goes wrong is answered here, once."""
    try:
        code = deed()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except BrokenPipeError:
        hush()
        return READER_GONE
    except (click.Abort, KeyboardInterrupt, EOFError):
        sys.stderr.write("\n")
        return INTERRUPTED
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        return shown(_usage_problem(error), as_json=as_json)
    except Exception as error:  # noqa: BLE001  a surface answers its caller, whatever happened
        return shown(problem_of(error), as_json=as_json)


def shown(problem: Problem, *, as_json: bool) -> int:
    """Show a problem in the one shape that every error has, and return its exit code."""
    if as_json:
        fields = {"code": problem.code, "sentence": problem.sentence, "advice": problem.advice}
        try:
            document({"error": {**fields, "exit_code": problem.exit_code}})
            sys.stdout.flush()
        except BrokenPipeError:
            hush()
        return problem.exit_code
    aside(f"{problem.code}: {safe(problem.sentence)}")
    aside(f"{arrow()} {safe(problem.advice)}")
    return problem.exit_code


def _usage_problem(error: click.ClickException) -> Problem:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "muniment"
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        print(error.format_message())
        return Problem("bad-call", "No command was given.", "Choose one of the list.", 2, 400)
    # What may be chosen comes on lines of its own, and belongs to the sentence.
    said = sentence(" ".join(error.format_message().split()))
    return Problem("bad-call", said, f"Run `{path} --help`.", 2, 400)


def _version_shown(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        print(f"muniment {__version__}")
        context.exit()


main = Commands(
    "muniment",
    help="Memory for AI agents that can be corrected, and can prove it.",
    params=[
        *shared_options(),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version_shown,
            help="Show the version and leave.",
        ),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
)
"""The command line."""
