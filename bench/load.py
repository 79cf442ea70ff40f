"""What happens when many agents use one vault at once?  Lost writes, errors, waits, fairness.

`python -m bench.load ADDRESS --agents 8 --seconds 10`: every agent is a process that holds
the vault by itself.  A write counts as lost when it was acknowledged and is not there
afterwards; that figure has to be nought.
"""

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from multiprocessing.synchronize import Barrier

import muniment
from muniment import limits, wiring
from muniment.domain.changes import Page
from muniment.domain.evidence import Evidence
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Version
from muniment.errors import MunimentError
from muniment.service.vault import Vault
from muniment.settings import Settings

START_SECONDS_MAX = 120.0
"""Longest wait until every agent holds the vault."""

SLOTS = 5
"""How many keyed claims an agent keeps changing."""


@dataclass(frozen=True, slots=True)
class Load:
    """Say what is driven: an address, how many agents, for how long, and who only writes."""

    address: str
    agents: int = 4
    seconds: float = 10.0
    writes_only: bool = False
    embedder: str = "off"


@dataclass(slots=True)
class Driven:
    """Hold what one agent did: acknowledged ids, errors by code, times in seconds."""

    acknowledged: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    writes: list[float] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Summary:
    """Hold what a run showed; times are milliseconds, `fairness` is most over fewest writes."""

    writes: int
    recalls: int
    lost: int
    errors: dict[str, int]
    write_p50: float
    write_p99: float
    write_longest: float
    recall_p50: float
    recall_p99: float
    writes_by_agent: list[int]
    fairness: float
    writes_per_second: float
    holds: bool


def _remember(vault: Vault, mark: str) -> Iterable[str]:
    return (vault.remember(f"note {mark} says something of its own").id,)


def _keyed(vault: Vault, mark: str) -> Iterable[str]:
    agent, number = mark.split("-")
    slot = f"slot {int(number) % SLOTS}"
    claim = f"The {slot} of {agent} is {number}"
    return (vault.remember(claim, about=agent, attribute=slot, value=number).id,)


def _append(vault: Vault, mark: str) -> Iterable[str]:
    agent = mark.split("-")[0]
    return vault.session(f"talk of {agent}", agent=agent).append("user", f"turn {mark} of the talk").evidence


DEEDS: Sequence[tuple[Callable[[Vault, str], Iterable[str]], int]] = (
    (_remember, 5),
    (_keyed, 2),
    (_append, 2),
)
"""What an agent writes, and how often in proportion."""


def _settings(load: Load) -> Settings:
    held = wiring.current_settings()
    return held if load.embedder == "on" else replace(held, embedder="off")


def _agent(load: Load, number: int, *, start: Barrier, answers: "multiprocessing.Queue[Driven]") -> None:
    random_ = random.Random(number)
    driven = Driven()
    deeds, weights = zip(*DEEDS, strict=True)
    with wiring.open_vault(load.address, settings=_settings(load)) as vault:
        start.wait(START_SECONDS_MAX)
        until = time.monotonic() + load.seconds
        count = 0
        while time.monotonic() < until:
            count += 1
            reads = not load.writes_only and random_.random() < 0.4
            deed = None if reads else random_.choices(deeds, weights)[0]
            _once(vault, driven, deed, mark=f"agent{number}-{count}")
    answers.put(driven)


def _once(
    vault: Vault, driven: Driven, deed: Callable[[Vault, str], Iterable[str]] | None, *, mark: str
) -> None:
    begun = time.perf_counter()
    try:
        if deed is None:
            vault.recall(f"what does the note {mark} say?", k=5)
            driven.recalls.append(time.perf_counter() - begun)
            return
        ids = [id for id in deed(vault, mark) if id]
    except MunimentError as error:
        driven.errors[error.code] += 1
        return
    driven.writes.append(time.perf_counter() - begun)
    driven.acknowledged += ids


def run(load: Load) -> Summary:
    """Drive the vault at an address, making it when it is not there; look for every write afterwards."""
    muniment.open(load.address).close()
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(load.agents), context.Queue()
    agents = [
        context.Process(target=_agent, args=(load, number), kwargs={"start": start, "answers": answers})
        for number in range(load.agents)
    ]
    for agent in agents:
        agent.start()
    driven = [answers.get(timeout=START_SECONDS_MAX + load.seconds * 4) for _ in agents]
    for agent in agents:
        agent.join(START_SECONDS_MAX)
    with muniment.open(load.address) as vault:
        there = _there(vault)
        holds = vault.verify().ok
    return _summary(load, driven, there=there, holds=holds)


def _there(vault: Vault) -> set[str]:
    found: set[str] = set()
    with vault.ground.store.snapshot() as snapshot:
        for code in (RowCode.VERSION, RowCode.EVIDENCE):
            after = 0
            while page := snapshot.sealed_rows(code, Page(after, limits.walk_rows_max)):
                rows = [sealed.row for _, sealed in page]
                found |= {row.memory for row in rows if isinstance(row, Version)}
                found |= {row.id for row in rows if isinstance(row, Evidence)}
                after = page[-1][0]
    return found


def _summary(load: Load, driven: list[Driven], *, there: set[str], holds: bool) -> Summary:
    counts = sorted(len(one.writes) for one in driven)
    writes = sorted(each for one in driven for each in one.writes)
    recalls = sorted(each for one in driven for each in one.recalls)
    return Summary(
        writes=len(writes),
        recalls=len(recalls),
        lost=sum(id not in there for one in driven for id in one.acknowledged),
        errors=dict(sum((one.errors for one in driven), Counter())),
        write_p50=_at(writes, 0.5),
        write_p99=_at(writes, 0.99),
        write_longest=_at(writes, 1.0),
        recall_p50=_at(recalls, 0.5),
        recall_p99=_at(recalls, 0.99),
        writes_by_agent=counts,
        fairness=round(counts[-1] / max(1, counts[0]), 2),
        writes_per_second=round(len(writes) / load.seconds, 1),
        holds=holds,
    )


def _at(ordered: list[float], share: float) -> float:
    """Return the value at a share of an ordered list, in milliseconds; 0 of an empty one."""
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else 0.0


def main(given: list[str]) -> int:
    """Drive, print one JSON document, and return 1 when a write was lost or a row does not hold."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("address", help="path of a vault, or the address of a database")
    parser.add_argument("--agents", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--writes-only", action="store_true", help="no recalls: the sharpest contest")
    parser.add_argument("--embedder", choices=["on", "off"], default="off")
    asked = parser.parse_args(given)
    found = run(Load(asked.address, asked.agents, asked.seconds, asked.writes_only, asked.embedder))
    sys.stdout.write(json.dumps(asdict(found), indent=2) + "\n")
    return int(found.lost > 0 or not found.holds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
