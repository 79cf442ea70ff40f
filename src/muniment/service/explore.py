"""What does one thing say, what did it say, and what does it rest on?"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from muniment.domain.changes import Sealed
from muniment.domain.evidence import Evidence, Span
from muniment.domain.ids import is_id
from muniment.domain.label import Label
from muniment.domain.ledger import same_bytes
from muniment.domain.link import LinkType
from muniment.domain.memory import Version
from muniment.domain.principal import Principal
from muniment.domain.timeline import Interval, from_micros
from muniment.domain.trust import Trust
from muniment.errors import NotFound, Tampered
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.service.ground import Ground, memory_mac
from muniment.service.hits import row_holds
from muniment.service.writing import readable, visible

if TYPE_CHECKING:
    from muniment.service import older_states
else:
    older_states = Later("muniment.service.older_states")

WHY_STEPS_MAX = 200
"""Most steps of one chain of evidence."""

WHY_DEPTH_MAX = 12
"""Longest chain of evidence."""

_ENDED = frozenset({Trust.REJECTED, Trust.RETIRED, Trust.REFUTED})
"""States of a successor that no longer stands in the place of what it had superseded."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold one thing as it stands, or stood.

    `state` is `current`, `superseded`, `expired`, `not valid then`, `not known then`, or
    the trust that withholds it.  `successor` is what took its place; `verified` says that
    the row matches its record.
    """

    id: str
    version: int
    text: str
    source: str
    state: str
    label: Label
    recorded: datetime
    space: str
    author: str
    record: int
    trust: Trust | None = None
    rank: str = ""
    kind: str = ""
    valid: Interval | None = None
    act: str = ""
    reason: str = ""
    about: str = ""
    attribute: str = ""
    value: str = ""
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    asserted_at: datetime | None = None
    expires_at: datetime | None = None
    speaker: str = ""
    role: str = ""
    session: str = ""
    successor: str = ""
    verified: bool = True


@dataclass(frozen=True, slots=True)
class WhyStep:
    """Hold one step from a statement towards its evidence; `span` is the part it rests on."""

    id: str
    relation: str
    source: str
    text: str
    depth: int
    span: Span | None = None
    speaker: str = ""
    occurred_at: datetime | None = None
    session: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """Ask for a thing as it stood: in the world at `when`, as known at `known_at`; None is now."""

    when: datetime | None = None
    known_at: datetime | None = None
    include_rejected: bool = False


def read(ground: Ground, principal: Principal, id: str, *, asked: Asked) -> Reading:
    """Return what `id` says, as asked.

    Raises NotFound for what is not there for the caller, and for a rejected memory, or an older
    state that says what was rejected since, unless a person asks for it; Tampered for a row that
    does not match the log.
    """
    with ground.reading() as snapshot:
        if is_id(id) and id.startswith("e_"):
            return _evidence_reading(ground, snapshot, principal, id=id)
        current = visible(ground, snapshot, principal, memory=id)
        if current is None:
            raise NotFound("Nothing with that id is there for you.")
        shows_rejected = asked.include_rejected and principal.is_person
        if current.version.trust is Trust.REJECTED and not shows_rejected:
            raise NotFound("That memory was rejected by a person.")
        if ground.outside.verifiable and not same_bytes(
            current.head_mac, memory_mac(ground.vault_key, current.version)
        ):
            raise Tampered("The memory's head does not match its seal.")
        past = snapshot.history(id)
        chosen = past[-1]
        if asked.known_at is not None:
            known = [sealed for sealed in past if sealed.row.recorded <= asked.known_at]
            if not known:
                return _unknown(_reading(ground, snapshot, past[0], state="not known then"))
            chosen = known[-1]
            if _is_withheld(ground, snapshot, chosen.row, newest=past[-1].row, shown=shows_rejected):
                raise NotFound("What that memory said then was rejected by a person since.")
        return _reading(
            ground,
            snapshot,
            chosen,
            state=_state(ground, snapshot, chosen.row, when=asked.when, newest=past[-1].row),
        )


def _is_withheld(
    ground: Ground, snapshot: Snapshot, version: Version, *, newest: Version, shown: bool
) -> bool:
    """Return whether a state is an older one that says what was rejected since; `shown`: a person asks."""
    is_older = version.number != newest.number
    return is_older and not shown and older_states.is_kept_out(ground, snapshot, version)


def _unknown(reading: Reading) -> Reading:
    """Return a reading without what was not known yet."""
    return replace(reading, text="", value="", reason="", tags=(), successor="")


def _state(
    ground: Ground, snapshot: Snapshot, version: Version, *, when: datetime | None, newest: Version
) -> str:
    now = max(ground.outside.clock.now(), from_micros(snapshot.head().recorded))
    moment = when or now
    if version.trust in (Trust.DISPUTED, Trust.REFUTED, Trust.REJECTED, Trust.RETIRED):
        return version.trust.value
    if not version.valid.holds(moment):
        superseded = Trust.SUPERSEDED in (version.trust, newest.trust) or newest.act == "supersede"
        return "superseded" if superseded and when is None else "not valid then"
    return "expired" if version.expired(moment) else "current"


def _reading(ground: Ground, snapshot: Snapshot, sealed: Sealed[Version], *, state: str) -> Reading:
    version = sealed.row
    _refuse_altered(ground, snapshot, sealed)
    claim = version.claim
    return Reading(
        id=version.memory,
        version=version.number,
        text=claim.text,
        source="memory",
        state=state,
        label=version.label,
        recorded=version.recorded,
        space=ground.path_of(snapshot, version.space),
        author=ground.name_of(snapshot, version.author),
        record=sealed.seal.record,
        trust=version.trust,
        rank=version.rank.name.lower(),
        kind=version.kind.value,
        valid=version.valid,
        act=version.act,
        reason=version.reason,
        about=claim.about,
        attribute=claim.attribute,
        value=claim.value,
        tags=version.tags,
        occurred_at=version.occurred_at,
        asserted_at=version.asserted_at,
        expires_at=version.expires_at,
        session=_session_name(snapshot, version.session),
        successor=_successor(snapshot, version.memory),
        verified=ground.outside.verifiable,
    )


def _refuse_altered(ground: Ground, snapshot: Snapshot, sealed: Sealed[Version] | Sealed[Evidence]) -> None:
    (entry,) = snapshot.entries_of((sealed.seal,))
    if not row_holds(ground, sealed, entry):
        raise Tampered("The row does not match the log.")


def _session_name(snapshot: Snapshot, session: int) -> str:
    found = snapshot.sessions_at((session,)) if session else []
    return found[0].name if found else ""


def _successor(snapshot: Snapshot, memory: str) -> str:
    """Return what took a memory's place and still stands there, empty for none."""
    links = [sealed.row for sealed in snapshot.links_of((memory,))]
    after = [one.source for one in links if one.type is LinkType.SUPERSEDES and one.target == memory]
    standing = {
        current.version.memory
        for current in (snapshot.currents(after) if after else ())
        if current.version.trust not in _ENDED
    }
    return next((one for one in after if one in standing), "")


def _evidence_reading(ground: Ground, snapshot: Snapshot, principal: Principal, *, id: str) -> Reading:
    for sealed in snapshot.evidence((id,)):
        item = sealed.row
        if not readable(ground, snapshot, principal, space=item.space, label=item.label):
            break
        _refuse_altered(ground, snapshot, sealed)
        return Reading(
            id=item.id,
            version=1,
            text=item.text,
            source=item.kind.value,
            state="current" if item.state.value == "live" else item.state.value,
            label=item.label,
            recorded=item.recorded,
            space=ground.path_of(snapshot, item.space),
            author=ground.name_of(snapshot, item.author),
            record=sealed.seal.record,
            kind=item.kind.value,
            occurred_at=item.occurred_at,
            speaker=item.speaker,
            role=item.role.value,
            session=_session_name(snapshot, item.session) or item.source,
            verified=ground.outside.verifiable,
        )
    raise NotFound("Nothing with that id is there for you.")


def history(
    ground: Ground, principal: Principal, id: str, *, include_rejected: bool = False
) -> tuple[Reading, ...]:
    """Return every version of a memory, oldest first, each with who, when, why and its record.

    The predecessors and successors of a memory are its history too: they follow by
    `supersedes` links, oldest first.
    """
    with ground.reading() as snapshot:
        if visible(ground, snapshot, principal, memory=id) is None:
            raise NotFound("Nothing with that id is there for you.")
        found: list[Reading] = []
        shows_rejected = include_rejected and principal.is_person
        for memory in _lineage(snapshot, id):
            current = visible(ground, snapshot, principal, memory=memory)
            if current is None:
                continue
            if current.version.trust is Trust.REJECTED and not shows_rejected:
                continue
            past = snapshot.history(memory)
            found += [
                _reading(ground, snapshot, one, state=one.row.trust.value)
                for one in past
                if not _is_withheld(ground, snapshot, one.row, newest=current.version, shown=shows_rejected)
            ]
        if not found:
            raise NotFound("That memory was rejected by a person.")
        return tuple(sorted(found, key=lambda one: one.recorded))


def _lineage(snapshot: Snapshot, id: str) -> list[str]:
    """Return the memory with all it superseded and all that superseded it."""
    seen, open_ids = [id], [id]
    while open_ids and len(seen) < WHY_STEPS_MAX:
        links = snapshot.links_of(open_ids)
        open_ids = []
        for sealed in links:
            link = sealed.row
            if link.type is not LinkType.SUPERSEDES:
                continue
            for end in (link.source, link.target):
                if end not in seen:
                    seen.append(end)
                    open_ids.append(end)
    return seen


def why(ground: Ground, principal: Principal, id: str) -> tuple[WhyStep, ...]:
    """Return the chain from a statement down to its verbatim evidence, nearest first.

    What the caller may not see is left out; a memory without evidence gives one step.
    """
    first = read(ground, principal, id, asked=Asked())
    steps = [_first_step(first)]
    with ground.reading() as snapshot:
        seen, edge = {id}, [id]
        for depth in range(1, WHY_DEPTH_MAX + 1):
            links = [sealed.row for sealed in snapshot.links_of(edge)] if edge else []
            wanted = {
                link.target: link.span
                for link in links
                if link.type is LinkType.DERIVED_FROM and link.source in edge and link.target not in seen
            }
            if not wanted or len(steps) >= WHY_STEPS_MAX:
                break
            seen |= set(wanted)
            edge = [target for target in wanted if target.startswith("m_")]
            steps += _evidence_steps(ground, snapshot, principal, wanted=wanted, depth=depth)
            steps += _memory_steps(ground, snapshot, principal, ids=edge, depth=depth)
    return tuple(steps[:WHY_STEPS_MAX])


def _first_step(reading: Reading) -> WhyStep:
    return WhyStep(
        reading.id,
        "statement",
        reading.source,
        reading.text,
        0,
        speaker=reading.speaker,
        occurred_at=reading.occurred_at,
        session=reading.session,
    )


def _evidence_steps(
    ground: Ground, snapshot: Snapshot, principal: Principal, *, wanted: dict[str, Span | None], depth: int
) -> list[WhyStep]:
    items: list[Evidence] = []
    for sealed in snapshot.evidence([id for id in wanted if id.startswith("e_")]):
        _refuse_altered(ground, snapshot, sealed)
        items.append(sealed.row)
    return [
        WhyStep(
            item.id,
            LinkType.DERIVED_FROM.value,
            item.kind.value,
            item.text,
            depth,
            span=wanted[item.id],
            speaker=item.speaker,
            occurred_at=item.occurred_at,
            session=_session_name(snapshot, item.session) or item.source,
        )
        for item in items
        if readable(ground, snapshot, principal, space=item.space, label=item.label)
    ]


def _memory_steps(
    ground: Ground, snapshot: Snapshot, principal: Principal, *, ids: list[str], depth: int
) -> list[WhyStep]:
    found = []
    for current in snapshot.currents(ids):
        version = current.version
        if version.trust is Trust.REJECTED:
            continue
        if readable(ground, snapshot, principal, space=version.space, label=version.label):
            _refuse_altered(ground, snapshot, Sealed(version, current.seal))
            found.append(WhyStep(version.memory, LinkType.DERIVED_FROM.value, "memory", version.text, depth))
    return found
