"""What happens when many agents use one vault at once?  Lost writes, errors, waits, fairness.

`python -m bench.load ADDRESS --agents 8 --seconds 10`: every agent is a process that holds
the vault by itself.  A write counts as lost when it was acknowledged and is not there
afterwards; that figure has to be nought.  Everything that was acknowledged is done again one
by one on the reference store, in the log's order; that has to come to the same.
"""

import argparse
import json
import multiprocessing
import secrets
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from multiprocessing.synchronize import Barrier

import muniment
from bench.deeds import Agent, Deed, Step, done
from bench.replaying import differences, kept_by, moments_of
from muniment import wiring
from muniment.errors import MunimentError
from muniment.service.vault import Vault
from muniment.settings import Settings

START_SECONDS_MAX = 120.0
"""Longest wait until every agent holds the vault."""

READS = 0.4
"""What share of an agent's turns are questions."""

SHOWN_MAX = 20
"""How many differences are shown; all are counted."""


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
    """Hold what one agent did: acknowledged steps, errors by code, times in seconds."""

    acknowledged: list[Step] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    writes: list[float] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Summary:
    """Hold what a run showed; times are milliseconds, `fairness` is most over fewest writes.

    `different` counts what came out otherwise when everything was done again one by one.
    """

    writes: int
    recalls: int
    lost: int
    different: int
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
    differences: list[str]


def _settings(load: Load) -> Settings:
    held = wiring.current_settings()
    return held if load.embedder == "on" else replace(held, embedder="off")


def _agent(load: Load, agent: Agent, *, start: Barrier, answers: "multiprocessing.Queue[Driven]") -> None:
    driven = Driven()
    with wiring.open_vault(load.address, settings=_settings(load)) as vault:
        start.wait(START_SECONDS_MAX)
        until = time.monotonic() + load.seconds
        count = 0
        while time.monotonic() < until:
            count += 1
            reads = not load.writes_only and agent.reads(READS)
            step = _once(vault, driven, agent.question(count) if reads else agent.next(count))
            if step is not None:
                agent.learn(step)
    answers.put(driven)


def _once(vault: Vault, driven: Driven, asked: str | Deed) -> Step | None:
    """Ask a question or do a deed; count and time what came of it."""
    begun = time.perf_counter()
    try:
        if isinstance(asked, str):
            vault.recall(asked, k=5)
            driven.recalls.append(time.perf_counter() - begun)
            return None
        step = done(vault, asked)
    except MunimentError as error:
        driven.errors[error.code] += 1
        return None
    driven.writes.append(time.perf_counter() - begun)
    driven.acknowledged.append(step)
    return step


def run(load: Load) -> Summary:
    """Drive the vault at an address, making it when it is not there; look for every write afterwards.

    Nobody else may write to it meanwhile: what no agent was told of counts as a difference.
    """
    with muniment.open(load.address) as vault:
        since = vault.status().records
    word = secrets.token_hex(4)
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(load.agents), context.Queue()
    agents = [
        context.Process(
            target=_agent, args=(load, Agent(word, n)), kwargs={"start": start, "answers": answers}
        )
        for n in range(load.agents)
    ]
    for agent in agents:
        agent.start()
    driven = [answers.get(timeout=START_SECONDS_MAX + load.seconds * 4) for _ in agents]
    for agent in agents:
        agent.join(START_SECONDS_MAX)
    with muniment.open(load.address) as vault:
        return _looked_at(vault, load, driven, since=since)


def _looked_at(vault: Vault, load: Load, driven: list[Driven], *, since: int) -> Summary:
    """Look for every acknowledged step in the vault, and do all of them again elsewhere."""
    steps = [step for one in driven for step in one.acknowledged]
    kept = kept_by(vault, since=since)
    apart = differences(steps, moments=moments_of(vault, {step.record for step in steps}), kept=kept)
    return _summary(load, driven, there=kept.ids, apart=apart, holds=vault.verify().ok)


def _summary(load: Load, driven: list[Driven], *, there: set[str], apart: list[str], holds: bool) -> Summary:
    counts = sorted(len(one.writes) for one in driven)
    writes = sorted(each for one in driven for each in one.writes)
    recalls = sorted(each for one in driven for each in one.recalls)
    return Summary(
        writes=len(writes),
        recalls=len(recalls),
        lost=sum(step.id not in there for one in driven for step in one.acknowledged if step.id),
        different=len(apart),
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
        differences=apart[:SHOWN_MAX],
    )


def _at(ordered: list[float], share: float) -> float:
    """Return the value at a share of an ordered list, in milliseconds; 0 of an empty one."""
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else 0.0


def main(given: list[str]) -> int:
    """Drive, print one JSON document, and return 1 for a loss, a difference or a row that does not hold."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("address", help="path of a vault, or the address of a database")
    parser.add_argument("--agents", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--writes-only", action="store_true", help="no recalls: the sharpest contest")
    parser.add_argument("--embedder", choices=["on", "off"], default="off")
    asked = parser.parse_args(given)
    found = run(Load(asked.address, asked.agents, asked.seconds, asked.writes_only, asked.embedder))
    sys.stdout.write(json.dumps(asdict(found), indent=2) + "\n")
    return int(found.lost > 0 or found.different > 0 or not found.holds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
