"""Which parts of a document say the same as its chunks?  What goes from one goes from the other."""

from collections.abc import Iterator

from muniment.domain.changes import Sealed
from muniment.domain.evidence import Evidence, EvidenceKind, Span
from muniment.domain.ledger import RowCode
from muniment.ports import Snapshot
from muniment.service.erase_survey import Found, walked

_PARTS = frozenset({EvidenceKind.DOCUMENT, EvidenceKind.CHUNK})


def spread(snapshot: Snapshot, found: Found) -> None:
    """Carry what goes from a chunk to its document, and from a document to its chunks.

    A chunk is known by its source and by its text, which stands in the document word for word.
    """
    touched = [*found.parts, *found.evidence]
    named = [sealed.row for sealed in snapshot.evidence([id for id in touched if id.startswith("e_")])]
    sources = {item.source for item in named if item.kind in _PARTS}
    if not sources:
        return
    family = [sealed.row for sealed in _family(snapshot, sources)]
    documents = [item for item in family if item.kind is EvidenceKind.DOCUMENT]
    chunks = [item for item in family if item.kind is EvidenceKind.CHUNK]
    pairs = [(whole, part, at) for whole in documents for part in chunks if (at := _place(whole, part)) >= 0]
    for whole, part, at in pairs:
        _up(found, whole, part, at=at)
    for whole, part, at in pairs:
        _down(found, whole, part, at=at)


def _family(snapshot: Snapshot, sources: set[str]) -> Iterator[Sealed[Evidence]]:
    for sealed in walked(snapshot, RowCode.EVIDENCE):
        row = sealed.row
        if isinstance(row, Evidence) and row.kind in _PARTS and row.source in sources:
            yield Sealed(row, sealed.seal)


def _place(whole: Evidence, part: Evidence) -> int:
    return whole.text.find(part.text) if whole.source == part.source else -1


def _up(found: Found, whole: Evidence, part: Evidence, *, at: int) -> None:
    if whole.id in found.evidence:
        return
    if part.id in found.evidence:
        found.parts.setdefault(whole.id, []).append(Span(at, at + len(part.text)))
    for span in found.parts.get(part.id, ()):
        found.parts.setdefault(whole.id, []).append(Span(span.start + at, span.end + at))


def _down(found: Found, whole: Evidence, part: Evidence, *, at: int) -> None:
    if whole.id in found.evidence:
        found.evidence.setdefault(part.id, "a part of a document that goes")
        return
    end = at + len(part.text)
    for span in found.parts.get(whole.id, ()):
        if span.start < end and at < span.end:
            inner = Span(max(span.start, at) - at, min(span.end, end) - at)
            found.parts.setdefault(part.id, []).append(inner)
