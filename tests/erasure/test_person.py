"""Does an erasure of a person reach all that they wrote, and say what else names them?"""

import pytest

from muniment.domain.ledger import RowCode
from muniment.service.erase_survey import walked
from muniment.service.vault import Vault
from tests.builders import World, stored

ENTRY = "Zanzibar is where I grew up"
SHORT = "Likes tea"


def member(vault: Vault, name: str) -> Vault:
    return vault.acting_as(actor=name, role="member", space="home")


def erased(vault: Vault, **more: object) -> str:
    return str(vault.erase(vault.plan_erasure(person="Ria", **more)).status)


def everything(vault: Vault) -> str:
    """Return every committed row of a vault, spelled out."""
    with vault.ground.store.snapshot() as snapshot:
        return "\n".join(repr(one.row) for code in RowCode for one in walked(snapshot, code))


@pytest.mark.parametrize("entry", [ENTRY, SHORT])
def test_fault_what_a_person_wrote_into_a_block_outlives_their_erasure(world: World, entry: str) -> None:
    vault, ria, bo = world.vault, member(world.vault, "Ria"), member(world.vault, "Bo")
    stored(ria.memory(action="add", block="user", text=entry))
    stored(bo.memory(action="add", block="user", text="Bo works by the quay"))
    prompt = vault.session("talk", agent="coder")
    assert entry in prompt.baseline
    plan = vault.plan_erasure(person="ria")
    assert entry in [term.text for term in plan.terms]
    assert vault.erase(plan).status == "storage-complete"
    assert vault.block("user").entries == ("Bo works by the quay",)
    assert entry not in vault.session("talk", agent="coder").baseline
    assert entry not in everything(vault)
    assert bo.memory(action="add", block="user", text=entry).reason == "rejected-value"
    assert vault.verify().ok


def test_an_entry_that_another_took_out_goes_from_its_note_too(world: World) -> None:
    vault, bo = world.vault, member(world.vault, "Bo")
    stored(member(vault, "Ria").memory(action="add", block="memory", text=ENTRY))
    stored(bo.memory(action="remove", block="memory", old=ENTRY))
    stored(bo.memory(action="add", block="memory", text="The quay opens at six"))
    assert vault.recall("Zanzibar").hits
    erased(vault)
    assert not any("Zanzibar" in hit.text for hit in vault.recall("Zanzibar").hits)
    assert all("Zanzibar" not in str(line) for line in vault.edits())
    assert vault.block("memory").entries == ("The quay opens at six",)


def test_what_another_put_back_is_not_theirs(world: World) -> None:
    vault, bo = world.vault, member(world.vault, "Bo")
    stored(bo.memory(action="add", block="memory", text="The quay opens at six"))
    stored(bo.memory(action="remove", block="memory", old="The quay opens at six"))
    stored(member(vault, "Ria").undo(vault.edits()[0].id))
    stored(member(vault, "Ria").remember("An otter sleeps"))
    erased(vault)
    assert vault.block("memory").entries == ("The quay opens at six",)


def test_fault_what_a_person_asked_for_outlives_their_erasure(world: World) -> None:
    vault, ria, bo = world.vault, member(world.vault, "Ria"), member(world.vault, "Bo")
    vault.set_dial("review", "all")
    for text in ("The zebra waits", "The yak waits"):
        assert ria.remember(text).verdict == "staged"
    assert ria.memory(action="add", block="memory", text="The gnu waits").verdict == "staged"
    kept = bo.remember("The heron waits").proposal
    declined = next(one for one in vault.pending() if "yak" in str(one))
    stored(vault.decline(declined.id, reason="not so"))
    erased(vault)
    assert [one.id for one in vault.pending(state="all")] == [kept]
    said = everything(vault)
    assert all(word not in said for word in ("zebra", "yak", "gnu")) and "heron" in said
    assert vault.verify().ok


def test_a_plan_says_how_much_names_the_person_and_stays(world: World) -> None:
    vault = world.vault
    stored(vault.remember("Ria lives in Graz"))
    stored(vault.remember("The team meets on Monday", tags=["Ria"]))
    stored(vault.remember("Maria lives in Bonn"))
    stored(vault.remember("Her city is Graz", about="Ria", attribute="city", value="Graz"))
    talk = vault.session("talk", agent="coder")
    talk.append("user", "I am Ria.", speaker="Ria")
    talk.append("user", "Ria is my boss.", speaker="Bo")
    plan = vault.plan_erasure(person="Ria")
    (naming,) = [one for one in plan.stays if "naming the person" in one.why]
    assert naming.name == "3 rows"
    assert {one.why for one in plan.going} >= {"of the person"}
    (maria,) = vault.plan_erasure(person="Maria").stays
    assert maria.name == "1 row"
    assert vault.plan_erasure(person="Bo").stays == ()


def test_a_person_of_whom_nothing_is_there_leaves_an_empty_plan(world: World) -> None:
    stored(world.vault.remember("The quay opens at six"))
    assert world.vault.plan_erasure(person="Ria").empty
