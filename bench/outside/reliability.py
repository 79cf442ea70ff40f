"""How often does an agent act on a wrong memory, by the suite `provem`?  Beside the suite's own arms."""

import random
from collections import Counter
from collections.abc import Callable, Mapping

from cognitive_memory.reliability import GovernedMemory, Scenario, UngovernedMemory, run_trajectory
from cognitive_memory.reliability_suite import NoMemory, gen_same_channel, gen_trigger, generate_scenarios

from bench.outside.arm import Arm

SEEDS = (1, 2, 3)
SCENARIOS = 48
"""Scenarios of the suite's mixture for each seed; each of the two further families has a third of it."""

ARMS: Mapping[str, Callable[[], object]] = {
    "muniment": Arm,
    "governed (the suite's own)": GovernedMemory,
    "ungoverned (the suite's own)": UngovernedMemory,
    "no memory (the suite's own)": NoMemory,
}


def scenarios() -> list[Scenario]:
    """Return the scenarios of every seed: the mixture, and the two families that stand beside it."""
    found: list[Scenario] = []
    for seed in SEEDS:
        found += generate_scenarios(seed, SCENARIOS)
        for generator in (gen_trigger, gen_same_channel):
            rng = random.Random(seed)
            found += [
                generator(rng, f"tenant_{number % 5}", f"{generator.__name__}_{seed}_{number}")
                for number in range(SCENARIOS // 3)
            ]
    return found


def measured() -> list[dict[str, object]]:
    """Return a row for each arm: for each family of steps, how many were right, wrong and abstained from."""
    rows = []
    for name, arm in ARMS.items():
        cells: dict[str, Counter[str]] = {}
        for scenario in scenarios():
            memory = arm()
            for step in run_trajectory(memory, scenario).steps:
                cells.setdefault(step.failure_class, Counter())[step.outcome] += 1
            if isinstance(memory, Arm):
                memory.close()
        rows.append({"row": name, "cells": {family: _cell(ends) for family, ends in sorted(cells.items())}})
    return rows


def _cell(ends: Counter[str]) -> dict[str, object]:
    right, wrong, none = (ends[end] for end in ("correct", "silent_error", "recoverable_abstention"))
    return {"said": f"{right} / {wrong} / {none}", "right": right, "wrong": wrong, "abstained": none}
