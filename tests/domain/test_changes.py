"""Does every kind of row have its place in a transaction, and land there or not at all? (I5)"""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import get_args

import pytest

from muniment.domain.changes import (
    Changes,
    Extracted,
    IndexEntry,
    Job,
    NewVersion,
    Page,
    Row,
    Sealed,
    SessionState,
)
from muniment.domain.evidence import Span
from muniment.domain.ids import spelled
from muniment.domain.label import PUBLIC, DataClass, Label
from muniment.domain.ledger import RowCode, Seal
from muniment.domain.memory import Claim, Kind
from muniment.ports import Store
from tests.contract.builders import FIRST_HEAD, Draft, Scribe
from tests.contract.conftest import STORES
from tests.domain.samples import ROWS, VERSION


class StoppedError(Exception):
    """End a transaction on purpose."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = STORES["memory"](tmp_path, FIRST_HEAD, "local")
    yield made
    made.close()


@pytest.fixture
def scribe(store: Store) -> Scribe:
    return Scribe(store)


MEMORY = f"m_{spelled(1 << 90)}"

# What one transaction may hold, the counts it adds to, and how a draft gets one.
PARTS: dict[str, tuple[set[str], Callable[[Draft], object]]] = {
    "versions": ({"version", "memory"}, lambda draft: draft.remember("the quay opens")),
    "evidence": ({"evidence"}, lambda draft: draft.turn("the quay opens")),
    "links": ({"link"}, lambda draft: draft.link(MEMORY, MEMORY)),
    "tombstones": ({"tombstone"}, lambda draft: draft.tombstone(MEMORY, "the quay")),
    "sessions": ({"session"}, lambda draft: draft.session("talk")),
    "spaces": ({"space"}, lambda draft: draft.space("acme")),
    "actors": ({"actor"}, lambda draft: draft.actor("ada")),
    "credentials": ({"credential"}, lambda draft: draft.credential("pk")),
    "matters": ({"matter"}, lambda draft: draft.matter()),
    "recalls": ({"recall_log"}, lambda draft: draft.recall("when?")),
    "stubs": ({"stub"}, lambda draft: draft.stub(ROWS[RowCode.LINK], Seal(b"", 0, 0))),
    "certificates": ({"certificate"}, lambda draft: draft.certificate()),
    "jobs": ({"job"}, lambda draft: draft.job("embed", due=1)),
}


def counts(store: Store) -> dict[str, int]:
    with store.snapshot() as snapshot:
        return dict(snapshot.counts())


def drafted(scribe: Scribe, part: str) -> Changes:
    draft = scribe.draft()
    PARTS[part][1](draft)
    return draft.changes()


def lists_in(made: Changes) -> set[str]:
    """Return the names of the parts that are not empty."""
    found = {one.name: getattr(made, one.name) for one in fields(Changes)}
    return {name for name, value in found.items() if isinstance(value, tuple) and value}


def test_every_kind_of_row_has_a_place() -> None:
    assert set(get_args(Row)) == {type(row) for row in ROWS.values()}
    assert len(get_args(Row)) == len(RowCode)
    places = {one.name for one in fields(Changes)} - {
        "head",
        "record",
        "model",
        "session_states",
        "turns_moved",
        "gone",
    }
    assert places == set(PARTS)


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_part_lands_in_its_place_and_nowhere_else(store: Store, scribe: Scribe, part: str) -> None:
    made, before = drafted(scribe, part), counts(store)
    assert lists_in(made) == {part}
    with store.transaction() as transaction:
        transaction.apply(made)
    after = counts(store)
    grown = {name for name, count in after.items() if count != before[name]}
    assert grown == PARTS[part][0] | {"record"}
    assert all(after[name] == before[name] + 1 for name in grown)


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_transaction_that_is_stopped_leaves_nothing(store: Store, scribe: Scribe, part: str) -> None:
    before = counts(store)
    with pytest.raises(StoppedError), store.transaction() as transaction:
        transaction.apply(drafted(scribe, part))
        assert dict(transaction.counts()) != before
        raise StoppedError
    assert counts(store) == before


def test_parts_of_one_transaction_land_together_under_one_record(store: Store, scribe: Scribe) -> None:
    draft = scribe.draft()
    for _, fill in PARTS.values():
        fill(draft)
    made, before = draft.changes(), counts(store)
    assert lists_in(made) == set(PARTS)
    with store.transaction() as transaction:
        transaction.apply(made)
    assert {name: count - before[name] for name, count in counts(store).items()} == {
        **dict.fromkeys(before, 1),
        "vector": 0,
    }
    with store.snapshot() as snapshot:
        (record,) = snapshot.records(Page(-1, 9))
    # A job is no committed row: it is done and gone, and proves nothing.
    assert record.count == len(PARTS) - 1


def test_a_transaction_may_hold_a_record_alone(store: Store, scribe: Scribe) -> None:
    made = scribe.draft().changes()
    assert lists_in(made) == set()
    with store.transaction() as transaction:
        transaction.apply(made)
    assert counts(store)["record"] == 1


def test_how_far_a_session_has_come_is_a_change_without_a_row(store: Store, scribe: Scribe) -> None:
    with scribe.writing() as rows:
        session = rows.session("talk")
    strict = Label(DataClass.SECRET, True)
    with scribe.writing() as rows:
        rows.come(session, turns=7, label=strict)
    with store.snapshot() as snapshot:
        found = snapshot.session(1, "talk")
        assert snapshot.counts()["session"] == 1
    assert found is not None and (found.turns, found.label) == (7, strict)


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        (Page(), ["a", "b", "c"]),
        (Page(limit=2), ["a", "b"]),
        (Page(limit=0), []),
        (Page(limit=2, newest_first=True), ["c", "b"]),
        (Page(limit=1_000), ["a", "b", "c"]),
    ],
)
def test_a_page_is_a_bounded_part_in_one_order(
    store: Store, scribe: Scribe, page: Page, texts: list[str]
) -> None:
    for text in ("a", "b", "c"):
        scribe.remember(text)
    with store.snapshot() as snapshot:
        assert [one.text for one in snapshot.memories((1,), ["believed"], page)] == texts


def test_a_page_goes_on_after_the_last_row_of_the_one_before(store: Store, scribe: Scribe) -> None:
    made = [scribe.remember(text) for text in ("a", "b", "c")]
    for at, one in enumerate(made):
        with store.snapshot() as snapshot:
            rest = snapshot.memories((1,), ["believed"], Page(after=one.n))
        assert rest == made[at + 1 :]


def test_what_is_appended_cannot_be_changed_on_its_way() -> None:
    seal = Seal(b"s" * 12, 0, 0)
    given = NewVersion(VERSION, seal, b"mac", IndexEntry())
    assert given.replaces is None
    for value, name in ((given, "seal"), (Sealed(VERSION, seal), "row"), (Job(1, "embed", 2, 3), "lease")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)


def test_a_row_without_terms_has_an_entry_that_finds_nothing() -> None:
    assert (IndexEntry().terms, IndexEntry().vector) == ("", b"")
    assert (Job(1, "embed", 2, 3).attempts, Job(1, "embed", 2, 3).error) == (0, "")
    assert SessionState(1, 0, PUBLIC) != SessionState(1, 1, PUBLIC)


def test_a_found_claim_points_at_the_words_it_stands_in() -> None:
    text = "By the way, the quay opens at six."
    found = Extracted(Claim("The quay opens at six"), Kind.FACT, Span(12, 33))
    assert text[found.span.start : found.span.end] == "the quay opens at six"
    assert found.valid_from is None


def test_an_index_entry_counts_its_terms() -> None:
    assert [IndexEntry(terms).words for terms in ("", "one", "one two one")] == [0, 1, 3]
