"""Do names that hold what is erased come back without it, and everything that they name stay whole?"""

import pytest

from muniment.domain.evidence import MARK
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN


def test_a_session_whose_name_says_it_gets_another_and_keeps_its_turns(world: World) -> None:
    vault = world.vault
    session = vault.session(f"talk about {CODE}", agent="coder")
    turn = session.append("user", "Tea is at four.").evidence[0]
    vault.erase(vault.plan_erasure(text=CODE))
    (row,) = vault.sessions()
    assert "HERON" not in row.name and row.name.startswith(MARK)
    assert vault.read(turn).session == row.name
    assert row.turns == 1
    assert vault.verify().ok
    assert world.restarted().verify().ok


def test_two_sessions_that_say_it_get_names_of_their_own(world: World) -> None:
    vault = world.vault
    for n in range(2):
        vault.session(f"{CODE} number {n}", agent="coder").append("user", f"Turn {n}.")
    vault.erase(vault.plan_erasure(text=CODE))
    names = {row.name for row in vault.sessions()}
    assert len(names) == 2 and not any("HERON" in name for name in names)
    assert vault.verify().ok


def test_a_speaker_and_a_source_are_cleared_and_the_words_stay(world: World) -> None:
    vault = world.vault
    session = vault.session("talk", agent="coder")
    turn = session.append("user", "Tea is at four.", speaker=f"holder of {CODE}").evidence[0]
    page = vault.ingest("Herons wade at dawn.", source=f"{CODE}.txt").evidence[0]
    vault.erase(vault.plan_erasure(text=CODE))
    assert (vault.read(turn).text, vault.read(turn).speaker) == ("Tea is at four.", MARK)
    assert (vault.read(page).text, vault.read(page).session) == ("Herons wade at dawn.", MARK)
    assert {hit.id for hit in vault.recall("tea at four").hits} >= {turn}
    assert vault.verify().ok


@pytest.mark.parametrize("tags", [[CODE], [CODE, "kept"], ["kept", f"about {CODE}", "too"]])
def test_a_tag_goes_and_the_others_stay(vault: Vault, tags: list[str]) -> None:
    id = stored(vault.remember("A note", tags=tags)).id
    vault.erase(vault.plan_erasure(text=CODE))
    assert list(vault.read(id).tags) == [tag for tag in tags if CODE not in tag]
    assert vault.read(id).state == "current"
    assert vault.recall(CODE).hits == () or CODE not in str(vault.recall(CODE).hits)
    assert vault.verify().ok


def test_a_reason_of_a_rejection_is_cleared_and_the_rejection_stands(world: World) -> None:
    vault = world.vault
    id = stored(vault.remember("The lamp is blue")).id
    stored(vault.reject(id, reason=f"because {CODE} says so"))
    vault.erase(vault.plan_erasure(text=CODE))
    assert vault.remember("the LAMP is blue").refused
    with vault.ground.store.snapshot() as snapshot:
        reasons = [one.reason for one in snapshot.tombstones_of(id)]
    assert reasons == [MARK]
    assert vault.verify().ok
    assert world.restarted().remember("The lamp is blue").refused


def test_an_actor_whose_name_says_it_gets_another_and_keeps_what_was_written(world: World) -> None:
    vault = world.vault
    agent = vault.acting_as(actor=f"bot {CODE}", space="acme")
    id = stored(agent.remember(f"The spare is {TWIN}")).id
    vault.erase(vault.plan_erasure(text=CODE))
    reading = vault.read(id)
    assert reading.author.startswith(MARK) and TWIN in reading.text
    assert vault.verify().ok


def test_an_actor_that_was_renamed_writes_on_under_a_number_of_its_own(world: World) -> None:
    vault = world.vault
    stored(vault.acting_as(actor="Ria", space="acme").remember("Mine"))
    vault.erase(vault.plan_erasure(person="Ria"))
    again = stored(vault.acting_as(actor="Ria", space="acme").remember("Mine again, of today")).id
    assert vault.read(again).author == "Ria"
    with vault.ground.store.snapshot() as snapshot:
        assert len({row.n for row in snapshot.actors()}) == len(snapshot.actors())
    assert vault.verify().ok
