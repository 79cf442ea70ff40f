"""How does an agent look for what was said before?  The tool `session_search`: four modes by what is given.

A session's name is somebody's text, so it is shown as the head of an item is: with what could
make a sentence of it spelled out.  It is taken back in the same spelling.
"""

from types import MappingProxyType
from urllib.parse import unquote

from muniment.errors import NotFound
from muniment.recall.envelope import attribute_value
from muniment.service.hand_searching import SearchFields
from muniment.service.search_result import Search, SessionFound
from muniment.surfaces.fields import SEARCH_FIELDS
from muniment.surfaces.mcp.connection import Held
from muniment.surfaces.mcp.replies import Reply, envelope_reply, fitted, label_fields
from muniment.surfaces.mcp.tool import Tool
from muniment.surfaces.shapes import Arguments, Field, Form, Type

SEARCH = Form(
    example=MappingProxyType({"query": "deploy key rotation"}),
    fields=(*SEARCH_FIELDS, Field("said_by", Type.NAME, "user or assistant.")),
)


def _search(held: Held, given: Arguments) -> Reply:
    named = given.text("conversation")
    try:
        found = _found(held, given, named)
    except NotFound:
        if unquote(named) == named:
            raise
        found = _found(held, given, unquote(named))
    held.asked(found.answer)
    return _reply(found)


def _found(held: Held, given: Arguments, session: str) -> Search:
    fields = SearchFields(
        limit=given.whole("limit"),
        sort=given.text("sort"),
        session=session,
        around=given.whole("around"),
        window=given.whole("window"),
        role=given.text("said_by"),
        durable=True,
    )
    hand = held.vault if held.session is None else held.session
    return hand.search(given.text("query"), **fields)


def _reply(found: Search) -> Reply:
    answer = found.answer
    shown = fitted(answer.hits, empty=answer.reason)
    lines = [f"{found.mode}: {len(found.sessions)} sessions."]
    lines += [_line(one) for one in found.sessions]
    lines += [f"Note: {note}" for note in answer.notes]
    return envelope_reply(
        shown,
        lines,
        mode=found.mode,
        outcome=answer.outcome.value,
        reason=answer.reason,
        notes=list(answer.notes),
        label=label_fields(answer.label),
        logged=answer.logged,
        sessions=[_fields(one) for one in found.sessions],
    )


def _line(one: SessionFound) -> str:
    parts = [f"session {attribute_value(one.session)}", f"{one.total} places"]
    parts += [f"begun {one.started:%Y-%m-%d}"]
    parts += ["of a child agent"] if one.child else []
    parts += [f"best at {one.anchor}"] if one.anchor else []
    parts += [f"also at {', '.join(map(str, one.more))}"] if one.more else []
    parts += [f"shown {one.places[0]} to {one.places[-1]}, {one.before} before, {one.after} after"] * bool(
        one.places
    )
    return "; ".join(parts) + "."


def _fields(one: SessionFound) -> dict[str, object]:
    return {
        "session": attribute_value(one.session),
        "space": one.space,
        "places": one.total,
        "begun": f"{one.started:%Y-%m-%d}",
        "child": one.child,
        "anchor": one.anchor,
        "more": list(one.more),
        "before": one.before,
        "after": one.after,
        "turns": [
            {"id": hit.id, "place": place, "role": hit.role.value, "state": state}
            for hit, place, state in zip(one.turns, one.places, one.states, strict=True)
        ],
    }


SEARCH_TOOL = Tool(
    "Search",
    "Find what was said in sessions; with nothing given, list the newest.",
    SEARCH,
    _search,
    read_only=True,
)
"""The tool `session_search`."""
