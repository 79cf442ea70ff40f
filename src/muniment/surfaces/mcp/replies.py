"""What does a tool answer?  A bounded text, the same in structured form, and errors in one shape.

Remembered text stands inside the envelope and nowhere else: the lines around it and the
structured fields beside it hold ids, marks and counts, which nobody can write a sentence into.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from muniment import limits
from muniment.domain.label import Label
from muniment.domain.timeline import shown
from muniment.domain.trust import Rank
from muniment.recall.envelope import escaped, rendered
from muniment.recall.question import Hit
from muniment.service.explore import Reading
from muniment.service.receipt import Receipt
from muniment.surfaces.mcp.unread import encodable
from muniment.surfaces.problems import Problem

ITEM_CHARACTERS_MAX = 4_000
"""Longest text of one item in an answer; `read` with an offset shows the rest."""

_ROOM_FOR_NOTES = 2_000
_TAINTED, _CLEAN = "memory-tainted", "memory"


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold what a tool answers: text for the model, and the same as data."""

    text: str
    structured: Mapping[str, object] = field(default_factory=dict)
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Fitted:
    """Hold an envelope that fits an answer, the hits in it and what was cut, in sentences."""

    envelope: str
    hits: tuple[Hit, ...]
    cuts: tuple[str, ...]


def fitted(hits: Sequence[Hit], *, empty: str = "") -> Fitted:
    """Return the envelope of as many hits as fit; what was left out or cut is said (I12)."""
    item_max = ITEM_CHARACTERS_MAX
    room = limits.answer_characters_max - _ROOM_FOR_NOTES
    kept = _likely(hits, room)
    while True:
        clipped = [_clipped(hit, item_max) for hit in kept]
        envelope = rendered(clipped, lambda: secrets.token_hex(16), empty=empty)
        if len(envelope) <= room or not kept:
            break
        # Escapes can make a text six times as long, so the last item may have to be cut again.
        if len(kept) > 1:
            kept.pop()
        else:
            item_max //= 2
    return Fitted(envelope, tuple(kept), tuple(_cuts(hits, kept, item_max=item_max)))


def _likely(hits: Sequence[Hit], room: int) -> list[Hit]:
    """Return the hits up to the one whose text alone goes beyond the room.

    More can never fit, and spelling out hundreds of them to find that takes seconds.
    """
    used = 0
    for count, hit in enumerate(hits, start=1):
        used += len(escaped(hit.text[:ITEM_CHARACTERS_MAX]))
        if used > room:
            return list(hits[:count])
    return list(hits)


def _clipped(hit: Hit, item_max: int) -> Hit:
    return hit if len(hit.text) <= item_max else replace(hit, text=hit.text[:item_max])


def _cuts(hits: Sequence[Hit], kept: Sequence[Hit], *, item_max: int) -> list[str]:
    found = []
    long = [hit for hit in kept if len(hit.text) > item_max]
    if long:
        ids = ", ".join(f"{hit.id} ({len(hit.text)})" for hit in long[:5])
        found.append(f"Cut at {item_max} characters: {ids}; call read with offset={item_max} for more.")
    if len(kept) < len(hits):
        left = len(hits) - len(kept)
        found.append(
            f"{left} of {len(hits)} left out to keep the answer short; ask for fewer, or read by id."
        )
    return found


def envelope_reply(found: Fitted, lines: Sequence[str], **more: object) -> Reply:
    """Return an envelope with the lines that say what it is, as text and as data.

    Some clients show a model only the structured part, so the text is in it too.
    """
    cuts = [f"Note: {cut}" for cut in found.cuts]
    text = "\n".join([found.envelope, *lines, *cuts])
    hits = [hit_fields(hit) for hit in found.hits]
    return Reply(text, {**more, "cut": list(found.cuts), "hits": hits, "answer": text})


def hit_fields(hit: Hit) -> dict[str, object]:
    """Return a hit's id and marks; no field can hold a remembered sentence."""
    return {
        "id": hit.id,
        "version": hit.version,
        "source": hit.source,
        "tag": hit.tag,
        "kind": hit.kind.value,
        "trust": "" if hit.trust is None else hit.trust.value,
        "rank": hit.rank.name.lower() if hit.trust is not None else "",
        "label": label_fields(hit.label),
        "valid": "" if hit.valid is None else hit.valid.shown(),
        "occurred_at": shown(hit.occurred_at),
        "recorded": shown(hit.recorded),
        "strength": round(hit.strength, 3),
        "space": hit.space,
        "evidence": list(hit.evidence[:20]),
    }


def label_fields(label: Label) -> dict[str, object]:
    """Return a label as data."""
    return {"class": label.data_class.name.lower(), "untrusted": label.untrusted}


def hits_of(reading: Reading) -> tuple[Hit, ...]:
    """Return a reading as what the envelope shows: its text, and its reason where one was given."""
    hit = Hit(
        id=reading.id,
        version=reading.version,
        text=reading.text,
        source=reading.source,
        tag=_TAINTED if reading.label.untrusted else _CLEAN,
        label=reading.label,
        recorded=reading.recorded,
        strength=1.0,
        space=reading.space,
        trust=reading.trust,
        rank=Rank[reading.rank.upper()] if reading.rank else Rank.UNTRUSTED,
        valid=reading.valid,
        occurred_at=reading.occurred_at,
        speaker=reading.speaker,
    )
    return (hit, replace(hit, text=reading.reason, source="reason")) if reading.reason else (hit,)


def failure(problem: Problem, example: Mapping[str, object]) -> Reply:
    """Return an error: its code, sentence and advice, and one correct call."""
    return _failed(problem.code, problem.sentence, problem.advice, example=example)


def _failed(code: str, sentence: str, advice: str, *, example: Mapping[str, object]) -> Reply:
    # A sentence may quote what was sent, and the answer must leave as UTF-8 all the same.
    sentence, advice = encodable(sentence), encodable(advice)
    lines = [f"{code}: {sentence}", f"Next: {advice}"]
    if example:
        lines.append(f"Example: {json.dumps(dict(example), ensure_ascii=False)}")
    fields = {"code": code, "sentence": sentence, "advice": advice, "example": dict(example)}
    return Reply("\n".join(lines), fields, is_error=True)


def receipt_reply(receipt: Receipt, example: Mapping[str, object], *, note: str = "") -> Reply:
    """Return what became of a change; a refused one is an error."""
    fields: dict[str, object] = {
        "verdict": receipt.verdict,
        "reason": receipt.reason,
        "id": receipt.id,
        "version": receipt.version,
        "record": receipt.record,
        "conflict": receipt.conflict,
        "next": receipt.next,
        "detail": encodable(receipt.detail),
        "rests_on": receipt.rests_on,
        "also": list(receipt.also),
        "case": receipt.case,
        "proposal": receipt.proposal,
    }
    if receipt.refused:
        sentence = f"{receipt.sentence} {receipt.detail}".strip()
        failed = _failed(receipt.reason, sentence, receipt.next, example=example)
        return replace(failed, structured={**failed.structured, **fields})
    lines = [f"{receipt.verdict} ({receipt.reason}): {receipt.sentence}"]
    lines.append(f"id={receipt.id} version={receipt.version} record={receipt.record}")
    lines += [f"Also touched: {', '.join(receipt.also)}"] if receipt.also else []
    lines += [f"Case {receipt.case} waits for a person."] if receipt.case else []
    lines += [note] if note else []
    lines.append(f"Next: {receipt.next}")
    text = "\n".join(lines)
    return Reply(text, {**fields, "sentence": receipt.sentence, "note": note, "answer": text})
