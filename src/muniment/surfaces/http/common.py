"""What does more than one peer have?  Calls about the socket and its sessions, and fields of calls."""

from muniment import __version__, limits
from muniment.domain.rights import RIGHTS, digest_of
from muniment.service import granting
from muniment.service.updates import Updates, session_now, updates
from muniment.surfaces.fields import REMEMBER_FIELDS
from muniment.surfaces.http.desk import NOTHING, SESSION, Desk, Route, form_of
from muniment.surfaces.shapes import Arguments, Field, Type


def _about(desk: Desk, given: Arguments) -> object:
    principal = desk.vault.principal
    with desk.vault.ground.store.snapshot() as snapshot:
        found = granting.recorded(snapshot)
    return {
        "version": __version__,
        "socket": desk.peer,
        "acting_as": {"actor": principal.actor, "role": principal.role, "space": principal.home},
        "calls": RIGHTS[desk.peer],
        "rights": digest_of(RIGHTS),
        "recorded": None if found is None else {"rights": found.digest, "record": found.position},
    }


def _updated(desk: Desk, given: Arguments) -> object:
    return {"heard": True}


def _session(desk: Desk, given: Arguments) -> object:
    return session_now(desk.vault.ground, desk.vault.principal, given.text("session"))


def _updates(desk: Desk, given: Arguments) -> object:
    return updates(desk.vault.ground, desk.vault.principal, after=given.whole("after"))


def _is_nothing_new(found: object) -> bool:
    return isinstance(found, Updates) and not found.sessions and not found.more


ABOUT = Route("Say what this socket may do, and as whom it acts.", NOTHING, _about, changes=False)
"""The call `about`."""

UPDATED = Route(
    "Say that a session was written to by another way; what is left to do is done at once.",
    form_of({"session": "s-42"}, SESSION),
    _updated,
)
"""The call `session_updated`."""

SESSION_NOW = Route(
    "Say how a session stands: its label, and how many turns it has.",
    form_of({"session": "s-42"}, SESSION),
    _session,
    changes=False,
)
"""The call `session`."""

UPDATES = Route(
    "Name the sessions with turns since a position, each as it stands now.",
    form_of(
        {"after": 0},
        Field("after", Type.WHOLE, "The `position` of the last answer; 0: from the beginning."),
        Field("wait", Type.WHOLE, f"Seconds to wait for one, to {limits.update_wait_seconds_max}."),
    ),
    _updates,
    changes=False,
    is_empty=_is_nothing_new,
)
"""The call `updates`."""

CLASS = Field(
    "data_class", Type.CHOICE, "Its class.", default="private", choices=("public", "private", "secret")
)
"""The field that says how closely a text is held."""

UNTRUSTED = Field("untrusted", Type.FLAG, "It came from outside; a caller can only tighten.")
"""The field that says that a text came from outside."""

AT = Field("at", Type.NAME, "When it happened: RFC 3339; now when left out.")
"""The field that says when something happened."""

STATED_FIELDS = (*REMEMBER_FIELDS, CLASS)
"""What a statement may hold over a socket."""

REMEMBER_NAMES = tuple(one.name for one in STATED_FIELDS if one.name != "text")
"""The names of those fields beside the text."""

MEMORY_FIELDS = (
    Field("action", Type.NAME, "add, replace, remove, note, consolidate; none with `operations`."),
    Field("block", Type.NAME, "memory or user; none for a note."),
    Field("text", Type.TEXT, "The whole new entry, or the note."),
    Field("old", Type.TEXT, "The entry meant: whole, or a part only it holds."),
    Field("operations", Type.OBJECTS, "A batch, all or nothing: each with action, text and old."),
    Field("entries", Type.OBJECTS, "consolidate: each entry once."),
)
"""What an edit of a block may hold; the gate says which action needs which."""
