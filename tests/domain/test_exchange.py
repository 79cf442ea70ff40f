"""Is every column of every row spelled, once, and read back as it was?"""

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.erased_rows import CertificateRow, StubRow
from muniment.domain.evidence import Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.exchange import (
    Carried,
    Header,
    carried_line,
    carried_of,
    fields_of,
    header_line,
    header_of,
    keys_line,
    keys_of,
    line,
    record_line,
    record_of,
)
from muniment.domain.ids import spelled
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import Record, RowCode, Seal
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.row_columns import columns
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import Keys, Tombstone, TombstoneKind
from muniment.domain.trust import Rank, Trust
from muniment.domain.vault_keys import VaultKeys
from muniment.errors import BadInput

AT = datetime(2026, 3, 2, 9, 30, 0, 123456, tzinfo=UTC)
M, E, T = (f"{letter}_{spelled(1 << 100)}" for letter in "met")
SEAL = Seal(bytes(range(12)), 7, 2)
PRIVATE = Label(DataClass.PRIVATE, True)

VERSION = Version(
    M, 2, 9, 3, Kind.PREFERENCE, Claim("té \U0001f375\n\u2028", "tea", "time", "four", True),
    Interval(AT, AT + timedelta(days=1)), AT, Trust.DISPUTED, Trust.BELIEVED, Rank.IMPORT,
    PRIVATE, 1, 2, "dispute", Digests(b"\x00v", b"s"), "why", 4, AT, AT, AT, ("a", "b"),
)  # fmt: skip
ROWS = {
    RowCode.VERSION: VERSION,
    RowCode.EVIDENCE: Evidence(
        E, 5, 3, EvidenceKind.CHUNK, "text", AT, PRIVATE, 1, 4, 2, Role.TOOL_CALL, "Zoë", "guide.md", b"\xff",
        AT, TurnState.REWOUND, 3, "up",
    ),
    RowCode.LINK: Link(f"l_{spelled(3)}", M, E, LinkType.DERIVED_FROM, 0.1, AT, 3, 1, Span(0, 4)),
    RowCode.TOMBSTONE: Tombstone(
        T, M, 3, TombstoneKind.ERASED, Keys(b"p", b"f", b"s"), b"slot", 2, "n1", 5, 1, AT, "because", True, T,
    ),
    RowCode.SESSION: Conversation(f"s_{spelled(4)}", 4, "s-1", 3, "coder", AT, PRIVATE, 9, "title", "source"),
    RowCode.RECALL: RecallRow(6, AT, 4, 1, "when?", "found", PRIVATE, (f"{M}@2", E)),
    RowCode.CREDENTIAL: CredentialRow(7, "pub", b"\x01\x02", "robot", "agent", "home", "{}", AT, True),
    RowCode.SPACE: SpaceRow(3, "acme/eng", "auto", 1, AT),
    RowCode.MATTER: Matter(
        8, f"c_{spelled(5)}", MatterKind.DISPUTE, 3, MatterState.MOOT, "doubted", PRIVATE, 1, AT, M, 2, E, 1,
        "merge", "body", b"\x01", "why",
    ),
    RowCode.ACTOR: ActorRow(1, "owner", "owner", AT),
    RowCode.STUB: StubRow(8, RowCode.LINK, b"i" * 16, 2, 1, f"x_{spelled(5)}", 3, b"origin"),
    RowCode.CERTIFICATE: CertificateRow(9, f"x_{spelled(5)}", "logical", AT, "a note\n"),
}  # fmt: skip
"""One row of each kind in which every field differs from its default."""


def _back(carried: Carried) -> Carried:
    return carried_of(fields_of(carried_line(carried)))


def test_there_is_a_row_of_every_kind() -> None:
    assert set(ROWS) == set(RowCode)
    assert all(columns(row)[0] is code for code, row in ROWS.items())


@pytest.mark.parametrize("code", RowCode, ids=lambda code: code.name.lower())
def test_a_row_comes_back_as_it_was(code: RowCode) -> None:
    carried = Carried(code, ROWS[code], SEAL, (b"d1", b"d2") if code is RowCode.TOMBSTONE else ())
    assert _back(carried) == carried
    assert carried_line(_back(carried)) == carried_line(carried)


@pytest.mark.parametrize("code", RowCode, ids=lambda code: code.name.lower())
def test_no_field_of_a_row_is_left_out(code: RowCode) -> None:
    """Each field changed alone gives another line: nothing is spelled by a neighbour's value."""
    row = ROWS[code]
    whole = carried_line(Carried(code, row, SEAL))
    for each in fields(row):
        value = getattr(row, each.name)
        assert carried_line(Carried(code, replace(row, **{each.name: _other(value)}), SEAL)) != whole, (
            each.name
        )


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case datetime():
            return value + timedelta(microseconds=1)
        case Label():
            return Label(DataClass.SECRET, not value.untrusted)
        case Interval():
            return Interval(value.start)
        case Claim():
            return replace(value, text=value.text + "!")
        case Digests() | Keys():
            return replace(value, **{fields(value)[0].name: b"other"})
        case Span():
            return Span(value.start, value.end + 1)
        case _:
            return _other_plain(value)


MATTERS = (MatterKind, MatterState)


def _other_plain(value: object) -> object:
    for kinds in (Kind, Trust, Rank, EvidenceKind, Role, TurnState, LinkType, TombstoneKind, *MATTERS):
        if isinstance(value, kinds):
            return next(one for one in kinds if one is not value)
    match value:
        case str():
            return value + "!"
        case bytes():
            return value + b"!"
        case tuple():
            return (*value, "more")
        case int() | float():
            return value + 0.5 if isinstance(value, float) else value + 1
    raise AssertionError(type(value))


@pytest.mark.parametrize("code", RowCode, ids=lambda code: code.name.lower())
def test_a_row_that_lacks_a_member_is_refused(code: RowCode) -> None:
    whole = dict(fields_of(carried_line(Carried(code, ROWS[code], SEAL))))
    for name in set(whole) - {"digests"}:
        with pytest.raises(BadInput):
            carried_of({key: value for key, value in whole.items() if key != name})
    assert carried_of(whole).row == ROWS[code]


@pytest.mark.parametrize("code", RowCode, ids=lambda code: code.name.lower())
def test_a_member_of_another_type_is_refused(code: RowCode) -> None:
    whole = dict(fields_of(carried_line(Carried(code, ROWS[code], SEAL))))
    for name in set(whole) - {"digests"}:
        for wrong in ({}, ["x", 1, "z", "u"], 1 << 63):
            with pytest.raises(BadInput):
                carried_of(whole | {name: wrong})


@pytest.mark.parametrize("wrong", [True, 1.5, "1", None, -(1 << 63), 1 << 70])
def test_a_number_is_a_number_of_64_bits(wrong: object) -> None:
    whole = dict(fields_of(carried_line(Carried(RowCode.SPACE, ROWS[RowCode.SPACE], SEAL))))
    with pytest.raises(BadInput):
        carried_of(whole | {"class_max": wrong})
    assert carried_of(whole | {"class_max": (1 << 62)})


def test_what_may_be_missing_in_a_row_comes_back_missing() -> None:
    bare = replace(
        VERSION, valid=Interval(AT), occurred_at=None, asserted_at=None, expires_at=None, tags=(), reason=""
    )
    assert _back(Carried(RowCode.VERSION, bare, SEAL)).row == bare
    link = replace(ROWS[RowCode.LINK], span=None)
    assert _back(Carried(RowCode.LINK, link, SEAL)).row == link


@given(st.text(), st.text(max_size=20), st.integers(0, (1 << 62)))
def test_any_text_comes_back_in_one_ascii_line(text: str, tag: str, number: int) -> None:
    row = replace(VERSION, claim=Claim(text), tags=(tag,), n=number)
    spelled_row = carried_line(Carried(RowCode.VERSION, row, SEAL))
    assert spelled_row.isascii() and spelled_row.count(b"\n") == 1 and spelled_row.endswith(b"\n")
    assert len(spelled_row.splitlines()) == 1
    assert _back(Carried(RowCode.VERSION, row, SEAL)).row == row


@given(st.binary(max_size=60), st.binary(max_size=99), st.integers(0, 1 << 40))
def test_a_record_comes_back_byte_for_byte(head: bytes, rows: bytes, position: int) -> None:
    record = Record(position, AT, head, rows)
    assert record_of(fields_of(record_line(record))) == record


def test_members_stand_in_one_order_and_without_spaces() -> None:
    assert line({"b": 1, "a": "é"}) == b'{"a":"\\u00e9","b":1}\n'


HEADER = Header("v-1", 3, bytes(32), 12, 13, 14)


def test_the_first_line_comes_back() -> None:
    assert header_of(header_line(HEADER)) == HEADER


@pytest.mark.parametrize("change", [
    {"muniment": "keys"}, {"version": 2}, {"version": "1"}, {"size": "3"}, {"root": "zz"}, {"vault": 1},
    {"next_n": None},
])  # fmt: skip
def test_another_first_line_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        header_of(json.dumps(json.loads(header_line(HEADER)) | change).encode())


KEYS = VaultKeys("v-1", b"k" * 32, ((1, b"a" * 32), (2, b"b" * 32)))


def test_keys_come_back_and_are_not_shown() -> None:
    assert keys_of(keys_line(KEYS)) == KEYS
    assert "kkk" not in repr(KEYS) and "aaa" not in repr(KEYS)


@pytest.mark.parametrize("change", [
    {"muniment": "export"}, {"version": 2}, {"vault_key": 1}, {"vault_key": "k"}, {"tombstone_keys": {}},
    {"tombstone_keys": {"1": "aa", "3": "bb"}}, {"tombstone_keys": []}, {"tombstone_keys": {"2": "aa"}},
])  # fmt: skip
def test_keys_with_a_gap_or_of_another_form_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        keys_of(json.dumps(json.loads(keys_line(KEYS)) | change).encode())


@pytest.mark.parametrize(
    "spelled_line", [b"", b"no", b"[]", b"1", b"null", b'{"a":', b"\xff", b"[" * 100_000]
)
def test_what_is_no_object_is_refused(spelled_line: bytes) -> None:
    with pytest.raises(BadInput):
        fields_of(spelled_line)
