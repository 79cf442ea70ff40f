"""Which keyed claims does a text make that need no model to see?

`claim_signs` decides which texts are looked at, `clauses` which clauses may be read at all,
`claim_patterns` how they are read, `claim_values` what a value is.  What is found is a
candidate: the gate decides what becomes of it.  Precision comes before recall, for what is
missed is still evidence.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from muniment import limits
from muniment.adapters.chunks import FrontMatter, front_matter
from muniment.adapters.claim_patterns import PATTERNS, Pattern
from muniment.adapters.claim_signs import may_claim
from muniment.adapters.claim_values import bare, dated, fits, folded, trimmed
from muniment.adapters.clauses import Clause, clauses
from muniment.domain.evidence import Span

# Most candidates of one text; what is beyond stays evidence.
CANDIDATES_MAX = 200

_USER = "user"
_DOCUMENT = "document"
_LISTED = re.compile(r"\s*(?:,\s*(?:and|or|und|et|y)?|\b(?:and|or|und|et|y)\b|&|/)\s*", re.IGNORECASE)


def _read(*, first_person: bool) -> tuple[tuple[Pattern, ...], tuple[Callable[[str], object], ...]]:
    rows = tuple(row for row in PATTERNS if first_person or not row.first_person)
    return rows, tuple(row.form.match for row in rows)


_READ = {voice: _read(first_person=voice) for voice in (True, False)}
"""The rows that are read in the first person and those that are read otherwise, with their matching."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold one claim and the clause it came from.

    `kind` is fact, preference, decision or task; `span` is in code points; `valid_from` is
    set only when the clause names its own day.
    """

    text: str
    about: str
    attribute: str
    value: str
    kind: str
    span: Span
    valid_from: datetime | None = None


def candidates(text: str, *, speaker: str, role: str, occurred_at: datetime | None) -> tuple[Candidate, ...]:
    """Return the claims of `text` in order, at most `CANDIDATES_MAX`, none twice.

    A user is read in the first person, with `speaker` as the one it is about.  A document
    is read for what its front matter declares, about its title or else `speaker`, which
    is then its source, and for statements about named things.  No other role is read:
    an assistant restates, and a tool's words are not to be trusted.
    """
    if role == _DOCUMENT:
        found = _of_document(text, speaker, occurred_at)
    elif role == _USER and may_claim(text):
        found = _of_clauses(text, speaker or _USER, first_person=True, occurred_at=occurred_at)
    else:
        return ()
    return tuple(islice(_distinct(found), CANDIDATES_MAX))


def _of_document(text: str, source: str, occurred_at: datetime | None) -> Iterator[Candidate]:
    head = front_matter(text)
    start = 0 if head is None else head.end
    if head is not None:
        yield from _declared(head, source)
    if not may_claim(text[start:]):
        return
    body = _of_clauses(text[start:], source, first_person=False, occurred_at=occurred_at)
    for claim in body:
        yield _moved(claim, start)


def _declared(head: FrontMatter, source: str) -> Iterator[Candidate]:
    title = next((value for key, value in head.fields if key.casefold() == "title" and value), source)
    for (key, value), span in zip(head.fields, head.spans, strict=True):
        attribute = f"{folded(key)}:{folded(value)}" if key in head.lists else folded(key)
        if not value or not title or attribute == "title":
            continue
        yield from _bounded(
            Candidate(
                text=f"{title}: {key} is {value}",
                about=title,
                attribute=attribute,
                value=value,
                kind="fact",
                span=Span(span.start, span.end),
            )
        )


def _of_clauses(
    text: str, speaker: str, *, first_person: bool, occurred_at: datetime | None
) -> Iterator[Candidate]:
    patterns, forms = _READ[first_person]

    def worth(clause: str) -> bool:
        return any(form(clause) for form in forms)

    for clause in clauses(text, own_voice=first_person, worth=worth):
        for pattern in patterns:
            claims = tuple(_claims(clause, pattern, speaker, occurred_at=occurred_at))
            if claims:
                yield from claims
                break


def _claims(
    clause: Clause, pattern: Pattern, speaker: str, *, occurred_at: datetime | None
) -> Iterator[Candidate]:
    found = pattern.form.match(clause.text)
    if found is None:
        return
    raw = trimmed(found["value"], pattern.shape)
    start, end = found.start("value"), found.start("value") + len(raw)
    # A claim may name something in quotes, but may not itself be quoted, in whole or in part.
    if any(begin < end and (begin, stop) != (start, end) for begin, stop in clause.quotes):
        return
    whole = bare(raw)
    for value in _LISTED.split(whole) if pattern.many else (whole,):
        if not fits(value, pattern.shape) and (whole == raw or not value):
            continue
        said = found.groupdict() | {"value": value, "me": speaker}
        names = _names(found, value, speaker)
        yield from _bounded(
            Candidate(
                text=pattern.says.format_map(said),
                about=pattern.about.format_map(names),
                attribute=pattern.attribute.format_map(names),
                value=value,
                kind=pattern.kind,
                span=Span(clause.start, clause.start + len(clause.text)),
                valid_from=dated(clause.text, occurred_at) if pattern.own_date else None,
            )
        )


def _names(found: re.Match[str], value: str, speaker: str) -> Mapping[str, str]:
    """Return what the templates of a row's key are filled with, in one spelling."""
    groups = {key: folded(part) for key, part in found.groupdict().items() if part}
    pair = "/".join(sorted((folded(value), groups.get("topic", ""))))
    return groups | {"value": value, "me": speaker, "key": folded(value), "pair": pair}


def _bounded(claim: Candidate) -> Iterator[Candidate]:
    """Yield the claim unless a part of its key is longer than names may be."""
    most = limits.name_characters_max
    if max(len(claim.about), len(claim.attribute), len(claim.value)) <= most:
        yield claim


def _distinct(claims: Iterator[Candidate]) -> Iterator[Candidate]:
    seen: set[tuple[str, str, str]] = set()
    for claim in claims:
        key = (claim.about, claim.attribute, folded(claim.value))
        if key not in seen:
            seen.add(key)
            yield claim


def _moved(claim: Candidate, by: int) -> Candidate:
    return Candidate(
        text=claim.text,
        about=claim.about,
        attribute=claim.attribute,
        value=claim.value,
        kind=claim.kind,
        span=Span(claim.span.start + by, claim.span.end + by),
        valid_from=claim.valid_from,
    )
