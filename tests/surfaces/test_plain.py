"""Does every value look the same in every JSON answer, and does none of it need a reader of its own?"""

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum, IntEnum, StrEnum
from pathlib import PurePosixPath
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.label import DataClass, Label
from muniment.domain.memory import Kind
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.surfaces.plain import LEFT_OUT, plain
from tests.domain.samples import AT, ROWS, VERSION, RowCode, name_of

DAY = timedelta(days=1)


class Colour(Enum):
    RED = "red"
    BLUE = 2


class Size(IntEnum):
    VERY_SMALL = 1


class Word(StrEnum):
    ONE = "one"


@dataclass(frozen=True)
class Inner:
    when: datetime
    raw: bytes


@dataclass(frozen=True)
class Outer:
    inner: Inner
    many: tuple[Inner, ...]
    envelope: str = "<<mem>>"
    _hidden: int = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (0, 0),
        (-1.5, -1.5),
        ("", ""),
        ("words", "words"),
        (b"", ""),
        (b"\x00\xff", "00ff"),
        (datetime(2026, 3, 1, tzinfo=UTC), "2026-03-01"),
        (datetime(2026, 3, 1, 9, tzinfo=timezone(timedelta(hours=2))), "2026-03-01T07:00:00Z"),
        (Interval(AT), {"from": "2026-02-03T04:05:06.000789Z", "until": None}),
        (Interval(AT, AT), {"from": "2026-02-03T04:05:06.000789Z", "until": "2026-02-03T04:05:06.000789Z"}),
        (Label(DataClass.SECRET, True), {"class": "secret", "untrusted": True}),
        (DataClass.PUBLIC, "public"),
        (Rank.MANUAL, "manual"),
        (Trust.BELIEVED, "believed"),
        (Kind.FACT, "fact"),
        (Colour.RED, "red"),
        (Colour.BLUE, 2),
        (Size.VERY_SMALL, "very_small"),
        (Word.ONE, "one"),
        ([], []),
        ((1, (2, [3])), [1, [2, [3]]]),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({3, 20}), [20, 3]),
        ({"a": {1: b"\x01"}}, {"a": {"1": "01"}}),
        (MappingProxyType({"a": AT}), {"a": "2026-02-03T04:05:06.000789Z"}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (PurePosixPath("a/b"), "a/b"),
        (1j, "1j"),
    ],
)
def test_a_value_has_this_form(value: object, expected: object) -> None:
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_a_nested_value_is_plain_at_every_depth() -> None:
    inner = Inner(AT, b"\x01")
    shape = {"when": "2026-02-03T04:05:06.000789Z", "raw": "01"}
    assert plain(Outer(inner, (inner, inner))) == {"inner": shape, "many": [shape, shape], "_hidden": 1}


def test_an_envelope_is_only_shown_to_those_who_ask() -> None:
    """It repeats every text of an answer; a mapping's own key is not a field and stays."""
    assert {"envelope"} == LEFT_OUT
    assert "envelope" not in plain(Outer(Inner(AT, b""), ()))
    assert plain({"envelope": "x"}) == {"envelope": "x"}


def test_a_field_that_compares_or_prints_otherwise_is_shown_like_any_other() -> None:
    @dataclass
    class Quiet:
        a: int = field(default=1, repr=False, compare=False)

    assert plain(Quiet()) == {"a": 1}


def test_a_class_is_named_and_never_taken_apart() -> None:
    assert isinstance(plain(Outer), str)


@pytest.mark.parametrize("code", RowCode, ids=name_of)
def test_every_row_can_be_written_as_json(code: RowCode) -> None:
    found = plain(ROWS[code])
    assert json.loads(json.dumps(found)) == found


def test_a_version_shows_every_field_by_its_name() -> None:
    found = plain(VERSION)
    assert isinstance(found, dict)
    assert list(found) == [
        *("memory", "number", "n", "space", "kind", "claim", "valid", "recorded", "trust", "before", "rank"),
        *("label", "author", "actor", "act", "digests", "reason", "session", "occurred_at", "asserted_at"),
        *("expires_at", "tags"),
    ]
    assert (found["rank"], found["trust"], found["kind"]) == ("document", "disputed", "decision")
    assert found["tags"] == ["harbour", "hours"]


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.binary(max_size=4)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(VALUES)
def test_any_value_is_json_and_what_is_plain_stays_as_it_is(value: object) -> None:
    found = plain(value)
    assert json.loads(json.dumps(found)) == found
    assert plain(found) == found


@pytest.mark.parametrize("moment", [AT, AT.astimezone(timezone(timedelta(hours=-7)))])
def test_a_moment_is_the_same_whatever_zone_it_is_held_in(moment: datetime) -> None:
    assert plain({"at": moment}) == {"at": "2026-02-03T04:05:06.000789Z"}
