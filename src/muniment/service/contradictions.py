"""What do new free statements contradict?  A job looks among their neighbours; a dry run says beforehand."""

from dataclasses import dataclass, replace

from muniment import limits
from muniment.domain.changes import Job, Page
from muniment.domain.intent import Judge
from muniment.domain.link import Link, LinkType
from muniment.domain.memory import Claim, Version
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.trust import LIVE, Act
from muniment.gate.contradiction import Contradiction, clauses_left, contradicts, words_to_look_for
from muniment.gate.free_text import comparable, settled_text
from muniment.gate.verdict import Known, Verdict
from muniment.ports import Snapshot
from muniment.recall.eligibility import Eligibility, Sort
from muniment.service.asking_jobs import KIND
from muniment.service.cases import close_moot, open_case
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.prepare import prepared
from muniment.service.writing import append_closing, successor_link, tombstones_met

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
    """Return the live free statements of a space that are nearest to a text, by words and by meaning."""
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
    """Return what a statement would contradict in a space, without storing anything (I7)."""
    with ground.store.snapshot() as snapshot:
        row = ground.space(snapshot, space)
        if row is None or not principal.may_read(space):
            return ()
        found = []
        for old in neighbours(ground, snapshot, text, space=row.n):
            seen = old.label.data_class <= principal.class_max
            how = _judged(ground, text, old.text) if seen and not old.claim.keyed else None
            if how is not None:
                own = ground.name_of(snapshot, old.author) == principal.actor
                found.append(
                    Foreseen(old.memory, old.text, how.kind.value, _becomes(old, principal, own=own))
                )
    return tuple(found)


def _becomes(old: Version, principal: Principal, *, own: bool) -> str:
    weight = 50 if principal.is_person else 10
    if weight >= old.rank.weight and own:
        return "superseded"
    return "finding" if weight == old.rank.weight else "disputed"


def _judged(ground: Ground, new: str, old: str) -> Contradiction | None:
    """Ask the rules, then the model if there is one."""
    found = contradicts(new, old)
    if found is None and ground.judge is not None:
        return ground.judge(new, old)
    return found


def look(ground: Ground, job: Job) -> None:
    """Compare the free statements of a space from the job's on with their neighbours.

    A job is bounded; what is left over is the next one's.
    """
    page = Page(job.n - 1, limits.contradiction_batch_max)
    with ground.store.snapshot() as snapshot:
        rows = snapshot.memories((job.target,), _LIVE, page)
    for row in rows:
        if not row.claim.keyed:
            _compare(ground, row)
    if len(rows) == page.limit:
        _go_on(ground, job, after=rows[-1].n)


def _go_on(ground: Ground, job: Job, *, after: int) -> None:
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        draft.jobs.append(Job(after + 1, KIND, job.target, to_micros(draft.recorded)))
        draft.commit("look_on", actor=draft.actor(_gate(ground)), space=job.target)


def _gate(ground: Ground) -> Principal:
    return Principal(ground.tenant, "gate", ActorRole.SYSTEM)


def _compare(ground: Ground, new: Version) -> None:
    with ground.store.snapshot() as snapshot:
        olds = neighbours(ground, snapshot, new.text, space=new.space)
    for old in olds:
        if old.n < new.n and comparable(new, old):
            found = _judged(ground, new.text, old.text)
            if found is not None:
                _land(ground, (new, old), found)


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
        verdict = settled_text(new, old, known)
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
