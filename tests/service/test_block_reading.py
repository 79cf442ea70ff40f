"""Who sees what a block holds and what was done to it, and how far back?"""

from dataclasses import replace

import pytest

from muniment.domain.label import DataClass
from muniment.domain.principal import Principal
from muniment.errors import BadInput, NotFound
from muniment.service.block_receipt import BlockReceipt
from muniment.service.vault import Vault
from tests.builders import FakeClock
from tests.service.test_blocks import filled, landed


def test_a_block_that_was_never_edited_is_empty(vault: Vault) -> None:
    shown = vault.block("user")
    assert (shown.entries, shown.text, shown.used, shown.edit) == ((), "", 0, "")
    assert (shown.block, shown.space, shown.bound) == ("user", "home", 1_375)
    assert shown.usage == "0% (0 of 1,375)"
    assert vault.edits() == ()


@pytest.mark.parametrize("name", ["", "diary", "Soul", None, 4])
def test_a_block_that_is_not_there_is_named(vault: Vault, name: object) -> None:
    with pytest.raises(BadInput):
        vault.block(name)  # type: ignore[arg-type]  # wrong on purpose


def secret_block(vault: Vault) -> None:
    session = vault.session("s-3", agent="coder")
    session.append("user", "the merger is on", data_class="secret")
    filled(session, "the merger is on")


def test_a_block_with_a_stricter_class_is_shown_to_nobody_below_it(vault: Vault) -> None:
    secret_block(vault)
    assert vault.block("memory").entries == ("the merger is on",)
    assert vault.principal.class_max is DataClass.SECRET
    held = vault._as(_narrowed(vault))
    with pytest.raises(NotFound):
        held.block("memory")
    assert held.edits() == ()
    refused = held.memory(action="remove", block="memory", old="nothing of it")
    assert (refused.entries, refused.usage, refused.count) == ((), "", 0)
    assert held.block("user").entries == ()


def _narrowed(vault: Vault) -> Principal:
    return replace(vault.principal, class_max=DataClass.PRIVATE)


def test_the_journal_is_read_page_by_page(vault: Vault, clock: FakeClock) -> None:
    for number in range(7):
        clock.advance(hours=7)
        filled(vault, f"entry {number}", block="memory" if number % 2 else "user")
    whole = vault.edits(limit=1_000)
    assert [line.after[-1] for line in whole] == [f"entry {number}" for number in range(6, -1, -1)]
    pages, after = [], 0
    while page := vault.edits(after=after, limit=3):
        pages.append(len(page))
        after = page[-1].n
    assert pages == [3, 3, 1]
    assert [line.block for line in vault.edits(block="user")] == ["user"] * 4
    assert len({line.id for line in whole}) == 7
    assert vault.edits(limit=0) == ()


@pytest.mark.parametrize("fields", [{"limit": -1}, {"limit": 1_001}, {"after": -1}, {"block": "diary"}])
def test_a_page_that_cannot_be_is_named(vault: Vault, fields: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        vault.edits(**fields)  # type: ignore[arg-type]  # wrong on purpose


def test_names_count_within_a_space_and_a_day(vault: Vault, clock: FakeClock) -> None:
    ada = vault.acting_as(actor="ada", space="ada")
    filled(vault, "one", "two")
    filled(ada, "three", block="user")
    assert [line.id for line in ada.edits()] == ["2026-01-05-0001"]
    assert vault.block("memory").edit == "2026-01-05-0002"
    clock.step_back(days=3)
    filled(vault, "four")
    assert vault.block("memory").edit == "2026-01-05-0003", "the log's time never goes back"


def receipt(**fields: object) -> BlockReceipt:
    given = {
        "verdict": "refused",
        "reason": "no-entry",
        "sentence": "It is so.",
        "next": "Do this.",
        **fields,
    }
    return BlockReceipt(**given)  # type: ignore[arg-type]  # a table


def test_a_receipt_says_stop_from_the_third_refusal_on() -> None:
    assert [receipt().after_failures(count).stop for count in (1, 2, 3, 4)] == [False, False, True, True]
    assert receipt().after_failures(2).next == "Do this."
    assert "4 edits of this turn were refused" in receipt().after_failures(4).next


def test_a_refusal_that_is_raised_says_what_its_receipt_says(vault: Vault) -> None:
    with pytest.raises(Exception, match=r"It is so. The detail.") as raised:
        receipt(detail="The detail.").checked(strict=True)
    assert getattr(raised.value, "advice", "") == "Do this."
    assert receipt().checked(strict=False) == receipt()
    assert receipt(verdict="stored").checked(strict=True).verdict == "stored"
    assert not landed(receipt(verdict="noted")).refused
