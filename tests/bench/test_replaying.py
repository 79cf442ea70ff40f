"""Does the load notice when many at once came to something else than one after the other?"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bench.deeds import VERBS, Agent, Deed, Step, done
from bench.replaying import Kept, differences, kept_by, moments_of
from muniment.service.vault import Vault
from tests.builders import VAULTS, FakeClock

STEPS = 120


@pytest.fixture(scope="module", params=sorted(VAULTS))
def history(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> "History":
    """Return what two agents did in turn, and what the vault held then."""
    clock = FakeClock()
    with VAULTS[request.param](tmp_path_factory.mktemp("load"), clock=clock) as vault:
        return History.of(vault, clock)


class History:
    """Hold the acknowledged steps of a vault, the moments of their records, and what is there."""

    def __init__(self, vault: Vault, steps: list[Step]) -> None:
        self.steps, self.kept = steps, kept_by(vault)
        self.moments = moments_of(vault, {one.record for one in steps})

    @classmethod
    def of(cls, vault: Vault, clock: FakeClock) -> "History":
        steps, agents = list[Step](), [Agent("here", 1), Agent("here", 2)]
        for count in range(STEPS):
            clock.advance(seconds=1)
            agent = agents[count % 2]
            steps.append(done(vault, agent.next(count)))
            agent.learn(steps[-1])
        return cls(vault, steps)

    def apart(self, *, steps: list[Step] | None = None, kept: Kept | None = None) -> list[str]:
        return differences(
            self.steps if steps is None else steps, moments=self.moments, kept=kept or self.kept
        )


def test_what_was_done_comes_out_the_same_one_by_one(history: History) -> None:
    assert history.apart() == []
    # In whatever order the agents hand their steps over.
    assert history.apart(steps=history.steps[::-1]) == []


def test_the_agents_do_all_that_there_is_to_do(history: History) -> None:
    verbs = Counter(one.deed.verb for one in history.steps)
    assert set(verbs) == {*VERBS, "append"}
    assert {one.verdict for one in history.steps} >= {"stored", "merged", "taken"}
    assert any(one.also for one in history.steps), "a slot changes its value"
    assert any(len(states) > 2 for states in history.kept.states.values())


def _first(steps: list[Step], verb: str, verdict: str = "stored") -> int:
    return next(at for at, one in enumerate(steps) if (one.deed.verb, one.verdict) == (verb, verdict))


def _a_text(steps: list[Step]) -> None:
    at = _first(steps, "remember")
    steps[at] = replace(steps[at], deed=Deed("remember", ("something else was said",)))


def _a_verdict(steps: list[Step]) -> None:
    at = _first(steps, "remember", "merged")
    steps[at] = replace(steps[at], verdict="stored")


def _a_version(steps: list[Step]) -> None:
    at = _first(steps, "revise")
    steps[at] = replace(steps[at], version=steps[at].version + 1)


def _two_records(steps: list[Step]) -> None:
    """Say of two values of one slot that the later came first."""
    slots = [at for at, one in enumerate(steps) if one.deed.verb == "keyed" and one.also]
    first = slots[0]
    words = steps[first].deed.words[1:3]
    second = next(at for at in slots[1:] if steps[at].deed.words[1:3] == words)
    one, other = steps[first], steps[second]
    steps[first], steps[second] = replace(one, record=other.record), replace(other, record=one.record)


def _a_step(steps: list[Step]) -> None:
    del steps[_first(steps, "append", "taken")]


def _a_memory(steps: list[Step]) -> None:
    """Say of two that were stored that they were one memory."""
    first = _first(steps, "remember")
    second = first + 1 + _first(steps[first + 1 :], "remember")
    steps[second] = replace(steps[second], id=steps[first].id)


@pytest.mark.parametrize("doctor", [_a_text, _a_verdict, _a_version, _two_records, _a_step, _a_memory])
def test_a_doctored_history_is_noticed(history: History, doctor: Callable[[list[Step]], None]) -> None:
    steps = list(history.steps)
    doctor(steps)
    assert history.apart(steps=steps)


def test_a_state_that_was_lost_added_or_altered_is_noticed(history: History) -> None:
    id, states = next((id, states) for id, states in history.kept.states.items() if len(states) > 1)
    for other in (states[:-1], [*states, states[-1]], [states[0], *states[:-1]]):
        found = history.apart(kept=Kept(history.kept.states | {id: other}))
        assert len(found) == 1 and found[0].startswith(id)


def test_a_lost_memory_and_one_that_nobody_was_told_of_are_noticed(history: History) -> None:
    (id, states), *rest = history.kept.states.items()
    assert [one.split(":")[0] for one in history.apart(kept=Kept(dict(rest)))] == [id]
    grown = Kept(history.kept.states | {"m_0": states})
    assert history.apart(kept=grown) == ["m_0 is there, and nobody was told"]


def test_only_what_came_since_is_looked_at(tmp_path: Path) -> None:
    with VAULTS["sqlite"](tmp_path, clock=FakeClock()) as vault:
        old = vault.remember("It was there before").id
        since = vault.status().records
        new = vault.remember("It came since").id
        assert kept_by(vault, since=since).ids == {new}
        assert kept_by(vault).ids == {old, new}


def test_nothing_done_is_nothing_apart() -> None:
    assert differences([], moments={}, kept=Kept()) == []
