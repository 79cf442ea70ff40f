"""What happens to what rests on a memory that no longer stands, or holds what it said?  It is doubted.

Each gets a case, and is withheld until a person has looked.
"""

from collections.abc import Sequence

from muniment import limits
from muniment.domain.canonical import opened, plain
from muniment.domain.changes import Page
from muniment.domain.common_words import says_enough
from muniment.domain.intent import Judge
from muniment.domain.link import LinkType
from muniment.domain.matter import Opening, Why
from muniment.domain.memory import Version
from muniment.domain.mention import words_of
from muniment.domain.tokens import holds, is_found_within, tokens_of
from muniment.domain.trust import LIVE, Act, Standing, Trust, moved
from muniment.gate.verdict import Closing
from muniment.service.cases import open_case
from muniment.service.draft import Draft
from muniment.service.writing import append_closing

REACHING = frozenset({Act.RETRACT, Act.REJECT, Act.REFUTE, Act.DISPUTE})
"""Acts on a source that say it is not so; putting one out of use says nothing of what rests on it."""

_GATE = Standing(gate=True)

_NOT_REJECTED = sorted(trust.value for trust in Trust if trust is not Trust.REJECTED)


def near_of(draft: Draft, target: Version) -> tuple[Version, ...]:
    """Return the other memories of the space, in use or not, that may say what the target says, or hold it.

    The space is read through once, which a person's rejection may cost; what lacks the longest
    word of the text and that of the value is passed over at a glance.
    """
    probes = {_longest_word(text) for text in (target.claim.text, target.claim.said)} - {""}
    found: list[Version] = []
    page = Page(0, limits.page_rows_max)
    while rows := draft.transaction.memories((target.space,), _NOT_REJECTED, page):
        for version in rows:
            said = _shown("\n".join(_texts(version, of_slot=False)))
            if version.memory != target.memory and any(probe in said for probe in probes):
                found.append(version)
        page = Page(rows[-1].n, limits.page_rows_max)
    return tuple(found)


def _longest_word(text: str) -> str:
    return max((word.form for word in words_of(_shown(text))), key=len, default="")


def _shown(text: str) -> str:
    """Return a text in lower case, disguised letters undone."""
    return text.lower() if text.isascii() else plain(opened(text)[0])


def doubt_holding(draft: Draft, intent: Judge, near: Sequence[Version]) -> tuple[str, ...]:
    """Dispute those near that say within a longer text what a person rejected; return their ids.

    It would be refused if it came now, so it is not served on.  At most a bounded number is reached.
    """
    done = {new.version.memory for new in draft.versions}
    rejected = [new.version for new in draft.versions if new.version.memory == intent.target]
    if intent.act is not Act.REJECT or not rejected or not _is_looked_for(rejected[0].claim.text):
        return ()
    claim, reached = rejected[0].claim, list[str]()
    for version in near:
        if version.memory in done or version.trust not in LIVE or len(reached) == limits.derived_items_max:
            continue
        # The text of one slot may stand in the claim of another.
        if any(holds(text, claim.text) for text in _texts(version, of_slot=claim.keyed)):
            opening = Opening(Why.HOLDS_REJECTED, version.memory, intent.target)
            _doubt(draft, intent, version, opening=opening)
            reached.append(version.memory)
    return tuple(reached)


def _is_looked_for(text: str) -> bool:
    return is_found_within(text, len(tokens_of(text).first)) and says_enough(text)


def _texts(version: Version, *, of_slot: bool) -> tuple[str, ...]:
    claim = version.claim
    if of_slot:
        return () if claim.keyed else (claim.text, *version.tags)
    return (claim.text, *version.tags, claim.about, claim.attribute, claim.value)


def _doubt(draft: Draft, intent: Judge, version: Version, *, opening: Opening) -> None:
    actor = draft.actor(intent.principal)
    trust = moved(version.trust, Act.DISPUTE, _GATE, before=version.before, hypothesis=False)
    closing = Closing(version, trust, version.valid, version.rank, Act.DISPUTE.value)
    append_closing(draft, closing, intent, actor=actor)
    open_case(draft, opening, actor=actor)


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
