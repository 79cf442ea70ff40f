"""Do a block and its file stay one through any sequence of calls, saves, lost writings and restarts?"""

import random
from pathlib import Path

import pytest

from muniment.domain.block import DELIMITER
from tests.builders import VAULTS, CountingIds, FakeClock, World, close_quietly
from tests.filed import Filed, filed
from tests.service.test_block_files import Elsewhere

SEEDS = range(6)
STEPS = 50
WORDS = (
    "tea", "tea at four", "Gr\u00fc\u00dfe", "\u5927\u522b\u5c71", "\U0001f9a6 swims", "a \u00a7 b",
    "two\nlines", "---\nfront: matter\n---", "\u0633\u0644\u0627\u0645", "e\u0301", "x" * 300,
)  # fmt: skip


def some(rng: random.Random) -> str:
    return f"{rng.choice(WORDS)} {rng.randrange(30)}"


def call(rng: random.Random, held: Filed, block: str) -> set[str]:
    """Make a random call; return the entries that it took out."""
    entries = held.vault.block(block).entries
    hand = held.vault.session(f"s-{rng.randrange(3)}", agent="coder") if rng.random() < 0.6 else held.vault
    fields: dict[str, str] = {"action": rng.choice(["add", "add", "replace", "remove"])}
    if fields["action"] != "remove":
        fields["text"] = some(rng)
    if fields["action"] != "add":
        fields["old"] = rng.choice(entries) if entries else "nothing"
    done = hand.memory(block=block, **fields)  # type: ignore[arg-type]  # a random call
    return {*done.replaced, *done.dropped}


def save(rng: random.Random, held: Filed, block: str) -> set[str]:
    """Save the file as a person: some entries go, some come; return those that went."""
    entries = list(held.entries(block))
    entries[-1:] = [one.removesuffix("\n") for one in entries[-1:]]
    kept = [entry for entry in entries if rng.random() < 0.8]
    came = [some(rng) for _ in range(rng.randrange(3))]
    if kept or came:
        held.write(*kept, *came, block=block)
    return set(entries) - set(kept) if kept or came else set()


def outrun(rng: random.Random, held: Filed, block: str) -> set[str]:
    """Edit the block where nobody looks at the file, as when its writing is lost."""
    with Elsewhere(held):
        return call(rng, held, block)


def spoil(rng: random.Random, held: Filed, block: str) -> set[str]:
    """Leave in the file what is no edit, see it refused, and have it repaired."""
    before = held.vault.block(block).entries
    bad = rng.choice([b"\xff", b"tea \n\n", f"tea{DELIMITER}".encode(), b"y" * 5_000])
    held.path(block).write_bytes(bad)
    done = held.vault.memory(action="add", block=block, text=some(rng))
    assert done.reason in ("drifted-file", "unreadable-file")
    held.vault.repair_block(block)
    assert held.vault.block(block).entries == before
    return set()


@pytest.mark.parametrize("store", sorted(VAULTS))
@pytest.mark.parametrize("seed", SEEDS)
def test_an_entry_that_nobody_named_stays_byte_for_byte_where_it_was(
    tmp_path: Path, store: str, seed: int
) -> None:
    rng, clock, ids = random.Random(seed), FakeClock(), CountingIds()
    held = filed(World(VAULTS[store](tmp_path, clock=clock, ids=ids), clock, ids, tmp_path, store))
    came: set[str] = set()
    for _ in range(STEPS):
        clock.advance(minutes=rng.randrange(1, 90))
        block = rng.choice(["memory", "user"])
        before = held.vault.block(block).entries
        gone = rng.choice([call, call, save, save, outrun, spoil])(rng, held, block)
        if rng.random() < 0.1:
            held.restarted()
        after = held.vault.block(block).entries
        untouched = [entry for entry in before if entry not in gone]
        assert [entry for entry in after if entry in untouched] == untouched, f"seed {seed}"
        refused = held.vault.status().files
        if "not taken in" in refused:
            # A random save may bring in what stands there already; the person has it repaired.
            held.vault.repair_block(block)
        assert held.entries(block) == held.vault.block(block).entries or held.text(block).endswith("\n")
        came |= set(after)
    assert len(came) > 10, "little happened"
    lines = held.vault.edits(block="memory", limit=1_000)
    for later, earlier in zip(lines, lines[1:], strict=False):
        assert later.before == earlier.after, "each edit began where the one before it ended"
    assert {"file", "add"} <= {line.action for line in lines}
    assert held.vault.verify().ok
    close_quietly(held.vault)
