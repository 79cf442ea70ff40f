"""How is a value that is bound by its place found again by its name?"""

from muniment.store.codec import Value
from muniment.store.queries import parameters
from muniment.store.row_values import Values
from muniment.store.sqlite.connection import QUERIES


def named(statement: str, values: Values) -> dict[str, Value]:
    """Return the values of a statement by their names."""
    return dict(zip(parameters(QUERIES[statement]), values, strict=True))
