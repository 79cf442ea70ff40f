"""How is a question answered?  Candidates in scope, one scorer, checked hits, an envelope."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from muniment import limits
from muniment.domain.label import PRIVATE, strictest
from muniment.domain.space import within
from muniment.domain.timeline import to_micros
from muniment.domain.trust import LIVE, Trust
from muniment.errors import BadInput
from muniment.ports import Snapshot, View
from muniment.recall.eligibility import FOREVER, Eligibility, Sort
from muniment.recall.envelope import rendered
from muniment.recall.packing import packed, within_budget
from muniment.recall.question import Answer, AnswerOutcome, Hit, Question
from muniment.recall.ranking import Asked, Candidate, Statistics, ranked
from muniment.service.arguments import within_query_bound
from muniment.service.ground import Ground
from muniment.service.hits import checked_hits
from muniment.service.steady import UNINDEXED, SteadyView, counted, is_emptied

SHOWN_THEN = (Trust.BELIEVED, Trust.CANDIDATE, Trust.SUPERSEDED)
"""States of then that answer a question about a past moment: there the interval decides."""

WITHHELD = (Trust.DISPUTED, Trust.REFUTED, Trust.RETIRED, Trust.SUPERSEDED)
"""States that are counted when they would have been found; a rejected value is not hinted at."""

UNVERIFIED = "degraded: the vault's keys are missing, so nothing could be verified"
NO_WORDS = "The question holds nothing to look for."
NOTHING = "Nothing covers this."
NO_HITS_WANTED = "No hits were asked for."
OVER_BUDGET = "Nothing of what was found fits the token budget."
FOUND = "Found."


@dataclass(frozen=True, slots=True)
class Looked:
    """Hold a question as it is looked up: terms, vector, eligibility and what to say of it."""

    terms: tuple[str, ...]
    vector: bytes
    eligibility: Eligibility
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Hold what the answer is made of; an empty reason follows from the hits."""

    hits: tuple[Hit, ...] = ()
    reason: str = ""
    withheld: tuple[tuple[str, int], ...] = ()
    total: int = 0


def ask(ground: Ground, question: Question) -> Answer:
    """Return the answer to a question; nothing is written here.

    Raises BadInput for a k outside 0..200, and Tampered or RolledBack when the head of the
    log does not hold.
    """
    _refuse_bad_bounds(question)
    text, cut = within_query_bound(question.text)
    notes = [] if ground.outside.verifiable else [UNVERIFIED]
    notes += [f"Only the first {limits.query_characters_max} characters were asked."] if cut else []
    with ground.store.snapshot() as snapshot:
        ground.checked_head(snapshot)
        eligibility, more = eligible(ground, snapshot, question)
        looked = _looked(ground, text, eligibility, notes=[*notes, *more])
        if not eligibility.spaces or not (looked.terms or looked.vector) or question.k == 0:
            return _answer(ground, question, looked, found=Found(reason=_unasked(question, looked)))
        return _answered(ground, snapshot, question, looked=looked)


def _unasked(question: Question, looked: Looked) -> str:
    """Return why nothing was looked up; only what was looked for may be said not to be covered."""
    if not (looked.terms or looked.vector):
        return NO_WORDS
    return NO_HITS_WANTED if question.k == 0 else NOTHING


def _refuse_bad_bounds(question: Question) -> None:
    if not isinstance(question.text, str):
        raise BadInput("The question is not a text.")
    if (
        isinstance(question.k, bool)
        or not isinstance(question.k, int)
        or not 0 <= question.k <= limits.hits_max
    ):
        raise BadInput(f"k lies in 0..{limits.hits_max}.")
    if question.budget_tokens is not None and question.budget_tokens < 0:
        raise BadInput("The token budget is not negative.")


def eligible(ground: Ground, snapshot: Snapshot, question: Question) -> tuple[Eligibility, list[str]]:
    """Return what may be a candidate for this question, and what to say about it (I7)."""
    spaces, notes = readable_spaces(ground, snapshot, question)
    now = max(to_micros(ground.outside.clock.now()), snapshot.head().recorded)
    past = question.as_of is not None or question.known_at is not None
    included = tuple(trust for trust in question.include if trust not in LIVE)
    trusts = SHOWN_THEN if past else tuple(sorted(LIVE))
    as_of = now if question.as_of is None else to_micros(question.as_of)
    if question.as_of is None and question.known_at is not None:
        as_of = min(now, to_micros(question.known_at))
    return (
        Eligibility(
            spaces=spaces,
            as_of=as_of,
            known_at=FOREVER if question.known_at is None else to_micros(question.known_at),
            class_max=question.principal.class_max,
            trusts=tuple(dict.fromkeys((*trusts, *included))),
            then=past or bool(included),
            any_interval=bool(included) and not past,
            show_rejected=Trust.REJECTED in included and question.principal.is_person,
            kinds=(*(kind.value for kind in question.kinds), *question.sources),
            tags=question.tags,
            evidence_after=not past,
        ),
        notes,
    )


def readable_spaces(
    ground: Ground, snapshot: Snapshot, question: Question
) -> tuple[tuple[int, ...], list[str]]:
    """Return the numbers of the spaces the question is asked in, nearest to home first."""
    principal = question.principal
    rows = [row for row in ground.all_spaces(snapshot) if principal.may_read(row.path)]
    if question.space:
        rows = [row for row in rows if row.path == question.space]
        if not rows:
            return (), ["There is no such space for you."]
    rows.sort(key=lambda row: (not within(principal.home, row.path), row.n))
    if len(rows) <= limits.spaces_in_a_question_max:
        return tuple(row.n for row in rows), []
    left_out = len(rows) - limits.spaces_in_a_question_max
    kept = rows[: limits.spaces_in_a_question_max]
    return tuple(row.n for row in kept), [
        f"{left_out} spaces were not asked; name a space to narrow the question."
    ]


def _looked(ground: Ground, text: str, eligibility: Eligibility, *, notes: list[str]) -> Looked:
    terms = ground.outside.analyser.question(text)
    vector = b""
    if text.strip() and ground.outside.embedder.model:
        vector, failed = ground.vector_of(text)
        if failed:
            notes = [*notes, "degraded: the embedder did not answer; found by words only"]
    return Looked(terms, vector, eligibility, tuple(notes))


def _answered(ground: Ground, snapshot: Snapshot, question: Question, *, looked: Looked) -> Answer:
    statistics, is_damaged = counted(snapshot, looked.eligibility.spaces, looked.terms)
    terms = rarest(looked.terms, statistics[Sort.EVIDENCE])
    cut = len(terms) < len(looked.terms)
    looked = replace(looked, terms=terms)
    looked = replace(looked, eligibility=_sorted(looked.eligibility, statistics))
    asked = {sort: Asked.of(terms, counted) for sort, counted in statistics.items()}
    is_damaged = is_damaged or (
        bool(terms) and is_emptied(ground, snapshot, looked.eligibility, statistics=statistics, terms=terms)
    )
    view = SteadyView(
        snapshot.view(looked.eligibility, model=ground.outside.embedder.model), is_damaged=is_damaged
    )
    scored = ranked(_candidates(ground, snapshot, looked, view=view, k=question.k), asked)
    choice = packed(scored, k=question.k)
    hits, broken = checked_hits(ground, snapshot, choice.taken, question=question)
    kept = within_budget([hit.text for hit in hits], question.budget_tokens)
    withheld: dict[str, int] = {}
    if not looked.eligibility.then and snapshot.withheld_in(looked.eligibility.spaces):
        withheld = _withheld(snapshot, looked, asked=asked, is_damaged=view.is_damaged)
    if len(kept) < len(hits):
        withheld["over budget"] = len(hits) - len(kept)
    if choice.untrusted_left_out:
        withheld["untrusted"] = choice.untrusted_left_out
    notes = [*looked.notes, UNINDEXED] if view.is_damaged else list(looked.notes)
    if cut:
        notes.append(f"Only the {limits.question_terms_max} rarest terms of the question were looked up.")
    if broken:
        notes.append(f"degraded: {broken} found rows do not match the log and were not served; run verify")
    found = Found(
        hits=tuple(hits[position] for position in kept),
        reason=OVER_BUDGET if hits and not kept else "",
        withheld=tuple(sorted(withheld.items())),
        total=len(hits) + choice.over_k,
    )
    return _answer(ground, question, replace(looked, notes=tuple(notes)), found=found)


def _sorted(eligibility: Eligibility, statistics: dict[Sort, Statistics]) -> Eligibility:
    """Return the eligibility with the sorts that hold any row; a past moment may hold more memories."""
    sorts = tuple(
        sort
        for sort, counted in statistics.items()
        if counted.items or (eligibility.then and sort is Sort.MEMORY)
    )
    rows = tuple((sort, counted.items) for sort, counted in statistics.items())
    matches = {sort: counted.rows_with for sort, counted in statistics.items()}
    return replace(eligibility, sorts=sorts, live_rows=rows, live_matches=matches)


def rarest(terms: Sequence[str], statistics: Statistics) -> tuple[str, ...]:
    """Return at most the bound of terms, the rarest ones, in their order (I12)."""
    if len(terms) <= limits.question_terms_max:
        return tuple(terms)
    kept = set(sorted(terms, key=statistics.weight, reverse=True)[: limits.question_terms_max])
    return tuple(term for term in terms if term in kept)


def _candidates(ground: Ground, snapshot: Snapshot, looked: Looked, *, view: View, k: int) -> list[Candidate]:
    """Return the candidates of all drivers, each once, with its cosine where there is one.

    A `k` beyond what a lane proposes is filled from the lanes themselves.
    """
    found: dict[int, Candidate] = {}
    for driver in ground.outside.drivers:
        for candidate in driver.candidates(view, looked.terms, looked.vector):
            found.setdefault(candidate.n, candidate)
    candidates = list(found.values())[: limits.candidates_max]
    if k > limits.candidates_per_lane_max:
        for sort in Sort:
            wide = view.nearest(looked.vector, sort, rows_max=k) if looked.vector else []
            wide += view.lexical(looked.terms, sort, rows_max=k)
            candidates += [one for one in wide if found.setdefault(one.n, one) is one]
    unknown = [one.n for one in candidates if one.cosine is None] if looked.vector else []
    near = snapshot.cosines(unknown, looked.vector, model=ground.outside.embedder.model) if unknown else {}
    return [one._replace(cosine=near[one.n]) if one.n in near else one for one in candidates]


def _withheld(
    snapshot: Snapshot, looked: Looked, *, asked: dict[Sort, Asked], is_damaged: bool
) -> dict[str, int]:
    """Count what would have been found but for its state (I11)."""
    eligibility = replace(
        looked.eligibility,
        trusts=WITHHELD,
        then=True,
        any_interval=True,
        withheld_only=True,
        sorts=(Sort.MEMORY,),
    )
    view = SteadyView(snapshot.view(eligibility, model=""), is_damaged=is_damaged)
    candidates = view.lexical(looked.terms, Sort.MEMORY, rows_max=limits.candidates_per_lane_max)
    choice = packed(ranked(candidates, asked), k=limits.hits_max)
    counts: dict[str, int] = {}
    for scored in choice.taken:
        if scored.candidate.trust is not None:
            counts[scored.candidate.trust.value] = counts.get(scored.candidate.trust.value, 0) + 1
    return counts


def _answer(ground: Ground, question: Question, looked: Looked, *, found: Found) -> Answer:
    degraded = any(note.startswith("degraded") for note in looked.notes)
    outcome = AnswerOutcome.FOUND if found.hits else AnswerOutcome.NOTHING
    if degraded:
        outcome = AnswerOutcome.DEGRADED
    why = found.reason or (FOUND if found.hits else NOTHING)
    if degraded:
        why = next(note for note in looked.notes if note.startswith("degraded"))
    return Answer(
        question=question.text[: limits.query_characters_max],
        hits=found.hits,
        label=strictest((hit.label for hit in found.hits), least=PRIVATE),
        outcome=outcome,
        reason=why,
        withheld=found.withheld,
        notes=looked.notes,
        total=found.total,
        # Made when it is asked for, once: many callers take the hits alone.
        envelope=cache(lambda: rendered(found.hits, lambda: ground.outside.ids.salt(16).hex(), empty=why)),
    )
