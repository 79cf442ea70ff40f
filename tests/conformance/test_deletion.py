"""Do the thirteen steps of deletion hold for Muniment, and where do the floors fall?"""

from contextlib import closing
from pathlib import Path

import pytest

from muniment.conformance.adapter import Cannot
from muniment.conformance.catalogue import judged
from muniment.conformance.deletions import thirteen_steps
from muniment.conformance.floors import Nothing, Wiping, Words
from muniment.conformance.shown import word
from muniment.conformance.verdict import Finding, Outcome
from tests.conformance.careful import (
    Careful,
    Keeping,
    LeavingBytes,
    LettingSourcesIn,
    Resurrecting,
    Silent,
    TakingTheSibling,
    Telling,
    TrustingCopies,
    TrustingExports,
)
from tests.conformance.memories import OURS, Kind, erases, maker
from tests.conformance.memories import one as one_memory

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


def test_the_steps_can_all_be_passed_by_a_careful_memory(tmp_path: Path) -> None:
    found = steps(Careful, tmp_path)
    assert {number for number, one in found.items() if one.outcome is not Outcome.HOLDS} == set()
    assert {one.twin for one in found.values()} == {Outcome.HOLDS}


# One fault each, the steps that notice it, and what is said at the first of them.
FAULTS = [
    (LeavingBytes, {"09"}, "It was still in files."),
    (LettingSourcesIn, {"06", "08", "09"}, "It was there after the source came again."),
    (Resurrecting, {"08", "09"}, "It was there after the jobs."),
    (Telling, {"10"}, "It was there in the record itself."),
    (Silent, {"10"}, "The deletion is not on record."),
    (TrustingCopies, {"13"}, "It was there after the older backup was put back."),
    (TrustingExports, {"13"}, "It was there after the earlier export was taken in."),
    (Keeping, {"04", "06", "08", "09", "13"}, "It was there after it was forgotten."),
]


@pytest.mark.parametrize(
    ("kind", "numbers", "sentence"), FAULTS, ids=lambda one: getattr(one, "__name__", None)
)
def test_each_fault_of_deletion_is_noticed_at_its_steps(
    tmp_path: Path, kind: type[Careful], numbers: set[str], sentence: str
) -> None:
    found = steps(kind, tmp_path)
    failing = {number: one for number, one in found.items() if one.outcome is Outcome.FAILS}
    assert set(failing) == numbers
    assert failing[min(numbers)].sentence.startswith(sentence)
    assert {one.twin for one in failing.values()} == {Outcome.HOLDS}


def test_a_deletion_that_takes_the_sibling_too_has_no_twin(tmp_path: Path) -> None:
    found = steps(TakingTheSibling, tmp_path)
    assert word(found["03"]) == word(found["04"]) == word(found["09"]) == "no twin"
    assert word(found["02"]) == "holds"


CATALOGUED = [
    ("deletion.absent_after_reindex_and_restart", Careful, "holds", ""),
    ("deletion.absent_after_reindex_and_restart", LeavingBytes, "fails", "It was still in files."),
    ("deletion.absent_after_reindex_and_restart", Resurrecting, "fails", "It was there after all of it."),
    ("deletion.absent_after_reindex_and_restart", Telling, "fails", "It was there in the record itself."),
    ("deletion.absent_after_reindex_and_restart", Silent, "fails", "The deletion is not on record."),
    ("deletion.absent_from_shared_copies", Careful, "holds", "Copies cannot be shared"),
    ("deletion.absent_from_shared_copies", TrustingExports, "fails", "It was there after the earlier"),
]


@pytest.mark.parametrize(("id", "kind", "how", "sentence"), CATALOGUED)
def test_the_two_portable_tests_of_deletion_notice_them_too(
    tmp_path: Path, id: str, kind: type[Careful], how: str, sentence: str
) -> None:
    with closing(one_memory(kind, tmp_path)) as memory:
        finding = judged(id, memory)
    assert word(finding) == how
    assert finding.sentence.startswith(sentence)


class Sharing(Careful):
    """Copies a statement to another space, where deletion reaches it, or does not."""

    reached = True

    def __init__(self, place: Path) -> None:
        self.copies: list[str] = []
        super().__init__(place)

    def share(self, space: str, *, text: str) -> None:
        self.copies += [line for line in self.prompt_prefix(text).splitlines() if text in line]

    def forget(self, text: str, *, space: str = "home") -> None:
        super().forget(text, space=space)
        if self.reached:
            self.copies = [kept for kept in self.copies if text not in kept]

    def prompt_prefix(self, query: str, *, space: str = "home", k: int = 10) -> str:
        found = super().prompt_prefix(query, space=space, k=k)
        return "\n".join([found, *self.copies]) if space != "home" else found


class SharingForGood(Sharing):
    """Lets its copies go, and forgets them."""

    reached = False


@pytest.mark.parametrize(("kind", "how"), [(Sharing, "holds"), (SharingForGood, "fails")])
def test_a_copy_that_was_shared_is_followed(tmp_path: Path, kind: type[Sharing], how: str) -> None:
    (tmp_path / "one").mkdir()
    with closing(one_memory(kind, tmp_path / "one")) as memory:
        finding = judged("deletion.absent_from_shared_copies", memory)
    assert word(finding) == how == word(steps(kind, tmp_path)["13"])
    assert finding.sentence == ("" if how == "holds" else "It was there in the space it was shared to.")


SOURCES = [
    (Words, "fails", "It was still in files. It was there among what was derived."),
]


@pytest.mark.parametrize(("kind", "how", "sentence"), SOURCES)
def test_what_came_of_a_deleted_source_is_looked_for_in_every_place(
    tmp_path: Path, kind: Kind, how: str, sentence: str
) -> None:
    with closing(one_memory(kind, tmp_path)) as memory:
        finding = judged("evidence.source_delete_reaches_derived", memory)
    assert (word(finding), finding.sentence) == (how, sentence)


class Following(Careful):
    """Deletes what came of a source together with it."""

    def __init__(self, place: Path) -> None:
        self.came: dict[str, str] = {}
        super().__init__(place)

    def feed(self, text: str, *, name: str, space: str = "home") -> None:
        self.came[name] = text
        super().feed(text, name=name, space=space)

    def forget_source(self, name: str, *, space: str = "home") -> None:
        for sentence in self.came.pop(name).split(". "):
            self.forget(sentence.split()[-1].rstrip("."))
            self.forget(sentence.split()[-2])


def test_a_source_can_be_deleted_with_what_came_of_it(tmp_path: Path) -> None:
    with closing(one_memory(Following, tmp_path)) as memory:
        finding = judged("evidence.source_delete_reaches_derived", memory)
    assert (finding.outcome, finding.twin) == (Outcome.HOLDS, Outcome.HOLDS), finding
