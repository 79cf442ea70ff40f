"""How is what was found laid out?  As plain lines of at most 80 cells, and as one document."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from muniment.conformance.contradictions import COLUMNS, Column, Row
from muniment.conformance.laundering import Became, Cell
from muniment.conformance.run import Measured
from muniment.conformance.tombstones import DISGUISES
from muniment.conformance.verdict import Finding, Outcome

_MARKS: Mapping[Outcome, str] = {Outcome.HOLDS: "+", Outcome.FAILS: "-", Outcome.CANNOT: "."}
_NAME_CELLS = 8
LEGEND = (
    "holds: the claim and its twin do.  no twin: what must be there was missing too,",
    "so nothing was shown.  cannot: the memory has no such capability.",
)


def word(finding: Finding) -> str:
    """Return one word or two for how a test ended."""
    if finding.outcome is Outcome.FAILS and finding.twin is Outcome.FAILS:
        return "no twin"
    return finding.outcome.value


def lines(found: Sequence[Measured]) -> Iterator[str]:
    """Yield every table that has something in it; the first memory is the one that is measured."""
    yield from _findings("the twenty tests", found, [one.tests for one in found])
    yield from _findings("the thirteen steps of deletion", found, [one.deletion for one in found])
    yield from _contradictions(found)
    for one in found:
        yield from _laundering(one)
    yield from _why(found[0])


def _findings(title: str, found: Sequence[Measured], columns: Sequence[Sequence[Finding]]) -> Iterator[str]:
    if not columns[0]:
        return
    yield from (title, *LEGEND, "")
    yield _row("", [one.name for one in found])
    for at, finding in enumerate(columns[0]):
        yield _row(finding.id, [word(column[at]) for column in columns])
    for outcome in Outcome:
        totals = [sum(one.outcome is outcome for one in column) for column in columns]
        yield _row(f"  {outcome.value}", [str(total) for total in totals])
    yield ""


def _row(head: str, cells: Sequence[str]) -> str:
    return f"{head:<43}" + "  ".join(f"{cell[:_NAME_CELLS]:<7}" for cell in cells).rstrip()


def holding(row: Row) -> str:
    """Return the columns of a row that hold, and a mark when its twin is missing."""
    held = [column.value for column in Column if row.cells[column] is Outcome.HOLDS]
    said = " ".join(held) or "none"
    if set(row.cells.values()) == {Outcome.CANNOT}:
        said = "cannot"
    return f"{said} !" if row.twin is Outcome.FAILS else said


def _contradictions(found: Sequence[Measured]) -> Iterator[str]:
    if not found[0].contradictions:
        return
    yield "the contradiction matrix: + holds, - does not, . cannot, ! its twin was missing"
    yield from (f"  {column.value:<3} {says}" for column, says in COLUMNS.items())
    yield ""
    heads = ["".join(column.value for column in Column)] * len(found)
    yield f"{'':<30}" + "  ".join(f"{one.name[:_NAME_CELLS]:<8}" for one in found).rstrip()
    yield f"{'':<30}" + "  ".join(f"{head:<8}" for head in heads).rstrip()
    for at, row in enumerate(found[0].contradictions):
        cells = ["".join(_marks(one, at)) for one in found]
        head = f"{row.shape:<13}{row.way.value:<7}{row.gap:<10}"
        yield head + "  ".join(f"{cell:<8}" for cell in cells).rstrip()
    yield ""


def _marks(one: Measured, at: int) -> Iterator[str]:
    row = one.contradictions[at]
    yield from (_MARKS[row.cells[column]].ljust(len(column.value)) for column in Column)
    yield "!" if row.twin is Outcome.FAILS else ""


def _laundering(one: Measured) -> Iterator[str]:
    if not one.laundering:
        return
    yield f"the laundering matrix of {one.name}: out, IN again, IN! where it must stay out,"
    yield "?  its twin did not come in by that path either"
    yield f"{'':<22}" + " ".join(f"{name[:5]:<5}" for name in DISGUISES).rstrip()
    for (path, place), cells in groupby(one.laundering, key=lambda cell: (cell.path, cell.place)):
        yield f"{path:<10}{place.value:<12}" + " ".join(f"{became(cell):<5}" for cell in cells).rstrip()
    yield ""


def became(cell: Cell) -> str:
    """Return one word for a cell of the laundering matrix, with a mark where it is a fault."""
    if cell.became is Became.CANNOT:
        return "."
    if not cell.twin:
        return f"{cell.became.value}?"
    said = "IN" if cell.became is Became.IN else "out"
    return f"{said}!" if cell.outcome is Outcome.FAILS else said


def _why(one: Measured) -> Iterator[str]:
    said = [finding for finding in (*one.tests, *one.deletion) if finding.outcome is not Outcome.HOLDS]
    if said:
        yield f"why, for {one.name}"
    for finding in said:
        yield f"  {finding.id}: {finding.sentence}"


def as_document(one: Measured) -> dict[str, object]:
    """Return everything that was found about one memory, fit for JSON."""
    return {
        "memory": one.name,
        "counts": one.counts,
        "tests": [_finding(finding) for finding in one.tests],
        "deletion": [_finding(finding) for finding in one.deletion],
        "contradictions": [
            {
                "shape": row.shape,
                "way": row.way.value,
                "gap": row.gap,
                "twin": row.twin.value,
                "cells": {column.value: row.cells[column].value for column in Column},
            }
            for row in one.contradictions
        ],
        "laundering": [
            {
                "path": cell.path,
                "place": cell.place.value,
                "disguise": cell.disguise,
                "became": cell.became.value,
                "reason": cell.reason,
                "outcome": cell.outcome.value,
                "twin": cell.twin,
            }
            for cell in one.laundering
        ],
    }


def _finding(one: Finding) -> dict[str, str]:
    return {"id": one.id, "outcome": one.outcome.value, "twin": one.twin.value, "sentence": one.sentence}
