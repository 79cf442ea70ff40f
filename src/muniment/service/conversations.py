"""How is evidence kept?  Verbatim, once, with its label; nothing of it is refused (I10)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from muniment import limits
from muniment.domain.changes import Extracted, IndexEntry, Job, SessionState
from muniment.domain.evidence import MARK, Arrival, Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.intent import Take
from muniment.domain.label import PUBLIC, DataClass, Label
from muniment.domain.ledger import keyed_digest
from muniment.domain.rows import SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import to_micros
from muniment.errors import BadInput, Refusal
from muniment.gate.characters import kept
from muniment.gate.judge import judge
from muniment.gate.verdict import Known
from muniment.later import Later
from muniment.service.contents import arriving
from muniment.service.draft import Draft
from muniment.service.erased_names import kept_name, name_apart, session_named
from muniment.service.ground import Ground
from muniment.service.prepare import index_entry
from muniment.service.session_reading import hold
from muniment.service.uncollected import uncollected

if TYPE_CHECKING:
    from muniment.domain import mention
    from muniment.service import watch
else:
    # Only where something was erased.
    mention, watch = Later("muniment.domain.mention"), Later("muniment.service.watch")

UNINDEXED_ROLES = frozenset({Role.TOOL_RESULT, Role.SYSTEM})
"""Turns that are kept but not found: tool output and instructions are not what was said."""

CHUNK_FROM_CHARACTERS = 2_000
"""A document longer than this is cut into chunks; a shorter one is found whole."""

_UNIT = "\x1f"


@dataclass(frozen=True, slots=True)
class TakeReport:
    """Hold what taking evidence did: items added and skipped, and where they stand.

    `replaced` counts code points that became U+FFFD and `masked` secrets that were masked;
    `claims` are what the extractor found and `extracted` how many of them the gate took in.
    """

    added: int = 0
    skipped: int = 0
    replaced: int = 0
    extracted: int = 0
    record: int = -1
    evidence: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    claims: tuple[tuple[Evidence, tuple[Extracted, ...]], ...] = ()
    masked: int = 0


class _Ready(NamedTuple):
    """Hold an arrival with everything that was worked out before the lock."""

    arrival: Arrival
    text: str
    replaced: int
    origin: bytes
    entry: IndexEntry
    failed: bool
    claims: tuple[Extracted, ...]
    masked: int


@dataclass(slots=True)
class _Sitting:
    """Hold a session while turns are added: how many it has, and the strictest label of them."""

    n: int
    turns: int
    label: Label
    brought: Label | None = None

    def taken(self, label: Label) -> int:
        """Count one more turn with its own label; return its place in the session."""
        # Turns mostly bring the same label, and joining it again would change nothing.
        if label is not self.brought:
            self.label, self.brought = self.label.joined(label), label
        self.turns += 1
        return self.turns


@dataclass(slots=True)
class _Taken:
    """Gather what one transaction took; `names` holds cleaned names by what was given."""

    items: list[Evidence] = field(default_factory=list)
    claims: list[tuple[Evidence, tuple[Extracted, ...]]] = field(default_factory=list)
    sessions: dict[str, _Sitting] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    skipped: int = 0
    replaced: int = 0
    masked: int = 0

    def name(self, given: str) -> str:
        """Return a name as it is kept."""
        found = self.names.get(given)
        if found is None:
            found = self.names[given] = kept(given)[0][: limits.name_characters_max]
        return found


def take(ground: Ground, intent: Take) -> TakeReport:
    """Keep evidence in one transaction with one record; its claims are handed back.

    At most a batch of items a call.  An item whose origin was taken before is skipped, so
    that taking the same source twice adds nothing.
    """
    if len(intent.arrivals) > limits.batch_items_max:
        raise BadInput(f"More than {limits.batch_items_max} items in one batch.")
    with uncollected():
        ready = _ready(ground, intent)
    with ground.store.transaction() as transaction, uncollected():
        draft = Draft.begun(ground, transaction)
        actor = draft.actor(intent.principal)
        verdict = judge(intent, Known(actor=actor, recorded=draft.recorded))
        if verdict.refused:
            clean = Draft.begun(ground, transaction)
            clean.commit(
                "take", actor=clean.actor(intent.principal), outcome="refused", reason=verdict.reason.code
            )
        else:
            ready = _cleared(draft, intent, ready)
            intent = _source_cleared(draft, intent)
            taken, space = _appended(draft, intent, ready, actor=actor)
            record = _committed(draft, taken, space, actor=actor) if taken.items else -1
    if verdict.refused:
        raise Refusal(verdict.reason.sentence, advice=verdict.reason.advice)
    return TakeReport(
        added=len(taken.items),
        skipped=taken.skipped,
        replaced=taken.replaced,
        masked=taken.masked,
        claims=tuple(taken.claims),
        record=record,
        evidence=tuple(item.id for item in taken.items),
        sessions=tuple(taken.sessions),
    )


def _ready(ground: Ground, intent: Take) -> list[_Ready]:
    found: list[_Ready] = []
    for given in intent.arrivals:
        arrival, masked = arriving(given, intent.principal, ground.outside.sieve)
        found.append(_one_ready(ground, intent, arrival, masked=masked))
        spans = _chunk_spans(ground, arrival)
        for number, span in enumerate(spans):
            part = replace(
                arrival,
                kind=EvidenceKind.CHUNK,
                text=arrival.text[span.start : span.end],
                origin=f"{arrival.origin}#{number}" if arrival.origin else "",
                parent=f"{arrival.origin}#{span.start}-{span.end}",
            )
            found.append(_one_ready(ground, intent, part))
    return found


def _chunk_spans(ground: Ground, arrival: Arrival) -> tuple[Span, ...]:
    if arrival.kind is not EvidenceKind.DOCUMENT or len(arrival.text) <= CHUNK_FROM_CHARACTERS:
        return ()
    return ground.outside.chunker(arrival.text)


def _one_ready(ground: Ground, intent: Take, arrival: Arrival, *, masked: int = 0) -> _Ready:
    if len(arrival.text) > limits.evidence_text_characters_max:
        raise BadInput(f"The text is longer than {limits.evidence_text_characters_max} characters.")
    text, replaced = kept(arrival.text)
    origin = origin_digest(ground, intent.space, arrival) if arrival.origin else b""
    if not _findable(arrival):
        return _Ready(arrival, text, replaced, origin, IndexEntry(), False, (), masked)
    entry, failed = index_entry(ground, text, text)
    claims: tuple[Extracted, ...] = ()
    if arrival.kind is not EvidenceKind.CHUNK:
        claims = ground.outside.extractor(
            text, speaker=arrival.speaker, role=_voice(arrival), occurred_at=arrival.occurred_at
        )
    return _Ready(arrival, text, replaced, origin, entry, failed, claims, masked)


def origin_digest(ground: Ground, space: str, arrival: Arrival) -> bytes:
    """Return the keyed digest by which an arrival of a source is known when it comes again."""
    named = _UNIT.join((space, arrival.session, arrival.origin))
    return keyed_digest(ground.vault_key, b"origin", named)


def _voice(arrival: Arrival) -> str:
    return arrival.kind.value if arrival.kind is EvidenceKind.DOCUMENT else arrival.role.value


def _findable(arrival: Arrival) -> bool:
    if arrival.state is TurnState.REWOUND or arrival.role in UNINDEXED_ROLES:
        return False
    return arrival.kind is not EvidenceKind.DOCUMENT or len(arrival.text) <= CHUNK_FROM_CHARACTERS


def _cleared(draft: Draft, intent: Take, ready: list[_Ready]) -> list[_Ready]:
    """Return the arrivals without what was erased in this tenant; nothing else of them is lost."""
    if not draft.generation or not draft.transaction.erased_anywhere():
        return ready
    return [_cleared_one(draft, intent, one) for one in ready]


def _source_cleared(draft: Draft, intent: Take) -> Take:
    if not intent.source or not draft.generation or not draft.transaction.erased_anywhere():
        return intent
    return replace(intent, source=_named(draft, intent.source))


def _cleared_one(draft: Draft, intent: Take, one: _Ready) -> _Ready:
    named = replace(
        one.arrival,
        speaker=_named(draft, one.arrival.speaker),
        title=_named(draft, one.arrival.title),
        parent=_named(draft, one.arrival.parent),
    )
    spans = watch.erased_spans(draft.ground, draft.transaction, one.text)
    if not spans:
        return one._replace(arrival=named)
    text = mention.without(one.text, spans, mark=MARK)
    again = _one_ready(draft.ground, intent, replace(named, text=text))
    return again._replace(replaced=one.replaced, masked=one.masked)


def _named(draft: Draft, name: str) -> str:
    """Return the name of a speaker or a source, or a mark in its place when it holds what was erased."""
    return MARK if name and watch.erased_spans(draft.ground, draft.transaction, name) else name


def _appended(draft: Draft, intent: Take, ready: Sequence[_Ready], *, actor: int) -> tuple[_Taken, SpaceRow]:
    space = draft.space(intent.space)
    known = draft.transaction.known_origins([one.origin for one in ready if one.origin])
    seen = set(known)
    taken = _Taken()
    for one in ready:
        if one.origin and one.origin in seen:
            taken.skipped += 1
            continue
        seen.add(one.origin)
        item = _item(draft, intent, one, taken=taken, place=(space, actor))
        draft.add_evidence(item, one.entry)
        if one.failed:
            draft.want_vector(item.n)
        if one.claims:
            taken.claims.append((item, one.claims))
            draft.jobs.append(Job(draft.number(), "extract", item.n, to_micros(draft.recorded)))
        taken.items.append(item)
        taken.replaced += one.replaced
        taken.masked += one.masked
    return taken, space


def own_label(arrival: Arrival) -> Label:
    """Return the label an item brings: callers can only tighten what its role says."""
    by_role = arrival.role is Role.TOOL_RESULT and not arrival.clean
    return _label(arrival.data_class or DataClass.PRIVATE.name, by_role or bool(arrival.untrusted))


@lru_cache(maxsize=32)
def _label(name: str, untrusted: bool) -> Label:
    if name.upper() not in DataClass.__members__:
        raise BadInput("The data class is not public, private or secret.")
    return Label(DataClass[name.upper()], untrusted)


def _item(draft: Draft, intent: Take, one: _Ready, *, taken: _Taken, place: tuple[SpaceRow, int]) -> Evidence:
    arrival, (space, actor) = one.arrival, place
    label, session, sequence = own_label(arrival), 0, 0
    if arrival.session:
        sitting = taken.sessions.get(arrival.session) or _seated(
            draft, intent, arrival, taken=taken, space=space.n
        )
        sequence = sitting.taken(label)
        session, label = sitting.n, sitting.label
    return Evidence(
        id=draft.ground.outside.ids.new("e"),
        n=draft.number(),
        space=space.n,
        kind=arrival.kind,
        text=one.text,
        recorded=draft.recorded,
        label=label,
        author=actor,
        session=session,
        sequence=sequence,
        role=arrival.role,
        speaker=taken.name(arrival.speaker),
        source=taken.name(intent.source or arrival.title),
        origin=one.origin,
        occurred_at=arrival.occurred_at,
        state=arrival.state,
        replaced=one.replaced,
        parent=kept(arrival.parent)[0][: limits.name_characters_max] if arrival.parent else "",
    )


def _seated(draft: Draft, intent: Take, arrival: Arrival, *, taken: _Taken, space: int) -> _Sitting:
    """Return the session of an arrival, found or made."""
    name = name_apart(arrival.session)
    found = session_named(draft.ground, draft.transaction, space, name=name)
    if found is None:
        found = new_session(draft, name, agent=intent.principal.actor, space=space, source=intent.source)
    sitting = taken.sessions[arrival.session] = _Sitting(found.n, found.turns, found.label)
    return sitting


def new_session(draft: Draft, name: str, *, agent: str, space: int, source: str = "") -> Conversation:
    """Append a session and return it."""
    session = Conversation(
        id=draft.ground.outside.ids.new("s"),
        n=draft.number(),
        name=kept_name(draft, name),
        space=space,
        # An actor whose name was erased writes on, and is no more called by it here than there.
        agent=kept_name(draft, agent),
        started=draft.recorded,
        label=PUBLIC,
        source=kept(source)[0][: limits.name_characters_max],
    )
    draft.add_session(session)
    return session


def _committed(draft: Draft, taken: _Taken, space: SpaceRow, *, actor: int) -> int:
    for sitting in taken.sessions.values():
        draft.session_states.append(SessionState(sitting.n, sitting.turns, sitting.label))
        hold(draft.ground, sitting.n, sitting.label)
    return draft.commit(
        "take",
        actor=actor,
        space=space.n,
        outcome="stored",
        reason="clean",
        items=len(taken.items),
        **({"masked": taken.masked} if taken.masked else {}),
    )
