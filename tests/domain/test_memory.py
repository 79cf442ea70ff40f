"""What fills a slot, what is a memory found by, and when has it expired?"""

from dataclasses import FrozenInstanceError, fields, replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.memory import Claim, Digests, Kind, Version, findable_text
from tests.domain.samples import AT, VERSION

TICK = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("about", "attribute", "keyed"),
    [("key", "day", True), ("key", "", False), ("", "day", False), ("", "", False), (" ", " ", True)],
)
def test_a_claim_is_keyed_when_both_parts_of_its_slot_are_there(
    about: str, attribute: str, keyed: bool
) -> None:
    assert Claim("text", about, attribute, "value").keyed is keyed


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (Claim("The key rotates on Monday", "key", "day", "Monday"), "Monday"),
        (Claim("The key rotates on Monday", "key", "day"), "The key rotates on Monday"),
        (Claim("The key rotates on Monday", value="Monday"), "The key rotates on Monday"),
        (Claim("The key rotates on Monday", "key", value="Monday"), "The key rotates on Monday"),
        (Claim(""), ""),
    ],
)
def test_what_is_said_is_the_value_of_a_slot_else_the_whole_text(claim: Claim, said: str) -> None:
    """A value without a slot says nothing on its own, so it may not stand for the text."""
    assert claim.said == said


@pytest.mark.parametrize(
    ("claim", "tags", "text"),
    [
        (Claim("the key rotates"), (), "the key rotates"),
        (Claim("the key rotates", "deploy", "day", "Monday"), (), "the key rotates deploy day Monday"),
        (Claim("the key rotates"), ("ops", "night"), "the key rotates ops night"),
        (Claim("the key rotates", about="the key"), (), "the key rotates"),
        (Claim("the key rotates", about="The key"), (), "the key rotates The key"),
        (Claim("the key rotates"), ("key", "", "keys"), "the key rotates keys"),
        (Claim("", "a", "b", "c"), ("d",), " a b c d"),
        (Claim(""), (), ""),
    ],
)
def test_a_memory_is_found_by_what_its_text_does_not_say_already(
    claim: Claim, tags: tuple[str, ...], text: str
) -> None:
    assert findable_text(claim, tags) == text


WORD = st.text("abc ", max_size=6)


@settings(max_examples=60)
@given(WORD, st.tuples(WORD, WORD, WORD), st.lists(WORD, max_size=4))
def test_every_part_can_be_found_and_the_text_comes_first(
    text: str, slot: tuple[str, str, str], tags: list[str]
) -> None:
    found = findable_text(Claim(text, *slot), tags)
    assert found.startswith(text)
    assert all(part in found for part in (*slot, *tags))
    assert len(found) <= len(text) + sum(len(part) + 1 for part in (*slot, *tags))


@pytest.mark.parametrize(
    ("expires_in", "expired"),
    [(timedelta(), True), (-TICK, True), (TICK, False), (timedelta(days=1), False)],
)
def test_a_memory_has_expired_from_its_moment_on(expires_in: timedelta, expired: bool) -> None:
    assert replace(VERSION, expires_at=AT + expires_in).expired(AT) is expired


def test_a_memory_without_an_expiry_never_expires() -> None:
    assert not replace(VERSION, expires_at=None).expired(AT + timedelta(days=365_000))


def test_a_versions_text_is_that_of_its_claim() -> None:
    assert VERSION.text == VERSION.claim.text
    assert replace(VERSION, claim=Claim("another")).text == "another"


def test_a_version_says_by_itself_neither_trust_nor_rank() -> None:
    """What nobody gave may never look like a belief: these fields have no default."""
    without = {one.name for one in fields(Version) if one.name in ("trust", "before", "rank", "label")}
    for name in without:
        given = {one.name: getattr(VERSION, one.name) for one in fields(Version) if one.name != name}
        with pytest.raises(TypeError, match=name):
            Version(**given)
    assert len(without) == 4


@pytest.mark.parametrize("name", ["claim", "trust", "rank", "recorded", "tags"])
def test_a_version_cannot_be_changed_in_place(name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(VERSION, name, getattr(VERSION, name))
    with pytest.raises((AttributeError, TypeError)):
        object.__setattr__(VERSION, "another", 1)


def test_free_text_has_no_slot_digest() -> None:
    assert Digests(b"v").slot == b""


def test_a_kind_is_called_by_one_plain_word() -> None:
    assert all(kind.value == kind.name.lower() and kind.value.isalpha() for kind in Kind)
    assert Kind("fact") is Kind.FACT
    with pytest.raises(ValueError):
        Kind("Fact")


def test_the_parts_of_a_version_are_all_that_it_says() -> None:
    claim = Claim("The key rotates on Monday", "key", "day", "Monday")
    said = (claim.text, "key", "day", "Monday")
    assert replace(VERSION, claim=claim, tags=("ops", "keys")).parts == (*said, "ops", "keys")
    assert replace(VERSION, claim=Claim("A line"), tags=()).parts == ("A line", "", "", "")
