"""Is what a database holds what was ever written?  A file that somebody edited may hold anything anywhere."""

import zlib
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from muniment.errors import CallersMistake, Tampered

P = ParamSpec("P")
R = TypeVar("R")


_STUMBLES = (
    CallersMistake, ValueError, TypeError, LookupError, OverflowError, RecursionError, zlib.error,
)  # fmt: skip


def decoded(decode: Callable[P, R]) -> Callable[P, R]:
    """Return `decode`, raising Tampered for columns that hold what was never written."""

    @wraps(decode)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return decode(*args, **kwargs)
        except _STUMBLES as error:
            raise Tampered("A row of the database holds what was never written.") from error

    return checked


def bytes_of(value: object) -> bytes:
    """Return bytes; raises TypeError where a text or a number stands in their place."""
    if not isinstance(value, bytes):
        raise TypeError("not bytes")
    return value


def held(kind: type, *values: object) -> None:
    """Raise TypeError unless all values are of one kind: SQLite keeps whatever it is given.

    For columns that no decoder turns into something else, which would refuse them.
    """
    if {*map(type, values)} != {kind}:
        raise TypeError(f"not all are {kind.__name__}")
