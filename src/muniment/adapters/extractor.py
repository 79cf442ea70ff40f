"""Which keyed claims does a text make that need no model to see?

One ordered table of patterns says it.  A pattern begins where a clause begins, so what
stands after another person's words, a condition or a question is never reached; see
`clauses.py` for what is let through at all.  What is found is a candidate: the gate
decides what becomes of it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from muniment import limits
from muniment.adapters.chunks import front_matter
from muniment.adapters.claim_values import Shape, dated, fits, folded, trimmed
from muniment.adapters.clauses import Clause, clauses
from muniment.domain.evidence import Span

# Most candidates of one text; what is beyond stays evidence.
CANDIDATES_MAX = 200

_FIRST_PERSON_ROLES = ("user",)
_ROLES = ("user", "document")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold one claim and the clause it came from.

    `kind` is fact, preference, decision or task; `span` is in code points; `valid_from` is
    set only when the clause names its own date.
    """

    text: str
    about: str
    attribute: str
    value: str
    kind: str
    span: Span
    valid_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Hold a row of the table.

    Groups of `form`: `value`, and where the row uses them `about`, `attribute` and
    `topic`.  The templates are filled with them, `me` and `key` (the value, folded).
    """

    form: re.Pattern[str]
    about: str
    attribute: str
    says: str
    kind: str = "fact"
    shape: Shape = Shape.NAME
    first_person: bool = True
    many: bool = False


def _row(form: str, about: str, attribute: str, says: str, **more: object) -> _Pattern:
    return _Pattern(re.compile(form, re.IGNORECASE), about, attribute, says, **more)  # type: ignore[arg-type]
