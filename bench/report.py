"""How are figures shown and kept?  A table on the terminal, Markdown and JSON beside the harness."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import apsw

from bench.measure import Figure

RESULTS = Path(__file__).parent / "results"


def machine(sync_us: float) -> dict[str, str]:
    """Return what a reader must know to compare: never a name or a path of the machine."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
        "sqlite": apsw.sqlite_lib_version(),
        "sqlite-vec": version("sqlite-vec"),
        "one durable page": f"{sync_us:.0f} us",
    }


def earlier(path: Path) -> dict[str, float]:
    """Return the values of the committed results by name; nothing when there are none."""
    if not path.exists():
        return {}
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {one["name"]: one["value"] for one in kept["figures"] if one["value"] is not None}


def rows(figures: Sequence[Figure], before: Mapping[str, float]) -> list[tuple[str, ...]]:
    """Return one row a figure: name, measured, bound, last committed, verdict, remarks."""
    return [
        (
            one.name,
            "-" if one.value is None else _number(one.value, one.unit),
            _number(one.bound, one.unit),
            _number(before[one.name], one.unit) if one.name in before else "-",
            one.verdict,
            "; ".join(filter(None, (_parts(one), one.note))),
        )
        for one in figures
    ]


def _number(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if unit.startswith(("bytes", "of")) else f"{value:.2f} {unit}"


def _parts(figure: Figure) -> str:
    """Return the two sides of a ratio in short."""
    parts = figure.parts
    if "ours_us" in parts:
        spread = f"rounds {parts['lowest_round']:.2f}-{parts['highest_round']:.2f}"
        spread += f", work {parts['work_ratio']:.2f}"
        return f"{parts['ours_us']:,.0f} us to {parts['raw_us']:,.0f} us, {spread}"
    if "ours_ms" in parts:
        return f"{parts['ours_ms']:,.0f} ms to {parts['bare_ms']:,.0f} ms"
    return ""


HEAD = ("figure", "measured", "bound", "last", "", "parts")


def table(lines: Sequence[tuple[str, ...]], *, head: tuple[str, ...] = HEAD) -> str:
    """Return an aligned table for a terminal."""
    every = [head, *lines]
    widths = [max(len(row[at]) for row in every) for at in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in every
    )


def markdown(lines: Sequence[tuple[str, ...]], *, head: tuple[str, ...] = HEAD) -> str:
    """Return a Markdown table."""
    shown = [head, tuple("---" for _ in head), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in shown)


def keep(figures: Sequence[Figure], settings: Mapping[str, str], *, name: str) -> None:
    """Write the results as JSON and Markdown beside the harness."""
    RESULTS.mkdir(exist_ok=True)
    kept = {
        "settings": dict(settings),
        "figures": [
            {
                "name": one.name,
                "value": one.value,
                "bound": one.bound,
                "unit": one.unit,
                "verdict": one.verdict,
                "parts": one.parts,
                "note": one.note,
            }
            for one in figures
        ],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    lines = [row[:3] + row[4:] for row in rows(figures, {})]
    head = HEAD[:3] + HEAD[4:]
    about = "\n".join(f"- {key}: {value}" for key, value in settings.items())
    page = "# What was measured\n\n`make bench` wrote this page; docs/bench.md says how to read it.\n\n"
    page += f"{markdown(lines, head=head)}\n\n{about}\n"
    (RESULTS / f"{name}.md").write_text(page, encoding="utf-8")
