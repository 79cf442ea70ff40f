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

    `parts` are what the value was made of, by name with the unit last (`ours_us`).
    """

    name: str
    value: float | None
    bound: float
    unit: str
    parts: dict[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def verdict(self) -> str:
        """Return `ok`, `OVER` or `not measured`."""
        if self.value is None:
            return "not measured"
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


def seconds_of(act: Act) -> float:
    """Return how long one act took."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


@dataclass(slots=True)
class Pair:
    """Gather the seconds of both sides, round by round."""

    ours: list[float] = field(default_factory=list)
    raw: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def round(self, ours: Sequence[Act], raw: Sequence[Act]) -> None:
        """Time every act of ours, then every act of the reference."""
        mine, theirs = [seconds_of(act) for act in ours], [seconds_of(act) for act in raw]
        self.ours += mine
        self.raw += theirs
        self.ratios.append(statistics.median(mine) / statistics.median(theirs))

    def figure(self, name: str, bound: float, *, note: str = "") -> Figure:
        """Return the ratio of the medians, with its parts in microseconds."""
        ours, raw = statistics.median(self.ours), statistics.median(self.raw)
        parts = {
            "ours_us": round(ours * 1e6, 1),
            "raw_us": round(raw * 1e6, 1),
            "ours_mean_us": round(statistics.fmean(self.ours) * 1e6, 1),
            "raw_mean_us": round(statistics.fmean(self.raw) * 1e6, 1),
            "ours_p95_us": round(quantile(self.ours, 0.95) * 1e6, 1),
            "raw_p95_us": round(quantile(self.raw, 0.95) * 1e6, 1),
            "lowest_round": round(min(self.ratios), 2),
            "highest_round": round(max(self.ratios), 2),
        }
        return Figure(name, round(ours / raw, 2), bound, "x", parts, note)


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

        taken = [seconds_of(once) for _ in range(times)]
    return round(statistics.median(taken) * 1e6, 1)


def say(line: str) -> None:
    """Tell the person at the terminal how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)
