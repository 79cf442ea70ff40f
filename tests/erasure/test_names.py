"""Do names that hold what is erased come back without it, and everything that they name stay whole?"""

from pathlib import Path

import pytest

import muniment
from muniment.domain.evidence import MARK
from muniment.errors import BadInput
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


def test_a_text_that_only_a_name_says_is_not_erased_and_that_is_said(vault: Vault) -> None:
    stored(vault.remember("Tea is at four", space=f"acme/{CODE}"))
    plan = vault.plan_erasure(text=CODE)
    assert plan.empty and plan.stays
    with pytest.raises(BadInput) as mistake:
        vault.erase(plan)
    assert plan.stays[0].name in mistake.value.sentence and "HERON" not in mistake.value.sentence


def test_a_certificate_names_no_row_where_no_name_says_it(vault: Vault) -> None:
    stored(vault.remember(f"Tea is {CODE}", space="acme/tea"))
    certificate = vault.erase(vault.plan_erasure(text=CODE))
    assert not any("space/" in one or "credential/" in one for one in certificate.uncovered)


def test_no_new_name_takes_in_what_was_erased(vault: Vault) -> None:
    """A name stays, since rights and rows name it, so that nobody could erase it again."""
    stored(vault.remember(f"Tea is {CODE}"))
    there = vault.acting_as(actor=f"bot {TWIN}", space=f"acme/{TWIN}")
    stored(there.remember("Tea is at four"))
    vault.erase(vault.plan_erasure(text=CODE))
    before = vault.status().records
    for write in (
        lambda: vault.remember("Tea is at five", space=f"acme/{CODE}"),
        lambda: vault.acting_as(actor=f"bot {CODE}").remember("Tea is at five"),
        lambda: vault.acting_as(actor=f"bot {CODE.lower().replace('-', '')}").remember("Tea is at five"),
        lambda: vault.session("s", agent="coder", space=f"{CODE}/team").append("user", "Tea is at five"),
        lambda: vault.make_key(actor=CODE),
        lambda: vault.make_key(actor="bot", space=f"acme/{CODE}"),
        lambda: vault.make_key(actor="bot", reads=[f"acme/{CODE}"]),
        lambda: vault.make_key(actor="bot", writes=[f"acme/{CODE}"]),
    ):
        with pytest.raises(BadInput) as mistake:
            write()
        assert mistake.value.advice == "Take another name."
    assert vault.status().records == before
    stored(there.remember("Tea is at six"))
    assert vault.make_key(actor=f"bot {TWIN}", space=f"acme/{TWIN}")
    assert not any("HERON" in row.path.upper() for row in vault.spaces())
    assert vault.verify().ok


def test_an_import_brings_no_space_whose_path_was_erased(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "other.db") as other:
        stored(other.remember("Tea is at four", space=f"acme/{CODE}"))
        stored(other.remember("Tea is at five", space=f"acme/{TWIN}"))
        other.session("s", agent="coder", space=f"acme/{CODE}").append("user", "Tea is at six")
        other.export(tmp_path / "other.jsonl")
    with muniment.open(tmp_path / "vault.db") as vault:
        stored(vault.remember(f"Tea is {CODE}"))
        vault.erase(vault.plan_erasure(text=CODE))
        report = vault.import_(tmp_path / "other.jsonl")
        assert (dict(report.refused), report.stored) == ({"no-such-space": 2}, 1)
        assert not any(CODE in row.path for row in vault.spaces())
