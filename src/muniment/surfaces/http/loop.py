"""What may the agent's loop call?  Its sessions, their prompt, and the memory tools of its model.

Everything passes a session, so that what was read binds what is written (I10).
"""

from collections.abc import Mapping
from types import MappingProxyType

from muniment import limits
from muniment.domain.evidence import Role
from muniment.domain.label import PUBLIC, Label
from muniment.errors import NotFound
from muniment.service.updates import session_now
from muniment.surfaces.fields import RECALL_FIELDS, SEARCH_FIELDS
from muniment.surfaces.http.common import (
    ABOUT,
    AT,
    CLASS,
    MEMORY_FIELDS,
    REMEMBER_NAMES,
    SESSION_NOW,
    STATED_FIELDS,
    UNTRUSTED,
    UPDATED,
)
from muniment.surfaces.http.desk import SESSION, Desk, Route, form_of, named
from muniment.surfaces.http.unlogged import refuse_stricter, within
from muniment.surfaces.plain import plain
from muniment.surfaces.shapes import Arguments, Field, Type

_ROLES = ("user", "assistant", "tool_call", "tool_result", "system")
assert set(_ROLES) <= {role.value for role in Role}


def _open(desk: Desk, given: Arguments) -> object:
    return desk.session(given.text("session")).open(
        **named(given, "system", "platform", "window", "provider", "tools")
    )


def _append(desk: Desk, given: Arguments) -> object:
    session = desk.session(given.text("session"))
    fields = named(given, "at", "data_class", "untrusted", "speaker")
    return session.append(given.text("role"), given.text("text"), **fields)


def _turns(desk: Desk, given: Arguments) -> object:
    return {"turns": desk.session(given.text("session")).turns(**named(given, "after", "limit"))}


def _compact(desk: Desk, given: Arguments) -> object:
    session = desk.session(given.text("session"))
    return {"archived": session.compact(given.text("summary"), **named(given, "keep"))}


def _rewind(desk: Desk, given: Arguments) -> object:
    return {"taken_back": desk.session(given.text("session")).rewind(given.whole("turns"))}


def _retry(desk: Desk, given: Arguments) -> object:
    return {"text": desk.session(given.text("session")).retry()}


def on_record(desk: Desk, session: str) -> Label:
    """Return the label that a session has in the vault, and will have after a restart too."""
    try:
        return session_now(desk.vault.ground, desk.vault.principal, session).label
    except NotFound:
        return PUBLIC


def _recall(desk: Desk, given: Arguments) -> object:
    names = tuple(one.name for one in RECALL_FIELDS if one.name != "query")
    session = desk.session(given.text("session"))
    read = on_record(desk, session.name)
    answer = within(session.recall(given.text("query"), **named(given, *names)), read)
    shaped = plain(answer)
    return {**shaped, "envelope": answer.render()} if isinstance(shaped, dict) else shaped


def _search(desk: Desk, given: Arguments) -> object:
    fields = named(given, "limit", "sort", "around", "window", "role")
    session = desk.session(given.text("session"))
    read = on_record(desk, session.name)
    found = session.search(given.text("query"), session=given.text("conversation"), **fields)
    refuse_stricter(found.answer, read)
    envelope = found.answer.render()
    return {"mode": found.mode, "sessions": found.sessions, "answer": found.answer, "envelope": envelope}


def _memory(desk: Desk, given: Arguments) -> object:
    names = ("action", "block", "text", "old", "operations", "entries")
    return desk.session(given.text("session")).memory(**named(given, *names))


def _remember(desk: Desk, given: Arguments) -> object:
    return desk.session(given.text("session")).remember(given.text("text"), **named(given, *REMEMBER_NAMES))


_S = {"session": "s-42"}

ROUTES: Mapping[str, Route] = MappingProxyType(
    {
        "about": ABOUT,
        "session_updated": UPDATED,
        "session": SESSION_NOW,
        "open": Route(
            "Return the frozen prompt of a session, made now for a new epoch.",
            form_of(
                _S,
                SESSION,
                Field("system", Type.TEXT, "The caller's own text."),
                Field("platform", Type.TEXT, "Where the agent runs."),
                Field("window", Type.WHOLE, "The model's window in tokens; 0: not known."),
                Field("provider", Type.TEXT, "What another memory gives."),
                Field("tools", Type.FLAG, "With the memory tools' guidance.", default=True),
            ),
            _open,
        ),
        "append": Route(
            "Keep one turn as it happened; a tool's result is untrusted.",
            form_of(
                {**_S, "role": "user", "text": "hello"},
                SESSION,
                Field("role", Type.CHOICE, "Whose turn it is.", required=True, choices=_ROLES),
                Field("text", Type.TEXT, "What was said.", required=True),
                Field("speaker", Type.TEXT, "Who said it, or which tool."),
                AT,
                CLASS,
                UNTRUSTED,
            ),
            _append,
        ),
        "turns": Route(
            "Return the live turns of a session in order.",
            form_of(
                _S,
                SESSION,
                Field("after", Type.WHOLE, "Go on after this place."),
                Field("limit", Type.WHOLE, f"Most turns, to {limits.page_rows_max}.", default=100),
            ),
            _turns,
            changes=False,
        ),
        "compact": Route(
            "Archive the turns, and let a summary stand for them.",
            form_of(
                {**_S, "summary": "They counted."},
                SESSION,
                Field("summary", Type.TEXT, "What stands for them.", required=True),
                Field("keep", Type.WHOLE, "How many of the newest stay."),
            ),
            _compact,
        ),
        "rewind": Route(
            "Take the newest turns back.",
            form_of({**_S, "turns": 1}, SESSION, Field("turns", Type.WHOLE, "How many.", default=1)),
            _rewind,
        ),
        "retry": Route(
            "Take back the newest turn of the person and all after it.", form_of(_S, SESSION), _retry
        ),
        "recall": Route(
            "Answer a question from memory.",
            form_of({**_S, "query": "when does the key rotate?"}, SESSION, *RECALL_FIELDS),
            _recall,
        ),
        "search": Route(
            "Find what was said in sessions; with nothing given, list the newest.",
            form_of(
                {**_S, "query": "key rotation"},
                SESSION,
                *SEARCH_FIELDS,
                Field("role", Type.NAME, "Only turns of this role."),
            ),
            _search,
        ),
        "memory": Route(
            "Edit a block, or keep a note.",
            form_of({**_S, "action": "note", "text": "The build took nine minutes"}, SESSION, *MEMORY_FIELDS),
            _memory,
        ),
        "remember": Route(
            "Keep one statement.",
            form_of({**_S, "text": "The key rotates on Mondays"}, SESSION, *STATED_FIELDS),
            _remember,
        ),
    }
)
"""The calls of the loop's socket."""
