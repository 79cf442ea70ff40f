"""What is recent, what is open and what is owed?  What an agent reads when it wakes; nothing changes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.label import PRIVATE, Label, strictest
from muniment.domain.matter import CASES, MatterKind
from muniment.domain.memory import Kind, Version
from muniment.domain.principal import Principal
from muniment.domain.timeline import from_micros
from muniment.domain.trust import LIVE, Trust
from muniment.errors import BadInput
from muniment.ports import Snapshot
from muniment.recall.eligibility import Sort
from muniment.recall.packing import packed
from muniment.recall.question import Answer, AnswerOutcome, Hit, Question
from muniment.recall.ranking import Scored
from muniment.service.ask import WITHHELD, eligible
from muniment.service.ground import Ground
from muniment.service.hits import checked_hits
from muniment.service.writing import readable

EXPIRES_SOON = timedelta(days=7)
"""How far ahead `awake` looks for memories that expire."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Describe one section: its name, which rows it shows and in which states."""

    name: str
    sort: Sort
    trusts: tuple[Trust, ...] = tuple(sorted(LIVE))
    kinds: tuple[Kind, ...] = ()
    sources: tuple[str, ...] = ()


SECTIONS = (
    Wanted("recent memories", Sort.MEMORY, (Trust.BELIEVED,)),
    Wanted("recent turns", Sort.EVIDENCE, sources=("turn",)),
    Wanted("candidates awaiting a verdict", Sort.MEMORY, (Trust.CANDIDATE,)),
    Wanted("disputed", Sort.MEMORY, (Trust.DISPUTED,)),
    Wanted("tasks not ended", Sort.MEMORY, kinds=(Kind.TASK,)),
)
"""What `awake` shows, in this order."""


@dataclass(frozen=True, slots=True)
class Section:
    """Hold one section, the newest first; `total` is a least number when `counted` is false."""

    name: str
    hits: tuple[Hit, ...]
    total: int
    counted: bool = True

    @property
    def more(self) -> int:
        """Return how many are not shown, at least."""
        return self.total - len(self.hits)


@dataclass(frozen=True, slots=True)
class Awake:
    """Hold what is recent and open by section, and what is owed by name and count.

    `notes` says in plain sentences what was not counted or did not hold.
    """

    sections: tuple[Section, ...]
    owed: tuple[tuple[str, int], ...]
    notes: tuple[str, ...] = ()

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Return everything shown, each once, untrusted things last."""
        once = {hit.id: hit for section in self.sections for hit in section.hits}
        return tuple(sorted(once.values(), key=lambda hit: hit.label.untrusted))

    @property
    def label(self) -> Label:
        """Return the strictest label of what is shown."""
        return strictest((hit.label for hit in self.hits), least=PRIVATE)

    def as_answer(self) -> Answer:
        """Return it as the answer that goes on record."""
        degraded = [note for note in self.notes if note.startswith("degraded")]
        outcome = AnswerOutcome.FOUND if self.hits else AnswerOutcome.NOTHING
        return Answer(
            question="awake",
            hits=self.hits,
            label=self.label,
            outcome=AnswerOutcome.DEGRADED if degraded else outcome,
            reason=degraded[0] if degraded else ("Found." if self.hits else "Nothing is there yet."),
            notes=self.notes,
            total=len(self.hits) + sum(section.more for section in self.sections),
        )


def awake(ground: Ground, principal: Principal, *, limit: int = limits.awake_items_max) -> Awake:
    """Return what is recent, open and owed within the caller's scope (I7); nothing is written.

    `limit` lies in 1..`awake_items_max` and bounds each section.  Raises BadInput for
    another one, and Tampered or RolledBack when the head of the log does not hold.
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= limits.awake_items_max:
        raise BadInput(f"`limit` lies in 1..{limits.awake_items_max}.")
    with ground.reading() as snapshot:
        sections, broken = [], 0
        for wanted in SECTIONS:
            section, unsound = _section(ground, snapshot, principal, wanted=wanted, limit=limit)
            sections.append(section)
            broken += unsound
        owed, notes = _owed(ground, snapshot, principal)
    if broken:
        notes.append(f"degraded: {broken} rows do not match the log and were not shown; run verify")
    return Awake(tuple(sections), owed, tuple(notes))


def _section(
    ground: Ground, snapshot: Snapshot, principal: Principal, *, wanted: Wanted, limit: int
) -> tuple[Section, int]:
    withheld = tuple(trust for trust in wanted.trusts if trust not in LIVE)
    question = Question("", principal, k=limit, include=withheld, kinds=wanted.kinds, sources=wanted.sources)
    allowed, _ = eligible(ground, snapshot, question)
    view = snapshot.view(replace(allowed, trusts=wanted.trusts), model="")
    bound = limits.candidates_per_lane_max
    found = view.recent(wanted.sort, rows_max=bound) if allowed.spaces else []
    # Nothing was asked, so nothing is weak: only the share of untrusted things is held.
    choice = packed([Scored(one, 0.0, 0.0) for one in found], k=limit, floor=0.0)
    hits, broken = checked_hits(ground, snapshot, choice.taken, question=question)
    return Section(wanted.name, tuple(hits), len(found) - broken, len(found) < bound), broken


def _owed(
    ground: Ground, snapshot: Snapshot, principal: Principal
) -> tuple[tuple[tuple[str, int], ...], list[str]]:
    """Count what waits: jobs, memories that expire, and what is withheld by its state."""
    spaces = [row.n for row in snapshot.spaces() if principal.may_read(row.path)]
    now = max(ground.outside.clock.now(), from_micros(snapshot.head().recorded))
    counts = {"jobs waiting": _jobs(ground, snapshot, principal)}
    for name, kinds in _WAITING.items():
        found = snapshot.matters_in(spaces, kinds, ("open",), page=Page(0, limits.page_rows_max))
        counts[name] = sum(1 for row in found if row.label.data_class <= principal.class_max)
    live, whole = _listed(snapshot, principal, spaces, trusts=tuple(LIVE))
    counts["expire within 7 days"] = sum(1 for one in live if _expires(one, now))
    counts["withheld: expired"] = sum(1 for one in live if one.expired(now))
    for trust in WITHHELD:
        rows, all_there = _listed(snapshot, principal, spaces, trusts=(trust,))
        counts[f"withheld: {trust.value}"] = len(rows)
        whole = whole and all_there
    bound = limits.page_rows_max
    notes = [] if whole else [f"Counts stop at {bound} memories of a state, the newest ones."]
    return tuple((name, count) for name, count in counts.items() if count), notes


_WAITING = {
    "cases waiting": CASES,
    "proposals waiting": (MatterKind.PROPOSAL,),
    "erasures asked for": (MatterKind.ERASURE,),
}
"""What waits for a person, by name."""


def _expires(version: Version, now: datetime) -> bool:
    return version.expires_at is not None and now < version.expires_at <= now + EXPIRES_SOON


def _listed(
    snapshot: Snapshot, principal: Principal, spaces: Sequence[int], *, trusts: Sequence[Trust]
) -> tuple[list[Version], bool]:
    page = Page(0, limits.page_rows_max, newest_first=True)
    rows = snapshot.memories(spaces, [trust.value for trust in trusts], page)
    seen = [row for row in rows if row.label.data_class <= principal.class_max]
    return seen, len(rows) < limits.page_rows_max


def _jobs(ground: Ground, snapshot: Snapshot, principal: Principal) -> int:
    """Count the waiting jobs of rows that the caller may read: a total would tell of other spaces."""
    targets = [job.target for job in snapshot.jobs()[: limits.jobs_per_run_max]]
    rows = [sealed.row for sealed in snapshot.versions_at(targets)]
    places = [(row.space, row.label) for row in rows]
    places += [(sealed.row.space, sealed.row.label) for sealed in snapshot.evidence_at(targets)]
    return sum(readable(ground, snapshot, principal, space=space, label=label) for space, label in places)
