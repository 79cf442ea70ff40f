"""How does somebody who may not erase ask for it?  A request that a person carries out, or declines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

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
from muniment.service.erase_survey import requests_in, sees_everything
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered
from muniment.service.watch import erased_spans, without_erased


@dataclass(frozen=True, slots=True)
class Request:
    """Hold an erasure that was asked for: what is to go, who asked, and what a person made of it.

    With `untrusted` whoever asked had read something from outside.  `digest` names the exact
    bytes of what was asked for, and `n` its place in the listing.  One that was carried out is no
    more: its certificate is.
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
    n: int = 0


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
        body = spelled(asked, binding=_binding(ground, snapshot, seen, principal=principal))
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor = allowed(ground, draft, principal, deed="ask_erasure")
        waiting = list(requests_in(ground, transaction, MatterState.OPEN))
        for rows in waiting:
            if is_same(read(rows[0])[0], asked):
                return rows[0].id, seen
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


def _binding(ground: Ground, snapshot: Snapshot, seen: Plan, *, principal: Principal) -> str:
    """Return what names all that would go now, whoever asks: a digest, which tells nothing to anybody.

    `seen` is the principal's own plan; only who does not see everything needs another one.
    """
    if not sees_everything(principal):
        seen = planned(ground, snapshot, local_owner(ground.tenant), asked=seen.asked)
    return binding_of(ground, seen, snapshot.head())


def requests(
    ground: Ground, principal: Principal, *, states: Sequence[MatterState], page: Page
) -> tuple[Request, ...]:
    """Return a page of the requests in some states, the newest first; for the owner and an admin."""
    _refuse_others(principal)
    with ground.reading() as snapshot:
        found = requests_in(ground, snapshot, *states)
        wanted = (rows for rows in found if not page.after or rows[-1].n < page.after)
        return tuple(_shown(ground, snapshot, rows=rows) for rows in islice(wanted, page.limit))


def _refuse_others(principal: Principal) -> None:
    if principal.role not in EVERYWHERE:
        raise BadInput("What is to be erased is for the owner or an admin to see.")


def _shown(ground: Ground, snapshot: Snapshot, *, rows: Sequence[Matter]) -> Request:
    first, row = rows[0], rows[-1]
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
        n=row.n,
    )


def _open(ground: Ground, snapshot: Snapshot, id: str) -> tuple[Matter, Matter]:
    """Return the first and the newest row of a request that waits; raises NotFound."""
    rows = snapshot.matters((id,)) if is_id(id) and id.startswith("q_") else []
    if not rows or rows[-1].state is not MatterState.OPEN:
        raise NotFound(
            "There is no such erasure that waits.", advice="`muniment erase --requests` lists those that do."
        )
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
        plan = planned(ground, snapshot, principal, asked=asked)
        if _binding(ground, snapshot, plan, principal=principal) != binding:
            raise StalePlan(
                "Something else would go now than when this was asked for.",
                advice="Plan it yourself, which takes the request along, or decline it; nothing was erased.",
            )
        return replace(plan, request=id)


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
        return _shown(ground, transaction, rows=(first, row))
