"""Is every error one of the families, with a code, a sentence and a next step?"""

import inspect
import pickle
import re

import pytest

import muniment
from muniment import errors
from muniment.errors import (
    BadInput,
    BrokenData,
    CallersMistake,
    MunimentError,
    Refusal,
    Unavailable,
)

FAMILIES = (CallersMistake, Refusal, BrokenData, Unavailable)
EVERY = sorted(
    (each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, MunimentError)),
    key=lambda each: each.__name__,
)


def test_there_are_errors_to_look_at() -> None:
    assert len(EVERY) > 15
    assert set(FAMILIES) < set(EVERY)


@pytest.mark.parametrize("kind", [each for each in EVERY if each is not MunimentError])
def test_every_error_belongs_to_exactly_one_family(kind: type[MunimentError]) -> None:
    """A caller catches a family: its own mistake, a refusal, broken data, or something for later."""
    assert sum(issubclass(kind, family) for family in FAMILIES) == 1


@pytest.mark.parametrize("kind", EVERY)
def test_every_error_says_what_and_what_to_do(kind: type[MunimentError]) -> None:
    error = kind("The port is taken.")
    assert str(error) == error.sentence == "The port is taken."
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code)
    assert error.advice.endswith(".")
    assert len(error.advice.split()) >= 4
    assert (kind.__doc__ or "").startswith("Say "), "the docstring says when it is raised"


@pytest.mark.parametrize("kind", EVERY)
def test_a_code_is_written_in_its_own_class(kind: type[MunimentError]) -> None:
    assert "code" in vars(kind)
    assert "advice" in vars(kind)


def test_codes_are_never_shared() -> None:
    assert len({kind.code for kind in EVERY}) == len(EVERY)


def test_an_advice_of_its_own_belongs_to_one_error_alone() -> None:
    special = BadInput("The name is empty.", advice="Give a name.")
    assert special.advice == "Give a name."
    assert BadInput("The name is empty.").advice == BadInput.advice != "Give a name."


def test_an_empty_advice_is_the_usual_one() -> None:
    assert BadInput("The name is empty.", advice="").advice == BadInput.advice


def test_a_foreign_error_is_not_ours() -> None:
    assert not issubclass(ValueError, MunimentError)
    assert not issubclass(MunimentError, (ValueError, OSError))


def test_an_error_reaches_another_process_whole() -> None:
    sent = pickle.loads(pickle.dumps(BadInput("The name is empty.", advice="Give a name.")))
    assert (type(sent), sent.sentence, sent.advice) == (BadInput, "The name is empty.", "Give a name.")


def test_the_root_is_a_public_name() -> None:
    assert muniment.MunimentError is MunimentError
    with pytest.raises(muniment.MunimentError):
        raise BrokenData("The file is damaged.")
