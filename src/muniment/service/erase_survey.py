"""Which stored rows does an erasure begin with?  One walk over every table that holds text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from muniment import limits
from muniment.domain.canonical import name_key
from muniment.domain.changes import Page, Row, Sealed
from muniment.domain.erasure import Asked, Means, Staying, Term, TermSort
from muniment.domain.erasure_request import asks_for
from muniment.domain.evidence import Evidence, Span
from muniment.domain.ledger import RowCode
from muniment.domain.matter import EDITS, Matter, MatterKind, MatterState
from muniment.domain.memory import Version
from muniment.domain.principal import EVERYWHERE, Principal
from muniment.domain.proposal import texts_in
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow, names_of
from muniment.domain.session import Conversation
from muniment.domain.tombstone import Tombstone
from muniment.ports import Snapshot
from muniment.service.erase_terms import Holding
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered
from muniment.service.seals import committed, named
from muniment.service.writing import readable


class Other(NamedTuple):
    """Hold a row beside memories and evidence that goes, and whether it comes back without it."""

    sealed: Sealed[Row]
    why: str
    put_back: bool


@dataclass(slots=True)
class Found:
    """Gather what an erasure begins with, before anything that hangs on it.

    `memories` and `evidence` go whole, each with why; `versions` are older states that go
    alone and `parts` the spans of evidence that go; `cleared` come back without what they
    held beside their text.
    """

    memories: dict[str, str] = field(default_factory=dict)
    versions: dict[int, tuple[Sealed[Row], str]] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)
    parts: dict[str, list[Span]] = field(default_factory=dict)
    cleared: dict[str, Sealed[Row]] = field(default_factory=dict)
    others: dict[str, "Other"] = field(default_factory=dict)
    stays: list[Staying] = field(default_factory=list)


def walked(snapshot: Snapshot, code: RowCode) -> Iterator[Sealed[Row]]:
    """Yield every committed row of one kind."""
    after = 0
    while page := snapshot.sealed_rows(code, Page(after, limits.walk_rows_max)):
        yield from (sealed for _, sealed in page)
        after = page[-1][0]


def sees_everything(principal: Principal) -> bool:
    """Return whether a plan shows this principal every row that would go."""
    return principal.role in EVERYWHERE and not principal.credential


REQUESTED = (MatterState.OPEN, MatterState.DECLINED)
"""States of a request for an erasure; one that was carried out is no more."""


def requests_in(ground: Ground, snapshot: Snapshot, *states: MatterState) -> Iterator[list[Matter]]:
    """Yield the rows of each request for an erasure in one of these states, the newest request first.

    The rows of one come in the order in which they were made.  Raises Tampered when one of them
    does not match the log (I6).
    """
    spaces = [row.n for row in snapshot.spaces()]
    page = Page(0, limits.page_rows_max, newest_first=True)
    while found := snapshot.matters_in(spaces, (MatterKind.ERASURE.value,), states, page=page):
        rows: dict[str, list[Matter]] = {newest.id: [] for newest in found}
        for row in snapshot.matters(list(rows)):
            rows[row.id].append(row)
        for of_one in rows.values():
            refuse_altered(ground, snapshot, of_one)
            yield of_one
        page = replace(page, after=found[-1].n)


def name_of(row: Row) -> str:
    """Return a row's id, or its kind and number."""
    code, id, _ = committed(row)
    return named(code, id)


class Survey:
    """Walk the rows that a principal may see, and gather what holds a term or is asked for."""

    def __init__(self, ground: Ground, snapshot: Snapshot, principal: Principal, *, asked: Asked) -> None:
        self._ground, self._snapshot, self._principal = ground, snapshot, principal
        self._asked = asked
        self.found = Found()
        self.values: frozenset[bytes] = frozenset()

    def hits(self, holding: Holding) -> Found:
        """Gather every row that holds one of the terms."""
        self._memories_holding(holding)
        for sealed in self._seen(RowCode.EVIDENCE):
            if isinstance(sealed.row, Evidence):
                self._evidence_holding(sealed.row, sealed, holding)
        for code, texts in _BESIDE.items():
            for sealed in walked(self._snapshot, code) if self._principal.role in EVERYWHERE else ():
                if not holding.holds(*texts(sealed.row)):
                    continue
                if code in _NAMING and not holding.holds_name(*texts(sealed.row)):
                    self.found.stays.append(Staying(name_of(sealed.row), _NAMED_SO))
                else:
                    self._other(sealed)
        return self.found

    def _memories_holding(self, holding: Holding) -> None:
        held: dict[str, list[tuple[Sealed[Row], bool]]] = {}
        for sealed in self._seen(RowCode.VERSION):
            row = sealed.row
            if not isinstance(row, Version):
                continue
            claim = row.claim
            said = holding.holds(claim.text, claim.about, claim.attribute, claim.value)
            if not said and claim.keyed and row.digests.value in self.values:
                said = True
            if said or holding.holds(row.reason, *row.tags):
                held.setdefault(row.memory, []).append((sealed, said))
        for current in self._snapshot.currents(tuple(held)):
            self._memory_held(current.version, held[current.version.memory])

    def _memory_held(self, newest: Version, held: list[tuple[Sealed[Row], bool]]) -> None:
        """A memory whose newest state says it goes whole; else only the states that do."""
        numbers = {sealed.row.number: said for sealed, said in held if isinstance(sealed.row, Version)}
        if numbers.get(newest.number):
            self.found.memories.setdefault(newest.memory, "says it")
            return
        for sealed, said in held:
            if isinstance(sealed.row, Version):
                why = "an older state says it" if said else "its reason or a tag says it"
                self.found.versions[sealed.row.n] = (sealed, why)

    def _evidence_holding(self, item: Evidence, sealed: Sealed[Row], holding: Holding) -> None:
        spans = holding.spans(item.text)
        if spans:
            self.found.parts.setdefault(item.id, []).extend(spans)
        elif holding.holds(item.speaker, item.source, item.parent):
            self.found.cleared[item.id] = sealed

    def _other(self, sealed: Sealed[Row]) -> None:
        # A block's line comes back without the entry: the others are still the block's.
        whole = getattr(sealed.row, "body", "") and getattr(sealed.row, "kind", None) not in EDITS
        back = not isinstance(sealed.row, RecallRow) and not whole
        self.found.others.setdefault(name_of(sealed.row), Other(sealed, "says it", back))

    def requests(self) -> None:
        """Gather the requests for this very erasure: they go with what they name."""
        for rows in requests_in(self._ground, self._snapshot, *REQUESTED):
            for row in rows if asks_for(rows[0], self._asked) else ():
                ((_, sealed),) = self._snapshot.sealed_rows(RowCode.MATTER, Page(row.n - 1, 1))
                self.found.others[name_of(row)] = Other(sealed, "asks for it", put_back=False)

    def _seen(self, code: RowCode) -> Iterator[Sealed[Row]]:
        """Yield the rows of a kind that the principal may read; counts tell of no other space (I7)."""
        every = sees_everything(self._principal)
        for sealed in walked(self._snapshot, code):
            row = sealed.row
            if every or (isinstance(row, Version | Evidence) and self._may_read(row)):
                yield sealed

    def _may_read(self, row: Version | Evidence) -> bool:
        return readable(self._ground, self._snapshot, self._principal, space=row.space, label=row.label)

    def matching(self, matches: "Matching") -> Found:
        """Gather every memory and item that the source, person or filter names."""
        named_memories: set[str] = set()
        for sealed in self._seen(RowCode.VERSION):
            if isinstance(sealed.row, Version) and matches.memory(sealed.row):
                named_memories.add(sealed.row.memory)
        for current in self._snapshot.currents(tuple(named_memories)):
            if matches.memory(current.version):
                self.found.memories[current.version.memory] = f"of the {self._asked.means.value}"
        sources: dict[str, str] = {}
        for sealed in self._seen(RowCode.EVIDENCE):
            if isinstance(sealed.row, Evidence) and matches.evidence(sealed.row):
                sources[sealed.row.id] = sealed.row.source
                self.found.evidence[sealed.row.id] = f"of the {self._asked.means.value}"
        self._spare_namesakes(sources)
        if self._asked.means is Means.PERSON and self._principal.role in EVERYWHERE:
            self._person(matches)
        return self.found

    def _spare_namesakes(self, sources: Mapping[str, str]) -> None:
        """Where one source is called exactly as asked for, another that differs in case is its neighbour."""
        named = self._asked.value if self._asked.means is Means.SOURCE else ""
        named = dict(self._asked.filters).get("source", named)
        beside = [id for id, source in sources.items() if source != named]
        if named and len(beside) < len(sources):
            for id in beside:
                del self.found.evidence[id]
                self.found.stays.append(Staying(id, "of a source that is called the same in another case"))

    def _person(self, matches: "Matching") -> None:
        """What else tells of a person: the name as an actor, the questions asked, the sessions held."""
        for sealed in walked(self._snapshot, RowCode.RECALL):
            if isinstance(sealed.row, RecallRow) and sealed.row.actor in matches.actors:
                self._other(sealed)
        for sealed in walked(self._snapshot, RowCode.SESSION):
            if matches.is_persons(sealed.row):
                self._other(sealed)
        named = self._named()
        for code in _NAMING:
            for sealed in walked(self._snapshot, code):
                is_actor = isinstance(sealed.row, ActorRow) and sealed.row.n in matches.actors
                if is_actor or named.holds_name(*_BESIDE[code](sealed.row)):
                    self._other(sealed)

    def hold_written(self, entries: Sequence[Term], rows: Iterable[tuple[Sealed[Row], bool]]) -> None:
        """Gather the rows beside memories that hold what a person wrote, and the items that say it, too."""
        for sealed, is_theirs in rows:
            if is_theirs:
                self.found.others[name_of(sealed.row)] = Other(sealed, "of the person", put_back=False)
            else:
                self._other(sealed)
        holding = Holding(entries)
        for sealed in self._seen(RowCode.EVIDENCE) if entries else ():
            if isinstance(sealed.row, Evidence) and sealed.row.id not in self.found.evidence:
                self._evidence_holding(sealed.row, sealed, holding)

    def left_naming(self) -> int:
        """Return how many memories and items name the person and are not of them: those stay."""
        named, count = self._named(), 0
        for sealed in (*self._seen(RowCode.VERSION), *self._seen(RowCode.EVIDENCE)):
            row = sealed.row
            if isinstance(row, Version) and row.memory not in self.found.memories:
                claim = row.claim
                count += named.holds(
                    claim.text, claim.about, claim.attribute, claim.value, row.reason, *row.tags
                )
            elif isinstance(row, Evidence) and row.id not in self.found.evidence:
                count += named.holds(row.text)
        return count

    def _named(self) -> Holding:
        return Holding([Term(TermSort.TEXT, self._asked.value)], explicit=True)


_BESIDE: Mapping[RowCode, Callable[[Row], tuple[str, ...]]] = {
    RowCode.SESSION: lambda row: (
        (row.name, row.title, row.source, row.agent) if isinstance(row, Conversation) else ()
    ),
    RowCode.MATTER: lambda row: (
        (row.body, row.reason, *texts_in(row.body)) if isinstance(row, Matter) else ()
    ),
    RowCode.RECALL: lambda row: (row.query,) if isinstance(row, RecallRow) else (),
    RowCode.TOMBSTONE: lambda row: (row.reason,) if isinstance(row, Tombstone) else (),
    RowCode.ACTOR: lambda row: (row.name,) if isinstance(row, ActorRow) else (),
    RowCode.SPACE: lambda row: names_of(row) if isinstance(row, SpaceRow) else (),
    RowCode.CREDENTIAL: lambda row: names_of(row) if isinstance(row, CredentialRow) else (),
}
"""Which texts other rows hold, beside memories and evidence."""


_NAMING = (RowCode.ACTOR, RowCode.SPACE, RowCode.CREDENTIAL)
_NAMED_SO = "is called so by the way; plan by that text itself to take the name, too"


class Matching:
    """Say whether a row is of the source, of the person, or passes every condition of the filter."""

    def __init__(self, ground: Ground, snapshot: Snapshot, *, asked: Asked) -> None:
        self._ground, self._snapshot, self._asked = ground, snapshot, asked
        self._key = name_key(asked.value)
        self._sessions: dict[int, str] = {}
        self.actors: frozenset[int] = frozenset()
        if asked.means is Means.PERSON:
            self.actors = frozenset(row.n for row in snapshot.actors() if name_key(row.name) == self._key)

    def memory(self, row: Version) -> bool:
        """Return whether a memory's state matches."""
        if self._asked.means is Means.PERSON:
            return name_key(row.claim.about) == self._key or row.author in self.actors
        return self._asked.means is Means.FILTER and self._passes(self._of_memory(row))

    def evidence(self, row: Evidence) -> bool:
        """Return whether an item matches."""
        if self._asked.means is Means.SOURCE:
            return name_key(row.source) == self._key
        if self._asked.means is Means.PERSON:
            return name_key(row.speaker) == self._key or row.author in self.actors
        return self._asked.means is Means.FILTER and self._passes(self._of_evidence(row))

    def is_persons(self, row: Row) -> bool:
        """Return whether a session is the person's."""
        return isinstance(row, Conversation) and name_key(row.agent) == self._key

    def _passes(self, own: dict[str, tuple[str, ...]]) -> bool:
        """Every condition has to hold; a field that the row lacks does not (a filter never widens)."""
        return bool(self._asked.filters) and all(
            _holds(name, value, own.get(name, ())) for name, value in self._asked.filters
        )

    def _of_memory(self, row: Version) -> dict[str, tuple[str, ...]]:
        return {
            "kind": (row.kind.value,),
            "tag": row.tags,
            "trust": (row.trust.value,),
            "about": (row.claim.about,) if row.claim.about else (),
            "attribute": (row.claim.attribute,) if row.claim.attribute else (),
            **self._of_both(row.space, row.session, row.recorded),
        }

    def _of_evidence(self, row: Evidence) -> dict[str, tuple[str, ...]]:
        return {
            "kind": (row.kind.value,),
            "speaker": (row.speaker,) if row.speaker else (),
            "source": (row.source,) if row.source else (),
            "role": (row.role.value,),
            **self._of_both(row.space, row.session, row.recorded),
        }

    def _of_both(self, space: int, session: int, recorded: datetime) -> dict[str, tuple[str, ...]]:
        moment = recorded.isoformat()
        name = self._session_name(session)
        return {
            "space": (self._ground.path_of(self._snapshot, space),),
            "session": (name,) if name else (),
            "before": (moment,),
            "after": (moment,),
        }

    def _session_name(self, session: int) -> str:
        if session and session not in self._sessions:
            found = self._snapshot.sessions_at((session,))
            self._sessions[session] = found[0].name if found else ""
        return self._sessions.get(session, "")


def _holds(name: str, value: str, own: tuple[str, ...]) -> bool:
    if name in ("before", "after"):
        asked = datetime.fromisoformat(value)
        moments = [datetime.fromisoformat(one) for one in own]
        return any(one < asked if name == "before" else one > asked for one in moments)
    if name in ("space", "session"):
        # Acme is another space than acme: what is named goes, and not its neighbour.
        return value in own
    return name_key(value) in {name_key(one) for one in own}
