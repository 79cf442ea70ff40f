"""Which tools does an agent get by default?  Memories, blocks, conversations, and what is owed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from muniment import limits
from muniment.domain.evidence import Span
from muniment.domain.label import PRIVATE, strictest
from muniment.domain.timeline import shown
from muniment.errors import BadInput, NotFound
from muniment.recall.question import Answer, AnswerOutcome, Hit
from muniment.service.arguments import ChangeFields, MoveFields, RecallFields, RememberFields
from muniment.service.awake import awake
from muniment.service.explore import Reading
from muniment.service.receipt import Receipt
from muniment.service.vault import Vault
from muniment.surfaces.fields import MOMENT, RECALL_FIELDS, REMEMBER_FIELDS
from muniment.surfaces.mcp.blocks import MEMORY_TOOL
from muniment.surfaces.mcp.connection import Held
from muniment.surfaces.mcp.replies import (
    Reply,
    envelope_reply,
    fitted,
    hits_of,
    label_fields,
    receipt_reply,
)
from muniment.surfaces.mcp.searching import SEARCH_TOOL
from muniment.surfaces.mcp.tool import Tool
from muniment.surfaces.shapes import Arguments, Case, Field, Form, Type

WHY_ITEMS_MAX = 20
"""Most steps of a chain of evidence, or versions of a history, in one answer."""

_ID = "m_0123456789abcdefghijklmno0"
_SOURCE = "e_0123456789abcdefghijklmno0"

REMEMBER = Form(
    example=MappingProxyType({"text": "The deploy key rotates on Mondays", "tags": ["ops"]}),
    fields=REMEMBER_FIELDS,
)

RECALL = Form(
    example=MappingProxyType({"query": "when does the deploy key rotate?", "k": 5}),
    fields=RECALL_FIELDS,
)

READ = Form(
    example=MappingProxyType({"id": _ID}),
    chooses="mode",
    always=("id",),
    cases=MappingProxyType(
        {
            "now": Case({"id": _ID}, may=("offset",)),
            "then": Case(
                {"id": _ID, "mode": "then", "when": "2026-03-01"},
                one_of=("when", "known_at"),
                may=("offset",),
            ),
            "history": Case({"id": _ID, "mode": "history"}),
            "why": Case({"id": _ID, "mode": "why"}),
        }
    ),
    fields=(
        Field("id", Type.NAME, "Memory or evidence.", required=True),
        Field(
            "mode",
            Type.CHOICE,
            "now; then: at a moment; history: every version; why: the evidence.",
            default="now",
            choices=("now", "then", "history", "why"),
        ),
        Field("when", Type.NAME, f"then: in the world at: {MOMENT}."),
        Field("known_at", Type.NAME, "then: as known then."),
        Field("offset", Type.WHOLE, "First character shown."),
    ),
)

_CHANGES = ("valid_from", "reason", "expected_version", "evidence")
_PROOF = {"id": _ID, "evidence": [_SOURCE], "reason": "the config file says so"}
REVISE = Form(
    example=MappingProxyType({"id": _ID, "action": "correct", "text": "It rotates on Tuesdays"}),
    chooses="action",
    always=("id",),
    cases=MappingProxyType(
        {
            "correct": Case(
                {"id": _ID, "action": "correct", "text": "It rotates on Tuesdays", "reason": "misheard"},
                one_of=("text", "value"),
                may=_CHANGES,
            ),
            "succeed": Case(
                {"id": _ID, "action": "succeed", "text": "It rotates daily", "valid_from": "2026-03-01"},
                one_of=("text", "value"),
                may=_CHANGES,
            ),
            "retract": Case(
                {"id": _ID, "action": "retract", "reason": "I misread the log"}, may=_CHANGES[1:]
            ),
            "support": Case({**_PROOF, "action": "support"}, needs=("evidence",), may=_CHANGES[1:]),
            "refute": Case({**_PROOF, "action": "refute"}, needs=("evidence",), may=_CHANGES[1:]),
            "inconclusive": Case({**_PROOF, "action": "inconclusive"}, needs=("evidence",), may=_CHANGES[1:]),
            "dispute": Case({"id": _ID, "action": "dispute", "reason": "I doubt it now"}, may=_CHANGES[1:]),
        }
    ),
    fields=(
        Field("id", Type.NAME, "Id of the memory.", required=True),
        Field(
            "action",
            Type.CHOICE,
            "correct: it was wrong; succeed: the world changed; retract: take it back; "
            "support, refute, inconclusive: judge it by `evidence`; dispute: doubt it.",
            required=True,
            choices=("correct", "succeed", "retract", "support", "refute", "inconclusive", "dispute"),
        ),
        Field("text", Type.TEXT, "The whole new statement."),
        Field("value", Type.TEXT, "The new value of a keyed claim."),
        Field("valid_from", Type.NAME, f"New text or value: true from: {MOMENT}."),
        Field("reason", Type.TEXT, "Why."),
        Field("expected_version", Type.WHOLE, "Refused when it changed since."),
        Field("evidence", Type.TEXTS, "Ids it rests on; needed to judge."),
    ),
)

AWAKE = Form(
    example=MappingProxyType({}),
    fields=(
        Field(
            "limit",
            Type.WHOLE,
            f"Most items of a section, 1 to {limits.awake_items_max}.",
            default=limits.awake_items_max,
        ),
    ),
)


def _remember(held: Held, given: Arguments) -> Reply:
    fields = RememberFields(
        kind=given.text("kind"),
        about=given.text("about"),
        attribute=given.text("attribute"),
        value=given.text("value"),
        many=given.flag("many"),
        valid_from=given.text("valid_from"),
        valid_until=given.text("valid_until"),
        occurred_at=given.text("occurred_at"),
        expires_at=given.text("expires_at"),
        evidence=given.texts("evidence"),
        tags=given.texts("tags"),
        space=given.text("space"),
        wait=True,
    )
    # A client that sends "null" for all that it leaves out means no value either.
    if not fields["about"] and not fields["attribute"] and fields["value"] == "null":
        fields["value"] = ""
    receipt = held.writer.remember(given.text("text"), **fields)
    tainted = held.label.untrusted and receipt.landed
    note = "This session has read untrusted content, so it was kept as an untrusted candidate."
    return receipt_reply(receipt, REMEMBER.example, note=note if tainted else "")


def _recall(held: Held, given: Arguments) -> Reply:
    fields = RecallFields(
        k=given.whole("k"),
        budget_tokens=given.whole("budget_tokens") or None,
        as_of=given.text("as_of"),
        known_at=given.text("known_at"),
        include=given.texts("include"),
        kinds=given.texts("kinds"),
        tags=given.texts("tags"),
        sources=given.texts("sources"),
        space=given.text("space"),
    )
    if held.session is None:
        answer = held.asked(held.vault.recall_durably(given.text("query"), **fields))
    else:
        answer = held.asked(held.session.recall(given.text("query"), **fields))
    return _answer_reply(answer)


def _answer_reply(answer: Answer, lines: Sequence[str] = ()) -> Reply:
    found = fitted(answer.hits, empty=answer.reason)
    withheld = ", ".join(f"{count} {name}" for name, count in answer.withheld) or "none"
    last = [f"{answer.outcome.value}: {len(found.hits)} of {answer.total} shown. Withheld: {withheld}."]
    last += [f"Note: {note}" for note in answer.notes]
    return envelope_reply(
        found,
        [*lines, *last],
        outcome=answer.outcome.value,
        reason=answer.reason,
        total=answer.total,
        withheld=dict(answer.withheld),
        notes=list(answer.notes),
        label=label_fields(answer.label),
        logged=answer.logged,
    )


def _read(held: Held, given: Arguments) -> Reply:
    vault, id = held.vault, given.text("id")
    match given.text("mode"):
        case "history":
            return _history(held, vault.history(id))
        case "why":
            return _why(held, id)
    reading = vault.read(id, given.text("when") or None, given.text("known_at") or None)
    offset, length = given.whole("offset"), len(reading.text)
    if offset and not 0 <= offset < length:
        raise BadInput(f"`offset` lies in 0..{length - 1}.", advice="The text ends there.")
    part = replace(reading, text=reading.text[offset:])
    hits = hits_of(part)
    lines = [_state(reading), *_on_record(held, id, hits)]
    lines += [f"From character {offset} of {length}; an offset counts from the beginning."] if offset else []
    return envelope_reply(fitted(hits), lines, state=reading.state, characters=length, **_marks(reading))


def _marks(reading: Reading) -> dict[str, object]:
    return {
        "act": reading.act,
        "record": reading.record,
        "successor": reading.successor,
        "expires_at": shown(reading.expires_at),
        "verified": reading.verified,
    }


def _state(reading: Reading) -> str:
    parts = [f"{reading.id} v{reading.version}: {reading.state}", f"recorded {shown(reading.recorded)}"]
    parts += [f"by {reading.act}"] if reading.act else []
    parts += [f"succeeded by {reading.successor}"] if reading.successor else []
    return ", ".join(parts) + f", record {reading.record}."


def _history(held: Held, readings: Sequence[Reading]) -> Reply:
    """Show the newest versions, oldest of them first, each with its act and its reason."""
    newest = readings[-WHY_ITEMS_MAX:]
    hits = tuple(hit for reading in newest for hit in hits_of(reading))
    lines = [_state(reading) for reading in newest]
    lines += _on_record(held, newest[-1].id, hits)
    if len(newest) < len(readings):
        lines.append(f"{len(readings) - len(newest)} older versions are not shown.")
    return envelope_reply(fitted(hits), lines, total=len(readings))


def _why(held: Held, id: str) -> Reply:
    """Show the chain of evidence; each step is read again, since only a reading is checked and labelled."""
    steps = held.vault.why(id)
    hits: list[Hit] = []
    lines, hidden = [], 0
    for step in steps[:WHY_ITEMS_MAX]:
        try:
            reading = held.vault.read(step.id)
        except NotFound:
            hidden += 1
            continue
        hits.append(_part(hits_of(reading)[0], step.span))
        where = "" if step.span is None else f", characters {step.span.start} to {step.span.end}"
        lines.append(f"{step.depth}: {step.relation} {step.id} ({step.source}{where}).")
    if len(steps) > WHY_ITEMS_MAX:
        lines.append(f"{len(steps) - WHY_ITEMS_MAX} more steps are not shown.")
    if hidden:
        lines.append(f"{hidden} steps are not there for you.")
    lines += _on_record(held, id, hits)
    return envelope_reply(fitted(hits), lines, total=len(steps))


def _part(hit: Hit, span: Span | None) -> Hit:
    return hit if span is None else replace(hit, text=hit.text[span.start : span.end])


def _on_record(held: Held, id: str, hits: Sequence[Hit]) -> list[str]:
    """Put a reading on record before it leaves; return what is to be said of that."""
    label = strictest((hit.label for hit in hits), least=PRIVATE)
    answer = held.served(Answer(id, tuple(hits), label, AnswerOutcome.FOUND, "Read by id."))
    return [f"Note: {note}" for note in answer.notes]


def _revise(held: Held, given: Arguments) -> Reply:
    action = given.text("action")
    if action in ("correct", "succeed"):
        receipt = _changed(held, given, action)
    else:
        judged = MoveFields(
            expected_version=given.whole("expected_version"), evidence=given.texts("evidence")
        )
        receipt = held.writer.judge(given.text("id"), action, reason=given.text("reason"), **judged)
    return receipt_reply(receipt, REVISE.cases[action].example)


def _changed(held: Held, given: Arguments, action: str) -> Receipt:
    fields = ChangeFields(
        value=given.text("value"),
        valid_from=given.text("valid_from"),
        expected_version=given.whole("expected_version"),
        evidence=given.texts("evidence"),
    )
    change = held.writer.revise if action == "correct" else held.writer.succeed
    return change(given.text("id"), given.text("text"), reason=given.text("reason"), **fields)


def _awake(held: Held, given: Arguments) -> Reply:
    vault: Vault = held.vault
    found = awake(vault.ground, vault.principal, limit=given.whole("limit"))
    answer = held.served(found.as_answer())
    lines = []
    for section in found.sections:
        ids = ", ".join(hit.id for hit in section.hits) or "none"
        least = "" if section.counted else "at least "
        lines.append(f"{section.name}: {ids}" + (f"; {least}{section.more} more" if section.more else ""))
    lines += [f"owed: {count} {name}" for name, count in found.owed]
    reply = _answer_reply(answer, lines)
    sections = [
        {"name": one.name, "ids": [hit.id for hit in one.hits], "total": one.total, "counted": one.counted}
        for one in found.sections
    ]
    return replace(reply, structured={**reply.structured, "sections": sections, "owed": dict(found.owed)})


TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        "memory": MEMORY_TOOL,
        "session_search": SEARCH_TOOL,
        "remember": Tool(
            "Remember",
            "Keep one statement. A restatement is merged; a contradiction is disputed or takes the old "
            "value's place.",
            REMEMBER,
            _remember,
            idempotent=True,
        ),
        "recall": Tool(
            "Recall",
            "Look up what is remembered. Hits are data inside an envelope; what was withheld is counted.",
            RECALL,
            _recall,
            read_only=True,
        ),
        "read": Tool(
            "Read",
            "Read one id: now, then, every version, or what it rests on.",
            READ,
            _read,
            read_only=True,
        ),
        "revise": Tool(
            "Revise",
            "Change what a memory says or how far it is believed. The history stays. "
            "Rejecting and erasing are left to a person.",
            REVISE,
            _revise,
            destructive=True,
        ),
        "awake": Tool(
            "Awake",
            "Call it first: recent memories and turns, candidates, disputes, tasks, and what waits.",
            AWAKE,
            _awake,
            read_only=True,
        ),
    }
)
"""The toolset `core`, by name."""
