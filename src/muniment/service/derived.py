"""What happens to what rests on a memory that no longer stands, or holds what it said?  It is doubted.

Each gets a case, and is withheld until a person has looked.  Where only the words of a source
changed, a case asks and nothing is withheld.
"""

from collections.abc import Sequence

from muniment import limits
from muniment.domain.intent import Judge
from muniment.domain.link import LinkType
from muniment.domain.matter import MatterKind, Opening, Why
from muniment.domain.memory import Version
from muniment.domain.trust import LIVE, Act, Standing, moved
from muniment.gate.verdict import Closing
from muniment.service.cases import open_case
from muniment.service.draft import Draft
from muniment.service.writing import append_closing

REACHING = frozenset({Act.RETRACT, Act.REJECT, Act.REFUTE, Act.DISPUTE})
"""Acts on a source that say it is not so; putting one out of use says nothing of what rests on it."""

_GATE = Standing(gate=True)


def doubt_holding(draft: Draft, intent: Judge, holding: Sequence[Version]) -> tuple[str, ...]:
    """Dispute those that say within a longer text what a person rejected; return their ids.

    It would be refused if it came now, so it is not served on.  At most a bounded number is reached.
    """
    done = {new.version.memory for new in draft.versions}
    if intent.act is not Act.REJECT or intent.target not in done:
        return ()
    reached = list[str]()
    for version in holding:
        if version.memory in done or version.trust not in LIVE or len(reached) == limits.derived_items_max:
            continue
        _doubt(draft, intent, version, opening=Opening(Why.HOLDS_REJECTED, version.memory, intent.target))
        reached.append(version.memory)
    return tuple(reached)


def _doubt(draft: Draft, intent: Judge, version: Version, *, opening: Opening) -> None:
    actor = draft.actor(intent.principal)
    trust = moved(version.trust, Act.DISPUTE, _GATE, before=version.before, hypothesis=False)
    closing = Closing(version, trust, version.valid, version.rank, Act.DISPUTE.value)
    append_closing(draft, closing, intent, actor=actor)
    open_case(draft, opening, actor=actor)


def ask_about_derived(draft: Draft, source: Version, now: Version) -> tuple[str, ...]:
    """Open a finding about each statement that rests on one whose words changed; return their ids.

    They were made from other words, which is no reason to withhold them: nothing moves until a person
    has looked.  At most a bounded number is reached in one act.
    """
    if (source.claim.text, source.claim.said) == (now.claim.text, now.claim.said):
        return ()
    links = draft.transaction.links_of((source.memory,))
    resting = sorted(
        {
            link.row.source
            for link in links
            if link.row.type is LinkType.DERIVED_FROM and link.row.target == source.memory
        }
        - {now.memory}
    )
    live = [
        current.version.memory
        for current in (draft.transaction.currents(resting) if resting else ())
        if current.version.trust in LIVE
    ]
    for memory in live[: limits.derived_items_max]:
        opening = Opening(Why.SOURCE_CHANGED, memory, source.memory, MatterKind.FINDING)
        open_case(draft, opening, actor=now.actor)
    return tuple(live[: limits.derived_items_max])


def doubt_derived(draft: Draft, intent: Judge) -> tuple[str, ...]:
    """Dispute what rests on a memory that this draft ended or disputed, step by step; return their ids.

    Each gets a case that names its source.  At most a bounded number is reached in one act,
    the nearest first.
    """
    if intent.act not in REACHING:
        return ()
    edge = {new.version.memory for new in draft.versions if new.version.trust not in LIVE}
    done: set[str] = set(edge)
    reached: list[str] = []
    while edge and len(reached) < limits.derived_items_max:
        rests_on = {
            link.row.source: link.row.target
            for link in draft.transaction.links_of(sorted(edge))
            if link.row.type is LinkType.DERIVED_FROM and link.row.target in edge
        }
        edge = set(rests_on) - done
        done |= edge
        for current in draft.transaction.currents(sorted(edge)):
            version = current.version
            if version.trust in LIVE and len(reached) < limits.derived_items_max:
                source = rests_on[version.memory]
                opening = Opening(Why.SOURCE_CHANGED, version.memory, source)
                _doubt(draft, intent, version, opening=opening)
                reached.append(version.memory)
    return tuple(reached)
