"""Does an identifier stay out in the pieces in which it stood in what went?"""

import pytest

from muniment.domain.evidence import MARK
from tests.builders import World, stored
from tests.erasure.planting import TWIN

REACHED = [
    ("A45E60010203", "The printer is a4:5e:60:01:02:03 on the third floor"),
    ("5550109999", "Call +1 (555) 010-9999 x12 before nine"),
    ("QZ7HERON4417", "Its code is QZ7 / HERON / 4417, as before"),
    ("QZ7-HERON-4417", "Its code is qz7.heron.4417, as before"),
]


@pytest.mark.parametrize(("asked", "said"), REACHED)
def test_fault_an_identifier_that_was_reached_in_other_pieces_is_let_in_again(
    world: World, asked: str, said: str
) -> None:
    """What went because an identifier stood in it could be said again word for word."""
    vault = world.vault
    held = stored(vault.remember(said)).id
    turn = vault.session("talk", agent="coder").append("user", f"{said}. Tea is at four.").evidence[0]
    spare = stored(vault.remember(f"The spare one is {TWIN}")).id
    plan = vault.plan_erasure(text=asked)
    assert held in plan.memories
    vault.erase(plan)
    left = vault.read(turn).text
    assert MARK in left and "Tea is at four" in left
    assert vault.remember(said).reason == "rejected-value"
    assert vault.remember(f"And again: {said}").reason == "rejected-value"
    again = vault.session("more", agent="coder").append("user", f"{said}. Cake is at five.").evidence[0]
    assert MARK in vault.read(again).text and "Cake is at five" in vault.read(again).text
    assert vault.read(spare).text and not vault.remember(f"Nobody has {TWIN}").refused


def test_the_plan_shows_how_it_was_spelled_and_a_person_may_leave_that(world: World) -> None:
    asked, said = REACHED[0]
    stored(world.vault.remember(said))
    stored(world.vault.remember(f"{said}, they say"))
    plan = world.vault.plan_erasure(text=asked)
    shown = {term.text: term.hits for term in plan.terms}
    assert shown == {asked: 2, "a4:5e:60:01:02:03": 2}
    left = world.vault.plan_erasure(text=asked, leave=["a4:5e:60:01:02:03"])
    assert [term.text for term in left.terms] == [asked] and left.digest != plan.digest


def test_one_that_stands_as_it_was_named_makes_no_second_term(world: World) -> None:
    stored(world.vault.remember("Its code is qz7_heron_4417"))
    plan = world.vault.plan_erasure(text="QZ7-HERON-4417")
    assert [term.text for term in plan.terms] == ["QZ7-HERON-4417"]
