"""Can a flood of better matches that a caller may not see push out what the caller asked for?

Each flood is a thousand turns, taken in as somebody would who wants an answer to go missing.
tests/contract/test_store_contract_crowds.py holds every predicate of every lane alike.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from muniment import limits, wiring
from muniment.domain.evidence import Arrival, Role, TurnState
from muniment.domain.intent import Take
from muniment.domain.label import DataClass
from muniment.recall.question import Answer
from muniment.service.conversations import take
from muniment.service.vault import Vault
from tests.builders import World, stored

WANTED = "The ferry to the island leaves from the long pier"
ASK = "from which pier does the ferry to the island leave?"
BAIT = "ferry island pier leave, from which pier does the ferry to the island leave"

Flood = Callable[[Arrival], Arrival]


def said(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def flooded(vault: Vault, space: str, flood: Flood = lambda one: one) -> None:
    """Take in as many baits as one batch holds."""
    turns = []
    for number in range(limits.batch_items_max):
        bait = f"{BAIT} {number}"
        turns.append(flood(Arrival(session="flood", origin=bait, role=Role.USER, speaker="eve", text=bait)))
    assert take(vault.ground, Take(vault.principal, space, tuple(turns))).added == limits.batch_items_max


def test_a_flood_in_another_space_hides_nothing(vault: Vault) -> None:
    ann, eve = vault.acting_as(actor="ann", space="acme"), vault.acting_as(actor="eve", space="other")
    stored(ann.remember(WANTED))
    flooded(eve, "other")
    assert said(ann.recall(ASK, k=5)) == [WANTED]
    assert all("ferry island" in text for text in said(eve.recall(ASK, k=5)))


def test_a_flood_of_secrets_hides_nothing_from_who_may_not_read_them(vault: Vault) -> None:
    stored(vault.remember(WANTED))
    flooded(vault, "home", lambda one: replace(one, data_class="secret"))
    lesser = replace(vault.principal, class_max=DataClass.PRIVATE)
    assert said(wiring.held(vault.ground, lesser).recall(ASK, k=5)) == [WANTED]
    assert WANTED not in said(vault.recall(ASK, k=5, sources=("turn",)))


def test_a_flood_that_was_taken_back_hides_nothing(vault: Vault) -> None:
    stored(vault.remember(WANTED))
    flooded(vault, "home", lambda one: replace(one, state=TurnState.REWOUND))
    assert said(vault.recall(ASK, k=5)) == [WANTED]


def test_a_flood_of_what_is_yet_to_happen_hides_nothing_of_a_past_moment(world: World) -> None:
    vault, clock = world.vault, world.clock
    stored(vault.remember(WANTED))
    moment = clock.advance(hours=1)
    later = moment + timedelta(days=1)
    clock.advance(hours=1)
    flooded(vault, "home", lambda one: replace(one, occurred_at=later))
    assert said(vault.recall(ASK, k=5, as_of=moment)) == [WANTED]
    assert said(vault.recall(ASK, k=5, known_at=moment)) == [WANTED]


def test_a_flood_of_turns_hides_no_fact_from_who_asks_for_facts(vault: Vault) -> None:
    stored(vault.remember(WANTED))
    flooded(vault, "home")
    assert said(vault.recall(ASK, k=5, kinds=("fact",))) == [WANTED]
    assert WANTED not in said(vault.recall(ASK, k=5, sources=("turn",)))


def test_a_flood_of_stuffed_texts_from_outside_holds_two_places_in_five_and_none_as_believed(
    vault: Vault,
) -> None:
    """What is read outside has to be found; it may not crowd out what is believed (decision 0030)."""
    page = vault.session("page", agent="coder", space="home")
    page.append("tool_result", BAIT)
    for place in ("weir", "mill", "quay", "lock", "dock"):
        stored(page.remember(f"{BAIT} ferry pier ferry pier {place}"))
    alone = vault.recall(ASK, k=5)
    assert [hit.label.untrusted for hit in alone.hits] == [True] * 5
    for number in range(3, 9):
        stored(vault.remember(f"The ferry to the island uses pier {number} in month {number}"))
    answer = vault.recall(ASK, k=5)
    outside = [hit for hit in answer.hits if hit.label.untrusted]
    assert (len(answer.hits), len(outside)) == (5, 2)
    assert {hit.trust for hit in outside} == {"candidate"}
    assert dict(answer.withheld)["untrusted"] > 0
    kept = vault.acting_as(actor="coder", space="home").recall(ASK, k=5).hits
    assert sum(hit.trust == "believed" for hit in kept) == 3
