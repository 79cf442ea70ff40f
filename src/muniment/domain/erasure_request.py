"""What is kept of an erasure that somebody asked for?  What is to go, and what would have gone then.

A request is a matter.  Its body is one spelling of what was asked for, which goes with the
erasure as any text does; its digest is of these bytes.
"""

import json

from muniment.domain.canonical import plain
from muniment.domain.erasure import Asked, Means
from muniment.domain.matter import Matter, MatterKind
from muniment.domain.members import Fields, text, texts
from muniment.domain.proposal import digest_of


def spelled(asked: Asked, *, binding: str) -> str:
    """Return the one spelling of a request, ASCII; `binding` names what would go when it was made."""
    fields = {
        "means": asked.means.value,
        "value": asked.value,
        "filters": [f"{name}={value}" for name, value in asked.filters],
        "add": list(asked.add),
        "leave": list(asked.leave),
        "binding": binding,
    }
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def read(row: Matter) -> tuple[Asked, str]:
    """Return what a request's first row asks for, and its binding.

    Raises ValueError for a row of something else, and for bytes that are not those of its digest.
    """
    if row.kind is not MatterKind.ERASURE or digest_of(row.body) != row.digest:
        raise ValueError("this row asks for no erasure")
    try:
        fields: Fields = json.loads(row.body)
        filters = [tuple(one.split("=", 1)) for one in texts(fields, "filters")]
        asked = Asked(
            Means(text(fields, "means")),
            text(fields, "value"),
            tuple((name, value) for name, value in filters),
            texts(fields, "add"),
            texts(fields, "leave"),
        )
        return asked, text(fields, "binding")
    except (KeyError, TypeError) as error:
        raise ValueError("these bytes spell no request") from error


def is_same(one: Asked, other: Asked) -> bool:
    """Return whether two requests ask for the same to go, whatever else they would keep out."""
    mine, theirs = ((each.means, plain(each.value), each.filters) for each in (one, other))
    return mine == theirs


def is_request(row: object) -> bool:
    """Return whether a row is of a request."""
    return isinstance(row, Matter) and row.kind is MatterKind.ERASURE


def asks_for(row: Matter, asked: Asked) -> bool:
    """Return whether a row is the first one of a request for the same."""
    return bool(row.body) and is_same(read(row)[0], asked)
