"""What is a tool, and how is one call of it answered?  Whatever happens, with a reply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from muniment.errors import BadInput, MunimentError
from muniment.surfaces.mcp.connection import Held
from muniment.surfaces.mcp.replies import Reply, failure
from muniment.surfaces.problems import problem_of
from muniment.surfaces.shapes import Arguments, Form, arguments_of


@dataclass(frozen=True, slots=True)
class Tool:
    """Hold one tool: its title, what it does, its form, what runs, and hints for the host."""

    title: str
    meaning: str
    form: Form
    run: Callable[[Held, Arguments], Reply]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False


def answered(tool: Tool, held: Held, raw: Mapping[str, object]) -> Reply:
    """Return the reply to one call; an error is a reply too, and never ends the server (I13)."""
    try:
        return tool.run(held, arguments_of(tool.form, raw))
    except MunimentError as error:
        return failure(problem_of(error), tool.form.example_for(raw))
    except Exception as error:  # noqa: BLE001  the caller gets an answer, whatever nobody foresaw
        return failure(problem_of(error), {})


def no_such_tool(name: str, known: Mapping[str, Tool]) -> Reply:
    """Return the reply to a call of a tool that is not there."""
    error = BadInput(f"There is no tool `{name[:40]}`.", advice=f"The tools are: {', '.join(known)}.")
    return failure(problem_of(error), {})
