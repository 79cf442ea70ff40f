"""Does the commitment of a row cover every field that can be read back, and each on its own? (I6)"""

from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain import erased_rows, rows
from muniment.domain.evidence import EvidenceKind, Role, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import COMMITMENT_BYTES, RowCode, canonical_row, commitment
from muniment.domain.link import LinkType
from muniment.domain.matter import matter_bytes
from muniment.domain.memory import Claim, Kind, Version
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import TombstoneKind
from muniment.domain.trust import Rank, Trust
from muniment.errors import BadTime
from tests.domain.samples import AT, LEAVES, ROWS, VERSION, altered, changed, leaves, name_of

BYTES: dict[RowCode, Callable[[Any], bytes]] = {
    RowCode.VERSION: rows.version_bytes,
    RowCode.EVIDENCE: rows.evidence_bytes,
    RowCode.LINK: rows.link_bytes,
    RowCode.TOMBSTONE: rows.tombstone_bytes,
    RowCode.SESSION: rows.session_bytes,
    RowCode.RECALL: rows.recall_bytes,
    RowCode.CREDENTIAL: rows.credential_bytes,
    RowCode.SPACE: rows.space_bytes,
    RowCode.MATTER: matter_bytes,
    RowCode.ACTOR: rows.actor_bytes,
    RowCode.STUB: erased_rows.stub_bytes,
    RowCode.CERTIFICATE: erased_rows.certificate_bytes,
}

# What changes later without another row: a turn's state, and what a session has read since
# its birth.  Each such change has a record of its own.
NOT_COVERED = {
    (RowCode.EVIDENCE, ("state",)),
    (RowCode.SESSION, ("label", "data_class")),
    (RowCode.SESSION, ("label", "untrusted")),
    (RowCode.SESSION, ("turns",)),
}
COVERED = [leaf for leaf in LEAVES if leaf not in NOT_COVERED]
KEY, SALT = b"k" * 32, b"s" * 12


def whole(code: RowCode) -> bytes:
    return BYTES[code](ROWS[code])


def test_every_kind_of_row_has_its_bytes() -> None:
    assert set(BYTES) == set(RowCode) == set(ROWS)


@pytest.mark.parametrize(("code", "path"), LEAVES, ids=name_of)
def test_a_sample_has_no_field_at_its_default(code: RowCode, path: tuple[str, ...]) -> None:
    """Else the tests below could change a value to what it is when nobody gives it."""
    owner: object = ROWS[code]
    for name in path[:-1]:
        owner = getattr(owner, name)
    (field,) = (one for one in fields(owner) if one.name == path[-1])
    assert field.default is MISSING or getattr(owner, path[-1]) != field.default


@pytest.mark.parametrize(("code", "path"), COVERED, ids=name_of)
def test_one_changed_field_changes_the_bytes_and_the_commitment(code: RowCode, path: tuple[str, ...]) -> None:
    other = BYTES[code](changed(ROWS[code], path))
    assert other != whole(code)
    assert commitment(KEY, SALT, other) != commitment(KEY, SALT, whole(code))


@pytest.mark.parametrize(("code", "path"), sorted(NOT_COVERED), ids=name_of)
def test_what_changes_later_is_left_out(code: RowCode, path: tuple[str, ...]) -> None:
    row = changed(ROWS[code], path)
    assert row != ROWS[code]
    assert BYTES[code](row) == whole(code)


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_no_two_single_changes_give_the_same_bytes(code: RowCode) -> None:
    """No field is spelled where a neighbour's value could take its place."""
    paths = [path for each, path in COVERED if each is code]
    found = {BYTES[code](changed(ROWS[code], path)) for path in paths}
    assert len(found) == len(paths)


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_equal_rows_give_equal_bytes(code: RowCode) -> None:
    row = ROWS[code]
    path = next(leaves(row))
    name = path[0]
    twin = replace(changed(row, path), **{name: getattr(row, name)})
    assert twin is not row and twin == row
    assert BYTES[code](twin) == whole(code)


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_the_bytes_are_one_ascii_line_that_begins_with_the_kind(code: RowCode) -> None:
    assert whole(code).startswith(f"[{int(code)},".encode())
    assert whole(code).isascii() and b"\n" not in whole(code)


def test_the_same_values_as_another_kind_are_other_bytes() -> None:
    assert canonical_row(RowCode.SPACE, ("a", 1)) != canonical_row(RowCode.ACTOR, ("a", 1))


def versions(**change: object) -> bytes:
    return rows.version_bytes(replace(VERSION, **change))


@pytest.mark.parametrize(
    ("field", "values"),
    [("kind", Kind), ("trust", Trust), ("before", Trust), ("rank", Rank)],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_every_state_of_a_version_has_bytes_of_its_own(field: str, values: type[Any]) -> None:
    assert len({versions(**{field: value}) for value in values}) == len(values)


@pytest.mark.parametrize(
    ("code", "field", "values"),
    [
        (RowCode.EVIDENCE, "kind", EvidenceKind),
        (RowCode.EVIDENCE, "role", Role),
        (RowCode.LINK, "type", LinkType),
        (RowCode.TOMBSTONE, "kind", TombstoneKind),
    ],
)
def test_every_kind_within_a_row_has_bytes_of_its_own(code: RowCode, field: str, values: type[Any]) -> None:
    assert len({BYTES[code](replace(ROWS[code], **{field: value})) for value in values}) == len(values)


def test_every_turn_state_gives_the_same_bytes() -> None:
    row = ROWS[RowCode.EVIDENCE]
    assert len({rows.evidence_bytes(replace(row, state=state)) for state in TurnState}) == 1


@pytest.mark.parametrize("code", [RowCode.VERSION, RowCode.EVIDENCE, RowCode.RECALL], ids=name_of)
def test_every_label_has_bytes_of_its_own(code: RowCode) -> None:
    labels = [Label(data_class, untrusted) for data_class in DataClass for untrusted in (False, True)]
    assert len({BYTES[code](replace(ROWS[code], label=label)) for label in labels}) == len(labels)


def test_text_that_moves_between_neighbours_is_other_bytes() -> None:
    """`ab` beside `c` is not `a` beside `bc`, nor any spelling with quotes and commas in it."""
    splits = [("ab", "c"), ("a", "bc"), ("", "abc"), ("abc", ""), ('ab","c', ""), ('a","', "bc")]
    found = {versions(claim=Claim("text", about=about, attribute=rest)) for about, rest in splits}
    assert len(found) == len(splits)


def test_tags_are_covered_in_their_order_and_number() -> None:
    given = [(), ("",), ("a", "b"), ("b", "a"), ("a,b",), ("a", "b", "b"), ('a","b',)]
    assert len({versions(tags=tags) for tags in given}) == len(given)


@pytest.mark.parametrize("field", ["occurred_at", "asserted_at", "expires_at"])
def test_no_moment_is_another_thing_than_the_first_moment(field: str) -> None:
    epoch = datetime(1970, 1, 1, tzinfo=AT.tzinfo)
    assert versions(**{field: None}) != versions(**{field: epoch})


def test_an_open_interval_is_another_thing_than_one_that_is_empty() -> None:
    assert versions(valid=Interval(AT)) != versions(valid=Interval(AT, AT))


def test_a_link_without_a_span_is_another_thing_than_one_to_an_empty_span() -> None:
    link = ROWS[RowCode.LINK]
    empty = replace(link, span=replace(link.span, start=0, end=0))
    assert rows.link_bytes(replace(link, span=None)) != rows.link_bytes(empty)


def test_a_moment_is_covered_as_a_moment_not_as_it_is_written() -> None:
    there = AT.astimezone(timezone(timedelta(hours=-7)))
    assert there == AT and there.isoformat() != AT.isoformat()
    assert versions(recorded=there) == versions(recorded=AT)


@pytest.mark.parametrize("field", ["recorded", "occurred_at", "expires_at"])
def test_a_moment_without_a_zone_has_no_bytes(field: str) -> None:
    with pytest.raises(BadTime):
        versions(**{field: AT.replace(tzinfo=None)})


@pytest.mark.parametrize("value", [object(), {1}, 1j, Label()])
def test_a_value_without_a_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no canonical form"):
        canonical_row(RowCode.ACTOR, (value,))


def test_yes_one_and_one_point_nought_are_three_things() -> None:
    assert len({canonical_row(RowCode.ACTOR, (value,)) for value in (True, 1, 1.0, "1", None)}) == 5


def test_bytes_are_another_thing_than_no_bytes_and_than_other_bytes() -> None:
    given = [b"", b"\x00", b"\x00\x00", b"\x0a", b"\xa0"]
    assert len({canonical_row(RowCode.ACTOR, (value,)) for value in given}) == len(given)


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)


@settings(max_examples=60)
@given(ANY_TEXT, ANY_TEXT)
def test_two_texts_share_their_bytes_only_when_they_are_one(one: str, other: str) -> None:
    same = versions(claim=Claim(one)) == versions(claim=Claim(other))
    assert same is (one == other)
    assert versions(reason=one).isascii()


@settings(max_examples=40)
@given(st.tuples(ANY_TEXT, ANY_TEXT), st.tuples(ANY_TEXT, ANY_TEXT))
def test_two_pairs_of_texts_share_their_bytes_only_when_they_are_one(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    first, second = (canonical_row(RowCode.ACTOR, pair) for pair in (one, other))
    assert (first == second) is (one == other)


@pytest.mark.parametrize("value", [True, "ab", "a", b"xy", 3, 0.5, AT, ("a", "b"), Trust.BELIEVED, Rank.LIVE])
def test_an_altered_value_is_another_one_of_its_type(value: object) -> None:
    """The tests above would prove nothing if an altered value could be the old one."""
    assert altered(value) != value
    assert type(altered(value)) is type(value)


def test_a_commitment_depends_on_key_salt_and_row() -> None:
    row = whole(RowCode.SPACE)
    found = {
        commitment(KEY, SALT, row),
        commitment(KEY[:-1] + b"x", SALT, row),
        commitment(KEY, SALT[:-1] + b"x", row),
        commitment(KEY, SALT, row + b" "),
    }
    assert len(found) == 4
    assert {len(each) for each in found} == {COMMITMENT_BYTES}


def _walked(row: Any) -> bytes:
    """Return what the encoder that walks a list makes of a version or an evidence item."""
    label = (int(row.label.data_class), row.label.untrusted)
    if isinstance(row, Version):
        claim, valid = row.claim, row.valid
        return canonical_row(
            RowCode.VERSION,
            (
                row.memory, row.number, row.n, row.space, row.kind,
                claim.text, claim.about, claim.attribute, claim.value, claim.many,
                valid.start, valid.end, row.recorded, row.trust, row.before, int(row.rank), *label,
                row.author, row.actor, row.act, row.digests.value, row.digests.slot,
                row.reason, row.session, row.occurred_at, row.asserted_at, row.expires_at, row.tags,
            ),
        )  # fmt: skip
    return canonical_row(
        RowCode.EVIDENCE,
        (
            row.id, row.n, row.space, row.kind, row.text, row.recorded, *label, row.author, row.session,
            row.sequence, row.role, row.speaker, row.source, row.origin, row.occurred_at, row.replaced,
            row.parent,
        ),
    )  # fmt: skip


MOMENTS = st.none() | st.datetimes(timezones=st.just(UTC))


@settings(max_examples=150)
@given(st.data(), st.text(max_size=30), st.text(max_size=30), MOMENTS, st.booleans())
def test_the_rows_that_are_spelled_out_are_those_an_encoder_makes(
    data: st.DataObject, text: str, other: str, at: datetime | None, is_so: bool
) -> None:
    label = Label(data.draw(st.sampled_from(DataClass)), is_so)
    version = replace(
        VERSION,
        kind=data.draw(st.sampled_from(Kind)),
        trust=data.draw(st.sampled_from(Trust)),
        before=data.draw(st.sampled_from(Trust)),
        rank=data.draw(st.sampled_from(Rank)),
        claim=Claim(text, other, text, other, is_so),
        valid=Interval(AT, at if at is not None and at > AT else None),
        label=label,
        act=other,
        reason=text,
        occurred_at=at,
        asserted_at=at,
        expires_at=at,
        tags=tuple(data.draw(st.lists(st.text(max_size=5), max_size=3))),
    )
    assert rows.version_bytes(version) == _walked(version)
    item = replace(
        ROWS[RowCode.EVIDENCE],
        kind=data.draw(st.sampled_from(EvidenceKind)),
        role=data.draw(st.sampled_from(Role)),
        text=text,
        speaker=other,
        source=text,
        parent=other,
        label=label,
        occurred_at=at,
        origin=text.encode("utf-8", "surrogatepass"),
    )
    assert rows.evidence_bytes(item) == _walked(item)
