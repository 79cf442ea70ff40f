"""What does a file in Muniment's own JSONL say?  One turn a line; `docs/formats.md` has the keys."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from muniment.adapters.importers.lines import Line, lines, moment, name, too_long
from muniment.adapters.importers.seen import Repeat, Seen
from muniment.domain.evidence import Arrival, BadLine, Role

_ROLES: Mapping[object, Role] = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool_call": Role.TOOL_CALL,
    "tool_result": Role.TOOL_RESULT,
    "tool": Role.TOOL_RESULT,
}
_CLASSES = (None, "", "public", "private", "secret")
_NAMES = ("session", "id", "speaker", "parent", "title")


def read(path: Path) -> Iterator[Arrival | BadLine]:
    """Yield the turns of `path` in the order of its lines.

    A line without an `id` is named after its content and its occurrence.  `untrusted`
    can only tighten: `false` means what leaving it out means.  Raises `Unreadable`.
    """
    seen = Seen()
    for line in lines(path):
        yield line if isinstance(line, BadLine) else _arrival(line, seen)


def _arrival(line: Line, seen: Seen) -> Arrival | BadLine:
    why = _fault(line.value)
    if why:
        return BadLine(line.number, why)
    value = line.value
    session, text, role = name(value["session"]), str(value["text"]), _ROLES[value["role"]]
    at = moment(value.get("at"))
    content = (session, role.value, text, at.isoformat() if at else "")
    identity = name(value.get("id"))
    if identity and seen.repeat(identity, *content) is Repeat.OTHER:
        return BadLine(line.number, "another line has the same id and says something else")
    return Arrival(
        session=session,
        origin=identity or seen.origin(*content),
        role=role,
        speaker=name(value.get("speaker")) or role.value,
        text=text,
        occurred_at=at,
        parent=name(value.get("parent")),
        untrusted=True if value.get("untrusted") is True else None,
        data_class=str(value.get("class") or ""),
        title=name(value.get("title")),
    )


def _fault(value: Mapping[str, object]) -> str:
    """Return what is wrong with a line's values, or nothing."""
    if not name(value.get("session")):
        return "session is missing or empty"
    role = value.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        return "role is missing or not one of ours"
    text = value.get("text")
    if not isinstance(text, str) or not text.strip():
        return "text is missing or empty"
    return _fault_of_names(value) or _fault_of_the_rest(value)


def _fault_of_names(value: Mapping[str, object]) -> str:
    for key in _NAMES:
        given = value.get(key)
        if given is not None and not isinstance(given, str):
            return f"{key} is not a string"
        if too_long(name(given)):
            return f"{key} is longer than a name may be"
    return ""


def _fault_of_the_rest(value: Mapping[str, object]) -> str:
    if value.get("at") is not None and moment(value["at"]) is None:
        return "at is not an RFC 3339 time with a zone, nor a date"
    if not isinstance(value.get("untrusted", False), bool):
        return "untrusted is neither true nor false"
    if value.get("class") not in _CLASSES:
        return "class is not one of public, private and secret"
    return ""


def fits(value: Mapping[str, object]) -> bool:
    """Return whether a line's object looks like one of ours."""
    return all(isinstance(value.get(key), str) for key in ("session", "role", "text"))
