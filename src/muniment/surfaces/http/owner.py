"""What may the owner call?  Everything that a person does with what is remembered, as on the command line."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from muniment import limits
from muniment.domain.matter import Decision
from muniment.surfaces.fields import RECALL_FIELDS
from muniment.surfaces.http import erasing
from muniment.surfaces.http.common import (
    ABOUT,
    MEMORY_FIELDS,
    REMEMBER_NAMES,
    STATED_FIELDS,
    UPDATED,
    UPDATES,
)
from muniment.surfaces.http.desk import NOTHING, Desk, Route, form_of, named
from muniment.surfaces.plain import plain
from muniment.surfaces.shapes import Arguments, Field, Form, Type

_MEMORY, _MATTER = "m_0123456789abcdefghijklmno0", "p_0123456789abcdefghijklmno0"
_ID = Field("id", Type.NAME, "What is meant.", required=True)
_REASON = Field("reason", Type.TEXT, "Why.")
_SPACE = Field("space", Type.NAME, "Only this space.")
_LIMIT = Field("limit", Type.WHOLE, f"Most rows, to {limits.page_rows_max}.", default=50)
_AFTER = Field("after", Type.WHOLE, "Go on after this row.")
_REJECTED = Field("rejected", Type.FLAG, "Show it even when it was rejected.")


def _status(desk: Desk, given: Arguments) -> object:
    principal, found = desk.vault.principal, plain(desk.vault.status())
    acting = {"actor": principal.actor, "role": principal.role, "space": principal.home}
    return {**found, "acting_as": acting} if isinstance(found, dict) else found


def _doctor(desk: Desk, given: Arguments) -> object:
    checks = (*desk.vault.doctor(), desk.chores.check())
    return {"well": all(check.well for check in checks), "checks": checks}


def _verify(desk: Desk, given: Arguments) -> object:
    return desk.vault.verify()


def _checkpoint(desk: Desk, given: Arguments) -> object:
    return {"note": desk.vault.checkpoint()}


def _log(desk: Desk, given: Arguments) -> object:
    return {"records": desk.vault.log(**named(given, "after", "limit"))}


def _sessions(desk: Desk, given: Arguments) -> object:
    return {"sessions": desk.vault.sessions(**named(given, "after", "limit", "space"))}


def _spaces(desk: Desk, given: Arguments) -> object:
    vault, found = desk.vault, desk.vault.spaces()
    return {
        "spaces": found,
        "review": {one.path: vault.settings(one.path).review for one in found},
        "blocks_off": {one.path: sorted(vault.blocks_off(one.path)) for one in found},
    }


def _set_dial(desk: Desk, given: Arguments) -> object:
    return {"record": desk.vault.set_dial(given.text("dial"), given.text("to"), **named(given, "space"))}


def _recall(desk: Desk, given: Arguments) -> object:
    names = tuple(one.name for one in RECALL_FIELDS if one.name != "query")
    return desk.vault.recall_durably(given.text("query"), **named(given, *names))


def _read(desk: Desk, given: Arguments) -> object:
    return desk.vault.read(
        given.text("id"), include_rejected=given.flag("rejected"), **named(given, "when", "known_at")
    )


def _history(desk: Desk, given: Arguments) -> object:
    return {"versions": desk.vault.history(given.text("id"), include_rejected=given.flag("rejected"))}


def _why(desk: Desk, given: Arguments) -> object:
    return {"steps": desk.vault.why(given.text("id"))}


def _remember(desk: Desk, given: Arguments) -> object:
    return desk.vault.remember(given.text("text"), **named(given, *REMEMBER_NAMES))


def _revise(desk: Desk, given: Arguments) -> object:
    return desk.vault.revise(given.text("id"), given.text("text"), **named(given, *_CHANGES))


def _succeed(desk: Desk, given: Arguments) -> object:
    return desk.vault.succeed(given.text("id"), given.text("text"), **named(given, *_CHANGES))


def _moved(verb: str) -> Callable[[Desk, Arguments], object]:
    def run(desk: Desk, given: Arguments) -> object:
        return getattr(desk.vault, verb)(given.text("id"), reason=given.text("reason"))

    return run


def _block(desk: Desk, given: Arguments) -> object:
    names = (given.text("block"),) if "block" in given.given else _BLOCKS
    return {"blocks": [desk.vault.block(name, **named(given, "space")) for name in names]}


def _memory(desk: Desk, given: Arguments) -> object:
    return desk.vault.memory(**named(given, *(one.name for one in MEMORY_FIELDS), "space"))


def _edits(desk: Desk, given: Arguments) -> object:
    return {"edits": desk.vault.edits(**named(given, "after", "limit", "space"))}


def _undo(desk: Desk, given: Arguments) -> object:
    return desk.vault.undo(given.text("edit"), **named(given, "space"))


def _pending(desk: Desk, given: Arguments) -> object:
    return {"pending": desk.vault.pending(**named(given, "state", "after", "limit", "space"))}


def _proposal(desk: Desk, given: Arguments) -> object:
    return desk.vault.proposal(given.text("id"))


def _approve(desk: Desk, given: Arguments) -> object:
    fields = named(given, "text", "value", "reason")
    return desk.vault.approve(given.text("id"), digest=given.text("digest"), **fields)


def _decline(desk: Desk, given: Arguments) -> object:
    return desk.vault.decline(given.text("id"), reason=given.text("reason"))


def _cases(desk: Desk, given: Arguments) -> object:
    return {"cases": desk.vault.cases(**named(given, "state", "after", "limit", "space"))}


def _case(desk: Desk, given: Arguments) -> object:
    return desk.vault.case(given.text("id"))


def _decide(desk: Desk, given: Arguments) -> object:
    fields = named(given, "text", "value", "valid_from", "valid_until", "reason", "expected_version")
    return desk.vault.decide(given.text("id"), given.text("decision"), **fields)


_BLOCKS = ("soul", "memory", "user")
_CHANGES = ("reason", "value", "valid_from", "valid_until", "expected_version", "evidence")
_CHANGE_FIELDS = (
    _ID,
    Field("text", Type.TEXT, "The whole new statement."),
    _REASON,
    Field("value", Type.TEXT, "The new value of a keyed claim."),
    Field("valid_from", Type.NAME, "True from then on."),
    Field("valid_until", Type.NAME, "Until then, exclusive."),
    Field("expected_version", Type.WHOLE, "Refused when it was changed since."),
    Field("evidence", Type.TEXTS, "Ids that it rests on."),
)


def _by_id(example: str = _MATTER, *more: Field) -> Form:
    return form_of({"id": example}, _ID, *more)


def _change(run: Callable[[Desk, Arguments], object], says: str) -> Route:
    return Route(says, form_of({"id": _MEMORY, "text": "It rotates on Tuesdays"}, *_CHANGE_FIELDS), run)


def _listing(run: Callable[[Desk, Arguments], object], says: str, *more: Field) -> Route:
    return Route(says, form_of({"limit": 20}, _LIMIT, _AFTER, *more), run, changes=False)


def _state(meaning: str) -> Field:
    return Field("state", Type.NAME, meaning, default="open")


def _look(run: Callable[[Desk, Arguments], object], says: str, form: Form = NOTHING) -> Route:
    return Route(says, form, run, changes=False)


_LOOKING: Mapping[str, Route] = MappingProxyType(
    {
        "about": ABOUT,
        "updates": UPDATES,
        "status": _look(_status, "Say what the vault holds."),
        "doctor": _look(_doctor, "Check the vault's health."),
        "verify": _look(_verify, "Prove the ledger and every row."),
        "log": _listing(_log, "Show the ledger's records, the newest first."),
        "sessions": _listing(_sessions, "List the conversations.", _SPACE),
        "spaces": _look(_spaces, "List the spaces, and how their dials stand."),
        "read": _look(
            _read,
            "Show one thing, now or then.",
            _by_id(
                _MEMORY,
                Field("when", Type.NAME, "In the world at that moment."),
                Field("known_at", Type.NAME, "As known at that moment."),
                _REJECTED,
            ),
        ),
        "history": _look(_history, "Show every version of a memory.", _by_id(_MEMORY, _REJECTED)),
        "why": _look(_why, "Show what a memory rests on.", _by_id(_MEMORY)),
        "block": _look(
            _block,
            "Show what a block holds, or all of them.",
            form_of({}, Field("block", Type.NAME, "soul, memory or user."), _SPACE),
        ),
        "edits": _listing(_edits, "Show the journal of the blocks.", _SPACE),
        "pending": _listing(
            _pending, "List what waits for a person.", _SPACE, _state("open, approved, declined or all.")
        ),
        "proposal": _look(_proposal, "Show one proposal whole, with its digest.", _by_id()),
        "cases": _listing(_cases, "List the cases.", _SPACE, _state("open, decided, moot or all.")),
        "case": _look(_case, "Show one case.", _by_id()),
    }
)

_DOING: Mapping[str, Route] = MappingProxyType(
    {
        "session_updated": UPDATED,
        "checkpoint": Route("Sign the head for the outside witness.", NOTHING, _checkpoint),
        "set-dial": Route(
            "Set a dial of a space, or switch one of its blocks.",
            form_of(
                {"dial": "review", "to": "off"},
                Field("dial", Type.NAME, "conflict, review, memory or user.", required=True),
                Field("to", Type.NAME, "How it stands from now on.", required=True),
                _SPACE,
            ),
            _set_dial,
        ),
        "recall": Route(
            "Answer a question from memory.",
            form_of({"query": "when does the key rotate?"}, *RECALL_FIELDS),
            _recall,
        ),
        "remember": Route(
            "Remember a statement.",
            form_of({"text": "The key rotates on Mondays"}, *STATED_FIELDS),
            _remember,
        ),
        "revise": _change(_revise, "Say that a memory was wrong."),
        "succeed": _change(_succeed, "Say that the world has changed."),
        "retract": Route("Take a statement back.", _by_id(_MEMORY, _REASON), _moved("retract")),
        "reject": Route("Reject a value for good.", _by_id(_MEMORY, _REASON), _moved("reject")),
        "lift": Route("End a rejection.", _by_id(_MEMORY, _REASON), _moved("lift")),
        "retire": Route("Put a memory out of use.", _by_id(_MEMORY, _REASON), _moved("retire")),
        "revive": Route("Bring a retired memory back.", _by_id(_MEMORY, _REASON), _moved("revive")),
        "memory": Route(
            "Edit a block, or keep a note.",
            form_of({"action": "note", "text": "The build took nine minutes"}, *MEMORY_FIELDS, _SPACE),
            _memory,
        ),
        "undo": Route(
            "Take back the latest edit of a block.",
            form_of({"edit": "2026-03-01-0001"}, Field("edit", Type.NAME, "Its id.", required=True), _SPACE),
            _undo,
        ),
        "approve": Route(
            "Approve what waits, bound to the digest that was shown.",
            form_of(
                {"id": _MATTER, "digest": "0" * 64},
                _ID,
                Field("digest", Type.NAME, "The digest that `proposal` gave.", required=True),
                Field("text", Type.TEXT, "Let it say this instead, as the owner's statement."),
                Field("value", Type.TEXT, "The value of an edited keyed claim."),
                _REASON,
            ),
            _approve,
        ),
        "decline": Route("Decline what waits, for good.", _by_id(_MATTER, _REASON), _decline),
        "decide": Route(
            "Decide a case.",
            form_of(
                {"id": _MATTER, "decision": "keep-old"},
                _ID,
                Field(
                    "decision",
                    Type.CHOICE,
                    "What is made of it.",
                    required=True,
                    choices=tuple(one.value for one in Decision),
                ),
                *_CHANGE_FIELDS[1:-1],
            ),
            _decide,
        ),
    }
)

ROUTES: Mapping[str, Route] = MappingProxyType({**_LOOKING, **_DOING, **erasing.ROUTES})
"""The calls of the owner's socket."""
