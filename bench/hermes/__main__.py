"""What does `python -m bench.hermes` run?  Sixty operations of bounded memory on both sides, by meaning."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.hermes.operations import OPERATIONS
from bench.hermes.replies import Ours, Reply, Theirs, replied
from bench.hermes.side import VERSION, Side, environment
from bench.measure import opened, workplace
from bench.report import RESULTS

KEPT = RESULTS / "hermes_replies.json"
"""What hermes-agent replied, in its version, so that it can be compared without it."""


def ours(where: Path) -> list[Reply]:
    """Return what a new vault replies to all operations."""
    with opened(where / "vault.db", embedder=False) as vault:
        return replied(Ours(vault))


def theirs(where: Path) -> list[Reply]:
    """Return what hermes-agent replies to all operations."""
    with Side(environment(), where / "home") as side:
        return replied(Theirs(side))


def recorded(kept: Path = KEPT) -> list[Reply]:
    """Return what hermes-agent replied when it was last asked; raises ValueError for another version's."""
    held = json.loads(kept.read_text("utf-8"))
    if held["hermes-agent"] != VERSION:
        raise ValueError(f"recorded with {held['hermes-agent']}, pinned is {VERSION}")
    return [reply_of(one) for one in held["replies"]]


def reply_of(plain: Mapping[str, object]) -> Reply:
    """Return a reply as it was kept."""
    texts = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    return Reply(**{name: value for name, value in texts.items() if name != "says"})


def keep(replies: Sequence[Reply], kept: Path = KEPT) -> None:
    """Write down what hermes-agent replied."""
    pairs = zip(OPERATIONS, replies, strict=True)
    held = [{"says": operation.says, **reply.plain} for operation, reply in pairs]
    text = json.dumps({"hermes-agent": VERSION, "replies": held}, indent=1, ensure_ascii=False)
    kept.write_text(text + "\n", "utf-8")


def differing(ones: Sequence[Reply], others: Sequence[Reply]) -> list[int]:
    """Return the numbers of the operations, from 1, whose replies do not mean the same."""
    return [number for number, (one, other) in enumerate(zip(ones, others, strict=True), 1) if one != other]


def main(given: list[str]) -> int:
    """Ask hermes-agent, and keep or compare; return 1 when it replies otherwise than is recorded."""
    parser = argparse.ArgumentParser(prog="python -m bench.hermes", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what is recorded; keep nothing")
    asked = parser.parse_args(given)
    with workplace() as where:
        found, mine = theirs(where), ours(where)
    if not asked.check:
        keep(found)
    before = recorded()
    moved = differing(found, before)
    for at in (number - 1 for number in moved):
        print(f"{at + 1} {OPERATIONS[at].says}: recorded {before[at]}, now {found[at]}")
    alike = len(OPERATIONS) - len(differing(mine, found))
    print(f"{alike} of {len(OPERATIONS)} replies mean the same; hermes-agent {VERSION}")
    return int(bool(moved))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
