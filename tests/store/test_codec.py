"""Does every row come back as it went in, and is a row that was never written refused?"""

import random
import zlib
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import limits
from muniment.domain.evidence import Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.ids import packed, spelled
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import Seal
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.timeline import Interval
from muniment.domain.trust import LIVE, Rank, Trust
from muniment.errors import BadTime, Tampered
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.candidates import candidates_of
from muniment.store.codec import Value
from muniment.store.row_values import evidence_values, version_values
from tests.contract.builders import FIRST_HEAD
from tests.store.named import named

SEAL = Seal(b"salt", 4, 2)
MOMENT = datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=UTC)
VERSION_ORDER = (
    "memory", "number", "n", "space", "kind", "text", "about", "attribute", "value", "many",
    "valid_from", "valid_until", "recorded", "trust", "before", "rank", "class", "untrusted",
    "author", "actor", "act", "value_digest", "slot_digest", "reason", "session", "occurred_at",
    "asserted_at", "expires_at", "tags",
)  # fmt: skip
EVIDENCE_ORDER = (
    "id", "n", "space", "kind", "text", "recorded", "class", "untrusted", "author", "session",
    "sequence", "role", "speaker", "source", "origin", "occurred_at", "state", "replaced", "parent",
)  # fmt: skip


def id_of(prefix: str, number: int = 7) -> str:
    return f"{prefix}_{spelled(number)}"


def version(**changed: object) -> Version:
    whole = Version(
        memory=id_of("m"),
        number=3,
        n=41,
        space=2,
        kind=Kind.DECISION,
        claim=Claim("The port is 8091", "staging", "port", "8091", many=True),
        valid=Interval(MOMENT, MOMENT + timedelta(days=3)),
        recorded=MOMENT + timedelta(microseconds=1),
        trust=Trust.DISPUTED,
        before=Trust.BELIEVED,
        rank=Rank.DOCUMENT,
        label=Label(DataClass.SECRET, True),
        author=5,
        actor=6,
        act="dispute",
        digests=Digests(b"v" * 12, b"s" * 12),
        reason="It was moved",
        session=9,
        occurred_at=MOMENT - timedelta(days=1),
        asserted_at=MOMENT - timedelta(hours=1),
        expires_at=MOMENT + timedelta(days=90),
        tags=("infra", "größe", "東京"),
    )
    return replace(whole, **changed)


def evidence(**changed: object) -> Evidence:
    whole = Evidence(
        id=id_of("e"),
        n=12,
        space=2,
        kind=EvidenceKind.NOTE,
        text="line one\nline two \U0001f98a",
        recorded=MOMENT,
        label=Label(DataClass.PUBLIC, True),
        author=3,
        session=4,
        sequence=5,
        role=Role.TOOL_RESULT,
        speaker="grep",
        source="log.jsonl",
        origin=b"o" * 16,
        occurred_at=MOMENT - timedelta(days=2),
        state=TurnState.ARCHIVED,
        replaced=2,
        parent="a#1",
    )
    return replace(whole, **changed)


def version_columns(one: Version) -> dict[str, Value]:
    return named("add_version", version_values(1, one, SEAL, terms=b""))


def stored_version(one: Version) -> tuple[object, ...]:
    columns = version_columns(one)
    return tuple(columns[name] for name in VERSION_ORDER)


def stored_evidence(one: Evidence) -> tuple[object, ...]:
    columns = named("add_evidence", evidence_values(1, one, SEAL, terms=b""))
    return tuple(columns[name] for name in EVIDENCE_ORDER)


def test_a_version_comes_back_as_it_went_in() -> None:
    assert codec.version_of(stored_version(version())) == version()


def test_a_version_of_the_fewest_parts_comes_back_as_it_went_in() -> None:
    least = version(
        claim=Claim("alone"),
        valid=Interval(MOMENT),
        label=Label(DataClass.PUBLIC),
        digests=Digests(b""),
        reason="",
        session=0,
        occurred_at=None,
        asserted_at=None,
        expires_at=None,
        tags=(),
    )
    absent = {"about", "attribute", "value", "reason", "tags", "slot_digest", "valid_until", "expires_at"}
    assert {name for name in absent if version_columns(least)[name] is None} == absent
    assert codec.version_of(stored_version(least)) == least


@pytest.mark.parametrize("trust", list(Trust))
@pytest.mark.parametrize("rank", list(Rank))
def test_every_trust_and_rank_comes_back(trust: Trust, rank: Rank) -> None:
    one = version(trust=trust, before=trust, rank=rank)
    assert codec.version_of(stored_version(one)) == one


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_comes_back(kind: Kind) -> None:
    assert codec.version_of(stored_version(version(kind=kind))).kind is kind


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("state", list(TurnState))
@pytest.mark.parametrize("kind", list(EvidenceKind))
def test_every_evidence_item_comes_back_as_it_went_in(
    role: Role, state: TurnState, kind: EvidenceKind
) -> None:
    one = evidence(role=role, state=state, kind=kind)
    assert codec.evidence_of(stored_evidence(one)) == one


def test_an_item_without_origin_and_time_comes_back() -> None:
    one = evidence(origin=b"", occurred_at=None)
    assert None in stored_evidence(one)
    assert codec.evidence_of(stored_evidence(one)) == one


def test_the_live_states_have_the_lowest_numbers() -> None:
    """The partial index of the schema says `trust > 1` for what is withheld."""
    assert set(codec.trust_numbers(tuple(LIVE))) == {0, 1}
    assert sorted(codec.trust_numbers(codec.TRUSTS)) == list(range(len(Trust)))


def test_enumerations_are_stored_in_the_order_of_their_first_release() -> None:
    """A number that meant something else would change every vault that exists."""
    assert codec.trust_numbers(["candidate", "believed", "disputed", "refuted"]) == [0, 1, 2, 3]
    assert codec.trust_numbers(["rejected", "superseded", "retired"]) == [4, 5, 6]
    assert codec.kind_numbers(["fact", "preference", "episode", "board"]) == [0, 1, 2, 15]
    assert codec.evidence_kind_numbers(["turn", "document", "chunk", "note"]) == [0, 1, 2, 3]
    assert [role.value for role in codec.ROLES] == [
        "user", "assistant", "tool_call", "tool_result", "system", "none",
    ]  # fmt: skip


def test_a_name_of_another_sort_matches_nothing_and_not_everything() -> None:
    assert codec.kind_numbers(["fact", "turn", "nonsense"]) == [0, -1, -1]
    assert codec.evidence_kind_numbers(["turn", "fact"]) == [0, -1]
    assert codec.kind_numbers([]) == []


def test_a_trust_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="believd"):
        codec.trust_numbers(["believd"])


@given(st.lists(st.text(st.characters(exclude_characters=" "), min_size=1), max_size=200))
def test_a_term_list_comes_back_whatever_its_terms(terms: list[str]) -> None:
    assert codec.term_text(codec.pressed(" ".join(terms))) == " ".join(terms)


def test_a_short_term_list_is_kept_plain_and_a_long_one_compressed(rng: random.Random) -> None:
    longest = "x" * limits.stored_terms_plain_bytes_max
    assert codec.pressed(longest) == b"\x00" + longest.encode()
    longer = codec.pressed(longest + "x")
    assert longer[:1] == b"\x01"
    assert len(longer) < 100
    assert codec.term_text(longer) == longest + "x"


def test_no_terms_are_no_bytes() -> None:
    assert codec.pressed("") == b""
    assert codec.term_text(b"") == ""


def candidate_row(**changed: object) -> tuple[object, ...]:
    columns = {
        "n": 5,
        "space": 2,
        "terms": codec.pressed("the port 8091"),
        "recorded": 10,
        "moment": 20,
        "rank": int(Rank.MANUAL),
        "trust": 1,
        "untrusted": 0,
        "role": 0,
        "speaker": "",
        "session": 0,
    }
    return tuple((columns | changed).values())


def test_the_terms_of_a_candidate_stand_between_spaces_so_that_counting_is_one_call() -> None:
    found = candidates_of([candidate_row()], Sort.MEMORY)[0]
    assert found.terms == " the  port  8091 "
    assert found.terms.count(" port ") == 1
    assert found.length == 3
    assert found.trust is Trust.BELIEVED
    assert found.cosine is None


def test_a_candidate_without_terms_has_no_length() -> None:
    assert candidates_of([candidate_row(terms=b"")], Sort.MEMORY)[0].length == 0


def test_a_candidate_of_evidence_has_a_role_and_no_rank() -> None:
    row = candidate_row(trust=None, role=1, speaker="Ada", session=9)
    (found,) = candidates_of([(*row, 0.25)], Sort.EVIDENCE)
    assert (found.rank, found.trust, found.role, found.speaker) == (0, None, "assistant", "Ada")
    assert (found.session, found.cosine) == (9, 0.25)


def test_a_candidate_of_memory_has_no_role() -> None:
    assert candidates_of([candidate_row()], Sort.MEMORY)[0].role == ""


def broken(row: tuple[object, ...], place: int, value: object) -> tuple[object, ...]:
    return (*row[:place], value, *row[place + 1 :])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory", b"short"),
        ("memory", "m_text"),
        ("memory", None),
        ("kind", 99),
        ("kind", "fact"),
        ("trust", 7),
        ("before", 99),
        ("rank", 45),
        ("class", 3),
        ("class", None),
        ("valid_from", None),
        ("valid_from", "yesterday"),
        ("valid_from", 2**63),
        ("valid_until", 0),
        ("recorded", -(2**62)),
        ("tags", "{"),
        ("tags", "5"),
    ],
)
def test_a_version_that_was_never_written_is_refused(name: str, value: object) -> None:
    row = stored_version(version())
    assert codec.version_of(row) == version()
    with pytest.raises(Tampered):
        codec.version_of(broken(row, VERSION_ORDER.index(name), value))


@pytest.mark.parametrize(
    ("name", "value"),
    [("id", b""), ("kind", 4), ("role", 6), ("state", 3), ("class", 9), ("recorded", None)],
)
def test_an_item_that_was_never_written_is_refused(name: str, value: object) -> None:
    row = stored_evidence(evidence())
    assert codec.evidence_of(row) == evidence()
    with pytest.raises(Tampered):
        codec.evidence_of(broken(row, EVIDENCE_ORDER.index(name), value))


def test_a_row_with_too_few_columns_is_refused() -> None:
    with pytest.raises(Tampered):
        codec.version_of(stored_version(version())[:20])
    with pytest.raises(Tampered):
        codec.seal_of((1, 2))


@pytest.mark.parametrize("terms", [b"\x01not compressed", b"\x01", b"\x00\xff\xfe", "a text"])
def test_terms_that_were_never_written_are_refused(terms: object) -> None:
    with pytest.raises(Tampered):
        candidates_of([candidate_row(terms=terms)], Sort.MEMORY)


def test_compressed_terms_are_really_decompressed() -> None:
    row = candidate_row(terms=b"\x01" + zlib.compress(b"one two"))
    assert candidates_of([row], Sort.MEMORY)[0].length == 2


@pytest.mark.parametrize("salt", ["a text where bytes were", None, 5])
def test_a_seal_that_is_no_bytes_is_refused(salt: object) -> None:
    assert codec.seal_of((b"salt", 4, 2)) == Seal(b"salt", 4, 2)
    with pytest.raises(Tampered):
        codec.seal_of((salt, 4, 2))


def test_a_seal_is_read_from_the_last_three_columns() -> None:
    assert codec.seal_of(("anything", 1, None, b"salt", 4, 2)) == Seal(b"salt", 4, 2)
    assert codec.seal_columns(Seal(b"salt", 4, 2)) == {"salt": b"salt", "record": 4, "idx": 2}


def test_the_head_comes_back_as_it_went_in() -> None:
    head = replace(FIRST_HEAD, size=3, frontier=b"f" * 64, mac=b"m" * 16)
    columns = codec.head_columns(head)
    assert set(columns) == {field.name for field in fields(head)}
    assert codec.head_of(tuple(columns[field.name] for field in fields(head))) == head


@pytest.mark.parametrize("place", [2, 8])
def test_a_head_whose_frontier_or_seal_is_a_text_is_refused(place: int) -> None:
    row = tuple(codec.head_columns(FIRST_HEAD).values())
    assert codec.head_of(row) == FIRST_HEAD
    with pytest.raises(Tampered):
        codec.head_of(broken(row, place, "text"))


def test_a_record_comes_back_and_one_of_text_is_refused() -> None:
    found = codec.record_of((4, 10, b"head", b"rows"))
    assert (found.position, found.head, found.rows) == (4, b"head", b"rows")
    with pytest.raises(Tampered):
        codec.record_of((4, 10, "head", b"rows"))
    with pytest.raises(Tampered):
        codec.record_of((4, 10, b"head", None))


def test_a_sealed_head_comes_back_and_one_without_its_mac_is_refused() -> None:
    row = (packed(id_of("m")), 3, 41, 1, b"mac")
    found = codec.head_seal_of(row)
    assert (found.memory, found.number, found.n, found.trust) == (id_of("m"), 3, 41, Trust.BELIEVED)
    with pytest.raises(Tampered):
        codec.head_seal_of(broken(row, 4, None))


def test_a_link_comes_back_with_and_without_a_span() -> None:
    row = (packed(id_of("l")), packed(id_of("m", 1)), packed(id_of("e", 2)), "derived_from", 0.5, 9, 1, 2)
    assert codec.link_of((*row, 3, 8)).span == Span(3, 8)
    assert codec.link_of((*row, None, None)).span is None
    with pytest.raises(Tampered):
        codec.link_of((*broken(row, 3, "befriends"), None, None))


def test_a_tombstone_that_lifts_names_what_it_lifts() -> None:
    row = (
        packed(id_of("t")), packed(id_of("m")), 1, "rejected", b"p", b"f", b"s", b"", 1, "n1",
        2, 3, 10, "why", 0, b"", b"by",
    )  # fmt: skip
    standing = codec.tombstone_of(row)
    assert (standing.lifted, standing.lifts) == (False, "")
    lifting = codec.tombstone_of((*row[:14], 1, packed(id_of("t", 8)), b"by"))
    assert (lifting.lifted, lifting.lifts) == (True, id_of("t", 8))
    with pytest.raises(Tampered):
        codec.tombstone_of(broken(row, 3, "forgotten"))


def test_the_small_rows_come_back() -> None:
    session = codec.session_of((packed(id_of("s")), 4, "s-1", 1, "coder", 10, 1, 1, 7, "title", "file"))
    assert (session.name, session.turns, session.label.untrusted) == ("s-1", 7, True)
    assert codec.space_of((1, "home", "auto", 2, 10)).path == "home"
    assert codec.actor_of((1, "ada", "owner", 10)).name == "ada"
    key = codec.credential_of((1, "pub", b"d", "ada", "agent", "home", "[]", 10, 1))
    assert (key.public_id, key.revoked) == ("pub", True)
    recall = codec.recall_of((1, 10, 0, 2, "ferry", "found", 1, 0, '["m_1@2"]'))
    assert recall.hits == ("m_1@2",)
    with pytest.raises(Tampered):
        codec.recall_of((1, 10, 0, 2, "ferry", "found", 1, 0, "not a list"))


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)))
def test_a_moment_comes_back_to_the_microsecond(moment: datetime) -> None:
    assert codec.moment(codec.micros(moment)) == moment


def test_no_moment_is_no_column() -> None:
    assert codec.micros(None) is None
    assert codec.moment(None) is None
    with pytest.raises(BadTime):
        codec.micros(datetime(2026, 1, 1))
