"""Is a member of an object read as the one type it must have, and never turned into it?"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest

from muniment.domain import members

Reader = Callable[[Mapping[str, object], str], object]

NUMBER_MAX = (1 << 63) - 1
READERS: dict[str, Reader] = {
    "text": members.text,
    "number": members.number,
    "raw": members.raw,
    "moment": members.moment,
    "texts": members.texts,
    "flag": members.flag,
    "perhaps": members.perhaps,
}
NINE = datetime(1970, 1, 1, 9, tzinfo=UTC)
NINE_MICROS = 9 * 3600 * 1_000_000

GOOD = [
    ("text", "", ""),
    ("text", "null", "null"),
    ("text", "\ud800", "\ud800"),
    ("number", 0, 0),
    ("number", NUMBER_MAX, NUMBER_MAX),
    ("number", -NUMBER_MAX, -NUMBER_MAX),
    ("raw", "", b""),
    ("raw", "00fF", b"\x00\xff"),
    ("moment", NINE_MICROS, NINE),
    ("moment", 0, datetime(1970, 1, 1, tzinfo=UTC)),
    ("texts", [], ()),
    ("texts", ["b", "a", "b"], ("b", "a", "b")),
    ("flag", True, True),
    ("flag", False, False),
    ("perhaps", None, None),
    ("perhaps", NINE_MICROS, NINE),
]

BAD = [
    *(("text", wrong) for wrong in (None, 1, True, b"a", ["a"], {})),
    *(("number", wrong) for wrong in (None, "1", 1.0, True, False, [1], 1 << 63, -(1 << 63), 10**40)),
    *(("raw", wrong) for wrong in (None, 1, b"\x00", "0", "xy", "0x00")),
    *(("moment", wrong) for wrong in (None, "1970-01-01", 1.5, True, 1 << 63)),
    *(("texts", wrong) for wrong in (None, "a", ("a",), {"a"}, ["a", 1], ["a", None], [["a"]])),
    *(("flag", wrong) for wrong in (None, 0, 1, "true", "", [True])),
    *(("perhaps", wrong) for wrong in ("", "null", False, 0.5, [])),
]


@pytest.mark.parametrize(("reader", "given", "expected"), GOOD, ids=repr)
def test_a_member_of_its_type_is_read(reader: str, given: object, expected: object) -> None:
    found = READERS[reader]({"a": given, "b": object()}, "a")
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(("reader", "given"), BAD, ids=repr)
def test_a_member_of_another_type_is_refused(reader: str, given: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        READERS[reader]({"a": given}, "a")


@pytest.mark.parametrize("reader", sorted(READERS))
def test_a_member_that_is_missing_is_named(reader: str) -> None:
    with pytest.raises(KeyError, match="absent"):
        READERS[reader]({"a": None}, "absent")


@pytest.mark.parametrize(("reader", "given"), [case for case in BAD if case[0] in ("text", "number", "flag")])
def test_what_is_refused_is_named_and_not_shown(reader: str, given: object) -> None:
    """A member may hold a remembered text; an error goes into logs."""
    with pytest.raises(TypeError) as caught:
        READERS[reader]({"a-member": given}, "a-member")
    assert str(caught.value) == "a-member"


def test_a_moment_beyond_the_calendar_is_no_silent_wrap() -> None:
    with pytest.raises(OverflowError):
        members.moment({"a": NUMBER_MAX}, "a")
    assert members.moment({"a": 253_402_300_799_999_999}, "a").year == 9999
    with pytest.raises(OverflowError):
        members.moment({"a": 253_402_300_800_000_000}, "a")


def test_every_reader_is_tested() -> None:
    public = {name for name, found in vars(members).items() if callable(found) and not name.startswith("_")}
    made_here = {name for name in public if getattr(members, name).__module__ == members.__name__}
    assert made_here == set(READERS)
