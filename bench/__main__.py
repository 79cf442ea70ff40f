"""What does `make bench` run?  Every figure that must hold, in one run, with a table at the end."""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from bench import corrections, erasing, postgres, report, retrieval, team, tombstones
from bench.growing import grown
from bench.hermes import speed as hermes
from bench.measure import ROOT, Figure, Plan, say, sync_microseconds, workplace
from bench.reading import recalled
from bench.rejecting import rejected
from bench.starting import started
from bench.texts import SEED
from bench.writing import batched, single

Part = Callable[[Plan], list[Figure]]

PARTS: Mapping[str, Part] = {
    "write": partial(single, embedder=True),
    "write-plain": partial(single, embedder=False),
    "tombstones": tombstones.guarded,
    "batch": partial(batched, embedder=True),
    "batch-plain": partial(batched, embedder=False),
    "recall": recalled,
    "reject": rejected,
    "grow": grown,
    "start": started,
}
"""What is measured, in this order: single writes first, before long parts have warmed the machine."""

PROCESSES = {"write": 5, "write-plain": 5, "tombstones": 5}
"""In how many processes a part is measured, one after the other; in one where nothing is said."""

OWN = {"erasing": erasing.run, "hermes": hermes.run, "postgres": postgres.run, "team": team.run}
"""Parts whose results lie in a file of their own."""
DATA = ROOT.parent / "shared" / "data"


def arguments(given: list[str]) -> argparse.Namespace:
    """Return what was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="look whether everything works; nothing is kept")
    parser.add_argument("--data", type=Path, default=DATA, help="directory with LoCoMo and BEAM")
    parser.add_argument(
        "--only",
        choices=[*PARTS, *OWN, "retrieval", "corrections"],
        action="append",
        help="measure this part alone",
    )
    return parser.parse_args(given)


def alone(name: str, plan: Plan) -> list[Figure]:
    """Measure one part in processes of its own: none has the memory, or the disk, that another filled.

    Where the memory of a process happens to lie, single writes take up to a tenth more or less in all of
    its rounds, so they are measured in several and the middle one counts.
    """
    runs = [_measured(name, plan, at=at) for at in range(1 if plan.quick else PROCESSES.get(name, 1))]
    return [middle(same) for same in zip(*runs, strict=True)]


def _measured(name: str, plan: Plan, *, at: int) -> list[Figure]:
    os.sync()
    where = plan.where / f"{name}-{at}"
    where.mkdir()
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(PARTS[name], replace(plan, where=where)).result()


def middle(figures: Sequence[Figure]) -> Figure:
    """Return the figure of the middle value, which says how far the others lie from it."""
    ordered = sorted(figures, key=lambda one: one.value or 0.0)
    found, lowest, highest = ordered[len(ordered) // 2], ordered[0].value, ordered[-1].value
    if lowest == highest:
        return found
    spread = f"middle of {len(ordered)} processes, {lowest:g} to {highest:g}"
    return replace(found, note=f"{found.note}; {spread}" if found.note else spread)


def main(given: list[str]) -> int:
    """Measure, show, keep; return 1 when a bound does not hold."""
    asked = arguments(given)
    start = time.perf_counter()
    chosen = [name for name in PARTS if not asked.only or name in asked.only]
    with workplace() as where:
        sync = sync_microseconds(where)
        plan = Plan(where, asked.quick)
        figures = [figure for name in chosen for figure in alone(name, plan)]
        if "tombstones" in chosen:
            figures += [*tombstones.innocent(plan, asked.data), *tombstones.phrases(asked.data)]
        if figures:
            _show(figures, sync=sync, kept=not (asked.quick or asked.only))
        for name, run in OWN.items():
            if not asked.only or name in asked.only:
                figures += run(plan, sync=sync)
    if not asked.only or "retrieval" in asked.only:
        retrieval.run(asked.data, quick=asked.quick)
    if not asked.only or "corrections" in asked.only:
        corrections.run(quick=asked.quick)
    say(f"done in {time.perf_counter() - start:.0f} s")
    return int(any(figure.verdict in ("OVER", "UNDER") for figure in figures))


def _show(figures: list[Figure], *, sync: float, kept: bool) -> None:
    before = report.earlier(report.RESULTS / "limits.json")
    print(report.table(report.rows(figures, before)))
    if kept:
        settings = report.machine(sync) | {"seed": str(SEED), "synchronous": "FULL, both sides"}
        report.keep(figures, settings, name="limits")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
