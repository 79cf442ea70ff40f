"""Which memories do the suites of this directory meet?  Ours on each store and over MCP, and the floors."""

import itertools
from collections.abc import Callable
from pathlib import Path

from muniment.conformance.adapter import Memory
from muniment.conformance.library import Library
from muniment.conformance.served import Served
from muniment.service.vault import Vault
from tests import postgres

Kind = Callable[[Path], Memory]


def on_postgres(place: Path) -> Memory:
    """Return the library with a tenant of its own in the shared test database."""
    return Library(place, address=postgres.shared_database().application)


OURS: dict[str, Kind] = {"sqlite": Library, "postgres": on_postgres}
OVER_MCP: Kind = Served


def maker(kind: Kind, scratch: Path) -> Callable[[], Memory]:
    """Return a function that makes a memory in a directory of its own each time."""
    numbers = itertools.count()

    def made() -> Memory:
        place = scratch / f"memory {next(numbers)}"
        place.mkdir()
        return kind(place)

    return made


def one(kind: Kind, scratch: Path) -> Memory:
    """Return one memory."""
    return maker(kind, scratch)()


def erases() -> bool:
    """Return whether the library can erase; then no test of deletion is excused any more."""
    return hasattr(Vault, "plan_erasure") and hasattr(Vault, "erase")


__all__ = ["OURS", "OVER_MCP", "Kind", "erases", "maker", "on_postgres", "one"]
