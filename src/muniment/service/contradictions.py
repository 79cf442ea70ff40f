"""What do new free statements contradict?  A job looks among their neighbours; a dry run says beforehand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muniment import limits
from muniment.domain.changes import Job, Page
from muniment.domain.intent import Judge
from muniment.domain.label import DataClass
from muniment.domain.link import Link, LinkType
from muniment.domain.memory import Claim, Version
from muniment.domain.model_use import ANSWERED, SENT, Purpose, Use
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.trust import LIVE, Act
from muniment.errors import Unavailable
from muniment.gate.contradiction import (
    Contradiction,
    Contradicts,
    Kind,
    Metered,
    clauses_left,
    contradicts,
    words_to_look_for,
)
from muniment.gate.free_text import comparable, looks_around, settled_text
from muniment.gate.verdict import Known, Verdict
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.recall.eligibility import Eligibility, Sort
from muniment.service.asking_jobs import KIND
from muniment.service.cases import close_moot, open_case
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.prepare import prepared
from muniment.service.writing import append_closing, successor_link, tombstones_met

if TYPE_CHECKING:
    from muniment.service import model_use
else:
    model_use = Later("muniment.service.model_use")

_LIVE = tuple(sorted(trust.value for trust in LIVE))


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Hold what a statement would contradict: which memory, what it says, how, and what would follow.

    `becomes` is superseded, disputed (one of both) or finding (a person decides).
    """

    id: str
    text: str
    kind: str
    becomes: str


def neighbours(ground: Ground, snapshot: Snapshot, text: str, *, space: int) -> list[Version]:
    """Return the live statements of a space that are nearest to a text, by words and by meaning."""
    now = max(to_micros(ground.outside.clock.now()), snapshot.head().recorded)
    eligibility = Eligibility((space,), now, sorts=(Sort.MEMORY,))
    view = snapshot.view(eligibility, model=ground.outside.embedder.model)
    bound = limits.contradiction_candidates_max
    asked = f"{text[: limits.query_characters_max]} {words_to_look_for(text)}"
    terms = ground.outside.analyser.question(asked)[: limits.question_terms_max]
    found = view.lexical(terms, Sort.MEMORY, rows_max=bound) if terms else []
    vector, _ = ground.vector_of(text)
    if vector:
        found += view.nearest(vector, Sort.MEMORY, rows_max=bound)
    # The newest of all are looked at too: what was just said is what is corrected most.
    found += view.recent(Sort.MEMORY, rows_max=bound)
    ns = sorted({candidate.n for candidate in found}, reverse=True)
    return sorted((sealed.row for sealed in snapshot.versions_at(ns)), key=lambda row: -row.n)


def foreseen(ground: Ground, principal: Principal, text: str, *, space: str) -> tuple[Foreseen, ...]:
    """Return what a statement would contradict in a space, without storing anything of it (I7).

    Where a model is asked, its use is on record.
    """
    with ground.reading() as snapshot:
        row = ground.space(snapshot, space)
        if row is None or not principal.may_read(space):
            return ()
        found, asking = [], _Asking(ground)
        olds = [
            old
            for old in neighbours(ground, snapshot, text, space=row.n)
            if old.label.data_class <= principal.class_max and not old.claim.many
        ]
        own = {old.memory: ground.name_of(snapshot, old.author) == principal.actor for old in olds}
    # A model is asked once the snapshot is closed, since it may take its time.
    for old, how in asking.about(text, olds, data_class=DataClass.PRIVATE):
        becomes = _becomes(old, principal, own=own[old.memory]) if how.kind is not Kind.UNSURE else "finding"
        found.append(Foreseen(old.memory, old.text, how.kind.value, becomes))
    asking.record(Purpose.DRY_RUN, space=row.n)
    return tuple(found)


def _becomes(old: Version, principal: Principal, *, own: bool) -> str:
    weight = 50 if principal.is_person else 10
    if weight >= old.rank.weight and own:
        return "superseded"
    return "finding" if weight == old.rank.weight else "disputed"


class _Asking:
    """Ask the rules about a statement and its neighbours, then the model, if there is one and it answers.

    A model that is away is asked no more in this round, and the rules go on without it: its absence
    permits nothing and holds up nothing.  `away` says so afterwards.  Where no use can be put on record no
    model is asked.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._began = ground.outside.clock.now()
        self.away: Unavailable | None = None
        self._used = Use()

    @property
    def is_late(self) -> bool:
        """Return whether another statement might take longer than the job is leased for."""
        slowest = limits.model_neighbours_max * limits.model_seconds_max
        spent = self._ground.outside.clock.now() - self._began
        return spent.total_seconds() >= limits.job_lease_seconds - slowest

    def about(
        self, text: str, olds: Sequence[Version], *, data_class: DataClass
    ) -> Iterator[tuple[Version, Contradiction]]:
        """Yield which of the older statements the text contradicts; `data_class` is the text's."""
        by_rules = {old.memory: contradicts(text, old.text) for old in olds}
        asked = {old.memory for old in self._nearest(text, olds)} if data_class < DataClass.SECRET else set()
        for old in olds:
            found = by_rules[old.memory]
            if found is None and old.memory in asked:
                found = self._of_model(text, old)
            if found is not None:
                yield old, found

    def _nearest(self, text: str, olds: Sequence[Version]) -> list[Version]:
        """Return the neighbours that share most words: a model is slow, and asked about few."""
        if self._ground.judge is None or not self._ground.outside.writable:
            return []
        terms = self._ground.outside.analyser.terms
        own = set(terms(text))
        shared = {old.memory: len(own & set(terms(old.text))) for old in olds}
        nearest = sorted(olds, key=lambda old: shared[old.memory], reverse=True)
        return nearest[: limits.model_neighbours_max]

    def _of_model(self, text: str, old: Version) -> Contradiction | None:
        judge = self._ground.judge
        # What is secret leaves the vault for no server.
        if judge is None or self.away is not None or old.label.data_class >= DataClass.SECRET:
            return None
        try:
            return self._metered(judge, text, old.text)
        except Unavailable as error:
            self.away = error
            return None

    def _metered(self, judge: Contradicts, new: str, old: str) -> Contradiction | None:
        if isinstance(judge, Metered):
            return judge.metered(new, old, self._note)
        self._note(SENT)
        found = judge(new, old)
        self._note(ANSWERED)
        return found

    def _note(self, use: Use) -> None:
        self._used += use

    def record(self, purpose: Purpose, *, space: int) -> None:
        """Put on record what of the model was used since the last time."""
        used, self._used = self._used, Use()
        if used.calls:
            model_use.record(self._ground, used, purpose=purpose, space=space)

    def probe(self) -> None:
        """Ask the model about two statements that are nobody's; raises what keeps it from answering."""
        if self._ground.judge is not None:
            try:
                self._metered(self._ground.judge, "The probe is red", "The probe is blue")
            finally:
                self.record(Purpose.PROBE, space=0)


def probe(ground: Ground) -> None:
    """Ask the model once, if there is one, with its use on record.

    Raises ModelAway, and what any write raises.
    """
    _Asking(ground).probe()


def look(ground: Ground, job: Job) -> None:
    """Compare the statements of a space from the job's on with their neighbours.

    A job is bounded; what is left over is the next one's.  Raises what keeps a model from
    answering once the rules have done their part, so that the job is tried again.
    """
    page = Page(job.n - 1, limits.contradiction_batch_max)
    with ground.store.snapshot() as snapshot:
        rows = snapshot.memories((job.target,), _LIVE, page)
    asking, last = _Asking(ground), job.n - 1
    for row in rows:
        if looks_around(row):
            _compare(ground, row, asking)
        last = row.n
        if ground.judge is not None and asking.is_late:
            break
    if rows and (len(rows) == page.limit or last != rows[-1].n):
        _go_on(ground, job, after=last)
    if asking.away is not None:
        raise asking.away


def _go_on(ground: Ground, job: Job, *, after: int) -> None:
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        draft.jobs.append(Job(after + 1, KIND, job.target, to_micros(draft.recorded)))
        draft.commit("look_on", actor=draft.actor(_gate(ground)), space=job.target)


def _gate(ground: Ground) -> Principal:
    return Principal(ground.tenant, "gate", ActorRole.SYSTEM)


def _compare(ground: Ground, new: Version, asking: _Asking) -> None:
    with ground.store.snapshot() as snapshot:
        olds = neighbours(ground, snapshot, new.text, space=new.space)
    older = [old for old in olds if old.n < new.n and comparable(new, old)]
    try:
        for old, found in asking.about(new.text, older, data_class=new.label.data_class):
            _land(ground, (new, old), found)
    finally:
        # After each statement, so that a worker that is killed takes the count of one with it at most.
        asking.record(Purpose.LOOK, space=new.space)


def _land(ground: Ground, sides: tuple[Version, Version], found: Contradiction) -> None:
    """Land what follows from a contradiction, if both sides still say what was compared."""
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        present = {one.version.memory: one.version for one in transaction.currents([s.memory for s in sides])}
        new, old = (present[side.memory] for side in sides)
        if (new.n, old.n) != (sides[0].n, sides[1].n) or not comparable(new, old):
            return
        principal = _gate(ground)
        path = ground.path_of(transaction, old.space)
        actor = draft.actor(principal)
        known = Known(actor=actor, recorded=draft.recorded, space=ground.space(transaction, path))
        verdict = settled_text(new, old, known, is_sure=found.kind is not Kind.UNSURE)
        intent = Judge(principal, old.memory, Act.DISPUTE)
        for closing in verdict.closings:
            append_closing(draft, closing, intent, actor=actor)
        if verdict.opens is None:
            draft.add_link(successor_link(draft, new, old.memory))
            _keep_rest(draft, new, old, found=found, actor=actor)
        else:
            open_case(draft, verdict.opens, actor=actor)
        _record(draft, verdict, new, actor=actor)


def _record(draft: Draft, verdict: Verdict, new: Version, *, actor: int) -> None:
    close_moot(draft, actor=actor)
    outcome, reason = verdict.outcome.value, verdict.reason.code
    draft.commit(KIND, actor=actor, space=new.space, outcome=outcome, reason=reason, memory=new.memory)


def _keep_rest(draft: Draft, new: Version, old: Version, *, found: Contradiction, actor: int) -> None:
    """Let the other clauses of a compound statement go on, word for word, as its other successor."""
    left = clauses_left(old.text, found)
    if not left or left == old.text:
        return
    ready = prepared(draft.ground, Claim(left), old.tags)
    if ready.bad_character is not None or tombstones_met(draft, ready.claim, old.space):
        return
    rest = replace(
        old,
        memory=draft.ground.outside.ids.new("m"),
        number=1,
        n=draft.number(),
        claim=ready.claim,
        valid=Interval(max(new.valid.start, old.valid.start), old.valid.end),
        recorded=draft.recorded,
        before=old.trust,
        actor=actor,
        act="succeed",
        digests=ready.digests,
        reason="",
        session=0,
    )
    draft.add_version(rest, ready.index, replaces=None)
    draft.add_link(successor_link(draft, rest, old.memory))
    for sealed in draft.transaction.links_of((old.memory,)):
        if sealed.row.type is LinkType.DERIVED_FROM and sealed.row.source == old.memory:
            draft.add_link(_carried(draft, sealed.row, rest))


def _carried(draft: Draft, link: Link, rest: Version) -> Link:
    """Return the same source's link for the part that goes on."""
    id = draft.ground.outside.ids.new("l")
    return replace(link, id=id, source=rest.memory, recorded=draft.recorded, actor=rest.actor)
