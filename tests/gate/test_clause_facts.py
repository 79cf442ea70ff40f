"""What is read out of a clause in the known relations, and when do two such facts contradict each other?"""

import pytest

from muniment.gate.clause_reading import read
from muniment.gate.contradiction import Kind, contradicts
from muniment.gate.relation_tables import PATTERNS
from tests.gate import contradictions, everyday, held_out


def facts(text: str) -> set[tuple[str, str, bool, str]]:
    return {
        (fact.subject, fact.relation, fact.holds, " ".join(word.text for word in fact.object))
        for clause in read(text)
        for fact in clause.facts
    }


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Ann is a nurse at the clinic", ("ann", "employer", True, "the clinic")),
        ("Ann left the clinic", ("ann", "employer", False, "the clinic")),
        ("Ann quit her job at the clinic", ("ann", "employer", False, "the clinic")),
        ("Tom got married to Eva", ("tom", "status", True, "married")),
        ("My daughter turned six", ("my daughter", "age", True, "six")),
        ("Call me Bill, not William", ("i", "name", True, "bill")),
        ("Our wifi has been renamed from Falcon to Osprey", ("our wifi", "name", True, "osprey")),
        ("My dog died last week", ("i", "have", False, "dog")),
        ("My sister is called Eva", ("i", "have", True, "sister")),
        ("I am vegetarian", ("i", "eat", False, "meat")),
        ("I drive a blue Volvo", ("i", "have", True, "a blue volvo")),
        ("We upgraded from Postgres 14 to Postgres 16", ("we", "use", True, "postgres 16")),
        ("The talk moved to Warsaw", ("the talk", "place", True, "warsaw")),
        ("We replaced vim with emacs", ("we", "any", False, "vim")),
        ("Mark broke off his engagement to Eva", ("mark", "partner", False, "eva")),
    ],
)
def test_a_fact_is_read_in_other_words(text: str, fact: tuple[str, str, bool, str]) -> None:
    assert fact in facts(text)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("I called the bank on Monday", "name"),
        ("I have become a huge fan of films", "role"),
        ("My idea is good", "have"),
        ("I drive to work", "have"),
        ("The limit is 500", "age"),
    ],
)
def test_what_only_sounds_like_a_relation_is_none(text: str, relation: str) -> None:
    assert relation not in {found for _, found, _, _ in facts(text)}


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("I do not have a sister", "My sister is called Eva", Kind.POLARITY),
        ("My sister is called Eva", "I do not have a sister", Kind.POLARITY),
        ("I eat meat again", "I am vegetarian", Kind.POLARITY),
        ("I quit smoking in March", "I smoke a pack a day", Kind.BOUNDED),
        ("We upgraded to Postgres 16", "We use Postgres 14", Kind.VALUE),
        ("The server has 12 cores", "The server has 8 cores and runs Debian", Kind.VALUE),
        ("My daughter turned six", "My daughter is five", Kind.VALUE),
        ("Our office relocated to Graz", "Our office is on Mill Street", Kind.REPLACEMENT),
        ("I live in Portugal", "I live in Lisbon", Kind.UNSURE),
        ("I moved to Portugal", "I live in Lisbon", Kind.REPLACEMENT),
        ("I switched from Siemens to Bosch", "I work for Siemens", Kind.BOUNDED),
        ("My lesson is Saturday at 11", "My lesson is Thursday at 4", Kind.VALUE),
    ],
)
def test_facts_in_other_words_contradict_each_other(new: str, old: str, kind: Kind) -> None:
    found = contradicts(new, old)
    assert found is not None and found.kind is kind


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The meeting is at 3 pm", "The meeting is in room 4"),
        ("The pool opens at 10 in winter", "The pool opens at 8 in summer"),
        ("The shop opens at 10 on Sundays", "The shop opens at 8 on Mondays"),
        ("My dog died last week", "My dog is called Rex"),
        ("I have no idea", "My idea is good"),
        ("I have lunch with Petra at 1", "I have a meeting with Sven at 11"),
        ("The report is in June", "The report is in German"),
        ("I drink tea", "I do not drink coffee"),
        ("I sold my bike", "My brother is kind"),
    ],
)
def test_fault_another_side_of_a_thing_took_the_place_of_the_first(new: str, old: str) -> None:
    assert contradicts(new, old) is None


def test_a_sign_of_every_pattern_is_in_every_clause_that_it_fits() -> None:
    """Else a pattern would not be tried where it fits."""
    streams = (
        contradictions.CONTRADICTING,
        held_out.CONTRADICTING,
        everyday.CONTRADICTING,
        everyday.CONTRADICTING_LATER,
    )
    fitting = 0
    for text in {text for stream in streams for pair in stream for text in pair}:
        for clause in read(text):
            texts = [word.text for word in clause.words]
            for said in PATTERNS:
                if said.pattern.match(" ".join(texts)):
                    fitting += 1
                    assert not said.signs.isdisjoint(texts), (said.pattern.pattern, texts)
    assert fitting > 300
