"""Is the background work done when a daemon starts, when it is told, and now and then?"""

import time

import pytest

from muniment import limits
from muniment.errors import Busy
from muniment.service.vault import Vault
from muniment.surfaces.http.chores import Chores
from tests.builders import World, stored
from tests.surfaces.http.served import At, served, until


def test_a_start_catches_up_with_work_that_was_left(vault: Vault) -> None:
    stored(vault.remember("The kettle is blue"))
    stored(vault.remember("The kettle is not blue"))
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.jobs(), "nothing was left to do, so nothing would be shown"
    with served(vault):
        until(lambda: not _jobs(vault))


def _jobs(vault: Vault) -> int:
    with vault.ground.store.snapshot() as snapshot:
        return len(snapshot.jobs())


def test_a_change_over_a_socket_is_followed_by_its_work(vault: Vault) -> None:
    with served(vault) as at:
        at.owner("remember", text="The kettle is blue")
        at.owner("remember", text="The kettle is not blue")
        until(lambda: not _jobs(vault))


def _runs(at: At) -> int:
    (found,) = [check for check in at.owner("doctor")["checks"] if check["name"] == "chores"]
    return int(found["sentence"].split()[0])


def test_work_that_another_left_is_done_when_it_is_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "chores_seconds_max", 3_600.0)
    vault = world.vault
    with served(vault) as at:
        until(lambda: _runs(at) == 1)
        stored(vault.remember("The kettle is blue"))
        stored(vault.remember("The kettle is not blue"))
        time.sleep(0.3)
        assert _jobs(vault)
        assert at.broker("session_updated", session="s-1") == {"heard": True}
        until(lambda: not _jobs(vault))


def test_work_is_looked_for_now_and_then_without_being_told(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "chores_seconds_max", 0.05)
    chores = Chores(vault)
    chores.start()
    until(lambda: chores.runs > 3)
    chores.stop()
    assert chores.failures == 0
    assert chores.check().well


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (Busy("Another writer held the store."), "busy"),
        (ValueError("the kettle"), "ValueError"),
        (KeyError("the kettle"), "KeyError"),
        (AssertionError("the kettle"), "AssertionError"),
    ],
)
def test_work_that_cannot_be_done_now_is_said_and_tried_again(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, error: Exception, name: str
) -> None:
    def failing() -> None:
        raise error

    whole, chores = vault.settle, Chores(vault)
    monkeypatch.setattr(limits, "chores_seconds_max", 0.02)
    monkeypatch.setattr(vault, "settle", failing)
    chores.start()
    until(lambda: chores.failures > 1)
    said = chores.check()
    assert (said.well, name in said.sentence, "kettle" in said.sentence) == (False, True, False)
    monkeypatch.setattr(vault, "settle", whole)
    until(lambda: not chores.fault)
    chores.stop()
    assert chores.check().well


def test_the_daemons_doctor_says_how_its_background_work_stands(vault: Vault) -> None:
    with served(vault) as at:
        (found,) = [check for check in at.owner("doctor")["checks"] if check["name"] == "chores"]
        assert found["well"]
