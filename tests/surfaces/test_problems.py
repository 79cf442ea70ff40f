"""Is every error shown one way, and does nothing unforeseen show what it holds?"""

import http
from collections.abc import Iterator

import pytest

from muniment import errors
from muniment.surfaces.problems import EXIT_CODES, TABLE, UNEXPECTED, problem_of


def tree(root: type[errors.MunimentError]) -> Iterator[type[errors.MunimentError]]:
    yield root
    for below in root.__subclasses__():
        if below.__module__ == "muniment.errors":
            yield from tree(below)


EVERY = sorted(tree(errors.MunimentError), key=lambda each: each.code)

# Promised to scripts and clients: a change here is a change of the public face.
SHOWN = {
    "error": (70, 500),
    "bad-call": (2, 400),
    "bad-input": (2, 400),
    "bad-time": (2, 400),
    "unreadable-path": (2, 400),
    "stale-plan": (2, 400),
    "bad-store": (2, 400),
    "not-found": (3, 404),
    "forbidden-move": (4, 403),
    "other-socket": (4, 403),
    "no-such-call": (2, 404),
    "request-too-slow": (2, 408),
    "request-too-large": (2, 413),
    "bad-key": (4, 401),
    "refused": (1, 409),
    "broken-data": (5, 500),
    "tampered": (5, 500),
    "damaged-file": (5, 500),
    "damaged-index": (5, 500),
    "rolled-back": (5, 500),
    "newer-schema": (5, 500),
    "not-a-vault": (5, 500),
    "other-analyser": (5, 500),
    "missing-key": (5, 500),
    "loose-keys": (5, 500),
    "unusable-block": (5, 500),
    "unfit-socket": (5, 500),
    "daemon-running": (6, 503),
    "unavailable": (6, 503),
    "busy": (6, 503),
    "read-only": (6, 503),
    "full-disk": (6, 507),
    "model-away": (6, 503),
    "server-lost": (6, 503),
    "unconfirmed": (6, 503),
}


@pytest.mark.parametrize("kind", EVERY)
def test_every_error_is_shown_as_promised(kind: type[errors.MunimentError]) -> None:
    problem = problem_of(kind("It went wrong."))
    assert (problem.code, problem.sentence, problem.advice) == (kind.code, "It went wrong.", kind.advice)
    assert (problem.exit_code, problem.http_status) == SHOWN[kind.code]
    assert problem.is_error


def test_nothing_is_promised_that_does_not_exist() -> None:
    assert set(SHOWN) == {kind.code for kind in EVERY}
    assert set(TABLE) <= set(EVERY)


def test_every_exit_code_is_explained_and_every_status_exists() -> None:
    used = {shown.exit_code for shown in TABLE.values()}
    assert used | {0} == set(EXIT_CODES)
    for kind, shown in TABLE.items():
        is_the_callers = issubclass(kind, (errors.CallersMistake, errors.Refusal))
        assert http.HTTPStatus(shown.http_status) < 500 if is_the_callers else shown.http_status >= 500


def test_advice_given_with_an_error_is_shown_instead_of_the_general_one() -> None:
    assert problem_of(errors.Busy("Held.", advice="Wait for the import.")).advice == "Wait for the import."


def test_a_new_kind_of_error_is_shown_like_its_family() -> None:
    class TooLate(errors.Unavailable):
        code = "too-late"

    problem = problem_of(TooLate("Too late."))
    assert (problem.code, problem.exit_code, problem.http_status) == ("too-late", 6, 503)


@pytest.mark.parametrize(
    "error",
    [ValueError("Ada likes tea"), KeyError("Ada"), OSError(5, "Ada"), RecursionError(), KeyboardInterrupt()],
)
def test_what_nobody_foresaw_is_said_plainly_and_without_its_text(error: BaseException) -> None:
    problem = problem_of(error)
    assert (problem.code, problem.exit_code, problem.http_status) == (UNEXPECTED, 70, 500)
    said = problem.sentence + problem.advice
    assert "Ada" not in said
    assert "Traceback" not in said
    assert type(error).__name__ in problem.advice
