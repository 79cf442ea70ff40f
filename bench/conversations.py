"""Which conversations, questions and gold turns do LoCoMo and BEAM hold?

Gold names that no turn of the conversation has are left out, and so is a question without
gold: an evidence score says nothing about it.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from muniment.adapters.importers import arrivals
from muniment.domain.evidence import Arrival

CATEGORIES = (1, 2, 3, 4)
"""Multi-hop, temporal, open-domain, single-hop; category 5 has no answer in the conversation."""

_SPLIT = re.compile(r"[;,\s]+")
# The list of label errors numbers the ten published conversations.
_PUBLISHED = ("26", "30", "41", "42", "43", "44", "47", "48", "49", "50")


@dataclass(frozen=True, slots=True)
class Turn:
    """Hold one turn: its name in the labels, its session, its text as it is taken in."""

    name: str
    session: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold a question, its gold turns as labelled, and as corrected by the list of label errors."""

    text: str
    gold: frozenset[str]
    audited: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Hold one conversation, and the file that the product takes in."""

    name: str
    file: Path
    format: str
    turns: tuple[Turn, ...]
    questions: tuple[Asked, ...]


def locomo(directory: Path, where: Path) -> list[Conversation]:
    """Return the conversations of a LoCoMo directory, one file each written to `where`."""
    source = directory / "locomo_dev.json"
    if not source.exists():
        return []
    errors = _errors(directory / "audit_errors.json")
    found = []
    for sample in json.loads(source.read_text(encoding="utf-8")):
        name = str(sample["sample_id"])
        file = where / f"{name}.json"
        file.write_text(json.dumps([sample]), encoding="utf-8")
        turns = tuple(
            Turn(one.origin.rpartition("/")[2], one.session, one.text)
            for one in arrivals(file, format="locomo")
            if isinstance(one, Arrival)
        )
        known = {turn.name for turn in turns}
        number = _PUBLISHED.index(name.rpartition("-")[2])
        questions = []
        for place, asked in enumerate(sample["qa"]):
            gold = known & {part for one in asked.get("evidence", ()) for part in _SPLIT.split(one)}
            if asked["category"] not in CATEGORIES or not gold:
                continue
            corrected = known & errors.get((number, place, asked["question"]), frozenset())
            questions.append(Asked(asked["question"], frozenset(gold), frozenset(corrected or gold)))
        found.append(Conversation(name, file, "locomo", turns, tuple(questions)))
    return found


def _errors(path: Path) -> dict[tuple[int, int, str], frozenset[str]]:
    """Return the corrected gold by conversation number, question number and question."""
    if not path.exists():
        return {}
    found = {}
    for error in json.loads(path.read_text(encoding="utf-8")):
        conversation, question = re.findall(r"[0-9]+", error["question_id"])
        key = (int(conversation), int(question), error["question"])
        found[key] = frozenset(
            part for one in error.get("correct_evidence") or () for part in _SPLIT.split(one) if part
        )
    return found


def beam(directory: Path, where: Path) -> list[Conversation]:
    """Return the conversations of a BEAM directory, one file in our own format each."""
    found = []
    for source in sorted(directory.glob("*.json")):
        held = json.loads(source.read_text(encoding="utf-8"))
        name = source.stem
        turns, lines, at = [], [], ""
        for message in held["messages"]:
            at = _moment(message["time"]) or at
            turns.append(Turn(str(message["id"]), name, message["content"]))
            line = {
                "session": name,
                "id": str(message["id"]),
                "role": message["role"],
                "text": message["content"],
            }
            lines.append(json.dumps(line | ({"at": at} if at else {})))
        file = where / f"{name}.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        known = {turn.name for turn in turns}
        questions = []
        for asked in held["questions"]:
            gold = frozenset(known & {str(one) for one in asked["evidence"]})
            if gold:
                questions.append(Asked(asked["question"], gold, gold))
        found.append(Conversation(name, file, "", tuple(turns), tuple(questions)))
    return found


def _moment(value: str | None) -> str:
    """Return `March-15-2024` as a moment, nothing when there is none."""
    if not value:
        return ""
    return datetime.strptime(value, "%B-%d-%Y").replace(tzinfo=UTC).isoformat()
