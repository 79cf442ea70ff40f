"""How is a named statement spelled for the driver?"""

import re
from collections.abc import Mapping
from pathlib import Path

from muniment.store.queries import named_queries

_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")


def spelled(path: Path) -> Mapping[str, tuple[bytes, bool]]:
    """Return each statement of a file in the driver's spelling, and whether it answers with rows."""
    found = {}
    for name, text in named_queries(path).items():
        statement = _PARAMETER.sub(r"%(\1)s", text.replace("%", "%%"))
        answers = text.startswith(("SELECT", "WITH")) or " RETURNING " in text
        found[name] = (statement.encode(), answers)
    return found
