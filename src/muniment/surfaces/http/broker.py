"""What may the broker call, which runs the tools?  It hands in what they gave, and asks for labels.

It alone says that a result is clean: the loop is driven by a model that may have read the result.
"""

from collections.abc import Mapping
from types import MappingProxyType

from muniment.service.updates import session_now
from muniment.surfaces.http.common import ABOUT, AT, CLASS, SESSION_NOW, UNTRUSTED, UPDATED, UPDATES
from muniment.surfaces.http.desk import SESSION, Desk, Route, form_of, named
from muniment.surfaces.shapes import Arguments, Field, Type


def _append(desk: Desk, given: Arguments) -> object:
    """Keep what a tool was asked or gave, in a session that the loop has begun."""
    name, tool = given.text("session"), given.text("tool")
    session_now(desk.vault.ground, desk.vault.principal, name)
    session = desk.vault.session(name, clean_tools=(tool,) if given.flag("clean") else ())
    fields = named(given, "at", "data_class", "untrusted")
    return session.append(given.text("role"), given.text("text"), speaker=tool, **fields)


ROUTES: Mapping[str, Route] = MappingProxyType(
    {
        "about": ABOUT,
        "session_updated": UPDATED,
        "session": SESSION_NOW,
        "updates": UPDATES,
        "append": Route(
            "Keep what a tool was asked, or what it gave; untrusted unless it is said to be clean.",
            form_of(
                {"session": "s-42", "role": "tool_result", "tool": "calculator", "text": "4", "clean": True},
                SESSION,
                Field(
                    "role",
                    Type.CHOICE,
                    "What the text is.",
                    required=True,
                    choices=("tool_call", "tool_result"),
                ),
                Field("tool", Type.NAME, "The tool's name.", required=True),
                Field("text", Type.TEXT, "What was asked, or given.", required=True),
                Field("clean", Type.FLAG, "The tool brings nothing in from outside, as a calculator."),
                AT,
                CLASS,
                UNTRUSTED,
            ),
            _append,
        ),
    }
)
"""The calls of the broker's socket."""
