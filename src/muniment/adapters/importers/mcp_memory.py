"""What does the knowledge graph of the reference MCP memory server state?  Entities, observations, relations.

Two forms are met: lines of JSON with a `type`, which servers write, and one object with
`entities` and `relations`, which `read_graph` answers.  Lines are read twice, relations
the second time, so that both ends of a relation have been offered whatever the order.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from muniment.adapters.importers.lines import checked, lines, moment, name, too_long
from muniment.domain.canonical import name_key
from muniment.domain.evidence import BadLine
from muniment.domain.intent import Times
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim, Kind
from muniment.domain.offer import Offer, Tie
from muniment.errors import BadInput, Unreadable

# Largest file that is one object, in bytes; such a file is read whole.
GRAPH_BYTES_MAX = 64 << 20

# Attributes of the slots in which an entity and its further types lie.
ENTITY, TYPE = "entity", "entity type"

_HEAD_BYTES = 256
_RELATION = "relation"
_HEAD = re.compile(r'\A\s*\{\s*"(?:entities|relations)"\s*:')

# The same part under the names that servers gave it.
_NAMES = ("name", "entityName", "entity_name")
_TYPES = ("entityType", "entity_type")
_FROM = ("from", "from_entity", "source")
_TO = ("to", "to_entity", "target")
_RELATIONS = ("relationType", "relation_type")
_OBSERVATIONS = ("observations", "contents")
_TEXTS = ("content", "text")
_MADE = ("createdAt", "created_at")
# Keys under which a server wraps a part.
_WRAPPERS = (ENTITY, _RELATION, "data", "item")
# Types of lines by which a server marks its file; they state nothing.
_MARKS = ("_aim",)


@dataclass(frozen=True, slots=True)
class _Part:
    """Hold an entity or a relation, unwrapped, and where it stands."""

    line: int
    kind: str
    value: Mapping[str, object]

    def first(self, names: Sequence[str]) -> object:
        """Return what is given under the first of `names` that is there, or None."""
        return next((self.value[one] for one in names if self.value.get(one) is not None), None)

    def text(self, names: Sequence[str]) -> str:
        """Return the name given under one of `names`, or the empty string."""
        return name(self.first(names))


def read(path: Path) -> Iterator[Offer | BadLine]:
    """Yield what a graph states: entities with their observations, then all relations.

    What cannot be read is a `BadLine`; the rest of its line is taken.  Where the file is
    one object, numbers count its entities and then its relations from 1.  Raises
    `Unreadable` for the path and `BadInput` for an object that cannot be read.
    """
    parts = partial(_of_lines, path)
    if fits_head(_head(path)):
        parts = partial(_of_object, path)
    for part in parts():
        if isinstance(part, BadLine):
            yield part
        elif part.kind == ENTITY:
            yield from _entity(part)
    for part in parts():
        if isinstance(part, _Part) and part.kind == _RELATION:
            yield _relation(part)


def fits(value: Mapping[str, object]) -> bool:
    """Return whether a line's object looks like a part of a graph."""
    part = _part(1, value)
    if isinstance(part, BadLine):
        return False
    return part.kind in _MARKS or not _fault(part)


def fits_head(head: str) -> bool:
    """Return whether a file that begins with `head` looks like one object with a graph."""
    return _HEAD.match(head) is not None


def _head(path: Path) -> str:
    checked(path)
    with path.open("rb") as source:
        return source.read(_HEAD_BYTES).decode("utf-8-sig", "replace")


def _of_lines(path: Path) -> Iterator[_Part | BadLine]:
    for line in lines(path):
        yield line if isinstance(line, BadLine) else _part(line.number, line.value)


def _of_object(path: Path) -> Iterator[_Part | BadLine]:
    try:
        if path.stat().st_size > GRAPH_BYTES_MAX:
            raise BadInput(f"{path.name} is one object of more than {GRAPH_BYTES_MAX} bytes")
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{path.name} is not a JSON document") from problem
    number = 0
    for kind, key in ((ENTITY, "entities"), (_RELATION, "relations")):
        listed = value.get(key) if isinstance(value, dict) else None
        for one in listed if isinstance(listed, list) else ():
            number += 1
            yield (
                _Part(number, kind, one)
                if isinstance(one, dict)
                else BadLine(number, f"the {kind} is not an object")
            )


def _part(number: int, value: Mapping[str, object]) -> _Part | BadLine:
    """Return the part that a line holds, taken out of what wraps it."""
    said = value.get("type")
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, dict):
            said, value = said or inner.get("type") or key, inner
            break
    if said in (ENTITY, _RELATION, *_MARKS):
        return _Part(number, str(said), value)
    if said in (None, "observation"):
        # Without a type the keys tell: a list of observations, or both ends of a relation.
        relation, entity = _Part(number, _RELATION, value), _Part(number, ENTITY, value)
        if not _fault(relation):
            return relation
        if isinstance(entity.first(_OBSERVATIONS), list):
            return entity
    return BadLine(number, "the line is neither an entity nor a relation")


def _fault(part: _Part) -> str:
    """Return what is wrong with a part, or nothing."""
    needed = (_NAMES,) if part.kind == ENTITY else (_FROM, _RELATIONS, _TO)
    for names in needed:
        if not part.text(names):
            return f"{names[0]} is missing or empty"
    for names in (*needed, _TYPES):
        if too_long(part.text(names)):
            return f"{names[0]} is longer than a name may be"
    if part.kind == ENTITY and not isinstance(part.first(_OBSERVATIONS), list | None):
        return "observations is not a list"
    made = part.first(_MADE)
    return "" if made is None or moment(made) else "createdAt is not an RFC 3339 time with a zone"


def _entity(part: _Part) -> Iterator[Offer | BadLine]:
    """Yield an entity, and each observation as a statement that names it.

    An entity fills the slot `entity` of its name with its name, so that names equal under
    case folding are one; another type of it is then stated beside.
    """
    fault = _fault(part)
    if fault:
        yield BadLine(part.line, fault)
        return
    entity, type = part.text(_NAMES), part.text(_TYPES)
    whole = (Tie(LinkType.PART_OF, name_key(entity)),)
    common = Offer(part.line, Claim(""), times=_times(part), tags=(type,) if type else ())
    further = Claim(f"{entity} is of the type {type}", entity, TYPE, type, many=True)
    yield replace(
        common,
        claim=Claim(f"{entity} ({type})" if type else entity, entity, ENTITY, entity),
        kind=Kind.ENTITY,
        key=name_key(entity),
        otherwise=replace(common, claim=further, ties=whole) if type else None,
    )
    observations = part.first(_OBSERVATIONS)
    for observation in observations if isinstance(observations, list) else ():
        text = _text(observation)
        if text.strip():
            yield replace(common, claim=Claim(f"{entity}: {text}"), ties=whole)
        else:
            yield BadLine(part.line, "an observation is empty or not a text")


def _relation(part: _Part) -> Offer | BadLine:
    """Return a relation as a keyed statement that lies between the two entities."""
    fault = _fault(part)
    if fault:
        return BadLine(part.line, fault)
    start, relation, end = part.text(_FROM), part.text(_RELATIONS), part.text(_TO)
    return Offer(
        part.line,
        Claim(f"{start} {relation} {end}", start, relation, end, many=True),
        times=_times(part),
        ties=(Tie(LinkType.PART_OF, name_key(start)), Tie(LinkType.REFERS_TO, name_key(end))),
    )


def _times(part: _Part) -> Times:
    return Times(asserted_at=moment(part.first(_MADE)))


def _text(observation: object) -> str:
    """Return what an observation says: a text, or the text of an object; else nothing."""
    if isinstance(observation, dict):
        observation = next((observation[one] for one in _TEXTS if one in observation), None)
    return observation if isinstance(observation, str) else ""
