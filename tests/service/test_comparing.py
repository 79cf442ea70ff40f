"""Does a receipt that waited say what became of the statement, on every store?"""

import pytest

from muniment.errors import Busy
from muniment.service import comparing
from muniment.service.vault import Vault
from tests.builders import stored


def test_a_receipt_that_waits_names_what_the_statement_took_the_place_of(vault: Vault) -> None:
    old = stored(vault.remember("I live in Berlin")).id
    plain = vault.remember("I prefer tea in the morning")
    assert plain.conflict == "pending", "in the background it is still to be compared"
    new = vault.remember("I moved to Lisbon", wait=True)
    assert (new.conflict, new.also, new.case) == ("superseded", (old,), "")
    assert (new.verdict, new.reason) == ("stored", "superseded-older")
    assert vault.read(old).state == "superseded"


def test_what_agrees_with_everything_conflicts_with_nothing(vault: Vault) -> None:
    stored(vault.remember("I live in Berlin"))
    receipt = vault.remember("The heron nests by the weir", wait=True)
    assert (receipt.verdict, receipt.conflict, receipt.also) == ("stored", "none", ())


def test_a_statement_of_lower_rank_is_said_to_be_in_doubt_with_its_case(vault: Vault) -> None:
    stored(vault.remember("The gate is locked at night"))
    agent = vault.acting_as(actor="coder", role="agent")
    receipt = agent.remember("The gate is not locked at night", wait=True)
    assert (receipt.verdict, receipt.reason, receipt.conflict) == (
        "disputed",
        "conflict-lower-rank",
        "disputed",
    )
    assert receipt.next.startswith("A person decides")
    assert [case.id for case in vault.cases()] == [receipt.case]
    assert vault.read(receipt.id).state == "disputed"


def test_work_that_cannot_be_done_now_waits_and_the_statement_is_stored(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(ground: object) -> None:
        raise Busy("Another writer holds the vault.")

    old = stored(vault.remember("I live in Berlin")).id
    monkeypatch.setattr(comparing, "run_jobs", busy)
    receipt = vault.remember("I moved to Lisbon", wait=True)
    assert (receipt.verdict, receipt.conflict) == ("stored", "pending")
    monkeypatch.undo()
    vault.settle()
    assert vault.read(old).state == "superseded"


def test_of_two_authors_neither_gives_way_and_the_receipt_says_who_decides(vault: Vault) -> None:
    one, two = (vault.acting_as(actor=name, role="agent") for name in ("coder", "scout"))
    stored(one.remember("The gate is locked at night"))
    receipt = two.remember("The gate is not locked at night", wait=True)
    assert (receipt.verdict, receipt.conflict) == ("stored", "disputed")
    assert "a person decides" in receipt.next
    assert vault.read(receipt.id).state == "current"
    assert [case.id for case in vault.cases()] == [receipt.case]


def test_one_clause_of_a_statement_is_corrected_and_the_other_stays_believed(vault: Vault) -> None:
    agent = vault.acting_as(actor="coder")
    old = stored(agent.remember("Ria is an engineer at Acme and plays the cello"))
    stored(agent.remember("Ria does not play the cello"))
    vault.settle()
    assert vault.read(old.id).trust == "superseded"
    assert {row.claim.text for row in vault.memories(states=["believed"])} == {
        "Ria is an engineer at Acme",
        "Ria does not play the cello",
    }
