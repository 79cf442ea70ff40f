"""Which texts are kept out, which rows hold them, and where in evidence does a claim stand?"""

import json

import pytest

from muniment.domain.erasure import (
    CONTAINED_FROM_CHARACTERS,
    CONTAINED_FROM_WORDS,
    Asked,
    Means,
    Term,
    TermSort,
)
from muniment.domain.evidence import MARK, Span
from muniment.domain.memory import Claim
from muniment.service.erase_terms import (
    Holding,
    is_contained,
    places_in,
    sentences_with,
    settled,
    term_of,
    terms_of_claim,
    terms_of_text,
)
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import TWIN

CODE = "QZ7-HERON-4417"
PLAIN = Asked(Means.TEXT, "x")


def said(terms: list[Term]) -> list[tuple[str, str]]:
    return [(term.sort.value, term.text) for term in terms]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (CODE, [("identifier", CODE)]),
        (f" {CODE} ", [("identifier", CODE)]),
        (f"It is {CODE}", [("text", f"It is {CODE}"), ("identifier", CODE)]),
        ("It is so", [("text", "It is so")]),
        (
            "a@b.io and c@d.io",
            [("text", "a@b.io and c@d.io"), ("identifier", "a@b.io"), ("identifier", "c@d.io")],
        ),
    ],
)
def test_a_text_makes_itself_and_its_identifiers_terms(text: str, terms: list[tuple[str, str]]) -> None:
    assert said(terms_of_text(text)) == terms


def test_a_keyed_claim_makes_its_value_a_term_of_its_slot() -> None:
    terms = terms_of_claim(Claim("The locker of Ria", "Ria", "locker", CODE))
    assert said(terms) == [("text", "The locker of Ria"), ("value", CODE), ("identifier", CODE)]
    assert (terms[1].about, terms[1].attribute) == ("Ria", "locker")


def test_a_free_claim_has_no_value_of_a_slot() -> None:
    assert said(terms_of_claim(Claim("Tea is at four"))) == [("text", "Tea is at four")]


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        (PLAIN, ["one", "two"]),
        (Asked(Means.TEXT, "x", leave=("ONE ",)), ["two"]),
        (Asked(Means.TEXT, "x", leave=("one", "two")), []),
        (Asked(Means.TEXT, "x", add=("three",)), ["one", "two", "three"]),
        (Asked(Means.TEXT, "x", add=("One",)), ["one", "two"]),
        (Asked(Means.TEXT, "x", add=("three",), leave=("three",)), ["one", "two"]),
        (Asked(Means.TEXT, "x", add=("  ",)), ["one", "two"]),
    ],
)
def test_a_person_adds_terms_and_leaves_others_alone(asked: Asked, left: list[str]) -> None:
    terms = [Term(TermSort.TEXT, "one"), Term(TermSort.TEXT, "two"), Term(TermSort.TEXT, " One")]
    assert [term.text for term in settled(terms, asked)] == left


def test_the_same_text_of_two_sorts_is_two_terms() -> None:
    terms = [Term(TermSort.TEXT, "four"), Term(TermSort.VALUE, "four", "tea", "time")]
    assert settled([*terms, *terms], PLAIN) == terms


@pytest.mark.parametrize(
    ("text", "contained"),
    [
        ("one two three", False),
        ("one two three four", True),
        ("a" * (CONTAINED_FROM_CHARACTERS - 1), False),
        ("a" * CONTAINED_FROM_CHARACTERS, True),
        (CODE, True),
        ("a@b.io", True),
        ("\u8bbe\u5907\u6e05\u5355", True),
        ("\u8bbe\u5907\u6e05", False),
    ],
)
def test_a_short_term_is_not_looked_for_inside_others(text: str, contained: bool) -> None:
    assert is_contained(term_of(text)) is contained
    assert CONTAINED_FROM_WORDS == 4


@pytest.mark.parametrize(
    ("text", "explicit", "spans"),
    [
        ("tea", False, (Span(0, 3),)),
        ("TEA ", False, (Span(0, 4),)),
        ("the tea", False, ()),
        ("the tea", True, (Span(4, 7),)),
        ("teapot", True, ()),
    ],
)
def test_a_short_term_is_held_as_the_whole_unless_it_was_named(
    text: str, explicit: bool, spans: tuple[Span, ...]
) -> None:
    assert Holding([Term(TermSort.TEXT, "tea")], explicit=explicit).spans(text) == spans


def test_rows_are_counted_for_each_term_they_hold() -> None:
    holding = Holding([Term(TermSort.IDENTIFIER, CODE), Term(TermSort.TEXT, "tea")])
    assert holding.holds(f"It is {CODE}", "")
    assert holding.holds("tea")
    assert holding.holds(f"Once more {CODE}")
    assert not holding.holds("neither", "")
    assert [term.hits for term in holding.counted()] == [2, 1]


def test_a_value_of_a_slot_is_never_looked_for_in_texts() -> None:
    holding = Holding(
        [Term(TermSort.VALUE, "a value that is long enough", "about", "attribute")], explicit=True
    )
    assert not holding.holds("a value that is long enough")


def test_no_term_holds_nothing() -> None:
    assert Holding(()).spans("anything") == ()
    assert not Holding(()).holds("anything")


@pytest.mark.parametrize(
    ("text", "claim", "within", "parts"),
    [
        (f"My code is {CODE}. Tea.", Claim(f"The code is {CODE}"), None, [CODE]),
        ("I live in Graz, I think.", Claim("Lives there", "Ria", "home", "Graz"), None, ["Graz"]),
        ("Tea is at four. So be it.", Claim("tea is at four"), None, ["Tea is at four"]),
        ("I moved. It rained.", Claim("Somebody moved"), Span(0, 8), ["I moved."]),
        ("I moved. It rained.", Claim("Somebody moved"), None, ["I moved. It rained."]),
        ("Graz. I live in Graz.", Claim("x", "Ria", "home", "Graz"), Span(6, 21), ["Graz"]),
        (f"{CODE} and {CODE}", Claim(f"It is {CODE}"), None, [CODE, CODE]),
    ],
)
def test_the_part_of_evidence_that_states_a_claim(
    text: str, claim: Claim, within: Span | None, parts: list[str]
) -> None:
    found = places_in(text, claim, within)
    assert [text[span.start : span.end] for span in found] == parts
    if within is not None:
        assert all(within.start <= span.start and span.end <= within.end for span in found)


@pytest.mark.parametrize(
    ("spans", "terms"),
    [
        ([Span(5, 8)], ["One is here."]),
        ([Span(5, 8), Span(14, 17)], ["One is here.", "Two is there."]),
        ([], []),
        ([Span(0, 40)], ["One is here.", "Two is there.", "Three."]),
    ],
)
def test_the_sentences_that_hold_a_part_are_terms(spans: list[Span], terms: list[str]) -> None:
    found = sentences_with("One is here. Two is there. Three.", spans)
    assert [term.text for term in found] == terms
    assert all(term.sort is TermSort.SENTENCE for term in found)


@pytest.mark.parametrize(
    "value",
    [
        "Zo\u00eb K\u00e4\u00dfmann 4417",
        "first line\nQZ7-HERON",
        "\u65e5\u672c\u306e\u79d8\u5bc6\u306e\u5834\u6240",
    ],
)
def test_a_tools_answer_that_spells_it_by_escapes_loses_it_too(vault: Vault, value: str) -> None:
    """Transcripts hold calls and answers as JSON, in which a letter can be a number."""
    session = vault.session("talk", agent="coder")
    answer = json.dumps({"who": f"It is {value} here", "spare": TWIN})
    turn = session.append("tool_result", answer).evidence[0]
    vault.erase(vault.plan_erasure(text=value))
    assert vault.read(turn).text == json.dumps({"who": f"It is {MARK} here", "spare": TWIN})
    assert vault.verify().ok


def test_an_answer_that_spells_something_else_by_escapes_stays(vault: Vault) -> None:
    session = vault.session("talk", agent="coder")
    answer = json.dumps({"who": "It is Zo\u00eb Klein 4418 here"})
    turn = session.append("tool_result", answer).evidence[0]
    stored(vault.remember("It is Zo\u00eb K\u00e4\u00dfmann 4417"))
    vault.erase(vault.plan_erasure(text="Zo\u00eb K\u00e4\u00dfmann 4417"))
    assert vault.read(turn).text == answer


def test_fault_a_memory_that_went_for_a_short_text_comes_back_word_for_word(world: World) -> None:
    """A short text is kept out only as the whole, so what it was taken out of has to be kept out, too."""
    vault, said = world.vault, "Ticket AB-100 is Ida's"
    id = stored(vault.remember(said)).id
    other = stored(vault.remember("Ticket AB-101 is Ria's")).id
    vault.erase(vault.plan_erasure(text="AB-100"))
    assert [row.memory for row in vault.memories()] == [other] and id != other
    for again in (said, said.upper(), "AB-100"):
        assert vault.remember(again).reason == "rejected-value"
    assert not vault.remember("Ticket AB-102 is Ida's").refused


def test_fault_the_mark_of_an_erasure_is_erased_again(world: World) -> None:
    """Each time its word was named a mark stood within a mark, and no plan for it was ever empty."""
    vault, session = world.vault, world.vault.session("talk", agent="coder")
    said = session.append("user", "The code QZ7-HERON-4417 went. Bo erased the board. Milk is at six.")
    vault.erase(vault.plan_erasure(text="QZ7-HERON-4417"))
    plan = vault.plan_erasure(text="erased")
    assert plan.counts["evidence"] == 1
    vault.erase(plan)
    assert vault.read(said.evidence[0]).text == f"The code {MARK} went. Bo {MARK} the board. Milk is at six."
    for text in ("erased", MARK, "ERASED!"):
        assert vault.plan_erasure(text=text).empty


def test_a_term_that_reaches_beyond_a_mark_is_met_with_it() -> None:
    holding = Holding([Term(TermSort.TEXT, f"the code {MARK} went")], explicit=True)
    assert holding.spans(f"So the code {MARK} went.") == (Span(3, 25),)
    assert holding.spans(f"So the code {MARK} stayed.") == ()


def test_marks_in_a_long_text_hide_no_term_beside_them() -> None:
    holding = Holding([Term(TermSort.TEXT, "erased")], explicit=True)
    text = f"{MARK} " * 50 + "was erased"
    assert holding.spans(text) == (Span(len(text) - 6, len(text)),)
