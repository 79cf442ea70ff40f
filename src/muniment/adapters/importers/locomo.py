"""What was said in the conversations of a LoCoMo file?

The file is one JSON document, so it is read whole; that is why its size has a bound.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from muniment.adapters.importers.lines import checked, name, too_long
from muniment.domain.evidence import Arrival, BadLine, Role
from muniment.errors import BadInput, Unreadable

# Largest file, in bytes; the whole data set has under three million.
FILE_BYTES_MAX = 64 << 20

_SESSION = re.compile(r"session_([0-9]{1,6})")
_TIME = re.compile(r"(0?[1-9]|1[0-2]):([0-9]{2}) (am|pm) on ([0-9]{1,2}) ([A-Za-z]{3,9}),? ([0-9]{4})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HEAD = re.compile(r'\A\s*\[\s*\{\s*"(?:qa|conversation|sample_id|event_summary|observation)"\s*:')


def read(path: Path) -> Iterator[Arrival | BadLine]:
    """Yield the turns of every conversation, session by session, in order.

    A caption stands behind the text in brackets.  Each turn is a second later than the
    one before it, which keeps their order: a session has one time.  A `BadLine` counts the
    turns of the file from 1.  Raises `BadInput` when the file is no such document.
    """
    number = 0
    for index, sample in enumerate(_samples(path)):
        for session in _sessions(sample, f"conversation-{index + 1}"):
            for place, turn in enumerate(session.turns):
                number += 1
                yield _arrival(session, turn, place=place, number=number)


def fits(head: str) -> bool:
    """Return whether a file that begins with `head` looks like LoCoMo."""
    return _HEAD.match(head) is not None


@dataclass(frozen=True, slots=True)
class _Session:
    """Hold one session: its conversation's name, its own, when it began, its turns."""

    sample: str
    label: str
    began: datetime | None
    turns: tuple[object, ...]


def _samples(path: Path) -> tuple[object, ...]:
    checked(path)
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise BadInput(f"{path.name} is larger than {FILE_BYTES_MAX} bytes")
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{path.name} is not a JSON document") from problem
    samples = value if isinstance(value, list) else [value]
    if not any(isinstance(sample, dict) and "conversation" in sample for sample in samples):
        raise BadInput(f"{path.name} holds no LoCoMo conversation")
    return tuple(samples)


def _sessions(sample: object, fallback: str) -> Iterator[_Session]:
    conversation = sample.get("conversation") if isinstance(sample, dict) else None
    if not isinstance(sample, dict) or not isinstance(conversation, dict):
        return
    label = name(sample.get("sample_id")) or fallback
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(str(key))))
    for number in numbers:
        turns = conversation.get(f"session_{number}")
        if isinstance(turns, list):
            began = _moment(conversation.get(f"session_{number}_date_time"))
            yield _Session(label, f"{label}/session_{number}", began, tuple(turns))


def _arrival(session: _Session, turn: object, *, place: int, number: int) -> Arrival | BadLine:
    if not isinstance(turn, dict):
        return BadLine(number, "the turn is not an object")
    dia, text = name(turn.get("dia_id")), _text(turn)
    origin = f"{session.sample}/{dia}"
    if not dia or not text or too_long(origin):
        return BadLine(number, "the turn has no dia_id or no text, or its name is too long")
    return Arrival(
        session=session.label,
        origin=origin,
        role=Role.USER,
        speaker=name(turn.get("speaker")) or "user",
        text=text,
        occurred_at=session.began + timedelta(seconds=place) if session.began else None,
    )


def _text(turn: Mapping[str, object]) -> str:
    text = turn.get("text")
    caption = turn.get("blip_caption")
    said = text if isinstance(text, str) else ""
    return f"{said} [{caption}]".lstrip() if isinstance(caption, str) and caption else said


def _moment(value: object) -> datetime | None:
    """Return the moment of '1:56 pm on 8 May, 2023', taken as UTC, or None."""
    found = _TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None or found[5][:3].lower() not in _MONTHS:
        return None
    hour = int(found[1]) % 12 + (12 if found[3] == "pm" else 0)
    month = _MONTHS.index(found[5][:3].lower()) + 1
    try:
        return datetime(int(found[6]), month, int(found[4]), hour, int(found[2]), tzinfo=UTC)
    except ValueError:
        return None
