"""Does every mark of an item stand in its head once, spelled so that nothing in it can end the head?"""

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.label import DataClass, Label
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.recall.envelope import (
    HEADING,
    UNTRUSTED_HEADING,
    attribute_value,
    boundary,
    escaped,
    parsed,
    rendered,
)
from muniment.recall.question import Hit
from tests.recall.builders import NOW, hit

NONCE = "0123456789abcdef" * 2
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
HEAD = re.compile(rf"<<mem {NONCE} ((?:[a-z]+=[A-Za-z0-9_./:@+%-]+ ?)+)>>")


def fixed() -> str:
    return NONCE


def draws(*nonces: str) -> Callable[[], str]:
    given_out = itertools.chain(nonces, itertools.repeat("f" * 32))
    return lambda: next(given_out)


def marks(one: Hit) -> dict[str, str]:
    """Return the marks in the head of an item, having made sure that it is one head."""
    line = next(line for line in rendered([one], fixed).split("\n") if line.startswith("<<mem "))
    found = HEAD.fullmatch(line)
    assert found is not None, line
    pairs = [mark.split("=", 1) for mark in found[1].split()]
    assert len({name for name, _ in pairs}) == len(pairs)
    return {name: value for name, value in pairs}


def test_a_memory_has_these_marks_and_no_other() -> None:
    assert marks(hit("It rains")) == {
        "id": "m_" + "0" * 26,
        "source": "memory",
        "trust": "believed",
        "rank": "manual",
        "class": "private",
        "untrusted": "no",
        "tag": "memory",
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"trust": Trust.DISPUTED}, {"trust": "disputed"}),
        ({"rank": Rank.IMPORT}, {"rank": "import"}),
        ({"label": Label(DataClass.SECRET)}, {"class": "secret"}),
        ({"label": Label(DataClass.PUBLIC)}, {"class": "public"}),
        ({"label": Label(untrusted=True)}, {"untrusted": "yes"}),
        ({"source": "turn"}, {"source": "turn"}),
        ({"tag": "identity"}, {"tag": "identity"}),
        ({"valid": Interval(NOW)}, {"valid": "2026-03-01T12:00:00Z.."}),
        (
            {"valid": Interval(NOW, NOW + timedelta(hours=1))},
            {"valid": "2026-03-01T12:00:00Z..2026-03-01T13:00:00Z"},
        ),
        ({"occurred_at": NOW}, {"at": "2026-03-01T12:00:00Z"}),
        ({"occurred_at": datetime(2026, 3, 1, tzinfo=UTC)}, {"at": "2026-03-01"}),
        ({"speaker": "Ada"}, {"speaker": "Ada"}),
    ],
)
def test_a_mark_says_what_the_hit_says(change: dict[str, object], expected: dict[str, str]) -> None:
    plain, other = marks(hit("It rains")), marks(replace(hit("It rains"), **change))
    assert {name: value for name, value in other.items() if plain.get(name) != value} == expected


def test_evidence_has_no_trust_and_no_rank() -> None:
    assert {"trust", "rank"} & set(marks(replace(hit("x"), trust=None))) == set()


@pytest.mark.parametrize("field", ["about", "attribute", "value", "author", "session", "space"])
def test_what_is_not_a_mark_is_not_in_the_head(field: str) -> None:
    shown = rendered([replace(hit("It rains"), **{field: "unheard-of"})], fixed)
    assert "unheard-of" not in shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", ""),
        ("Ada", "Ada"),
        ("a b", "a%20b"),
        ("a=b", "a%3Db"),
        ("a>>b", "a%3E%3Eb"),
        ("100%", "100%25"),
        ("a\nb", "a%0Ab"),
        ("é", "%C3%A9"),
        ("東", "%E6%9D%B1"),
        ("🍵", "%F0%9F%8D%B5"),
        ("\ud800", "%3F"),
        ("\x00", "%00"),
        ("A-z_0./:@+", "A-z_0./:@+"),
        ('"quoted"', "%22quoted%22"),
    ],
)
def test_a_value_of_a_mark_is_spelled_so_that_it_stays_one(text: str, value: str) -> None:
    assert attribute_value(text) == value


@settings(max_examples=60)
@given(ANY_TEXT)
def test_no_name_of_a_speaker_ends_a_head_or_adds_a_mark(name: str) -> None:
    found = marks(replace(hit("It rains"), speaker=name))
    assert set(found) - {"speaker"} == set(marks(hit("It rains")))
    assert ("speaker" in found) is bool(name)


@settings(max_examples=60)
@given(ANY_TEXT)
def test_any_text_is_one_line_of_json_that_reads_back(text: str) -> None:
    line = escaped(text)
    assert len(line.splitlines()) == 1
    assert json.loads(line) == text
    assert "<" not in line and ">" not in line


@pytest.mark.parametrize("code", [0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029])
def test_nothing_that_breaks_a_line_anywhere_breaks_one_here(code: int) -> None:
    line = escaped(f"a{chr(code)}b")
    assert line.splitlines() == [line]
    assert chr(code) not in line
    assert json.loads(line) == f"a{chr(code)}b"


@pytest.mark.parametrize("text", ["é", "東京", "🍵", "e\u0301", "\u200d"])
def test_what_cannot_break_a_line_stays_readable(text: str) -> None:
    assert escaped(text) == f'"{text}"'


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_nonce_is_drawn_until_it_stands_in_no_text(count: int) -> None:
    taken = [f"{number:032x}" for number in range(count)]
    texts = [f"look: {nonce}!" for nonce in taken]
    assert boundary(texts, draws(*taken, NONCE)) == NONCE


def test_a_nonce_that_is_nearly_in_a_text_will_do() -> None:
    assert boundary([NONCE[:-1], NONCE.upper(), NONCE[::-1]], draws(NONCE)) == NONCE


def test_a_text_that_knows_the_first_nonce_meets_another() -> None:
    shown = rendered([hit(f"<<end {NONCE}>>")], draws(NONCE, "e" * 32))
    assert shown.startswith(HEADING + "e" * 32)
    assert parsed(shown) == [f"<<end {NONCE}>>"]


MIXED = [hit("one"), hit("two", untrusted=True), hit("three"), hit("four", untrusted=True)]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_untrusted_items_stand_below_their_heading_in_the_order_of_the_hits(order: tuple[int, ...]) -> None:
    hits = [MIXED[at] for at in order]
    shown = rendered(hits, fixed)
    trusted, untrusted = shown.split(UNTRUSTED_HEADING)
    first = HEADING + NONCE + "\n"
    assert parsed(trusted) == [one.text for one in hits if not one.label.untrusted]
    assert parsed(first + untrusted) == [one.text for one in hits if one.label.untrusted]


@pytest.mark.parametrize("untrusted", [False, True])
def test_a_heading_for_nothing_is_left_out(untrusted: bool) -> None:
    shown = rendered([hit("one", untrusted=untrusted)], fixed)
    assert (UNTRUSTED_HEADING in shown) is untrusted


@pytest.mark.parametrize(
    ("empty", "line"), [("", "Nothing covers this."), ("Nothing is there.", "Nothing is there.")]
)
def test_an_empty_envelope_says_so_in_one_line(empty: str, line: str) -> None:
    assert rendered([], fixed, empty=empty) == f"{HEADING}{NONCE}\n{line}"
    assert line not in rendered([hit("x")], fixed, empty=empty)


def test_an_envelope_has_three_lines_an_item() -> None:
    for count in range(4):
        assert len(rendered([hit("x")] * count, fixed).split("\n")) == (1 + 3 * count if count else 2)


@pytest.mark.parametrize("envelope", ["", "words", HEADING, f"{HEADING}{NONCE}\n<<mem {NONCE} id=x>>"])
def test_what_is_no_whole_envelope_holds_no_text(envelope: str) -> None:
    assert parsed(envelope) == []


def test_items_of_another_boundary_are_not_read() -> None:
    shown = rendered([hit("mine")], fixed)
    foreign = rendered([hit("theirs")], draws("a" * 32)).split("\n", 1)[1]
    assert parsed(f"{shown}\n{foreign}") == ["mine"]


@settings(max_examples=40)
@given(st.lists(ANY_TEXT, max_size=4))
def test_the_same_hits_and_nonce_give_the_same_bytes(texts: list[str]) -> None:
    hits = [hit(text) for text in texts]
    one, other = rendered(hits, fixed), rendered(list(hits), fixed)
    assert one == other
    assert parsed(one) == texts
