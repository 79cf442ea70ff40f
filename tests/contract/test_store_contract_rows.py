"""Does every committed row come back as it was given, by every way of asking?"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from muniment.domain.changes import Page
from muniment.domain.evidence import EvidenceKind, Role, Span, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import ENTRY_BYTES, RowCode, Seal
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim, Kind
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import TombstoneKind
from muniment.domain.trust import Rank, Trust
from muniment.errors import MunimentError
from muniment.ports import Store
from tests.contract.builders import FIRST_HEAD, LATER, START, Draft, Scribe, digest

EVERYTHING = Page(after=-1, limit=1000)
NO_MEMORY = "m_" + "0" * 26
TEXTS = (
    "plain",
    "naïve café",
    "cafe\u0301 with a combining accent",
    "東京 ﾄｳｷｮｳ",
    "👩‍👩‍👧‍👦 🦊 \U0010fffd",
    "עברית \u202eoverride\u202c",
    "quotes ' \" ` ; -- %s {x} \\ /* */",
    "tab\tnewline\nreturn\r\u2028end ",
    "\ufeffleading mark, trailing space ",
)


def test_a_new_store_is_empty_under_its_first_head(store: Store) -> None:
    with store.snapshot() as snapshot:
        assert snapshot.head() == FIRST_HEAD
        assert snapshot.spaces() == ()
        assert snapshot.actors() == ()
        assert snapshot.records(EVERYTHING) == []
        assert snapshot.jobs() == []
        assert snapshot.memories((1,), [trust.value for trust in Trust], EVERYTHING) == []
        assert not any(snapshot.counts().values())


def test_a_version_comes_back_with_every_field(scribe: Scribe) -> None:
    full = dict(
        claim=Claim("The port is 8091.", "host", "port", "8091", many=True),
        space=7,
        kind=Kind.PREFERENCE,
        valid=Interval(START, LATER),
        trust=Trust.CANDIDATE,
        before=Trust.REJECTED,
        rank=Rank.LIVE,
        label=Label(DataClass.SECRET, untrusted=True),
        author=3,
        actor=4,
        act="import",
        reason="because",
        session=5,
        occurred_at=START - timedelta(days=1),
        asserted_at=START - timedelta(days=2),
        expires_at=LATER,
        tags=("ops", "with, comma", 'with "quote"'),
    )
    version = scribe.remember("", **full)
    bare = scribe.remember("bare")
    with scribe.store.snapshot() as snapshot:
        assert [current.version for current in snapshot.currents([version.memory])] == [version]
        assert [sealed.row for sealed in snapshot.history(bare.memory)] == [bare]
        assert snapshot.same_value(7, version.digests.value) == [version]
        assert [sealed.row for sealed in snapshot.versions_at([version.n])] == [version]


def test_evidence_comes_back_with_every_field(scribe: Scribe) -> None:
    full = dict(
        space=7,
        kind=EvidenceKind.CHUNK,
        label=Label(DataClass.PUBLIC, untrusted=True),
        author=3,
        session=5,
        sequence=6,
        role=Role.TOOL_RESULT,
        speaker="Ada",
        source="claude-code",
        origin=b"\x00\xff\x01",
        occurred_at=START - timedelta(days=1),
        state=TurnState.ARCHIVED,
        replaced=2,
        parent="e-parent",
    )
    item, bare = scribe.turn("verbatim", **full), scribe.turn("bare")
    with scribe.store.snapshot() as snapshot:
        assert {sealed.row for sealed in snapshot.evidence([item.id, bare.id])} == {item, bare}
        assert [sealed.row for sealed in snapshot.evidence_at([item.n])] == [item]


def test_links_tombstones_and_small_rows_come_back_with_every_field(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        first, second = rows.remember("one"), rows.remember("two")
        link = rows.link(
            first.memory, second.memory, type=LinkType.DERIVED_FROM, weight=0.1, span=Span(3, 9), space=2
        )
        tombstone = rows.tombstone(first.memory, "value", slot=b"slot", reason="wrong", key_id=2)
        space, actor = rows.space("acme/eng"), rows.actor("ada", "owner")
        credential = rows.credential("pk1", revoked=True, rights='{"read": ["acme"]}')
        recall = rows.recall("when?", first.memory, second.memory)
        session = rows.session("chat", title="a title", source="import", label=Label(DataClass.PUBLIC))
    with scribe.store.snapshot() as snapshot:
        assert [sealed.row for sealed in snapshot.links_of([first.memory])] == [link]
        assert snapshot.tombstone(tombstone.id) == tombstone
        assert snapshot.spaces() == (space,)
        assert snapshot.actors() == (actor,)
        assert [one.row for one in snapshot.credential("pk1")] == [credential]
        assert snapshot.credential("pk") == []
        assert snapshot.recalls(EVERYTHING) == [recall]
        assert snapshot.session(1, "chat") == session
        assert snapshot.sessions_at([session.n, 999]) == [session]


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_column_keeps_every_character(scribe: Scribe, text: str) -> None:
    with scribe.writing() as rows:
        version = rows.remember("", claim=Claim(text, text, text, text), reason=text, tags=(text, "b"))
        item = rows.turn(text, speaker=text, source=text, parent=text)
        session = rows.session(text, title=text, source=text, agent=text)
        tombstone = rows.tombstone(version.memory, text, reason=text, normaliser=text)
        space, actor = rows.space(text), rows.actor(text, text)
        credential = rows.credential(text, actor=text, role=text, home=text, rights=text)
        recall, job = rows.recall(text, text), rows.job(text, due=1)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.currents([version.memory])[0].version == version
        assert snapshot.evidence([item.id])[0].row == item
        assert snapshot.session(1, text) == session
        assert snapshot.tombstone(tombstone.id) == tombstone
        assert (snapshot.spaces(), snapshot.actors()) == ((space,), (actor,))
        assert [one.row for one in snapshot.credential(text)] == [credential]
        assert snapshot.recalls(EVERYTHING) == [recall]
        assert snapshot.jobs() == [job]


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(2255, 6, 5, 23, 47, 34, 740993, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
)
def test_a_moment_keeps_its_microsecond_however_far_away(scribe: Scribe, moment: datetime) -> None:
    """The third one lies beyond 2**53 microseconds, where a float would lose it."""
    version = scribe.remember("far", valid=Interval(moment), occurred_at=moment, expires_at=moment)
    item = scribe.turn("far", occurred_at=moment)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.currents([version.memory])[0].version == version
        assert snapshot.evidence([item.id])[0].row.occurred_at == moment


def test_currents_are_the_newest_versions_with_seal_and_head(scribe: Scribe) -> None:
    first, other = scribe.remember("one"), scribe.remember("other")
    second = scribe.follow(first, "two")
    with scribe.store.snapshot() as snapshot:
        found = {one.version.memory: one for one in snapshot.currents([first.memory, other.memory])}
        missing = snapshot.currents([NO_MEMORY])
        history = snapshot.history(first.memory)
    assert missing == []
    assert {one.version for one in found.values()} == {second, other}
    assert found[first.memory].head_mac == digest(f"head {first.memory} 2")
    assert found[other.memory].head_mac == digest(f"head {other.memory} 1")
    assert [sealed.row for sealed in history] == [first, second]
    assert found[first.memory].seal == history[-1].seal == Seal(digest("2/0"), 2, 0)


def test_asking_for_nothing_or_for_what_is_not_there_finds_nothing(scribe: Scribe) -> None:
    scribe.remember("one")
    with scribe.store.snapshot() as snapshot:
        assert snapshot.currents([]) == []
        assert snapshot.versions_at([]) == []
        assert snapshot.versions_at([999]) == []
        assert snapshot.history(NO_MEMORY) == []
        assert snapshot.evidence([]) == []
        assert snapshot.evidence(["e_" + "0" * 26]) == []
        assert snapshot.evidence_at([999]) == []
        assert snapshot.links_of([]) == []
        assert snapshot.tombstones_for(1, []) == []
        assert snapshot.tombstone("t_" + "0" * 26) is None
        assert snapshot.session(1, "none") is None
        assert snapshot.known_origins([b"none"]) == {}
        assert snapshot.memories((), ["believed"], EVERYTHING) == []


def test_same_value_and_slot_look_at_newest_versions_of_one_space(scribe: Scribe) -> None:
    claim = Claim("The port is 8091.", "host", "port", "8091")
    here = scribe.remember("", claim=claim)
    there = scribe.remember("", claim=claim, space=2)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.same_value(1, here.digests.value) == [here]
        assert snapshot.slot(1, here.digests.slot) == [here]
        assert snapshot.slot(2, here.digests.slot) == [there]
    changed = scribe.follow(here, claim=replace(claim, value="9000"), trust=Trust.RETIRED)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.same_value(1, here.digests.value) == []
        assert snapshot.same_value(1, changed.digests.value) == [changed]
        assert snapshot.slot(1, here.digests.slot) == [changed]


def test_a_known_origin_names_its_item_and_no_origin_is_never_known(scribe: Scribe) -> None:
    item = scribe.turn("one", origin=b"origin-1")
    scribe.turn("two", origin=b"")
    scribe.turn("three", origin=b"")
    with scribe.store.snapshot() as snapshot:
        assert snapshot.known_origins([b"origin-1", b"origin-2"]) == {b"origin-1": item.id}
        assert snapshot.known_origins([b""]) == {}
        assert snapshot.counts()["evidence"] == 3


def test_links_are_found_from_both_ends_and_each_once(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        a, b, c = (rows.remember(text).memory for text in "abc")
        item = rows.turn("source").id
        links = {rows.link(a, b), rows.link(item, c), rows.link(b, c, type=LinkType.CAUSES)}
        rows.remember("alone")
    with scribe.store.snapshot() as snapshot:
        ends = {
            name: {(s.row.source, s.row.target) for s in snapshot.links_of([name])}
            for name in (a, b, c, item)
        }
        both = snapshot.links_of([a, b, c])
    assert ends == {a: {(a, b)}, b: {(a, b), (b, c)}, c: {(item, c), (b, c)}, item: {(item, c)}}
    assert len(both) == 3
    assert {sealed.row for sealed in both} == links


def test_a_tombstone_counts_in_its_space_and_an_erased_one_everywhere(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        rejected = rows.tombstone(memory, "rejected", space=1)
        erased = rows.tombstone(memory, "erased", space=1, kind=TombstoneKind.ERASED)
    with scribe.store.snapshot() as snapshot:
        for key in rejected.keys.all:
            assert snapshot.tombstones_for(1, [key]) == [rejected]
            assert snapshot.tombstones_for(2, [key]) == []
        for key in erased.keys.all:
            assert snapshot.tombstones_for(1, [key]) == [erased]
            assert snapshot.tombstones_for(2, [key]) == [erased]
        assert snapshot.tombstones_for(1, [digest("other")]) == []
        everything = [*rejected.keys.all, *erased.keys.all]
        assert {one.id for one in snapshot.tombstones_for(1, everything)} == {rejected.id, erased.id}
        assert len(snapshot.tombstones_for(1, everything)) == 2


def test_a_lifted_tombstone_no_longer_stands_and_the_log_keeps_both_rows(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        lifted, standing = rows.tombstone(memory, "value"), rows.tombstone(memory, "value")
    with scribe.store.snapshot() as snapshot:
        assert {one.id for one in snapshot.tombstones_of(memory)} == {lifted.id, standing.id}
    with scribe.writing() as rows:
        lifting = rows.lift(lifted)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.tombstones_for(1, lifted.keys.all) == [standing]
        assert snapshot.tombstones_of(memory) == [standing]
        assert snapshot.tombstone(lifted.id) is None
        assert snapshot.tombstone(lifting.id) is None
        assert snapshot.tombstone(standing.id) == standing
        kept = {sealed.row for _, sealed in snapshot.sealed_rows(RowCode.TOMBSTONE, EVERYTHING)}
    assert kept == {lifted, standing, lifting}


def test_a_value_rejected_again_after_its_lifting_stands_again(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        memory = rows.remember("x").memory
        first = rows.tombstone(memory, "value")
    with scribe.writing() as rows:
        rows.lift(first)
    with scribe.writing() as rows:
        again = rows.tombstone(memory, "value")
    with scribe.store.snapshot() as snapshot:
        assert snapshot.tombstones_for(1, first.keys.all) == [again]


def test_a_session_is_found_by_name_within_its_space_as_far_as_it_has_come(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        here, there = rows.session("chat"), rows.session("chat", space=2)
        rows.come(here, turns=3, label=Label(DataClass.SECRET))
    with scribe.store.snapshot() as snapshot:
        assert snapshot.session(1, "chat") == replace(here, turns=3, label=Label(DataClass.SECRET))
        assert snapshot.session(2, "chat") == there
        assert snapshot.session(3, "chat") is None


def test_what_a_session_has_read_never_loosens_its_label(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        session = rows.session("chat", label=Label(DataClass.PUBLIC))
    for label in (Label(DataClass.SECRET), Label(DataClass.PUBLIC, untrusted=True), Label(DataClass.PRIVATE)):
        with scribe.writing() as rows:
            rows.come(session, turns=1, label=label)
    with scribe.store.snapshot() as snapshot:
        reached = snapshot.sessions_at([session.n])[0]
    assert reached.label == Label(DataClass.SECRET, untrusted=True)


def test_no_head_is_odd_in_a_store_that_nobody_touched(scribe: Scribe) -> None:
    """What tampering with a file does to a head is shown where files are tampered with."""
    first = scribe.remember("one", claim=Claim("text", "about", "attribute"))
    scribe.follow(first, "two", trust=Trust.RETIRED, space=2)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.odd_heads(10) == []


def test_credential_rows_come_oldest_first(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        made, other = rows.credential("pk1"), rows.credential("pk2")
    with scribe.writing() as rows:
        revoked = rows.credential("pk1", revoked=True)
    with scribe.store.snapshot() as snapshot:
        assert [one.row for one in snapshot.credential("pk1")] == [made, revoked]
        assert snapshot.credentials() == [made, other, revoked]


def test_an_entry_is_found_by_its_seal_and_a_missing_one_is_empty(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        rows.remember("one")
        rows.remember("two")
    scribe.remember("three")
    with scribe.store.snapshot() as snapshot:
        records = snapshot.records(EVERYTHING)
        seals = [Seal(b"", 0, 1), Seal(b"", 1, 1), Seal(b"", 9, 0), Seal(b"", 0, 0), Seal(b"", 0, 1)]
        entries = snapshot.entries_of(seals)
        assert snapshot.entries_of([]) == []
    packed = [entry.packed() for entry in records[0].entries()]
    assert len(records) == 2
    assert len(packed[0]) == ENTRY_BYTES
    assert entries == [packed[1], b"", b"", packed[0], packed[1]]


def test_the_head_and_the_record_are_those_of_the_last_change(scribe: Scribe) -> None:
    draft = scribe.draft()
    draft.remember("one")
    changes = draft.changes()
    with scribe.store.transaction() as transaction:
        transaction.apply(changes)
        assert transaction.head() == changes.head
    with scribe.store.snapshot() as snapshot:
        assert snapshot.head() == changes.head
        assert snapshot.records(EVERYTHING) == [changes.record]


def test_counts_say_how_many_rows_each_table_holds(scribe: Scribe) -> None:
    with scribe.writing() as rows:
        first = rows.remember("one")
        rows.turn("two")
        rows.link(first.memory, rows.remember("three").memory)
        rows.job("embed", due=1)
    scribe.follow(first, "one again")
    with scribe.store.snapshot() as snapshot:
        counts = snapshot.counts()
    expected = {"version": 3, "memory": 2, "evidence": 1, "link": 1, "record": 2, "job": 1, "tombstone": 0}
    assert {table: counts[table] for table in expected} == expected


def test_nothing_takes_the_place_of_a_row_that_is_there(scribe: Scribe) -> None:
    version = scribe.remember("one")
    with pytest.raises(MunimentError), scribe.writing() as rows:
        rows.remember("forged", n=version.n)
    with pytest.raises(MunimentError), scribe.writing() as rows:
        rows.remember("forged", memory=version.memory)
    with scribe.store.snapshot() as snapshot:
        assert [sealed.row for sealed in snapshot.history(version.memory)] == [version]
        assert snapshot.counts()["version"] == 1


def test_a_draft_is_the_same_on_every_store() -> None:
    """Whatever differs between stores then comes from the stores."""
    made = []
    for _ in range(2):
        draft = Draft(FIRST_HEAD, START, iter(range(9)))
        draft.remember("one")
        draft.turn("two")
        made.append(draft.changes())
    assert made[0] == made[1]
