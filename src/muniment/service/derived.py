"""What happens to what was derived from a memory that no longer stands?  It is doubted, with a case."""

from muniment import limits
from muniment.domain.intent import Judge
from muniment.domain.link import LinkType
from muniment.domain.matter import Opening, Why
from muniment.domain.trust import LIVE, Act, Standing, moved
from muniment.gate.verdict import Closing
from muniment.service.cases import open_case
from muniment.service.draft import Draft
from muniment.service.writing import append_closing

REACHING = frozenset({Act.RETRACT, Act.REJECT, Act.REFUTE, Act.DISPUTE})
"""Acts on a source that say it is not so; putting one out of use says nothing of what rests on it."""

_GATE = Standing(gate=True)


def doubt_derived(draft: Draft, intent: Judge, *, actor: int) -> tuple[str, ...]:
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
                trust = moved(version.trust, Act.DISPUTE, _GATE, before=version.before, hypothesis=False)
                closing = Closing(version, trust, version.valid, version.rank, Act.DISPUTE.value)
                append_closing(draft, closing, intent, actor=actor)
                source = rests_on[version.memory]
                open_case(draft, Opening(Why.SOURCE_CHANGED, version.memory, source), actor=actor)
                reached.append(version.memory)
    return tuple(reached)
