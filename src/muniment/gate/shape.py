"""Is the request whole and within its bounds?"""

from typing import TYPE_CHECKING

from muniment import limits
from muniment.domain.intent import (
    Change,
    Connect,
    Decide,
    EditBlock,
    Intent,
    Judge,
    Lift,
    Remember,
    Review,
    Times,
)
from muniment.domain.link import LinkType
from muniment.domain.matter import Decision
from muniment.domain.memory import Claim
from muniment.domain.timeline import Interval
from muniment.gate.verdict import Known, Reason, Verdict, refuse
from muniment.later import Later

if TYPE_CHECKING:
    from muniment.gate import block_rules
else:
    block_rules = Later("muniment.gate.block_rules")


def refuse_bad_shape(intent: Intent, known: Known) -> Verdict | None:
    """Refuse what is empty, too long, or half given; the detail names the part."""
    if isinstance(intent, Remember):
        return _claim(intent.claim, text_needed=True) or _times(intent.times, known) or _tags(intent)
    if isinstance(intent, Change):
        return _change(intent, known) or _reason(intent)
    if isinstance(intent, Decide):
        return _decision(intent) or _reason(intent)
    if isinstance(intent, Review):
        return _review(intent) or _reason(intent)
    if isinstance(intent, (Judge, Lift)):
        return _reason(intent)
    if isinstance(intent, Connect):
        return _link(intent, known)
    return block_rules.refuse_bad_edit(intent) if isinstance(intent, EditBlock) else None


def _change(intent: Change, known: Known) -> Verdict | None:
    """Refuse a change that changes nothing; a revision may give times alone."""
    claim, times = intent.claim, intent.times
    given = claim.text.strip() or claim.value.strip()
    dated = times.valid_from or times.valid_until or times.expires_at
    if not given and (intent.act != "revise" or dated is None):
        return refuse(Reason.EMPTY, detail="Neither a text nor a value was given.")
    kept = known.target.valid if intent.act == "revise" and known.target is not None else None
    return _claim(claim, text_needed=False) or _times(times, known, kept=kept)


def _claim(claim: Claim, *, text_needed: bool) -> Verdict | None:
    if text_needed and not claim.text.strip():
        return refuse(Reason.EMPTY)
    if len(claim.text) > limits.memory_text_characters_max:
        return refuse(
            Reason.TOO_LONG, detail=_over("text", len(claim.text), limits.memory_text_characters_max)
        )
    for part, text in (("about", claim.about), ("attribute", claim.attribute), ("value", claim.value)):
        if len(text) > limits.name_characters_max:
            return refuse(Reason.TOO_LONG, detail=_over(part, len(text), limits.name_characters_max))
    if bool(claim.about.strip()) != bool(claim.attribute.strip()):
        return refuse(Reason.BAD_SHAPE, detail="`about` and `attribute` come together.")
    if text_needed and claim.value and not claim.about:
        return refuse(Reason.BAD_SHAPE, detail="A `value` needs `about` and `attribute`.")
    return None


def _over(part: str, characters: int, characters_max: int) -> str:
    return f"{part}: {characters:,} of {characters_max:,} characters"


def _times(times: Times, known: Known, *, kept: Interval | None = None) -> Verdict | None:
    """Refuse an interval that ends before it begins; a revision keeps the ends it does not give."""
    start = times.valid_from or (known.occurred or known.recorded if kept is None else kept.start)
    end = times.valid_until or (None if kept is None else kept.end)
    if end is not None and end < start:
        return refuse(Reason.BAD_SHAPE, detail="`valid_until` lies before `valid_from`.")
    return None


def _tags(intent: Remember) -> Verdict | None:
    if len(intent.tags) > limits.tags_max:
        return refuse(Reason.TOO_LONG, detail=f"{len(intent.tags):,} of {limits.tags_max:,} tags")
    if any(not tag.strip() or len(tag) > limits.name_characters_max for tag in intent.tags):
        return refuse(Reason.BAD_SHAPE, detail="A tag is empty or too long.")
    if len(intent.sources) > limits.evidence_references_max:
        return refuse(
            Reason.TOO_LONG,
            detail=f"{len(intent.sources):,} of {limits.evidence_references_max:,} evidence items",
        )
    return None


def _decision(intent: Decide) -> Verdict | None:
    """Refuse an edit without words, and words where nothing is edited."""
    edits, given = intent.decision is Decision.EDIT, intent.claim.text.strip() or intent.claim.value.strip()
    if edits and not intent.claim.text.strip():
        return refuse(Reason.EMPTY, detail="An edit says what is true.")
    if given and not edits:
        return refuse(Reason.BAD_SHAPE, detail="Only an edit takes a text.")
    start, end = intent.times.valid_from, intent.times.valid_until
    if start is not None and end is not None and end < start:
        return refuse(Reason.BAD_SHAPE, detail="`valid_until` lies before `valid_from`.")
    return _claim(intent.claim, text_needed=False)


def _review(intent: Review) -> Verdict | None:
    """Refuse other words where nothing is approved: a decline keeps out what was asked."""
    if intent.claim != Claim("") and not intent.approves:
        return refuse(Reason.BAD_SHAPE, detail="Only an approval takes a text.")
    return _claim(intent.claim, text_needed=False)


def _reason(intent: Change | Judge | Lift | Decide | Review) -> Verdict | None:
    if len(intent.reason) > limits.reason_characters_max:
        return refuse(
            Reason.TOO_LONG, detail=_over("reason", len(intent.reason), limits.reason_characters_max)
        )
    return None


def _link(intent: Connect, known: Known) -> Verdict | None:
    if intent.source == intent.target:
        return refuse(Reason.BAD_SHAPE, detail="A link needs two different ends.")
    if intent.type is LinkType.SUPERSEDES:
        return refuse(Reason.BAD_SHAPE, detail="What takes another's place is made by `succeed`.")
    if not 0.0 <= intent.weight <= 1.0:
        return refuse(Reason.BAD_SHAPE, detail="The weight does not lie in 0..1.")
    derived = known.target if intent.type is LinkType.DERIVED_FROM else None
    if derived is not None and derived.label.joined(known.source_label) != derived.label:
        # What is derived has the strictest label of its sources, and a link changes no label (I10).
        return refuse(Reason.BAD_SHAPE, detail="A source with a stricter label is named with a statement.")
    return None
