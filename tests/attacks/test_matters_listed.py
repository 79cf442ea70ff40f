"""Is a row that was altered behind the gate listed, or a session's altered log believed?"""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from muniment.errors import Tampered
from muniment.service.vault import Vault
from tests.builders import VAULTS, FakeClock, stored


def _edits(vault: Vault) -> None:
    vault.memory(action="add", block="memory", text="Tea is at four")


def _proposal(vault: Vault) -> None:
    vault.set_dial("review", "agent")
    vault.acting_as(actor="coder").remember("The quay opens at four")


def _approved(vault: Vault) -> None:
    _proposal(vault)
    (waiting,) = vault.pending()
    stored(vault.approve(waiting.id, digest=waiting.digest, reason="seen at four"))


def _case(vault: Vault) -> None:
    stored(vault.remember("The quay is blue", about="quay", attribute="colour", value="blue"))
    vault.acting_as(actor="coder").remember("It is red", about="quay", attribute="colour", value="red")
    stored(vault.decide(vault.cases()[0].id, "keep-old", reason="seen at four"))


def _request(vault: Vault) -> None:
    vault.acting_as(actor="coder").ask_erasure(text="Tea is at four")


def _declined(vault: Vault) -> None:
    request, _ = vault.acting_as(actor="coder").ask_erasure(text="Tea is at six")
    vault.decline_erasure(request, reason="not at four")


def _log(vault: Vault) -> None:
    vault.session("talk", agent="coder").append("user", "Tea is at four.")
    session = vault.session("other", agent="coder")
    session.append("user", "Tea is at six.")
    session.follow("talk")


Made, Listed = Callable[[Vault], None], Callable[[Vault], object]
LISTED: dict[str, tuple[Made, Listed, str]] = {
    "a line of a block": (_edits, lambda vault: vault.edits(), "body = replace(body, 'four', 'five')"),
    "who edited a block": (_edits, lambda vault: vault.edits(), "untrusted = 1"),
    "a proposal": (_proposal, lambda vault: vault.pending(), "body = replace(body, 'four', 'five')"),
    "why it waits": (_proposal, lambda vault: vault.pending(), "why = 'secret'"),
    "an approval": (
        _approved,
        lambda vault: vault.pending(state="all"),
        "reason = replace(reason, 'four', 'x')",
    ),
    "a case": (_case, lambda vault: vault.cases(state="all"), "reason = replace(reason, 'four', 'five')"),
    "a request": (_request, lambda vault: vault.erasure_requests(), "body = replace(body, 'four', 'five')"),
    "a request to a plan": (
        _request,
        lambda vault: vault.plan_erasure(text="Tea is at four"),
        "body = replace(body, 'four', 'five')",
    ),
    "a declined request": (
        _declined,
        lambda vault: vault.erasure_requests(state="declined"),
        "reason = replace(reason, 'four', 'five')",
    ),
    "a session's log, in a search": (_log, lambda vault: vault.search("tea"), "untrusted = 1 - untrusted"),
    "a session's log": (
        _log,
        lambda vault: vault.session("other", agent="coder").open(),
        "new_version = new_version + 1",
    ),
}


@pytest.mark.parametrize("what", sorted(LISTED))
def test_a_row_that_was_altered_behind_the_gate_is_not_listed(
    tmp_path: Path, clock: FakeClock, what: str
) -> None:
    made, listed, change = LISTED[what]
    vault = VAULTS["sqlite"](tmp_path, clock=clock)
    made(vault)
    assert listed(vault), "as it was made it is shown"
    (path,) = tmp_path.rglob("*.db")
    hand = apsw.Connection(str(path))
    hand.execute(f"UPDATE matter SET {change} WHERE kind <> 'dial'")
    hand.close()
    with pytest.raises(Tampered):
        listed(vault)
    assert not vault.verify().ok


@pytest.mark.parametrize("what", sorted(LISTED))
def test_a_row_of_another_kind_that_was_altered_stands_in_no_listings_way(
    tmp_path: Path, clock: FakeClock, what: str
) -> None:
    made, listed, _ = LISTED[what]
    vault = VAULTS["sqlite"](tmp_path, clock=clock)
    made(vault)
    stored(vault.remember("A note on its own"))
    vault.recall("a note on its own")
    vault.settle()
    (path,) = tmp_path.rglob("*.db")
    hand = apsw.Connection(str(path))
    hand.execute("UPDATE recall_log SET query = 'another question'")
    hand.close()
    assert listed(vault)
