"""Does an erasure reach every frozen prompt, take its bytes, and leave a stub and the reason?"""

import pytest

from muniment.domain.matter import Matter, MatterKind
from muniment.service.vault import Vault
from tests.builders import World
from tests.erasure.planting import CODE, TWIN
from tests.service.test_blocks import filled, landed


def lived_in(vault: Vault) -> None:
    """Let a value and its twin stand in the prompts of sessions, also by the host's own text."""
    filled(vault, f"The locker code is {CODE}", f"The spare one is {TWIN}")
    vault.session("s-1").open()
    vault.session("s-2").open(system=f"Ria asked for {CODE}.")
    landed(vault.memory(action="remove", block="memory", old=CODE))
    vault.session("s-3").open()


def prompts(vault: Vault) -> dict[str, str]:
    return {name: vault.session(name).open().text for name in ("s-1", "s-2", "s-3")}


def test_an_erased_value_stands_in_no_prompt_and_the_next_one_says_why(world: World) -> None:
    vault = world.vault
    lived_in(vault)
    before = prompts(vault)
    assert [CODE in text for text in before.values()] == [True, True, False]
    vault.erase(vault.plan_erasure(text=CODE))
    again = world.restarted()
    opened = {name: again.session(name).open() for name in before}
    assert [(one.epoch, one.began) for one in opened.values()] == [(2, "erased"), (2, "erased"), (1, "first")]
    assert all(CODE not in one.text and TWIN in one.text for one in opened.values())
    assert opened["s-3"].text == before["s-3"]
    assert again.verify().ok


def test_a_plan_counts_the_prompts_that_would_go(vault: Vault) -> None:
    lived_in(vault)
    plan, other = (vault.plan_erasure(text=text) for text in (CODE, "nobody said this"))
    rows = [one.sealed.row for one in plan.going]
    matters = [row.kind for row in rows if isinstance(row, Matter)]
    assert matters.count(MatterKind.BASELINE) == 2, "those of s-1 and s-2"
    assert plan.counts["matter"] == len(matters) and "matter" not in other.counts
    certificate = vault.erase(plan)
    assert CODE not in str(certificate)
    assert vault.verify().ok


@pytest.mark.parametrize("name", ["s-1", "s-2"])
def test_a_session_reopened_after_an_erasure_keeps_its_new_prompt(world: World, name: str) -> None:
    lived_in(world.vault)
    world.vault.erase(world.vault.plan_erasure(text=CODE))
    first = world.vault.session(name).baseline
    filled(world.vault, "Tea is at four")
    again = world.restarted()
    assert again.session(name).baseline == first
    assert "Tea is at four" in again.session(name).reopen().text


def test_a_value_erased_from_a_compacted_conversation_is_in_no_search(world: World) -> None:
    vault = world.vault
    session = vault.session("s-4")
    session.append("user", f"The locker code is {CODE}")
    session.append("user", f"The spare one is {TWIN}")
    session.compact(f"They spoke of {CODE} and {TWIN}.")
    vault.erase(vault.plan_erasure(text=CODE))
    again = world.restarted()
    said = [turn.text for turn in again.session("s-4").turns(every=True)]
    assert not any(CODE in text for text in said)
    assert again.search("locker code").answer.hits == () or CODE not in str(again.search("locker code"))
    assert TWIN in str(again.search(session="s-4").answer.hits)
