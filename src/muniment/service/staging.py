"""How does a change wait for a person?  Whole, as one row whose digest names its bytes."""

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.intent import Change, Connect, EditBlock, Intent, Judge, Remember
from muniment.domain.label import Label
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Version
from muniment.domain.proposal import Proposable, asks_for, digest_of, intent_of, is_same_request, spelled
from muniment.gate.verdict import Verdict
from muniment.ports import Snapshot
from muniment.service.draft import Draft
from muniment.service.matters_held import refuse_altered


def stage(draft: Draft, intent: Intent, verdict: Verdict, *, actor: int, line: str = "") -> str:
    """Append the proposal of a staged request and return its id; empty for what cannot wait.

    A request that waits already is not appended again: its id is returned.
    `line` is the id of the newest line of the block's journal: it says what the edit was made of.
    """
    if not isinstance(intent, Remember | Change | Judge | Connect | EditBlock):
        return ""
    body, target = spelled(intent), line or _target(intent)
    version = present(draft.transaction, _target(intent))
    if isinstance(intent, Remember | EditBlock):
        space = draft.space(intent.space).n
    else:
        space = 0 if version is None else version.space
    label = intent.label if isinstance(intent, Remember) else intent.read
    label = label if version is None else label.joined(version.label)
    twin = _waiting(draft, intent, target=target, space=space, label=label)
    if twin:
        return twin
    row = Matter(
        n=draft.number(),
        id=draft.ground.outside.ids.new("p"),
        kind=MatterKind.PROPOSAL,
        space=space,
        state=MatterState.OPEN,
        why=verdict.reason.code,
        label=label,
        actor=actor,
        recorded=draft.recorded,
        old=target,
        old_version=0 if version is None else version.number,
        body=body,
        digest=digest_of(body),
    )
    draft.add_matter(row)
    return row.id


def _waiting(draft: Draft, intent: Proposable, *, target: str, space: int, label: Label) -> str:
    """Return the proposal that waits for a person with the same request, empty where there is none.

    A statement has no side that it could be found by: of those the newest thousand of its space are
    looked at.  Raises Tampered
    when the row that says so does not match the log.
    """
    if target:
        rows = draft.transaction.matters_about((target,))
    else:
        page = Page(0, limits.page_rows_max, newest_first=True)
        kinds, states = (MatterKind.PROPOSAL.value,), (MatterState.OPEN,)
        rows = draft.transaction.matters_in((space,), kinds, states, page=page)
    for row in rows:
        if row.kind is not MatterKind.PROPOSAL or (row.space, row.old, row.label) != (space, target, label):
            continue
        if row.body and is_same_request(intent_of(row.body), intent):
            refuse_altered(draft.ground, draft.transaction, (row,))
            return row.id
    return ""


def _target(intent: Proposable) -> str:
    match intent:
        case Remember() | EditBlock():
            return ""
        case Connect():
            return intent.source
        case _:
            return intent.target


def present(snapshot: Snapshot, memory: str) -> Version | None:
    """Return what a memory says now; None without one."""
    found = snapshot.currents((memory,)) if memory else []
    return found[0].version if found else None


def declined_before(draft: Draft, intent: Change | Judge | Connect, target: Version) -> str:
    """Return the proposal in which a person declined this change of what the target says now.

    Empty where there is none, and in a space without review, which reads nothing.  What a declined
    statement would have said is buried; this is for what has no words of its own, a removal say.
    A person may always ask again.
    """
    if intent.principal.is_person or draft.ground.reviews.get(target.space, "off") == "off":
        return ""
    asked, page = asks_for(intent), Page(0, limits.page_rows_max, newest_first=True)
    kinds, states = (MatterKind.PROPOSAL.value,), (MatterState.DECLINED.value,)
    while rows := draft.transaction.matters_in((target.space,), kinds, states, page=page):
        about = {row.id for row in rows if row.old == target.memory and row.old_version == target.number}
        for first in draft.transaction.matters(sorted(about)):
            if first.body and asks_for(intent_of(first.body)) == asked:
                return first.id
        page = Page(rows[-1].n, limits.page_rows_max, newest_first=True)
    return ""
