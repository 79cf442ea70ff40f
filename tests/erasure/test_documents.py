"""Does what goes from a document go from its chunks, and the other way, and from no other document?"""

import pytest

from muniment.domain.evidence import MARK, EvidenceKind, Span
from muniment.domain.ledger import RowCode
from muniment.service.erase_documents import spread
from muniment.service.erase_survey import Found, name_of, walked
from muniment.service.vault import Vault
from tests.builders import stored
from tests.erasure.planting import CODE, TWIN

PARAGRAPHS = 9


def book(word: str = "pump") -> str:
    """Return a document that falls into several chunks."""
    return "\n\n".join(
        f"Chapter {n}. The {word} of hall {n} hums all day long, says number {n * 7919}." + " It hums." * 60
        for n in range(PARAGRAPHS)
    )


def taken(vault: Vault, text: str, source: str) -> tuple[str, ...]:
    evidence = vault.ingest(text, source=source).evidence
    assert len(evidence) > 3, "the document was not cut"
    return evidence


def parts(vault: Vault, found: Found) -> dict[str, list[str]]:
    """Return the texts of the parts that go, by item."""
    return {
        id: [vault.read(id).text[span.start : span.end] for span in spans]
        for id, spans in found.parts.items()
        if spans
    }


@pytest.mark.parametrize("paragraph", range(PARAGRAPHS))
def test_a_part_of_the_document_goes_from_the_chunks_that_hold_it(vault: Vault, paragraph: int) -> None:
    text = book()
    document, *chunks = taken(vault, text, "book")
    wanted = f"number {paragraph * 7919}."
    at = text.index(wanted)
    found = Found(parts={document: [Span(at, at + len(wanted))]})
    with vault.ground.store.snapshot() as snapshot:
        spread(snapshot, found)
    going = parts(vault, found)
    assert going.pop(document) == [wanted]
    assert going and set(going) <= set(chunks)
    for id, texts in going.items():
        assert all(each in wanted for each in texts), id
    assert wanted in ["".join(texts) for texts in going.values()]


def test_a_part_of_a_chunk_goes_from_the_document(vault: Vault) -> None:
    document, first, *_ = taken(vault, book(), "book")
    part = vault.read(first).text[10:30]
    found = Found(parts={first: [Span(10, 30)]})
    with vault.ground.store.snapshot() as snapshot:
        spread(snapshot, found)
    assert part in parts(vault, found)[document]


def test_a_chunk_that_goes_takes_its_place_in_the_document(vault: Vault) -> None:
    document, first, *_ = taken(vault, book(), "book")
    found = Found(evidence={first: "asked for"})
    with vault.ground.store.snapshot() as snapshot:
        spread(snapshot, found)
    assert parts(vault, found)[document] == [vault.read(first).text]


def test_a_document_that_goes_takes_every_chunk(vault: Vault) -> None:
    document, *chunks = taken(vault, book(), "book")
    found = Found(evidence={document: "asked for"})
    with vault.ground.store.snapshot() as snapshot:
        spread(snapshot, found)
    assert set(found.evidence) == {document, *chunks}
    assert found.parts == {}


def test_another_document_of_the_same_words_is_left(vault: Vault) -> None:
    document, *_ = taken(vault, book(), "book")
    others = taken(vault, book(), "another book")
    found = Found(evidence={document: "asked for"})
    with vault.ground.store.snapshot() as snapshot:
        spread(snapshot, found)
    assert not set(found.evidence) & set(others)


def test_a_turn_has_nothing_to_spread(vault: Vault) -> None:
    turn = vault.session("talk", agent="coder").append("user", book()).evidence[0]
    found = Found(parts={turn: [Span(0, 5)]})
    with vault.ground.store.snapshot() as snapshot:
        spread(snapshot, found)
    assert found.parts == {turn: [Span(0, 5)]} and found.evidence == {}


def test_after_an_erasure_the_document_still_reads_as_its_chunks(vault: Vault) -> None:
    text = book().replace("Chapter 4.", f"Chapter 4. The code is {CODE}, the spare {TWIN}.")
    taken(vault, text, "book")
    vault.erase(vault.plan_erasure(text=CODE))
    with vault.ground.store.snapshot() as snapshot:
        rows = [sealed.row for sealed in walked(snapshot, RowCode.EVIDENCE)]
    (whole,) = [row for row in rows if row.kind is EvidenceKind.DOCUMENT]
    chunks = [row for row in rows if row.kind is EvidenceKind.CHUNK]
    assert MARK in whole.text and TWIN in whole.text
    assert all(row.text in whole.text for row in chunks), [name_of(row) for row in chunks]
    vault.erase(vault.plan_erasure(text=TWIN))
    assert vault.verify().ok
    assert not vault.recall(f"the spare {TWIN}").hits or TWIN not in vault.recall("the spare code").render()


def test_a_memory_read_out_of_a_document_goes_with_the_part(vault: Vault) -> None:
    text = f"The door code is {CODE}. " + "Plain words follow here. " * 20
    (page,) = vault.ingest(text, source="page").evidence
    id = stored(vault.remember(f"Door: {CODE}", evidence=[page])).id
    kept = stored(vault.remember("Words follow", evidence=[page])).id
    vault.erase(vault.plan_erasure(id=id))
    assert vault.read(page).text.startswith(f"The door code is {MARK}. Plain words")
    assert vault.read(kept).state == "current"
