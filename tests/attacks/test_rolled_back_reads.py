"""Is anything read of a log that is older than its witness, before a person accepts it?"""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import muniment
from muniment.errors import RolledBack
from muniment.service.updates import session_now, updates
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.house import source

NAME = "talk of HERON"
TEXT = "The locker code is QZ7-HERON-4417"
AHEAD = 5


def filled(vault: Vault) -> None:
    """Put the words in every place that is listed somewhere."""
    vault.set_dial("review", "agent")
    vault.session(NAME, agent="coder").append("user", TEXT)
    doubted = stored(vault.remember(TEXT)).id
    stored(vault.judge(doubted, "dispute"))
    vault.remember(f"{TEXT} indeed", space="acme/heron")
    vault.acting_as(actor="heron").remember(f"{TEXT}, they say")
    vault.memory(action="add", block="memory", text=TEXT)
    vault.make_key(actor="heron")
    vault.acting_as(actor="coder").ask_erasure(text="HERON")
    vault.recall("who has HERON?")
    vault.settle()


READS: Mapping[str, Callable[[Vault, Path], object]] = {
    "memories": lambda vault, _: vault.memories(),
    "disputed": lambda vault, _: vault.memories(states=["disputed"]),
    "sessions": lambda vault, _: vault.sessions(),
    "turns": lambda vault, _: vault.session(NAME, agent="coder").turns(),
    "spaces": lambda vault, _: vault.spaces(),
    "recalls": lambda vault, _: vault.recalls(),
    "keys": lambda vault, _: vault.keys(),
    "cases": lambda vault, _: vault.cases(),
    "case": lambda vault, _: vault.case("c_" + "0" * 26),
    "pending": lambda vault, _: vault.pending(),
    "proposal": lambda vault, _: vault.proposal("p_" + "0" * 26),
    "requests": lambda vault, _: vault.erasure_requests(),
    "block": lambda vault, _: vault.block("memory"),
    "edits": lambda vault, _: vault.edits(),
    "contradictions": lambda vault, _: vault.contradictions("The locker code is not QZ7-HERON-4417"),
    "updates": lambda vault, _: updates(vault.ground, vault.principal, after=0),
    "session": lambda vault, _: session_now(vault.ground, vault.principal, NAME),
    "search": lambda vault, _: vault.search(),
    "recall": lambda vault, _: vault.recall("HERON"),
    "certificates": lambda vault, _: vault.certificates(),
    "open": lambda vault, _: vault.session("fresh", agent="coder").open(),
}
"""Every way to read, by name, what somebody wrote or is called."""


def rolled_back(vault: Vault) -> None:
    """Let the witness have seen a longer log than there is."""
    witness, clock = vault.ground.outside.witness, vault.ground.outside.clock
    witness.add(vault.status().records + AHEAD, bytes(32), clock.now())


@pytest.mark.parametrize("name", sorted(READS))
def test_fault_what_was_erased_since_is_listed_from_an_older_log(
    world: World, name: str, tmp_path: Path
) -> None:
    """Lists, blocks, cases and the journal of edits did not look at the head, and showed it to agents."""
    filled(world.vault)
    vault = world.vault.acting_as(actor="coder") if name in ("memories", "block") else world.vault
    if name not in ("case", "proposal"):
        READS[name](vault, tmp_path)
    rolled_back(world.vault)
    with pytest.raises(RolledBack):
        READS[name](vault, tmp_path)


def test_the_log_of_an_older_state_tells_no_name_until_it_is_accepted(world: World) -> None:
    filled(world.vault)
    assert "heron" in {row.by for row in world.vault.log()}
    rolled_back(world.vault)
    rows = world.vault.log()
    assert rows and all(row.by == row.space == "" for row in rows)


def test_nothing_is_exported_of_an_older_log(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        filled(vault)
        vault.export(tmp_path / "one.jsonl")
        rolled_back(vault)
        with pytest.raises(RolledBack):
            vault.export(tmp_path / "two.jsonl")
        with pytest.raises(RolledBack):
            vault.block_files()
    assert (tmp_path / "one.jsonl").exists() and not (tmp_path / "two.jsonl").exists()


SHOWING = (
    "awake",
    "block_reading",
    "cases",
    "explore",
    "hand_reading",
    "hand_sitting",
    "proposals",
    "searching",
    "updates",
)
"""Parts of the service that only show what is kept."""


@pytest.mark.parametrize("name", SHOWING)
def test_what_only_shows_opens_no_snapshot_whose_head_was_not_looked_at(name: str) -> None:
    """A part that opens one on its own has to look at the head itself, which these leave to `reading`."""
    text = (source.PACKAGE / "service" / f"{name}.py").read_text(encoding="utf-8")
    assert ".reading()" in text and "store.snapshot()" not in text
