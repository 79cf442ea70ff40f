"""Which named statements are there?  Read from a .sql file, never put together from parts."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

_MARK = "-- name: "
_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")


@cache
def named_queries(path: Path) -> Mapping[str, str]:
    """Return the statements of a file by name.

    A statement begins at `-- name: NAME` and ends at its semicolon.  Raises ValueError for
    a name that stands twice.
    """
    found: dict[str, str] = {}
    for part in path.read_text(encoding="utf-8").split(_MARK)[1:]:
        name, _, body = part.partition("\n")
        lines = [line for line in body.splitlines() if not line.startswith("--")]
        if name.strip() in found:
            raise ValueError(f"the query {name.strip()} stands twice in {path.name}")
        found[name.strip()] = "\n".join(lines).strip().rstrip(";")
    return MappingProxyType(found)


@cache
def parameters(statement: str) -> tuple[str, ...]:
    """Return the names of a statement's values in the order in which they first stand in it."""
    return tuple(dict.fromkeys(_PARAMETER.findall(statement)))
