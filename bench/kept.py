"""How is a table of words kept beside its harness, and how is drift noticed?"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.measure import ROOT

RESULTS = ROOT / "bench" / "results"

Table = Mapping[str, object]
"""A title, a sentence, and rows: each has a name and its cells, each cell what was said and a detail."""


def lines_of(table: Table) -> list[str]:
    """Return a table as lines of Markdown; details follow as a list."""
    rows = _rows(table)
    columns = list(dict.fromkeys(column for _, cells in rows for column in cells))
    lines = [f"## {table['title']}", "", str(table["says"]), "", f"| | {' | '.join(columns)} |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for name, cells in rows:
        said = [str(cells[column]["said"]) if column in cells else "" for column in columns]
        lines.append(f"| {name} | {' | '.join(said)} |")
    details = [
        f"- {name}, {column}: {cell['detail']}"
        for name, cells in rows
        for column, cell in cells.items()
        if cell.get("detail")
    ]
    return [*lines, "", *details, *([""] if details else [])]


def _rows(table: Table) -> list[tuple[str, dict[str, dict[str, object]]]]:
    rows = table["rows"]
    assert isinstance(rows, Sequence)
    return [(str(row["row"]), dict(row["cells"])) for row in rows]


def keep(name: str, heading: str, tables: Sequence[Table], *, where: Path = RESULTS) -> None:
    """Write the tables as JSON, which a later run is compared with, and as a page."""
    (where / f"{name}.json").write_text(json.dumps(list(tables), indent=1) + "\n", "utf-8")
    page = [heading, ""]
    for table in tables:
        page += lines_of(table)
    (where / f"{name}.md").write_text("\n".join(page).rstrip() + "\n", "utf-8")


def said(tables: Sequence[Table]) -> dict[tuple[str, str, str], str]:
    """Return what each cell says, by table, row and column; details may be worded anew."""
    return {
        (str(table["title"]), name, column): str(cell["said"])
        for table in tables
        for name, cells in _rows(table)
        for column, cell in cells.items()
    }


def drift(name: str, tables: Sequence[Table], *, where: Path = RESULTS) -> list[str]:
    """Return each cell that says something else than what is committed."""
    kept = said(json.loads((where / f"{name}.json").read_text("utf-8")))
    now = said(tables)
    return [
        f"{' | '.join(cell)}: committed {kept.get(cell, 'nothing')}, now {now.get(cell, 'nothing')}"
        for cell in sorted({*kept, *now})
        if kept.get(cell) != now.get(cell)
    ]
