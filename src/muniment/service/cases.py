"""When is a case opened, when is it moot, and what does a person see of it?"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.domain.changes import Page
from muniment.domain.ids import is_id
from muniment.domain.label import PUBLIC, Label, strictest
from muniment.domain.matter import CASES, DOUBTS, Matter, MatterState, Opening, Why
from muniment.domain.memory import Version
from muniment.domain.principal import Principal
from muniment.domain.timeline import Interval
from muniment.domain.trust import Act, Rank, Trust
from muniment.errors import NotFound
from muniment.ports import Snapshot
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered

LISTED = "`muniment cases` lists what waits for a decision."
"""What to do about a case that is not there."""

ENDED = frozenset({Trust.SUPERSEDED, Trust.REJECTED, Trust.RETIRED, Trust.REFUTED})
"""States of a side in which nothing is left to decide."""

_TAKEN_OUT = ENDED - {Trust.SUPERSEDED}
"""States of a side that say nothing of what the other one says."""

_SETTLED_BY = frozenset({Act.UPHOLD.value, Act.OVERRULE.value})
"""Acts on a side that decide a case without naming it."""


@dataclass(frozen=True, slots=True)
class Side:
    """Hold what one side of a case says now; without a text when it is not for the caller's eyes."""

    id: str
    text: str = ""
    trust: Trust | None = None
    rank: Rank | None = None
    valid: Interval | None = None
    version: int = 0
    author: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """Hold a case as it stands: why it was opened, both sides as they are now, what was decided.

    `version` is what a decision rests on: it grows whenever either side changes.
    """

    id: str
    kind: str
    state: str
    why: str
    space: str
    opened: datetime
    opened_by: str
    version: int
    new: Side | None
    old: Side | None
    label: Label
    decision: str = ""
    decided: datetime | None = None
    decided_by: str = ""
    reason: str = ""


def open_case(draft: Draft, opening: Opening, *, actor: int, born: str = "") -> str:
    """Append the case that an act opens and return its id, or that of the same open case.

    `born` is the memory that the act lands, for an opening without one of its sides.
    """
    new, first = opening.new or born, opening.old or born
    if not born:
        for row in draft.transaction.matters_about((first,)):
            if row.kind in CASES and {row.new, row.old} == {new, first}:
                return row.id
    sides = _versions(draft, [side for side in (new, first) if side.startswith("m_")])
    old = sides.get(first)
    row = Matter(
        n=draft.number(),
        id=draft.ground.outside.ids.new("c"),
        kind=opening.kind,
        space=old.space if old is not None else 0,
        state=MatterState.OPEN,
        why=opening.why.value,
        label=strictest((version.label for version in sides.values()), least=PUBLIC),
        actor=actor,
        recorded=draft.recorded,
        new=new,
        new_version=sides[new].number if new in sides else 0,
        old=first,
        old_version=old.number if old is not None else 0,
    )
    draft.add_matter(row)
    return row.id


def _versions(draft: Draft, memories: Sequence[str]) -> dict[str, Version]:
    """Return what memories say once this draft has landed."""
    found = {one.version.memory: one.version for one in draft.transaction.currents(memories)}
    for new in draft.versions:
        if new.version.memory in memories:
            found[new.version.memory] = new.version
    return found


def close_moot(draft: Draft, *, actor: int) -> None:
    """Close the open cases whose sides this draft ends; nothing is read when it ends none.

    A side that is left disputed when the other one is taken out gets a case of its own, since nobody
    could decide it any more; a successor answers it.
    """
    ended = {
        new.version.memory
        for new in draft.versions
        if new.version.trust in ENDED or new.version.act in _SETTLED_BY
    }
    if not ended:
        return
    handled = {sealed.row.id for sealed in draft.matters}
    left: set[str] = set()
    taken_out = {new.version.memory for new in draft.versions if new.version.trust in _TAKEN_OUT}
    for row in draft.transaction.matters_about(tuple(sorted(ended))):
        # What speaks against a doubted statement may change; the doubt stays.
        is_about = row.old in ended or (row.new in ended and row.why not in DOUBTS)
        if row.kind in CASES and row.id not in handled and is_about:
            draft.add_matter(closed(draft, row, MatterState.MOOT, actor=actor))
            if not taken_out.isdisjoint(row.sides):
                left |= {side for side in row.sides if side.startswith("m_")} - ended
    _open_for(draft, left, actor=actor)


def _open_for(draft: Draft, left: Collection[str], *, actor: int) -> None:
    """Open a case about each of these that is disputed and has no other one; it names no other side."""
    touched = {sealed.row.id: sealed.row for sealed in draft.matters}
    for memory, version in _versions(draft, sorted(left)).items() if left else ():
        rows = [row for row in draft.transaction.matters_about((memory,)) if row.id not in touched]
        rows += [row for row in touched.values() if row.state is MatterState.OPEN and memory in row.sides]
        if version.trust is Trust.DISPUTED and not any(row.kind in CASES for row in rows):
            open_case(draft, Opening(Why.DOUBTED, memory), actor=actor)


def closed(draft: Draft, row: Matter, state: MatterState, *, actor: int) -> Matter:
    """Return the row that moves a matter to another state, without a decision or a reason."""
    now = draft.recorded
    return replace(row, n=draft.number(), state=state, actor=actor, recorded=now, body="", digest=b"")


def cases(
    ground: Ground, principal: Principal, *, states: Sequence[MatterState], spaces: Sequence[int], page: Page
) -> tuple[Case, ...]:
    """Return the cases of some states that the principal may see (I7).

    Raises Tampered when one of them does not match its record.
    """
    with ground.reading() as snapshot:
        rows = snapshot.matters_in(spaces, [kind.value for kind in CASES], states, page=page)
        refuse_altered(ground, snapshot, rows)
        return _shown(Eyes(ground, snapshot, principal), rows)


def case(ground: Ground, principal: Principal, id: str) -> Case:
    """Return one case; raises NotFound when there is none for the principal."""
    with ground.reading() as snapshot:
        found = _shown(Eyes(ground, snapshot, principal), case_rows(ground, snapshot, id)[-1:])
    if not found:
        raise NotFound("There is no such case for you.", advice=LISTED)
    return found[0]


def case_rows(ground: Ground, snapshot: Snapshot, id: str) -> list[Matter]:
    """Return every row of a case, oldest first; none when the id names no case.

    Raises Tampered for a row that does not match its record.
    """
    if not is_id(id) or not id.startswith("c_"):
        return []
    rows = [row for row in snapshot.matters((id,)) if row.kind in CASES]
    refuse_altered(ground, snapshot, rows)
    return rows


@dataclass(frozen=True, slots=True)
class Eyes:
    """Hold who looks at matters, and through which snapshot (I7)."""

    ground: Ground
    snapshot: Snapshot
    principal: Principal

    def path(self, space: int) -> str:
        """Return the path of a space."""
        return self.ground.path_of(self.snapshot, space)

    def name(self, actor: int) -> str:
        """Return the name of an actor."""
        return self.ground.name_of(self.snapshot, actor)

    def may_see(self, row: Matter | Version) -> bool:
        """Return whether a matter or a version lies within what the principal may read."""
        path = self.path(row.space)
        may_read = bool(path) and self.principal.may_read(path)
        return may_read and row.label.data_class <= self.principal.class_max

    def side(self, version: Version) -> Side:
        """Return a side as the principal may see it; what was rejected is for persons."""
        hidden = version.trust is Trust.REJECTED and not self.principal.is_person
        if hidden or not self.may_see(version):
            return Side(version.memory)
        marks = (version.trust, version.rank, version.valid, version.number)
        return Side(version.memory, version.text, *marks, self.name(version.author))


def _shown(eyes: Eyes, rows: Iterable[Matter]) -> tuple[Case, ...]:
    snapshot = eyes.snapshot
    seen = [row for row in rows if eyes.may_see(row)]
    first: dict[str, Matter] = {}
    for row in snapshot.matters([row.id for row in seen]):
        first.setdefault(row.id, row)
    memories = sorted({side for row in seen for side in row.sides if side.startswith("m_")})
    now = {current.version.memory: current.version for current in snapshot.currents(memories)}
    return tuple(_case(eyes, first[row.id], row, now=now) for row in seen)


def _case(eyes: Eyes, opened: Matter, row: Matter, *, now: dict[str, Version]) -> Case:
    is_open = row.state is MatterState.OPEN

    def side(id: str) -> Side | None:
        if not id:
            return None
        return eyes.side(now[id]) if id in now else Side(id)

    return Case(
        id=row.id,
        kind=row.kind.value,
        state=row.state.value,
        why=row.why,
        space=eyes.path(row.space),
        opened=opened.recorded,
        opened_by=eyes.name(opened.actor),
        version=sum(now[id].number for id in row.sides if id in now),
        new=side(row.new),
        old=side(row.old),
        label=row.label,
        decision=row.decision,
        decided=None if is_open else row.recorded,
        decided_by="" if is_open else eyes.name(row.actor),
        reason=row.reason,
    )
