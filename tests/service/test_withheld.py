"""Is a memory of each state recalled, withheld and counted, or shown with its mark, as the table says?"""

from collections.abc import Callable

import pytest

from muniment.domain.trust import LIVE, Trust
from muniment.service.awake import awake
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored, texts

TEXT = "The otter sleeps in the reeds"
BESIDE = "The otter wakes at dusk"


def _candidate(vault: Vault) -> str:
    return stored(vault.remember(TEXT, kind="hypothesis")).id


def _believed(vault: Vault) -> str:
    return stored(vault.remember(TEXT)).id


def _disputed(vault: Vault) -> str:
    id = _believed(vault)
    stored(vault.judge(id, "dispute"))
    return id


def _refuted(vault: Vault) -> str:
    id = _candidate(vault)
    stored(vault.judge(id, "refute", reason="seen elsewhere"))
    return id


def _rejected(vault: Vault) -> str:
    id = _believed(vault)
    stored(vault.reject(id, reason="never"))
    return id


def _superseded(vault: Vault) -> str:
    id = _believed(vault)
    stored(vault.succeed(id, "The beaver sleeps under the bank"))
    return id


def _retired(vault: Vault) -> str:
    id = _believed(vault)
    stored(vault.retire(id))
    return id


MAKERS: dict[Trust, Callable[[Vault], str]] = {
    Trust.CANDIDATE: _candidate,
    Trust.BELIEVED: _believed,
    Trust.DISPUTED: _disputed,
    Trust.REFUTED: _refuted,
    Trust.REJECTED: _rejected,
    Trust.SUPERSEDED: _superseded,
    Trust.RETIRED: _retired,
}
COUNTED = frozenset({Trust.DISPUTED, Trust.REFUTED, Trust.SUPERSEDED, Trust.RETIRED})
"""States whose withholding is told; of what was rejected nobody is told a thing."""


def test_the_table_has_every_state() -> None:
    assert set(MAKERS) == set(Trust)


@pytest.mark.parametrize("trust", Trust, ids=lambda trust: trust.value)
def test_a_memory_of_each_state_is_recalled_or_withheld(vault: Vault, clock: FakeClock, trust: Trust) -> None:
    stored(vault.remember(BESIDE))
    clock.advance(minutes=1)
    id = MAKERS[trust](vault)
    clock.advance(minutes=1)
    assert vault.memories(states=[trust.value])[0].memory == id
    answer = vault.recall(TEXT)
    found = {hit.text: hit for hit in answer.hits}
    assert texts(vault, BESIDE)[:1] == [BESIDE], "what stands is recalled whatever happened beside it"
    assert (TEXT in found) is (trust in LIVE)
    if trust in LIVE:
        assert found[TEXT].trust is trust
    assert bool(dict(answer.withheld).get(trust.value)) is (trust in COUNTED)


@pytest.mark.parametrize("trust", sorted(COUNTED), ids=lambda trust: trust.value)
def test_a_withheld_memory_is_shown_with_its_mark_when_asked_for(
    vault: Vault, clock: FakeClock, trust: Trust
) -> None:
    MAKERS[trust](vault)
    clock.advance(minutes=1)
    shown = [hit for hit in vault.recall(TEXT, include=[trust.value]).hits if hit.text == TEXT]
    assert [hit.trust for hit in shown] == [trust]
    assert f"trust={trust.value}" in vault.recall(TEXT, include=[trust.value]).render()
    assert TEXT not in texts(vault, TEXT)


@pytest.mark.parametrize("trust", Trust, ids=lambda trust: trust.value)
def test_what_an_agent_wakes_to_shows_no_withheld_state_but_what_is_disputed(
    vault: Vault, clock: FakeClock, trust: Trust
) -> None:
    MAKERS[trust](vault)
    clock.advance(minutes=1)
    woken = awake(vault.ground, vault.principal)
    shown = {hit.text for hit in woken.hits}
    assert (TEXT in shown) is (trust in LIVE | {Trust.DISPUTED})
    owed = dict(woken.owed)
    assert (owed.get(f"withheld: {trust.value}", 0) > 0) is (trust in COUNTED)
    assert (owed.get("cases waiting", 0) > 0) is (trust is Trust.DISPUTED)
