"""Does every kind of row come back from its columns, and is a wrong column refused?"""

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.evidence import EvidenceKind, Role, Span, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import RowCode
from muniment.domain.link import LinkType
from muniment.domain.memory import Kind
from muniment.domain.row_columns import NAMES, columns, row_of
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import TombstoneKind
from muniment.domain.trust import Rank, Trust
from muniment.errors import BadTime, MunimentError
from tests.domain.samples import AT, LEAVES, ROWS, VERSION, changed, name_of

REFUSED = (KeyError, TypeError, ValueError, MunimentError)

# The columns of each kind, written out a second time: they are the form of every export,
# so a renamed one is a new version of the form.
COLUMNS = {
    RowCode.VERSION: "memory number n space kind text about attribute value many valid_from valid_until "
    "recorded trust before rank class untrusted author actor act value_digest slot_digest reason session "
    "occurred_at asserted_at expires_at tags",
    RowCode.EVIDENCE: "id n space kind text recorded class untrusted author session sequence role speaker "
    "source origin occurred_at state replaced parent",
    RowCode.LINK: "id source target type weight recorded space actor span",
    RowCode.TOMBSTONE: "id memory space kind keys slot key_id normaliser generation actor recorded reason "
    "lifted lifts found_by",
    RowCode.SESSION: "id n name space agent started class untrusted turns title source",
    RowCode.RECALL: "n asked session actor query outcome class untrusted hits",
    RowCode.CREDENTIAL: "n public_id digest actor role home rights made revoked",
    RowCode.SPACE: "n path dial class_max made",
    RowCode.MATTER: "n id kind space state why class untrusted actor recorded new new_version old "
    "old_version decision body digest reason",
    RowCode.ACTOR: "n name role made",
    RowCode.STUB: "n code entry_id record index erasure space origin",
    RowCode.CERTIFICATE: "n erasure status made note",
}


def members(code: RowCode) -> dict[str, object]:
    """Return the columns of a kind's sample as a reader gets them: after JSON."""
    found: dict[str, object] = json.loads(json.dumps(columns(ROWS[code])[1]))
    return found


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_the_columns_of_a_kind_are_these_in_this_order(code: RowCode) -> None:
    named, found = columns(ROWS[code])
    assert named is code
    assert list(found) == COLUMNS[code].split()


def test_every_kind_has_a_name_of_its_own() -> None:
    assert set(NAMES) == set(RowCode)
    assert len(set(NAMES.values())) == len(RowCode)
    assert NAMES[RowCode.VERSION] == "version"


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_a_row_comes_back_through_json(code: RowCode) -> None:
    assert row_of(code, members(code)) == ROWS[code]


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_each_field_comes_back_on_its_own(code: RowCode) -> None:
    for path in (path for each, path in LEAVES if each is code):
        row = changed(ROWS[code], path)
        spelled: dict[str, object] = json.loads(json.dumps(columns(row)[1]))
        assert row_of(code, spelled) == row != ROWS[code]
        assert sum(spelled[name] != value for name, value in members(code).items()) == 1, path


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_a_row_without_one_of_its_columns_is_refused(code: RowCode) -> None:
    for name in COLUMNS[code].split():
        whole = members(code)
        del whole[name]
        with pytest.raises(KeyError, match=name):
            row_of(code, whole)


MAY_BE_NONE = {
    (RowCode.VERSION, "valid_until"): "valid",
    (RowCode.VERSION, "occurred_at"): "occurred_at",
    (RowCode.VERSION, "asserted_at"): "asserted_at",
    (RowCode.VERSION, "expires_at"): "expires_at",
    (RowCode.EVIDENCE, "occurred_at"): "occurred_at",
    (RowCode.LINK, "span"): "span",
}

# What a column of a type may not hold: neither another type nor what could be taken for one.
WRONG: dict[type, tuple[object, ...]] = {
    str: (None, 0, False, ["a"], b"a"),
    bool: (None, 0, 1, "true", ""),
    int: (True, 1.0, "1", 1 << 63, -(1 << 63)),
    float: (True, 1, "0.5", None),
    list: (None, "ab", 1, {"a": 1}, [[1]], [None]),
}


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_a_column_of_another_type_is_refused(code: RowCode) -> None:
    whole = members(code)
    for name, value in whole.items():
        for wrong in (*WRONG[type(value)], {"a": 1}, object()):
            if wrong is None and (code, name) in MAY_BE_NONE:
                continue
            with pytest.raises(REFUSED):
                row_of(code, {**whole, name: wrong})


@pytest.mark.parametrize(("code", "name"), sorted(MAY_BE_NONE), ids=str)
def test_what_may_be_missing_may_be_null(code: RowCode, name: str) -> None:
    found = row_of(code, {**members(code), name: None})
    value = getattr(found, MAY_BE_NONE[code, name])
    assert value is None or value == Interval(AT)
    assert columns(found)[1][name] is None


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_nothing_else_may_be_null(code: RowCode) -> None:
    for name in COLUMNS[code].split():
        if (code, name) not in MAY_BE_NONE:
            with pytest.raises(TypeError):
                row_of(code, {**members(code), name: None})


@pytest.mark.parametrize(
    ("code", "name", "values"),
    [
        (RowCode.VERSION, "kind", Kind),
        (RowCode.VERSION, "trust", Trust),
        (RowCode.VERSION, "before", Trust),
        (RowCode.EVIDENCE, "kind", EvidenceKind),
        (RowCode.EVIDENCE, "role", Role),
        (RowCode.EVIDENCE, "state", TurnState),
        (RowCode.LINK, "type", LinkType),
        (RowCode.TOMBSTONE, "kind", TombstoneKind),
    ],
)
def test_every_state_comes_back_and_an_unknown_one_is_refused(
    code: RowCode, name: str, values: type[Any]
) -> None:
    for value in values:
        row = replace(ROWS[code], **{name: value})
        assert columns(row)[1][name] == value.value
        assert getattr(row_of(code, columns(row)[1]), name) is value
    for wrong in ("", "unheard-of", next(iter(values)).name):
        with pytest.raises(ValueError):
            row_of(code, {**members(code), name: wrong})


@pytest.mark.parametrize("rank", Rank)
def test_every_rank_comes_back_by_its_name(rank: Rank) -> None:
    """By name: two ranks weigh the same, and a number would tie the form to the weights."""
    found = columns(replace(VERSION, rank=rank))[1]
    assert found["rank"] == rank.name.lower()
    assert row_of(RowCode.VERSION, found).rank is rank
    with pytest.raises(REFUSED):
        row_of(RowCode.VERSION, {**found, "rank": int(rank)})


@pytest.mark.parametrize("code", [RowCode.VERSION, RowCode.EVIDENCE, RowCode.SESSION, RowCode.RECALL])
def test_every_label_comes_back_and_an_unknown_class_is_refused(code: RowCode) -> None:
    for data_class in DataClass:
        for untrusted in (False, True):
            label = Label(data_class, untrusted)
            row = replace(ROWS[code], label=label)
            assert row_of(code, columns(row)[1]).label == label
    with pytest.raises(KeyError):
        row_of(code, {**members(code), "class": "topmost"})


@pytest.mark.parametrize(
    "wrong", [[], [1], [1, 2, 3], [1, "2"], [True, 2], [1.0, 2], "12", {"start": 1, "end": 2}, 12]
)
def test_a_span_is_two_whole_numbers(wrong: object) -> None:
    with pytest.raises(REFUSED):
        row_of(RowCode.LINK, {**members(RowCode.LINK), "span": wrong})
    assert row_of(RowCode.LINK, {**members(RowCode.LINK), "span": [0, 0]}).span == Span(0, 0)


@pytest.mark.parametrize("wrong", [1, "0.5", None, True, [0.5]])
def test_a_weight_is_a_fraction_and_never_a_whole_number(wrong: object) -> None:
    with pytest.raises(TypeError, match="weight"):
        row_of(RowCode.LINK, {**members(RowCode.LINK), "weight": wrong})
    for weight in (0.0, 0.1, 1.0):
        assert row_of(RowCode.LINK, {**members(RowCode.LINK), "weight": weight}).weight == weight


@pytest.mark.parametrize("wrong", [[], ["61"], ["61", "62"], ["61", "62", "63", "64"], ["61", "62", "zz"]])
def test_a_tombstone_has_three_keys(wrong: list[str]) -> None:
    with pytest.raises(ValueError):
        row_of(RowCode.TOMBSTONE, {**members(RowCode.TOMBSTONE), "keys": wrong})


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (RowCode.VERSION, "value_digest"),
        (RowCode.VERSION, "slot_digest"),
        (RowCode.EVIDENCE, "origin"),
        (RowCode.TOMBSTONE, "slot"),
        (RowCode.CREDENTIAL, "digest"),
    ],
)
def test_bytes_are_even_hexadecimal(code: RowCode, name: str) -> None:
    for wrong in ("f", "0x00", "gg", "\u0661\u0661"):
        with pytest.raises(ValueError):
            row_of(code, {**members(code), name: wrong})
    assert columns(row_of(code, {**members(code), name: ""}))[1][name] == ""


@pytest.mark.parametrize(("code", "name"), [(RowCode.VERSION, "tags"), (RowCode.RECALL, "hits")])
def test_a_list_of_texts_is_nothing_else(code: RowCode, name: str) -> None:
    for wrong in ("ab", [1], ["a", None], ("a",), {"a": 1}):
        with pytest.raises(TypeError):
            row_of(code, {**members(code), name: wrong})
    assert getattr(row_of(code, {**members(code), name: []}), name) == ()


def test_an_interval_that_ends_before_it_begins_is_refused() -> None:
    whole = members(RowCode.VERSION)
    start = whole["valid_from"]
    assert isinstance(start, int)
    assert row_of(RowCode.VERSION, {**whole, "valid_until": start}).valid.empty
    with pytest.raises(BadTime):
        row_of(RowCode.VERSION, {**whole, "valid_until": start - 1})


@pytest.mark.parametrize("beyond", [1 << 62, -(1 << 62)])
def test_a_moment_beyond_the_calendar_is_refused(beyond: int) -> None:
    with pytest.raises(OverflowError):
        row_of(RowCode.ACTOR, {**members(RowCode.ACTOR), "made": beyond})


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_a_stranger_among_the_columns_changes_nothing(code: RowCode) -> None:
    """The line of a row has members of its own beside the columns: its kind and its seal."""
    assert row_of(code, {**members(code), "seal": ["00", 1, 2], "row": "x"}) == ROWS[code]


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_the_row_of_another_kind_is_refused(code: RowCode) -> None:
    for other in set(RowCode) - {code}:
        with pytest.raises(REFUSED):
            row_of(other, members(code))


def test_a_moment_without_a_zone_has_no_column() -> None:
    with pytest.raises(BadTime):
        columns(replace(VERSION, recorded=AT.replace(tzinfo=None)))


MOMENTS = st.datetimes(
    min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=st.just(AT.tzinfo)
)


@settings(max_examples=40)
@given(
    st.fixed_dictionaries(
        {
            "recorded": MOMENTS,
            "occurred_at": st.none() | MOMENTS,
            "reason": st.text(st.characters(exclude_categories=()), max_size=20),
            "tags": st.lists(st.text(max_size=6), max_size=4).map(tuple),
            "n": st.integers(-(1 << 63) + 1, (1 << 63) - 1),
            "rank": st.sampled_from(list(Rank)),
        }
    )
)
def test_any_version_comes_back(change: Mapping[str, object]) -> None:
    row = replace(VERSION, **change)
    spelled = json.loads(json.dumps(columns(row)[1]))
    assert row_of(RowCode.VERSION, spelled) == row
    assert {each.name for each in fields(row)} >= set(change)
