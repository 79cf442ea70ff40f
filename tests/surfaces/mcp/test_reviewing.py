"""Does an agent learn that something waits for a person, without a tool to settle it?"""

from pathlib import Path

import pytest

from muniment.service.vault import Vault
from muniment.surfaces.mcp import core
from tests.builders import FakeClock, reference_vault, stored
from tests.surfaces.mcp.clients import call, data_of, text_of

SLOT = {"about": "door", "attribute": "code"}


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return reference_vault(tmp_path, clock=FakeClock())


def test_the_receipt_names_the_case_that_a_write_opened(vault: Vault) -> None:
    stored(vault.remember("The code is 1234", value="1234", **SLOT))
    result = call(vault, "remember", text="The code is 4711", value="4711", **SLOT)
    found = data_of(result)
    (case,) = vault.cases()
    assert (found["verdict"], found["case"], found["proposal"]) == ("disputed", case.id, "")
    assert f"Case {case.id} waits for a person." in text_of(result)


def test_a_clean_write_names_neither_case_nor_proposal(vault: Vault) -> None:
    result = call(vault, "remember", text="The lamp is blue")
    assert (data_of(result)["case"], data_of(result)["proposal"]) == ("", "")
    assert "waits for a person" not in text_of(result)


def test_a_write_that_waits_is_no_error_and_says_so(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    result = call(vault, "remember", text="The lamp is blue")
    found = data_of(result)
    (proposal,) = vault.pending()
    assert not result.is_error
    assert (found["verdict"], found["reason"], found["proposal"]) == ("staged", "review", proposal.id)
    assert (proposal.proposer, proposal.text) == ("coder", "The lamp is blue")
    assert vault.memories() == ()


def test_a_succession_that_is_not_the_agents_lands_beside_the_other(vault: Vault) -> None:
    said = stored(vault.remember("The office is in Berlin")).id
    result = call(vault, "revise", id=said, action="succeed", text="The office is in Lisbon")
    assert (data_of(result)["verdict"], data_of(result)["reason"]) == ("disputed", "may-not-supersede")
    assert vault.read(said).trust.value == "believed"


def test_no_tool_settles_anything() -> None:
    words = ("approve", "decline", "decide", "pending")
    names = set(core.TOOLS)
    assert names and not any(word in name for name in names for word in words)
