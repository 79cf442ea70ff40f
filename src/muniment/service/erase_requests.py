"""How does somebody who may not erase ask for it?  A request that a person carries out, or declines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.erasure import Asked, Plan
from muniment.domain.erasure_request import is_same, read, spelled
from muniment.domain.ids import is_id
from muniment.domain.label import PRIVATE, Label
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.principal import EVERYWHERE, Principal, local_owner
from muniment.domain.proposal import digest_of
from muniment.errors import BadInput, NotFound, StalePlan
from muniment.gate.secrets import masked
from muniment.ports import Snapshot
from muniment.service.cases import closed
from muniment.service.deeds import allowed, refuse_on_record
from muniment.service.draft import Draft
from muniment.service.erase_plan import binding_of, planned
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered
from muniment.service.watch import erased_spans, without_erased


@dataclass(frozen=True, slots=True)
class Request:
    """Hold an erasure that was asked for: what is to go, who asked, and what a person made of it.

    With `untrusted` whoever asked had read something from outside.  `digest` names the exact
    bytes of what was asked for.  One that was carried out is no more: its certificate is.
    """

    id: str
    state: str
    asked: Asked
    asker: str
    opened: datetime
    untrusted: bool
    digest: str
    decided: datetime | None = None
    decided_by: str = ""
    reason: str = ""


def ask(ground: Ground, principal: Principal, asked: Asked, *, label: Label) -> tuple[str, Plan]:
    """Keep a request for an erasure; return its id, and the plan as far as its asker may see it.

    Nothing goes.  What is asked for twice is one request.  Raises NotFound for an id that is
    not there for the asker or for what was erased already, which a request would keep, Refusal
    for an auditor, and BadInput when too many wait.
    """
    ground.refuse_unwritable()
    refuse_on_record(ground, principal, deed="ask_erasure")
    with ground.store.snapshot() as snapshot:
        if any(erased_spans(ground, snapshot, text) for text in (asked.value, *asked.add)):
            raise NotFound("There is nothing of this to erase.")
        seen = planned(ground, snapshot, principal, asked=asked)
        body = spelled(asked, binding=_binding(ground, snapshot, asked))
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed="ask_erasure")
        waiting = list(_rows(transaction, MatterState.OPEN))
        for first, _ in waiting:
            if is_same(read(first)[0], asked):
                return first.id, seen
        if len(waiting) >= limits.erasure_requests_max:
            raise BadInput(
                f"{len(waiting)} erasures wait for a person already.",
                advice="Let a person carry them out or decline them.",
            )
        space = draft.space(principal.home).n
        row = Matter(
            n=draft.number(),
            id=ground.outside.ids.new("q"),
            kind=MatterKind.ERASURE,
            space=space,
            state=MatterState.OPEN,
            why="asked",
            label=label.joined(PRIVATE),
            actor=actor,
            recorded=draft.recorded,
            body=body,
            digest=digest_of(body),
        )
        draft.add_matter(row)
        draft.commit("ask-erasure", actor=actor, space=space, outcome="staged", request=row.id)
    return row.id, seen


def _binding(ground: Ground, snapshot: Snapshot, asked: Asked) -> str:
    """Return what names all that would go now, whoever asks: a digest, which tells nothing to anybody."""
    owner = local_owner(ground.tenant)
    return binding_of(ground, planned(ground, snapshot, owner, asked=asked), snapshot.head())


def _rows(snapshot: Snapshot, *states: MatterState) -> Iterator[tuple[Matter, Matter]]:
    """Yield the first and the newest row of each request in one of these states, the newest request first."""
    spaces = [row.n for row in snapshot.spaces()]
    page = Page(0, limits.page_rows_max, newest_first=True)
    for newest in snapshot.matters_in(spaces, (MatterKind.ERASURE.value,), states, page=page):
        yield snapshot.matters((newest.id,))[0], newest


def requests(ground: Ground, principal: Principal, *, states: Sequence[MatterState]) -> tuple[Request, ...]:
    """Return the requests in some states, the newest first; for the owner and an admin."""
    _refuse_others(principal)
    with ground.store.snapshot() as snapshot:
        return tuple(
            _shown(ground, snapshot, first=first, row=newest) for first, newest in _rows(snapshot, *states)
        )


def _refuse_others(principal: Principal) -> None:
    if principal.role not in EVERYWHERE:
        raise BadInput("What is to be erased is for the owner or an admin to see.")


def _shown(ground: Ground, snapshot: Snapshot, *, first: Matter, row: Matter) -> Request:
    is_open = row.state is MatterState.OPEN
    return Request(
        id=row.id,
        state=row.state.value,
        asked=read(first)[0],
        asker=ground.name_of(snapshot, first.actor),
        opened=first.recorded,
        untrusted=first.label.untrusted,
        digest=first.digest.hex(),
        decided=None if is_open else row.recorded,
        decided_by="" if is_open else ground.name_of(snapshot, row.actor),
        reason=row.reason,
    )


def _open(ground: Ground, snapshot: Snapshot, id: str) -> tuple[Matter, Matter]:
    """Return the first and the newest row of a request that waits; raises NotFound."""
    rows = snapshot.matters((id,)) if is_id(id) and id.startswith("q_") else []
    if not rows or rows[-1].state is not MatterState.OPEN:
        raise NotFound("There is no such erasure that waits.")
    refuse_altered(ground, snapshot, rows)
    return rows[0], rows[-1]


def plan_of(ground: Ground, principal: Principal, id: str) -> Plan:
    """Return the plan of a request, to look at and to carry out.

    Raises StalePlan when something else would go now than when it was asked for: then a
    person plans anew, or declines it.
    """
    _refuse_others(principal)
    with ground.store.snapshot() as snapshot:
        asked, binding = read(_open(ground, snapshot, id)[0])
        if _binding(ground, snapshot, asked) != binding:
            raise StalePlan(
                "Something else would go now than when this was asked for.",
                advice="Plan it yourself, which takes the request along, or decline it; nothing was erased.",
            )
        return replace(planned(ground, snapshot, principal, asked=asked), request=id)


def decline(ground: Ground, principal: Principal, id: str, *, reason: str) -> Request:
    """Decline a request: a person's act, on record; nothing goes."""
    refuse_on_record(ground, principal, deed="decline_erasure")
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed="decline_erasure")
        first, newest = _open(ground, transaction, id)
        # A reason is kept for good, so it may bring nothing back and hold no secret.
        said, _ = masked(without_erased(ground, transaction, reason))
        row = replace(closed(draft, newest, MatterState.DECLINED, actor=actor), reason=said)
        draft.add_matter(row)
        draft.commit("decline-erasure", actor=actor, space=row.space, outcome="stored", request=id)
        return _shown(ground, transaction, first=first, row=row)
