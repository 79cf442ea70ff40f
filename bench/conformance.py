"""What does `python -m bench.conformance` run?  The portable suites: this library, over MCP, floors."""

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench import kept
from bench.postgres import serving
from muniment.conformance import floors, run, shown
from muniment.conformance.library import Library
from muniment.conformance.served import Served
from muniment.conformance.verdict import Finding

NAME = "conformance"
HEADING = """# The portable suites

Made by `python -m bench.conformance`.
docs/guide/measure.md says what each suite asks and what the words mean."""

OVER_MCP = (run.Suite.TESTS, run.Suite.LAUNDERING)


def tables(found: list[run.Measured]) -> list[kept.Table]:
    """Return the four suites as tables of words."""
    return [
        _findings("The twenty tests", found, [one.tests for one in found]),
        _findings("The thirteen steps of deletion", found, [one.deletion for one in found]),
        {
            "title": "The contradiction matrix",
            "says": "Which of the columns A B C C' D E hold; `!` marks a missing twin.",
            "rows": [
                {
                    "row": f"{row.shape}, {row.way.value}, {row.gap}",
                    "cells": {
                        one.name: {"said": shown.holding(one.contradictions[at])}
                        for one in found
                        if one.contradictions
                    },
                }
                for at, row in enumerate(found[0].contradictions)
            ],
        },
        {
            "title": "The laundering matrix",
            "says": "out, or in again; `!` where it must stay out, `?` where its twin did not come in.",
            "rows": [
                {
                    "row": f"{one.name}, {path}, {place}",
                    "cells": {
                        cell.disguise: {"said": shown.became(cell)}
                        for cell in one.laundering
                        if (cell.path, cell.place.value) == (path, place)
                    },
                }
                for one in found
                for path, place in dict.fromkeys((cell.path, cell.place.value) for cell in one.laundering)
            ],
        },
    ]


def _findings(title: str, found: list[run.Measured], columns: list[tuple[Finding, ...]]) -> kept.Table:
    rows = []
    for at, finding in enumerate(columns[0]):
        cells = {}
        for one, column in zip(found, columns, strict=True):
            if column:
                cells[one.name] = {"said": shown.word(column[at]), "detail": column[at].sentence}
        rows.append({"row": finding.id, "cells": cells})
    return {"title": title, "says": "", "rows": rows}


def measured() -> list[run.Measured]:
    """Take everything through the suites, the laundering matrix of our other store and of the tools in pairs.

    Over MCP each test takes servers of its own, so steps and matrices of time are left to the library.
    """
    found = [run.measured(Library.name, Library), on_postgres()]
    found.append(run.measured(Served.name, Served, suites=OVER_MCP, pairwise=True))
    return found + [run.measured(floor.name, floor) for floor in floors.FLOORS]


def on_postgres() -> run.Measured:
    """Take the library on a PostgreSQL server of its own through the suites."""
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as where, serving(Path(where)) as server:
        address = server.address(server.migrated("conformance"), "bench_user")
        return run.measured("muniment-pg", partial(Library, address=address), pairwise=True)


def main(given: list[str], *, where: Path = kept.RESULTS) -> int:
    """Run, and keep or compare; return 1 when a cell says something else than what is committed."""
    parser = argparse.ArgumentParser(prog="python -m bench.conformance", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what is committed; keep nothing")
    asked = parser.parse_args(given)
    made = tables(measured())
    if not asked.check:
        kept.keep(NAME, HEADING, made, where=where)
        return 0
    differing = kept.drift(NAME, made, where=where)
    print("\n".join(differing) or "Every cell says what is committed.")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
