"""Is a repeat told from another item, however texts are cut, and is a made name the same each time?"""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.adapters.importers.seen import Repeat, Seen

TEXT = st.text(st.characters(exclude_categories=()), max_size=6)
PARTS = st.lists(TEXT, max_size=4)


@pytest.mark.parametrize(
    ("contents", "repeats"),
    [
        (["a"], [Repeat.NEW]),
        (["a", "a", "a"], [Repeat.NEW, Repeat.SAME, Repeat.SAME]),
        (["a", "b"], [Repeat.NEW, Repeat.OTHER]),
        (["a", "b", "a"], [Repeat.NEW, Repeat.OTHER, Repeat.SAME]),
        (["a", "b", "b"], [Repeat.NEW, Repeat.OTHER, Repeat.OTHER]),
        (["", ""], [Repeat.NEW, Repeat.SAME]),
    ],
)
def test_the_first_item_of_a_name_is_the_one_that_counts(contents: list[str], repeats: list[Repeat]) -> None:
    """What came under a taken name is never taken in, so it must not become what the next is held against."""
    seen = Seen()
    assert [seen.repeat("name", content) for content in contents] == repeats


def test_names_are_told_apart_and_one_is_no_part_of_another() -> None:
    seen = Seen()
    assert [seen.repeat(name, "x") for name in ("a", "A", "a ", "", "aa", "a")] == [
        *([Repeat.NEW] * 5),
        Repeat.SAME,
    ]


@settings(max_examples=60)
@given(PARTS, PARTS)
def test_two_contents_are_the_same_only_when_every_part_is(one: list[str], other: list[str]) -> None:
    seen = Seen()
    assert seen.repeat("name", *one) is Repeat.NEW
    assert (seen.repeat("name", *other) is Repeat.SAME) is (one == other)


@settings(max_examples=60)
@given(PARTS, PARTS)
def test_two_made_names_share_their_digest_only_when_every_part_is_one(
    one: list[str], other: list[str]
) -> None:
    digests = [Seen().origin(*parts).rpartition(":")[0] for parts in (one, other)]
    assert (digests[0] == digests[1]) is (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("abc",), ("abc", "")),
        (("", "abc"), ("abc", "")),
        ((), ("",)),
        (("a\0b",), ("a", "b")),
        (("\ud800",), ("\ufffd",)),
        (("e\u0301",), ("\u00e9",)),
    ],
)
def test_text_that_moves_or_looks_alike_is_another_content(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert Seen().origin(*one) != Seen().origin(*other)
    seen = Seen()
    seen.repeat("name", *one)
    assert seen.repeat("name", *other) is Repeat.OTHER


@settings(max_examples=40)
@given(st.lists(TEXT, max_size=8))
def test_reading_again_gives_the_same_names_and_no_two_of_them_alike(contents: list[str]) -> None:
    first, second = Seen(), Seen()
    names = [first.origin("s", content) for content in contents]
    assert names == [second.origin("s", content) for content in contents]
    assert len(set(names)) == len(names)


def test_what_was_said_twice_has_two_names_that_count() -> None:
    seen = Seen()
    names = [seen.origin("yes") for _ in range(3)]
    assert [name.rpartition(":")[2] for name in names] == ["0", "1", "2"]
    assert len({name.rpartition(":")[0] for name in names}) == 1


def test_a_line_in_between_does_not_change_the_name_of_the_next() -> None:
    """A new line in the middle of a file must not make new items of all that follow."""
    before, after = Seen(), Seen()
    short = [before.origin(text) for text in ("a", "c")]
    after_all = [after.origin(text) for text in ("a", "b", "c")]
    assert short == [after_all[0], after_all[2]]


def test_a_made_name_shows_nothing_of_the_content_and_is_short() -> None:
    name = Seen().origin("the quay is wet " * 1_000)
    assert re.fullmatch(r"auto:[0-9a-f]{32}:0", name)


def test_given_names_and_made_names_are_kept_apart() -> None:
    seen = Seen()
    name = seen.origin("x")
    assert seen.repeat(name, "x") is Repeat.NEW
    assert seen.origin("x") != name
