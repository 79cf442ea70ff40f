"""How is a named statement spelled for the driver?"""

import re
from collections.abc import Mapping
from pathlib import Path

from muniment.store.queries import named_queries

_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")


_OWN = re.compile(r"^(?:SELECT|INSERT|UPDATE|DELETE|LOCK|SET)\b", re.MULTILINE)
"""Where a statement's own part begins a line, after what stands in `WITH`."""


def spelled(path: Path) -> Mapping[str, tuple[bytes, bool]]:
    """Return each statement of a file in the driver's spelling, and whether it answers with rows."""
    found = {}
    for name, text in named_queries(path).items():
        statement = _PARAMETER.sub(r"%(\1)s", text.replace("%", "%%"))
        own = _OWN.search(text)
        part = text[own.start() :] if own else text
        answers = part.startswith("SELECT") or " RETURNING " in part
        found[name] = (statement.encode(), answers)
    return found
