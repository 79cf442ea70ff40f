"""After an erasure, does any verb that takes a text keep the value again?"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import muniment
from muniment.domain.evidence import MARK
from muniment.errors import MunimentError
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, clocked_vault, stored
from tests.erasure.planting import CODE, TWIN
from tests.erasure.test_bytes import left_of


def _session(vault: Vault, value: str) -> None:
    vault.session(f"about {value}", agent="coder").append("user", "Tea is at four.")


def _followed(vault: Vault, value: str) -> None:
    _session(vault, value)
    session = vault.session("next", agent="coder")
    session.append("user", "Tea is at five.")
    session.follow(f"about {value}")


def _prompt(vault: Vault, value: str) -> None:
    vault.session(value[:2], agent="coder").open(system=f"You know {value}.", provider=f"Provider of {value}")


def _project(vault: Vault, value: str, where: Path) -> None:
    (where / "AGENTS.md").write_text(f"Use the code {value} here.\nTea is at four.\n", "utf-8")
    vault.session(value[:2], agent="coder").open(project=muniment.project(where))


def _note(vault: Vault, value: str) -> None:
    session = vault.session("talk", agent="coder")
    session.append("tool_result", "A page.")
    assert session.memory(action="add", block="memory", text=f"The code is {value}").notes


def _summary(vault: Vault, value: str) -> None:
    session = vault.session("talk", agent="coder")
    session.append("user", "Tea is at four.")
    session.append("assistant", "So it is.")
    session.compact(f"They spoke of {value}.")


def _block(vault: Vault, value: str) -> None:
    vault.session("talk", agent="coder").memory(action="add", block="memory", text=f"The code is {value}")


def _proposal(vault: Vault, value: str) -> None:
    vault.set_dial("review", "agent")
    waiting = vault.acting_as(actor="coder").remember("The quay opens at six").proposal
    vault.approve(waiting, digest=vault.proposal(waiting).digest, reason=f"as {value} says")


def _declined(vault: Vault, value: str) -> None:
    vault.set_dial("review", "agent")
    vault.decline(vault.acting_as(actor="coder").remember("The quay opens at six").proposal, reason=value)


def _moved(vault: Vault, value: str) -> None:
    for act in ("dispute", "retire", "retract", "reject"):
        vault.judge(vault.remember(f"The quay has {act}").id, act, reason=f"as {value} says")


def _asked(vault: Vault, value: str) -> None:
    vault.recall(f"who has {value}?")
    vault.session("talk", agent="coder").recall(f"who has {value}?")
    vault.search(value)
    vault.contradictions(f"She has {value}")


def _requested(vault: Vault, value: str) -> None:
    for means in ("text", "person", "source"):
        with suppress(MunimentError):
            vault.acting_as(actor="coder").ask_erasure(**{means: f"all of {value}"})


def _named(vault: Vault, value: str) -> None:
    for write in (
        lambda: vault.acting_as(actor=value).remember("Tea is at six"),
        lambda: vault.remember("Tea is at six", space=f"acme/{value}"),
        lambda: vault.make_key(actor=value),
        lambda: vault.session("talk", agent=value).append("user", "Hello"),
    ):
        with suppress(MunimentError):
            write()


def _turn(vault: Vault, value: str) -> None:
    session = vault.session("talk", agent="coder")
    for role in ("user", "assistant", "tool_call", "tool_result", "system"):
        session.append(role, f"It is {value} here.", speaker=value)


def _document(vault: Vault, value: str) -> None:
    vault.ingest(f"# {value}\n\nIt is {value} here.", source=f"{value}.md")


PLACES: dict[str, Callable[..., None]] = {
    "a session's name": _session,
    "a session that is followed": _followed,
    "the texts of a prompt": _prompt,
    "the files of a project": _project,
    "a note": _note,
    "a summary": _summary,
    "a block": _block,
    "the reason of an approval": _proposal,
    "the reason of a refusal": _declined,
    "the reason of a move": _moved,
    "a question": _asked,
    "a request": _requested,
    "a name": _named,
    "a turn": _turn,
    "a document": _document,
}


@pytest.mark.parametrize("place", sorted(PLACES))
def test_no_verb_keeps_again_what_was_erased(tmp_path: Path, clock: FakeClock, place: str) -> None:
    """Of the twin, which was not erased, each verb leaves something in the file or in what it answers."""
    path = tmp_path / "v" / "vault.db"
    path.parent.mkdir()
    (project := tmp_path / "project").mkdir()
    kept: dict[str, set[bytes]] = {}
    with clocked_vault(path, clock) as vault:
        stored(vault.remember(f"The code is {CODE}"))
        vault.erase(vault.plan_erasure(text=CODE))
        for value in (CODE, TWIN):
            with suppress(MunimentError):
                PLACES[place](vault, value, *([project] if place == "the files of a project" else []))
            vault.settle()
            vault.checkpoint()
            kept[value] = left_of(value, path)
        assert vault.verify().ok
    assert left_of(CODE, path) == kept[CODE] == set()
    assert kept[TWIN], "what was not erased is kept by this verb"


def test_a_session_of_an_actor_whose_name_was_erased_keeps_no_name(tmp_path: Path, clock: FakeClock) -> None:
    """The actor is known by what stands for the name, and so is the agent of each new session."""
    path = tmp_path / "vault.db"
    with clocked_vault(path, clock) as vault:
        for value in (CODE, TWIN):
            vault.session("talk", agent=value).append("user", "Tea is at four.")
            stored(vault.acting_as(actor=value).remember(f"Tea of {value} is at six"))
        vault.erase(vault.plan_erasure(text=CODE))
        for value in (CODE, TWIN):
            session = vault.session(f"next of {value[:3]}", agent=value)
            session.append("assistant", "Tea is at five.")
            vault.session(f"opened by {value[:3]}", agent=value).open()
            session.child(f"child of {value[:3]}").append("user", "Hello")
        agents = [row.agent for row in vault.sessions() if not row.name.startswith("talk")]
        assert sorted(agent == TWIN for agent in agents) == [False] * 3 + [True] * 3
        assert len(set(agents)) == 2 and all(agent.startswith(MARK) for agent in set(agents) - {TWIN})
        assert vault.verify().ok
    assert left_of(CODE, path) == set()
    assert left_of(TWIN, path)


def test_a_session_goes_on_under_the_name_that_was_erased_with_all_that_it_read(world: World) -> None:
    """Else erasing its name would be a way to be trusted again."""
    vault = world.vault
    session = vault.session(f"about {CODE}", agent="coder")
    session.append("tool_result", "A page of somebody.")
    assert session.label.untrusted
    vault.erase(vault.plan_erasure(text=CODE))
    session.append("user", "Tea is at four.")
    assert session.label.untrusted and len(session.turns()) == 2
    vault = world.restarted()
    again = vault.session(f"about {CODE}", agent="coder")
    assert again.label.untrusted and len(again.turns()) == 2
    (row,) = vault.sessions()
    assert row.name.startswith(MARK) and "HERON" not in row.name
    assert vault.search(session=f"about {CODE}").sessions[0].session == row.name
    other = vault.session(f"about {CODE} too", agent="coder")
    other.append("user", "Tea is at five.")
    assert not other.label.untrusted and len(vault.sessions()) == 2
    assert vault.verify().ok


def test_a_prompt_says_that_something_erased_was_left_out_of_it(vault: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    vault.erase(vault.plan_erasure(text=CODE))
    made = vault.session("talk", agent="coder").open(system=f"You know {CODE} and {TWIN}.")
    assert f"You know {MARK} and {TWIN}." in made.text and CODE not in made.text
    assert [one for one in made.notices if one.startswith("system: ")]
    assert vault.session("talk", agent="coder").baseline == made.text
    shown = vault.session("more", agent="coder").preview(system=f"You know {CODE}.")
    assert CODE not in shown.text
    clean = vault.session("more", agent="coder").open(system=f"You know {TWIN}.")
    assert clean.notices == () and TWIN in clean.text
