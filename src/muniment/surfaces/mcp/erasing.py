"""How does an agent ask for an erasure?  By a request that a person sees, carries out, or declines."""

from collections.abc import Mapping
from types import MappingProxyType

from muniment.surfaces.mcp.connection import Held
from muniment.surfaces.mcp.replies import Reply
from muniment.surfaces.mcp.tool import Tool
from muniment.surfaces.shapes import Arguments, Field, Form, Type

ERASE = Form(
    example=MappingProxyType({"by": "text", "what": "4417 Heron Lane"}),
    fields=(
        Field(
            "by",
            Type.CHOICE,
            "What `what` is: words that may be left nowhere, an id, a source, or a person's name.",
            required=True,
            choices=("text", "id", "source", "person"),
        ),
        Field("what", Type.TEXT, "What is to go; all that says it, or came from it, goes.", required=True),
    ),
)


def _erase(held: Held, given: Arguments) -> Reply:
    means = {given.text("by"): given.text("what")}
    id, plan = held.vault.ask_erasure(label=held.label, **means)
    counts = dict(plan.counts)
    seen = ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "nothing"
    text = (
        f"staged: request {id} waits for a person, and nothing has gone. "
        f"Of what you may see would go: {seen}.\n"
        "Next: tell the person; `muniment erase --requests` lists it."
    )
    fields = {"verdict": "staged", "request": id, "would_go": counts, "answer": text}
    return Reply(text, fields)


TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        "erase": Tool(
            "Ask for an erasure",
            "Ask a person to erase something for good, with all that came from it. You never erase: "
            "the request waits, and the person sees exactly what would go.",
            ERASE,
            _erase,
            idempotent=True,
        ),
    }
)
"""The toolset `erasing`, by name."""
