"""How does a foreign file become a stream of items?  By the importer that fits it."""

from collections.abc import Iterator
from pathlib import Path

from muniment.adapters.importers import arrivals
from muniment.domain.offer import Item


def read_file(path: Path, *, format: str) -> Iterator[Item]:
    """Return the items of a file or directory; an empty format is found out by looking."""
    return arrivals(path, format=format)
