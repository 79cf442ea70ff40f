"""Which commands only read?  Answers with their evidence, one thing, its history, its reasons, listings."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from muniment.domain.evidence import Span
from muniment.domain.timeline import shown
from muniment.recall.question import Answer, Hit
from muniment.surfaces.cli.call import WHEN, Call, verb
from muniment.surfaces.cli.screen import aside, document, pairs, safe, say, table, tell
from muniment.surfaces.plain import plain

if TYPE_CHECKING:
    from muniment.service.explore import Reading, WhyStep
    from muniment.service.search_result import SessionFound
    from muniment.service.upkeep import LogRow

STRENGTHS = ((0.7, "strong"), (0.45, "fair"), (0.0, "weak"))
"""From which strength on a hit is called what."""

SPAN_MARKS = (">>", "<<")
"""What stands around the words that a memory rests on."""

_CONTEXT_CHARACTERS = 240
_EVIDENCE_SHOWN_MAX = 5


def strength_word(strength: float) -> str:
    """Return the word for a strength."""
    return next(word for floor, word in STRENGTHS if strength >= floor)


def day(moment: datetime | None) -> str:
    """Return a moment to the second, which is enough for a person."""
    return "" if moment is None else shown(moment.replace(microsecond=0))


def validity(start: datetime, end: datetime | None) -> str:
    """Return an interval in words."""
    return f"{day(start)} until {day(end)}" if end else f"since {day(start)}"


def hit_lines(hit: Hit) -> list[str]:
    """Return what is said about a hit below its text."""
    who = f"{hit.source} of {hit.speaker}" if hit.speaker else hit.source
    when = validity(hit.valid.start, hit.valid.end) if hit.valid else day(hit.occurred_at or hit.recorded)
    held = f"{hit.trust.value}, rank {hit.rank.name.lower()}" if hit.trust else ""
    marks = [
        "untrusted" if hit.label.untrusted else "",
        "expired" if hit.expired else "",
        "secret" if hit.label.data_class.name == "SECRET" else "",
    ]
    grade = f"{strength_word(hit.strength)} {hit.strength:.2f}"
    lines = [", ".join(part for part in (who, when, held, *marks, grade) if part), hit.id]
    if hit.evidence and hit.evidence != (hit.id,):
        rest = len(hit.evidence) - _EVIDENCE_SHOWN_MAX
        more = f" and {rest} more" if rest > 0 else ""
        lines.append("evidence " + " ".join(hit.evidence[:_EVIDENCE_SHOWN_MAX]) + more)
    return lines


def show_answer(answer: Answer) -> None:
    """Print an answer: its hits, what was withheld, and what to know about it."""
    for number, hit in enumerate(answer.hits, start=1):
        head = f"{number}  "
        tell(hit.text, indent=" " * len(head), first=head)
        for line in hit_lines(hit):
            tell(line, indent=" " * len(head))
    if not answer.hits:
        tell(answer.reason)
    if len(answer.hits) < answer.total:
        tell(f"{answer.total} found, {len(answer.hits)} shown")
    if answer.withheld:
        tell("withheld: " + ", ".join(f"{count} {why}" for why, count in answer.withheld))
    for note in answer.notes:
        tell(f"note: {note}", indent="  ", first="")


@verb("recall")
@click.argument("question")
@click.option("-k", type=int, default=5, show_default=True, help="Most hits, 0 to 200.")
@click.option("--budget", "budget_tokens", type=int, help="Most tokens of text.")
@click.option("--as-of", "as_of", type=WHEN, help="What was true then.")
@click.option("--known-at", "known_at", type=WHEN, help="What was known then.")
@click.option("--include", multiple=True, metavar="STATE", help="Show a withheld state too.")
@click.option("--kind", "kinds", multiple=True, help="Only memories of this kind.")
@click.option("--tag", "tags", multiple=True, help="Only memories with this tag.")
@click.option("--source", "sources", multiple=True, help="Only turn, document, chunk or note.")
@click.option("--envelope", is_flag=True, help="Print the envelope that a prompt gets.")
@click.pass_obj
def recall(call: Call, /, question: str, envelope: bool, **given: Any) -> None:
    """Answer a question from memory, each hit with its evidence."""
    answer = call.hand().recall(question, space=call.space, **given)
    if call.json:
        fields = {"envelope": answer.render()} if envelope else {}
        shaped = plain(answer)
        document({**shaped, **fields} if isinstance(shaped, dict) else shaped)
    elif envelope:
        say(*(safe(line) for line in answer.render().split("\n")))
    else:
        show_answer(answer)


def reading_rows(found: "Reading") -> list[tuple[str, str]]:
    """Return what there is to say about a thing, by name."""
    trust = f"{found.trust.value}, rank {found.rank}" if found.trust else ""
    slot = f"{found.about} / {found.attribute}" if found.about else ""
    label = found.label.data_class.name.lower() + (", untrusted" if found.label.untrusted else "")
    return [
        ("id", found.id),
        ("state", found.state),
        ("version", f"{found.version}, {found.act}" if found.act else ""),
        ("kind", found.kind),
        ("trust", trust),
        ("valid", validity(found.valid.start, found.valid.end) if found.valid else ""),
        ("slot", slot),
        ("value", found.value),
        ("speaker", f"{found.speaker} ({found.role})" if found.speaker else ""),
        ("occurred", day(found.occurred_at)),
        ("asserted", day(found.asserted_at)),
        ("expires", day(found.expires_at)),
        ("recorded", f"{day(found.recorded)} by {found.author}, record {found.record}"),
        ("reason", found.reason),
        ("space", found.space),
        ("session", found.session),
        ("label", label),
        ("tags", ", ".join(found.tags)),
        ("successor", found.successor),
        ("proof", "matches its record" if found.verified else "not verified: the keys are missing"),
    ]


@verb("read")
@click.argument("id")
@click.option("--when", type=WHEN, help="As of then, in the world.")
@click.option("--known-at", "known_at", type=WHEN, help="As it was known then.")
@click.option("--rejected", is_flag=True, help="Show it even when it was rejected; a person's right.")
@click.pass_obj
def read(call: Call, id: str, *, when: datetime | None, known_at: datetime | None, rejected: bool) -> None:
    """Show one memory or evidence item."""
    found = call.hand().read(id, when, known_at, include_rejected=rejected)
    if call.json:
        document(plain(found))
        return
    tell(found.text)
    pairs(reading_rows(found), indent="  ")


def show_history(versions: Sequence["Reading"]) -> None:
    """Print versions, the oldest first."""
    for one in versions:
        tell(one.text, indent="    ", first=f"v{one.version}  ")
        held = f"{one.state}, {validity(one.valid.start, one.valid.end)}" if one.valid else one.state
        why = f", because {one.reason}" if one.reason else ""
        tell(
            f"{held}; {one.act} by {one.author}, {day(one.recorded)}, record {one.record}{why}", indent="    "
        )
        tell(one.id, indent="    ")


@verb("history")
@click.argument("id")
@click.option("--rejected", is_flag=True, help="Show it even when it was rejected; a person's right.")
@click.pass_obj
def history(call: Call, id: str, rejected: bool) -> None:
    """Show every version of a memory, of what it replaced and of what replaced it."""
    versions = call.hand().history(id, include_rejected=rejected)
    if call.json:
        document({"versions": plain(versions)})
        return
    show_history(versions)


def marked(text: str, span: Span | None) -> str:
    """Return the words that count between marks, with what stands around them; a cut says so."""
    if span is None:
        return text if len(text) <= 2 * _CONTEXT_CHARACTERS else text[: 2 * _CONTEXT_CHARACTERS] + " [cut]"
    start, end = max(0, span.start - _CONTEXT_CHARACTERS), span.end + _CONTEXT_CHARACTERS
    before, after = text[start : span.start], text[span.end : end]
    lead, tail = "[cut] " if start else "", " [cut]" if end < len(text) else ""
    opened, closed = SPAN_MARKS
    return f"{lead}{before}{opened}{text[span.start : span.end]}{closed}{after}{tail}"


def show_why(steps: Sequence["WhyStep"]) -> None:
    """Print the chain as a tree, the evidence with the words that count marked."""
    for step in steps:
        indent = "  " * step.depth
        said = f"{step.source} of {step.speaker}" if step.speaker else step.source
        parts = [said, day(step.occurred_at), f"session {step.session}" if step.session else "", step.id]
        if step.depth:
            tell("rests on " + ", ".join(part for part in parts if part), indent=indent + "  ", first=indent)
            tell(marked(step.text, step.span), indent=indent + "  ")
        else:
            tell(step.text)
            tell(", ".join(part for part in parts if part))
    if len(steps) == 1:
        tell("It rests on nothing further: it was said as it stands.")


@verb("why")
@click.argument("id")
@click.pass_obj
def why(call: Call, id: str) -> None:
    """Show what a memory rests on, down to the verbatim words."""
    steps = call.hand().why(id)
    if call.json:
        document({"steps": plain(steps)})
        return
    show_why(steps)


@verb("log")
@click.option("-n", "limit", type=int, default=20, show_default=True, help="Most records, 0 to 1000.")
@click.option("--after", type=int, default=0, help="Go on after this record, older ones first in line.")
@click.option("--edits", is_flag=True, help="Show the journal of the blocks' edits instead.")
@click.option("--prove", type=int, metavar="RECORD", help="Print what proves that this record stands there.")
@click.pass_obj
def log(call: Call, *, limit: int, after: int, edits: bool, prove: int | None) -> None:
    """Show the ledger's records, the newest first; none holds a remembered value."""
    if prove is not None:
        show_proof(call, prove)
        return
    if edits:
        show_edits(call, limit=limit, after=after)
        return
    records = call.hand().log(after=after, limit=limit)
    if call.json:
        document({"records": plain(records)})
        return
    rows = [
        (
            str(one.position),
            day(one.recorded),
            one.act,
            one.by,
            one.space,
            str(one.rows),
            _fields_shown(one),
        )
        for one in records
    ]
    table(("record", "when", "act", "by", "space", "rows", "fields"), rows)


def show_proof(call: Call, record: int) -> None:
    """Print the proof of one record, as a file that `docs/verify_record.py` reads."""
    proof = call.hand().prove(record)
    if call.json:
        document({"proof": proof})
    else:
        click.echo(proof, nl=False)


def show_edits(call: Call, *, limit: int, after: int) -> None:
    """Print the journal of the blocks, the newest edit first; what an entry says is spelled out safely."""
    found = call.hand().edits(space=call.space, limit=limit, after=after)
    if call.json:
        document({"edits": plain(found)})
        return
    for one in found:
        whose = f"{one.actor}, session {one.session}" if one.session else one.actor
        untrusted = ", untrusted" if one.untrusted else ""
        undone = f" {one.undoes}" if one.undoes else ""
        tell(f"{one.id}  {one.action}{undone}  {one.block}  by {whose}, {day(one.at)}{untrusted}")
        for sign, texts, others in (("-", one.before, one.after), ("+", one.after, one.before)):
            for text in texts:
                if text not in others:
                    tell(text, indent="    ", first=f"  {sign} ")
    if not found:
        tell("No block was edited yet.")


def _fields_shown(one: "LogRow") -> str:
    """Return what a record says beside its columns; a number whose name is known is left to that."""
    apart = {"at", "rows", *(("actor",) if one.by else ()), *(("space",) if one.space else ())}
    apart |= {"session"} if not one.fields.get("session") else set()
    said = {name: value for name, value in one.fields.items() if name not in apart}
    return " ".join(f"{name}={value}" for name, value in said.items() if value not in ("", None))


@verb("search")
@click.argument("query", required=False, default="")
@click.option("-n", "limit", type=int, default=3, show_default=True, help="Most sessions, 1 to 10.")
@click.option("--sort", type=click.Choice(["best", "newest", "oldest"]), default="best", help="The order.")
@click.option("--session", default="", help="Read this session; with a query, search in it.")
@click.option("--around", type=int, default=0, help="Scroll in --session to this place.")
@click.option("--window", type=int, default=5, show_default=True, help="Turns on either side, 0 to 20.")
@click.option("--role", default="", help="Only turns of this role.")
@click.pass_obj
def search(call: Call, /, query: str, **given: Any) -> None:
    """Search the conversations: QUERY finds, --session reads or scrolls, nothing browses."""
    found = call.hand().search(query, space=call.space, **given)
    if call.json:
        document(plain({"mode": found.mode, "sessions": found.sessions, "answer": found.answer}))
        return
    for one in found.sessions:
        _session_shown(one)
    if not found.sessions:
        tell(found.answer.reason)
    for note in found.notes:
        aside(note)


def _session_shown(one: "SessionFound") -> None:
    child = ", of a child agent" if one.child else ""
    tell(f"{one.session}  {day(one.started)}, {one.agent}, {one.total} places{child}")
    if one.title:
        tell(one.title, indent="  ")
    if one.before:
        tell(f"... {one.before} before", indent="    ")
    for hit, place in zip(one.turns, one.places, strict=True):
        mark = "*" if place == one.anchor else " "
        tell(hit.text, indent="      ", first=f"  {mark} {place} {hit.role.value}: ")
    if one.after:
        tell(f"... {one.after} after", indent="    ")


@verb("sessions")
@click.option("-n", "limit", type=int, default=50, show_default=True, help="Most sessions, 0 to 1000.")
@click.option("--after", type=int, default=0, help="Go on after the session of this number.")
@click.pass_obj
def sessions(call: Call, limit: int, after: int) -> None:
    """List the conversations, the newest first."""
    found = call.hand().sessions(space=call.space, after=after, limit=limit)
    if call.json:
        document({"sessions": plain(found)})
        return
    rows = [(one.name, one.agent, str(one.turns), day(one.started), one.title or one.source) for one in found]
    none = "No further conversation is here." if after else "No conversation is here yet."
    table(("session", "agent", "turns", "taken in", "from"), rows, none=none)


@verb("spaces")
@click.option("--conflict", help="Set the dial of --space: auto, lower-trust or all; the owner's act.")
@click.option("--review", help="Set whose changes wait in --space: off, agent or all; the owner's act.")
@click.option("--memory", help="Switch the block memory of --space on or off; the owner's act.")
@click.option("--user", help="Switch the block user of --space on or off; the owner's act.")
@click.pass_obj
def spaces(call: Call, /, **dials: str | None) -> None:
    """List the spaces that you may read, or set the dials of one."""
    vault = call.hand()
    for dial, to in dials.items():
        if to is not None:
            vault.set_dial(dial, to, space=call.space)
    found = vault.spaces()
    reviews = {one.path: vault.settings(one.path).review for one in found}
    off = {one.path: sorted(vault.blocks_off(one.path)) for one in found}
    if call.json:
        document({"spaces": plain(found), "review": reviews, "blocks_off": off})
        return
    rows = [
        (one.path, one.dial, reviews[one.path], ", ".join(off[one.path]) or "none", day(one.made))
        for one in found
    ]
    table(("space", "conflicts", "review", "blocks off", "made"), rows)
