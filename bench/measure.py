"""How are two sides compared fairly?  In turns, by medians, in one run, on one disk."""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import muniment
from muniment.service.vault import Vault
from muniment.wiring import current_settings

ROOT = Path(__file__).resolve().parent.parent

Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold one measured figure and its bound; `value` is None when it could not be measured.

    The bound is the most that the value may be, or the least when `at_least`.  `parts` are what
    the value was made of, by name with the unit last (`ours_us`).
    """

    name: str
    value: float | None
    bound: float
    unit: str
    parts: dict[str, float] = field(default_factory=dict)
    note: str = ""
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """Return `ok`, `OVER` or `not measured`."""
        if self.value is None:
            return "not measured"
        if self.at_least:
            return "ok" if self.value >= self.bound else "UNDER"
        return "ok" if self.value <= self.bound else "OVER"


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold how much is measured, and where; `quick` looks whether everything works."""

    where: Path
    quick: bool = False

    def sized(self, full: int, *, quick: int) -> int:
        """Return the size for this run."""
        return quick if self.quick else full


@contextmanager
def workplace() -> Iterator[Path]:
    """Yield a directory on the project's own disk (a RAM disk would make durable writes free)."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as place:
        yield Path(place)


def opened(path: Path, *, embedder: bool) -> Vault:
    """Open or make a vault as its owner, with the embedder in the package or none."""
    settings = replace(current_settings(), embedder="static" if embedder else "off", key="")
    return muniment.open(path, settings=settings)


@dataclass(frozen=True, slots=True)
class Taken:
    """Hold how long one act took by the clock, and how long this thread was at work for it."""

    seconds: float
    worked: float


def taken(act: Act) -> Taken:
    """Return how long one act took."""
    start, worked = time.perf_counter(), time.thread_time()
    act()
    return Taken(time.perf_counter() - start, time.thread_time() - worked)


@dataclass(slots=True)
class Pair:
    """Gather what both sides took, round by round."""

    ours: list[Taken] = field(default_factory=list)
    raw: list[Taken] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def round(self, ours: Sequence[Act], raw: Sequence[Act]) -> None:
        """Time every act of ours, then every act of the reference."""
        self.keep([taken(act) for act in ours], [taken(act) for act in raw])

    def alternate(self, ours: Sequence[Act], raw: Sequence[Act]) -> None:
        """Time an act of ours and one of the reference in turns.

        Both then meet the same machine, and neither has what the one before it left in the
        processor's caches: as where an act comes now and then.
        """
        both = [(taken(mine), taken(other)) for mine, other in zip(ours, raw, strict=True)]
        self.keep([mine for mine, _ in both], [other for _, other in both])

    def keep(self, mine: Sequence[Taken], theirs: Sequence[Taken]) -> None:
        """Take in what both sides took in one round."""
        self.ours += mine
        self.raw += theirs
        self.ratios.append(median(mine) / median(theirs))

    def figure(self, name: str, bound: float, *, note: str = "") -> Figure:
        """Return the ratio of the medians by the clock, with its parts in microseconds.

        `work_ratio` is the ratio of the medians of work: it leaves out waiting for the disk
        and for a processor that others hold, so that a busy machine can be told from a slow program.
        """
        ours, raw = median(self.ours), median(self.raw)
        parts = {
            "ours_us": round(ours * 1e6, 1),
            "raw_us": round(raw * 1e6, 1),
            "ours_p95_us": round(quantile([one.seconds for one in self.ours], 0.95) * 1e6, 1),
            "raw_p95_us": round(quantile([one.seconds for one in self.raw], 0.95) * 1e6, 1),
            "lowest_round": round(min(self.ratios), 2),
            "highest_round": round(max(self.ratios), 2),
            "work_ratio": round(_work(self.ours) / max(1e-9, _work(self.raw)), 2),
            "ours_work_us": round(_work(self.ours) * 1e6, 1),
            "raw_work_us": round(_work(self.raw) * 1e6, 1),
        }
        return Figure(name, round(ours / raw, 2), bound, "x", parts, note)


def in_blocks(blocks: Pair) -> str:
    """Return in words what the ratio is when each side's acts follow each other."""
    return f"in blocks {median(blocks.ours) / median(blocks.raw):.2f}"


def median(these: Sequence[Taken]) -> float:
    """Return the median of the seconds by the clock."""
    return statistics.median(one.seconds for one in these)


def _work(these: Sequence[Taken]) -> float:
    return statistics.median(one.worked for one in these)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie, one of them, never between."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def sync_microseconds(where: Path, times: int = 50) -> float:
    """Return the median time of making a page durable here: what every commit pays."""
    with (where / "sync").open("wb") as file:

        def once() -> None:
            file.write(b"\x55" * 4096)
            file.flush()
            os.fdatasync(file.fileno())

        return round(median([taken(once) for _ in range(times)]) * 1e6, 1)


def say(line: str) -> None:
    """Tell the person at the terminal how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)
