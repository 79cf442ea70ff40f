"""How does a memory stand in the suites?  Muniment, a floor, or any other behind an adapter."""

import os
import sys
from functools import partial
from pathlib import Path

import click

from muniment.conformance import floors, run, shown
from muniment.errors import BadInput
from muniment.surfaces.cli.call import Call, Verb, shared_options
from muniment.surfaces.cli.moving import Progress
from muniment.surfaces.cli.screen import document, say, tell

OURS = ("library", "mcp")
"""What can be measured by name beside the floors."""

NOT_ALL_HOLDS = 5
"""Exit code when something that was measured does not hold."""


bench = click.Group(
    "bench",
    help="Measure a memory; nothing of any vault is read or written.",
    params=shared_options(),
    no_args_is_help=True,
)
"""The commands that measure."""


@bench.command("conformance", cls=Verb)
@click.option("--adapter", metavar="MODULE:CLASS", help="Measure the memory behind this adapter.")
@click.option(
    "--memory",
    type=click.Choice([*OURS, *(floor.name for floor in floors.FLOORS)]),
    default="library",
    show_default=True,
    help="Measure one of these instead.",
)
@click.option(
    "--database", metavar="DSN", help="Measure the library on a PostgreSQL database kept for trials."
)
@click.option(
    "--only",
    "suites",
    type=click.Choice([suite.value for suite in run.Suite]),
    multiple=True,
    help="Run this suite; may be given several times.",
)
@click.option("--no-floors", is_flag=True, help="Leave the floors out.")
@click.pass_obj
def conformance(
    call: Call, /, suites: tuple[str, ...], *, no_floors: bool, memory: str, **given: str | None
) -> int:
    """Take a memory through the portable tests, the deletion steps and the two matrices.

    Each test has a twin that shows it could have failed, and the floors show that it does.
    Exit 5 when a test of the memory fails.
    """
    name, kind = _chosen(given["adapter"], memory, given["database"])
    wanted = [run.Suite(one) for one in suites] or list(run.Suite)
    beside = () if no_floors else tuple(floor for floor in floors.FLOORS if floor.name != name)
    progress = Progress("tests, steps and cells")
    try:
        found = [run.measured(name, kind, suites=wanted, progress=progress)]
        found += [run.measured(floor.name, floor, suites=wanted, progress=progress) for floor in beside]
    finally:
        progress.done()
    if call.json:
        document({"measured": [shown.as_document(one) for one in found]})
    else:
        _told(found)
    return NOT_ALL_HOLDS if found[0].fails else 0


def _told(found: list[run.Measured]) -> None:
    for line in shown.lines(found):
        if line.startswith("  ") and ": " in line:
            tell(line.strip(), indent="    ", first="  ")
        else:
            say(line)


def _chosen(adapter: str | None, memory: str, database: str | None) -> tuple[str, run.Kind]:
    """Return the name and the class of what is to be measured."""
    if adapter:
        return _foreign(adapter)
    if database:
        from muniment.conformance.library import Library

        return "postgres", partial(Library, address=database)
    if memory == "mcp":
        from muniment.conformance.served import Served

        return Served.name, Served
    if memory == "library":
        from muniment.conformance.library import Library

        return Library.name, Library
    return memory, next(floor for floor in floors.FLOORS if floor.name == memory)


def _foreign(adapter: str) -> tuple[str, run.Kind]:
    """Return an adapter that is installed, or lies in the present directory."""
    sys.path.insert(0, os.fspath(Path.cwd()))
    try:
        kind = run.kind_named(adapter)
    except (ValueError, ImportError, AttributeError, TypeError) as error:
        raise BadInput(
            f"There is no adapter at {adapter[:80]}.",
            advice="Name it as `module:Class`, a class that extends `muniment.conformance.adapter.Memory`.",
        ) from error
    finally:
        sys.path.pop(0)
    return str(getattr(kind, "name", "") or adapter.partition(":")[2]), kind
