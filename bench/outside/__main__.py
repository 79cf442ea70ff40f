"""What does `python -m bench.outside` run?  The suites that others wrote, if they are installed here."""

import argparse
import sys
from importlib.metadata import version

from bench import kept
from bench.outside import at_rest, reliability, semantic

NAME = "outside"
HEADING = """# In suites that others wrote

Made by `python -m bench.outside`, with the packages of the dependency group `outside`.
How each of them is put in front of a vault stands in `bench/outside`; docs/bench.md says how to read this."""


def tables() -> list[kept.Table]:
    """Run everything and return the tables."""
    integrity = f"agent-memory-integrity {version('agent-memory-integrity')}"
    return [
        {
            "title": f"Edits of the file behind the gate ({integrity})",
            "says": "rejected: not served, and said so. reported: by `verify`. accepted: nobody noticed.",
            "rows": at_rest.measured(),
        },
        {
            "title": f"Memories that an attacker writes ({integrity})",
            "says": "The attacker writes into the space of the same person, by three channels.",
            "rows": semantic.measured(),
        },
        {
            "title": f"Steps of an agent (provem {version('provem')})",
            "says": f"right / wrong / abstained, seeds {', '.join(map(str, reliability.SEEDS))}.",
            "rows": reliability.measured(),
        },
    ]


def main(given: list[str]) -> int:
    """Run, and keep or compare; return 1 when a cell says something else than what is committed."""
    parser = argparse.ArgumentParser(prog="python -m bench.outside", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what is committed; keep nothing")
    asked = parser.parse_args(given)
    found = tables()
    if not asked.check:
        kept.keep(NAME, HEADING, found)
        return 0
    differing = kept.drift(NAME, found)
    print("\n".join(differing) or "Every cell says what is committed.")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
