"""Do the thirteen steps of deletion hold for Muniment, and where do the floors fall?"""

from pathlib import Path

import pytest

from muniment.conformance.adapter import Cannot
from muniment.conformance.deletions import thirteen_steps
from muniment.conformance.floors import Nothing, Wiping, Words
from muniment.conformance.shown import word
from muniment.conformance.verdict import Finding, Outcome
from tests.conformance.memories import OURS, Kind, erases, maker

BEFORE_ERASURE = {"01", "02", "11"}
"""Steps that ask for no deletion."""

# A database's files are not the product's to copy; its own backups are for whoever runs it.
LACKING = {"sqlite": {}, "postgres": {number: "copy of" for number in ("11", "12", "13")}}


def steps(kind: Kind, place: Path) -> dict[str, Finding]:
    return {one.id[:2]: one for one in thirteen_steps(maker(kind, place))}


@pytest.mark.parametrize("store", OURS)
def test_the_thirteen_steps_hold_for_the_library(tmp_path: Path, store: str) -> None:
    found = steps(OURS[store], tmp_path)
    assert list(found) == [f"{number:02}" for number in range(1, 14)]
    for number, one in found.items():
        lack = LACKING[store].get(number, "" if erases() or number in BEFORE_ERASURE else "erasure")
        wanted = Outcome.CANNOT if lack else Outcome.HOLDS
        assert (one.outcome, one.twin) == (wanted, wanted), one
        assert lack in one.sentence


# A step at which each floor falls, and how.
FALLS = [
    (Words, "06", "fails"),
    (Words, "08", "fails"),
    (Words, "09", "fails"),
    (Words, "10", "fails"),
    (Words, "13", "fails"),
    (Nothing, "01", "no twin"),
    (Nothing, "04", "no twin"),
    (Wiping, "04", "no twin"),
    (Wiping, "13", "fails"),
]


@pytest.mark.parametrize(("floor", "number", "how"), FALLS)
def test_a_floor_falls_where_it_must(tmp_path: Path, floor: Kind, number: str, how: str) -> None:
    assert word(steps(floor, tmp_path)[number]) == how


def test_words_alone_are_deleted_until_they_come_again(tmp_path: Path) -> None:
    found = steps(Words, tmp_path)
    assert found["04"].outcome is Outcome.HOLDS
    assert found["06"].sentence == "It was there after the source came again."
    assert "files" in found["09"].sentence


class Forgetful(Words):
    """A memory that has no deletion."""

    def forget(self, text: str, *, space: str = "home") -> None:
        raise Cannot("deletion")


def test_after_a_step_that_cannot_be_done_none_is_done(tmp_path: Path) -> None:
    found = steps(Forgetful, tmp_path)
    assert {number for number, one in found.items() if one.outcome is Outcome.HOLDS} == {"01", "02", "11"}
    left = [one.sentence for one in found.values() if one.outcome is Outcome.CANNOT]
    assert (len(left), set(left)) == (10, {"It has no deletion."})
