"""Does an erased identifier stay out however its parts are parted, and is a longer one spared?"""

import pytest

from muniment.domain.evidence import MARK
from tests.builders import World, stored

CODE, MAIL, CARD = "QZ7-HERON-4417", "alice.brown@acme.io", "4111 1111 1111 1111"


def erased(world: World, text: str) -> None:
    stored(world.vault.remember(f"Ria keeps {text} for the others"))
    world.vault.erase(world.vault.plan_erasure(text=text))


@pytest.mark.parametrize(
    "written",
    [
        "QZ7 HERON 4417",
        "QZ7.HERON.4417",
        "QZ7/HERON/4417",
        "QZ7 — HERON — 4417",
        "QZ7-\nHERON-\n4417",
        "qz7, heron, 4417",
    ],
)
def test_fault_a_code_comes_back_with_other_signs_between_its_parts(world: World, written: str) -> None:
    """An erasure takes it in every such spelling, and a copy that comes later was let in."""
    vault, session = world.vault, world.vault.session("talk", agent="coder")
    first = session.append("user", f"We said: {written}.").evidence[0]
    erased(world, CODE)
    assert vault.read(first).text == f"We said: {MARK}."
    assert vault.remember(f"Her code, {written}, is new").reason == "rejected-value"
    again = session.append("user", f"Hers is {written} today.").evidence[0]
    assert vault.read(again).text == f"Hers is {MARK} today."


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        (MAIL, "dr.alice.brown@acme.io"),
        (MAIL, "alice.brown@acme.io.uk"),
        (MAIL, "alice.brown@mail.acme.io"),
        ("AB-12-CD-34567", "AB-12-CD-34567-9"),
        ("AB-12-CD-34567", "X-AB-12-CD-34567"),
    ],
)
def test_fault_an_erased_address_takes_its_longer_neighbours_along(
    world: World, text: str, longer: str
) -> None:
    """From four parts on, an address was looked for as any text is, and found within a longer one."""
    vault, session = world.vault, world.vault.session("talk", agent="coder")
    erased(world, text)
    assert vault.remember(f"Write to {text} today").reason == "rejected-value"
    assert stored(vault.remember(f"Write to {longer} today"))
    said = session.append("user", f"Ask {longer}, not {text}.").evidence[0]
    assert vault.read(said).text == f"Ask {longer}, not {MARK}."


def test_fault_a_card_number_in_a_row_of_a_table_stays(world: World) -> None:
    vault = world.vault
    rows = f"name,card,town\nRia,{CARD},Graz\nBo,4222 2222 2222 2222,Bonn\n{CARD},Ria,Graz"
    (item,) = vault.ingest(rows, source="cards.csv").evidence
    vault.erase(vault.plan_erasure(text=CARD))
    assert vault.read(item).text == rows.replace(CARD, MARK)
    (again,) = vault.ingest(f"card,name\n{CARD},Ria", source="more.csv").evidence
    assert vault.read(again).text == f"card,name\n{MARK},Ria"
    assert vault.verify().ok


@pytest.mark.parametrize("quotes", ["''", "“”", "«»", "__"])
def test_fault_quotes_carry_an_erased_address_back(world: World, quotes: str) -> None:
    vault, said = world.vault, quotes[0] + "alice@acme.io" + quotes[1]
    erased(world, "alice@acme.io")
    assert vault.remember(f"Write to {said} today").reason == "rejected-value"
    turn = vault.session("talk", agent="coder").append("user", f"to={said} was asked").evidence[0]
    assert vault.read(turn).text == f"to={quotes[0]}{MARK}{quotes[1]} was asked"


def test_fault_an_address_in_disguised_letters_outlives_its_erasure(world: World) -> None:
    vault = world.vault
    hidden = stored(vault.remember("Write to \u0430lice@\u0430cme.io at noon")).id
    digits = stored(vault.remember("Call ٨٦٧٥٣٠٩ at noon")).id
    other = stored(vault.remember("Write to m\u0430lice@\u0430cme.io at noon")).id
    erased(world, "alice@acme.io")
    erased(world, "8675309")
    states = [one.memory for one in vault.memories()]
    assert hidden not in states and digits not in states and other in states
