"""Is a request for an erasure planned once, listed a page at a time, and believed only as it was made?"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from muniment.errors import BadInput
from muniment.service import erase_requests
from muniment.service.vault import Vault
from tests.builders import stored
from tests.erasure.planting import CODE, TWIN


@pytest.fixture
def agent(vault: Vault) -> Vault:
    stored(vault.remember(f"The code is {CODE}"))
    return vault.acting_as(actor="coder")


@contextmanager
def plans(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Count how often a plan is made."""
    made, planned = [], erase_requests.planned

    def counted(*given: object, **more: object) -> object:
        made.append(more)
        return planned(*given, **more)

    with monkeypatch.context() as watched:
        watched.setattr(erase_requests, "planned", counted)
        yield made


def test_a_request_is_planned_once_by_who_sees_everything(
    vault: Vault, agent: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every plan walks all rows; only who sees a part of them needs a second one."""
    with plans(monkeypatch) as made:
        request, seen = agent.ask_erasure(text=CODE)
        assert len(made) == 2 and seen.counts["version"] == 1
    with plans(monkeypatch) as made:
        plan = vault.requested_erasure(request)
        assert len(made) == 1 and plan.request == request
    with plans(monkeypatch) as made:
        vault.ask_erasure(text=TWIN)
        assert len(made) == 1


def test_requests_are_listed_a_page_at_a_time_and_none_is_left_out(
    vault: Vault, agent: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.limits.page_rows_max", 3)
    ids = []
    for number in range(8):
        ids.append(agent.ask_erasure(text=f"thing {number} of many")[0])
        if number % 2:
            vault.decline_erasure(ids[-1], reason=f"no {number}")
    for state, count in (("open", 4), ("declined", 4), ("all", 8)):
        found, after = [], 0
        while page := vault.erasure_requests(state=state, after=after, limit=3):
            assert len(page) <= 3
            found += page
            after = page[-1].n
        assert len(found) == count and [one.n for one in found] == sorted([o.n for o in found], reverse=True)
    assert {one.id for one in found} == set(ids)
    assert vault.erasure_requests(limit=0) == ()
    with pytest.raises(BadInput):
        vault.erasure_requests(limit=4)


def test_each_request_for_the_same_goes_however_many_pages_lie_before_it(
    vault: Vault, agent: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.limits.page_rows_max", 3)
    vault.decline_erasure(agent.ask_erasure(person=f"Ria {CODE}")[0], reason="no")
    for number in range(7):
        agent.ask_erasure(text=f"thing {number} of many")
    stored(vault.acting_as(actor=f"Ria {CODE}").remember("Mine"))
    vault.erase(vault.plan_erasure(person=f"Ria {CODE}"))
    left = []
    for state in ("open", "declined"):
        left += vault.erasure_requests(state=state, limit=3)
    assert len(left) == 3 and not any("Ria" in one.asked.value for one in left)
    assert vault.verify().ok
