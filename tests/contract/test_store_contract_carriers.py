"""Does every store find all that may carry a word, and pass over what surely does not?"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.domain.carrying import is_plain, may_carry
from muniment.domain.changes import Page
from muniment.domain.ledger import ROW_NUMBER_BITS
from muniment.domain.memory import Claim, Version
from muniment.domain.trust import Trust
from muniment.ports import Store
from tests.contract.builders import FIRST_HEAD, Scribe

ALL = [trust.value for trust in Trust]
WHOLE = Page(0, 1_000)

CARRYING = {
    "the text": {"claim": Claim("The gate code is MAPLE.")},
    "within a word": {"claim": Claim("snake_maple_leaf and mapleleaf")},
    "a tag": {"claim": Claim("A line"), "tags": ("trees", 'say "Maple"')},
    "what it is about": {"claim": Claim("A line", "Maple Street", "number", "9")},
    "an attribute": {"claim": Claim("A line", "street", "maples", "9")},
    "a value": {"claim": Claim("A line", "street", "tree", "maple")},
    "a text in disguise": {"claim": Claim("The gate code is m\u0430ple")},
    "a mark on a letter": {"claim": Claim("The gate code is o\u0308k")},
    "a tag in disguise": {"claim": Claim("A line"), "tags": ("trees", "\u043ever")},
    "a name in disguise": {"claim": Claim("A line", "J\u0443rgen", "number", "9")},
    "an attribute in disguise": {"claim": Claim("A line", "street", "h\u0435ight", "9")},
    "a value in disguise": {"claim": Claim("A line", "street", "name", "stra\u00dfe")},
}
PASSED_OVER = {
    "another text": {"claim": Claim("The gate code is oak")},
    "parts of it": {"claim": Claim("map le", "ma", "p", "le"), "tags": ("ma", "ple")},
    "a pattern": {"claim": Claim("m%e m_ple .* [a-z]+")},
    "letters of other scripts": {
        "claim": Claim("J\u00fcrgen\u2019s \u6771\u4eac", "\u00fcber", "h\u00f6he", "\ubb38\uc740"),
        "tags": ("caff\u00e8", "\u201cquay\u201d \u2014 \u20ac"),
    },
    "nothing but signs": {"claim": Claim("?! \\ ' \"")},
}


def found(scribe: Scribe, *asked: str, page: Page = WHOLE, trusts: list[str] = ALL) -> list[Version]:
    """Return what may carry one of two texts, each given by its words, in space 1."""
    words = [tuple(text.split()) for text in asked]
    with scribe.store.snapshot() as snapshot:
        return snapshot.carriers(1, trusts, (words[0], words[-1]), page=page)


@pytest.mark.parametrize("how", sorted(CARRYING))
def test_what_has_a_word_or_may_be_in_disguise_is_found(scribe: Scribe, how: str) -> None:
    version = scribe.remember("", **CARRYING[how])
    assert (
        found(scribe, "maple")
        == found(scribe, "otter", "maple")
        == found(scribe, "maple", "otter")
        == [version]
    )
    assert found(scribe, "") == [version]
    in_plain_letters = all(is_plain(part) for part in version.parts)
    assert found(scribe, "otter") == found(scribe, "otter weir") == ([] if in_plain_letters else [version])


@pytest.mark.parametrize("how", sorted(PASSED_OVER))
def test_what_is_in_plain_letters_and_lacks_the_words_is_passed_over(scribe: Scribe, how: str) -> None:
    version = scribe.remember("", **PASSED_OVER[how])
    assert found(scribe, "maple") == found(scribe, "maple", "otter") == []
    assert found(scribe, "") == found(scribe, "otter", "") == [version]


def test_the_words_of_one_text_stand_in_one_part_and_in_order(scribe: Scribe) -> None:
    version = scribe.remember("So: a Maple, and its LEAF", tags=("gate code",))
    assert found(scribe, "maple leaf") == found(scribe, "gate code") == [version]
    assert found(scribe, "oak leaf", "maple leaf") == found(scribe, "aple eaf") == [version]
    assert (
        found(scribe, "leaf maple") == found(scribe, "maple gate") == found(scribe, "maple leaf leaf") == []
    )


def test_only_the_newest_version_in_a_state_and_a_space_counts(scribe: Scribe) -> None:
    first, second = scribe.remember("maple one"), scribe.remember("maple two", space=2)
    third = scribe.remember("maple three", trust=Trust.DISPUTED)
    newer = scribe.follow(first, "maple four")
    scribe.follow(scribe.remember("maple five"), "oak five")
    assert found(scribe, "maple") == [third, newer]
    assert found(scribe, "maple", trusts=["disputed"]) == [third]
    assert found(scribe, "maple", trusts=["rejected"]) == found(scribe, "maple", trusts=[]) == []
    with scribe.store.snapshot() as snapshot:
        assert snapshot.carriers(2, ALL, (("maple",), ("maple",)), page=WHOLE) == [second]


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_pages_leave_nothing_out(scribe: Scribe, limit: int) -> None:
    texts = ("maple 0", "oak", "m\u0430ple 1", "elm", "Maple 2")
    carrying = [version for version in map(scribe.remember, texts) if version.text not in ("oak", "elm")]
    pages: list[Version] = []
    while rows := found(scribe, "maple", page=Page(pages[-1].n if pages else 0, limit)):
        assert len(rows) <= limit
        pages += rows
    assert pages == carrying
    assert found(scribe, "maple", page=Page(0, 0)) == []


def test_another_tenant_has_its_own(make: Callable[..., Store]) -> None:
    """Tenants may share one place, where all rows lie in the same tables."""
    second = replace(FIRST_HEAD, next_n=(2 << ROW_NUMBER_BITS) + 1)
    mine, other = Scribe(make(tenant="mine")), Scribe(make(second, "other"))
    stranger = other.remember("maple of another")
    version = mine.remember("maple of mine")
    assert found(mine, "maple") == [version]
    assert found(other, "maple") == [stranger]


PARTS = st.text(st.sampled_from("mMaApPlLeE o0\u0430\u00df\u00fc\u00dc\u2019\u6771I_-.,'\"\\"), max_size=9)


def parts_of(version: Version) -> tuple[str, ...]:
    """Return the parts of a version, its tags as one: words of two tags may be taken for those of one."""
    count = len(version.parts) - len(version.tags)
    return (*version.parts[:count], " ".join(version.tags))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(PARTS, st.lists(PARTS, max_size=2)), max_size=4),
    st.sampled_from(["map", "le", "o0", "", "m l", "p p", "le map", "\u6771", "\u6771 m"]),
)
def test_every_store_finds_what_the_rule_says(
    scribe: Scribe, rows: list[tuple[str, list[str]]], word: str
) -> None:
    made = [scribe.remember(f"x{text}", tags=tuple(tags)) for text, tags in rows]
    since = made[0].n - 1 if made else 0
    asked = found(scribe, word, page=Page(since, 1_000)) if made else []
    assert asked == [version for version in made if may_carry(parts_of(version), (tuple(word.split()),))]
