"""How is a memory taken through the suites?  In an empty directory for each test, with a word of progress."""

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TypeVar

from muniment.conformance import catalogue, contradictions, deletions, laundering
from muniment.conformance.adapter import Memory
from muniment.conformance.contradictions import Row
from muniment.conformance.laundering import Cell
from muniment.conformance.verdict import Finding, Outcome

Kind = Callable[[Path], Memory]
"""What makes a memory in an empty directory: a class of adapters, as a rule."""

Progress = Callable[[int], None]
"""Told after each test, step, row and cell how many there are so far."""

T = TypeVar("T")


class Suite(StrEnum):
    """Name the four suites."""

    TESTS = "tests"
    DELETION = "deletion"
    CONTRADICTIONS = "contradictions"
    LAUNDERING = "laundering"


@dataclass(frozen=True, slots=True)
class Measured:
    """Hold what was found about one memory; a suite that was not run is empty."""

    name: str
    tests: tuple[Finding, ...] = ()
    deletion: tuple[Finding, ...] = ()
    contradictions: tuple[Row, ...] = ()
    laundering: tuple[Cell, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Return how many of the twenty tests hold, fail and cannot be asked."""
        return {outcome.value: sum(one.outcome is outcome for one in self.tests) for outcome in Outcome}

    @property
    def fails(self) -> bool:
        """Return whether a test, a step or an obligation of the laundering matrix fails.

        The contradiction matrix is shown and not added up: its cells ask for different things.
        """
        findings = [one.outcome for one in (*self.tests, *self.deletion)]
        return Outcome.FAILS in findings or any(one.outcome is Outcome.FAILS for one in self.laundering)


def kind_named(name: str) -> Kind:
    """Return the class that `module:Class` names.

    Raises ValueError for another form, ModuleNotFoundError and AttributeError for what is
    not there, and TypeError for what is no adapter.
    """
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise ValueError(name)
    found = getattr(import_module(module), attribute)
    if not (isinstance(found, type) and issubclass(found, Memory)):
        raise TypeError(name)
    return found


def measured(
    name: str,
    kind: Kind,
    *,
    suites: Iterable[Suite] = tuple(Suite),
    pairwise: bool = False,
    progress: Progress | None = None,
) -> Measured:
    """Take a memory through some suites; everything that it wrote is gone afterwards.

    `pairwise` takes a third of the laundering matrix, in which every two of its sides meet.
    """
    wanted = set(suites)
    done = count(1)

    def told(found: Iterable[T], suite: Suite) -> tuple[T, ...]:
        kept: list[T] = []
        for one in found if suite in wanted else ():
            kept.append(one)
            if progress is not None:
                progress(next(done))
        return tuple(kept)

    with tempfile.TemporaryDirectory(prefix="measured-", ignore_cleanup_errors=True) as scratch:
        make = partial(_made, kind, Path(scratch), count())
        return Measured(
            name,
            tests=told(catalogue.judgements(make), Suite.TESTS),
            deletion=told(deletions.thirteen_steps(make), Suite.DELETION),
            contradictions=told(contradictions.matrix(make), Suite.CONTRADICTIONS),
            laundering=told(laundering.matrix(make, pairwise=pairwise), Suite.LAUNDERING),
        )


def _made(kind: Kind, scratch: Path, numbers: "count[int]") -> Memory:
    place = scratch / str(next(numbers))
    place.mkdir()
    return kind(place)
