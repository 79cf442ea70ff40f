"""How are turns archived or taken back?  Marked, never changed: what was said stays on record (I2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment import limits
from muniment.domain.changes import IndexEntry, Page, SessionState, TurnsMoved
from muniment.domain.evidence import Arrival, Evidence, EvidenceKind, Role, TurnState
from muniment.domain.label import Label
from muniment.domain.principal import Principal
from muniment.domain.session import Conversation
from muniment.domain.session_log import Event, Happening, comes_from, newest_summary, row_of
from muniment.errors import BadInput
from muniment.gate.characters import kept
from muniment.ports import Snapshot
from muniment.service.contents import arriving
from muniment.service.draft import Draft
from muniment.service.erased_names import session_named
from muniment.service.ground import Ground
from muniment.service.session_reading import events_of
from muniment.service.watch import without_erased

SUMMARY_SPEAKER = "summary"
"""Who speaks in a turn that stands for turns that were compacted."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Hold how many turns were moved, the record of it, and what a retried turn said."""

    count: int
    record: int = -1
    text: str = ""


def live_turns(ground: Ground, snapshot: Snapshot, session: Conversation) -> list[Evidence]:
    """Return the turns of a session that are live in its context, in order, the summary apart."""
    summary = newest_summary(events_of(ground, snapshot, session.id))
    found: list[Evidence] = []
    after = 0
    while page := snapshot.turns(session.n, Page(after, limits.page_rows_max)):
        after = page[-1].row.sequence
        found += [one.row for one in page if one.row.state is TurnState.LIVE and one.row.id != summary]
    return found


def compacted(
    ground: Ground, principal: Principal, session: Conversation, *, summary: str, keep: int
) -> Moved:
    """Archive the live turns but the newest `keep`, and append the summary, in one transaction.

    The summary of an earlier compaction is archived with them: the new one stands for it too.
    """
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        now = _as_of_now(draft, session)
        live = live_turns(ground, transaction, now)
        going = live[: len(live) - keep] if keep else live
        if not going:
            raise BadInput("The session has no turns to compact.")
        earlier = newest_summary(events_of(ground, transaction, now.id))
        item = _summary_turn(draft, principal, now, text=summary)
        draft.add_evidence(item, IndexEntry())
        draft.session_states.append(SessionState(now.n, item.sequence, item.label))
        sequences = [one.sequence for one in going]
        sequences += [sealed.row.sequence for sealed in transaction.evidence((earlier,) if earlier else ())]
        _mark(draft, now, sequences, state=TurnState.ARCHIVED)
        event = _event(draft, now, principal, happening=Happening.COMPACTED, other=item.id)
        event = replace(event, first=going[0].sequence, last=going[-1].sequence)
        draft.add_matter(row_of(event, session=now.id, n=draft.number()))
        record = _committed(draft, now, event, count=len(going))
    return Moved(len(going), record)


def rewound(ground: Ground, principal: Principal, session: Conversation, *, turns: int) -> Moved:
    """Take the newest `turns` live turns back, or as many as there are."""
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        now = _as_of_now(draft, session)
        going = live_turns(ground, transaction, now)[-turns:]
        if not going:
            raise BadInput("The session has no turns to take back.")
        return Moved(len(going), _take_back(draft, principal, now, going=going))


def retried(ground: Ground, principal: Principal, session: Conversation) -> Moved:
    """Take back the newest live turn of the person and all after it, and return what it said."""
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        now = _as_of_now(draft, session)
        live = live_turns(ground, transaction, now)
        asked = [place for place, one in enumerate(live) if one.role is Role.USER]
        if not asked:
            raise BadInput("The session has no turn of a person to try again.")
        going = live[asked[-1] :]
        return Moved(len(going), _take_back(draft, principal, now, going=going), going[0].text)


def _take_back(
    draft: Draft, principal: Principal, session: Conversation, *, going: Sequence[Evidence]
) -> int:
    event = _event(draft, session, principal, happening=Happening.REWOUND)
    event = replace(event, first=going[0].sequence, last=going[-1].sequence)
    _mark(draft, session, [one.sequence for one in going], state=TurnState.REWOUND)
    draft.add_matter(row_of(event, session=session.id, n=draft.number()))
    return _committed(draft, session, event, count=len(going))


def following(ground: Ground, principal: Principal, session: int, *, predecessor: str) -> None:
    """Put on record which session another goes on from, with what that one has read (I10).

    It is said once and not moved.
    """
    _related(ground, principal, session, happening=Happening.FOLLOWS, other=predecessor)


def begotten(ground: Ground, principal: Principal, session: int, *, parent: str) -> None:
    """Put on record whose child a session is; it begins with what its parent has read (I10)."""
    _related(ground, principal, session, happening=Happening.CHILD, other=parent)


def _related(ground: Ground, principal: Principal, session: int, *, happening: Happening, other: str) -> None:
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        (own,) = transaction.sessions_at((session,))
        found = session_named(ground, transaction, own.space, name=other)
        if found is None or found.n == own.n:
            raise BadInput("There is no such other session in this space.")
        said = comes_from(events_of(ground, transaction, own.id), happening)
        if said == found.id:
            return
        if said:
            raise BadInput("The session comes from another one already.")
        event = _event(draft, own, principal, happening=happening, other=found.id)
        draft.session_states.append(SessionState(own.n, 0, found.label))
        # On record too, so that what the session began with can be worked out again.
        event = replace(event, label=own.label.joined(found.label))
        draft.add_matter(row_of(event, session=own.id, n=draft.number()))
        _committed(draft, own, event, count=0)


def _as_of_now(draft: Draft, session: Conversation) -> Conversation:
    """Return the session as far as it has come, under the lock."""
    (found,) = draft.transaction.sessions_at((session.n,))
    return found


def _event(
    draft: Draft, session: Conversation, principal: Principal, *, happening: Happening, other: str = ""
) -> Event:
    return Event(
        happening,
        space=session.space,
        actor=draft.actor(principal),
        recorded=draft.recorded,
        label=session.label,
        other=other,
    )


def _mark(draft: Draft, session: Conversation, sequences: Sequence[int], *, state: TurnState) -> None:
    """Mark turns by their places, as few runs of neighbours as there are."""
    runs: list[list[int]] = []
    for sequence in sorted(sequences):
        if runs and runs[-1][1] == sequence - 1:
            runs[-1][1] = sequence
        else:
            runs.append([sequence, sequence])
    draft.turns_moved += [TurnsMoved(session.n, first, last, state) for first, last in runs]


def _committed(draft: Draft, session: Conversation, event: Event, *, count: int) -> int:
    return draft.commit(
        event.happening.value,
        actor=event.actor,
        space=session.space,
        outcome="stored",
        session=session.n,
        items=count,
    )


def _summary_turn(draft: Draft, principal: Principal, session: Conversation, *, text: str) -> Evidence:
    """Return the turn that stands for what was compacted: as closely held as all it sums up."""
    given = Arrival(session.name, "", Role.SYSTEM, SUMMARY_SPEAKER, text)
    arrival, _ = arriving(given, principal, draft.ground.outside.sieve)
    said, replaced = kept(arrival.text)
    # A summary was made of what stood in the prompt, which may be from before an erasure.
    said = without_erased(draft.ground, draft.transaction, said) if draft.generation else said
    own = Label(session.label.data_class, bool(arrival.untrusted))
    return Evidence(
        id=draft.ground.outside.ids.new("e"),
        n=draft.number(),
        space=session.space,
        kind=EvidenceKind.TURN,
        text=said,
        recorded=draft.recorded,
        label=session.label.joined(own),
        author=draft.actor(principal),
        session=session.n,
        sequence=session.turns + 1,
        role=Role.SYSTEM,
        speaker=SUMMARY_SPEAKER,
        occurred_at=draft.recorded,
        replaced=replaced,
    )
