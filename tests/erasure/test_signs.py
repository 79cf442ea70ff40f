"""Does an erasure reach a text that has no word, such as an emoji, and count what each term holds?"""

import pytest

from muniment.domain.erasure import Term, TermSort
from muniment.domain.evidence import MARK
from muniment.service.erase_terms import Holding
from tests.builders import World, stored

OWL, HEART = "\U0001f989", "\u2764\ufe0f"


@pytest.mark.parametrize("sign", [OWL, OWL * 2, HEART, "\u2764"])
def test_fault_an_emoji_that_is_to_go_is_found_nowhere(world: World, sign: str) -> None:
    """A text is found by its words, and it has none, so that not even a memory of it alone went."""
    vault = world.vault
    alone = stored(vault.remember(sign)).id
    within = stored(vault.remember(f"Her sign is {sign} on Mondays")).id
    turn = vault.session("talk", agent="coder").append("user", f"I feel {sign}! Tea is at four.").evidence[0]
    other = stored(vault.remember("Her sign is \U0001f9a6 on Mondays")).id
    plan = vault.plan_erasure(text=sign)
    assert set(plan.memories) == {alone, within} and plan.terms[0].hits == 3
    vault.erase(plan)
    assert vault.read(turn).text == f"I feel {MARK}! Tea is at four." and vault.read(other).text
    for text in (sign, f"Her sign is {sign} on Mondays"):
        assert vault.remember(text).reason == "rejected-value"
    assert vault.verify().ok


@pytest.mark.parametrize("sign", ["?", "...", "!!"])
def test_punctuation_that_is_to_go_is_found_where_it_is_all(world: World, sign: str) -> None:
    """The edge: within texts it stands everywhere, and says nothing."""
    alone = stored(world.vault.remember(sign)).id
    asked = stored(world.vault.remember(f"Is it late{sign} It is{sign}")).id
    plan = world.vault.plan_erasure(text=sign)
    assert plan.memories == (alone,)
    world.vault.erase(plan)
    assert world.vault.read(asked).text.endswith(sign)


def test_fault_the_rows_of_one_term_are_counted_for_another() -> None:
    """Terms were counted by their place among those that are looked for within."""
    terms = [Term(TermSort.TEXT, text) for text in ("tea", OWL, "the grey heron of the weir")]
    terms.append(Term(TermSort.IDENTIFIER, "555-010-9999"))
    holding = Holding(terms, explicit=False)
    for text in ("tea", "tea", "See the grey heron of the weir", "call 555 010 9999", OWL, f"so {OWL}"):
        holding.spans(text)
    assert [term.hits for term in holding.counted()] == [2, 1, 1, 1]
    number = Holding([terms[0], Term(TermSort.IDENTIFIER, "5550109999")])
    assert [term.text for term in number.spellings("call 555 010 9999")] == ["555 010 9999"]
    short = Holding([Term(TermSort.TEXT, "tea at four"), *terms[2:]], explicit=1)
    assert [(one.start, one.end) for one in short.short_places("So: tea at four, and tea")] == [(4, 15)]
    assert not short.short_places("See the grey heron of the weir")


def test_a_named_emoji_is_found_in_either_drawing_and_a_part_of_a_term_is_not() -> None:
    holding = Holding([Term(TermSort.TEXT, HEART)], explicit=True)
    assert holding.holds("I \u2764 tea") and holding.holds(f"I {HEART} tea") and not holding.holds("I tea")
    assert not Holding([Term(TermSort.TEXT, OWL * 2)], explicit=True).holds(f"one {OWL} alone")
    assert not Holding([Term(TermSort.TEXT, OWL)]).holds(f"one {OWL} alone")
