"""Is a session whose label somebody loosened in the database met before anything rests on it?"""

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from muniment import limits
from muniment.domain.label import DataClass, Label
from muniment.domain.session_log import Event
from muniment.errors import Tampered
from muniment.ports import Snapshot
from muniment.service import session_reading
from muniment.service.ground import Ground
from muniment.service.session import Session
from muniment.service.session_reading import events_of
from muniment.service.vault import Vault
from tests import postgres
from tests.builders import VAULTS, CountingIds, FakeClock, World, close_quietly, stored

LOOSE = "UPDATE {} SET class = 0, untrusted = 0 WHERE name = 's-1' AND untrusted = 1"


def by_turn(vault: Vault, session: Session) -> None:
    session.append("tool_result", "The payee has account 666")


def by_answer(vault: Vault, session: Session) -> None:
    session.append("user", "Which account?")
    vault.ingest("The payee has account 666", source="a page", untrusted=True)
    assert session.recall("payee account").hits


def by_its_parent(vault: Vault, session: Session) -> None:
    parent = vault.session("s-0", agent="coder")
    parent.append("tool_result", "The payee has account 666")
    assert parent.child(session.name).label.untrusted


def by_its_predecessor(vault: Vault, session: Session) -> None:
    vault.session("s-0", agent="coder").append("tool_result", "The payee has account 666")
    session.follow("s-0")


READ = {
    "a turn": by_turn,
    "an answer": by_answer,
    "its parent": by_its_parent,
    "its predecessor": by_its_predecessor,
}


@pytest.fixture(params=["sqlite", "postgres"])
def world(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[World]:
    """Return a vault in a database that somebody else can write to."""
    ids = CountingIds()
    held = World(VAULTS[request.param](tmp_path, clock=clock, ids=ids), clock, ids, tmp_path, request.param)
    yield held
    close_quietly(held.vault)


def edited(world: World, statement: str) -> None:
    """Change a table behind the gate, as whoever may write to the file or owns the server."""
    if world.store == "sqlite":
        connection = apsw.Connection(str(world.place / "vault.db"))
        connection.execute(statement.format("session"))
        assert connection.changes() == 1
        connection.close()
        return
    of_it = f"(SELECT tenant FROM muniment.tenant_head WHERE name = 'vault of {world.place}')"
    found = postgres.run(
        postgres.shared_database().superuser,
        f"{statement.format('muniment.session')} AND tenant = {of_it} RETURNING n",
    )
    assert len(found) == 1


def kinds(vault: Vault) -> set[str]:
    return {finding.kind.value for finding in vault.verify().findings}


@pytest.mark.parametrize("how", READ)
def test_fault_a_session_goes_on_under_a_label_that_was_loosened(world: World, how: str) -> None:
    """Else what it says next would be believed, as if it had read nothing from outside."""
    READ[how](world.vault, world.vault.session("s-1", agent="coder"))
    assert world.vault.session("s-1", agent="coder").label.untrusted
    edited(world, LOOSE)
    again = world.restarted()
    session = again.session("s-1", agent="coder")
    acts: dict[str, Callable[[], object]] = {
        "label": lambda: session.label,
        "remember": lambda: session.remember("The payee has account 667"),
        "recall": lambda: session.recall("payee"),
        "append": lambda: session.append("user", "Hello."),
        "memory": lambda: session.memory(action="add", block="user", text="Pays account 667."),
        "open": lambda: session.open(),
        "read": lambda: again.search(session="s-1"),
    }
    for name, act in acts.items():
        with pytest.raises(Tampered, match="looser than what it has read"):
            pytest.fail(f"{name}: {act()}")
    assert kinds(again) == {"loosened-session"}
    assert again.recall("payee account 667").outcome != "degraded", "what asks no session goes on"


@pytest.mark.parametrize("how", READ)
def test_a_session_that_nobody_touched_goes_on_after_a_restart(world: World, how: str) -> None:
    READ[how](world.vault, world.vault.session("s-1", agent="coder"))
    again = world.restarted()
    session = again.session("s-1", agent="coder")
    assert session.label.untrusted
    if how != "its parent":
        landed = stored(session.remember("The payee has account 667"))
        assert again.read(landed.id).trust == "candidate"
    assert again.search(session="s-1").mode == "read"
    assert kinds(again) == set()


def test_a_label_that_was_tightened_is_no_loosened_one(world: World) -> None:
    world.vault.session("s-1", agent="coder").append("user", "Hello.")
    edited(world, "UPDATE {} SET untrusted = 1 WHERE name = 's-1' AND untrusted = 0")
    again = world.restarted()
    assert again.session("s-1", agent="coder").label.untrusted
    assert kinds(again) == set()


@pytest.mark.parametrize("how", READ)
def test_fault_a_label_loosened_while_a_process_holds_the_session_is_met_by_the_next_one_alone(
    world: World, how: str
) -> None:
    """The label that this process saw last, or gave, is known to it without a look at the turns."""
    session = world.vault.session("s-1", agent="coder")
    READ[how](world.vault, session)
    assert session.label.untrusted
    edited(world, LOOSE)
    for _ in range(2):
        with pytest.raises(Tampered, match="looser than what it has read"):
            session.remember("The payee has account 667")
        with pytest.raises(Tampered, match="looser than what it has read"):
            session.append("user", "Pay it.")
    assert kinds(world.vault) == {"loosened-session"}


def test_a_label_that_nobody_looked_at_since_it_got_stricter_is_known(world: World) -> None:
    session = world.vault.session("s-1", agent="coder")
    session.append("user", "Hello.")
    assert not session.label.untrusted
    by_turn(world.vault, session)
    edited(world, LOOSE)
    with pytest.raises(Tampered, match="looser than what it has read"):
        session.append("user", "Pay it.")


def test_a_label_is_worked_out_once_in_a_process(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look reads every turn's label, so it may not be made at each act; `verify` looks whenever asked."""
    looks: list[str] = []

    def counted(ground: Ground, snapshot: Snapshot, session: str) -> tuple[Event, ...]:
        looks.append(session)
        return events_of(ground, snapshot, session)

    monkeypatch.setattr(session_reading, "events_of", counted)
    session = world.vault.session("s-1", agent="coder")
    by_turn(world.vault, session)
    by_answer(world.vault, session)
    session.append("user", "Hello.")
    assert session.label.untrusted
    assert len(looks) == 1


def test_a_label_that_was_taken_on_and_not_committed_is_no_loosened_one(world: World) -> None:
    session = world.vault.session("s-1", agent="coder")
    session.append("user", "Hello.")
    found = session.label
    held = world.vault.ground.sessions_held
    (n,) = held
    session_reading.hold(world.vault.ground, n, Label(DataClass.SECRET, untrusted=True))
    assert held[n] != found
    assert session.label == found
    assert held[n] == found


def test_a_session_that_follows_a_clean_one_stays_clean(world: World) -> None:
    world.vault.session("s-0", agent="coder").append("user", "Hello.")
    session = world.vault.session("s-1", agent="coder")
    session.append("user", "Hello again.")
    session.follow("s-0")
    assert not session.label.untrusted
    assert world.vault.read(stored(session.remember("Tea is at four")).id).trust == "believed"


def test_fault_a_session_that_follows_an_untrusted_one_begins_clean(world: World) -> None:
    """Else a reset would launder what was read: its summary goes on in the prompt of the next session."""
    by_turn(world.vault, world.vault.session("s-0", agent="coder"))
    session = world.vault.session("s-1", agent="coder")
    session.append("user", "Go on.")
    session.follow("s-0")
    assert session.label.untrusted
    assert world.vault.read(stored(session.remember("The payee has account 667")).id).trust == "candidate"
    assert session.memory(action="add", block="user", text="Pays account 667.").verdict != "stored"
    assert kinds(world.vault) == set()


def test_of_so_many_sessions_it_is_known_and_then_of_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "held_sessions_max", 2)
    sessions = [world.vault.session(name, agent="coder") for name in ("s-1", "s-2", "s-3")]
    for session in sessions:
        session.append("tool_result", "A page.")
        assert session.label.untrusted
        assert len(world.vault.ground.sessions_held) <= limits.held_sessions_max
    edited(world, LOOSE)
    with pytest.raises(Tampered):
        _ = sessions[0].label
