"""Does taking in a long file stay flat in memory?  Run in a process of its own."""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from bench.measure import ROOT, Figure, Plan, opened, say
from bench.texts import Texts

TURNS_A_SESSION = 500
GROWTH_BOUND = 1.25
"""Most that the resident memory may have grown from the first 10,000 turns to the last, as a ratio."""


def grown(plan: Plan) -> list[Figure]:
    """Measure the resident memory after a tenth of a long intake and at its end."""
    turns = plan.sized(100_000, quick=10_000)
    say(f"taking in {turns:,} turns")
    file = plan.where / "turns.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for place, text in enumerate(Texts().stream(turns)):
            line = {
                "session": f"s{place // TURNS_A_SESSION}",
                "role": "assistant" if place % 2 else "user",
                "text": text,
                "id": str(place),
            }
            out.write(json.dumps(line) + "\n")
    ran = subprocess.run(
        [sys.executable, "-m", "bench.growing", str(file), str(plan.where / "growing.db")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    samples: dict[str, float] = json.loads(ran.stdout)
    early, late = samples[str(turns // 10)], samples[str(turns)]
    parts = {f"after_{tenth * turns // 10}_mb": samples[str(tenth * turns // 10)] for tenth in range(1, 11)}
    parts["seconds"] = samples["seconds"]
    note = f"{early:.0f} MB after {turns // 10:,} turns, {late:.0f} MB after {turns:,}, "
    note += f"highest {max(parts[key] for key in parts if key.endswith('_mb')):.0f} MB"
    return [
        Figure(
            "memory of a long intake, end to first tenth",
            round(late / early, 2),
            GROWTH_BOUND,
            "x",
            parts,
            note,
        )
    ]


def resident_mb() -> float:
    """Return the resident memory of this process in megabytes (Linux; elsewhere its highest)."""
    status = Path("/proc/self/status")
    if not status.exists():
        return _highest_mb()
    line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS"))
    return round(int(line.split()[1]) / 1024, 1)


def _highest_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20), 1)


def main() -> None:
    """Take the file of the first argument into the vault of the second; print memory by turns read."""
    samples: dict[str, float] = {}
    start = time.perf_counter()
    with opened(Path(sys.argv[2]), embedder=True) as vault:
        vault.take_file(sys.argv[1], progress=lambda read: samples.__setitem__(str(read), resident_mb()))
    samples["seconds"] = round(time.perf_counter() - start, 1)
    print(json.dumps(samples))


if __name__ == "__main__":
    main()
