"""Is every session with new turns named, from any position on, and none that is not the asker's?"""

from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Take
from muniment.domain.label import DataClass
from muniment.domain.principal import ActorRole, Principal
from muniment.errors import BadInput, NotFound
from muniment.service.extraction import take_in
from muniment.service.updates import Updates, session_now, updates
from muniment.service.vault import Vault
from tests.builders import World, stored

AGENT = Principal("local", "coder", ActorRole.AGENT)


def since(vault: Vault, after: int = 0, *, principal: Principal = AGENT) -> Updates:
    return updates(vault.ground, principal, after=after)


def names(found: Updates) -> list[str]:
    return sorted(one.session for one in found.sessions)


def test_nothing_is_there_before_the_first_turn(vault: Vault) -> None:
    assert since(vault) == Updates(0, False, ())


def test_each_session_is_named_once_as_it_stands_now(vault: Vault) -> None:
    first, second = vault.session("one", agent="coder"), vault.session("two", agent="scout")
    first.append("user", "hello")
    first.append("tool_result", "a page")
    second.append("user", "hello")
    found = since(vault)
    assert names(found) == ["one", "two"]
    (one,) = [each for each in found.sessions if each.session == "one"]
    assert (one.agent, one.space, one.turns, one.label.untrusted) == ("coder", "home", 2, True)
    assert not found.more


def test_from_its_position_on_only_what_came_since_is_named(vault: Vault) -> None:
    vault.session("one").append("user", "hello")
    seen = since(vault).position
    assert since(vault, seen) == Updates(seen, False, ())
    vault.session("two").append("user", "hello")
    found = since(vault, seen)
    assert names(found) == ["two"]
    assert found.position > seen


def test_memories_and_documents_are_no_turns(vault: Vault) -> None:
    stored(vault.remember("The kettle is blue"))
    vault.ingest("The kettle is blue.", source="a page")
    found = since(vault)
    assert found.sessions == ()
    assert found.position > 0


def test_who_was_away_catches_up_after_a_restart(world: World) -> None:
    world.vault.session("one").append("user", "hello")
    seen = since(world.vault).position
    world.vault.session("two").append("user", "hello")
    again = world.restarted()
    assert names(since(again, seen)) == ["two"]
    assert names(since(again)) == ["one", "two"]


def test_one_look_is_bounded_and_the_next_goes_on(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "update_rows_max", 2)
    for name in ("one", "two", "three"):
        vault.session(name).append("user", "hello")
    first = since(vault)
    assert (names(first), first.more) == (["one", "two"], True)
    second = since(vault, first.position)
    assert (names(second), second.more) == (["three"], False)


def test_sessions_of_other_spaces_are_left_out(vault: Vault) -> None:
    vault.session("ours", space="acme").append("user", "hello")
    vault.session("theirs", space="acme-corp").append("user", "hello")
    agent = replace(AGENT, home="acme")
    assert names(since(vault, principal=agent)) == ["ours"]
    assert names(since(vault, principal=vault.principal)) == ["ours", "theirs"]


def test_a_session_stricter_than_the_asker_may_read_is_left_out(vault: Vault) -> None:
    vault.session("open").append("user", "hello")
    vault.session("closed").append("user", "hello", data_class="secret")
    asker = replace(AGENT, class_max=DataClass.PRIVATE)
    assert names(since(vault, principal=asker)) == ["open"]
    assert names(since(vault)) == ["closed", "open"]


def test_a_session_is_told_by_name_in_the_space_of_who_asks(vault: Vault) -> None:
    vault.session("s-1", agent="coder").append("user", "hello")
    found = session_now(vault.ground, AGENT, "s-1")
    assert (found.session, found.turns, found.label.untrusted) == ("s-1", 1, False)
    vault.session("s-1", agent="coder").append("tool_result", "a page")
    assert session_now(vault.ground, AGENT, "s-1").label.untrusted


def test_a_session_is_found_by_the_name_it_was_given_and_by_the_one_that_is_kept(vault: Vault) -> None:
    given = "s\x07-1"
    arrival = Arrival(given, "", Role.USER, "Ria", "hello", untrusted=False)
    take_in(vault.ground, Take(AGENT, AGENT.home, (arrival,)))
    kept = session_now(vault.ground, AGENT, given).session
    assert kept != given
    assert session_now(vault.ground, AGENT, kept).turns == 1


@pytest.mark.parametrize("home", ["home", "acme", "acme/eng"])
def test_a_session_that_is_not_there_or_elsewhere_is_not_found(vault: Vault, home: str) -> None:
    vault.session("s-1", space="acme-corp").append("user", "hello")
    with pytest.raises(NotFound):
        session_now(vault.ground, replace(AGENT, home=home), "s-1")


@pytest.mark.parametrize("after", [-1, 2**63, True, "0"])
def test_what_is_no_position_is_refused(vault: Vault, after: object) -> None:
    with pytest.raises(BadInput):
        updates(vault.ground, AGENT, after=after)  # type: ignore[arg-type]  # that is what is refused
    assert updates(vault.ground, AGENT, after=2**63 - 1).sessions == ()


def test_a_session_whose_name_was_erased_is_found_with_its_label(vault: Vault) -> None:
    name = "talk with alice@acme.io"
    vault.session(name, agent="coder").append("tool_result", "a page")
    vault.erase(vault.plan_erasure(text="alice@acme.io"))
    found = session_now(vault.ground, AGENT, name)
    assert found.label.untrusted
    assert "alice" not in found.session
