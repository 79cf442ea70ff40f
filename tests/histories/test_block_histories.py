"""Do the blocks of every store do what a plain list does, over random edits with the same seed?"""

import random
from pathlib import Path

import pytest

from muniment.service.block_receipt import BlockReceipt
from muniment.service.vault import Vault
from tests.builders import VAULTS, CountingIds, FakeClock, close_quietly

SEEDS = range(8)
STEPS = 60
WORDS = ("tea", "tea at four", "milk", "Milk", "coffee \u00a7 black", "two\nlines", "x" * 500, "y" * 900)


def _operation(rng: random.Random) -> dict[str, object]:
    action = rng.choice(["add", "replace", "remove"])
    found: dict[str, object] = {"action": action}
    if action != "remove":
        found["text"] = f"{rng.choice(WORDS)} {rng.randrange(4)}"
    if action != "add":
        found["old"] = rng.choice([*WORDS, "te", "zzz", "1"])
    return found


def _consolidation(rng: random.Random, entries: tuple[str, ...]) -> list[dict[str, object]]:
    fates = ({"keep": True}, {"move": True}, {"drop": True}, {"text": f"short {rng.randrange(9)}"})
    lines = [{"old": entry, **rng.choice(fates)} for entry in entries if rng.random() < 0.95]
    return [*lines, {"text": f"new {rng.randrange(99)}"}]


def _step(rng: random.Random, vault: Vault, block: str) -> BlockReceipt:
    hand = vault.session(f"s-{rng.randrange(3)}", agent="coder") if rng.random() < 0.7 else vault
    kind = rng.random()
    if kind < 0.55:
        return hand.memory(block=block, **_operation(rng))  # type: ignore[arg-type]  # a random call
    if kind < 0.75:
        return hand.memory(block=block, operations=[_operation(rng) for _ in range(rng.randrange(1, 5))])
    if kind < 0.9:
        lines = _consolidation(rng, vault.block(block).entries)
        return hand.memory(action="consolidate", block=block, entries=lines)
    edits = vault.edits(block=block, limit=3)
    return hand.undo(rng.choice(edits).id if edits else "2026-01-05-0001")


def _checked(before: tuple[str, ...], receipt: BlockReceipt, after: tuple[str, ...]) -> None:
    """Hold one step to what it says: nothing else came, nothing else went, nothing else moved."""
    if receipt.refused:
        assert after == before
        return
    gone = {*receipt.replaced, *receipt.moved, *receipt.dropped}
    come = set(receipt.added)
    assert set(after) - set(before) <= come
    assert set(before) - set(after) <= gone | come
    assert receipt.count == len(after)
    untouched = [entry for entry in before if entry not in gone | come]
    assert [entry for entry in after if entry in untouched] == untouched


@pytest.mark.parametrize("seed", SEEDS)
def test_each_step_changes_what_it_says_and_every_store_agrees(seed: int, tmp_path: Path) -> None:
    found: dict[str, list[object]] = {}
    for store, make in sorted(VAULTS.items()):
        place = tmp_path / store
        place.mkdir()
        rng, clock = random.Random(seed), FakeClock()
        vault = make(place, clock=clock, ids=CountingIds())
        said: list[object] = []
        for _ in range(STEPS):
            clock.advance(hours=rng.randrange(5))
            block = rng.choice(["memory", "user"])
            before = vault.block(block).entries
            receipt = _step(rng, vault, block)
            after = vault.block(block)
            _checked(before, receipt, after.entries)
            assert after.used <= after.bound
            said += [receipt, after]
        said.append(vault.edits(limit=1_000))
        assert vault.verify().ok, f"seed {seed}"
        found[store] = said
        close_quietly(vault)
    first, *others = found.values()
    for other in others:
        assert other == first, f"seed {seed}"
    landed = [one for one in first if isinstance(one, BlockReceipt) and not one.refused]
    assert 10 < len(landed) < STEPS, "some land and some are refused"
