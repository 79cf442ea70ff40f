"""What was said in a Claude Code session file?  A tree of lines, of which one branch is live.

The file is read twice: once for the links between its lines, which are small, and once
for its turns.  So a session of any length streams, and a turn is already marked when it
is handed over, although only the end of the file says which branch was kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from muniment.adapters.importers.blocks import Piece, pieces
from muniment.adapters.importers.branches import Branches, branches
from muniment.adapters.importers.lines import Line, lines, moment, name, too_long
from muniment.adapters.importers.seen import Repeat, Seen
from muniment.domain.evidence import Arrival, BadLine, Role, TurnState

# Lines that keep the harness's own state; no one said anything in them.
_SPOKEN_TYPES = ("user", "assistant")
_MARKS_OF_SKIPPED = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")


def read(path: Path) -> Iterator[Arrival | BadLine]:
    """Yield the turns of a session file in the order of its lines.

    Turns of branches that were left are REWOUND; turns of subagents stand in the session
    `<session>/sidechain`; results of tools are untrusted.  A line that says the same as an
    earlier one under the same uuid is passed over.  Raises `Unreadable`.
    """
    reading = _Reading(branches(_objects(path)))
    for line in lines(path):
        if isinstance(line, BadLine):
            yield line
        else:
            yield from _turns(line, reading)


@dataclass(slots=True)
class _Reading:
    """Hold what the second reading has to remember from line to line."""

    branches: Branches
    seen: Seen = field(default_factory=Seen)
    last_origin: dict[str, str] = field(default_factory=lambda: {"": ""})
    called: dict[str, str] = field(default_factory=dict)


def _objects(path: Path) -> Iterator[Line]:
    for line in lines(path):
        if isinstance(line, Line):
            yield line


def _turns(line: Line, reading: _Reading) -> Iterator[Arrival | BadLine]:
    value = line.value
    uuid, session = name(value.get("uuid")), name(value.get("sessionId"))
    before = reading.last_origin.get(_parent(value), "")
    reading.last_origin.setdefault(uuid, before)
    if not isinstance(value.get("type"), str):
        yield BadLine(line.number, "the line has no type")
    if not _is_spoken(value):
        return
    found = pieces(value) if session else "the line names no session"
    if too_long(session) or too_long(uuid):
        found = "the line's session or uuid is longer than a name may be"
    if isinstance(found, str):
        yield BadLine(line.number, found)
        return
    content = (str(value["type"]), *(piece.text for piece in found))
    repeat = reading.seen.repeat(uuid, *content) if uuid else Repeat.NEW
    if repeat is Repeat.OTHER:
        yield BadLine(line.number, "another line has the same uuid and says something else")
    if repeat is Repeat.NEW:
        stem = uuid or reading.seen.origin(session, *content)
        yield from _arrivals(_Place(value, session, stem, before), found, reading)


def _is_spoken(value: Mapping[str, object]) -> bool:
    return value.get("type") in _SPOKEN_TYPES and not any(
        value.get(mark) is True for mark in _MARKS_OF_SKIPPED
    )


def _parent(value: Mapping[str, object]) -> str:
    return name(value.get("parentUuid")) or name(value.get("logicalParentUuid"))


@dataclass(frozen=True, slots=True)
class _Place:
    """Hold what the turns of one line have in common."""

    value: Mapping[str, object]
    session: str
    stem: str
    before: str


def _arrivals(place: _Place, found: tuple[Piece, ...], reading: _Reading) -> Iterator[Arrival]:
    value, before = place.value, place.before
    sidechain = value.get("isSidechain") is True
    for piece in found:
        origin = f"{place.stem}:{piece.number}"
        yield Arrival(
            session=f"{place.session}/sidechain" if sidechain else place.session,
            origin=origin,
            role=piece.role,
            speaker=_speaker(piece, reading.called),
            text=piece.text,
            occurred_at=moment(value.get("timestamp")),
            parent=before,
            untrusted=True if piece.role is Role.TOOL_RESULT else None,
            state=TurnState.REWOUND if reading.branches.left(value) else TurnState.LIVE,
            title="" if sidechain else reading.branches.title(place.session),
        )
        before = origin
    reading.last_origin[place.stem] = before


def _speaker(piece: Piece, called: dict[str, str]) -> str:
    """Return who speaks: the tool for calls and results, else the role."""
    if piece.role is Role.TOOL_CALL:
        called[piece.call] = piece.tool
        return piece.tool
    if piece.role is Role.TOOL_RESULT:
        return called.pop(piece.call, "") or "tool"
    return piece.role.value


def fits(value: Mapping[str, object]) -> bool:
    """Return whether a line's object looks like one of a session file."""
    kind = value.get("type")
    if kind == "summary":
        return "leafUuid" in value
    return isinstance(kind, str) and "sessionId" in value and not isinstance(value.get("session"), str)
