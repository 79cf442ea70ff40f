"""How does each error look on each surface?  One table, so that no surface has its own (I13).

On every surface a problem has its code, one plain sentence and what to do.  A command
ends with the exit code, an HTTP answer carries the status, and an MCP tool marks its
answer as an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from muniment import errors

EXIT_CODES = MappingProxyType(
    {
        0: "done",
        1: "refused by the gate",
        2: "the call is wrong",
        3: "not found",
        4: "not allowed",
        5: "what is stored is damaged, altered or not fit to be opened",
        6: "not possible now; try again",
        70: "unexpected: a fault of Muniment's own",
    }
)
"""What the exit codes of the command line mean."""


class Shown(NamedTuple):
    """Hold how one family of errors is shown."""

    exit_code: int
    http_status: int


TABLE: Mapping[type[BaseException], Shown] = MappingProxyType(
    {
        errors.MunimentError: Shown(70, 500),
        errors.CallersMistake: Shown(2, 400),
        errors.NotFound: Shown(3, 404),
        errors.ForbiddenMove: Shown(4, 403),
        errors.OtherSocket: Shown(4, 403),
        errors.NoSuchCall: Shown(2, 404),
        errors.TooSlow: Shown(2, 408),
        errors.TooLarge: Shown(2, 413),
        errors.BadCredential: Shown(4, 401),
        errors.Refusal: Shown(1, 409),
        errors.BrokenData: Shown(5, 500),
        errors.Unavailable: Shown(6, 503),
        errors.FullDisk: Shown(6, 507),
    }
)
"""An error is shown by the nearest row above it in the tree of errors."""

UNEXPECTED = "unexpected"
"""Code of what nobody foresaw."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Hold an error as a surface shows it; on MCP `is_error` is set on the answer."""

    code: str
    sentence: str
    advice: str
    exit_code: int
    http_status: int
    is_error: bool = True


def problem_of(error: BaseException) -> Problem:
    """Return how `error` is shown.

    An error that is not ours is called unexpected, without its text: that may hold a
    remembered value or a path.
    """
    if isinstance(error, errors.MunimentError):
        shown = next(TABLE[family] for family in type(error).__mro__ if family in TABLE)
        return Problem(error.code, error.sentence, error.advice, shown.exit_code, shown.http_status)
    return Problem(
        UNEXPECTED,
        "Something went wrong that Muniment did not foresee; nothing that was answered for is lost.",
        "Run `muniment doctor`; if it finds nothing, report what you did, with the kind of error "
        f"({type(error).__name__}).",
        exit_code=70,
        http_status=500,
    )
