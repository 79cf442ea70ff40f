"""Can a person decide a case against a value that another one took the place of already?"""

from datetime import datetime, timedelta

import pytest

from muniment.domain.memory import Version
from muniment.domain.trust import Trust
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored

STATES = ("believed", "superseded", "disputed", "retired")


def told(vault: Vault, value: str, **times: datetime) -> str:
    return vault.remember(
        f"The quay opens at {value}", about="quay", attribute="opens", value=value, **times
    ).id


class Past:
    """Hold a slot whose first value gave way, and an agent's value for three hours of its time."""

    def __init__(self, vault: Vault, clock: FakeClock) -> None:
        self.vault, self.begins = vault, clock.now()
        self.first = told(vault, "nine")
        clock.advance(days=2)
        self.second = told(vault, "ten")
        clock.advance(days=2)
        agent = vault.acting_as(actor="coder")
        self.at = self.begins + timedelta(hours=3)
        self.new = told(agent, "seven", valid_from=self.at, valid_until=self.begins + timedelta(hours=6))
        (case,) = vault.cases()
        self.case = case.id
        clock.advance(days=1)

    def states(self) -> dict[str, Version]:
        return {row.memory: row for row in self.vault.memories(states=STATES)}

    def on(self, **step: float) -> list[str]:
        """Return the values of the slot at a moment, counted from when the first one began."""
        hits = self.vault.recall("quay opens", as_of=self.begins + timedelta(**step)).hits
        return sorted(hit.value for hit in hits)


@pytest.fixture
def past(vault: Vault, clock: FakeClock) -> Past:
    return Past(vault, clock)


@pytest.mark.parametrize("decision", ["keep-old", "merge"])
def test_fault_the_older_side_of_a_past_day_cannot_be_kept(past: Past, decision: str) -> None:
    """There was no way to uphold a superseded memory, so that only the newer side could win."""
    stored(past.vault.decide(past.case, decision, reason="seen"))
    states = past.states()
    assert states[past.first].trust is Trust.SUPERSEDED and states[past.new].trust is Trust.RETIRED
    assert past.on(hours=4) == past.on(hours=30) == ["nine"] and past.on(hours=50) == ["ten"]
    assert not past.vault.cases() and past.vault.verify().ok


def test_fault_two_values_answer_for_a_past_day_once_the_newer_one_was_upheld(past: Past) -> None:
    stored(past.vault.decide(past.case, "uphold-new"))
    assert past.on(hours=1) == ["nine"] and past.on(hours=4) == ["seven"] and past.on(hours=50) == ["ten"]
    assert past.states()[past.first].valid.end == past.at
    assert past.vault.verify().ok


def test_an_edit_says_of_the_past_day_what_the_person_says(past: Past) -> None:
    stored(past.vault.decide(past.case, "edit", text="The quay opens at eight", value="eight"))
    assert past.on(hours=4) == past.on(hours=30) == ["eight"] and past.on(hours=50) == ["ten"]
    assert past.states()[past.first].trust is Trust.SUPERSEDED
    assert [hit.value for hit in past.vault.recall("quay opens").hits] == ["ten"]


def test_both_are_valid_one_after_the_other(past: Past) -> None:
    assert past.vault.decide(past.case, "both-valid").reason == "bad-shape"
    stored(past.vault.decide(past.case, "both-valid", valid_from=past.at))
    assert past.on(hours=1) == ["nine"] and past.on(hours=4) == ["seven"] and past.on(hours=50) == ["ten"]


def test_what_was_kept_of_a_past_day_holds_on_when_its_successor_ends(past: Past) -> None:
    stored(past.vault.decide(past.case, "keep-old"))
    assert past.first in stored(past.vault.retract(past.second)).also
    assert past.on(hours=4) == past.on(hours=90) == ["nine"]
    assert past.states()[past.first].trust is Trust.BELIEVED
