"""Is the search for reference cycles off only while a batch is taken in?"""

import gc

import pytest

from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Take
from muniment.service import conversations
from muniment.service.uncollected import uncollected
from muniment.service.vault import Vault


def test_cycles_are_looked_for_again_whatever_happened() -> None:
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(RuntimeError), uncollected():
        raise RuntimeError("stopped")
    assert gc.isenabled()


def test_who_looks_for_no_cycles_is_let_be() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_batch_is_taken_in_without_and_leaves_it_on(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    real = conversations.origin_digest
    monkeypatch.setattr(
        conversations, "origin_digest", lambda *given: (seen.append(gc.isenabled()), real(*given))[1]
    )
    turn = Arrival(session="s", origin="1", role=Role.USER, speaker="user", text="Tea is at four")
    report = conversations.take(vault.ground, Take(vault.principal, "home", (turn,), source="test"))
    assert report.added == 1
    assert seen == [False]
    assert gc.isenabled()
